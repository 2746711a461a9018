package dsl

// AtomicInteger is the integer types that atomics work on.
type AtomicInteger interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// AtomicNumber is the types that atomics work on.
type AtomicNumber interface {
	AtomicInteger | ~float32 | ~float64
}
