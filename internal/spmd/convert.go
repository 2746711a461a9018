package spmd

import (
	"fmt"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// This file holds conversions that LLVM's code generators get wrong for vectors.

// roundsTwice reports whether LLVM would make two roundings of a conversion: on
// AArch64 vectors of 64-bit integers become float by way of double, which rounds
// those of more than 53 bits first (the scalar instruction rounds once).
func (e *emitter) roundsTwice(i *ll.Inst) bool {
	return e.o.ISA == "aarch64" && (i.Op == "sitofp" || i.Op == "uitofp") &&
		i.Typ.Text == "float" && i.Args[0].Type().Bits > 53 && e.ShapeOf(i).Kind == divergence.Varying
}

// roundOnce converts 64-bit integers to float by way of double, rounding to odd
// first: of an integer of more than 53 bits the last 11 are cleared, and if one
// of them was set then so is the one before. That is exact in a double, and as
// far from the middle between two floats as it was, or on the same side.
//
//	%f = sitofp i64 %x to float
//
//	%low = and <8 x i64> %x, 2047
//	%up = add <8 x i64> %low, 2047
//	%sticky = or <8 x i64> %x, %up
//	%odd = and <8 x i64> %sticky, -2048
//	%at = add <8 x i64> %x, 1<<53              ; where sitofp
//	%big = icmp ugt <8 x i64> %at, 1<<54       ; uitofp: %x, 1<<53
//	%y = select <8 x i1> %big, <8 x i64> %odd, <8 x i64> %x
//	%d = sitofp <8 x i64> %y to <8 x double>
//	%f = fptrunc <8 x double> %d to <8 x float>
func (e *emitter) roundOnce(i *ll.Inst) string {
	const low, exact = 1<<11 - 1, 1 << 53
	t, x := e.vec(i.Args[0].Type()), e.vector(i.Args[0])
	all := func(n int64) string { return e.splatText("i64", fmt.Sprint(n)) }
	up := e.let("add %s %s, %s", t, e.let("and %s %s, %s", t, x, all(low)), all(low))
	odd := e.let("and %s %s, %s", t, e.let("or %s %s, %s", t, x, up), all(^low))
	at, most := x, int64(exact)
	if i.Op == "sitofp" {
		at, most = e.let("add %s %s, %s", t, x, all(exact)), 2*exact
	}
	big := e.let("icmp ugt %s %s, %s", t, at, all(most))
	y := e.let("select <%d x i1> %s, %s %s, %s %s", e.n, big, t, odd, t, x)
	d := fmt.Sprintf("<%d x double>", e.n)
	return e.let("fptrunc %s %s to %s", d, e.let("%s %s %s to %s", i.Op, t, y, d), e.typeOf(i))
}
