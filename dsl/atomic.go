package dsl

import (
	"unsafe"

	"heddle/internal/simt"
)

// AtomicInteger is the integer types that atomics work on.
type AtomicInteger interface {
	~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// AtomicNumber is the types that atomics work on.
type AtomicNumber interface {
	AtomicInteger | ~float32 | ~float64
}

// AtomicAdd adds v to *p and returns the old value (HIP atomicAdd).
func AtomicAdd[T AtomicNumber](p *T, v T) T {
	t := simt.Running("AtomicAdd")
	t.Touch()
	old := *p
	*p = old + v
	t.Wrote(*p != old)
	return old
}

// AtomicSub subtracts v from *p and returns the old value (HIP atomicSub).
func AtomicSub[T AtomicNumber](p *T, v T) T {
	t := simt.Running("AtomicSub")
	t.Touch()
	old := *p
	*p = old - v
	t.Wrote(*p != old)
	return old
}

// AtomicMin stores the lesser of *p and v in *p and returns the old value (HIP
// atomicMin). A NaN gives way to a number.
func AtomicMin[T AtomicNumber](p *T, v T) T {
	t := simt.Running("AtomicMin")
	t.Touch()
	old := *p
	if v < old || old != old {
		*p = v
	}
	t.Wrote(*p != old)
	return old
}

// AtomicMax stores the greater of *p and v in *p and returns the old value (HIP
// atomicMax). A NaN gives way to a number.
func AtomicMax[T AtomicNumber](p *T, v T) T {
	t := simt.Running("AtomicMax")
	t.Touch()
	old := *p
	if v > old || old != old {
		*p = v
	}
	t.Wrote(*p != old)
	return old
}

// AtomicExch stores v in *p and returns the old value (HIP atomicExch).
func AtomicExch[T AtomicNumber](p *T, v T) T {
	t := simt.Running("AtomicExch")
	t.Touch()
	old := *p
	*p = v
	t.Wrote(*p != old)
	return old
}

// AtomicCAS stores v in *p if *p equals compare, and returns the old value
// whether it did or not (HIP atomicCAS). Floats are compared by their bits, so
// that 0 differs from -0 and a NaN equals itself.
func AtomicCAS[T AtomicNumber](p *T, compare, v T) T {
	t := simt.Running("AtomicCAS")
	t.Touch()
	old := *p
	var a, b uint64
	*(*T)(unsafe.Pointer(&a)), *(*T)(unsafe.Pointer(&b)) = old, compare
	if a == b {
		*p = v
	}
	t.Wrote(*p != old)
	return old
}

// AtomicAnd stores *p & v in *p and returns the old value (HIP atomicAnd).
func AtomicAnd[T AtomicInteger](p *T, v T) T {
	t := simt.Running("AtomicAnd")
	t.Touch()
	old := *p
	*p = old & v
	t.Wrote(*p != old)
	return old
}

// AtomicOr stores *p | v in *p and returns the old value (HIP atomicOr).
func AtomicOr[T AtomicInteger](p *T, v T) T {
	t := simt.Running("AtomicOr")
	t.Touch()
	old := *p
	*p = old | v
	t.Wrote(*p != old)
	return old
}

// AtomicXor stores *p ^ v in *p and returns the old value (HIP atomicXor).
func AtomicXor[T AtomicInteger](p *T, v T) T {
	t := simt.Running("AtomicXor")
	t.Touch()
	old := *p
	*p = old ^ v
	t.Wrote(*p != old)
	return old
}

// AtomicInc stores *p + 1 in *p, or 0 if *p is limit or more, and returns the old
// value (HIP atomicInc).
func AtomicInc[T ~uint32](p *T, limit T) T {
	t := simt.Running("AtomicInc")
	t.Touch()
	old := *p
	if old >= limit {
		*p = 0
	} else {
		*p = old + 1
	}
	t.Wrote(*p != old)
	return old
}

// AtomicDec stores *p - 1 in *p, or limit if *p is 0 or more than limit, and
// returns the old value (HIP atomicDec).
func AtomicDec[T ~uint32](p *T, limit T) T {
	t := simt.Running("AtomicDec")
	t.Touch()
	old := *p
	if old == 0 || old > limit {
		*p = limit
	} else {
		*p = old - 1
	}
	t.Wrote(*p != old)
	return old
}
