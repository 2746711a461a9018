package codegen

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps "x | -1" from AMDGPU's back end, which takes it for x. In releases to
// 22, SIFoldOperands finds that an operand of v_or_b32 or s_or_b32 is -1, makes a move of
// the instruction, and drops the -1 instead of the other operand (llvm-project's pull
// request 189655). What is -1 in the IR or in the selection of instructions is gone by
// then, so it takes a number of 64 bits of which one half is -1, as in
//
//	x | ^uint64(u)            // where u has 32 bits
//	x | (y | -8)              // where y | -8 has other uses
//	x | pick(c, -5, -1)
//
// which is split into halves only when instructions are selected. So what has such a half
// is written as its other half and a constant. That holds for all bitwise operations, not
// for disjunctions of such numbers alone: to use (y | -8) twice, instruction selection
// makes x | (y | -8) of (x | y) | -8.

var bitwiseLine = lazy.Regexp{Expr: `(?m)^( +)(%(?:"[^"\n]*"|[-\w$.]+)) = (and|or|xor) (disjoint )?(i\d+|<\d+ x i\d+>) (.*)$`}

// expandOrs rewrites bitwise operations in more than 32 bits of whose result a half is
// known to be -1. early says that LLVM has yet to optimise the module, and knows more
// after that: then all disjunctions are rewritten. ok is false if the module has no such operation.
func expandOrs(text string, early bool) (expanded string, ok bool) {
	w := orWriter{module: text, early: early}
	end := 0
	for _, at := range bitwiseLine.Get().FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		d := bitwiseOp{result: group(2), op: group(3), disjoint: at[8] >= 0, typ: group(5), begin: at[0]}
		operands := splitOperands(group(6))
		d.x, d.y = operands[0], operands[1]
		for _, o := range operands[2:] {
			if debugLocation.Get().MatchString(o) {
				d.debug = ", " + o
			}
		}
		begin := len(w.buf)
		w.buf = append(w.buf, text[end:at[0]]...)
		if !w.expand(d) {
			w.buf = w.buf[:begin]
			continue
		}
		end = at[1]
	}
	if end == 0 {
		return text, false
	}
	return string(append(w.buf, text[end:]...)), true
}

// A bitwiseOp is an and, or or xor as it stands in the text.
type bitwiseOp struct {
	result, op, typ, x, y string
	disjoint              bool
	debug                 string // ", !dbg !3"
	begin                 int    // of its line
}

// An orWriter writes the new text.
type orWriter struct {
	buf    []byte
	module string
	early  bool
	names  int
	values definitions // of the function
}

// let gives an expression a name.
func (w *orWriter) let(d bitwiseOp, format string, args ...any) string {
	w.names++
	name := fmt.Sprintf("%%heddle.or.%d", w.names)
	w.buf = fmt.Appendf(w.buf, "  %s = %s%s\n", name, fmt.Sprintf(format, args...), d.debug)
	return name
}

// last is the line that defines d's result.
func (w *orWriter) last(d bitwiseOp, format string, args ...any) bool {
	w.buf = fmt.Appendf(w.buf, "  %s = %s%s", d.result, fmt.Sprintf(format, args...), d.debug)
	return true
}

// expand writes d anew, without a newline at its end, or nothing.
func (w *orWriter) expand(d bitwiseOp) bool {
	n, err := strconv.Atoi(d.typ[1:])
	if err != nil || n > 64 || w.early {
		return d.op == "or" && !isConstant(d.x) && !isConstant(d.y) && w.masked(d)
	}
	if n == 1 {
		return false // a condition
	}
	w.values.enter(w.module, d.begin)
	_, ones := w.values.known(d.result, n)
	low := ^uint64(0) >> (64 - min(n, 32))
	high := ^uint64(0) >> (64 - n) &^ low
	switch lowOnes, highOnes := ones&low == low, ones&high == high; {
	case lowOnes && highOnes:
		return w.last(d, "xor %s 0, -1", d.typ)
	case n <= 32:
		return false
	case highOnes:
		v := w.let(d, "%s i32 %s, %s", d.op, w.lower(d, d.x), w.lower(d, d.y))
		v = w.let(d, "insertelement <2 x i32> <i32 0, i32 -1>, i32 %s, i32 0", v)
		return w.joined(d, n, v)
	case lowOnes:
		v := w.let(d, "%s i%d %s, %s", d.op, n-32, w.upper(d, d.x, n), w.upper(d, d.y, n))
		if n < 64 {
			v = w.let(d, "zext i%d %s to i32", n-32, v)
		}
		v = w.let(d, "insertelement <2 x i32> <i32 -1, i32 0>, i32 %s, i32 1", v)
		return w.joined(d, n, v)
	}
	return false
}

