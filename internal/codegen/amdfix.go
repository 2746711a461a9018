package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// fixAMD rewrites what AMDGPU's back end would make wrong code of, in an
// optimised module's text.
func (r *Request) fixAMD(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, major int) (*llvm.Module, error) {
	if leaveDivisions {
		return m, nil
	}
	// votePanics leaves blocks out, and LLVM before release 19 reads no text in which a
	// numbered value is missing.
	if err := m.RunPasses(nameAll, tm); err != nil {
		return nil, err
	}
	var err error
	text, direct := r.directLanes(m.String())
	if direct {
		if m, err = c.ParseIR(r.Kernel+".ll", []byte(text)); err != nil {
			return nil, err
		}
		text = m.String()
	}
	text, divided := expandDivisions(text)
	if divided {
		if m, err = c.ParseIR(r.Kernel+".ll", []byte(text)); err != nil {
			return nil, err
		}
		if err := m.RunPasses(divisionPasses(r.level())+","+nameAll, tm); err != nil {
			return nil, err
		}
		text = m.String()
	}
	voted, ok, err := r.votePanics(text)
	if err != nil {
		return nil, err
	}
	if ok {
		if m, err = c.ParseIR(r.Kernel+".ll", []byte(voted)); err != nil {
			return nil, err
		}
		text = m.String()
	}
	// Divisions are inlined, so these come after them, and no pass after these.
	looped := false
	if m, err = r.apart(c, m, tm, text); err != nil {
		return nil, err
	}
	text = m.String()
	if branches(text) {
		if err := m.RunPasses(lcssa, tm); err != nil {
			return nil, err
		}
		text = m.String()
		if leaveTwoWays(text) {
			if err := m.RunPasses(oneExit(major), tm); err != nil {
				return nil, err
			}
			text = m.String()
		}
		text, looped = keepLoopValues(text, major, r.level() == 0)
	}
	rewritten := looped
	for _, w := range amdRewrites {
		if w.late == nil || w.on != nil && !w.on(r.CPU) || major < w.since || w.until != 0 && major > w.until {
			continue
		}
		done := false
		text, done = w.late(text)
		rewritten = rewritten || done
	}
	if rewritten {
		m, err = c.ParseIR(r.Kernel+".ll", []byte(text))
	}
	return m, err
}

// apart takes the aggregates of a module apart, and at O0 what nobody uses out of it.
func (r *Request) apart(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, text string) (_ *llvm.Module, err error) {
	switch {
	case aggregate.Get().MatchString(text):
		if err := m.RunPasses(nameAll, tm); err != nil {
			return nil, err
		}
		if m, err = c.ParseIR(r.Kernel+".ll", []byte(takeApart(m.String()))); err != nil {
			return nil, err
		}
		return m, m.RunPasses(foldParts, tm)
	case r.level() == 0:
		return m, m.RunPasses(unused, tm)
	}
	return m, nil
}

// A rewrite of a module's text keeps LLVM from wrong code. It reports whether it changed
// anything.
type rewrite struct {
	// on are the processors that need it, nil for all.
	on func(cpu string) bool
	// since and until are the first and the last release of LLVM that need it, 0 for all.
	since, until int
	// late rewrites an optimised module. early rewrites one that is not optimised yet:
	// comgr is given such a module, as it optimises and generates code in one step. Either
	// is nil if the rewrite is not made there.
	late, early func(text string) (string, bool)
}

// amdRewrites are those that need no analysis by LLVM in between, in their order.
var amdRewrites = [...]rewrite{
	{early: expandDivisions}, // late, before LLVM's passes over what it leaves
	{late: func(text string) (string, bool) { return expandOrs(text, false) }, early: func(text string) (string, bool) { return expandOrs(text, true) }},
	{late: hideZeros, early: hideZeros},
	{late: func(text string) (string, bool) { return hideShifts(text, false) }, early: func(text string) (string, bool) { return hideShifts(text, true) }},
	{late: keepDoubles, early: keepDoubles},
	{late: addForOr},
	{late: placeLanes},
	{late: compareSeen},
	{late: partBallots},
	{late: holdBallots},
	{late: holdCarries},
	{late: holdOverflows, since: 20},
	{late: holdWidths, until: 19},
	{late: turnDecisions},
	{late: holdVectors},
	{late: shortOffsets},
	{late: remakeAddresses, on: hasLaneOffsets},
	{late: partFar, on: hasFarOffsets},
	{late: partChoices},
	{late: holdUnequal, since: 20},
	{late: keepInElse, since: 20},
	{late: padFrames, on: buffersPrivate},
	{late: holdBehind, on: scalarPrivate},
	{late: loosenIndices, early: loosenIndices, on: scratchPrivate},
}

