package main

import (
	"fmt"
	"strings"
)

// This file writes to slices of structs: to elements that are the thread's own, and to such of shared memory.

// putWhole writes an element.
func (l *listing) putWhole() {
	e := l.mine()
	from := []string{l.expr(l.own.elem, 3), l.expr(l.own.elem, 2), l.mine()}
	for _, s := range []source{l.a, l.b} {
		if same(s.elem, l.own.elem) {
			from = append(from, l.element(s), l.element(s))
		}
	}
	if x := oneOf(l.gen, from); x != e {
		l.printf("%s = %s\n", e, x)
	}
}

// putPart writes a number of an element.
func (l *listing) putPart() {
	p, ok := l.basicPart(l.mine(), l.own.elem)
	if !ok {
		l.putWhole()
		return
	}
	switch e := p.expr; {
	case l.IntN(3) == 0 && p.typ.isInteger():
		l.printf("%s %s= %s\n", e, oneOf(l.gen, []string{"+", "-", "*", "&", "|", "^"}), l.operand(p.typ, 2))
	case l.IntN(4) == 0:
		q := l.name("q")
		l.printf("%s := &%s\n*%s = %s\n", q, e, q, l.expr(p.typ, 2))
	default:
		if x := l.expr(p.typ, 3); x != e {
			l.printf("%s = %s\n", e, x)
		}
	}
}

// between loads an element, stores to it or to one that may be it, and uses what it loaded.
func (l *listing) between() {
	v, e := l.name("v"), l.mine()
	other := oneOf(l.gen, []string{e, e, l.mine()})
	l.printf("%s := %s\n", v, e)
	for range 1 + l.IntN(2) {
		p, _ := l.basicPart(other, l.own.elem)
		if x := l.operand(p.typ, 2); x != p.expr {
			l.printf("%s = %s\n", p.expr, x)
		}
	}
	if l.IntN(3) == 0 {
		l.printf("%s = %s\n", other, oneOf(l.gen, []string{v, l.expr(l.own.elem, 2)}))
	}
	if !l.inFunc() {
		l.sink(v, l.own.elem, 0)
	}
	l.add(v, l.own.elem, false)
}

// exchange exchanges elements, or numbers of one.
func (l *listing) exchange() {
	x, y := l.mine(), l.mine()
	t := l.own.elem
	if l.IntN(2) == 0 {
		e := x
		p, q := part{x, t}, part{y, t}
		for range 8 {
			p, _ = l.basicPart(e, t)
			if q, _ = l.basicPart(oneOf(l.gen, []string{e, y}), t); same(p.typ, q.typ) && p.expr != q.expr {
				x, y = p.expr, q.expr
				break
			}
		}
	}
	if x != y {
		l.printf("%s, %s = %s, %s\n", x, y, y, x)
	}
}

// copies copies elements between slices, and arrays of the thread.
func (l *listing) copies() {
	if l.apart {
		l.putWhole()
		return
	}
	some := fmt.Sprintf("window(mine, %s, %s)", l.given(u64T), l.given(u64T))
	to := oneOf(l.gen, []string{"mine", "mine[1:]", "mine[:3]", some, "mine[uint(" + l.small() + ")%5:]"})
	from := []string{"mine", "mine[2:]", some, "mine[1:4:4]"}
	local := l.name("v")
	for _, s := range []source{l.a, l.b} {
		switch {
		case !same(s.elem, l.own.elem):
		case l.IntN(3) == 0: // through an array
			l.printf("var %s [%d]%s\ncopy(%s[:], %s)\n", local, 2+l.IntN(4), s.elem.name, local, l.rest(s))
			from = []string{local + "[:]", local + "[1:]"}
		default:
			from = append(from, l.rest(s), l.rest(s), l.rest(s))
		}
		if len(from) == 2 {
			break
		}
	}
	n := l.name("n")
	l.printf("%s := copy(%s, %s)\n", n, to, oneOf(l.gen, from))
	l.add(n, intT, false)
}

