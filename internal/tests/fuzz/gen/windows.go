package main

import (
	"fmt"
	"strings"
)

// This file makes loops over windows around a point of a picture, which its borders cut off. The compiler makes a version of
// a loop for where no border is near, tells LLVM how few iterations it makes, and unrolls it (ssa2ir, window.go and bounded.go).

// A picture is what a window is of.
type picture struct {
	elem   *typ
	at     string // its element of index %i
	length string // how many there are, an expression
	size   [2]string
	point  [2]string // both of columns and rows, ints
	fits   bool      // all points within size are elements
	writes bool      // the kernel may write to it
}

// An edge is how a loop goes through one direction of a window: its head, where it is in the picture and what ends it. %d is its variable, %c the point, %n the size, %r how far the window goes.
type edge struct {
	head, at, end string
	inside        bool // %k is within the picture
}

var edges = []choice[edge]{
	{6, edge{"for %d := -%r; %d <= %r; %d++ {\nif %c+%d < 0 || %c+%d >= %n {\ncontinue\n}\n", "%c+%d", "}\n", true}},
	{4, edge{"for %d := -%r; %d <= %r; %d++ {\n%k := %c + %d\nif %k < 0 || %k >= %n {\ncontinue\n}\n", "%k", "}\n", true}},
	{3, edge{"for %d := -%r; %d <= %r; %d++ {\nif %k := %c + %d; %k >= 0 && %k < %n {\n", "%k", "}\n}\n", true}},
	{6, edge{"for %d := max(%c-%r, 0); %d < min(%c+%r+1, %n); %d++ {\n", "%d", "}\n", true}},
	{3, edge{"%b, %e := max(%c-%r, 0), min(%c+%r, %n-1)\nfor %d := %b; %d <= %e; %d++ {\n", "%d", "}\n", true}},
	{3, edge{"%b, %e := 2*%c-1, min(2*%c+%r+1, %n)\nfor %d := max(%b, 0); %d < %e; %d++ {\n", "%d", "}\n", true}},
	{3, edge{"%e := %c + %r\nif %e > %n {\n%e = %n\n}\nfor %d := max(%c, 0); %d < %e; %d++ {\n", "%d", "}\n", true}},
	{2, edge{"for %d := %c; %d < %c+%r+1; %d++ {\n", "%d", "}\n", false}},
	{4, edge{"%b := %c - 1\n%e := min(%b+%r+1, %n)\nfor %d := max(%b, 0); %d < %e; %d++ {\n", "%d", "}\n", true}},
	{4, edge{"%b := int32(%c) - %r\n%e := min(%b+%r+2, int32(%n))\nfor %d := max(%b, 0); %d < %e; %d++ {\n", "int(%d)", "}\n", true}},
	{2, edge{"for %d := int32(-%r); %d <= %r; %d++ {\n%k := %c + int(%d)\nif uint(%k) >= uint(%n) {\ncontinue\n}\n", "%k", "}\n", true}},
	{3, edge{"for %d := -%r; %d <= %r; %d++ {\n%k := min(max(%c+%d, 0), %n-1)\n", "%k", "}\n", false}},
	{3, edge{"for %d := range 2*%r + 1 {\n%k := %c + %d - %r\nif %k < 0 {\ncontinue\n}\nif %k >= %n {\nbreak\n}\n", "%k", "}\n", true}},
	{2, edge{"for %d := -%r; %d <= %r; %d++ {\n%k := %c + %d\nif %k < 0 {\n%k = -%k\n}\nif %k >= %n {\n%k = 2*%n - 2 - %k\n}\n", "%k", "}\n", false}},
	{2, edge{"for %d := %r; %d >= -%r; %d-- {\n%k := %c + %d\nif %k < 0 {\n%k += %n\n} else if %k >= %n {\n%k -= %n\n}\n", "%k", "}\n", false}},
	{2, edge{"for %d := max(-%r, -%c); %d <= min(%r, %n-1-%c); %d++ {\n", "%c+%d", "}\n", true}},
}

// windowTrips is how often a window's inner statements run at most.
const windowTrips = 49

