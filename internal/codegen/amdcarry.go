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

// overflows are additions and subtractions of 64 bits.
var overflows = lazy.Regexp{Expr: `^(?:(add|sub) (?:nuw |nsw )*i64 |(?:tail )?call \{ i64, i1 \} @llvm\.u(?:add|sub)\.with\.overflow\.i64\(i64 )([^ ,]+), (?:i64 )?([^ ,)]+)`}

// compared64 are comparisons that may ask for the carry of one.
var compared64 = lazy.Regexp{Expr: `^icmp (u[lg][te]|eq|ne) i64 ([^ ,]+), ([^ ,]+)`}

// holdOverflows likewise keeps LLVM 22 from taking x + y of 64 bits, of which the carry is asked for
// (x+1 == 0), and the addition that makes the upper half of x, a product, for one addition. x comes
// out of an assembly of no instructions.
func holdOverflows(text string) (held string, ok bool) {
	n := 0
	held = eachFunction(text, func(body string) string {
		f := parseFlow(body)
		asked := f.askedFor()
		for _, name := range f.order {
			v := f.values[name]
			m := overflows.Get().FindStringSubmatch(v.text)
			if m == nil || m[1] != "" && !asked[name] {
				continue
			}
			line := f.lines[v.line]
			begin, rest := line[:len(line)-len(strings.TrimLeft(line, " "))], ""
			for _, x := range m[2:] {
				if f.values[x] == nil || !f.isSum(x) {
					continue
				}
				n++
				h := fmt.Sprintf("%%heddle.overflow.%d", n)
				rest += fmt.Sprintf("%s%s = %s\n", begin, h, opaque(inVector, "i64", x))
				line = replaceOperand(line, x, h)
			}
			f.lines[v.line] = rest + line
		}
		return strings.Join(f.lines, "\n")
	})
	return held, n > 0
}

// replaceOperand is an instruction with y for the first of its operands that is x.
func replaceOperand(line, x, y string) string {
	at := strings.Index(line, " = ")
	for {
		k := strings.Index(line[at:], " "+x)
		if k < 0 {
			return line
		}
		at += k + 1
		if end := at + len(x); end == len(line) || strings.IndexByte(",) ", line[end]) >= 0 {
			return line[:at] + y + line[end:]
		}
	}
}

// askedFor are the additions and subtractions of 64 bits whose carry some comparison may tell.
func (f *flow) askedFor() map[string]bool {
	sums := map[string][]string{} // by operand
	parts := map[string][2]string{}
	for name, v := range f.values {
		if m := overflows.Get().FindStringSubmatch(v.text); m != nil && m[1] != "" {
			parts[name] = [2]string{m[2], m[3]}
			for _, x := range m[2:] {
				sums[x] = append(sums[x], name)
			}
		}
	}
	asked := map[string]bool{}
	for _, v := range f.values {
		m := compared64.Get().FindStringSubmatch(v.text)
		if m == nil {
			continue
		}
		for i, x := range m[2:] {
			y := m[3-i]
			constant := y[0] != '%'
			if p, isSum := parts[x]; isSum && (constant || p[0] == y || p[1] == y) { // x+1 == 0, x+y < x
				asked[x] = true
			}
			for _, s := range sums[x] { // x == -1 beside x+1, x < y beside x-y, ^x < y beside x+y
				asked[s] = asked[s] || constant || parts[s][0] == y || parts[s][1] == y || strings.HasPrefix(f.text(y), "xor ")
			}
			if not, _, isNot := strings.Cut(strings.TrimPrefix(f.text(x), "xor i64 "), ", -1"); isNot {
				for _, s := range sums[not] {
					asked[s] = true
				}
			}
		}
	}
	return asked
}

// text is the instruction that makes a value, "" if none does.
func (f *flow) text(name string) string {
	if v := f.values[name]; v != nil {
		return v.text
	}
	return ""
}
