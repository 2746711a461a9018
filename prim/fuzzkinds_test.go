package prim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"heddle/prim"
)

// A kind is a type of elements, and what random calls need of it.
type kind[T comparable] struct {
	name  string
	value func(r *rand.Rand, mode int) T // any value; mode is how many there are
	small func(r *rand.Rand) T           // one whose sums are exact
	add   func(a, b T) T                 // exact for small ones
	bits  func(v T) uint64               // its place in an order; different for different values, but of wide structs
	plain func(v T) uint64               // as bits, with one NaN for all
}

// moreCalls are those of types whose code takes long to compile: see fuzzmore_test.go.
var moreCalls func() []call

func allCalls() (all []call) {
	all = append(all, numberCalls[uint8]("uint8")...)
	all = append(all, numberCalls[uint64]("uint64")...)
	all = append(all, numberCalls[float32]("float32")...)
	all = append(all, anyCalls(oddKind)...)
	if moreCalls != nil {
		all = append(all, moreCalls()...)
	}
	return all
}

func numberCalls[T prim.Number](name string) []call {
	k := kind[T]{name: name, value: anyNumber[T], small: func(r *rand.Rand) T { return T(r.IntN(8)) }, add: prim.Add[T],
		bits: prim.KeyBits[T], plain: plainBits[T]}
	return slices.Concat(anyCalls(k), keyCalls(k))
}

// plainBits is a number's bits, with one NaN for all.
func plainBits[T prim.Number](v T) uint64 {
	if v != v {
		return ^uint64(0)
	}
	return prim.KeyBits(v)
}

// anyNumber is a number of few values, of any bits, or a special one.
func anyNumber[T prim.Number](r *rand.Rand, mode int) T {
	u := r.Uint64()
	v := *(*T)(unsafe.Pointer(&u))
	switch mode % 4 {
	case 0:
		return v
	case 1:
		return T(u % 3)
	case 2:
		return T(u % 100)
	}
	half := T(1)
	if half/2 == 0 { // integers: the ends
		sign := uint64(1) << (8*unsafe.Sizeof(v) - 1)
		ends := []uint64{0, 1, sign, sign - 1, ^uint64(0)}
		return *(*T)(unsafe.Pointer(&ends[u%5]))
	}
	f := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 5e-324}[u%8]
	return T(f)
}

// An oddOne has 12 bytes, and parts of several sizes.
type oddOne struct {
	A uint8
	B int16
	C float32
	D uint16
}

var oddKind = kind[oddOne]{
	name: "struct12",
	value: func(r *rand.Rand, mode int) oddOne {
		return oddOne{uint8(anyNumber[uint8](r, mode)), anyNumber[int16](r, mode%3), float32(r.IntN(3)), anyNumber[uint16](r, mode)}
	},
	small: func(r *rand.Rand) oddOne { return oddOne{uint8(r.IntN(3)), int16(r.IntN(9)), float32(r.IntN(4)), 1} },
	add:   func(a, b oddOne) oddOne { return oddOne{a.A + b.A, a.B + b.B, a.C + b.C, a.D + b.D} },
	bits:  oddBits,
	plain: oddBits,
}

func oddBits(v oddOne) uint64 {
	return uint64(v.A)<<56 | uint64(uint16(v.B))<<40 | uint64(uint8(v.C))<<32 | uint64(v.D)
}

// A wideOne has 24 bytes: the most that a scan by key exchanges.
type wideOne struct {
	A uint64
	B [2]int32
	C float64
}

var wideKind = kind[wideOne]{
	name: "struct24",
	value: func(r *rand.Rand, mode int) wideOne {
		return wideOne{uint64(anyNumber[uint16](r, mode)), [2]int32{int32(r.IntN(4)), 5}, float64(r.IntN(2))}
	},
	small: func(r *rand.Rand) wideOne {
		return wideOne{uint64(r.IntN(9)), [2]int32{int32(r.IntN(9)), -1}, float64(r.IntN(5))}
	},
	add: func(a, b wideOne) wideOne {
		return wideOne{a.A + b.A, [2]int32{a.B[0] + b.B[0], a.B[1] + b.B[1]}, a.C + b.C}
	},
	bits:  wideBits,
	plain: wideBits,
}

func wideBits(v wideOne) uint64 {
	return v.A<<40 ^ uint64(uint32(v.B[0]))<<20 ^ uint64(uint32(v.B[1])) ^ uint64(v.C)<<32
}

// values are n of them, in a random mode, and sometimes in order.
func values[T comparable](f *fuzz, k kind[T], n int) []T {
	mode := f.r.IntN(8)
	v := make([]T, n)
	for i := range v {
		v[i] = k.value(f.r, mode)
	}
	if f.r.IntN(4) == 0 {
		ascend(v, k.bits)
	}
	return v
}

// smalls are n small ones.
func smalls[T comparable](f *fuzz, k kind[T], n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = k.small(f.r)
	}
	return v
}

func ascend[T any](v []T, bits func(v T) uint64) { sortBy(v, bits, false) }

// sortBy sorts in the order of bits, and is stable.
func sortBy[T any](v []T, bits func(v T) uint64, descending bool) {
	slices.SortStableFunc(v, func(a, b T) int {
		if descending {
			a, b = b, a
		}
		switch x, y := bits(a), bits(b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

func intBits(v int) uint64 { return uint64(v) }

// size is the bytes of a value.
func (k kind[T]) size() int { return int(unsafe.Sizeof(*new(T))) }
