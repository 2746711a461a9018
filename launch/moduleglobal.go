package launch

import (
	"reflect"

	"heddle/internal/errs"
)

// ModuleGlobal is a variable of the module as a Buffer of as many T as it has room for
// (hipModuleGetGlobal). Its size has to be a multiple of T's. It is valid until the module is
// closed: close it before.
func ModuleGlobal[T any](m *Module, name string) (*Buffer[T], error) {
	if err := m.enter(); err != nil {
		return nil, err
	}
	defer m.dev.leave()
	at, size, err := m.drv.Global(name)
	if err != nil {
		return nil, errs.F("launch: variable %s of the module: %w", name, m.dev.vendor(err))
	}
	t := reflect.TypeFor[T]()
	if n := int(t.Size()); n == 0 || size%n != 0 {
		return nil, errs.F("launch: variable %s of the module has %d bytes, no multiple of the %d of %s", name, size, n, t)
	}
	return Wrap[T](m.dev, at, size/int(t.Size()), nil)
}
