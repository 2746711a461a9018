package launch

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/abi"
	"heddle/internal/errs"
	"heddle/internal/symbol"
)

// This file is the host's side of device variables: dsl.Global, dsl.Constant, dsl.Managed.

// CopyToSymbol copies *src to d's instance of a device variable (hipMemcpyToSymbol). It waits
// for all work of the device, whose kernels may use the variable, and returns its errors instead of
// copying.
func CopyToSymbol[T any](d *Device, v dsl.Symbol[T], src *T) error {
	b, err := symbolBuffer[T](d, "CopyToSymbol", v, 1)
	err = errs.Join(err, notNil("CopyToSymbol", src))
	if err != nil {
		return err
	}
	if err := b.Upload(unsafe.Slice(src, 1)); err != nil {
		return err
	}
	return d.symbols.spread(d, b.header.own.b)
}

// CopyFromSymbol copies d's instance of a device variable to *dst (hipMemcpyFromSymbol). It
// waits for all work of the device; if that failed, it copies nothing and returns the error.
func CopyFromSymbol[T any](d *Device, dst *T, v dsl.Symbol[T]) error {
	b, err := symbolBuffer[T](d, "CopyFromSymbol", v, 1)
	err = errs.Join(err, notNil("CopyFromSymbol", dst))
	if err != nil {
		return err
	}
	return b.Download(unsafe.Slice(dst, 1))
}

// CopyToSymbolAsync queues on s a copy of *src to the device's instance of a variable, and may
// return before it is done: *src must not change until s has been waited for
// (hipMemcpyToSymbolAsync). After that, or after [SymbolBuffer], a launch of a kernel that has a
// copy of a [dsl.Constant] in an NVIDIA GPU's bank of constants begins with a copy on the device;
// [CopyToSymbol] costs later launches nothing.
func CopyToSymbolAsync[T any](s *Stream, v dsl.Symbol[T], src *T) error {
	b, err := streamSymbol[T](s, "CopyToSymbolAsync", v)
	err = errs.Join(err, notNil("CopyToSymbolAsync", src))
	if err != nil {
		return err
	}
	b.header.own.b.copies.loose.Store(true)
	return b.UploadAsync(s, unsafe.Slice(src, 1))
}

// CopyFromSymbolAsync queues on s a copy of the device's instance of a variable to *dst, and
// may return before it is done: *dst must not be looked at until s has been waited for
// (hipMemcpyFromSymbolAsync).
func CopyFromSymbolAsync[T any](s *Stream, dst *T, v dsl.Symbol[T]) error {
	b, err := streamSymbol[T](s, "CopyFromSymbolAsync", v)
	err = errs.Join(err, notNil("CopyFromSymbolAsync", dst))
	if err != nil {
		return err
	}
	return b.DownloadAsync(s, unsafe.Slice(dst, 1))
}

// SymbolBuffer is d's instance of a device variable as a Buffer (hipGetSymbolAddress,
// hipGetSymbolSize): of one element if E is the variable's type, or of an array's elements
// if it is theirs. Closing it leaves the variable as it is.
//
//	var hits = dsl.NewGlobal([256]uint32{})
//	b, err := launch.SymbolBuffer[uint32](dev, hits) // of 256 elements
func SymbolBuffer[E, T any](d *Device, v dsl.Symbol[T]) (*Buffer[E], error) {
	e, t := reflect.TypeFor[E](), reflect.TypeFor[T]()
	switch {
	case e == t:
		return openBuffer[E](d, v, 1)
	case t.Kind() == reflect.Array && t.Elem() == e:
		return openBuffer[E](d, v, t.Len())
	}
	return nil, errs.F("launch: SymbolBuffer of %s elements of a variable of type %s", e, t)
}

// openBuffer is symbolBuffer for who may write there at any time.
func openBuffer[E any](d *Device, handle any, n int) (*Buffer[E], error) {
	b, err := symbolBuffer[E](d, "SymbolBuffer", handle, n)
	if err == nil {
		b.header.own.b.copies.loose.Store(true)
	}
	return b, err
}

func notNil[T any](call string, p *T) error {
	if p == nil {
		return errs.F("launch: %s: nil %T", call, p)
	}
	return nil
}

// streamSymbol is the buffer of a variable on the device of s.
func streamSymbol[T any](s *Stream, call string, v dsl.Symbol[T]) (*Buffer[T], error) {
	if s == nil {
		return nil, errs.F("launch: %s: nil Stream", call)
	}
	return symbolBuffer[T](s.dev, call, v, 1)
}

