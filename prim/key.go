package prim

import (
	"reflect"
	"unsafe"

	"heddle/vector"
)

// Key is the types that a radix sort sorts without a func: numbers, and those of 16 bits.
type Key interface {
	Number | vector.Half | vector.BFloat16
}

// KeyBits is v as an unsigned number in the same order, in as many low bits as v has. Floats are in the order
// that IEEE 754 calls totalOrder: negative NaNs, -Inf, ... -0, +0, ... +Inf, positive NaNs. Kernels and [SortFunc]'s funcs may call it:
//
//	func(p Person) uint64 { return prim.KeyBits(p.Age)<<32 | prim.KeyBits(p.Height) }
func KeyBits[K Number](v K) uint64 {
	one := K(1)
	switch {
	case one/2 != 0:
		return floatBits[K, uint64](v)
	case one-2 < 0:
		return signedBits[K, uint64](v)
	}
	return unsignedBits[K, uint64](v)
}

// unsignedBits is a key's bits.
func unsignedBits[K any, U uint32 | uint64](v K) U {
	switch unsafe.Sizeof(v) {
	case 1:
		return U(*(*uint8)(unsafe.Pointer(&v)))
	case 2:
		return U(*(*uint16)(unsafe.Pointer(&v)))
	case 4:
		return U(*(*uint32)(unsafe.Pointer(&v)))
	}
	return U(*(*uint64)(unsafe.Pointer(&v)))
}

// signOf is the sign bit of a key.
func signOf[K any, U uint32 | uint64]() U { return U(1) << (8*unsafe.Sizeof(*new(K)) - 1) }

// signedBits is the bits of a key of two's complement, in order.
func signedBits[K any, U uint32 | uint64](v K) U {
	return unsignedBits[K, U](v) ^ signOf[K, U]()
}

// floatBits is the bits of a float, in order.
func floatBits[K any, U uint32 | uint64](v K) U {
	u := unsignedBits[K, U](v)
	if u&signOf[K, U]() != 0 {
		return u ^ (signOf[K, U]()<<1 - 1)
	}
	return u ^ signOf[K, U]()
}

// keyFunc is the func that gives a key's bits in order.
func keyFunc[K Key, U uint32 | uint64]() func(v K) U {
	switch reflect.TypeFor[K]().Kind() {
	case reflect.Float32, reflect.Float64, reflect.Struct: // of 16 bits
		return floatBits[K, U]
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return signedBits[K, U]
	}
	return unsignedBits[K, U]
}
