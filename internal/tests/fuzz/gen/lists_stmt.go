package main

import (
	"fmt"
	"strings"
)

// listStatements are the kinds of statement of kernels of slices of structs. Those that write to slices are not in pure functions.
var listStatements []struct {
	writes bool
	choice[func(*listing)]
}

func init() { // the table and its functions refer to each other
	type kind = choice[func(*listing)]
	listStatements = []struct {
		writes bool
		choice[func(*listing)]
	}{
		{false, kind{6, (*listing).takeWhole}}, {false, kind{4, (*listing).takePart}}, {false, kind{5, (*listing).walk}}, {false, kind{4, (*listing).chase}},
		{false, kind{4, (*listing).picture}}, {true, kind{4, (*listing).putWhole}}, {true, kind{5, (*listing).putPart}}, {true, kind{6, (*listing).between}},
		{true, kind{3, (*listing).exchange}}, {true, kind{3, (*listing).copies}}, {true, kind{6, (*listing).tile}},
	}
}

// listStmt is one of these.
func (g *gen) listStmt() {
	if !g.main || g.listing == nil {
		g.assign()
		return
	}
	var all []choice[func(*listing)]
	for _, s := range listStatements {
		if !s.writes || g.floor == 0 {
			all = append(all, s.choice)
		}
	}
	weighted(g, all)(g.listing)
}

// put writes a statement, the names in it replaced.
func (l *listing) put(text string, names ...string) {
	l.printf("%s\n", strings.NewReplacer(names...).Replace(text))
}

// read is a slice to read, whose elements may be of any place if it is not the thread's own.
func (l *listing) read() source {
	s := oneOf(l.gen, []source{l.a, l.a, l.b, l.b, l.own})
	if s.length == 0 && l.floor > 0 { // others may write to it meanwhile
		return l.a
	}
	return s
}

// element is one of a slice's elements.
func (l *listing) element(s source) string {
	if s.length == 0 {
		return l.mine()
	}
	return s.name + "[" + l.place(s) + "]"
}

// mine is one of the thread's own elements.
func (l *listing) mine() string {
	k := oneOf(l.gen, []string{"0", "1", "2", "3", l.small(), "int(" + l.given(oneOf(l.gen, integerTypes)) + ")"})
	if l.apart {
		return fmt.Sprintf("%s[apart(me, %s, len(ins))]", l.ownName(), k)
	}
	if l.IntN(2) == 0 {
		return fmt.Sprintf("mine[uint(%s)%%%d]", k, ownElems)
	}
	return fmt.Sprintf("%s[beside(me, %s)]", l.ownName(), k)
}

// ownName is the slice of all threads' own elements, by one of its names.
func (l *listing) ownName() string {
	if l.noalias || l.IntN(3) > 0 {
		return l.own.name
	}
	return l.alias
}

// wildHere reports whether a statement may have an index that is out of range.
func (l *listing) wildHere() bool {
	if l.inFunc() || l.floor > 0 || l.wild >= maxWild || !l.bold || l.IntN(2) == 0 {
		return false
	}
	l.wild++
	return true
}

// place is an index of an element that is only read.
func (l *listing) place(s source) string {
	if l.IntN(8) == 0 {
		return fmt.Sprint(l.IntN(s.length))
	}
	i := l.anyPlace(s)
	if l.wildHere() {
		return i
	}
	return strings.NewReplacer("%i", i, "%n", fmt.Sprint(s.length), "%s", s.name).Replace(oneOf(l.gen, []string{
		"uint(%i)%%n", "uint(%i)%uint(len(%s))", "min(max(%i, 0), len(%s)-1)", "min(uint(%i), %n-1)", "uint32(%i)%%n",
	}))
}

