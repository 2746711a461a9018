package codegen

import (
	"slices"
	"strings"
)

// This file is the flow of control in a function of PTX.

// A ptxLoop is a set of blocks each of which leads to all others: an outermost loop.
type ptxLoop struct {
	first int
	has   map[int]bool
	size  int // instructions
}

// A ptxFlow is what is known of a function's blocks.
type ptxFlow struct {
	next   [][]int
	far    [][]bool // the blocks that each leads to, itself only by way of others
	loops  []ptxLoop
	loopOf []int // the loop of each block, -1 for none
}

// mostFlow is how many blocks a function has of which the flow is looked at.
const mostFlow = 512

// flowOfPTX finds where blocks lead. There are no loops in what is too large to be looked at.
func flowOfPTX(blocks []ptxBlock) (f ptxFlow) {
	if len(blocks) > mostFlow {
		return f
	}
	index := indexPTX(blocks)
	for i, b := range blocks {
		next, ends := b.leadsTo(index)
		if !ends && i+1 < len(blocks) {
			next = append(next, i+1)
		}
		f.next = append(f.next, next)
	}
	for b := range blocks {
		far, todo := make([]bool, len(blocks)), slices.Clone(f.next[b])
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !far[n] {
				far[n] = true
				todo = append(todo, f.next[n]...)
			}
		}
		f.far = append(f.far, far)
	}
	f.findLoops(blocks)
	return f
}

// indexPTX is where blocks stand, by label.
func indexPTX(blocks []ptxBlock) map[string]int {
	index := map[string]int{}
	for i, b := range blocks {
		index[b.label] = i
	}
	return index
}

// findLoops finds the loops of the flow.
func (f *ptxFlow) findLoops(blocks []ptxBlock) {
	f.loopOf = slices.Repeat([]int{-1}, len(blocks))
	for b := range blocks {
		if !f.far[b][b] || f.loopOf[b] >= 0 {
			continue
		}
		l := ptxLoop{first: b, has: map[int]bool{}}
		for c := range blocks {
			if f.far[b][c] && f.far[c][b] {
				l.has[c] = true
				l.size += blocks[c].size()
				f.loopOf[c] = len(f.loops)
			}
		}
		f.loops = append(f.loops, l)
	}
}

// leads reports whether one block leads to another.
func (f *ptxFlow) leads(from, to int) bool { return f.far[from][to] }

// reaches reports whether a loop leads to a block outside.
func (f *ptxFlow) reaches(l ptxLoop, b int) bool { return !l.has[b] && f.far[l.first][b] }

// leadsTo are the blocks that a block's branches name, and whether it never goes on to the block behind it.
func (b ptxBlock) leadsTo(index map[string]int) (next []int, ends bool) {
	for _, line := range b.lines {
		text := strings.TrimSpace(line)
		if m := ptxBranch.Get().FindStringSubmatch(line); m != nil {
			if to, ok := index[m[1]]; ok {
				next = append(next, to)
			}
			ends = ends || !strings.HasPrefix(text, "@")
			continue
		}
		if text == "ret;" || text == "exit;" || text == "trap;" {
			ends = true
		}
	}
	return next, ends
}

// size is how many instructions a block has.
func (b ptxBlock) size() (n int) {
	for _, line := range b.lines {
		if text := strings.TrimSpace(line); strings.HasSuffix(text, ";") && !strings.HasPrefix(text, ".") {
			n++
		}
	}
	return n
}
