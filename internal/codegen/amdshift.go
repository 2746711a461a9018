package codegen

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps the sign in "x<<16 | x>>16" of signed numbers. In releases to 22,
// AMDGPU's instruction selection looks for the bytes of which a disjunction is made, to
// take them by one v_perm_b32, and has those above a signed shift for 0, where they are
// copies of the sign (llvm-project's pull request 198708). Shifts by whole bytes take
// part, and divisions by 256, 1<<16 and 1<<24, which become such. So do shifts of 64 bits
// by 40, 48 and 56, and divisions: of the upper half these are shifts by 8, 16 and 24, as LLVM
// finds where only the lower half of the result is used. So where a disjunction
// may find one, the count comes out of an assembly of no instructions, of which LLVM
// knows nothing.

var (
	signedShift   = lazy.Regexp{Expr: `^(ashr|sdiv)(?: exact)? (i(?:16|32|64)|<\d+ x i(?:16|32|64)>) (%(?:"[^"]*"|[-\w$.]+)), ([^%!]*?)(, !dbg .*)?$`}
	wholeBytes    = lazy.Regexp{Expr: `(?:^|i(?:16|32) )(?:8|16|24)\b`}
	wholeBytes64  = lazy.Regexp{Expr: `(?:^|i64 )(?:40|48|56)\b`}
	byteDivisor   = lazy.Regexp{Expr: `(?:^|i(?:16|32) )(256|65536|16777216)\b`}
	byteDivisor64 = lazy.Regexp{Expr: `(?:^|i64 )(1099511627776|281474976710656|72057594037927936)\b`}
)

// hideShifts hides the counts of signed shifts whose results are parts of a disjunction.
// early says that LLVM has yet to optimise the module: then it hides those of all.
func hideShifts(text string, early bool) (hidden string, ok bool) {
	n := 0
	hidden = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " = ashr ") && !strings.Contains(body, " = sdiv ") {
			return body
		}
		f := parseFlow(body)
		seen := map[string]bool{}
		for _, name := range f.order {
			if v := f.values[name].text; early || strings.HasPrefix(v, "or ") || strings.Contains(v, "@llvm.fsh") {
				f.hideShift(name, seen, &n)
			}
		}
		return strings.Join(f.lines, "\n")
	})
	return hidden, n > 0
}

// hideShift hides the count of a value, and those of what its bytes may come from.
func (f *flow) hideShift(name string, seen map[string]bool, n *int) {
	v := f.values[name]
	if v == nil || seen[name] {
		return
	}
	seen[name] = true
	if m := signedShift.Get().FindStringSubmatch(v.text); m != nil {
		f.lines[v.line] = hiddenShift(name, m, f.lines[v.line], n)
	}
	switch op, _, _ := strings.Cut(v.text, " "); op {
	case "or", "and", "shl", "lshr", "ashr", "mul", "zext", "sext", "trunc", "bitcast", "freeze", "extractelement", "insertelement", "shufflevector", "call", "tail":
		for _, u := range v.uses {
			f.hideShift(u, seen, n)
		}
	}
}

// hiddenShift is a shift by a count that LLVM does not know, from the parts that
// signedShift finds; or the line as it stands, if it does not shift by whole bytes.
func hiddenShift(name string, m []string, line string, n *int) string {
	typ, x, count, debug := m[2], m[3], m[4], m[5]
	var b strings.Builder
	let := func(format string, args ...any) string {
		*n++
		name := fmt.Sprintf("%%heddle.shift.%d", *n)
		fmt.Fprintf(&b, "  %s = %s%s\n", name, fmt.Sprintf(format, args...), debug)
		return name
	}
	whole, divisors, width := &wholeBytes, &byteDivisor, 32
	switch {
	case strings.Contains(typ, "i64"):
		whole, divisors, width = &wholeBytes64, &byteDivisor64, 64
	case strings.Contains(typ, "i16"):
		width = 16
	}
	if m[1] == "sdiv" {
		d := divisors.Get().FindStringSubmatch(count)
		if d == nil {
			return line
		}
		other := strings.NewReplacer("i16", "", "i32", "", "i64", "").Replace(count)
		if strings.ContainsAny(strings.ReplaceAll(other, d[1], ""), "0123456789") {
			return line // a lane has another divisor
		}
		at := func(c int) string { return strings.ReplaceAll(count, d[1], strconv.Itoa(c)) }
		divisor, _ := strconv.Atoi(d[1])
		log := bits.TrailingZeros(uint(divisor))
		sign := let("ashr %s %s, %s", typ, x, at(width-1))
		x = let("add %s %s, %s", typ, x, let("lshr %s %s, %s", typ, sign, at(width-log)))
		count = at(log)
	}
	if !whole.Get().MatchString(count) {
		return line
	}
	count = let("%s", opaque(inScalar, typ, count))
	fmt.Fprintf(&b, "  %s = ashr %s %s, %s%s", name, typ, x, count, debug)
	return b.String()
}