// rewriteAMD is for comgr: it knows less of what is rewritten.
func rewriteAMD(text string) string {
	for _, w := range amdRewrites {
		if w.early != nil {
			text, _ = w.early(text)
		}
	}
	return text
}

var (
	sum      = lazy.Regexp{Expr: `(?m)^( +)(%(?:"[^"\n]*"|[-\w$.]+) = f(add|sub) ((?:[a-z]+ )*?)(float|double|<\d+ x (?:float|double)>)) (.*)$`}
	zeroLane = lazy.Regexp{Expr: `^(?:splat )?\(?(?:float |double )?0\.000000e\+00\)?$`}
)

// hideZeros keeps AMDGPU's instruction selection, from release 17 on, from taking 0 - x
// for -x, which it does where it folds the negation into the instruction that uses it
// (SelectVOP3ModsImpl): 0 - 0 - y is then -0 - y, and -0 where y is 0. x + 0 is such a
// difference too, if x has a minus that LLVM can bring there. The zero comes out of an
// assembly of no instructions, of which LLVM knows nothing.
func hideZeros(text string) (fixed string, ok bool) {
	n := 0
	fixed = sum.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := sum.Get().FindStringSubmatch(line)
		if strings.Contains(m[4], "nsz") || strings.Contains(m[4], "fast") {
			return line // signs of zeros do not matter
		}
		operands := splitOperands(m[6])
		var before strings.Builder
		for i, o := range operands[:2] {
			if i == 0 || m[3] == "add" {
				operands[i] = hideZero(&before, m[1], m[5], o, &n)
			}
		}
		if before.Len() == 0 {
			return line
		}
		return before.String() + m[1] + m[2] + " " + strings.Join(operands, ", ")
	})
	return fixed, n > 0
}

// hideZero is an operand of some type, in which each constant 0 came out of an assembly.
func hideZero(w *strings.Builder, indent, typ, operand string, n *int) string {
	elem, lanes := typ, []string{operand}
	if m := floatVector.Get().FindStringSubmatch(typ); m != nil {
		count, _ := strconv.Atoi(m[1])
		elem = m[2]
		switch list, isList := strings.CutPrefix(operand, "<"); {
		case isList:
			lanes = splitOperands(strings.TrimSuffix(list, ">"))
		case operand == "zeroinitializer":
			lanes = slices.Repeat([]string{"0.000000e+00"}, count)
		default:
			lanes = slices.Repeat(lanes, count)
		}
	}
	zero := ""
	for i, lane := range lanes {
		if !zeroLane.Get().MatchString(lane) {
			continue
		}
		*n++
		name := "%heddle.zero." + strconv.Itoa(*n)
		if zero == "" {
			zero = name
			fmt.Fprintf(w, "%s%s = %s\n", indent, name, opaque(inScalar, elem, "0.000000e+00"))
			*n++
			name = "%heddle.zero." + strconv.Itoa(*n)
		}
		if elem == typ {
			return zero
		}
		fmt.Fprintf(w, "%s%s = insertelement %s %s, %s %s, i32 %d\n", indent, name, typ, operand, elem, zero, i)
		operand = name
	}
	return operand
}

var floatVector = lazy.Regexp{Expr: `^<(\d+) x (float|double)>$`}

// Where opaque keeps a value: in scalar registers, which all lanes share, or in vector ones.
const (
	inScalar = "s"
	inVector = "v"
)

// opaque is the instruction that gives x, of a type, and hides from LLVM what it is: an
// assembly without instructions.
func opaque(in, typ, x string) string {
	return fmt.Sprintf(`call %[2]s asm "", "=%[1]s,0"(%[2]s %[3]s) nounwind readnone`, in, typ, x)
}
