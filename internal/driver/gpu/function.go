package gpu

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Function is a loaded kernel. It implements driver.Function.
type Function struct {
	dev    *Device
	obj    *abi.Object // also keeps the image alive, which HIP reads until unloading
	module uintptr
	handle uintptr
	// dynamicMax is the dynamic shared memory that needs no asking for.
	dynamicMax int
	places     []int   // abi.Signature.Places
	launch     uintptr // what launches it as Overlap says, 0 for LaunchKernel
	shared     bool    // the module is another's
	slot       *slot   // nil if the kernel cannot panic
	lock       uintptr // device address of abi.LockSymbol
}

// Function attributes: CU_FUNC_ATTRIBUTE_*, HIP_FUNC_ATTRIBUTE_*.
const (
	funcMaxThreads    = 0
	funcShared        = 1
	funcLocal         = 3
	funcRegisters     = 4
	funcDynamicShared = 8
)

// Load implements driver.Device.
func (d *Device) Load(obj *abi.Object) (driver.Function, error) {
	if obj.Kind != d.spec.Kind {
		return nil, errs.F("%s: kernel %s is %s, want %s", d.info.Name, obj.Name, obj.Kind, d.spec.Kind)
	}
	code, launch := d.overlapping(obj)
	if d.spec.Bound != nil && obj.MaxThreads > 0 {
		code = d.spec.Bound(code, obj.MaxThreads)
	}
	module, err := d.spec.Load(d, code)
	if err != nil {
		return nil, errs.F("%s: loading kernel %s (%s): %w", d.info.Name, obj.Name, obj.Arch, err)
	}
	own := *obj // a copy: Res is completed below
	f := &Function{dev: d, obj: &own, module: module, places: obj.Sig.Places(), launch: launch}
	if err := f.bind(); err != nil {
		return nil, errs.Join(errs.F("%s: kernel %s: %w", d.info.Name, obj.Name, err), f.Close())
	}
	return f, nil
}

func (f *Function) bind() error {
	out := new(uintptr)
	name := append([]byte(f.obj.Kernel), 0)
	err := f.dev.do(ModuleFunction, uintptr(unsafe.Pointer(out)), f.module, uintptr(unsafe.Pointer(&name[0])))
	if err != nil {
		return errs.F("entry %s: %w", f.obj.Kernel, err)
	}
	f.handle = *out
	r := &f.obj.Res
	for _, a := range []struct {
		number uintptr
		to     *int
	}{
		{funcMaxThreads, &r.MaxThreads}, {funcShared, &r.LDS}, {funcLocal, &r.Scratch}, {funcRegisters, &r.VGPR},
	} {
		n := new(int32)
		if err := f.dev.do(FunctionGet, uintptr(unsafe.Pointer(n)), a.number, f.handle); err != nil {
			return err
		}
		if *a.to == 0 {
			*a.to = int(*n)
		}
	}
	f.dynamicMax = f.dev.info.SharedPerBlock - r.LDS
	if len(f.obj.Sites) == 0 {
		return nil
	}
	return f.arm()
}

// global returns the device address of a variable of the module of want bytes, of any number
// if that is 0.
func (f *Function) global(symbol string, want uintptr) (uintptr, error) {
	out, size, name := new(uintptr), new(uintptr), append([]byte(symbol), 0)
	err := f.dev.do(ModuleGlobal, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(size)),
		f.module, uintptr(unsafe.Pointer(&name[0])))
	if err == nil && want != 0 && *size != want {
		err = errs.F("it has %d bytes, want %d", *size, want)
	}
	if err != nil {
		return 0, errs.F("variable %s: %w", symbol, err)
	}
	return *out, nil
}

// arm gives the kernel a place to write a panic to: it stores the address of a
// slot in abi.SinkSymbol. The module starts with abi.LockSymbol 0.
func (f *Function) arm() error {
	sink, err := f.global(abi.SinkSymbol, unsafe.Sizeof(uintptr(0)))
	if err != nil {
		return err
	}
	if f.lock, err = f.global(abi.LockSymbol, 4); err != nil {
		return err
	}
	if f.slot, err = f.dev.slots.take(f.dev); err != nil {
		return err
	}
	s := f.dev.service
	address := new(uintptr)
	*address = f.slot.device
	err = s.CopyIn(pointer(sink), unsafe.Pointer(address), int(unsafe.Sizeof(*address)))
	return errs.Join(err, s.Sync())
}

// SetPrints implements driver.Function.
func (f *Function) SetPrints(p abi.PrintSink) error {
	at, err := f.global(abi.PrintSymbol, unsafe.Sizeof(p))
	if err != nil {
		return err
	}
	ring := new(uintptr)
	if err := f.dev.do(HostDeviceAddress, uintptr(unsafe.Pointer(ring)), p.Ring, 0); err != nil {
		return err
	}
	own := p
	own.Ring = *ring
	s := f.dev.service
	err = s.CopyIn(pointer(at), unsafe.Pointer(&own), int(unsafe.Sizeof(own)))
	return errs.Join(err, s.Sync())
}

