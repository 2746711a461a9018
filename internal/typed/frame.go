package typed

import (
	"reflect"
	"unsafe"

	"heddle/internal/lazy"
)

// Words are where the arguments of a call are: the registers, and the stack.
type Words struct {
	Regs  *Regs
	Stack unsafe.Pointer
}

// A Head begins what a func value points to: the memory of a larger struct. It is made by
// [Init] and is not copied.
type Head struct {
	code uintptr
	// Call is called by each call of the func value, with the address of the Head.
	Call func(h *Head, regs *Regs, stack unsafe.Pointer)
}

// Init makes h the beginning of a func value.
func (h *Head) Init(call func(h *Head, regs *Regs, stack unsafe.Pointer)) {
	h.code, h.Call = code, call
}

// A piece is a part of an argument: one register, or bytes of the stack.
type piece struct {
	place    int // of a register its index, behind the integers the floats; of the stack an offset
	stack    bool
	to, size int // in the block
}

// A Frame says where the arguments of a func type are. It takes them to a block that is laid
// out as a struct of them: as package abi's Signature has it.
type Frame struct {
	pieces []piece
	size   int
}

// NewFrame is the frame of a func type, nil if it has none: a parameter is a string or an
// interface, say.
func NewFrame(t reflect.Type) *Frame {
	a := assigner{f: new(Frame)}
	for i := range t.NumIn() {
		p := t.In(i)
		if p.Size() == 0 {
			a.stack = align(a.stack, p.Align())
			continue
		}
		to := align(a.f.size, p.Align())
		ints, floats, n := a.ints, a.floats, len(a.f.pieces)
		if !a.assign(p, to) {
			a.ints, a.floats, a.f.pieces = ints, floats, a.f.pieces[:n]
			a.stack = align(a.stack, p.Align())
			a.f.pieces = append(a.f.pieces, piece{a.stack, true, to, int(p.Size())})
			a.stack += int(p.Size())
		}
		a.f.size = to + int(p.Size())
	}
	if a.foreign {
		return nil
	}
	return a.f
}

func align(n, a int) int { return (n + a - 1) / a * a }

// An assigner gives each argument its registers, as Go's calling convention does.
type assigner struct {
	f                   *Frame
	ints, floats, stack int
	foreign             bool // a part is of a type that no kernel has
}

// assign gives the parts of a type their registers, and reports whether there were enough.
func (a *assigner) assign(t reflect.Type, to int) bool {
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		return a.float(to, int(t.Size()))
	case reflect.Complex64, reflect.Complex128:
		half := int(t.Size()) / 2
		return a.float(to, half) && a.float(to+half, half)
	case reflect.Array:
		return t.Len() == 0 || t.Len() == 1 && a.assign(t.Elem(), to)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !a.assign(f.Type, to+int(f.Offset)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		const word = int(unsafe.Sizeof(uintptr(0)))
		return a.int(to, word) && a.int(to+word, word) && a.int(to+2*word, word)
	case reflect.String, reflect.Interface, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		a.foreign = true
		return false
	}
	return a.int(to, int(t.Size()))
}

func (a *assigner) int(to, size int) bool {
	if a.ints == intRegs {
		return false
	}
	a.f.pieces = append(a.f.pieces, piece{a.ints, false, to, size})
	a.ints++
	return true
}

func (a *assigner) float(to, size int) bool {
	if a.floats == floatRegs {
		return false
	}
	a.f.pieces = append(a.f.pieces, piece{intRegs + a.floats, false, to, size})
	a.floats++
	return true
}

// Copy copies the arguments of a call to the beginning of block.
func (f *Frame) Copy(block []byte, w Words) {
	if f.size == 0 {
		return
	}
	at := unsafe.Pointer(&block[:f.size][0])
	for i := range f.pieces {
		p := &f.pieces[i]
		to := unsafe.Add(at, p.to)
		if p.stack {
			copy(unsafe.Slice((*byte)(to), p.size), unsafe.Slice((*byte)(unsafe.Add(w.Stack, p.place)), p.size))
			continue
		}
		switch v := w.Regs[p.place]; p.size {
		case 8:
			*(*uint64)(to) = v
		case 4:
			*(*uint32)(to) = uint32(v)
		case 2:
			*(*uint16)(to) = uint16(v)
		default:
			*(*uint8)(to) = uint8(v)
		}
	}
}

// Works tells whether func values can be made in this way here.
func Works() bool { return works.Get() }

var works = lazy.Value[bool]{Make: func() bool { return code != 0 && probe() }}

type (
	inner struct {
		x float32
		n uintptr
	}
	outer struct {
		d float64
		_ struct{}
		i [1]inner
	}
	probed func(a int8, b float32, o outer, c uint64, d int16, e, f []int64, g [2]int32, h uint8, i complex64)
)

// The arguments of the probe, as a block has them.
type probeBlock struct {
	a    int8
	b    float32
	o    outer
	c    uint64
	d    int16
	e, f []int64
	g    [2]int32
	h    uint8
	i    complex64
}

// A prober is a func value that keeps the arguments of its call.
type prober struct {
	Head
	frame *Frame
	got   [unsafe.Sizeof(probeBlock{})]byte
}

// probe makes a call with arguments in registers and on the stack, and compares.
func probe() bool {
	p := &prober{frame: NewFrame(reflect.TypeFor[probed]())}
	p.Init(func(h *Head, regs *Regs, stack unsafe.Pointer) {
		p := (*prober)(unsafe.Pointer(h))
		p.frame.Copy(p.got[:], Words{regs, stack})
	})
	some := make([]int64, 3)
	want := probeBlock{-3, 1.5, outer{d: 3.25, i: [1]inner{{-2.5, 77}}}, 1 << 63, -12345, some, some[1:2], [2]int32{7, -8}, 200, complex(1, -2)}
	f := (*(*probed)(unsafe.Pointer(&p)))
	f(want.a, want.b, want.o, want.c, want.d, want.e, want.f, want.g, want.h, want.i)
	got := (*probeBlock)(unsafe.Pointer(&p.got))
	same := func(a, b []int64) bool {
		return len(a) == len(b) && cap(a) == cap(b) && uintptr(unsafe.Pointer(unsafe.SliceData(a))) == uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	}
	return got.a == want.a && got.b == want.b && got.o == want.o && got.c == want.c && got.d == want.d && got.g == want.g &&
		got.h == want.h && got.i == want.i && same(got.e, want.e) && same(got.f, want.f)
}
