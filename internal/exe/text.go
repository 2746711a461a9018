package exe

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// This file recovers the run-time type of a closure object from the machine
// code that allocates it. The compiler emits, with registers that vary,
//
//	LEAQ type:struct{F uintptr; X0 ...}(SB), AX
//	CALL runtime.newobject(SB)
//	LEAQ outer.func1(SB), CX
//	MOVQ CX, 0(AX)
//
// so the code holds the layout whatever was stripped from the binary. An index
// of all places that take a function's address is made once per process.

// TextRange is the range of addresses of the binary's Go functions.
var TextRange = sync.OnceValues(func() (lo, hi uintptr) {
	lo = reflect.ValueOf(canaryFunc).Pointer()
	hi = lo
	for step := uintptr(1) << 30; step > 0; step >>= 1 {
		if hi+step > hi && runtime.FuncForPC(hi+step) != nil {
			hi += step
		}
		if lo > step && runtime.FuncForPC(lo-step) != nil {
			lo -= step
		}
	}
	return lo, hi
})

// codeAt is the machine code from p up to, not including, end.
func codeAt(p, end uintptr) []byte {
	return unsafe.Slice((*byte)(pointer(p)), end-p)
}

// pointer turns an address of the binary's own image into a pointer. The image
// never moves, so the conversion is sound though vet cannot know it.
func pointer(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// funcRef is an instruction that takes the address of a function: where in the
// code the function begins, shifted by refShift, and where the instruction is. The
// code takes less than 1<<31 bytes, see TextRange. Being a number it is sorted
// quickly, and by a function that programs have anyway.
type funcRef int

const refShift = 32

// textRefs are all references to code, sorted by target.
var textRefs = lazy.Value[[]funcRef]{Make: func() []funcRef {
	lo, hi := TextRange()
	var refs []funcRef
	ScanAddresses(lo, hi, func(target, at uintptr) {
		if target >= lo && target < hi {
			refs = append(refs, funcRef(target-lo)<<refShift|funcRef(at-lo))
		}
	})
	slices.Sort(refs)
	return refs
}}

// target is the function's address, in code from lo.
func (r funcRef) target(lo uintptr) uintptr { return lo + uintptr(r>>refShift) }

// at is the instruction's address.
func (r funcRef) at(lo uintptr) uintptr { return lo + uintptr(r&(1<<refShift-1)) }

var closureTypeCache sync.Map // code entry -> closureTypesResult

type closureTypesResult struct {
	types []reflect.Type
	err   error
}

// ClosureTypes lists the distinct struct types that closures with code entry pc
// are allocated as. Function literals that capture nothing are not allocated:
// for them it returns an error.
func ClosureTypes(pc uintptr) ([]reflect.Type, error) {
	if r, ok := closureTypeCache.Load(pc); ok {
		return r.(closureTypesResult).types, r.(closureTypesResult).err
	}
	var r closureTypesResult
	r.types, r.err = findClosureTypes(pc)
	closureTypeCache.Store(pc, r)
	return r.types, r.err
}

func findClosureTypes(pc uintptr) (ts []reflect.Type, err error) {
	// A stray constant may look like an address: a fault while following one
	// must not take the program down.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if e := recover(); e != nil {
			ts, err = nil, errs.F("reading the code that allocates the closure: %v", e)
		}
	}()
	refs := textRefs.Get()
	lo, _ := TextRange()
	first := sort.Search(len(refs), func(i int) bool { return refs[i].target(lo) >= pc })
	n := 0
	// Instrumented builds (-race, -asan) call between the allocation and the
	// use of the code address: look for the plain form first.
	for _, strict := range []bool{true, false} {
		for _, r := range refs[first:] {
			if r.target(lo) != pc {
				break
			}
			n++
			f := runtime.FuncForPC(r.at(lo))
			if f == nil {
				continue
			}
			if p := allocatedType(f.Entry(), r.at(lo), strict); p != 0 {
				if t := rtypeAt(p); isClosureStruct(t) && !slices.Contains(ts, t) {
					ts = append(ts, t)
				}
			}
		}
		if len(ts) > 0 {
			return ts, nil
		}
	}
	return nil, errs.F("of %d places that take its address none allocates a closure", n)
}

// isClosureStruct reports whether t has the shape of struct{F uintptr; X0 ...}
// or of a bound method value's struct{F uintptr; R T}.
func isClosureStruct(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Struct && t.NumField() >= 2 &&
		t.Field(0).Name == "F" && t.Field(0).Type.Kind() == reflect.Uintptr &&
		(t.Field(1).Name == "X0" || t.Field(1).Name == "R")
}

// rtypeAt views a type descriptor in the binary as a reflect.Type.
func rtypeAt(p uintptr) reflect.Type {
	var i any
	(*eface)(unsafe.Pointer(&i)).typ = pointer(p)
	return reflect.TypeOf(i)
}

// isEntry reports whether a function begins at pc.
func isEntry(pc uintptr) bool {
	f := runtime.FuncForPC(pc)
	return f != nil && f.Entry() == pc
}

// isAllocator reports whether the function at pc allocates one object of a type.
func isAllocator(pc uintptr) bool {
	f := runtime.FuncForPC(pc)
	return isEntry(pc) && (f.Name() == "runtime.newobject" || strings.HasPrefix(f.Name(), "runtime.mallocgc"))
}