// window reads a window of a picture, and is the name and the type of what it makes of it; wild tells that its indices may be out of range.
func (g *gen) window(p picture, wild bool) (acc string, t *typ) {
	part, _ := g.basicPart("%v", p.elem)
	acc, t = g.name("w"), part.typ
	g.printf("var %s %s\n", acc, t.name)
	rows := 2
	if g.IntN(3) == 0 { // of one direction
		rows = 1
	}
	radius := oneOf(g, []string{"1", "1", "1", "2", "2", "3"})
	if (g.main || g.has(planes)) && g.IntN(6) == 0 {
		radius = g.name("w")
		g.printf("%s := %s\n", radius, oneOf(g, []string{"int(u.Small[1]&3)", "1 + u.Small[0]/4", "min(u.Small[2], 3)"}))
	}
	weights := ""
	if t.isNumber() && g.IntN(4) == 0 {
		weights = g.name("w")
		g.printf("%s := [7]%s{%s, 2, %s, 1}\n", weights, t.name, g.literal(t), g.literal(t))
	}
	var at [2]string
	var end, weight string
	inside := true
	for i := rows - 1; i >= 0; i-- {
		e := weighted(g, edges)
		for strings.Contains(e.head, "int32(") && radius[0] == 'w' { // that is no int32
			e = weighted(g, edges)
		}
		d := g.name("w")
		names := strings.NewReplacer("%d", d, "%k", d+"k", "%b", d+"b", "%e", d+"e", "%c", p.point[i], "%n", p.size[i], "%r", radius)
		g.printf("%s", names.Replace(e.head))
		at[i], end, inside = names.Replace(e.at), e.end+end, inside && e.inside
		if strings.HasPrefix(e.head, "for %d := -%r;") && weights != "" {
			weight = names.Replace(" * " + weights + "[%d+%r]")
		}
	}
	if weights != "" && weight == "" {
		weight = " * " + weights + "[" + fmt.Sprint(g.IntN(7)) + "]"
	}
	i := oneOf(g, []string{"(%y)*%w+%x", "(%y)*%w+%x", "(%y)*%w+%x", "%x+%w*(%y)"})
	if rows == 1 {
		i = oneOf(g, []string{"%x", p.point[1] + "*%w+%x"})
		inside = inside && i == "%x"
	}
	i = strings.NewReplacer("%x", at[0], "%y", at[1], "%w", p.size[0]).Replace(i)
	if wild && g.IntN(6) == 0 {
		i += oneOf(g, []string{"+1", "-1", "+" + p.size[0]})
	}
	if (!inside || !p.fits) && !wild {
		i = fmt.Sprintf("uint(%s)%%uint(%s)", i, p.length)
	}
	g.windowBody(p, strings.ReplaceAll(p.at, "%i", i), acc, weight, part)
	g.printf("%s", end)
	return acc, t
}

// windowBody is what a window's inner loop does with an element, and its weight if there is any.
func (g *gen) windowBody(p picture, element, acc, weight string, first part) {
	v := g.name("w")
	whole := !p.elem.isBasic() || g.IntN(3) > 0
	if whole {
		g.printf("%s := %s\n", v, element)
	} else {
		v = element
	}
	x := strings.ReplaceAll(first.expr, "%v", v)
	switch n := g.IntN(8); {
	case n == 0 && first.typ.class <= floating && first.typ != boolT:
		g.printf("if %s %s %s {\ncontinue\n}\n", x, oneOf(g, []string{"<", ">", "=="}), g.literal(first.typ))
	case n == 1 && p.writes:
		g.printf("%s = %s\n", element, v)
	case n == 2 && p.writes && !first.typ.refers():
		g.printf("%s = %s\n", strings.ReplaceAll(first.expr, "%v", element), acc)
	}
	if weight != "" { // rounded by the conversion, so that no device may fuse it
		x = first.typ.name + "(" + x + weight + ")"
	}
	g.foldIn(acc, x, first.typ)
	if y, ok := g.basicPart(v, p.elem); ok && same(y.typ, first.typ) && first.typ.isInteger() && g.IntN(2) == 0 {
		g.printf("if %s %s %s {\n%s++\n}\n", y.expr, oneOf(g, comparisons), g.literal(y.typ), acc)
	}
}

