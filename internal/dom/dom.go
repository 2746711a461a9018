// Package dom finds the dominators of control flow.
package dom

// Immediate are the immediate dominators of n blocks, which are numbered in reverse
// postorder from the root, 0, by the algorithm of Cooper, Harvey and Kennedy ("A Simple,
// Fast Dominance Algorithm"). preds calls have with the numbers of a block's
// predecessors; a negative one is left out. The root's own is 0; a block that the root
// does not reach has -1.
//
// Postdominators are the dominators of the reversed control flow.
func Immediate(n int, preds func(block int, have func(pred int))) []int {
	idom := make([]int, n)
	for i := range idom {
		idom[i] = -1
	}
	idom[0] = 0
	meet := func(a, b int) int {
		for a != b {
			for a > b {
				a = idom[a]
			}
			for b > a {
				b = idom[b]
			}
		}
		return a
	}
	var d int
	have := func(p int) {
		switch {
		case p < 0 || idom[p] < 0:
		case d < 0:
			d = p
		default:
			d = meet(p, d)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := 1; i < n; i++ {
			d = -1
			preds(i, have)
			if idom[i] != d {
				idom[i], changed = d, true
			}
		}
	}
	return idom
}
