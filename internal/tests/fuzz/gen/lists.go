package main

import (
	"fmt"
	"strings"
)

// This file makes kernels of slices of structs: such as are read, and one of which each thread has some elements
// that it reads and writes. They are parameters, fields of one, or captured (package fuzz, lists.go).

// A listing is what such a kernel has.
type listing struct {
	*plane
	a, b, own source
	alias     string // another name of own
	form      string // plain, held, captures
	apart     bool   // a thread's own elements are not beside each other
	noalias   bool
	bold      bool // some indices may be out of range
	structs   []*typ
}

// A source is a slice of them.
type source struct {
	name   string
	elem   *typ
	length int
}

// vectors are types of package vector.
var vectors = []struct {
	name string
	n    int
	of   *typ
}{
	{"Float2", 2, f32T}, {"Float3", 3, f32T}, {"Float4", 4, f32T}, {"Float4", 4, f32T}, {"Double2", 2, f64T}, {"Double4", 4, f64T}, {"Int2", 2, i32T}, {"Int4", 4, i32T},
	{"Uint4", 4, u32T}, {"Uchar4", 4, u8T}, {"Ulong2", 2, u64T},
}

// dataTypes are those of fields: texts are no data of devices.
var dataTypes []*typ

func init() {
	for _, t := range basicTypes {
		if t.class != text {
			dataTypes = append(dataTypes, t)
		}
	}
}

// listTypes makes the kernel's types of elements.
func (l *listing) listTypes() {
	for i := range 2 {
		fields := weighted(l.gen, []choice[func() []*typ]{
			{8, l.equalFields}, {4, l.mixedFields}, {3, l.arrayFields}, {2, l.nestedFields}, {4, func() []*typ { return nil }},
		})()
		if fields == nil {
			l.structs = append(l.structs, l.otherElem())
			continue
		}
		l.declareStruct(fmt.Sprintf("r%s%c", l.id, 'a'+i), fields)
	}
}

func (l *listing) declareStruct(name string, fields []*typ) {
	t := &typ{name: name, class: structure}
	fmt.Fprintf(&l.decls, "type %s struct {\n", t.name)
	for i, of := range fields {
		f := field{fmt.Sprintf("F%d", i), of}
		t.fields = append(t.fields, f)
		fmt.Fprintf(&l.decls, "%s %s\n", f.name, f.typ.name)
	}
	l.decls.WriteString("}\n\n")
	l.structs = append(l.structs, t)
}

// equalFields are two to four numbers of one type, which make a vector.
func (l *listing) equalFields() (all []*typ) {
	t := oneOf(l.gen, []*typ{f32T, f32T, f64T, i32T, u32T, u64T, intT, oneOf(l.gen, dataTypes)})
	for range oneOf(l.gen, []int{2, 2, 2, 4, 4, 4, 3}) {
		all = append(all, t)
	}
	return all
}

// mixedFields are numbers of several types.
func (l *listing) mixedFields() (all []*typ) {
	for range 2 + l.IntN(4) {
		all = append(all, oneOf(l.gen, dataTypes))
	}
	if l.IntN(3) == 0 { // two that would be a vector, and one that is not of it
		t := oneOf(l.gen, []*typ{u64T, f32T, i32T})
		all = []*typ{t, t, oneOf(l.gen, dataTypes)}
	}
	return all
}

// arrayFields have an array among them.
func (l *listing) arrayFields() (all []*typ) {
	t := oneOf(l.gen, dataTypes)
	return []*typ{oneOf(l.gen, []*typ{t, oneOf(l.gen, dataTypes)}), arrayOf(oneOf(l.gen, []int{2, 2, 3, 4, 5}), t), oneOf(l.gen, dataTypes)}[l.IntN(2) : 2+l.IntN(2)]
}

// nestedFields have a struct among them.
func (l *listing) nestedFields() []*typ {
	inner := l.otherElem()
	if len(l.structs) > 0 && l.IntN(2) == 0 {
		inner = l.structs[0]
	}
	if l.IntN(3) == 0 {
		inner = arrayOf(2, inner)
	}
	all := []*typ{oneOf(l.gen, dataTypes), inner, oneOf(l.gen, dataTypes)}
	return all[l.IntN(2) : 2+l.IntN(2)]
}

// otherElem is a type of elements that is not the kernel's own.
func (l *listing) otherElem() *typ {
	switch l.IntN(6) {
	case 0:
		return pairOf(oneOf(l.gen, dataTypes), oneOf(l.gen, dataTypes))
	case 1:
		t := oneOf(l.gen, dataTypes)
		return pairOf(t, t)
	case 2:
		return arrayOf(2+l.IntN(3), oneOf(l.gen, dataTypes))
	}
	v := oneOf(l.gen, vectors)
	t := &typ{name: "vector." + v.name, class: structure}
	for _, name := range []string{"X", "Y", "Z", "W"}[:v.n] {
		t.fields = append(t.fields, field{name, v.of})
	}
	return t
}