// SetSymbols implements driver.Function.
func (f *Function) SetSymbols(at []driver.Ptr) error {
	n := len(at) * int(unsafe.Sizeof(at[0]))
	slots, err := f.global(abi.SymbolsSymbol, uintptr(n))
	if err != nil {
		return err
	}
	s := f.dev.service
	err = s.CopyIn(pointer(slots), unsafe.Pointer(&at[0]), n)
	return errs.Join(err, s.Sync())
}

// Bank implements driver.Function.
func (f *Function) Bank() (driver.Ptr, error) {
	at, err := f.global(abi.BankSymbol, 0)
	return pointer(at), err
}

// allowShared opts in to all the shared memory that a block may have.
func (f *Function) allowShared() error {
	most := f.dev.info.SharedPerBlockMax - f.obj.Res.LDS
	if f.dev.spec.Symbols[FunctionSet] == "" {
		return nil // HIP: the launch itself says if it is too much
	}
	return f.dev.do(FunctionSet, f.handle, funcDynamicShared, uintptr(max(most, 0)))
}

// Resident implements driver.Function
// (cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor).
func (f *Function) Resident(c *driver.Config) (int, error) {
	for _, call := range []Call{Occupancy, LaunchCooperative} {
		if f.dev.lib.addr[call] == 0 {
			return 0, errs.F("%s: %s lacks %s, which cooperative launches need; install a newer driver", f.dev.info.Name, f.dev.lib.Path, f.dev.spec.Symbols[call])
		}
	}
	if c.Shared > f.dynamicMax {
		if err := f.allowShared(); err != nil {
			return 0, err
		}
	}
	n := new(int32)
	err := f.dev.do(Occupancy, uintptr(unsafe.Pointer(n)), f.handle, uintptr(c.Block[0]*c.Block[1]*c.Block[2]), uintptr(c.Shared))
	return int(*n) * f.dev.info.ComputeUnits, err
}

// Object implements driver.Function.
func (f *Function) Object() *abi.Object { return f.obj }

// TakePanic implements driver.Function.
func (f *Function) TakePanic() *abi.PanicRecord {
	if f.slot == nil || atomic.LoadUint32(&f.slot.host.State) == 0 {
		return nil
	}
	r := *f.slot.host
	if f.obj.Kind == abi.PTX && !r.Adds() {
		return nil // another stream's launch is still at it: that stream's synchronisation finds it
	}
	// The record first, then the lock: whoever gets the lock owns the record.
	*f.slot.host = abi.PanicRecord{}
	s := f.dev.service
	if err := s.Fill(pointer(f.lock), 0, 4); err == nil {
		_ = s.Sync() // a failure here is sticky and comes back from the next call
	}
	return &r
}

// Close implements driver.Function.
func (f *Function) Close() error {
	if f.slot != nil {
		f.dev.slots.give(f.slot)
		f.slot = nil
	}
	if f.shared {
		return nil
	}
	return f.dev.do(ModuleUnload, f.module)
}

// A slot is a panic record in page-locked memory, at two addresses.
type slot struct {
	host   *abi.PanicRecord
	device uintptr
}

// slots hands out panic records from page-sized pieces of page-locked memory:
// one allocation serves many kernels, and looking at one costs a plain load.
type slots struct {
	mu    sync.Mutex
	slabs []unsafe.Pointer
	spare []*slot
}

const (
	slotSize     = int(unsafe.Sizeof(abi.PanicRecord{}))
	slotsPerSlab = 64
)

func (a *slots) take(d *Device) (*slot, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.spare) == 0 {
		if err := a.grow(d); err != nil {
			return nil, err
		}
	}
	s := a.spare[len(a.spare)-1]
	a.spare = a.spare[:len(a.spare)-1]
	*s.host = abi.PanicRecord{}
	return s, nil
}

func (a *slots) grow(d *Device) error {
	host, err := d.AllocHost(slotSize * slotsPerSlab)
	if err != nil {
		return err
	}
	device := new(uintptr)
	if err := d.do(HostDeviceAddress, uintptr(unsafe.Pointer(device)), uintptr(host), 0); err != nil {
		return errs.Join(err, d.FreeHost(host))
	}
	a.slabs = append(a.slabs, host)
	for i := range slotsPerSlab {
		a.spare = append(a.spare, &slot{
			host:   (*abi.PanicRecord)(unsafe.Add(host, i*slotSize)),
			device: *device + uintptr(i*slotSize),
		})
	}
	return nil
}

func (a *slots) give(s *slot) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spare = append(a.spare, s)
}

func (a *slots) free(d *Device) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var err error
	for _, p := range a.slabs {
		err = errs.Join(err, d.FreeHost(p))
	}
	a.slabs, a.spare = nil, nil
	return err
}
