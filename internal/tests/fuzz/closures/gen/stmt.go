package main

import (
	"fmt"
	"strings"
)

// statements are what kernels and host code have in common.
func statements() []choice {
	return []choice{
		{8, (*gen).readAny}, {6, (*gen).update}, {6, (*gen).declare}, {6, (*gen).assign},
		{4, (*gen).ifStmt}, {2, (*gen).forStmt}, {2, (*gen).rangeInt}, {2, (*gen).rangeArray},
		{2, (*gen).rangeFunc}, {3, (*gen).switchStmt}, {2, (*gen).plainBlock}, {3, (*gen).immediate},
		{2, (*gen).dead}, {1, (*gen).localType}, {2, (*gen).localFunc}, {1, (*gen).labelled},
	}
}

// stmts writes the statements that the budget allows.
func (g *gen) stmts() {
	for g.budget > 0 {
		g.budget--
		if !g.device && g.IntN(2) == 0 {
			g.weighted(hostStatements())
			continue
		}
		g.weighted(statements())
	}
}

// few writes the statements of a nested block.
func (g *gen) few() {
	budget := g.budget
	if g.depth > 6 {
		g.budget = 0
	} else {
		g.budget = min(budget, 1+g.IntN(3))
	}
	budget -= g.budget
	g.stmts()
	if g.IntN(2) == 0 {
		g.readAny()
	}
	g.budget = budget
}

func (g *gen) nested() { g.block(g.few) }

func (g *gen) readAny() {
	if vs := g.readable(); len(vs) > 0 {
		g.read(oneOf(g, vs))
	} else {
		g.update()
	}
}

// reads reads up to n variables.
func (g *gen) reads(n int) {
	vs := g.readable()
	g.Shuffle(len(vs), func(i, j int) { vs[i], vs[j] = vs[j], vs[i] })
	for i, v := range vs[:min(len(vs), 1+g.IntN(n))] {
		if i == 0 || v.typ.class != function || g.calls < 3 {
			g.read(v)
		}
	}
}

// read uses a variable in one of many ways.
func (g *gen) read(v *variable) {
	plain := v.typ.class != function && v.typ.class != opaque
	switch n := g.IntN(14); {
	case n < 4:
		g.digest(v.name, v.typ, 0)
	case n < 6:
		g.printf("h = h*31 + %s\n", g.scalar(v, v.name, v.typ, 2))
	case n == 6 && plain:
		g.printf("{\nz := %s\n_ = z\n", v.name)
		g.digest("z", v.typ, 0)
		g.printf("}\n")
	case n == 7 && plain && g.floor <= len(g.vars):
		g.printf("{\nz := &%s\n_ = z\n", v.name)
		g.digest("(*z)", v.typ, 0)
		g.printf("}\n")
	case n == 8:
		g.printf("func() {\n")
		g.digest(v.name, v.typ, 0)
		g.printf("}()\n")
	case n == 9 && v.typ.comparable():
		g.printf("if %s == %s {\nh++\n}\n", v.name, v.name)
	case n == 10 && plain:
		g.printf("_ = %s\n", v.name)
	case n == 11:
		g.printf("if %s {\n", oneOf(g, []string{"run.Debug", "!run.Debug", "false", "run.Debug && h > 5", "run.Debug || h > 5"}))
		g.digest(v.name, v.typ, 0)
		g.printf("}\n")
	case n == 12 && v.typ.class == integer:
		g.printf("switch %s {\ncase %s(%s):\nh += %s\ndefault:\nh++\n}\n", v.name, v.typ.name, g.expr(1), g.expr(1))
	case n == 13 && v.typ.class == array:
		g.printf("for _, z := range %s {\n_ = z\n", v.name+oneOf(g, []string{"", "[:]"}))
		g.digest("z", v.typ.elem, 1)
		g.printf("}\n")
	default:
		g.digest(v.name, v.typ, 0)
	}
}