// joined makes d's result of two halves. An extension and a disjunction would come to the
// same, but LLVM would put it back to what d was.
func (w *orWriter) joined(d bitwiseOp, n int, halves string) bool {
	if n == 64 {
		return w.last(d, "bitcast <2 x i32> %s to i64", halves)
	}
	return w.last(d, "trunc i64 %s to %s", w.let(d, "bitcast <2 x i32> %s to i64", halves), d.typ)
}

// lower are the lower 32 bits of an operand.
func (w *orWriter) lower(d bitwiseOp, v string) string {
	if c, ok := constantOf(v); ok {
		return fmt.Sprint(int32(c))
	}
	return w.let(d, "trunc %s %s to i32", d.typ, v)
}

// upper are the bits of an operand of n bits from 32 on.
func (w *orWriter) upper(d bitwiseOp, v string, n int) string {
	if c, ok := constantOf(v); ok {
		return fmt.Sprint(c >> 32)
	}
	return w.let(d, "trunc %s %s to i%d", d.typ, w.let(d, "lshr %s %s, 32", d.typ, v), n-32)
}

// masked writes x | y as x &^ y ^ y, where LLVM does not see that the complement is one.
func (w *orWriter) masked(d bitwiseOp) bool {
	elem, lanes := d.typ, 1
	if m := divisionVector.Get().FindStringSubmatch(d.typ); m != nil {
		lanes, _ = strconv.Atoi(m[1])
		elem = m[2]
	}
	n, _ := strconv.Atoi(elem[1:])
	if n <= 32 || n > 64 && d.disjoint {
		return false // of halves that were put together, one is 0
	}
	mask := w.let(d, "sext i32 %s to %s", w.let(d, "%s", opaque(inScalar, "i32", "-1")), elem)
	if elem != d.typ {
		v := w.let(d, "insertelement %s poison, %s %s, i32 0", d.typ, elem, mask)
		mask = w.let(d, "shufflevector %s %s, %s poison, <%d x i32> zeroinitializer", d.typ, v, d.typ, lanes)
	}
	not := w.let(d, "xor %s %s, %s", d.typ, d.y, mask)
	return w.last(d, "xor %s %s, %s", d.typ, w.let(d, "and %s %s, %s", d.typ, d.x, not), d.y)
}

// isConstant says that an operand is a constant, as text.
func isConstant(v string) bool { return !strings.HasPrefix(v, "%") }

var (
	bitwise  = lazy.Regexp{Expr: `^(and|or|xor)(?: disjoint)? i\d+ ([^ ,]+), ([^ ,]+)`}
	shift    = lazy.Regexp{Expr: `^(shl|lshr|ashr)(?: nuw| nsw| exact)* i\d+ ([^ ,]+), ([^ ,]+)(?:,|$)`}
	resized  = lazy.Regexp{Expr: `^(zext|sext|trunc)(?: nneg| nuw| nsw)* i(\d+) ([^ ,]+) to i\d+`}
	selected = lazy.Regexp{Expr: `^select i1 [^,]+, i\d+ ([^ ,]+), i\d+ ([^ ,]+)`}
	extremum = lazy.Regexp{Expr: `@llvm\.[su]m(?:in|ax)\.i\d+\(i\d+ ([^ ,]+), i\d+ ([^ ,)]+)\)`}
	frozen   = lazy.Regexp{Expr: `^freeze i\d+ ([^ ,]+)`}
	phiOf    = lazy.Regexp{Expr: `^phi i\d+ `}
)

// known are the bits of an integer of so many bits that are known to be 0 and 1. It
// follows what instruction selection splits into halves and folds: of sums and
// products machine instructions stay, of which nothing is known.
func (v *definitions) known(name string, width int) (zero, one uint64) {
	all := ^uint64(0) >> (64 - width)
	if c, ok := constantOf(name); ok {
		return ^uint64(c) & all, uint64(c) & all
	}
	if k, ok := v.bits[name]; ok {
		return k[0], k[1]
	}
	v.bits[name] = [2]uint64{} // for what comes back to it
	zero, one = v.knownOf(name, v.text[name], width, all)
	v.bits[name] = [2]uint64{zero, one}
	return zero, one
}