// rest is a part of a slice that is only read.
func (l *listing) rest(s source) string {
	return strings.NewReplacer("%s", s.name, "%d", fmt.Sprint(l.IntN(s.length+1)), "%i", l.anyPlace(s)).Replace(oneOf(l.gen, []string{
		"%s[%d:]", "%s[:%d]", "%s[min(uint(%i), uint(len(%s))):]", "%s[uint(%i)%uint(len(%s)):]",
	}))
}

// tile puts elements into shared memory, and reads those of other threads.
func (l *listing) tile() {
	if !l.inStep() || l.sharing > 3 {
		l.putPart()
		return
	}
	b := l.shape.block
	size := b[0] * b[1] * b[2]
	t := oneOf(l.gen, l.structs)
	if t.scalars()*size > 600 {
		l.putPart()
		return
	}
	l.sharing++
	n := size + oneOf(l.gen, []int{0, 0, 0, b[0], 2, size})
	sh, i := l.name("sh"), l.name("i")
	l.printf("%s := dsl.Shared[[%d]%s]()\nfor %s := numberInBlock(); %s < %d; %s += %d {\n", sh, n, t.name, i, i, n, i, size)
	from := l.expr(t, 2)
	for _, s := range []source{l.a, l.b} {
		if same(s.elem, t) && l.IntN(3) > 0 {
			from = fmt.Sprintf("%s[%s]", s.name, strings.NewReplacer("%i", i, "%n", fmt.Sprint(s.length)).Replace(oneOf(l.gen, []string{"%i%%n", "uint(me+%i)%%n", "min(%i, %n-1)"})))
		}
	}
	if t.class != structure || l.IntN(3) > 0 {
		l.printf("%s[%s] = %s\n", sh, i, from)
	} else {
		for _, f := range t.fields {
			l.printf("%s[%s].%s = %s\n", sh, i, f.name, l.expr(f.typ, 2))
		}
	}
	if p, ok := l.basicPart(fmt.Sprintf("%s[%s]", sh, i), t); ok && l.IntN(2) == 0 {
		l.printf("%s = %s\n", p.expr, l.operand(p.typ, 2))
	}
	l.printf("}\ndsl.SyncThreads()\n")
	l.readTile(sh, t, n)
	if p, ok := l.basicPart(sh+"[numberInBlock()]", t); ok && l.IntN(3) == 0 {
		l.printf("dsl.SyncThreads()\n%s = %s\ndsl.SyncThreads()\n", p.expr, l.expr(p.typ, 2))
		l.readTile(sh, t, n)
	}
	l.printf("dsl.SyncThreads()\n")
}

// readTile reads elements of shared memory.
func (l *listing) readTile(sh string, t *typ, n int) {
	for range 1 + l.IntN(2) {
		v := l.name("v")
		i := fmt.Sprintf("uint(%s)%%%d", oneOf(l.gen, []string{l.idiom(intT), "numberInBlock()+1", l.anyPlace(l.a)}), n)
		switch l.IntN(4) {
		case 0:
			if p, ok := l.basicPart(sh+"["+i+"]", t); ok {
				l.printf("%s := %s\n", v, p.expr)
				l.add(v, p.typ, false)
			}
		case 1:
			l.printf("%s := at(window(%s[:], %s, %s), uint64(%s))\n", v, sh, l.given(u64T), l.given(u64T), i)
			l.add(v, t, false)
		case 2:
			if l.trips*windowTrips > maxTrips {
				continue
			}
			l.cost = max(l.cost, l.trips*windowTrips)
			w := oneOf(l.gen, []int{l.shape.block[0], l.shape.block[0], 1 + l.IntN(n)})
			p := picture{elem: t, at: sh + "[%i]", length: fmt.Sprint(n), size: [2]string{fmt.Sprint(w), fmt.Sprint(n / w)}, point: [2]string{"dsl.ThreadIdx().X", "dsl.ThreadIdx().Y"}, fits: true}
			acc, of := l.window(p, false)
			l.add(acc, of, false)
		default:
			l.printf("%s := %s[%s]\n", v, sh, i)
			l.add(v, t, false)
		}
	}
}