// digest folds all of e into h.
func (g *gen) digest(e string, t *typ, deep int) {
	switch t.class {
	case boolean:
		g.printf("if %s {\nh++\n}\nh *= 7\n", e)
	case complexNum:
		g.printf("h = h*31 + uint64(int64(real(%s)))\nh = h*31 + uint64(int64(imag(%s)))\n", e, e)
	case floating:
		g.printf("h = h*31 + uint64(int64(%s))\n", e)
	case integer:
		g.printf("h = h*31 + uint64(%s)\n", e)
	case text:
		g.printf("for z%d := range len(%s) {\nh = h*31 + uint64(%s[z%d])\n}\n", deep, e, e, deep)
	case function:
		g.calls++
		g.printf("h = %s(h)\n", e)
	case opaque:
		g.printf("h = %s.Get(h)\n", e)
	case array:
		g.printf("for z%d := range %s {\n_ = z%d\n", deep, e, deep)
		g.digest(fmt.Sprintf("%s[z%d]", e, deep), t.elem, deep+1)
		g.printf("}\n")
	case structure:
		for _, f := range t.fields {
			g.digest(e+"."+f.name, f.typ, deep)
		}
	}
}

func (g *gen) update() {
	g.printf("h %s %s\n", oneOf(g, []string{"+=", "^=", "=", "-=", "|="}), g.expr(2))
}

func (g *gen) declare() {
	t := g.varType()
	name := g.name()
	switch n := g.IntN(10); {
	case n == 0:
		g.printf("var %s %s\n", name, t.name)
	case n < 3:
		g.printf("var %s %s = %s\n", name, t.name, g.value(t))
	case n == 3:
		u := g.plainType(1)
		e, f := g.value(t), g.value(u)
		second := name + "2"
		for _, v := range g.vars {
			if v.name == second && v.depth == g.depth {
				return
			}
		}
		g.printf("%s, %s := %s, %s\n", name, second, e, f)
		g.declared(second, u)
	case n == 4:
		if vs := g.visible(func(v *variable) bool { return v.typ.class != function }); len(vs) > 0 {
			v := oneOf(g, vs)
			g.printf("%s := %s\n", name, v.name)
			t = v.typ
			break
		}
		fallthrough
	default:
		g.printf("%s := %s\n", name, g.value(t))
	}
	g.declared(name, t)
}

// declared makes a variable known, and uses it.
func (g *gen) declared(name string, t *typ) *variable {
	g.printf("_ = %s\n", name)
	return g.add(name, t)
}

// localFunc declares a func variable.
func (g *gen) localFunc() {
	if g.lits > 2 {
		g.update()
		return
	}
	name := g.name()
	e, level := g.fnLevel()
	g.funcVar(name, e, level)
}

func (g *gen) funcVar(name, value string, level int) {
	g.printf("%s\n", fmt.Sprintf(oneOf(g, []string{"%s := %s", "var %s func(uint64) uint64 = %s"}), name, value))
	g.declared(name, fnT).level = level
}

// instances declares a func variable for one of two instances that one line of generic code uses.
func (g *gen) instances() {
	if len(g.params) > 0 {
		g.funcVar(g.name(), fmt.Sprintf("run.Pick(%s, %s, %s)", g.cond(0), g.instance(), g.instance()), 0)
	}
}

// assign changes a variable or a part of it.
func (g *gen) assign() {
	vs := g.writable()
	if len(vs) == 0 {
		g.declare()
		return
	}
	g.assignTo(oneOf(g, vs))
}

func (g *gen) assignTo(v *variable) {
	e, t := v.name, v.typ
	if t.class == function {
		level := g.level
		g.level = v.level
		s, _ := g.fnLit()
		g.level = level
		g.printf("%s = %s\n", e, s)
		return
	}
	for g.IntN(2) == 0 {
		if t.class == array {
			e, t = fmt.Sprintf("%s[%d]", e, g.IntN(t.len)), t.elem
		} else if t.class == structure && len(t.fields) > 0 {
			f := oneOf(g, t.fields)
			e, t = e+"."+f.name, f.typ
		}
	}
	switch n := g.IntN(8); {
	case n == 0 && t.class == integer:
		g.printf("%s++\n", e)
	case n < 3 && t.class == integer:
		g.printf("%s %s %s(%s)\n", e, oneOf(g, []string{"+=", "^=", "*=", "-="}), t.name, g.raw())
	case n == 3:
		val := g.value(t)
		g.printf("{\nz := &%s\n*z = %s\n}\n", e, val)
	default:
		g.printf("%s = %s\n", e, g.value(t))
	}
}

