package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// This file has ptxas let lanes that part meet again behind a loop or a branch, and not on the way to a panic. Where the ways of lanes end apart,
// ptxas lets lanes meet on the way that weighs most, and that was a panic's, with its 40 instructions, against a store and a return behind a loop. So lanes that
// left a loop one after another went on one by one, as did those that a branch in the loop parted. Nothing weighs more than what needs all
// lanes of a warp. So each return gets a vote, which no thread comes to.
//
//	ret;   ->   mov.u32 %heddle_n, %nctaid.x;       // a grid has a block at least
//	            setp.eq.u32 %heddle_p, %heddle_n, 0;
//	            @%heddle_p bra $L_heddle_meet1;
//	            ret;
//	            $L_heddle_meet1: vote.sync.ballot.b32 %heddle_n, %heddle_p, -1; ...
//	            ret;

// meetAtReturns is a module's text with a vote at the returns of functions that panic.
func meetAtReturns(text []byte) []byte {
	if !strings.Contains(string(text), "heddle_panic_lock;") {
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
	n := 0
	for i, b := range blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		for _, line := range b.lines {
			if strings.TrimSpace(line) == "ret;" {
				n++
				out = append(out, votingReturn(n)...)
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

// plainReturn ends the label of a return without a vote.
const plainReturn = "_out"

// A ptxWay leads from a block to a label; from -1, it is any way to it.
type ptxWay struct {
	from int
	to   string
}

// votingReturn is the n-th return of a function, with a vote.
func votingReturn(n int) []string {
	return []string{
		"\t{\n",
		"\t.reg .pred %heddle_p;\n",
		"\t.reg .b32 %heddle_n;\n",
		"\tmov.u32 %heddle_n, %nctaid.x;\n",
		"\tsetp.eq.u32 %heddle_p, %heddle_n, 0;\n",
		fmt.Sprintf("\t@%%heddle_p bra $L__heddle_meet%d;\n", n),
		"\tret;\n",
		fmt.Sprintf("$L__heddle_meet%d:\n", n),
		"\tvote.sync.ballot.b32 %heddle_n, %heddle_p, -1;\n",
		"\tst.volatile.global.u32 [heddle_panic_lock], %heddle_n;\n",
		"\tret;\n",
		"\t}\n",
	}
}

// earlyReturns are the ways to a return that lanes must not wait at: others of their warp may come to a barrier, which waits for those
// that have not returned. ok is false for what is too large to be looked at.
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
		for _, to := range flow.next[i] {
			if blocks[to].returns() && slices.ContainsFunc(barriers, ahead) {
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
