package codegen

import (
	"strings"

	"heddle/internal/lazy"
)

// This file keeps a value that costs no instruction in the block from which it comes to a phi:
//
//	if x < 5 { goto other }
//	store(y)
//	if z < 9 { goto end }
//	other: r = uint32(y)
//	end:
//
// LLVM 22 takes the two blocks between for the two ways of a condition, of which a lane goes one. So it makes r before
// the condition, and has the lanes that go the first way take what they bring to the end from there, though they may have gone on to "other"
// (StructurizeCFG, hoistZeroCostElseBlockPhiValues and simplifyHoistedPhis). Whether it does so depends on which of the two branches
// to "other" it looks at first. So such a value comes out of an assembly of no instructions, which is no instruction without cost.

// costless are instructions that may cost nothing.
var costless = lazy.Regexp{Expr: `^(?:trunc|zext|sext|fpext|bitcast|ptrtoint|inttoptr|addrspacecast|freeze|fneg|extractelement|insertelement|shufflevector|extractvalue|insertvalue|getelementptr|(?:tail )?call [^@]*@llvm\.(?:fabs|expect|ssa|launder|strip|ptrmask))\b`}

// keepInElse sends values that cost no instruction through assemblies, where they come to a phi from a block that
// lanes come to in several ways.
func keepInElse(text string) (kept string, ok bool) {
	named := strings.Count(text, "%heddle.kept.") // by others
	n := named
	kept = eachFunction(text, func(body string) string {
		if !branches(body) {
			return body
		}
		f := parseFlow(body)
		before := map[int][]string{} // new lines, by that which they precede
		for _, name := range f.order {
			v := f.values[name]
			typ, in, ok := v.phi()
			if !ok {
				continue
			}
			for _, pair := range in {
				x, from := f.values[pair[0]], f.label[pair[1]]
				if x == nil || from == nil || !costless.Get().MatchString(x.text) || len(from.succs) != 1 || !from.joins() {
					continue
				}
				lines, copied := copyValue(typ, pair[0], &n)
				if lines == nil {
					continue
				}
				before[from.end] = append(before[from.end], lines...)
				f.lines[v.line] = strings.Replace(f.lines[v.line], "[ "+pair[0]+", "+pair[1]+" ]", "[ "+copied+", "+pair[1]+" ]", 1)
			}
		}
		for at, lines := range before {
			f.lines[at] = strings.Join(append(lines, f.lines[at]), "\n")
		}
		return strings.Join(f.lines, "\n")
	})
	return kept, n > named
}

// joins reports whether several ways lead to a block, or to one that does nothing but lead to it.
func (b *flowBlock) joins() bool {
	for range 100 {
		if len(b.preds) != 1 {
			return len(b.preds) > 1
		}
		if p := b.preds[0]; len(p.succs) != 1 {
			return false
		}
		b = b.preds[0]
	}
	return true
}

// copyValue is copyToVector for conditions, too. A copy in scalar registers, of what is the same for all
// lanes, LLVM cannot always make: it loads 16 bits to vector registers only.
func copyValue(typ, value string, names *int) (lines []string, copied string) {
	if typ != "i1" {
		return copyToVector(typ, value, names)
	}
	w := &irLines{names: names}
	return w.done(w.let("icmp ne i32 %s, 0", w.assembly("i32", w.let("zext i1 %s to i32", value))))
}
