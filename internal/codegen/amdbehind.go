package codegen

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps negative numbers out of the scalar registers of scratch instructions; amdframe.go
// keeps them out of the others. The address of a[i-7], in a local array of 64-bit numbers, is that of a, 8*i
// and -56. If i is known not to be negative, instruction selection makes one scratch instruction of the three, which is right.
// But where several instructions are so, LLVM adds a and -56 ahead of all of them on gfx942
// (LocalStackSlotAllocation; seen in 17 and 19), and that is negative where a is among the frame's first bytes. So such
// an index comes out of an assembly of no instructions, and LLVM does not know that it has a constant in it.

var (
	// privateAddress is an address that is computed from one in private memory, and perhapsPrivate from one that may be.
	privateAddress = lazy.Regexp{Expr: `^getelementptr [^\n]*?, ptr addrspace\(5\) (` + valueName + `)(,[^!\n]*)`}
	perhapsPrivate = lazy.Regexp{Expr: `^getelementptr [^\n]*?, ptr(?: addrspace\(5\))? (` + valueName + `)(,[^!\n]*)`}
	// computedIndex is an index that is no constant.
	computedIndex = lazy.Regexp{Expr: `, (i32|i64) (` + valueName + `)`}
	// ofIntegers is a value made of one or two integers.
	ofIntegers = lazy.Regexp{Expr: `^(add|sub|or|shl|mul|zext|sext|trunc|freeze) (?:[a-z]+ )*i\d+ ([^ ,]+)(?:, ([^ ,]+))?`}
)

// scalarPrivate reports whether a processor's scratch instructions have a scalar and a vector register, and LLVM
// leaves a negative offset out of those that name a variable. From GFX11 on it leaves it in them.
func scalarPrivate(cpu string) bool {
	return scratchPrivate(cpu) && strings.HasPrefix(cpu, "gfx9")
}

// holdBehind hides the indices of private memory that have a negative constant in them.
func holdBehind(text string) (held string, ok bool) {
	n := 0
	held = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " = alloca ") {
			return body
		}
		address := &privateAddress
		if strings.Contains(body, " addrspacecast ptr addrspace(5) ") { // see loosenIndices
			address = &perhapsPrivate
		}
		f := parseFlow(body)
		h := holder{flow: f, address: address, n: &n, done: map[string]bool{}}
		for _, name := range f.order {
			h.hold(name, false)
		}
		return strings.Join(f.lines, "\n")
	})
	return held, n > 0
}

// A holder hides indices of a function.
type holder struct {
	*flow
	address *lazy.Regexp
	n       *int
	done    map[string]bool
}

// hold hides the indices of an address that have a negative constant in them, or all of them, and those of
// the addresses that it is made of: all of these if it is behind them.
func (h *holder) hold(name string, all bool) {
	v := h.values[name]
	if v == nil {
		return
	}
	m := h.address.Get().FindStringSubmatch(v.text)
	if m == nil {
		return
	}
	for _, index := range computedIndex.Get().FindAllStringSubmatch(m[2], -1) {
		if k := name + " " + index[2]; !h.done[k] && (all || h.hasBehind(index[2], false, 8)) {
			h.done[k] = true
			*h.n++
			held, line := fmt.Sprintf("%%heddle.behind.%d", *h.n), h.lines[v.line]
			h.lines[v.line] = fmt.Sprintf("  %s = %s\n%s", held, opaque(inVector, index[1], index[2]), replaceOperand(line, index[2], held))
		}
	}
	if all = all || strings.Contains(m[2], " -"); all {
		h.hold(m[1], true)
	}
}

// hasBehind reports whether an integer, or its negation, is a sum with a negative constant, as far as that is seen in so many steps.
func (f *flow) hasBehind(name string, negated bool, steps int) bool {
	if c, ok := constantOf(name); ok {
		return c != 0 && c < 0 != negated
	}
	v := f.values[name]
	if v == nil || steps == 0 {
		return false
	}
	m := ofIntegers.Get().FindStringSubmatch(v.text)
	if m == nil {
		return false
	}
	in := func(x string, negated bool) bool { return f.hasBehind(x, negated, steps-1) }
	switch m[1] {
	case "add", "or":
		return in(m[2], negated) || in(m[3], negated)
	case "sub":
		return in(m[2], negated) || in(m[3], !negated)
	case "mul":
		return !isConstant(m[2]) && (in(m[2], false) || in(m[2], true)) || !isConstant(m[3]) && (in(m[3], false) || in(m[3], true))
	}
	return in(m[2], negated) // of shl the count is none
}
