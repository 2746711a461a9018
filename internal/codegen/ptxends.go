package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file gives each way to a panic an end of its own in PTX. LLVM has them meet in one block (package ssa2ir), in which
// ptxas then sees where lanes that part come together again: it does not look at ways that end, but that block ends and has ways from
// everywhere. So lanes that a branch of a loop parts go on one by one, as do those that leave the loop.
//
//	@%p1 bra $L__BB0_5; ...            @%p1 bra $L__BB0_5; ...
//	$L__BB0_5:                         $L__BB0_5:
//	mov.b32 %r9, 2;                    mov.b32 %r9, 2;
//	bra.uni $L__BB0_7;             ->  mov.u64 %rd8, heddle_panic_lock; ... exit;
//	$L__BB0_7:
//	mov.u64 %rd8, heddle_panic_lock; ... exit;

// mostEnds is how many ends a function has: each is about 35 instructions, which nobody runs, but which ptxas reads.
const mostEnds = 256

var (
	ptxLabel     = lazy.Regexp{Expr: `^(\$L__BB\d+_\d+):`}
	ptxBlockName = lazy.Regexp{Expr: `\$L__BB\d+_\d+`}
	ptxBranch    = lazy.Regexp{Expr: `^\s*(?:@!?%\w+\s+)?bra(?:\.uni)?\s+(\$L__BB\d+_\d+);`}
)

// A ptxBlock is a label and the lines behind it; the first of a function has no label.
type ptxBlock struct {
	label string
	lines []string // without the label
}

// partEnds is a module's text in which ways to a panic do not meet.
func partEnds(text []byte) []byte {
	if !bytes.Contains(text, []byte("heddle_panic_lock;")) {
		return text
	}
	return eachPTX(text, partEndsOf)
}

// partEndsOf is partEnds for the lines of a function.
func partEndsOf(lines []string) []string {
	blocks := ptxBlocks(lines)
	first, behind := ptxPanic(blocks)
	if first < 0 {
		return lines
	}
	var out []string
	n := 0
	for i, b := range blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		if i >= first && i < behind {
			out = append(out, b.lines...)
			continue
		}
		for _, line := range b.lines {
			if n < mostEnds && isJump(line, blocks[first].label) {
				n++
				out = append(out, copied(blocks[first:behind], n)...)
				continue
			}
			out = append(out, line)
		}
	}
	return out
}

// eachPTX replaces the lines of each function of a module's text.
func eachPTX(text []byte, replace func(lines []string) []string) []byte {
	var out bytes.Buffer
	lines := strings.SplitAfter(string(text), "\n")
	for at := 0; at < len(lines); at++ {
		out.WriteString(lines[at])
		if strings.TrimSpace(lines[at]) != "{" {
			continue
		}
		end := at + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "}") {
			end++
		}
		for _, line := range replace(lines[at+1 : end]) {
			out.WriteString(line)
		}
		at = end - 1
	}
	return out.Bytes()
}

// ptxBlocks are the blocks of a function.
func ptxBlocks(lines []string) []ptxBlock {
	blocks := []ptxBlock{{}}
	for _, line := range lines {
		if m := ptxLabel.Get().FindStringSubmatch(line); m != nil {
			blocks = append(blocks, ptxBlock{label: m[1]})
			continue
		}
		b := &blocks[len(blocks)-1]
		b.lines = append(b.lines, line)
	}
	return blocks
}

// ptxPanic is where the blocks begin that write a panic's record and end the thread, and the block behind them; -1 if there are none, or
// they lead elsewhere.
func ptxPanic(blocks []ptxBlock) (first, behind int) {
	first = slices.IndexFunc(blocks, func(b ptxBlock) bool {
		text := strings.Join(b.lines, "")
		return b.label != "" && strings.Contains(text, "heddle_panic_lock;") && strings.Contains(text, ".cas.b32")
	})
	if first < 0 {
		return -1, 0
	}
	inside := map[string]bool{}
	for behind = first; behind < len(blocks); behind++ {
		b := blocks[behind]
		inside[b.label] = true
		if !b.exits() {
			continue
		}
		for _, c := range blocks[first : behind+1] {
			for _, line := range c.lines {
				if m := ptxBranch.Get().FindStringSubmatch(line); m != nil && !inside[m[1]] {
					return -1, 0
				}
			}
		}
		return first, behind + 1
	}
	return -1, 0
}

// exits reports whether a block ends the thread.
func (b ptxBlock) exits() bool {
	for _, line := range slices.Backward(b.lines) {
		if isPTX(line) {
			return strings.TrimSpace(line) == "exit;"
		}
	}
	return false
}

// isJump reports whether a line is the jump to a block.
func isJump(line, label string) bool {
	m := ptxBranch.Get().FindStringSubmatch(line)
	return m != nil && m[1] == label && !strings.Contains(line, "@")
}

// copied are blocks once more, under other labels.
func copied(blocks []ptxBlock, n int) (lines []string) {
	labels := map[string]bool{}
	for _, b := range blocks[1:] {
		labels[b.label] = true
	}
	rename := func(label string) string {
		if labels[label] {
			return fmt.Sprint(label, "_end", n)
		}
		return label
	}
	for i, b := range blocks {
		if i > 0 {
			lines = append(lines, rename(b.label)+":\n")
		}
		for _, line := range b.lines {
			if !strings.HasPrefix(line, "$L__") {
				lines = append(lines, ptxBlockName.Get().ReplaceAllStringFunc(line, rename))
			}
		}
	}
	return lines
}
