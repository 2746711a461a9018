package host

import "heddle/internal/driver"

// A ModuleLoader is an Engine that takes code of other compilers.
type ModuleLoader interface {
	LoadModule(code []byte) (driver.Module, error)
}

// LoadModule implements driver.Modules.
func (d *device) LoadModule(code []byte) (driver.Module, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	l, ok := d.engine.(ModuleLoader)
	if !ok {
		return nil, d.errorf("no modules: kernels run as code of this machine's processor, or as Go")
	}
	return l.LoadModule(code)
}
