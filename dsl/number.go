package dsl

// Number is all of Go's integer and float types.
type Number interface {
	AnyInteger | ~float32 | ~float64
}

// AnyInteger is all of Go's integer types but uintptr.
type AnyInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}
