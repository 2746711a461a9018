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

// AtomicWord is the types that compare and swap works on. Those of less than 32 bits are
// swapped within the 32 bits that hold them where the device has no such instruction.
type AtomicWord interface {
	AtomicNumber | ~int8 | ~int16 | ~uint8 | ~uint16
}

// Scope is among which threads an operation of an [Atomic] is atomic and ordered: the smaller,
// the faster.
type Scope int

// The scopes, HIP's __HIP_MEMORY_SCOPE_WAVEFRONT to SYSTEM. NVIDIA's GPUs take a warp's for a
// block's.
const (
	ScopeWarp   Scope = iota // the threads of the warp
	ScopeBlock               // of the block
	ScopeDevice              // of the device
	ScopeSystem              // of all devices, and of the host
)

// Order is how an operation of an [Atomic] orders other accesses of the thread, as C++ has it.
type Order int

// The orders, C's memory_order_relaxed to memory_order_seq_cst.
const (
	Relaxed Order = iota // it orders nothing
	Acquire              // what comes after sees all that came before a Release whose value this reads
	Release              // what comes before is seen by whoever reads this value with Acquire
	AcqRel               // both
	SeqCst               // both, and all threads agree on the order of all such operations
)

// Atomic is a number that threads read and write without a data race, with an order and a
// scope for each operation (HIP's __hip_atomic functions, CUDA's cuda::atomic_ref). It lies
// in memory as a T does: in buffers, shared memory, device variables and structs. Scope and
// order are constants, or known once the kernel's type arguments are.
//
//	func Produce(data []float32, ready []dsl.Atomic[uint32]) {
//		data[0] = 1
//		ready[0].Store(1, dsl.ScopeDevice, dsl.Release)
type Atomic[T AtomicNumber] struct{ v T }

// AtomicOf is the number at p as an [Atomic] (CUDA's cuda::atomic_ref, HIP's __hip_atomic functions' pointer).
func AtomicOf[T AtomicNumber](p *T) *Atomic[T] { return (*Atomic[T])(unsafe.Pointer(p)) }

// Load returns the value (HIP __hip_atomic_load). The order is Relaxed, Acquire or SeqCst.
func (a *Atomic[T]) Load(s Scope, o Order) T {
	simt.Running("Atomic.Load").Touch()
	return a.v
}

// Store stores v (HIP __hip_atomic_store). The order is Relaxed, Release or SeqCst.
func (a *Atomic[T]) Store(v T, s Scope, o Order) {
	t := simt.Running("Atomic.Store")
	t.Touch()
	t.Wrote(bitsOf(a.v) != bitsOf(v))
	a.v = v
}

// Exchange stores v and returns the old value (HIP __hip_atomic_exchange).
func (a *Atomic[T]) Exchange(v T, s Scope, o Order) T { return AtomicExch(&a.v, v) }

// CompareExchange stores v if the value is compare, by its bits, and returns the old value and
// whether it did (HIP __hip_atomic_compare_exchange_strong). Where it does not, a Release is none.
func (a *Atomic[T]) CompareExchange(compare, v T, s Scope, o Order) (old T, swapped bool) {
	old = AtomicCAS(&a.v, compare, v)
	return old, bitsOf(old) == bitsOf(compare)
}

// Add adds v and returns the old value (HIP __hip_atomic_fetch_add).
func (a *Atomic[T]) Add(v T, s Scope, o Order) T { return AtomicAdd(&a.v, v) }

// Sub subtracts v and returns the old value (HIP __hip_atomic_fetch_add of -v).
func (a *Atomic[T]) Sub(v T, s Scope, o Order) T { return AtomicSub(&a.v, v) }

// Min stores the lesser of the value and v, as [AtomicMin] does, and returns the old value (HIP
// __hip_atomic_fetch_min).
func (a *Atomic[T]) Min(v T, s Scope, o Order) T { return AtomicMin(&a.v, v) }

// Max stores the greater of the value and v, as [AtomicMax] does, and returns the old value (HIP
// __hip_atomic_fetch_max).
func (a *Atomic[T]) Max(v T, s Scope, o Order) T { return AtomicMax(&a.v, v) }

// And stores the value's bits that are in v too, and returns the old value (HIP
// __hip_atomic_fetch_and). T is an integer.
func (a *Atomic[T]) And(v T, s Scope, o Order) T {
	return a.bitwise("Atomic.And", bitsOf(a.v)&bitsOf(v))
}

// Or stores the bits of the value and of v, and returns the old value (HIP
// __hip_atomic_fetch_or). T is an integer.
func (a *Atomic[T]) Or(v T, s Scope, o Order) T {
	return a.bitwise("Atomic.Or", bitsOf(a.v)|bitsOf(v))
}

// Xor stores the bits that the value or v has, and not both, and returns the old value (HIP
// __hip_atomic_fetch_xor). T is an integer.
func (a *Atomic[T]) Xor(v T, s Scope, o Order) T {
	return a.bitwise("Atomic.Xor", bitsOf(a.v)^bitsOf(v))
}

func (a *Atomic[T]) bitwise(name string, bits uint64) (old T) {
	t := simt.Running(name)
	t.Touch()
	old = a.v
	a.v = *(*T)(unsafe.Pointer(&bits))
	t.Wrote(bits != bitsOf(old))
	return old
}

// SafeAtomicAdd is [AtomicAdd] of floats that is right in any memory, whatever Options.FastAtomics
// says (HIP safeAtomicAdd).
func SafeAtomicAdd[T ~float32 | ~float64](p *T, v T) T { return AtomicAdd(p, v) }

// UnsafeAtomicAdd is [AtomicAdd] of floats by an instruction where the hardware has one and LLVM
// knows it for this call (from release 20 on; before, by Options.FastAtomics alone). It may
// flush denormals and ignore the rounding mode, and AMD's GPUs do it only in memory of
// their own that is not fine-grained: a Buffer, and shared memory (HIP unsafeAtomicAdd).
func UnsafeAtomicAdd[T ~float32 | ~float64](p *T, v T) T { return AtomicAdd(p, v) }

// AtomicCAS128 is [AtomicCAS] of 128 bits, at an address that is a multiple of 16 bytes: it panics
// at others (CUDA's atomicCAS of 16 bytes; HIP has none). NVIDIA's GPUs have it from sm_90 on, and cpu;
// a kernel for other machines is refused, unless the call is under a branch on [Arch].
func AtomicCAS128(p *[2]uint64, compare, v [2]uint64) [2]uint64 {
	t := simt.Running("AtomicCAS128")
	t.Touch()
	if uintptr(unsafe.Pointer(p))%16 != 0 {
		panic("AtomicCAS128 of an address that is not a multiple of 16")
	}
	old := *p
	if old == compare {
		*p = v
	}
	t.Wrote(*p != old)
	return old
}
