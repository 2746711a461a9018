package codegen

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file implements integer division for AMD's processors, which have no
// instruction for it. LLVM's back end gets it wrong, in every release:
//
//	AMDGPUCodeGenPrepare, to 19: getDivNumBits takes an unsigned operand that is
//	extended with its sign for a small number, so that uint64(uint32(int16(x))) / y
//	is divided as a float of 24 bits, or in 32 bits. To 18 it counts bits wrongly, too.
//	AMDGPUISelLowering, to 22: LowerDIVREM24 does the same with the 32 bits that are
//	left to it, at O0 all of them: uint32(int16(x)) / y.
//	AMDGPUCodeGenPrepare, to 22: expandDivRem24 is wrong for numbers of 23 and 24
//	bits where the hardware's reciprocal is one unit off: 0xbf2758 / 0xbf2759.
//
// (llvm-project's pull requests 80622, 119325, 196418, 201186 and 202753.) So LLVM
// optimises divisions as such, narrows them by what it knows of ranges, and the text
// of what it leaves is then rewritten, before the back end sees it:
//
//	%q = udiv i64 %x, %y
//	%q = call i64 @heddle.udiv.i64(i64 %x, i64 %y)
//
// with functions of divide.ll, to be inlined. In 64 bits constants become
// multiplications, as LLVM itself has it in 32 and less.

//go:embed divide.ll
var divideText string

var (
	divisionLine   = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = ([us])(div|rem) (exact )?(i\d+|<\d+ x i\d+>) (.*)$`}
	divisionVector = lazy.Regexp{Expr: `^<(\d+) x (i\d+)>$`}
	debugLocation  = lazy.Regexp{Expr: `^!dbg !\d+$`}
	calledFunction = lazy.Regexp{Expr: ` @(heddle\.[\w.]+|llvm\.[\w.]+)\(`}
	endOfBlock     = lazy.Regexp{Expr: `(?m)^(?:[-\w$.]+:|"[^"\n]*":|\})`}
)

// leaveDivisions leaves divisions to LLVM, for comparisons in tests.
var leaveDivisions = false

// divisionPasses follow the rewriting.
func divisionPasses(level int) string {
	if level == 0 {
		return "always-inline"
	}
	return "always-inline,function(early-cse,simplifycfg)"
}

// expandDivisions rewrites the divisions in a module for AMDGPU; ok is false where
// it has none that LLVM gets wrong. The new text needs divisionPasses.
func expandDivisions(text string) (expanded string, ok bool) {
	list := findDivisions(text)
	w := divider{module: text}
	end := 0
	for i, d := range list {
		w.out.WriteString(text[end:d.begin])
		if i == 0 || d.block != list[i-1].block {
			w.pairs, w.quotients = map[string]int{}, map[string]string{}
			for _, e := range list[i:] {
				if e.block == d.block {
					w.pairs[e.key()] |= 1 << b2i(e.rem)
				}
			}
		}
		w.division(d)
		end = d.end
	}
	if w.helpers == nil && !w.changed {
		return text, false
	}
	w.out.WriteString(text[end:])
	w.define()
	return w.out.String(), true
}

// A quotient is a division or remainder, as it stands in the text.
type quotient struct {
	result, typ, x, y  string
	signed, rem, exact bool
	debug              string // ", !dbg !3"
	begin, end         int    // of its line
	block              int
}

// key is equal for those that have one quotient.
//
//go:noinline
func (d *quotient) key() string { return fmt.Sprint(d.signed, d.typ, " ", d.x, " ", d.y) }

// op is the instruction's name.
//
//go:noinline
func (d *quotient) op() string {
	return map[bool]string{true: "s", false: "u"}[d.signed] + map[bool]string{true: "rem", false: "div"}[d.rem]
}

func findDivisions(text string) (list []quotient) {
	block, end := 0, 0
	for _, at := range divisionLine.Get().FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		if endOfBlock.Get().MatchString(text[end:at[0]]) {
			block++
		}
		end = at[1]
		d := quotient{result: group(1), signed: group(2) == "s", rem: group(3) == "rem", exact: at[8] >= 0, typ: group(5), begin: at[0], end: at[1], block: block}
		operands := splitOperands(group(6))
		d.x, d.y = operands[0], operands[1]
		for _, o := range operands[2:] {
			if debugLocation.Get().MatchString(o) {
				d.debug = ", " + o
			}
		}
		list = append(list, d)
	}
	return list
}

// splitOperands splits "%x, %y, !dbg !3" at the commas that are in no brackets.
func splitOperands(s string) (list []string) {
	begin := 0
	eachOutside(s, func(i int) bool {
		if s[i] == ',' {
			list = append(list, strings.TrimSpace(s[begin:i]))
			begin = i + 1
		}
		return true
	})
	return append(list, strings.TrimSpace(s[begin:]))
}