// symbolBuffer is the instance of a variable as n elements.
func symbolBuffer[E any](d *Device, call string, handle any, n int) (*Buffer[E], error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	v := symbol.Of(handle)
	if v == nil {
		return nil, errs.F("launch: %s of a device variable that was not made: declare it as var v = dsl.NewGlobal(initial), dsl.NewConstant or dsl.NewManaged", call)
	}
	b, err := d.symbols.instance(d, v)
	if err != nil {
		return nil, errs.F("launch: %s: %w", call, err)
	}
	return &Buffer[E]{header: header{dev: d, own: &owner{b}, ptr: b.base, len: n, cap: n, elem: typeWord(reflect.TypeFor[E]()), view: true}}, nil
}

// symbols are a device's instances of the program's device variables.
type symbols struct {
	mu  sync.Mutex
	all map[*symbol.Variable]*block
}

// instance is the device's instance of a variable.
func (all *symbols) instance(d *Device, v *symbol.Variable) (*block, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if b := all.all[v]; b != nil {
		return b, nil
	}
	if err := v.Alone(); err != nil {
		return nil, err
	}
	b := &block{elem: v.Type, len: 1, size: v.Size(), variable: v}
	if err := checkElem(v.Type); err != nil {
		return nil, err
	}
	var err error
	if v.Kind == symbol.Managed {
		b.kind, b.host = ManagedMemory, v.Value
		b.base, err = d.drv.Register(v.Value, (b.size+symbol.Page-1)/symbol.Page*symbol.Page)
	} else {
		err = b.fill(d)
	}
	if err != nil {
		return nil, errs.F("%v: %w", b, d.vendor(err))
	}
	// Kernels use it that no argument names it to.
	d.mem.mu.Lock()
	d.mem.indirect = true
	d.mem.mu.Unlock()
	d.mem.insert(b)
	if all.all == nil {
		all.all = map[*symbol.Variable]*block{}
	}
	all.all[v] = b
	return b, nil
}

// fill makes the memory of a variable's instance.
func (b *block) fill(d *Device) (err error) {
	v := b.variable
	for _, o := range pointerOffsets(v.Type, 0, nil) {
		if *(*unsafe.Pointer)(unsafe.Add(v.Value, o)) != nil {
			return errs.F("its initial value holds an address of the host%s; store the Device() of a Buffer there by launch.CopyToSymbol", fieldAt(v.Type, o))
		}
	}
	if b.base, err = d.drv.Alloc(b.size); err != nil {
		return err
	}
	if n := int(v.Type.Size()); n > 0 {
		err = d.service.CopyIn(b.base, v.Value, n)
	}
	if err = errs.Join(err, d.service.Sync()); err != nil {
		return errs.Join(err, d.drv.Free(b.base))
	}
	return nil
}

// address is instance for the simulator's kernels.
func (d *Device) address(v *symbol.Variable) (unsafe.Pointer, error) {
	b, err := d.symbols.instance(d, v)
	if err != nil {
		return nil, err
	}
	return b.base, nil
}

// bind finds the instances of the variables that a kernel names.
func (all *symbols) bind(d *Device, named []abi.Symbol) ([]unsafe.Pointer, error) {
	at := make([]unsafe.Pointer, len(named))
	for i := range named {
		n := &named[i]
		place := symbol.Place{Package: n.Package, File: n.File, Line: n.Line}
		v, err := symbol.Find(place)
		if err != nil && n.Main {
			place.Package = "main"
			v, err = symbol.Find(place)
		}
		if err == nil && (v.Kind != symbol.Kind(n.Kind) || int(v.Type.Size()) != n.Size) {
			err = fmt.Errorf("the kernel has it as dsl.%v[%s] of %d bytes, the program as dsl.%v[%v] of %d", symbol.Kind(n.Kind), n.Type, n.Size, v.Kind, v.Type, v.Type.Size())
		}
		if err != nil {
			return nil, errs.F("device variable %s: %w", n.Name, err)
		}
		b, err := all.instance(d, v)
		if err != nil {
			return nil, errs.F("device variable %s: %w", n.Name, err)
		}
		at[i] = b.base
	}
	return at, nil
}

// describe is what the block of a variable is called.
func (b *block) describe() string {
	v := b.variable
	return fmt.Sprintf("device variable dsl.%v[%s] (%v)", v.Kind, v.Type, v.Place)
}