// knownOf is known for the result of an instruction.
func (v *definitions) knownOf(name, text string, width int, all uint64) (zero, one uint64) {
	at := func(name string) (zero, one uint64) { return v.known(name, width) }
	both := func(names ...string) (zero, one uint64) {
		zero, one = all, all
		for _, n := range names {
			if n != name {
				z, o := at(n)
				zero, one = zero&z, one&o
			}
		}
		return zero, one
	}
	if m := bitwise.Get().FindStringSubmatch(text); m != nil {
		xz, xo := at(m[2])
		yz, yo := at(m[3])
		differ := v.opposite(m[2], m[3], all)
		switch m[1] {
		case "and":
			return xz | yz | differ, xo & yo
		case "or":
			return xz & yz, xo | yo | differ
		}
		return xz&yz | xo&yo, xz&yo | xo&yz | differ
	}
	if m := shift.Get().FindStringSubmatch(text); m != nil {
		return v.shiftedBy(m[1], m[2], m[3], width)
	}
	if m := resized.Get().FindStringSubmatch(text); m != nil {
		from, _ := strconv.Atoi(m[2])
		if from > 64 {
			return 0, 0
		}
		zero, one = v.known(m[3], from)
		above := all &^ (^uint64(0) >> (64 - from))
		switch {
		case m[1] == "zext":
			zero |= above
		case m[1] == "sext" && zero>>(from-1) != 0:
			zero |= above
		case m[1] == "sext" && one>>(from-1) != 0:
			one |= above
		}
		return zero & all, one & all
	}
	if m := selected.Get().FindStringSubmatch(text); m != nil {
		return both(m[1], m[2])
	}
	if m := extremum.Get().FindStringSubmatch(text); m != nil {
		return both(m[1], m[2])
	}
	if m := frozen.Get().FindStringSubmatch(text); m != nil {
		return at(m[1])
	}
	if strings.Contains(text, "@llvm.ct") { // a count of bits
		return all &^ 127, 0
	}
	if phiOf.Get().MatchString(text) {
		var names []string
		for _, m := range merged.Get().FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		return both(names...)
	}
	return 0, 0
}

// shiftedBy are the bits known of a shift, whichever of its possible counts it has.
func (v *definitions) shiftedBy(op, name, count string, width int) (zero, one uint64) {
	z, o := v.known(name, width)
	not, set := v.known(count, width)
	zero = ^uint64(0) >> (64 - width)
	one = zero
	possible := false
	for k := range width {
		if n := uint64(k); n&not == 0 && n&set == set {
			kz, ko := shifted(op, z, o, width, k)
			zero, one, possible = zero&kz, one&ko, true
		}
	}
	if !possible {
		return 0, 0
	}
	return zero, one
}

// opposite are the bits in which two numbers are each other's complement.
func (v *definitions) opposite(x, y string, all uint64) uint64 {
	x, xs, xnot := v.source(x, all)
	y, ys, ynot := v.source(y, all)
	if x != y || xnot == ynot {
		return 0
	}
	return xs & ys
}

// source is the number that these bits of another come from, and whether they are its
// complement's.
func (v *definitions) source(name string, bits uint64) (from string, same uint64, not bool) {
	for range 8 {
		if m := resized.Get().FindStringSubmatch(v.text[name]); m != nil {
			n, _ := strconv.Atoi(m[2])
			bits &= ^uint64(0) >> max(64-n, 0)
			name = m[3]
		} else if m := bitwise.Get().FindStringSubmatch(v.text[name]); m != nil && m[1] == "xor" && m[3] == "-1" {
			name, not = m[2], !not
		} else {
			break
		}
	}
	return name, bits, not
}

// shifted are the known bits of a number after a shift by k.
func shifted(op string, zero, one uint64, width, k int) (uint64, uint64) {
	all := ^uint64(0) >> (64 - width)
	come := all &^ (all >> k) // from above
	switch op {
	case "shl":
		return (zero<<k | (1<<k - 1)) & all, one << k & all
	case "ashr":
		top := uint64(1) << (width - 1)
		return zero>>k | come*uint64(bits.OnesCount64(zero&top)), one>>k | come*uint64(bits.OnesCount64(one&top))
	}
	return zero>>k | come, one >> k
}
