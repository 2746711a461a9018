package codegen

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

var (
	floatCompared = lazy.Regexp{Expr: `^fcmp (?:[a-z]+ )*?(o[engl][eqt]|one|ord|u[engl][eqt]|une|uno|true|false) (?:float|double|half|<\d+ x (?:float|double|half)>) (.*)$`}
	floatChosen   = lazy.Regexp{Expr: `^select (?:[a-z]+ )*(?:i1|<\d+ x i1>) ([^ ,]+), ((?:float|double|half|<\d+ x (?:float|double|half)>) .*)$`}
	floatConstant = lazy.Regexp{Expr: `-?\d\.\d+e[-+]\d+|0x[0-9A-FH]+`}
)

// holdUnequal keeps AMDGPU's instruction selection from giving x for K in
//
//	%c = fcmp one float %x, K
//	%r = select i1 %c, float %y, float K
//
// as LLVM makes of "r := K; if x < K || x > K { r = y }". What is not unequal it takes for equal, so
// that it needs K once only, but x may be a NaN (SITargetLowering::performSelectCombine; seen in 22).
// The K that is chosen comes out of an assembly of no instructions. What is no comparison may be made one.
func holdUnequal(text string) (held string, ok bool) {
	named := strings.Count(text, "%heddle.kept.") // by others
	n := named
	held = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " fcmp ") || !strings.Contains(body, " select ") {
			return body
		}
		f := parseFlow(body)
		compared := f.comparedFloats()
		for _, name := range f.order {
			v := f.values[name]
			m := floatChosen.Get().FindStringSubmatch(v.text)
			if m == nil {
				continue
			}
			arms, line := splitOperands(m[2]), f.lines[v.line]
			var before []string
			for i, arm := range arms[:2] {
				if c := floatCompared.Get().FindStringSubmatch(f.text(m[1])); c != nil && c[1] != [...]string{"ueq", "one"}[i] {
					continue
				}
				if strings.Contains(arm, "%") || !slices.ContainsFunc(floatConstant.Get().FindAllString(arm, -1), func(k string) bool { return compared[k] }) {
					continue
				}
				typ := arm[:typeEnd(arm)]
				lines, hidden := hideConstant(typ, arm[len(typ)+1:], &n)
				if lines == nil {
					continue
				}
				arms[i] = typ + " " + hidden
				before = append(before, lines...)
			}
			f.lines[v.line] = strings.Join(append(before, line[:len(line)-len(m[2])]+strings.Join(arms, ", ")), "\n")
		}
		return strings.Join(f.lines, "\n")
	})
	return held, n > named
}

// comparedFloats are the constants that floats are compared with.
func (f *flow) comparedFloats() map[string]bool {
	constants := map[string]bool{}
	for _, v := range f.values {
		if m := floatCompared.Get().FindStringSubmatch(v.text); m != nil {
			for _, k := range floatConstant.Get().FindAllString(m[2], -1) {
				constants[k] = true
			}
		}
	}
	return constants
}

// typeEnd is where the type ends that an operand begins with, a number's or a vector's.
func typeEnd(operand string) int {
	if operand[0] == '<' {
		return strings.Index(operand, ">") + 1
	}
	return strings.Index(operand, " ")
}

// hideConstant is a constant that comes out of an assembly: a scalar one if it is one number of 32 or 64 bits.
func hideConstant(typ, k string, names *int) (lines []string, hidden string) {
	if typ != "float" && typ != "double" {
		return copyToVector(typ, k, names)
	}
	*names++
	hidden = fmt.Sprintf("%%heddle.kept.%d", *names)
	return []string{fmt.Sprintf("  %s = %s", hidden, opaque(inScalar, typ, k))}, hidden
}
