package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fewer is a condition by which a block leads to a panic without what the rest of it says,
// where it is several comparisons joined, and the lines that join them. Checks of x, x+8 and
// x+16 below 32, of a loop that LLVM has unrolled, are x > 31, x > 23 and x > 15.
func (f *flow) fewer(cond string, n int) (less string, lines []string) {
	leaves := f.joined(cond, nil)
	least := map[string]int{} // in kept, by what is compared
	var kept []string
	for _, leaf := range leaves {
		what, c := f.above(leaf)
		at, seen := least[what]
		switch {
		case what == "":
			kept = append(kept, leaf)
		case !seen:
			least[what] = len(kept)
			kept = append(kept, leaf)
		default:
			if _, old := f.above(kept[at]); c < old {
				kept[at] = leaf
			}
		}
	}
	if len(kept) == len(leaves) {
		return cond, nil
	}
	less = kept[0]
	for i, leaf := range kept[1:] {
		name := fmt.Sprintf("%%heddle.fewer.%d.%d", n, i)
		lines = append(lines, fmt.Sprintf("  %s = or i1 %s, %s", name, less, leaf))
		less = name
	}
	f.differs[less] = f.differs[cond]
	return less, lines
}

// joined is all with what a condition joins, each once.
func (f *flow) joined(cond string, all []string) []string {
	if v := f.values[cond]; v != nil {
		if rest, ok := strings.CutPrefix(v.text, "or i1 "); ok {
			rest, _, _ = strings.Cut(rest, ", !dbg")
			for _, o := range splitOperands(rest) {
				all = f.joined(o, all)
			}
			return all
		}
	}
	if slices.Contains(all, cond) {
		return all
	}
	return append(all, cond)
}

// above is the number that a comparison's value is above where it holds, and what tells the
// value: "" for another comparison.
func (f *flow) above(cond string) (what string, c int64) {
	v := f.values[cond]
	if v == nil || !strings.HasPrefix(v.text, "icmp ") {
		return "", 0
	}
	text, _, _ := strings.Cut(strings.Replace(v.text, " samesign", "", 1), ", !dbg")
	what, last, _ := strings.Cut(text, ", ")
	c, err := strconv.ParseInt(last, 10, 64)
	if how := strings.Fields(what)[1]; err != nil || how != "sgt" && (how != "ugt" || c < 0) {
		return "", 0
	}
	return what, c
}
