package main

import (
	"fmt"
	"strings"
)

// raw is an expression of type uint64 that the compiler cannot know.
func (g *gen) raw() string {
	switch {
	case g.device:
	case g.hasC:
		return "c.Next()"
	case g.IntN(3) == 0:
		return "run.Next()"
	}
	return g.expr(1)
}

// value is an expression of type t.
func (g *gen) value(t *typ) string {
	switch t.class {
	case boolean:
		return fmt.Sprintf("%s(%s&1 == 0)", t.name, g.raw())
	case integer:
		if g.IntN(12) == 0 {
			return fmt.Sprintf("%s(%d)", t.name, g.IntN(100))
		}
		return fmt.Sprintf("%s(%s)", t.name, g.raw())
	case floating:
		return fmt.Sprintf("%s(int8(%s & 127))", t.name, g.raw())
	case complexNum:
		return fmt.Sprintf("%s(complex(float%d(int8(%s & 127)), float%d(int8(%s & 127))))", t.name, t.bits, g.raw(), t.bits, g.raw())
	case text:
		if g.device {
			return fmt.Sprintf("run.Pick(%s, \"warp\", \"weft\")", g.cond(0))
		}
		return fmt.Sprintf("run.Text(%s)", g.raw())
	case function:
		return g.fnValue()
	case opaque:
		return fmt.Sprintf("*new(%s)", t.name)
	case array:
		n := min(t.len, 1+g.IntN(5))
		return t.name + "{" + list(make([]int, n), func(int, int) string { return g.value(t.elem) }) + "}"
	}
	if g.IntN(2) == 0 && !(g.vetted && strings.HasPrefix(t.name, "lib.")) || len(t.fields) == 0 {
		return t.name + "{" + list(t.fields, func(_ int, f field) string { return g.value(f.typ) }) + "}"
	}
	var all []string
	for _, i := range g.Perm(len(t.fields)) {
		if g.IntN(5) > 0 {
			all = append(all, t.fields[i].name+": "+g.value(t.fields[i].typ))
		}
	}
	return t.name + "{" + strings.Join(all, ", ") + "}"
}

// expr is an expression of type uint64 of what is known here.
func (g *gen) expr(deep int) string {
	vs := g.readable()
	n := g.IntN(22)
	switch {
	case n < 2 || len(vs) == 0 || deep < 0:
		if g.hasH && g.IntN(2) == 0 {
			return fmt.Sprintf("(h + %d)", g.IntN(1000))
		}
		return fmt.Sprintf("run.K(%d)", g.IntN(1000))
	case n < 13 || deep == 0:
		v := oneOf(g, vs)
		return g.scalar(v, v.name, v.typ, deep)
	case n < 16:
		if g.IntN(3) == 0 {
			return fmt.Sprintf("(%s * %d)", g.expr(deep-1), 3+g.IntN(50))
		}
		op := oneOf(g, []string{"+", "-", "*", "^", "&", "|", "&^"})
		return fmt.Sprintf("(%s %s %s)", g.expr(deep-1), op, g.expr(deep-1))
	}
	switch n {
	case 16:
		return fmt.Sprintf("(%s >> (%s & 31))", g.expr(deep-1), g.expr(deep-1))
	case 17:
		if g.lits > 2 {
			break
		}
		return g.inlineLit(deep)
	case 18:
		return fmt.Sprintf("run.Pick(%s, %s, %s)", g.cond(deep-1), g.expr(deep-1), g.expr(deep-1))
	case 19:
		return fmt.Sprintf("%s(%s, %s)", oneOf(g, []string{"min", "max"}), g.expr(deep-1), g.expr(deep-1))
	case 20:
		return fmt.Sprintf("run.Table[%s%%8]", g.expr(deep-1))
	default:
		v := oneOf(g, vs)
		if v.typ.class == array {
			return fmt.Sprintf("uint64(len(%s))", v.name)
		}
		if v.typ.comparable() && g.IntN(4) == 0 {
			return fmt.Sprintf("uint64(unsafe.Sizeof(%s))", v.name)
		}
		t := g.plainType(1)
		if t.class == opaque {
			break
		}
		e, ok := g.path("("+g.value(t)+")", t, deep-1, false)
		if ok {
			return e
		}
	}
	return g.expr(deep - 1)
}

// inlineLit is a call of a literal, on one line.
func (g *gen) inlineLit(deep int) string {
	known, calls := len(g.vars), g.calls
	g.depth++
	g.lits++
	name := g.name()
	floor := g.floor
	arg := g.expr(deep - 1)
	g.add(name, u64T)
	g.floor = len(g.vars)
	body := g.expr(deep - 1)
	g.lits--
	g.depth--
	g.vars, g.floor, g.calls = g.vars[:known], floor, max(calls, g.calls)
	return fmt.Sprintf("func(%s uint64) uint64 { return %s + %s }(%s)", name, name, body, arg)
}

// scalar is a part of a variable as a uint64.
func (g *gen) scalar(v *variable, e string, t *typ, deep int) string {
	if t.class == function {
		g.calls++
		if g.IntN(4) == 0 {
			return fmt.Sprintf("run.Apply(%s, %s)", e, g.expr(deep-1))
		}
		return fmt.Sprintf("%s(%s)", e, g.expr(deep-1))
	}
	if s, ok := g.path(e, t, deep, true); ok {
		return s
	}
	return fmt.Sprintf("uint64(unsafe.Sizeof(%s))", e)
}

