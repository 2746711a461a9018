package codegen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file computes in 32 bits what needs no more, in an optimised module for GPUs, which have no registers of 64: Go's ints that are made of bytes,
// for one, once loops are unrolled and local arrays of structures are values. (What is known of them before has
// been made so by then: ssa2ir's narrow.go.) LLVM leaves operations of 64 bits what they are.
//
//	%r = zext i8 %a to i64                 %heddle.short.r = zext i8 %a to i32
//	%s = zext i8 %b to i64                 %heddle.short.s = zext i8 %b to i32
//	%d = sub i64 %r, %s               ->   %heddle.short.d = sub nsw i32 %heddle.short.r, %heddle.short.s
//	%e = mul i64 %d, %d                    %heddle.short.e = mul nsw i32 %heddle.short.d, %heddle.short.d
//	%f = sitofp i64 %e to float            %f = sitofp i32 %heddle.short.e to float
//
// What each value may be is found first (shortrange.go). What others need in 64 bits is extended.

var (
	shortBinary = lazy.Regexp{Expr: `^(add|sub|mul|shl|and|or|xor|lshr|ashr|udiv|sdiv|urem|srem) (?:(?:nuw|nsw|exact|disjoint) )*(i8|i16|i32|i64) ([^ ,]+), ([^ ,]+)((?:, !.*)?)$`}
	shortExtend = lazy.Regexp{Expr: `^(zext|sext) (?:nneg )?(i\d+) (` + valueName + `) to (i32|i64)((?:, !.*)?)$`}
	shortTrunc  = lazy.Regexp{Expr: `^trunc (?:(?:nuw|nsw) )*i64 (` + valueName + `) to i32((?:, !.*)?)$`}
	shortNarrow = lazy.Regexp{Expr: `^trunc (?:(?:nuw|nsw) )*(i\d+) (` + valueName + `) to (i8|i16|i32)\b`}
	shortChoice = lazy.Regexp{Expr: `^select i1 ([^ ,]+), (i32|i64) ([^ ,]+), (?:i32|i64) ([^ ,]+)((?:, !.*)?)$`}
	shortLimit  = lazy.Regexp{Expr: `^(?:tail )?call (?:noundef )?(i32|i64) @llvm\.(smin|smax|umin|umax)\.i(?:32|64)\(i(?:32|64) ([^ ,]+), i(?:32|64) ([^ ,)]+)\)(?: #\d+)?((?:, !.*)?)$`}
	shortOrder  = lazy.Regexp{Expr: `^icmp (\w+) i64 ([^ ,]+), ([^ ,]+)((?:, !.*)?)$`}
	shortFloat  = lazy.Regexp{Expr: `^(sitofp|uitofp)(?: nneg)? i64 (` + valueName + `) to (half|float|double)((?:, !.*)?)$`}
)

// shortened is an optimised module with what needs 32 bits in as many.
func (r *Request) shortened(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if r.level() == 0 || !maybeShort(m.String()) {
		return m, nil
	}
	return r.rewritten(c, m, tm, shortenValues, "function(early-cse)")
}

// maybeShort reports whether there may be such values.
func maybeShort(text string) bool {
	return strings.Contains(text, " to i64") || strings.Contains(text, " = and i64 ") || strings.Contains(text, " = lshr i64 ")
}

// shortenValues rewrites the values of a module after nameAll. ok is false if there is nothing but comparisons and the like.
func shortenValues(text string) (short string, ok bool) {
	known, limits := rangesIn(text), map[string]bool{}
	short = eachFunction(text, func(body string) string {
		if !maybeShort(body) {
			return body
		}
		f := &shortener{ranges: newRanges(parseFlow(body), known), behind: map[*flowBlock][]string{}, limits: limits}
		f.ranges.find()
		if !f.pays() {
			return body
		}
		ok = true
		for _, name := range f.order {
			f.rewrite(name)
		}
		for b, lines := range f.behind {
			at := b.begin
			for strings.Contains(f.lines[at], " = phi ") {
				at++
			}
			f.lines[at] = strings.Join(append(lines, f.lines[at]), "\n")
		}
		return strings.Join(f.lines, "\n")
	})
	for name := range limits {
		if declared := "declare i32 @llvm." + name + ".i32(i32, i32)"; !strings.Contains(short, declared) {
			short += "\n" + declared + "\n"
		}
	}
	return short, ok
}

// A shortener rewrites the values of a function.
type shortener struct {
	*ranges
	behind map[*flowBlock][]string // lines behind a block's phis
	limits map[string]bool         // the functions that it calls
}

// isShort reports whether an operand of 64 bits is known to need 32, with its sign.
func (f *shortener) isShort(operand string) bool { return f.of(operand, 64).within(interval32) }

// low is an operand of 64 bits in 32.
func (f *shortener) low(operand string) string {
	if f.values[operand] == nil {
		return operand // a constant
	}
	return shortName(operand)
}

func shortName(name string) string {
	if rest, ok := strings.CutPrefix(name, `%"`); ok {
		return `%"heddle.short.` + rest
	}
	return "%heddle.short." + name[1:]
}

// pays reports whether there is an operation of which the short form is less work.
func (f *shortener) pays() bool {
	return slices.ContainsFunc(f.order, func(name string) bool {
		v := f.values[name]
		if m := shortBinary.Get().FindStringSubmatch(v.text); m != nil {
			return m[2] == "i64" && f.isShort(name)
		}
		if _, _, ok := f.window(name, v); ok {
			return true
		}
		if m := shortFloat.Get().FindStringSubmatch(v.text); m != nil {
			return f.isFloatOf(m)
		}
		if m := shortChoice.Get().FindStringSubmatch(v.text); m != nil {
			return m[2] == "i64" && f.isShort(name)
		}
		return false
	})
}

