package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file takes structures and arrays apart where a value of such a type is chosen, by a
// select or by a phi, or put together.
//
// A value that another block uses is copied to registers, all parts of it, and a part that
// nobody uses is a copy that nobody uses. If it is a condition that differs between lanes,
// computed from one that is the same for all but was loaded into a vector register, then
// SIFixSGPRCopies, in releases 18 and 19, looks for a scalar register class of one bit
// for it, and ends the process as there is none (llvm-project's pull request 149181). In Go
// it takes a function that returns ([2]bool, say, or a value and ok) in two places and whose
// caller needs a part. Taken apart, what nobody uses is not there. amdloop.go looks at
// numbers and vectors only, so that parts of values that leave a loop need this, too.
//
// Arrays in structures are put together, and taken out, in several steps, of which
// instsimplify sees one: parts.from follows them to the part.

var aggregate = lazy.Regexp{Expr: `(?m)^ +%[^=\n]* = (?:phi|insertvalue|select i1 [^,\n]+,) (?:<\{|[\[{])`}

// nameAll gives all values and blocks names, so that their order does not matter.
const nameAll = "function(instnamer)"

// foldParts takes parts that are put together and taken out again for what they are.
const foldParts = "function(instsimplify,dce)"

// unused removes what nobody uses, which the back end leaves where it is at O0.
const unused = "function(dce)"

// takeApart rewrites the phis and selects of aggregates, and what is taken out of any, in a module whose values have
// names.
func takeApart(text string) string {
	names := 0
	return eachFunction(text, func(body string) string {
		if !aggregate.Get().MatchString(body) {
			return body
		}
		p := &parts{flow: parseFlow(body), names: &names, before: map[int][]string{}, ends: map[int][]string{}, taken: map[string][]string{}}
		for _, name := range p.order {
			p.choice(name)
		}
		return p.text()
	})
}

// parts takes the aggregates of one function apart.
type parts struct {
	*flow
	names  *int
	before map[int][]string    // new lines, by that which they precede
	ends   map[int][]string    // those at the end of a block, behind the others: they use what these put together
	taken  map[string][]string // a value's parts at the end of a block, by its label too
}

// A part is a number, a pointer or a vector in an aggregate: its type, and its indices.
type part struct{ typ, index string }

// choice takes a value apart if it is such a phi or select, and puts it together again. What
// is taken out of an aggregate it takes from where it comes from.
func (p *parts) choice(name string) {
	v := p.values[name]
	at := v.line // where the value is put together
	var all []part
	var chosen []string
	rest, isSelect := strings.CutPrefix(v.text, "select i1 ")
	typ, in, isPhi := v.phi()
	switch {
	case isPhi:
		if all = partsOf(typ); all == nil {
			return
		}
		for strings.Contains(p.lines[at], " = phi ") {
			at++
		}
		lists := make([]string, len(all))
		for _, pair := range in {
			for n, x := range p.atEnd(typ, pair[0], pair[1], all) {
				lists[n] += ", [ " + x + ", " + pair[1] + " ]"
			}
		}
		for n, list := range lists {
			chosen = append(chosen, p.let(p.before, v.line, "phi %s %s", all[n].typ, list[2:]))
		}
	case isSelect:
		o := splitOperands(rest)
		var x, y string
		typ, x = cutType(o[1])
		_, y = cutType(o[2])
		if all = partsOf(typ); all == nil {
			return
		}
		xs, ys := p.take(p.before, at, typ, x, all), p.take(p.before, at, typ, y, all)
		for n, part := range all {
			chosen = append(chosen, p.let(p.before, at, "select i1 %[1]s, %[2]s %[3]s, %[2]s %[4]s", o[0], part.typ, xs[n], ys[n]))
		}
	default:
		if whole, ok := strings.CutPrefix(v.text, "extractvalue "); ok {
			whole, _, _ = strings.Cut(whole, ", !")
			p.lines[at] = "  " + name + " = extractvalue " + p.from(whole)
		}
		return
	}
	p.lines[v.line] = ""
	whole := "poison"
	for n, part := range all[:len(all)-1] {
		whole = p.let(p.before, at, "insertvalue %s %s, %s %s, %s", typ, whole, part.typ, chosen[n], part.index)
	}
	last := len(all) - 1
	p.before[at] = append(p.before[at], fmt.Sprintf("  %s = insertvalue %s %s, %s %s, %s", name, typ, whole, all[last].typ, chosen[last], all[last].index))
}

