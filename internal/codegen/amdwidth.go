package codegen

import (
	"fmt"
	"strings"

	"heddle/internal/lazy"
)

// The instructions that take the lowest bits of a number.
var (
	// fromWidth is 32 less a number of bits.
	fromWidth = lazy.Regexp{Expr: `^sub (?:nuw |nsw )*(i32|i64|<\d+ x i32>) (32|<i32 32(?:, i32 32)*>), `}
	// shiftedBy is a shift by a value.
	shiftedBy = lazy.Regexp{Expr: `^(shl|lshr|ashr) (?:exact |nuw |nsw )*(?:i32|<\d+ x i32>) ([^,]+|<[^>]*>), (` + valueName + `)`}
)

// holdWidths keeps AMDGPU's instruction selection from taking x & (-1 >> (32 - y)) and
// x << (32 - y) >> (32 - y) for the extraction of y bits, which looks at the lower five bits of y
// and extracts none for 32 (LLVM's pull requests 114279 and 116115, which are in 20). The 32 comes out of an
// assembly of no instructions, of which LLVM knows nothing.
func holdWidths(text string) (held string, ok bool) {
	n := 0
	held = eachFunction(text, func(body string) string {
		if !strings.Contains(body, "shr ") {
			return body
		}
		f := parseFlow(body)
		for _, name := range f.order {
			m := fromWidth.Get().FindStringSubmatch(f.values[name].text)
			if m == nil || !f.cutsBits(name) {
				continue
			}
			n++
			h, typ := fmt.Sprintf("%%heddle.width.%d", n), m[1]
			before := ""
			if strings.HasPrefix(typ, "<") {
				before = fmt.Sprintf("  %[1]s.one = %[2]s\n  %[1]s.first = insertelement %[3]s poison, i32 %[1]s.one, i64 0\n  %[1]s = shufflevector %[3]s %[1]s.first, %[3]s poison, %[3]s zeroinitializer\n",
					h, opaque(inScalar, "i32", "32"), typ)
			} else {
				before = fmt.Sprintf("  %s = %s\n", h, opaque(inScalar, typ, "32"))
			}
			v := f.values[name]
			line := f.lines[v.line]
			f.lines[v.line] = before + strings.Replace(line, typ+" "+m[2]+", ", typ+" "+h+", ", 1)
		}
		return strings.Join(f.lines, "\n")
	})
	return held, n > 0
}

// cutsBits reports whether a value, or its lower half, is by how much bits are shifted out: all but the
// lowest of -1, or those above the lowest to the left and back.
func (f *flow) cutsBits(name string) bool {
	counts := map[string]bool{name: true}
	lefts := map[string]bool{} // shifts to the left
	for _, other := range f.order {
		if v := f.values[other]; strings.HasPrefix(v.text, "trunc ") && len(v.uses) > 0 && v.uses[0] == name { // of a constant at O0
			counts[other] = true
		}
	}
	for _, other := range f.order {
		if m := shiftedBy.Get().FindStringSubmatch(f.values[other].text); m != nil && m[1] == "shl" && counts[m[3]] {
			lefts[other] = true
		}
	}
	for _, other := range f.order {
		m := shiftedBy.Get().FindStringSubmatch(f.values[other].text)
		if m == nil || m[1] == "shl" || !counts[m[3]] {
			continue
		}
		if m[2] == "-1" || strings.HasPrefix(m[2], "<i32 -1") || lefts[m[2]] {
			return true
		}
	}
	return false
}
