package gpu

import (
	"errors"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// module implements driver.Module.
type module struct {
	dev    *Device
	handle uintptr
	code   []byte // HIP reads it until unloading
}

// LoadModule implements driver.Modules.
func (d *Device) LoadModule(code []byte) (driver.Module, error) {
	handle, err := d.spec.Load(d, code)
	if err != nil {
		return nil, err
	}
	return &module{d, handle, code}, nil
}

// Function implements driver.Module.
func (m *module) Function(obj *abi.Object) (driver.Function, error) {
	own := *obj
	f := &Function{dev: m.dev, obj: &own, module: m.handle, places: obj.Sig.Places(), shared: true}
	if err := f.bind(); err != nil {
		return nil, errs.F("%s: kernel %s: %w", m.dev.info.Name, obj.Name, err)
	}
	return f, nil
}

// Params implements driver.Module (cuFuncGetParamInfo, of CUDA 12.4 and later).
func (m *module) Params(name string) (params [][2]int, known bool, err error) {
	const invalidValue = 1
	info := []string{"cuFuncGetParamInfo"}
	if _, at := m.dev.lib.address(info...); at == 0 {
		return nil, false, nil
	}
	out, text := new(uintptr), append([]byte(name), 0)
	if err := m.dev.do(ModuleFunction, uintptr(unsafe.Pointer(out)), m.handle, uintptr(unsafe.Pointer(&text[0]))); err != nil {
		return nil, false, errs.F("kernel %s: %w", name, err)
	}
	for i := uintptr(0); ; i++ {
		offset, size := new(uintptr), new(uintptr)
		err := m.dev.Named(info, *out, i, uintptr(unsafe.Pointer(offset)), uintptr(unsafe.Pointer(size)))
		var e *driver.Error
		if errors.As(err, &e) && e.Code == invalidValue { // there are no more
			return params, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		params = append(params, [2]int{int(*offset), int(*size)})
	}
}

// Global implements driver.Module.
func (m *module) Global(name string) (driver.Ptr, int, error) {
	out, size, text := new(uintptr), new(uintptr), append([]byte(name), 0)
	err := m.dev.do(ModuleGlobal, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(size)),
		m.handle, uintptr(unsafe.Pointer(&text[0])))
	return pointer(*out), int(*size), err
}

// Close implements driver.Module.
func (m *module) Close() error { return m.dev.do(ModuleUnload, m.handle) }
