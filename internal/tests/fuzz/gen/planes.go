package main

import (
	"fmt"
	"strings"
)

// This file makes kernels whose function is the launched one itself: of rows, planes and
// volumes in slices, by coordinates and by numbers that all threads have in common. Most of
// these are small, some are as large as an int is. The compiler decides once for all threads that
// indices are in range (ssa2ir, bounded.go); it must not where one of them is out of range, or a
// product of sizes wraps around.

// planeShapes are grids and blocks of such kernels, of at most 256 threads.
var planeShapes = []shape{
	{[3]int{2, 2, 1}, [3]int{8, 4, 1}}, {[3]int{3, 2, 1}, [3]int{4, 8, 1}}, {[3]int{1, 2, 2}, [3]int{4, 4, 3}}, {[3]int{2, 1, 2}, [3]int{3, 5, 2}},
	{[3]int{4, 1, 1}, [3]int{33, 1, 1}}, {[3]int{2, 1, 1}, [3]int{64, 1, 1}}, {[3]int{1, 1, 1}, [3]int{16, 8, 1}}, {[3]int{2, 3, 2}, [3]int{2, 2, 2}},
}

// A plane is such a kernel.
type plane struct {
	*gen
	coords, sizes, indices []string // names of variables
}

// planeKernel is the source of one.
func (g *gen) planeKernel() string {
	g.shape = oneOf(g, planeShapes)
	g.open(nil, 1)
	p := &plane{gen: g}
	for _, axis := range []string{"X", "Y", "Z"} {
		p.define(&p.coords, oneOf(g, []string{"dsl.GlobalIdx()", "dsl.GlobalIdx()", "dsl.GlobalIdx()", "dsl.ThreadIdx()", "dsl.BlockIdx()"})+"."+axis)
	}
	for range 3 {
		p.define(&p.sizes, p.size())
	}
	g.printf("acc := 0\n")
	if g.IntN(3) == 0 {
		p.table()
	}
	if g.has(windows) || g.IntN(2) == 0 {
		p.square()
	}
	if g.IntN(3) == 0 {
		p.cells()
	}
	for range 1 + g.IntN(3) {
		p.section(2)
	}
	g.printf("out[me].V[0] = uint64(acc)\n")
	return fmt.Sprintf("func k%s(in []Input, a []int32, b []uint16, c []float64, rows [3][]int32, out []Output, p, q, r int, u Uniform) {\nme := number1D()\nif me >= len(in) || in[me].Skip {\nreturn\n}\n%s}\n\n",
		g.id, g.buf.String())
}

// define makes a variable of the kernel.
func (p *plane) define(to *[]string, value string) {
	name := p.name("v")
	p.printf("%[1]s := %[2]s\n_ = %[1]s\n", name, value)
	*to = append(*to, name)
}

// size is a number that all threads have in common: mostly a parameter.
func (p *plane) size() string {
	size := oneOf(p.gen, []string{"p", "q", "r"})
	return weighted(p.gen, []choice[func() string]{
		{8, func() string { return size }},
		{3, func() string { return fmt.Sprintf("%s + %d", size, p.IntN(4)) }},
		{2, func() string { return fmt.Sprint(2 + p.IntN(10)) }},
		{2, func() string {
			return oneOf(p.gen, []string{"len(a) / 8", "len(b) >> 3", "min(" + size + ", len(c))", "len(a) % 16", "2 * " + size, size + " - 1", size + " << 1", "int(int32(" + size + "))", "int(u.U16[0])"})
		}},
	})()
}

// section is some statements, within others that are deep.
func (p *plane) section(deep int) {
	if deep > 0 && p.IntN(4) > 0 {
		switch {
		case p.IntN(3) == 0:
			p.printf("if %s {\nout[me].V[0] = uint64(acc)\nreturn\n}\n", p.outside())
			p.section(deep - 1)
		case p.IntN(3) == 0:
			i := p.name("v")
			n := oneOf(p.gen, []string{"3", "min(" + oneOf(p.gen, p.sizes) + ", 6)", "4"})
			p.printf("for %s := 0; %s < %s; %s++ {\n", i, i, n, i)
			p.indices = append(p.indices, i)
			p.accesses()
			p.indices = p.indices[:len(p.indices)-1]
			p.printf("}\n")
		case p.IntN(3) == 0:
			p.rows()
		case p.IntN(3) == 0:
			oneOf(p.gen, []func(){p.mirror, p.square, p.probe, p.part, p.cells, p.cells})()
		case p.IntN(3) == 0:
			p.table()
		default:
			p.printf("if %s {\n", p.inside())
			n := len(p.indices)
			p.section(deep - 1)
			p.indices = p.indices[:n]
			p.printf("}\n")
		}
		return
	}
	if p.IntN(2) == 0 {
		p.define(&p.indices, p.index())
	}
	p.accesses()
}