// listKernel is the source of such a kernel.
func (g *gen) listKernel() string {
	if !g.has(warp) {
		g.shape = oneOf(g, planeShapes)
	}
	g.open(nil, 3+g.IntN(8))
	g.main = true
	l := &listing{plane: &plane{gen: g}, form: oneOf(g, []string{"plain", "plain", "held", "captures"}), apart: g.IntN(4) == 0, noalias: g.IntN(4) == 0, bold: g.IntN(3) > 0}
	g.listing = l
	l.listTypes()
	length := func() int { return oneOf(g, []int{1 + g.IntN(8), 16, 1 + g.IntN(64), 64 + g.IntN(200)}) }
	names := []string{"a", "b", "own", "alias"}
	if l.form == "held" {
		names = []string{"l.A", "l.B", "l.Own", "l.Alias"}
	}
	l.a, l.b = source{names[0], oneOf(g, l.structs), length()}, source{names[1], oneOf(g, l.structs), length()}
	l.own = source{names[2], oneOf(g, l.structs), 0}
	l.alias = names[3]
	g.declareTypes()
	g.types = append(g.types, l.structs...)
	for _, axis := range []string{"X", "Y", "Z"} {
		l.define(&l.coords, oneOf(g, []string{"dsl.GlobalIdx()", "dsl.GlobalIdx()", "dsl.ThreadIdx()", "dsl.BlockIdx()"})+"."+axis)
	}
	for range 2 {
		size := l.size()
		if strings.Contains(size, "len(") {
			size = "1 + u.Small[0]"
		}
		l.define(&l.sizes, size)
	}
	if !l.apart {
		g.printf(oneOf(g, []string{ // it is not to grow into what others own
			"mine := %[1]s[beside(me, 0) : beside(me, 0)+%[2]d : beside(me, 0)+%[2]d]\n",
			"mine := %[1]s[beside(me, 0):][:%[2]d]\nmine = mine[:len(mine):len(mine)]\n",
		}), l.own.name, ownElems)
		g.add("mine", sliceOf(l.own.elem), true)
	}
	g.listStmt()
	if g.has(warp) {
		l.tile()
	}
	if g.has(windows) || g.IntN(3) == 0 {
		l.picture()
	}
	g.stmts()
	for _, v := range g.vars {
		g.sink(v.name, v.typ, 0)
	}
	return g.decls.String() + l.function(g.buf.String())
}

// ownElems is how many elements of its own a thread has, as package fuzz has it.
const ownElems = 4

// elems are the types of the slices' elements.
func (l *listing) elems() string {
	return fmt.Sprintf("%s, %s, %s", l.a.elem.name, l.b.elem.name, l.own.elem.name)
}

// function is the kernel's source, of its body.
func (l *listing) function(body string) string {
	guard := "me := number1D()\nif me >= len(ins) || ins[me].Skip {\nreturn\n}\n"
	if l.has(warp) {
		guard = "me := number1D()\n"
	}
	body = guard + "in, out := &ins[me], &outs[me]\n_, _ = in, out\n" + body
	rest := "p, q, r int, u Uniform)"
	switch l.form {
	case "held":
		return fmt.Sprintf("func k%s(ins []Input, outs []Output, l Lists[%s], %s {\n%s}\n\n", l.id, l.elems(), rest, body)
	case "captures":
		return fmt.Sprintf("func k%[1]s() (func(ins []Input, outs []Output, %[2]s, func(Lists[%[3]s])) {\nvar a []%[4]s\nvar b []%[5]s\nvar own, alias []%[6]s\n"+
			"return func(ins []Input, outs []Output, %[2]s {\n_, _, _, _ = a, b, own, alias\n%[7]s}, func(l Lists[%[3]s]) { a, b, own, alias = l.A, l.B, l.Own, l.Alias }\n}\n\n",
			l.id, rest, l.elems(), l.a.elem.name, l.b.elem.name, l.own.elem.name, body)
	}
	directive := map[bool]string{true: "//heddle:noalias\n"}[l.noalias]
	return fmt.Sprintf("%sfunc k%s(ins []Input, outs []Output, a []%s, b []%s, own, alias []%s, %s {\n%s}\n\n",
		directive, l.id, l.a.elem.name, l.b.elem.name, l.own.elem.name, rest, body)
}

// entry is the kernel in the table of cases.
func (l *listing) entry() string {
	return fmt.Sprintf("Lists: &list[%s]{%s: k%s, lengths: [2]int{%d, %d}, seed: %s, apart: %t, noalias: %t}",
		l.elems(), l.form, l.id, l.a.length, l.b.length, strings.TrimLeft(l.id, "0"), l.apart, l.noalias)
}
