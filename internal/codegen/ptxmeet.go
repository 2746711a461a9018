package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// This file has ptxas let lanes that part meet again behind a loop or a branch, and not on the way to a panic. Where the ways of lanes end apart,
// ptxas lets lanes meet on the way that weighs most, and that was a panic's, with its 40 instructions, against a store and a return behind a loop. So lanes that
// left a loop one after another went on one by one, as did those that a branch in the loop parted. So each return outweighs the panics, by
// stores that no thread comes to.
//
//	ret;   ->   mov.u32 %heddle_n, %nctaid.x;       // a grid has a block at least
//	            setp.eq.u32 %heddle_p, %heddle_n, 0;
//	            @%heddle_p bra $L__heddle_meet1;
//	            ret;
//	            $L__heddle_meet1: st.volatile.global.u32 [heddle_panic_lock], %heddle_n; ...
//	            ret;

const (
	moreThanPanic = 8   // how many stores more a return has than the heaviest way to a panic has instructions
	mostWeight    = 512 // and how many at most
)

// meetAtReturns is a module's text with heavy returns in functions that panic, each of which has an end of its own.
func meetAtReturns(text []byte) []byte {
	if !bytes.Contains(text, []byte("heddle_panic_lock;")) {
		return text
	}
	return eachPTX(text, meetAtReturnsOf)
}

// meetAtReturnsOf is meetAtReturns for the lines of a function.
func meetAtReturnsOf(lines []string) []string {
	blocks := ptxBlocks(lines)
	if first, _ := ptxPanic(blocks); first < 0 {
		return lines
	}
	early, ok := earlyReturns(blocks)
	if !ok {
		return lines
	}
	var out []string
	n, weight := 0, min(heaviestPanic(blocks)+moreThanPanic, mostWeight)
	for i, b := range blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		for _, line := range b.lines {
			if strings.TrimSpace(line) == "ret;" && !early[ptxWay{i, ""}] {
				n++
				out = append(out, heavyReturn(n, weight)...)
				continue
			}
			if m := ptxBranch.Get().FindStringSubmatch(line); m != nil && early[ptxWay{i, m[1]}] {
				line = strings.Replace(line, m[1], m[1]+plainReturn, 1)
			}
			out = append(out, line)
		}
		if _, ends := b.leadsTo(nil); !ends && i+1 < len(blocks) && early[ptxWay{i, blocks[i+1].label}] {
			out = append(out, "\tbra.uni \t"+blocks[i+1].label+plainReturn+";\n")
		}
		if early[ptxWay{-1, b.label}] {
			out = append(out, b.label+plainReturn+":\n", "\tret;\n")
		}
	}
	return out
}

// plainReturn ends the label of a return that weighs nothing.
const plainReturn = "_out"

// A ptxWay leads from a block to a label; from -1, it is any way to it. To no label, it returns.
type ptxWay struct {
	from int
	to   string
}

// heavyReturn is the n-th return of a function.
func heavyReturn(n, weight int) []string {
	lines := []string{
		"\t{\n",
		"\t.reg .pred %heddle_p;\n",
		"\t.reg .b32 %heddle_n;\n",
		"\tmov.u32 %heddle_n, %nctaid.x;\n",
		"\tsetp.eq.u32 %heddle_p, %heddle_n, 0;\n",
		fmt.Sprintf("\t@%%heddle_p bra $L__heddle_meet%d;\n", n),
		"\tret;\n",
		fmt.Sprintf("$L__heddle_meet%d:\n", n),
	}
	lines = append(lines, slices.Repeat([]string{"\tst.volatile.global.u32 [heddle_panic_lock], %heddle_n;\n"}, weight)...)
	return append(lines, "\tret;\n", "\t}\n")
}

// heaviestPanic is how many instructions the largest part of a function has that leads to panics alone.
func heaviestPanic(blocks []ptxBlock) (most int) {
	cold, index := coldPTX(blocks), indexPTX(blocks)
	for from, b := range blocks {
		if !cold[b.label] {
			continue
		}
		size, seen, todo := 0, map[int]bool{}, []int{from}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !seen[at] {
				seen[at] = true
				size += blocks[at].size()
				next, _ := blocks[at].leadsTo(index)
				todo = append(todo, next...)
			}
		}
		most = max(most, size)
	}
	return most
}

// earlyReturns are the ways to a return that lanes must not wait at, as others of their warp may come to a barrier, which waits for those
// that have not returned: the ways from blocks that may still come to one, or that no barrier leads to where there is one. A return in such a
// block is a way from the block to no label. ok is false for what is too large to be looked at.
func earlyReturns(blocks []ptxBlock) (early map[ptxWay]bool, ok bool) {
	var barriers []int
	for i, b := range blocks {
		if b.waits() {
			barriers = append(barriers, i)
		}
	}
	if len(barriers) == 0 {
		return nil, true
	}
	flow := flowOfPTX(blocks)
	if flow.far == nil {
		return nil, false
	}
	early = map[ptxWay]bool{}
	for i := range blocks {
		ahead := func(b int) bool { return flow.leads(i, b) }
		past := func(b int) bool { return b == i || flow.leads(b, i) }
		if slices.ContainsFunc(barriers, past) && !slices.ContainsFunc(barriers, ahead) {
			continue
		}
		early[ptxWay{i, ""}] = true
		for _, to := range flow.next[i] {
			if blocks[to].returns() {
				early[ptxWay{i, blocks[to].label}], early[ptxWay{-1, blocks[to].label}] = true, true
			}
		}
	}
	return early, true
}

// returns reports whether a block does nothing but return.
func (b ptxBlock) returns() bool {
	is := func(line string) bool { return strings.TrimSpace(line) == "ret;" }
	return b.label != "" && b.size() == 1 && slices.ContainsFunc(b.lines, is)
}

// waits reports whether lanes wait for others in a block.
func (b ptxBlock) waits() bool {
	for _, line := range b.lines {
		if text := strings.TrimSpace(line); strings.Contains(text, ".sync.") || strings.HasPrefix(text, "bar.") || strings.HasPrefix(text, "barrier.") {
			return true
		}
	}
	return false
}
