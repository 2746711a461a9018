package codegen

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps a choice and a branch by one condition apart, where it is the same for all lanes. AMDGPU's back end
// makes one s_and of both, whose result is the branch's and whose scalar condition code (SCC) the choice's. It takes the s_and
// out again where it stands behind a comparison of vectors, as the branch has no need of it, and the choice then is by whatever wrote
// SCC before (SIPreEmitPeephole, optimizeVccBranch; releases to 22, llvm-project's pull request 215829):
//
//	%c = icmp slt i64 %x, %y
//	%n = select i1 %c, i64 %p, i64 %q
//	br i1 %c, label %far, label %near
//
// So the choice is by the opposite comparison:
//
//	%heddle.other.1 = icmp sge i64 %x, %y
//	%n = select i1 %heddle.other.1, i64 %q, i64 %p
//
// What is no comparison is hidden from LLVM, which then takes it for different between lanes.

var (
	blockBranch    = lazy.Regexp{Expr: `^  br i1 (` + valueName + `), `}
	choiceLine     = lazy.Regexp{Expr: `^(  ` + valueName + ` = select (?:[a-z]+ )*)i1 (` + valueName + `), (.*)$`}
	extremeLine    = lazy.Regexp{Expr: `^(  ` + valueName + `) = (?:tail )?call i64 @llvm\.([su])(min|max)\.i64\(i64 ([^\s,]+), i64 ([^\s,)]+)\)(.*)$`}
	comparisonLine = lazy.Regexp{Expr: `^  (` + valueName + `) = ([if]cmp) ((?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast|samesign) )*)(\w+) ([^\n]*)$`}
)

// opposites are pairs of predicates of which one holds where the other does not.
var opposites = [...]string{"icmp eq ne", "icmp ult uge", "icmp ule ugt", "icmp slt sge", "icmp sle sgt",
	"fcmp oeq une", "fcmp olt uge", "fcmp ole ugt", "fcmp ogt ule", "fcmp oge ult", "fcmp one ueq", "fcmp ord uno"}

// partChoices rewrites the choices by a condition that the block's branch is by, too, and the smaller and larger
// ones of numbers that the branch compares.
func partChoices(text string) (parted string, ok bool) {
	p := choiceParter{}
	parted = eachFunction(text, func(body string) string {
		p.lines, p.compares, p.before = strings.Split(body, "\n"), map[string][]string{}, map[int]string{}
		begin := 0
		for at, line := range p.lines {
			if m := comparisonLine.Get().FindStringSubmatch(line); m != nil {
				p.compares[m[1]] = m
			} else if b := blockBranch.Get().FindStringSubmatch(line); b != nil {
				p.block(begin, at, b[1])
			} else if line != "" && line[0] != ' ' { // a label
				begin = at
			}
		}
		for at, text := range p.before {
			p.lines[at] = text + "\n" + p.lines[at]
		}
		return strings.Join(p.lines, "\n")
	})
	return parted, p.n > 0
}

// A choiceParter rewrites the functions of a module.
type choiceParter struct {
	n        int // names made
	lines    []string
	compares map[string][]string // the comparisons so far, by their results
	before   map[int]string      // what comes before a line
}

// block rewrites the lines of a block whose branch is by a condition.
func (p *choiceParter) block(begin, end int, condition string) {
	compare, other := p.compares[condition], ""
	name := func(at int) string {
		if other == "" {
			p.n++
			other = fmt.Sprintf("%%heddle.other.%d", p.n)
			p.before[at] = otherWay(other, condition, compare)
		}
		return other
	}
	for at := begin; at < end; at++ {
		line := p.lines[at]
		if m := choiceLine.Get().FindStringSubmatch(line); m != nil && m[2] == condition {
			arms := splitOperands(m[3])
			arms[0], arms[1] = arms[1], arms[0]
			p.lines[at] = m[1] + "i1 " + name(at) + ", " + strings.Join(arms, ", ")
		}
		m := extremeLine.Get().FindStringSubmatch(line)
		if m == nil || compare == nil || compare[2] != "icmp" {
			continue
		}
		// The branch is by x < y, or the like: the other way y is the smaller one, and comes first for min.
		x, y, first := m[4], m[5], (compare[4][1] == 'g') == (m[3] == "max")
		operands := splitOperands(compare[5])
		if compare[4][:1] != m[2] || operands[0] != "i64 "+x || operands[1] != y {
			if compare[4][:1] != m[2] || operands[0] != "i64 "+y || operands[1] != x {
				continue
			}
			x, y = y, x
		}
		if first {
			x, y = y, x
		}
		_, debug, _ := strings.Cut(m[6], ", ") // behind the call's attributes
		p.lines[at] = strings.TrimSuffix(fmt.Sprintf("%s = select i1 %s, i64 %s, i64 %s, %s", m[1], name(at), x, y, debug), ", ")
	}
}

// otherWay is the text that gives the opposite of a condition a name. compare is the comparison that
// made it, nil if it was none.
func otherWay(name, condition string, compare []string) string {
	if compare == nil || compare[4] == "true" || compare[4] == "false" {
		return fmt.Sprintf("  %s.bit = zext i1 %s to i32\n  %[1]s.hidden = %[3]s\n  %[1]s = icmp eq i32 %[1]s.hidden, 0", name, condition, opaque(inVector, "i32", name+".bit"))
	}
	predicate := ""
	for _, pair := range opposites {
		switch words := strings.Fields(pair); {
		case words[0] != compare[2]:
		case words[1] == compare[4]:
			predicate = words[2]
		case words[2] == compare[4]:
			predicate = words[1]
		}
	}
	return fmt.Sprintf("  %s = %s %s%s %s", name, compare[2], compare[3], predicate, compare[5])
}
