package sim

import (
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"heddle/internal/lazy"
)

// reflect.Value.Call takes some 150 ns, many times what a simple kernel does in
// one thread. This file calls a function of any type whose arguments all travel
// in registers, with arguments that were put in order once for a whole launch.
//
// Go's calling convention gives each integer or pointer word of the arguments
// the next integer register, and each float the next float register; the two
// sequences do not affect each other, and a callee does not care what is in the
// registers it has no use for. So the way to call a function that takes as many
// words of both kinds as there are registers serves all those functions.

// The registers that both amd64 and arm64 have for arguments.
const (
	intRegs   = 9
	floatRegs = 15
)

// registers holds the arguments of a call.
type registers struct {
	i      [intRegs]uintptr
	f      [floatRegs]float64
	ni, nf int
}

// registerFunc stands for every function whose arguments fit in registers.
type registerFunc func(i0, i1, i2, i3, i4, i5, i6, i7, i8 uintptr,
	f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14 float64)

// caller returns a function that calls fn with the arguments in.
func caller(fn reflect.Value, in []reflect.Value) func() {
	if registersWork.Get() {
		if call := inRegisters(fn, in); call != nil {
			return call
		}
	}
	return func() { fn.Call(in) }
}

// inRegisters returns a function that calls fn with the arguments in, or nil if
// they do not fit in registers. The arguments stay reachable through it.
func inRegisters(fn reflect.Value, in []reflect.Value) func() {
	r := new(registers)
	for i, v := range in {
		arg := reflect.New(fn.Type().In(i)) // addressable, and of the parameter's own type
		arg.Elem().Set(v)
		if !r.assign(arg.Type().Elem(), arg.UnsafePointer()) {
			return nil
		}
	}
	// A func variable is a pointer to a closure, and an interface's second word is that pointer.
	f := fn.Interface()
	closure := (*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]
	call := *(*registerFunc)(unsafe.Pointer(&closure))
	return func() {
		i, f := &r.i, &r.f
		call(i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8],
			f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], f[14])
		runtime.KeepAlive(in)
	}
}

// assign puts the value of type t at p into the next registers, and reports
// whether it can travel in registers and there were enough.
func (r *registers) assign(t reflect.Type, p unsafe.Pointer) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return r.addInt(uintptr(*(*uint8)(p)))
	case reflect.Int16, reflect.Uint16:
		return r.addInt(uintptr(*(*uint16)(p)))
	case reflect.Int32, reflect.Uint32:
		return r.addInt(uintptr(*(*uint32)(p)))
	case reflect.Float32:
		return r.addFloat(uint64(*(*uint32)(p)))
	case reflect.Float64:
		return r.addFloat(*(*uint64)(p))
	case reflect.Complex64:
		c := *(*[2]uint32)(p)
		return r.addFloat(uint64(c[0])) && r.addFloat(uint64(c[1]))
	case reflect.Complex128:
		c := *(*[2]uint64)(p)
		return r.addFloat(c[0]) && r.addFloat(c[1])
	case reflect.Array:
		return t.Len() == 0 || t.Len() == 1 && r.assign(t.Elem(), p)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !r.assign(f.Type, unsafe.Add(p, f.Offset)) {
				return false
			}
		}
		return true
	}
	// Integers of 64 bits, pointers, slices, strings and the like: words.
	for at := uintptr(0); at < t.Size(); at += unsafe.Sizeof(at) {
		if !r.addInt(*(*uintptr)(unsafe.Add(p, at))) {
			return false
		}
	}
	return true
}

func (r *registers) addInt(w uintptr) bool {
	if r.ni == intRegs {
		return false
	}
	r.i[r.ni] = w
	r.ni++
	return true
}

// addFloat adds the bits of a float64, or of a float32 below zeros.
func (r *registers) addFloat(bits uint64) bool {
	if r.nf == floatRegs {
		return false
	}
	r.f[r.nf] = math.Float64frombits(bits)
	r.nf++
	return true
}

// registersWork tells whether the calling convention is as described: it is not
// on architectures with fewer registers, and a future Go may change it. The
// probe's callee only copies numbers, so wrong ones do no harm.
var registersWork = lazy.Value[bool]{Make: func() bool {
	return (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && probe()
}}

func probe() bool {
	type inner struct {
		x float32
		n uintptr
	}
	type outer struct {
		d float64
		_ struct{}
		i [1]inner
	}
	type result struct {
		a int8
		b float32
		o outer
		c uint64
		d int16
	}
	want := result{-3, 1.5, outer{d: math.Pi, i: [1]inner{{-2.5, 77}}}, 1 << 63, -12345}
	var got result
	fn := reflect.ValueOf(func(a int8, b float32, o outer, c uint64, d int16) { got = result{a, b, o, c, d} })
	v := reflect.ValueOf
	call := inRegisters(fn, []reflect.Value{v(want.a), v(want.b), v(want.o), v(want.c), v(want.d)})
	call()
	return got == want
}
