package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// carried are additions and subtractions to which a carry may be added.
var carried = lazy.Regexp{Expr: `^(?:(add|sub) (?:nuw |nsw )*(i\d+) |(?:tail )?call \{ (i\d+), i1 \} @llvm\.u(add|sub)\.with\.overflow\.i\d+\(i\d+ )(` + valueName + `), (?:i\d+ )?(` + valueName + `)\b`}

// holdCarries keeps AMDGPU's instruction selection from taking x + y + carry for one
// addition where the carry of the second "+" alone is asked for (t := x + y; s := t + c;
// s < t): it then gives the carry of both (performAddCarrySubCarryCombine; seen in 19). That
// takes differences too, of which none was seen wrong. The carry that goes in comes out of
// an assembly of no instructions, of which LLVM knows nothing.
func holdCarries(text string) (held string, ok bool) {
	n := 0
	held = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " = zext i1 ") {
			return body
		}
		f := parseFlow(body)
		asked := map[string]bool{} // by a comparison, or for its complement
		for _, v := range f.values {
			if strings.HasPrefix(v.text, "icmp ") || strings.HasPrefix(v.text, "xor ") {
				for _, u := range v.uses {
					asked[u] = true
				}
			}
		}
		for _, name := range f.order {
			v := f.values[name]
			m := carried.Get().FindStringSubmatch(v.text)
			if m == nil {
				continue
			}
			x, c := m[5], m[6]
			if m[1] == "add" && !f.isCarry(c) || m[4] == "add" && !f.isCarry(c) {
				x, c = c, x
			}
			typ := m[2] + m[3]
			if width, _ := strconv.Atoi(typ[1:]); width < 32 { // sums of these have no carry
				continue
			}
			if !f.isCarry(c) || !f.isSum(x) || m[1] != "" && !asked[name] && !asked[x] && !asked[c] {
				continue
			}
			n++
			line := f.lines[v.line]
			at := strings.LastIndex(line, c)
			if m[6] != c {
				at = strings.Index(line, " "+c+",") + 1
			}
			h := fmt.Sprintf("%%heddle.carry.%d", n)
			bit, _, _ := strings.Cut(strings.TrimPrefix(f.values[c].text, "zext i1 "), " ")
			held := fmt.Sprintf("  %s.bit = zext i1 %s to i32\n  %[1]s.held = %[3]s\n", h, bit, opaque(inVector, "i32", h+".bit"))
			if typ == "i32" {
				h += ".held"
			} else {
				held += fmt.Sprintf("  %s = zext i32 %[1]s.held to %s\n", h, typ)
			}
			f.lines[v.line] = held + line[:at] + h + line[at+len(c):]
		}
		return strings.Join(f.lines, "\n")
	})
	return held, n > 0
}

// isCarry tells whether a value is a bit that may be the carry of an addition.
func (f *flow) isCarry(name string) bool {
	v := f.values[name]
	return v != nil && strings.HasPrefix(v.text, "zext i1 ")
}

// isSum tells whether instruction selection may have a value for a sum.
func (f *flow) isSum(name string) bool {
	v := f.values[name]
	if v == nil {
		return false
	}
	op, _, _ := strings.Cut(v.text, " ")
	return !slices.Contains([]string{"phi", "load", "extractvalue"}, op)
}
