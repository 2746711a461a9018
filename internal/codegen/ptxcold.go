package codegen

import (
	"bytes"
	"slices"
	"strings"
)

// This file has checks that pass go straight on. LLVM ends a block with a branch past the way to a panic and a jump there; ptxas may then lay that way
// out behind the check, so that each check that passes is a branch that is taken, over 40 instructions.
//
//	@%p1 bra $L__BB0_2;            @!%p1 bra $L__BB0_7;
//	bra.uni $L__BB0_7;        ->   $L__BB0_2:
//	$L__BB0_2:

// coldAside is a module's text in which checks branch to panics.
func coldAside(text []byte) []byte {
	if !bytes.Contains(text, []byte("heddle_panic_lock;")) {
		return text
	}
	return eachPTX(text, coldAsideOf)
}

// coldAsideOf is coldAside for the lines of a function.
func coldAsideOf(lines []string) []string {
	blocks := ptxBlocks(lines)
	cold := coldPTX(blocks)
	var out []string
	for i, b := range blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		if last := len(b.lines) - 2; last >= 0 && i+1 < len(blocks) {
			past, to := ptxBranch.Get().FindStringSubmatch(b.lines[last]), ptxBranch.Get().FindStringSubmatch(b.lines[last+1])
			if past != nil && to != nil && past[1] == blocks[i+1].label && cold[to[1]] {
				out = append(append(out, b.lines[:last]...), inverted(b.lines[last], past[1], to[1]))
				continue
			}
		}
		out = append(out, b.lines...)
	}
	return out
}

// inverted is a branch on the opposite condition to another label.
func inverted(line, from, to string) string {
	line = strings.Replace(line, from, to, 1)
	if strings.Contains(line, "@!") {
		return strings.Replace(line, "@!", "@", 1)
	}
	return strings.Replace(line, "@", "@!", 1)
}

// coldPTX are the labels of blocks from which all ways lead to a panic.
func coldPTX(blocks []ptxBlock) map[string]bool {
	cold, index := map[string]bool{}, indexPTX(blocks)
	for _, b := range blocks {
		cold[b.label] = b.exits()
	}
	for again := true; again; {
		again = false
		for i, b := range blocks {
			next, ends := b.leadsTo(index)
			if !ends && i+1 < len(blocks) {
				next = append(next, i+1)
			}
			all := len(next) > 0 && !b.leavesElse()
			for _, to := range next {
				all = all && cold[blocks[to].label]
			}
			if all && !cold[blocks[i].label] {
				cold[b.label], again = true, true
			}
		}
	}
	return cold
}

// leavesElse reports whether a block returns, or has a branch to what is no block's label.
func (b ptxBlock) leavesElse() bool {
	return slices.ContainsFunc(b.lines, func(line string) bool {
		return strings.TrimSpace(line) == "ret;" || isPTX(line) && strings.Contains(line, "bra") && !ptxBranch.Get().MatchString(line)
	})
}