// rows reads in a loop that finds the slices that it indexes in an array, a parameter.
func (p *plane) rows() {
	k, row := p.name("v"), p.name("v")
	element := "rows[" + k + "]"
	switch p.IntN(3) {
	case 0:
		p.printf("for %s := range rows {\n", k)
	case 1:
		p.printf("for %s := 2; %s >= 0; %s-- {\n", k, k, k)
	default:
		p.printf("for %s, %s := range rows {\n", k, row)
		element = row
	}
	p.indices = append(p.indices, k)
	for range 1 + p.IntN(3) {
		p.printf("acc += int(%s[%s])\n", element, p.index())
	}
	p.indices = p.indices[:len(p.indices)-1]
	p.printf("_ = %s\n}\n", k)
}

// inside is a condition that bounds coordinates, or nearly.
func (p *plane) inside() string {
	var all []string
	for i := range 1 + p.IntN(3) {
		x, n := p.coords[i], p.sizes[i%len(p.sizes)]
		if p.IntN(5) == 0 {
			n = oneOf(p.gen, p.sizes)
		}
		all = append(all, oneOf(p.gen, []string{
			x + " < " + n, x + " < " + n, x + " >= 1 && " + x + " < " + n + "-1", x + " > 0 && " + x + "+1 < " + n, x + " <= " + n, n + " > " + x, x + " < " + n + "-2",
			x + " < " + n + "*2", x + " < min(" + n + ", 7)", "uint(" + x + ") < uint(" + n + ")",
		}))
	}
	return strings.Join(all, " && ")
}

// outside is the opposite of inside.
func (p *plane) outside() string {
	var all []string
	for i := range 1 + p.IntN(3) {
		x, n := p.coords[i], oneOf(p.gen, p.sizes)
		all = append(all, oneOf(p.gen, []string{x + " >= " + n, x + " < 1 || " + x + " >= " + n + "-1", x + " > " + n, n + " <= " + x, x + " == " + n}))
	}
	return strings.Join(all, " || ")
}

// accesses reads around indices.
func (p *plane) accesses() {
	gathers := p.IntN(4) == 0
	for range 1 + p.IntN(5) {
		s, i := oneOf(p.gen, []string{"a", "a", "b", "c"}), p.index()
		if gathers && p.IntN(4) > 0 {
			i = p.loaded(i)
		}
		p.printf("acc += int(%s[%s])\n", s, i)
	}
}

// index is one of the form of a row's or a plane's element, in range more often than not.
func (p *plane) index() string {
	x, y, z := oneOf(p.gen, p.coords), p.coords[1], p.coords[2]
	w, h := p.sizes[0], p.sizes[1]
	if p.IntN(2) == 0 {
		x = p.coords[0]
	}
	if n := len(p.indices); n > 0 && p.IntN(2) == 0 {
		x = p.indices[p.IntN(n)]
	}
	names := strings.NewReplacer("%x", x, "%y", y, "%z", z, "%w", w, "%h", h)
	i := names.Replace(oneOf(p.gen, []string{
		"%x", "%y*%w+%x", "%y*%w+%x", "(%z*%h+%y)*%w+%x", "(%z*%h+%y)*%w+%x", "max(%y-1, 0)*%w+%x", "min(%y+1, %h-1)*%w+%x", "%y*%w+max(%x-1, 0)", "%y*%w+min(%x+1, %w-1)",
		"%x*%h+%y", "%x%%w", "%x&7", "%x>>1", "%x<<1+1", "%w-1-%x", "%w*%h-1-%x", "%x+%y", "%x*%y", "%x*3+2", "int(int32(%x)*int32(%w))+%y", "%y*%w*%h+%x", "len(b)-1-%x", "%x-%y+%w",
		"int(uint32(%x))+%w", "%x*%x", "%w+%x*%h", "%x/2*%w+%y", "%x&(%w-1)", "%x&(%w-2)", "%y&(%h-3)", "%x&%w", "%x*7&(len(b)-1)", "%x%len(c)", "(%x+%y)&(%w-%x)", "int(uint32(%x)*2654435761>>20)&%h",
	}))
	return i + strings.NewReplacer("%w", w, "%h", h).Replace(oneOf(p.gen, []string{"", "", "", "", "", "", "", "", "+1", "-1", "+%w", "-%w", "+%w*%h", "-%w*%h", "+3"}))
}

// length is that of one of the slices.
func (g *gen) length() int {
	if g.IntN(2) == 0 {
		return 2000
	}
	return 1 + g.IntN(300)
}