// rewrite makes a value's short form, if it has one, and the value of that; or what else is made of short ones.
func (f *shortener) rewrite(name string) {
	v := f.values[name]
	line := "  " + name + " = "
	if sum, test, ok := f.window(name, v); ok {
		f.lines[v.line] = "  " + sum + "\n" + line + test
		return
	}
	if m := shortOrder.Get().FindStringSubmatch(v.text); m != nil {
		if f.isShort(m[2]) && f.isShort(m[3]) { // their extensions keep the order, also that of what is taken to have no sign
			f.lines[v.line] = line + "icmp " + m[1] + " i32 " + f.low(m[2]) + ", " + f.low(m[3]) + m[4]
		}
		return
	}
	if m := shortFloat.Get().FindStringSubmatch(v.text); m != nil {
		if f.isFloatOf(m) {
			f.lines[v.line] = line + "sitofp i32 " + f.low(m[2]) + " to " + m[3] + m[4]
		}
		return
	}
	if m := shortTrunc.Get().FindStringSubmatch(v.text); m != nil {
		if f.isShort(m[1]) {
			f.lines[v.line] = line + "bitcast i32 " + f.low(m[1]) + " to i32" + m[2]
		}
		return
	}
	if f.width(v) != 64 || !f.isShort(name) {
		return
	}
	how := "sext i32 "
	if f.of(name, 64).lo >= 0 {
		how = "zext i32 "
	}
	short := shortName(name)
	extend := line + how + short + " to i64"
	if code := f.code(name, v); code != "" {
		f.lines[v.line] = "  " + short + " = " + code
		if _, _, isPhi := v.phi(); isPhi {
			f.behind[v.block] = append(f.behind[v.block], extend)
			return
		}
		f.lines[v.line] += "\n" + extend
		return
	}
	trunc := "  " + short + " = trunc i64 " + name + " to i32"
	if _, _, isPhi := v.phi(); isPhi {
		f.behind[v.block] = append(f.behind[v.block], trunc)
		return
	}
	f.lines[v.line] += "\n" + trunc
}

// isFloatOf reports whether a conversion, as shortFloat finds it, may be of 32 bits with their sign.
func (f *shortener) isFloatOf(m []string) bool {
	return f.isShort(m[2]) && (m[1] == "sitofp" || f.of(m[2], 64).lo >= 0)
}

// code is the operation of 32 bits that makes a value's short form, "" if there is none.
func (f *shortener) code(name string, v *flowValue) string {
	if m := shortExtend.Get().FindStringSubmatch(v.text); m != nil {
		if m[2] == "i32" {
			return fmt.Sprintf("bitcast i32 %s to i32%s", m[3], m[5])
		}
		return fmt.Sprintf("%s %s %s to i32%s", m[1], m[2], m[3], m[5])
	}
	if m := shortBinary.Get().FindStringSubmatch(v.text); m != nil {
		return f.binary(m[1], m[3], m[4], f.of(name, 64), m[5])
	}
	if m := shortChoice.Get().FindStringSubmatch(v.text); m != nil {
		if !f.isShort(m[3]) || !f.isShort(m[4]) {
			return ""
		}
		return fmt.Sprintf("select i1 %s, i32 %s, i32 %s%s", m[1], f.low(m[3]), f.low(m[4]), m[5])
	}
	if m := shortLimit.Get().FindStringSubmatch(v.text); m != nil {
		if !f.isShort(m[3]) || !f.isShort(m[4]) {
			return ""
		}
		f.limits[m[2]] = true
		return fmt.Sprintf("call i32 @llvm.%s.i32(i32 %s, i32 %s)%s", m[2], f.low(m[3]), f.low(m[4]), m[5])
	}
	return f.phiCode(v)
}

// binary is an operator of 32 bits, "" where it would make something else. Flags say what is known.
func (f *shortener) binary(op, a, b string, r interval, tail string) string {
	x, y := f.of(a, 64), f.of(b, 64)
	if op == "and" && x.within(interval32) && x.lo >= 0 && y.lo == y.hi {
		y = interval{y.lo & math.MaxInt32, y.lo & math.MaxInt32} // all that there is of x
		b = strconv.FormatInt(y.lo, 10)
	}
	if !x.within(interval32) || !y.within(interval32) {
		return ""
	}
	flags := ""
	switch op {
	case "add", "sub", "mul":
		flags = "nsw "
	case "shl":
		if flags = "nsw "; !y.within(interval{0, 31}) {
			return ""
		}
	case "lshr", "ashr":
		if !y.within(interval{0, 31}) || op == "lshr" && x.lo < 0 {
			return ""
		}
	case "udiv", "urem", "sdiv", "srem":
		if y.lo <= 0 || op[0] == 'u' && x.lo < 0 {
			return ""
		}
	}
	if flags != "" && x.lo >= 0 && y.lo >= 0 && r.lo >= 0 {
		flags = "nuw nsw "
	}
	return fmt.Sprintf("%s %si32 %s, %s%s", op, flags, f.low(a), f.low(b), tail)
}

// phiCode is a phi of short values, "" for others. On NVIDIA's GPUs a counter that is extended in each iteration takes registers more.
func (f *shortener) phiCode(v *flowValue) string {
	_, in, ok := v.phi()
	if !ok || f.nvidia {
		return ""
	}
	var all []string
	for _, edge := range in {
		if edge[0] != "undef" && edge[0] != "poison" && !f.isShort(edge[0]) {
			return ""
		}
		all = append(all, "[ "+f.low(edge[0])+", "+edge[1]+" ]")
	}
	_, tail, _ := strings.Cut(v.text, ", !")
	if tail != "" {
		tail = ", !" + tail
	}
	return "phi i32 " + strings.Join(all, ", ") + tail
}