// listEnd is where the list that s begins with ends: at the bracket that closes it.
func listEnd(s string) int {
	end := len(s)
	eachOutside(s, func(i int) bool {
		if strings.IndexByte(")>]}", s[i]) >= 0 {
			end = i
		}
		return end == len(s)
	})
	return end
}

// eachOutside calls f for the places of s that are in no brackets, and for a bracket that closes none before, as long
// as f reports true.
func eachOutside(s string, f func(i int) bool) {
	depth, quoted := 0, false
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("(<[{", c) >= 0:
			depth++
		case depth > 0 && strings.IndexByte(")>]}", c) >= 0:
			depth--
		case depth == 0 && !f(i):
			return
		}
	}
}

// A divider writes the new text. Its methods that return an expression have
// written all but the last instruction.
type divider struct {
	out       bytes.Buffer
	module    string
	names     int
	changed   bool
	helpers   map[string]bool   // the functions that are called
	pairs     map[string]int    // 1 for a division of this block, 2 for a remainder, by key
	quotients map[string]string // of this block, that are computed, by key
	values    definitions       // of the function
}

// division writes what computes d.result.
func (w *divider) division(d quotient) {
	n, elem := 1, d.typ
	if m := divisionVector.Get().FindStringSubmatch(d.typ); m != nil {
		n, _ = strconv.Atoi(m[1])
		elem = m[2]
	}
	whole := d
	vector := "poison"
	for i := range n {
		if elem != d.typ {
			d.typ, d.block = elem, -1
			d.x = w.let(d, "extractelement %s %s, i32 %d", whole.typ, whole.x, i)
			d.y = w.let(d, "extractelement %s %s, i32 %d", whole.typ, whole.y, i)
		}
		value := w.scalar(d)
		if elem != whole.typ {
			value = fmt.Sprintf("insertelement %s %s, %s %s, i32 %d", whole.typ, vector, elem, w.let(d, "%s", value), i)
		}
		if i == n-1 {
			fmt.Fprintf(&w.out, "  %s = %s%s", d.result, value, d.debug)
		} else {
			vector = w.let(d, "%s", value)
		}
		d = whole
	}
}

// let gives an expression a name.
func (w *divider) let(d quotient, format string, args ...any) string {
	w.names++
	name := fmt.Sprintf("%%heddle.div.%d", w.names)
	fmt.Fprintf(&w.out, "  %s = %s%s\n", name, fmt.Sprintf(format, args...), d.debug)
	return name
}

// call is a call of a function of divide.ll, whose operands and result have one type.
func (w *divider) call(f, typ string, args ...string) string {
	if w.helpers == nil {
		w.helpers = map[string]bool{}
	}
	w.helpers["heddle."+f] = true
	return fmt.Sprintf("call %s @heddle.%s(%s %s)", typ, f, typ, strings.Join(args, ", "+typ+" "))
}

// scalar is an expression for a division of integers.
func (w *divider) scalar(d quotient) string {
	n, _ := strconv.Atoi(d.typ[1:])
	c, isConst := constantOf(d.y)
	switch {
	case n > 64, isConst && n <= 32, isConst && c&(c-1) == 0 && c != math.MinInt64:
		exact := map[bool]string{true: " exact", false: ""}[d.exact]
		return fmt.Sprintf("%s%s %s %s, %s", d.op(), exact, d.typ, d.x, d.y) // LLVM's own is right
	case n < 16:
		return w.narrowed(d, 16)
	case n > 16 && n < 32:
		return w.narrowed(d, 32)
	case n > 32 && n < 64:
		return w.narrowed(d, 64)
	}
	w.changed = true
	if d.exact && isConst {
		return w.exact(d, c)
	}
	key := d.key()
	q, known := w.quotients[key]
	switch {
	case known && !d.rem:
		return fmt.Sprintf("add %s %s, 0", d.typ, q)
	case d.rem && !known && (w.pairs[key] == 2 || d.block < 0) && !isConst && n > 16:
		return w.call(w.helper(d, "rem"), d.typ, d.x, d.y)
	case !known:
		value := ""
		switch {
		case isConst:
			value = w.byConstant(d, c)
		case n == 16:
			value = w.small(d)
		default:
			value = w.call(w.helper(d, "div"), d.typ, d.x, d.y)
		}
		if !d.rem {
			if d.block >= 0 {
				w.quotients[key] = d.result
			}
			return value
		}
		q = w.let(d, "%s", value)
		if d.block >= 0 {
			w.quotients[key] = q
		}
	}
	return fmt.Sprintf("sub %s %s, %s", d.typ, d.x, w.let(d, "mul %s %s, %s", d.typ, q, d.y))
}