// let writes an instruction before a line, to one of the maps, and returns its name.
//
//go:noinline
func (p *parts) let(to map[int][]string, line int, format string, args ...any) string {
	*p.names++
	name := "%heddle.part." + strconv.Itoa(*p.names)
	to[line] = append(to[line], "  "+name+" = "+fmt.Sprintf(format, args...))
	return name
}

// take takes the parts out of a value, before a line.
//
//go:noinline
func (p *parts) take(to map[int][]string, line int, typ, value string, all []part) (names []string) {
	for _, part := range all {
		names = append(names, p.let(to, line, "extractvalue %s", p.from(typ+" "+value+", "+part.index)))
	}
	return names
}

// from is the operands of an extractvalue, of the smallest value that was put together or
// taken out and has that part.
func (p *parts) from(operands string) string {
	for {
		o := splitOperands(operands)
		typ, name := cutType(o[0])
		v := p.values[name]
		if v == nil {
			return operands
		}
		index := ", " + strings.Join(o[1:], ", ")
		text, _, _ := strings.Cut(v.text, ", !")
		op, rest, _ := strings.Cut(text, " ")
		switch in := splitOperands(rest); op {
		case "extractvalue":
			operands = rest + index
		case "insertvalue":
			set := ", " + strings.Join(in[2:], ", ")
			switch deeper, ok := strings.CutPrefix(index+",", set+","); {
			case ok && deeper != "":
				operands = in[1] + "," + strings.TrimSuffix(deeper, ",")
			case ok || strings.HasPrefix(set, index+","):
				return operands
			default:
				operands = typ + " " + strings.TrimPrefix(in[0], typ+" ") + index
			}
		default:
			return operands
		}
	}
}

// atEnd takes the parts out of a value at the end of a block, once.
func (p *parts) atEnd(typ, value, label string, all []part) []string {
	key := typ + value + label
	if p.taken[key] == nil {
		p.taken[key] = p.take(p.ends, p.label[label].end, typ, value, all)
	}
	return p.taken[key]
}

// text is the function as rewritten.
func (p *parts) text() string {
	var all []string
	for i, line := range p.lines {
		all = append(append(all, p.before[i]...), p.ends[i]...)
		if line != "" || i == 0 {
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

// partsOf are the parts of a type, nil if it is no aggregate, or an empty one.
func partsOf(typ string) (all []part) {
	if typ == "" || strings.IndexByte("[{", typ[0]) < 0 && !strings.HasPrefix(typ, "<{") {
		return nil
	}
	inner := strings.TrimSpace(strings.Trim(typ, "<>"))
	inner = strings.TrimSpace(inner[1 : len(inner)-1])
	if inner == "" {
		return nil
	}
	elems := splitOperands(inner)
	if typ[0] == '[' {
		count, elem, _ := strings.Cut(inner, " x ")
		n, _ := strconv.Atoi(count)
		elems = slices.Repeat([]string{elem}, n)
	}
	for i, elem := range elems {
		index := strconv.Itoa(i)
		if strings.IndexByte("[{", elem[0]) < 0 && !strings.HasPrefix(elem, "<{") {
			all = append(all, part{elem, index})
		}
		for _, inner := range partsOf(elem) {
			all = append(all, part{inner.typ, index + ", " + inner.index})
		}
	}
	return all
}

// cutType cuts an operand into its type and its value.
func cutType(operand string) (typ, value string) {
	depth := 0
	for i := range len(operand) {
		switch c := operand[i]; {
		case strings.IndexByte("(<[{", c) >= 0:
			depth++
		case strings.IndexByte(")>]}", c) >= 0:
			depth--
		case c == ' ' && depth == 0:
			return operand[:i], operand[i+1:]
		}
	}
	return operand, ""
}
