package cpu

import (
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/host"
	"heddle/internal/errs"
	"heddle/internal/native"
)

// function implements driver.Function.
type function struct {
	host.Panic
	engine *engine
	object *abi.Object
	image  *native.Image
	entry  uintptr // of abi.NativeRun
	info   abi.NativeInfoData
	prints abi.PrintSink

	// users counts the launches under way, and one until Close.
	users  atomic.Int64
	closed atomic.Bool
	cost   atomic.Uint64 // nanoseconds that a block took in the last launch, 0: not known
}

// maxLanes and maxStack bound what an object may ask for: the threads of a block
// and more private memory than is sane.
const (
	maxLanes = 1024
	maxStack = 1 << 30
)

// Load implements host.Engine.
func (e *engine) Load(o *abi.Object) (driver.Function, error) {
	if o.Kind != abi.Native {
		return nil, errs.F("%s: kernel %s is %s code, want %s", e.name, o.Name, o.Kind, abi.Native)
	}
	image, err := native.Load(o.Code)
	if err != nil {
		return nil, errs.F("%s: loading kernel %s (%s): %w", e.name, o.Name, o.Arch, err)
	}
	own := *o // a copy: Res is completed below
	f := &function{engine: e, object: &own, image: image}
	f.users.Store(1)
	if err := f.bind(); err != nil {
		return nil, errs.Join(errs.F("%s: kernel %s: %w", e.name, o.Name, err), image.Close())
	}
	return f, nil
}

// bind finds the entry and reads what the object says of itself.
func (f *function) bind() error {
	if !f.image.Code(abi.NativeRun) {
		return errs.F("the object has no code %s", abi.NativeRun)
	}
	f.entry, _ = f.image.Symbol(abi.NativeRun)
	if !f.image.Read(abi.NativeInfo, bytesOf(&f.info)) {
		return errs.F("the object has no %s of %d bytes", abi.NativeInfo, unsafe.Sizeof(f.info))
	}
	i := &f.info
	if i.Lanes == 0 || i.Lanes > maxLanes || i.Lanes&(i.Lanes-1) != 0 || i.Stack > maxStack {
		return errs.F("%s makes no sense: %+v", abi.NativeInfo, *i)
	}
	if i.Shared > uint64(f.engine.sharedMax) {
		return errs.F("%d bytes of static shared memory, a block can have %d", i.Shared, f.engine.sharedMax)
	}
	r := &f.object.Res
	r.LDS = max(r.LDS, int(i.Shared))
	if r.CodeBytes == 0 {
		r.CodeBytes = len(f.object.Code)
	}
	return nil
}

// bytesOf is the memory of v.
func bytesOf[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// Resident implements driver.Function.
func (f *function) Resident(*driver.Config) (int, error) { return resident, nil }

// Object implements driver.Function.
func (f *function) Object() *abi.Object { return f.object }

// SetPrints implements driver.Function.
func (f *function) SetPrints(p abi.PrintSink) error {
	f.prints = p
	return nil
}

// SetSymbols implements driver.Function.
func (f *function) SetSymbols(at []driver.Ptr) error {
	if !f.image.Write(abi.SymbolsSymbol, unsafe.Slice((*byte)(unsafe.Pointer(&at[0])), len(at)*int(unsafe.Sizeof(at[0])))) {
		return errs.F("the object has no %s of %d addresses", abi.SymbolsSymbol, len(at))
	}
	return nil
}

// Bank implements driver.Function: there is none.
func (f *function) Bank() (driver.Ptr, error) {
	return nil, errs.F("the processor has no bank of constants")
}

// Close implements driver.Function. The code goes once no launch uses it.
func (f *function) Close() error {
	if f.closed.Swap(true) {
		return nil
	}
	return f.release()
}

// acquire begins a use of the code; where it returns true, release must follow.
func (f *function) acquire() bool {
	for {
		n := f.users.Load()
		if n == 0 || f.closed.Load() {
			return false
		}
		if f.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (f *function) release() error {
	if f.users.Add(-1) == 0 {
		return f.image.Close()
	}
	return nil
}
