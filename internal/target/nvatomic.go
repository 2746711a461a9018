package target

import (
	"fmt"
	"strings"
)

// This file is NVIDIA's atomics. LLVM's code generator knows scopes and orders from release
// 20 on, and not of all operations: what is not relaxed at the device's scope is written out.
// Source: NVIDIA's PTX ISA, memory consistency model; the mapping of C++'s orders is that of
// Lustig, Sahasrabuddhe and Giroux, A Formal Analysis of the NVIDIA PTX Memory Consistency
// Model (2019).

// nvScopes are PTX's scopes; the smallest is a block's.
var nvScopes = [...]string{Warp: "cta", Block: "cta", Device: "gpu", System: "sys"}

// nvSem is PTX's order. What is sequentially consistent has a fence before it.
func nvSem(order string) string {
	if order == "monotonic" {
		return "relaxed"
	}
	return order
}

// nvRMW is PTX's operation for one of LLVM's, with the kind of its type.
func nvRMW(op string) string {
	switch op {
	case "umin", "umax":
		return op[1:] + ".u"
	case "min", "max":
		return op + ".s"
	case "and", "or", "xor":
		return op + ".b"
	case "xchg":
		return "exch.b"
	case "fadd":
		return "add.f"
	case "uinc_wrap", "udec_wrap":
		return op[1:4] + ".u"
	}
	return op + ".u"
}

// nvRegister is the constraint of a type's registers.
func nvRegister(t Type) string {
	switch t.String() {
	case "i64":
		return "l"
	case "float":
		return "f"
	case "double":
		return "d"
	}
	return "r"
}

// nvAtomic is Target.Atomic.
func nvAtomic(b *Builder, a Access) Value {
	t := a.V.Type()
	bits := Bits(t)
	switch {
	case bits < 32:
		return nil // LLVM's loop over the word
	case strings.HasSuffix(a.Op, "_wrap"): // release 17 makes a loop of it
	case a.Scope == Device && a.Order == "monotonic":
		return nil
	}
	scope, order := nvScopes[a.Scope], a.Order
	if order == "seq_cst" {
		b.Asm(Void, "fence.sc."+scope+";", "~{memory}", true)
		switch a.Op {
		case "load":
			order = "acquire"
		case "store":
			order = "monotonic"
		default:
			order = "acq_rel"
		}
	}
	how, reg := nvSem(order)+"."+scope, nvRegister(t)
	switch a.Op {
	case "load":
		return b.Asm(t, fmt.Sprintf("ld.%s.b%d $0, [$1];", how, bits), "="+reg+",l,~{memory}", true, a.P)
	case "store":
		b.Asm(Void, fmt.Sprintf("st.%s.b%d [$0], $1;", how, bits), "l,"+reg+",~{memory}", true, a.P, a.V)
		return None
	case "cmpxchg":
		return b.Asm(t, fmt.Sprintf("atom.%s.cas.b%d $0, [$1], $2, $3;", how, bits), strings.ReplaceAll("=R,l,R,R,~{memory}", "R", reg), true, a.P, a.Old, a.V)
	case "sub":
		a.Op, a.V = "add", b.Bin("sub", Zero(t), a.V)
	}
	return b.Asm(t, fmt.Sprintf("atom.%s.%s%d $0, [$1], $2;", how, nvRMW(a.Op), bits), "="+reg+",l,"+reg+",~{memory}", true, a.P, a.V)
}

// nvSwap128 is ops.Swap128.
func nvSwap128(b *Builder, a ...Value) Value {
	const text = "{ .reg .b128 %was, %old, %new; mov.b128 %old, {$3, $4}; mov.b128 %new, {$5, $6}; atom.relaxed.gpu.cas.b128 %was, [$2], %old, %new; mov.b128 {$0, $1}, %was; }"
	return b.Asm(Struct(I64, I64), text, "=l,=l,l,l,l,l,l,~{memory}", true, a...)
}

// nvAddSmall is the addition of numbers of 16 bits, one or two, from a generation on.
func nvAddSmall(kind string, from int) Expansion {
	return func(b *Builder, a ...Value) Value {
		p, v := a[0], a[1]
		switch {
		case b.M.T.Generation < from:
			return nil
		case Bits(v.Type()) == 32:
			return b.Asm(I32, "atom.add.noftz."+kind+"x2 $0, [$1], $2;", "=r,l,r,~{memory}", true, p, v)
		}
		return b.Asm(I16, "atom.add.noftz."+kind+" $0, [$1], $2;", "=h,l,h,~{memory}", true, p, v)
	}
}