// anyPlace is an index that is in range or not: by coordinates, by sizes, or loaded from a slice.
func (l *listing) anyPlace(s source) string {
	form := oneOf(l.gen, []string{
		"%x", "%x", "%y*%w+%x", "%y*%w+%x", "(%z*%w+%y)*%w+%x", "me", "me+1", "me-1", "%x-1", "%x&7", "%x>>1", "len(%s)-1-%x", "2*%x+%k", "me+%k", "%k", "%x*%w", "%x^1", "min(%x+1, %w-1)", "%w-1-%x",
		"int(%l)", "int(%l)", "int(%l&15)", "int(%l)+%x", "int(%l)*2+1",
	})
	loaded := "1"
	if strings.Contains(form, "%l") {
		loaded = l.loadedNumber()
	}
	return strings.NewReplacer("%x", oneOf(l.gen, l.coords), "%y", l.coords[1], "%z", l.coords[2], "%w", oneOf(l.gen, l.sizes), "%k", l.small(), "%s", s.name, "%l", loaded).Replace(form)
}

// loadedNumber is an integer in an element, at a place that is in range.
func (l *listing) loadedNumber() string {
	for range 6 {
		s := oneOf(l.gen, []source{l.a, l.b})
		e := fmt.Sprintf("%s[uint(%s)%%%d]", s.name, oneOf(l.gen, []string{"me", oneOf(l.gen, l.coords), l.small()}), s.length)
		if p, ok := l.basicPart(e, s.elem); ok && p.typ.isInteger() {
			return p.expr
		}
	}
	return l.given(oneOf(l.gen, integerTypes))
}

// takeWhole loads an element, and maybe uses parts of it behind a condition.
func (l *listing) takeWhole() {
	s, v := l.read(), l.name("v")
	e := l.element(s)
	forms := []string{"%v := %e", "%v := %e", "%v := %e", "%vp := &%e\n%v := *%vp", "var %v %t\nif %c {\n%v = %e\n}"}
	if s.length > 0 {
		forms = append(forms, "%v := at(%s, %U)", "%v := at(window(%s, %U, %U), %U)", "%vs := %s[%n/2:]\n%v := %vs[uint(%k)%uint(len(%vs))]")
	}
	l.put(oneOf(l.gen, forms), "%v", v, "%e", e, "%t", s.elem.name, "%s", s.name, "%n", fmt.Sprint(s.length), "%c", l.expr(boolT, 1), "%U", l.given(u64T), "%k", l.anyPlace(l.a))
	if x, ok := l.basicPart(v, s.elem); ok && l.IntN(2) == 0 && !l.inFunc() && l.floor == 0 {
		l.printf("if %s == %s ", x.expr, l.parenthesised(x.typ, 1))
		l.block(func() {
			y, _ := l.basicPart(v, s.elem)
			l.sink(y.expr, y.typ, 0)
			l.stmts()
		})
		l.printf("\n")
	}
	l.add(v, s.elem, false)
}

// takePart loads a number of an element.
func (l *listing) takePart() {
	s, v := l.read(), l.name("v")
	p, ok := l.basicPart("%e", s.elem)
	if !ok {
		return
	}
	l.put(oneOf(l.gen, []string{"%v := %x", "%v := %x", "%vp := &%e\n%v := %y", "%vp := &%x\n%v := *%vp"}),
		"%v", v, "%x", strings.ReplaceAll(p.expr, "%e", l.element(s)), "%e", l.element(s), "%y", strings.ReplaceAll(p.expr, "%e", v+"p"))
	l.add(v, p.typ, false)
}

