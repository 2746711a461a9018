package spmd

import (
	"fmt"
	"maps"
	"strings"
)

// This file writes random control flow.

// scope writes code whose values are not seen afterwards.
func (g *generator) scope(label string, body func()) (end string, pool map[string][]string) {
	outer := g.pool
	g.pool = map[string][]string{}
	for t, list := range outer {
		g.pool[t] = list[:len(list):len(list)]
	}
	fmt.Fprintf(&g.b, "%s:\n", label)
	g.block = label
	g.depth++
	body()
	g.depth--
	end, pool = g.block, g.pool
	g.pool = outer
	return end, pool
}

// branch parts the lanes, perhaps.
func (g *generator) branch() {
	c := g.value("i1", false)
	yes, no, join := g.label(), g.label(), g.label()
	from := g.block
	both := g.IntN(2) == 0
	if !both {
		no = join
	}
	g.line("br i1 %s, label %%%s, label %%%s", c, yes, no)
	endYes, poolYes := g.scope(yes, func() { g.code() })
	g.line("br label %%%s", join)
	endNo, poolNo := from, maps.Clone(g.pool)
	if both {
		endNo, poolNo = g.scope(no, func() { g.code() })
		g.line("br label %%%s", join)
	}
	fmt.Fprintf(&g.b, "%s:\n", join)
	g.block = join
	for range 1 + g.IntN(3) {
		t := g.recentType()
		if len(poolYes[t]) == 0 || len(poolNo[t]) == 0 {
			continue
		}
		x, y := pickOne(g, poolYes[t]...), pickOne(g, poolNo[t]...)
		if g.IntN(4) == 0 && bitsOf(t) > 1 {
			x = g.constant(t)
		}
		g.let(t, "phi %s [ %s, %%%s ], [ %s, %%%s ]", t, x, endYes, y, endNo)
	}
}

// loop runs its body a few times: as often in each lane, or not. Its values are seen outside
// through phi nodes at its exit.
func (g *generator) loop() {
	pre, head, exit := g.block, g.label(), g.label()
	g.line("br label %%%s", head)
	// the body is written first, for its phi nodes need the names of what comes last
	text := g.b.String()
	g.b.Reset()
	type carried struct{ typ, name, first string }
	var phis []carried
	for range 1 + g.IntN(3) {
		t := g.recentType()
		phis = append(phis, carried{t, g.name(), g.value(t, true)})
	}
	before := g.b.String() // conversions made for the first values
	g.b.Reset()
	turn := g.name()
	var latch, breakFrom, last string
	var atBreak map[string][]string
	_, pool := g.scope(head, func() {
		g.add("i32", turn)
		for _, p := range phis {
			g.add(p.typ, p.name)
		}
		g.code()
		if g.IntN(3) == 0 { // some lanes leave early
			c, on := g.value("i1", false), g.label()
			breakFrom = g.block
			atBreak = map[string][]string{}
			for t, list := range g.pool {
				atBreak[t] = list[:len(list):len(list)]
			}
			g.line("br i1 %s, label %%%s, label %%%s", c, exit, on)
			fmt.Fprintf(&g.b, "%s:\n", on)
			g.block = on
			g.code()
		}
		x := g.value("i32", true)
		most := g.let("i32", "and i32 %s, 3", x)
		last = g.name()
		g.line("%s = add i32 %s, 1", last, turn)
		g.add("i32", last)
		c := g.name()
		g.line("%s = icmp ult i32 %s, %s", c, last, most)
		latch = g.block
		g.line("br i1 %s, label %%%s, label %%%s", c, head, exit)
	})
	body := g.b.String()
	g.b.Reset()
	// what the loop begins with stands before its preheader's branch
	cut := strings.LastIndex(text[:len(text)-1], "\n") + 1
	g.b.WriteString(text[:cut] + before + text[cut:])
	_, rest, _ := strings.Cut(body, "\n")
	fmt.Fprintf(&g.b, "%s:\n", head)
	g.line("%s = phi i32 [ 0, %%%s ], [ %s, %%%s ]", turn, pre, last, latch)
	for _, p := range phis {
		again := p.name
		if list := pool[p.typ]; g.IntN(4) > 0 {
			again = pickOne(g, list...)
		}
		g.line("%s = phi %s [ %s, %%%s ], [ %s, %%%s ]", p.name, p.typ, p.first, pre, again, latch)
	}
	g.b.WriteString(rest)
	fmt.Fprintf(&g.b, "%s:\n", exit)
	g.block = exit
	for range 1 + g.IntN(3) {
		t := g.recentType()
		x := pickOne(g, pool[t]...)
		if breakFrom == "" {
			g.let(t, "phi %s [ %s, %%%s ]", t, x, latch)
			continue
		}
		if len(atBreak[t]) == 0 {
			continue
		}
		g.let(t, "phi %s [ %s, %%%s ], [ %s, %%%s ]", t, x, latch, pickOne(g, atBreak[t]...), breakFrom)
	}
}

// check ends the launch for a value that is not to be.
func (g *generator) check() {
	x, bad := g.value("i32", false), g.Int32()
	c := g.let("i1", "icmp eq i32 %s, %d", x, bad)
	fail, on := g.label(), g.label()
	if g.IntN(2) == 0 {
		c = g.let("i1", "xor i1 %s, true", c)
		g.line("br i1 %s, label %%%s, label %%%s", c, on, fail)
	} else {
		g.line("br i1 %s, label %%%s, label %%%s", c, fail, on)
	}
	fmt.Fprintf(&g.b, "%s:\n", fail)
	if g.IntN(3) == 0 { // a loop that nothing else leaves, as where the first of several indices that is out of range is looked for
		search, found := g.label(), g.label()
		k, next, late, is, end := g.name(), g.name(), g.name(), g.name(), g.name()
		g.line("br label %%%s", search)
		fmt.Fprintf(&g.b, "%s:\n", search)
		g.line("%s = phi i32 [ 0, %%%s ], [ %s, %%%s ]", k, fail, next, search)
		g.line("%s = add i32 %s, 1", next, k)
		g.line("%s = icmp ugt i32 %s, %d", late, k, g.IntN(3))
		g.line("%s = icmp eq i32 %s, %d", is, x, bad)
		g.line("%s = and i1 %s, %s", end, late, is)
		g.line("br i1 %s, label %%%s, label %%%s", end, found, search)
		fmt.Fprintf(&g.b, "%s:\n", found)
	}
	g.line("call void @heddle.panic(i32 0, i64 0, i64 0)")
	g.line("unreachable")
	g.declare("void @heddle.panic(i32, i64, i64)")
	fmt.Fprintf(&g.b, "%s:\n", on)
	g.block = on
}