func (g *gen) ifStmt() {
	g.printf("if %s ", g.cond(1))
	g.nested()
	switch g.IntN(3) {
	case 0:
		g.printf(" else ")
		g.nested()
	case 1:
		g.printf(" else if %s ", g.cond(1))
		g.nested()
	}
	g.printf("\n")
}

// loop is a loop's body. head is written with the loop's variables known.
func (g *gen) loop(head string, vars ...*variable) {
	known := len(g.vars)
	g.depth++
	for _, v := range vars {
		v.depth, v.fixed = g.depth, g.device || v.fixed
		g.vars = append(g.vars, v)
	}
	g.loops++
	g.printf("%s ", head)
	g.block(func() {
		for _, v := range vars {
			g.printf("_ = %s\n", v.name)
		}
		if strings.Contains(head, "< 3; ") && g.IntN(2) == 0 {
			g.printf("if %s {\n%s++\n}\n", g.cond(0), vars[0].name) // ends the loop sooner
		}
		g.few()
	})
	g.printf("\n")
	g.loops--
	g.depth--
	g.vars = g.vars[:known]
}

func (g *gen) trips() string {
	if g.IntN(2) == 0 {
		return fmt.Sprintf("run.K(%d)", 1+g.IntN(3))
	}
	return fmt.Sprintf("1+%s%%3", g.expr(1))
}

func (g *gen) forStmt() {
	if g.loops > 1 {
		g.update()
		return
	}
	i, n := g.name(), g.trips()
	v := &variable{name: i, typ: u64T, fixed: true}
	switch g.IntN(3) {
	case 0:
		g.loop(fmt.Sprintf("for %s := %s; %s > 0; %s--", i, n, i, i), v)
	case 1:
		g.loop(fmt.Sprintf("for %s := uint64(0); %s < 3; %s += 1 + %s%%2", i, i, i, i), v)
	default:
		g.loop(fmt.Sprintf("for %s, z := uint64(0), %s; %s < z; %s++", i, n, i, i), v)
	}
}

func (g *gen) rangeInt() {
	if g.loops > 1 {
		g.update()
		return
	}
	i := g.name()
	if g.IntN(5) == 0 {
		g.loop("for range " + g.trips())
		return
	}
	g.loop(fmt.Sprintf("for %s := range %s", i, g.trips()), &variable{name: i, typ: u64T})
}

func (g *gen) rangeArray() {
	vs := g.visible(func(v *variable) bool { return v.typ.class == array && v.typ.len < 5 })
	if g.loops > 1 || len(vs) == 0 {
		g.update()
		return
	}
	v, i, x := oneOf(g, vs), g.name(), g.name()
	for i == x {
		x = g.name()
	}
	vi, vx := &variable{name: i, typ: intT}, &variable{name: x, typ: v.typ.elem}
	switch g.IntN(5) {
	case 0:
		g.loop("for range " + v.name)
	case 1:
		g.loop(fmt.Sprintf("for %s := range %s", i, v.name), vi)
	case 2:
		g.loop(fmt.Sprintf("for _, %s := range %s", x, v.name), vx)
	case 3:
		g.loop(fmt.Sprintf("for %s, %s := range %s[:]", i, x, v.name), vi, vx)
	default:
		g.loop(fmt.Sprintf("for %s, %s := range &%s", i, x, v.name), vi, vx)
	}
}

func (g *gen) rangeFunc() {
	if g.loops > 1 {
		g.update()
		return
	}
	i := g.name()
	over := "run.Upto(" + g.trips() + ")"
	if !g.device && g.hasC {
		over = "c.Seq(2)"
	}
	g.loop(fmt.Sprintf("for %s := range %s", i, over), &variable{name: i, typ: u64T})
}