// walk goes through elements in a loop.
func (l *listing) walk() {
	s := l.read()
	p, ok := l.basicPart("%e", s.elem)
	if !ok || l.trips*8 > maxTrips || s.length == 0 && l.apart {
		l.takeWhole()
		return
	}
	l.cost = max(l.cost, l.trips*8)
	acc, k, e := l.name("v"), l.name("i"), l.name("x")
	over := "mine"
	if s.length > 0 {
		lo := l.IntN(s.length)
		over = oneOf(l.gen, []string{"%s[:min(len(%s), 8)]", "%s[%d:min(%d+7, len(%s))]", "%s[len(%s)-min(len(%s), 5):]", "window(%s[:min(8, len(%s))], %U, %U)"})
		over = strings.NewReplacer("%s", s.name, "%d", fmt.Sprint(lo), "%U", l.given(u64T)).Replace(over)
	}
	row := l.name("s")
	l.printf("var %s %s\n%s := %s\n", acc, p.typ.name, row, over)
	elem := row + "[" + k + "]"
	heads := []string{"for %k, %e := range %o {\n_ = %k", "for %k, %e := range %o {\n_ = %k", "for %k := range %o {", "for %k := 0; %k < len(%o); %k++ {", "for %k := len(%o) - 1; %k >= 0; %k-- {", "for %k := int32(0); int(%k) < len(%o); %k += 2 {"}
	n := l.IntN(len(heads))
	l.put(heads[n], "%k", k, "%e", e, "%o", row)
	if n < 2 {
		elem = e
	} else if l.IntN(2) == 0 {
		l.printf("%s := %s\n", e, elem)
		elem = e
	}
	if l.IntN(3) == 0 {
		if c, ok := l.basicPart(elem, s.elem); ok {
			l.printf("if %s == %s {\n%s\n}\n", c.expr, l.parenthesised(c.typ, 1), oneOf(l.gen, []string{"continue", "break"}))
		}
	}
	l.foldIn(acc, strings.ReplaceAll(p.expr, "%e", elem), p.typ)
	l.printf("}\n")
	l.add(acc, p.typ, false)
}

// chase goes from element to element by indices in them.
func (l *listing) chase() {
	s := oneOf(l.gen, []source{l.a, l.b})
	next, ok := l.basicPart("%e", s.elem)
	for range 5 {
		if next.typ.isInteger() {
			break
		}
		next, ok = l.basicPart("%e", s.elem)
	}
	if !ok || !next.typ.isInteger() || l.trips*8 > maxTrips {
		l.takePart()
		return
	}
	l.cost = max(l.cost, l.trips*8)
	of, _ := l.basicPart("%e", s.elem)
	acc, i, e := l.name("v"), l.name("w"), l.name("x")
	l.printf("var %s %s\n%s := uint(%s) %% %d\nfor range %s {\n", acc, of.typ.name, i, l.anyPlace(s), s.length, oneOf(l.gen, []string{"3", "1 + " + l.small(), "4"}))
	elem := fmt.Sprintf("%s[%s]", s.name, i)
	if l.IntN(3) > 0 {
		l.printf("%s := %s\n", e, elem)
		elem = e
	}
	l.foldIn(acc, strings.ReplaceAll(of.expr, "%e", elem), of.typ)
	l.printf("%s = uint(%s) %% %s\n}\n", i, strings.ReplaceAll(next.expr, "%e", elem), oneOf(l.gen, []string{fmt.Sprint(s.length), fmt.Sprintf("uint(len(%s))", s.name)}))
	l.add(acc, of.typ, false)
}

// picture goes through a window of a slice.
func (l *listing) picture() {
	if l.trips*windowTrips > maxTrips {
		l.takePart()
		return
	}
	l.cost = max(l.cost, l.trips*windowTrips)
	s := oneOf(l.gen, []source{l.a, l.b})
	wild := l.wildHere()
	p := picture{elem: s.elem, at: s.name + "[%i]", length: fmt.Sprintf("len(%s)", s.name), size: [2]string{l.sizes[0], l.sizes[1]}, point: [2]string{l.coords[0], l.coords[1]}}
	if l.IntN(2) == 0 {
		w := 1 + l.IntN(min(9, s.length))
		h := l.name("w")
		l.printf("%s := %s\n_ = %s\n", h, oneOf(l.gen, []string{fmt.Sprintf("len(%s) / %d", s.name, w), fmt.Sprint(s.length / w)}), h)
		p.size, p.fits = [2]string{fmt.Sprint(w), h}, true
	}
	acc, t := l.window(p, wild)
	l.add(acc, t, false)
}
