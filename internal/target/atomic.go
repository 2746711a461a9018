package target

import "strconv"

// An Access is an atomic access to memory.
type Access struct {
	// Op is load, store, cmpxchg, or an operation of LLVM's atomicrmw: xchg, add, sub, and,
	// or, xor, min, max, umin, umax, uinc_wrap, udec_wrap, fadd.
	Op string
	P  Value
	// V is what is stored, or the operand; of a load a zero value of its type. Integers, but
	// for fadd. Old is what cmpxchg compares with.
	V, Old Value
	Scope  Scope
	Order  string // LLVM's: monotonic, acquire, release, acq_rel, seq_cst
	// Float says of an fadd what it may be.
	Float FloatAtomic
}

// FloatAtomic says whether a floating-point atomic may be one of hardware that ignores the
// rounding and denormal modes, and works on coarse-grained memory only.
type FloatAtomic uint8

// As the module's FastAtomics has it; never; always.
const (
	FloatDefault FloatAtomic = iota
	FloatSafe
	FloatUnsafe
)

// Atomic makes an atomic access, and returns the value that was there before; None for
// a store.
func (b *Builder) Atomic(a Access) Value {
	if own := b.M.T.Atomic; own != nil {
		if v := own(b, a); v != nil {
			return v
		}
	}
	scope := b.M.T.Scopes[a.Scope]
	switch a.Op {
	case "load":
		return b.AtomicLoad(a.V.Type(), a.P, scope, a.Order)
	case "store":
		b.AtomicStore(a.V, a.P, scope, a.Order)
		return None
	case "cmpxchg":
		return b.CmpXchg(a.P, a.Old, a.V, scope, a.Order, FailureOrder(a.Order))
	}
	return b.atomicRMW(a.Op, a.P, a.V, scope, a.Order, a.Float)
}

// FailureOrder is the order of a compare and exchange that stores nothing, and of a load
// that begins a loop of them.
func FailureOrder(order string) string {
	switch order {
	case "acq_rel":
		return "acquire"
	case "release":
		return "monotonic"
	}
	return order
}

// AtomicLoad reads an integer atomically.
func (b *Builder) AtomicLoad(t Type, p Value, scope, order string) Value {
	return b.Emit(t, "load atomic ", t.String(), ", ", T(p), syncscope(scope), " ", order, ", align ", strconv.Itoa(Bits(t)/8))
}

// AtomicStore writes an integer atomically.
func (b *Builder) AtomicStore(v, p Value, scope, order string) {
	b.Emit(Void, "store atomic ", T(v), ", ", T(p), syncscope(scope), " ", order, ", align ", strconv.Itoa(Bits(v.Type())/8))
}

// AtomicRMW is an atomic read-modify-write that returns the old value. scope is
// LLVM's syncscope name, "" for the system; order is LLVM's (monotonic, acq_rel, ...).
func (b *Builder) AtomicRMW(op string, p, v Value, scope, order string) Value {
	return b.atomicRMW(op, p, v, scope, order, FloatDefault)
}

func (b *Builder) atomicRMW(op string, p, v Value, scope, order string, float FloatAtomic) Value {
	parts := []any{"atomicrmw ", op, " ", T(p), ", ", T(v), syncscope(scope), " ", order}
	if fast := float == FloatUnsafe || float == FloatDefault && b.M.FastAtomics; op == "fadd" && fast && b.M.T.FastAdd != nil {
		parts = append(parts, b.M.T.FastAdd(b.M)...)
	}
	return b.Emit(v.Type(), parts...)
}

// CmpXchg is an atomic compare and exchange that returns the old value.
func (b *Builder) CmpXchg(p, old, v Value, scope, order, failure string) Value {
	t := Struct(v.Type(), I1)
	x := b.Emit(t, "cmpxchg ", T(p), ", ", T(old), ", ", T(v), syncscope(scope), " ", order, " ", failure)
	return b.Extract(x, 0)
}

// Fence is a memory fence.
func (b *Builder) Fence(scope, order string) {
	b.Emit(Void, "fence", syncscope(scope), " ", order)
}

//go:noinline
func syncscope(s string) string {
	if s == "" {
		return ""
	}
	return ` syncscope("` + s + `")`
}