// foldIn is a statement that adds a value to what a loop makes. acc begins with 0, so that no float is added to itself.
func (g *gen) foldIn(acc, x string, t *typ) {
	form := "%a = pick(%a == %x, %x, %a)"
	switch {
	case t.class == boolean:
		form = oneOf(g, []string{"%a = %a != %x", "%a = %a || %x", "%a = %x && !%a"})
	case t.isInteger():
		form = oneOf(g, []string{"%a += %x", "%a += %x", "%a = %a*3 ^ %x", "%a = max(%a, %x)", "%a -= %x * 5", "if %a < %x {\n%a = %x\n}"})
	case t.class == floating:
		form = oneOf(g, []string{"%a += %x", "%a += %x", "%a -= %x", "%a += %t(%x * 0.3)", "if %x > %a {\n%a = %x\n}"})
	case t.class == complexNum:
		form = "%a += %x"
	}
	g.printf("%s\n", strings.NewReplacer("%a", acc, "%x", x, "%t", t.name).Replace(form))
}

// A part is a number or the like in a value.
type part struct {
	expr string
	typ  *typ
}

// basicPart is one of a value e of type t; false if it has none.
func (g *gen) basicPart(e string, t *typ) (part, bool) {
	for t.class == structure || t.class == array {
		if t.class == array {
			e, t = e+"["+g.index(t.len)+"]", t.elem
			continue
		}
		f := oneOf(g, t.fields)
		e, t = e+"."+f.name, f.typ
	}
	return part{e, t}, t.isBasic() && t.class != text
}

// windowStmt makes a picture in a local array, and goes through a window of it.
func (g *gen) windowStmt() {
	if g.trips*windowTrips > maxTrips {
		g.assign()
		return
	}
	g.cost = max(g.cost, g.trips*windowTrips)
	t := oneOf(g, []*typ{f32T, f64T, i32T, u8T, intT, oneOf(g, integerTypes)})
	if g.has(lists) && g.IntN(3) == 0 {
		t = oneOf(g, g.types)
		if _, ok := g.basicPart("", t); !ok || t.hasText() || t.scalars() > 6 {
			t = f32T
		}
	}
	w, h := 2+g.IntN(5), 2+g.IntN(5)
	all, k := g.name("w"), g.name("w")
	g.printf("var %s %s\nfor %s := range %s {\n", all, arrayOf(w*h, t).name, k, all)
	if t.isNumber() {
		g.printf("%s[%s] = %s(%s%%%d) + %s\n", all, k, t.name, k, 3+g.IntN(9), g.given(t))
	} else {
		g.printf("if %s%%%d == 0 {\n%s[%s] = %s\n}\n", k, 1+g.IntN(3), all, k, g.expr(t, 2))
	}
	g.printf("}\n")
	p := picture{elem: t, at: all + "[%i]", length: fmt.Sprint(w * h), fits: true, writes: true}
	small := func() string { return fmt.Sprintf("in.Small[%d]", g.IntN(4)) }
	wild := g.main && !g.inFunc() && g.floor == 0 && g.wild < maxWild && g.IntN(4) == 0
	if wild {
		g.wild++
	}
	for i, n := range []int{w, h} {
		p.size[i] = fmt.Sprint(n)
		if g.IntN(2) == 0 {
			p.size[i] = g.name("w")
			size := oneOf(g, []string{fmt.Sprint(n), fmt.Sprintf("min(%s+1, %d)", small(), n), fmt.Sprintf("%d - %s&1", n, small())})
			if wild && g.IntN(2) == 0 {
				size = oneOf(g, []string{small(), fmt.Sprintf("%d + %s/4", n, small()), "-" + small()})
			}
			g.printf("%s := %s\n", p.size[i], size)
		}
		p.point[i] = g.name("w")
		g.printf("%s := %s\n", p.point[i], oneOf(g, []string{small(), small(), fmt.Sprintf("%s - 1", small()), fmt.Sprintf("%s %% %d", small(), n), fmt.Sprint(n - 1), "int(in.U8[0] & 7)"}))
		g.printf("_, _ = %s, %s\n", p.point[i], p.size[i])
	}
	if g.IntN(3) == 0 {
		s := g.name("w")
		g.printf("%s := %s[:]\n", s, all)
		p.at = s + "[%i]"
	}
	acc, of := g.window(p, wild)
	g.add(acc, of, false)
	if p.writes && g.IntN(2) == 0 {
		g.add(all, arrayOf(w*h, t), false)
	}
}