// narrowed is d computed in n bits.
func (w *divider) narrowed(d quotient, n int) string {
	typ := d.typ
	d.x, d.y = w.extended(d, d.x, n), w.extended(d, d.y, n)
	d.typ, d.exact, d.block = fmt.Sprintf("i%d", n), false, -1
	return fmt.Sprintf("trunc %s %s to %s", d.typ, w.let(d, "%s", w.scalar(d)), typ)
}

// extended is an operand of d in n bits.
func (w *divider) extended(d quotient, v string, n int) string {
	ext := map[bool]string{true: "sext", false: "zext"}[d.signed]
	return w.let(d, "%s %s %s to i%d", ext, d.typ, v, n)
}

// small is the quotient of 16 bits.
func (w *divider) small(d quotient) string {
	f := d.op()[:1] + "div.small"
	q := w.let(d, "%s", w.call(f, "i32", w.extended(d, d.x, 32), w.extended(d, d.y, 32)))
	return fmt.Sprintf("trunc i32 %s to i16", q)
}

// helper is the function that divides 32 or 64 bits. what is "div" or "rem".
func (w *divider) helper(d quotient, what string) string {
	if d.signed && d.typ == "i64" {
		w.values.enter(w.module, d.begin)
		if w.values.fits32(d.x, 6) && w.values.fits32(d.y, 6) {
			return "s" + what + ".short"
		}
	}
	return d.op()[:1] + what + "." + d.typ
}

// exact is x / c where there is no remainder: x/2^k times the inverse of an odd number.
func (w *divider) exact(d quotient, c int64) string {
	k := bits.TrailingZeros64(uint64(c))
	odd := uint64(c >> k)
	inverse := odd // right in 3 bits; each step doubles them
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	shift := map[bool]string{true: "ashr", false: "lshr"}[d.signed]
	return fmt.Sprintf("mul i64 %s, %d", w.let(d, "%s exact i64 %s, %d", shift, d.x, k), int64(inverse))
}

// byConstant is x / c in 64 bits; |c| > 1 is no power of two, or is -2^63.
func (w *divider) byConstant(d quotient, c int64) string {
	if !d.signed {
		return w.byUnsigned(d, d.x, uint64(c), math.MaxUint64)
	}
	if c == math.MinInt64 {
		return fmt.Sprintf("zext i1 %s to i64", w.let(d, "icmp eq i64 %s, %d", d.x, c))
	}
	s := w.let(d, "ashr i64 %s, 63", d.x)
	a := w.let(d, "xor i64 %s, %s", w.let(d, "add i64 %s, %s", d.x, s), s)
	q := ""
	if n := uint64(max(c, -c)); n&(n-1) == 0 {
		q = w.let(d, "lshr i64 %s, %d", a, bits.TrailingZeros64(n))
	} else {
		q = w.let(d, "%s", w.byUnsigned(d, a, n, 1<<63))
	}
	if c < 0 {
		s = w.let(d, "xor i64 %s, -1", s)
	}
	return fmt.Sprintf("sub i64 %s, %s", w.let(d, "xor i64 %s, %s", q, s), s)
}

// byUnsigned is x / c for x up to limit, which is 2^63 or 2^64-1. Source: Granlund
// and Montgomery, "Division by Invariant Integers using Multiplication".
func (w *divider) byUnsigned(d quotient, x string, c, limit uint64) string {
	even := bits.TrailingZeros64(c)
	m, s, ok := multiplier(c, limit)
	if !ok && even > 0 {
		if m, s, ok = multiplier(c>>even, limit>>even); ok {
			x = w.let(d, "lshr i64 %s, %d", x, even)
		}
	}
	if ok {
		return fmt.Sprintf("lshr i64 %s, %d", w.let(d, "%s", w.call("umulh.i64", "i64", x, fmt.Sprint(int64(m)))), s)
	}
	// The multiplier is m + 2^64.
	s = bits.Len64(c - 1)
	m, _ = bits.Div64(uint64(1)<<s-c, 0, c) // where s is 64, 1<<s is 0
	t := w.let(d, "%s", w.call("umulh.i64", "i64", x, fmt.Sprint(int64(m+1))))
	half := w.let(d, "lshr i64 %s, 1", w.let(d, "sub i64 %s, %s", x, t))
	return fmt.Sprintf("lshr i64 %s, %d", w.let(d, "add i64 %s, %s", half, t), s-1)
}

