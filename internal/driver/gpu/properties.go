package gpu

import (
	"runtime"
	"strconv"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// An Attribute says by which number a vendor's library tells a property.
type Attribute struct {
	Property driver.Property
	Number   int
}

// Queries are the vendor's part of what is asked of its devices.
type Queries struct {
	Attributes []Attribute
	// LimitGet and LimitSet are the functions for a device's limits.
	LimitGet, LimitSet string
	// Complete adds what is not an attribute.
	Complete func(l *Lib, dev int, p *driver.Properties) error
}

func (l *Lib) properties(dev int) (*driver.Properties, error) {
	q := &l.spec.Queries
	p := &driver.Properties{PCI: true}
	for _, a := range q.Attributes {
		p.Values[a.Property] = l.Attribute(a.Number, dev)
	}
	return p, q.Complete(l, dev, p)
}

// Properties implements driver.Describer.
func (d *Device) Properties() (*driver.Properties, error) { return d.lib.properties(int(d.handle)) }

// PropertiesOf tells the properties of a device that Probe found, which need not be open.
func (v *Vendor) PropertiesOf(id string) (*driver.Properties, error) {
	n, err := strconv.Atoi(id)
	if err != nil {
		return nil, errs.F("%s:%s: the device number is %q, want 0, 1 and so on", v.spec.Vendor, id, id)
	}
	l, err := v.load()
	if err != nil {
		return nil, err
	}
	dev, err := l.number(DeviceGet, uintptr(n), 0)
	if err != nil {
		return nil, err
	}
	return l.properties(dev)
}

// UUID asks a function of the library that stores 16 bytes for them; without one they stay 0.
func (l *Lib) UUID(symbol string, dev int) (id [16]byte) {
	if f := l.Symbol(symbol); f != 0 {
		out := new([16]byte)
		if r, _, _ := purego.SyscallN(f, uintptr(unsafe.Pointer(out)), uintptr(dev)); int32(r) == codeOK {
			id = *out
		}
	}
	return id
}

// Locked implements driver.Current.
func (d *Device) Locked(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r, _, _ := purego.SyscallN(d.lib.addr[SetCurrent], d.current...); int32(r) != codeOK {
		return d.lib.failure(d.spec.Symbols[SetCurrent], int(int32(r)))
	}
	return f()
}

// Handle implements driver.Current: CUDA's device, HIP's number of it.
func (d *Device) Handle() uintptr { return d.handle }

// Context implements driver.Current.
func (d *Device) Context() uintptr {
	if d.spec.Symbols[PrimaryRetain] == "" {
		return 0
	}
	return d.current[0]
}

// Handle implements driver.Handled: 0 is the default stream.
func (s *Stream) Handle() uintptr { return s.handle }

// Handle implements driver.Handled.
func (e *Event) Handle() uintptr { return e.handle }

// Limit implements driver.Limited.
func (d *Device) Limit(number int) (int, error) {
	out := new(uintptr)
	err := d.named(d.spec.Queries.LimitGet, uintptr(unsafe.Pointer(out)), uintptr(number))
	return int(*out), err
}

// SetLimit implements driver.Limited.
func (d *Device) SetLimit(number, value int) error {
	return d.named(d.spec.Queries.LimitSet, uintptr(number), uintptr(value))
}

// More function attributes: CU_FUNC_ATTRIBUTE_*, HIP_FUNC_ATTRIBUTE_*.
const (
	funcConstant = 2
	funcPTX      = 5
	funcBinary   = 6
	funcCacheAll = 7
	funcCarveout = 9
)

// Attributes implements driver.Measured.
func (f *Function) Attributes() (*driver.FunctionAttributes, error) {
	a := &driver.FunctionAttributes{Res: f.obj.Res}
	cache := 0
	for _, q := range []struct {
		number uintptr
		to     *int
	}{
		{funcConstant, &a.Constant}, {funcPTX, &a.PTX}, {funcBinary, &a.Binary}, {funcCacheAll, &cache}, {funcCarveout, &a.Carveout},
	} {
		n := new(int32)
		if err := f.dev.do(FunctionGet, uintptr(unsafe.Pointer(n)), q.number, f.handle); err != nil {
			return nil, err
		}
		*q.to = int(*n)
	}
	a.CacheAll = cache != 0
	return a, nil
}

// Occupancy implements driver.Measured
// (cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor).
func (f *Function) Occupancy(threads, shared int) (int, error) {
	if f.dev.lib.addr[Occupancy] == 0 {
		return 0, errs.F("%s: %s lacks %s; install a newer driver", f.dev.info.Name, f.dev.lib.Path, f.dev.spec.Symbols[Occupancy])
	}
	if shared > f.dynamicMax {
		if err := f.allowShared(); err != nil {
			return 0, err
		}
	}
	n := new(int32)
	err := f.dev.do(Occupancy, uintptr(unsafe.Pointer(n)), f.handle, uintptr(threads), uintptr(shared))
	return int(*n), err
}

// PreferShared implements driver.Measured (CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).
// HIP has it for functions of a program's own only, and AMD's shared memory is memory of its
// own: there is nothing to divide.
func (f *Function) PreferShared(percent int) error {
	if f.dev.spec.Symbols[FunctionSet] == "" {
		return nil
	}
	return f.dev.do(FunctionSet, f.handle, funcCarveout, uintptr(percent))
}

// Native is the library's handle of the function, for tests against the library.
func (f *Function) Native() uintptr { return f.handle }