func (g *gen) switchStmt() {
	switch g.IntN(4) {
	case 0: // a constant decides
		g.printf("switch %d {\ncase 1:\n", 1+g.IntN(3))
		g.few1()
		g.printf("case 2:\n")
		g.few1()
		g.printf("%s", oneOf(g, []string{"", "", "fallthrough\n"}))
		g.printf("default:\n")
		g.few1()
		g.printf("}\n")
	case 1:
		g.printf("switch {\ncase %s:\n", g.cond(1))
		g.few1()
		g.printf("case %s:\n", g.cond(1))
		g.few1()
		g.printf("}\n")
	case 2:
		known, name := len(g.vars), g.name()
		g.depth++
		g.printf("switch %s := %s; %s%%3 {\n", name, g.expr(1), name)
		g.add(name, u64T)
		g.printf("case %s | 4:\n_ = %s\n", g.expr(1), name)
		g.few1()
		g.printf("case 1, 2:\n")
		g.few1()
		g.printf("}\n")
		g.depth--
		g.vars = g.vars[:known]
	default:
		g.printf("switch %s & 3 {\ncase 0:\n", g.expr(1))
		g.few1()
		g.printf("fallthrough\ncase 1:\n")
		g.few1()
		g.printf("default:\n")
		g.few1()
		g.printf("}\n")
	}
}

// few1 is a clause's body.
func (g *gen) few1() {
	known, types := len(g.vars), g.types
	g.depth++
	g.few()
	g.use(known)
	g.depth--
	g.vars, g.types = g.vars[:known], types
}

func (g *gen) plainBlock() {
	g.nested()
	g.printf("\n")
}

// immediate calls a literal where it stands.
func (g *gen) immediate() {
	if g.lits > 3 {
		g.update()
		return
	}
	g.lits++
	if g.IntN(3) == 0 {
		t, known, name := g.plainType(1), len(g.vars), g.name()
		arg := g.value(t)
		g.add(name, t).depth = g.depth + 1 // as the literal's body
		g.printf("func(%s %s) ", name, t.name)
		g.nested()
		g.printf("(%s)\n", arg)
		g.vars = g.vars[:known]
	} else {
		g.printf("func() ")
		g.nested()
		g.printf("()\n")
	}
	g.lits--
}

// dead is code that never runs, as the compiler may know or not.
func (g *gen) dead() {
	text := g.text(func() { g.nested() })
	n := g.IntN(5)
	if g.vetted {
		n = g.IntN(3)
	}
	switch n {
	case 0:
		g.printf("if false %s\n", text)
	case 1:
		g.printf("if run.Debug %s else {\nh++\n}\n", text)
	case 2:
		g.printf("for run.Debug %s\n", text)
	case 3:
		g.printf("for {\nh++\nbreak\n%s\n}\n", text)
	default:
		g.printf("func() {\nh++\nreturn\n%s\n}()\n", text)
	}
}

func (g *gen) localType() {
	if len(g.params) > 0 && g.IntN(2) == 0 {
		g.update()
		return
	}
	t := &typ{name: fmt.Sprintf("t%d", g.id()), class: integer}
	if g.IntN(2) == 0 {
		t.class = structure
		t.fields = []field{{"F0", g.plainType(1)}, {"F1", g.plainType(1)}}
		g.printf("type %s %s\n", t.name, structOf(t.fields).name)
	} else {
		g.printf("type %s %s\n", t.name, oneOf(g, integerTypes).name)
	}
	g.types = append(g.types[:len(g.types):len(g.types)], t)
}

// labelled is a loop that is left by its label.
func (g *gen) labelled() {
	if g.loops > 0 {
		g.update()
		return
	}
	label := fmt.Sprintf("l%d", g.id())
	g.printf("%s:\nfor range 3 {\nfor z := range uint64(3) {\nif z > %s%%3 {\n%s %s\n}\n", label, g.expr(1), oneOf(g, []string{"break", "continue"}), label)
	g.loops += 2
	g.block(g.few)
	g.loops -= 2
	g.printf("\n}\n}\n")
}