// multiplier is m such that x*m >> (64+s) is x / c for x up to limit. m is 2^(64+s) / c,
// rounded up: x*m / 2^(64+s) is x/c + x*e/c / 2^(64+s), where e = m*c - 2^(64+s), and
// reaches no integer above x/c if the second part is less than 1/c.
func multiplier(c, limit uint64) (m uint64, s int, ok bool) {
	for ; s < 64 && uint64(1)<<s < c; s++ {
		q, rest := bits.Div64(1<<s, 0, c)
		if high, _ := bits.Mul64(limit, c-rest); q != math.MaxUint64 && high < 1<<s {
			return q + 1, s, true
		}
	}
	return 0, 0, false
}

// define appends the functions of divide.ll that are called, and the declarations
// that they need and the module lacks.
func (w *divider) define() {
	functions := map[string]string{}
	for _, f := range strings.SplitAfter(divideText, "\n}\n") {
		if _, f, ok := strings.Cut(f, "define internal "); ok {
			_, name, _ := strings.Cut(f, "@")
			name, _, _ = strings.Cut(name, "(")
			functions[name] = "\ndefine internal " + f
		}
	}
	var add func(name string)
	add = func(name string) {
		text, ok := functions[name]
		if !ok {
			if !strings.Contains(w.module, "@"+name+"(") {
				w.out.WriteString("\n" + divideIntrinsics.Get()[name] + "\n")
			}
			return
		}
		w.out.WriteString(text)
		for _, m := range calledFunction.Get().FindAllStringSubmatch(text, -1)[1:] {
			if !w.helpers[m[1]] {
				w.helpers[m[1]] = true
				add(m[1])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.helpers)) {
		add(name)
	}
}

// divideIntrinsics are the declarations of what divide.ll calls.
var divideIntrinsics = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"llvm.amdgcn.rcp.f32": "declare float @llvm.amdgcn.rcp.f32(float)",
		"llvm.copysign.f32":   "declare float @llvm.copysign.f32(float, float)",
		"llvm.fma.f32":        "declare float @llvm.fma.f32(float, float, float)",
		"llvm.trunc.f32":      "declare float @llvm.trunc.f32(float)",
	}
}}

// constantOf reads an operand.
func constantOf(v string) (int64, bool) {
	c, err := strconv.ParseInt(v, 10, 64)
	return c, err == nil
}

// definitions are what the names in one function stand for, as text.
type definitions struct {
	begin, end int // of the function
	text       map[string]string
	bits       map[string][2]uint64 // see known
}

var definition = lazy.Regexp{Expr: `(?m)^ +(%(?:"[^"\n]*"|[-\w$.]+)) = (.*)$`}

// enter reads the function around a place.
func (v *definitions) enter(module string, at int) {
	if v.text != nil && v.begin <= at && at < v.end {
		return
	}
	v.begin = max(0, strings.LastIndex(module[:at], "\ndefine "))
	v.end = len(module)
	if n := strings.Index(module[at:], "\n}"); n >= 0 {
		v.end = at + n
	}
	v.text, v.bits = map[string]string{}, map[string][2]uint64{}
	for _, m := range definition.Get().FindAllStringSubmatch(module[v.begin:v.end], -1) {
		v.text[m[1]] = m[2]
	}
}

var (
	extension = lazy.Regexp{Expr: `^(?:sext i(?:[12]?\d|3[0-2]) |zext (?:nneg )?i(?:[12]?\d|3[01]) )`}
	highHalf  = lazy.Regexp{Expr: `^ashr (?:exact )?i64 [^,]+, (?:3[2-9]|[45]\d|6[0-3])(?:,|$)`}
	chosen    = lazy.Regexp{Expr: `^select i1 [^,]+, i64 ([^,]+), i64 ([^,]+)`}
	merged    = lazy.Regexp{Expr: `\[ ([^,]+), `}
)

// fits32 reports whether an i64 is known to be the sign extension of an i32.
func (v *definitions) fits32(name string, depth int) bool {
	if c, ok := constantOf(name); ok {
		return c == int64(int32(c))
	}
	text := v.text[name]
	if depth == 0 || text == "" {
		return false
	}
	var parts [][]string
	switch {
	case extension.Get().MatchString(text), highHalf.Get().MatchString(text):
		return true
	case strings.HasPrefix(text, "freeze i64 "):
		parts = [][]string{{"", strings.TrimPrefix(strings.Split(text, ",")[0], "freeze i64 ")}}
	case strings.HasPrefix(text, "phi i64 "):
		parts = merged.Get().FindAllStringSubmatch(text, -1)
	default:
		if m := chosen.Get().FindStringSubmatch(text); m != nil {
			parts = [][]string{{"", m[1]}, {"", m[2]}}
		}
	}
	for _, p := range parts {
		if !v.fits32(p[1], depth-1) {
			return false
		}
	}
	return parts != nil
}