// path is a random part of e, of type t, as a uint64; false if there is none.
func (g *gen) path(e string, t *typ, deep int, addressable bool) (string, bool) {
	if t.methods && g.IntN(3) == 0 || t.class == opaque {
		m := "Get"
		if addressable && t.class != opaque && g.IntN(3) == 0 {
			m = "Ptr"
		}
		return fmt.Sprintf("%s.%s(%s)", e, m, g.expr(deep-1)), true
	}
	switch t.class {
	case boolean:
		return fmt.Sprintf("run.Pick[uint64](bool(%s), %d, %d)", e, g.IntN(9), g.IntN(9)), true
	case integer:
		return fmt.Sprintf("uint64(%s)", e), true
	case floating:
		return fmt.Sprintf("uint64(int64(%s))", e), true
	case complexNum:
		return fmt.Sprintf("uint64(int64(%s(%s)))", oneOf(g, []string{"real", "imag"}), e), true
	case text:
		if g.IntN(2) == 0 {
			return fmt.Sprintf("uint64(len(%s))", e), true
		}
		return fmt.Sprintf("run.At(%s, %s)", e, g.expr(deep-1)), true
	case array:
		i := fmt.Sprint(g.IntN(t.len))
		if g.IntN(2) == 0 && t.len > 1 {
			i = fmt.Sprintf("%s%%%d", g.expr(deep-1), t.len)
		}
		return g.path(fmt.Sprintf("%s[%s]", e, i), t.elem, deep-1, addressable)
	}
	if len(t.fields) == 0 {
		return "", false
	}
	f := oneOf(g, t.fields)
	return g.path(e+"."+f.name, f.typ, deep, addressable)
}

// cond is a condition, sometimes one that the compiler knows or half knows.
func (g *gen) cond(deep int) string {
	n := g.IntN(14)
	if deep < 0 {
		n = 7 + g.IntN(7)
	}
	switch n {
	case 0:
		return "run.Debug && " + g.cond(-1)
	case 1:
		return "!run.Debug || " + g.cond(-1)
	case 2:
		return g.cond(-1) + " && run.Debug"
	case 3:
		return "(" + g.cond(deep-1) + ")"
	case 4:
		return oneOf(g, []string{"true", "false", "run.Debug", "!run.Debug", "(run.Debug)", "!(run.Debug)"})
	case 5:
		return "!(" + g.cond(deep-1) + ")"
	case 6:
		return fmt.Sprintf("(%s) || %s&8 == 0", g.cond(deep-1), g.expr(max(deep, 0)))
	case 7:
		vs := g.visible(func(v *variable) bool { return v.typ.comparable() && v.typ.class != structure })
		if len(vs) > 0 {
			v := oneOf(g, vs)
			return fmt.Sprintf("%s == %s", v.name, v.name)
		}
	case 8:
		vs := g.visible(func(v *variable) bool { return v.typ.class == boolean })
		if len(vs) > 0 {
			return "bool(" + oneOf(g, vs).name + ")"
		}
	}
	return fmt.Sprintf("%s&%d == 0", g.expr(max(deep, 0)), 1+g.IntN(3))
}

const maxLevel = 3

// fnValue is a func value.
func (g *gen) fnValue() string {
	s, _ := g.fnLevel()
	return s
}

// fnLevel is a func value and its level.
func (g *gen) fnLevel() (string, int) {
	switch g.IntN(8) {
	case 0:
		switch {
		case g.IntN(2) == 0 && len(g.templates) > 0:
			return g.instance(), 0
		case len(g.helpers) > 0:
			return oneOf(g, g.helpers), 0
		}
	case 1:
		vs := g.visible(func(v *variable) bool { return v.typ.methods || v.typ.class == opaque && !g.device })
		if len(vs) > 0 && g.level > 0 {
			v := oneOf(g, vs)
			if v.typ.class != opaque {
				return v.name + ".Get", 0
			}
		}
	case 2:
		if !g.device {
			if m := g.pickMaker(true); m != nil {
				return g.callMaker(m), 1
			}
		}
	}
	return g.fnLit()
}

// instance is an instance of a function of package level, where there is one.
func (g *gen) instance() string {
	t := u64T
	if len(g.params) > 0 {
		t = oneOf(g, g.params)
	}
	return fmt.Sprintf("%s[%s]", oneOf(g, g.templates), t.name)
}

// fnLit is a literal of fnT, on several lines.
func (g *gen) fnLit() (string, int) {
	save, types := *g.body, g.types
	g.depth++
	g.device, g.floor, g.loops, g.calls = true, len(g.vars), 0, 0
	g.lits++
	level := 0
	if save.level > 0 {
		level = g.IntN(save.level + 1)
	}
	g.level = level - 1
	g.budget = g.IntN(4)
	name := g.name()
	g.add(name, u64T)
	text := g.text(func() {
		g.printf("func(%s uint64) uint64 {\n", name)
		if g.budget == 0 {
			g.printf("return %s * %d + %s\n}", name, g.id(), g.expr(2))
			return
		}
		g.printf("h := %s * %d\n", name, g.id())
		g.hasH = true
		g.reads(3)
		g.stmts()
		g.printf("return h\n}")
	})
	save.buf = g.buf
	*g.body, g.types = save, types
	return text, level
}
