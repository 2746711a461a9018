package main

import (
	"bytes"
	"fmt"
	"strings"
)

// callStmt calls a function for its results and effects.
func (g *gen) callStmt() {
	if g.generic == nil && g.IntN(2) == 0 && g.seq < 400 && len(g.fns) < 6 && g.depth < 3 {
		oneOf(g, []func(*gen){(*gen).helper, (*gen).helper, (*gen).method, (*gen).genericFn})(g)
	}
	var all []*fn
	for _, f := range g.fns {
		if (f.pure || g.floor == 0) && g.affords(f) {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		g.assign()
		return
	}
	f := oneOf(g, all)
	call := g.call(f, 2)
	switch {
	case call == "":
	case len(f.results) == 0:
		g.printf("%s\n", call)
	default:
		var to []string
		for range f.results {
			to = append(to, g.name("v"))
		}
		g.printf("%s := %s\n", strings.Join(to, ", "), call)
		for i, t := range f.results {
			g.add(to[i], t, false)
		}
	}
}

// function writes a function's parameters, results and body, and describes it.
// receiver, if any, is its first parameter.
func (g *gen) function(head string, f *fn, receiver *typ, generic *typ, types func() *typ) string {
	known, fns := g.vars, g.fns
	outer := g.open(nil, 3+g.IntN(5))
	outerFns := g.fns
	g.generic = generic
	g.fns = nil
	for _, c := range outerFns { // closures are not known there
		if c.depth == 0 && (c.pure || !f.pure) && generic == nil {
			g.fns = append(g.fns, c)
		}
	}
	var params []string
	if receiver != nil {
		g.add("r", receiver, false)
		f.params = append(f.params, receiver)
	}
	for i := range 1 + g.IntN(3) {
		t := types()
		if !f.pure && g.IntN(3) == 0 {
			t = map[bool]*typ{true: pointerTo(t), false: sliceOf(t)}[g.IntN(3) > 0]
		}
		name := fmt.Sprintf("a%d", i)
		f.params = append(f.params, t)
		params = append(params, name+" "+t.name)
		g.add(name, t, false)
	}
	f.takesIn = true
	params = append(params, "in *Input")
	n := 1
	if !f.pure {
		n = g.IntN(4)
	}
	g.named = g.IntN(3) == 0
	var results []string
	for i := range n {
		t := types()
		f.results = append(f.results, t)
		results = append(results, t.name)
		if g.named {
			name := fmt.Sprintf("z%d", i)
			results[i] = name + " " + t.name
			g.add(name, t, false)
		}
	}
	g.results = f.results
	if n == 0 {
		g.results = []*typ{}
	}
	g.depth--
	g.blockEnding(g.stmts, g.returnStmt)
	body := g.buf.String()
	f.cost = g.cost
	g.body = outer
	g.vars, g.fns = known, fns
	list := ""
	if n > 0 {
		list = "(" + strings.Join(results, ", ") + ")"
	}
	return fmt.Sprintf("%s(%s) %s %s\n\n", head, strings.Join(params, ", "), list, body)
}

// helper declares a function.
func (g *gen) helper() {
	f := &fn{name: g.name("h" + g.id + "_"), pure: g.IntN(2) == 0}
	head := "func " + f.name
	if g.IntN(5) == 0 {
		head = "//go:noinline\n" + head
	}
	g.decls.WriteString(g.function(head, f, nil, nil, g.someType))
	g.fns = append(g.fns, f)
}

// method declares a method of one of the kernel's types.
func (g *gen) method() {
	var named []*typ
	for _, t := range g.types {
		if strings.HasPrefix(t.name, "s") || strings.HasPrefix(t.name, "n") {
			named = append(named, t)
		}
	}
	t := oneOf(g, named)
	f := &fn{name: g.name("m"), recv: true, pure: g.IntN(2) == 0}
	if !f.pure {
		t = pointerTo(t)
	}
	g.decls.WriteString(g.function(fmt.Sprintf("func (r %s) %s", t.name, f.name), f, t, nil, g.someType))
	g.fns = append(g.fns, f)
}

// genericFn declares a generic function and makes two instances known.
func (g *gen) genericFn() {
	param, constraint, of := integerParam, "integers", integerTypes
	if g.IntN(3) == 0 {
		param, constraint, of = floatParam, "floats", []*typ{f32T, f64T}
	}
	f := &fn{name: g.name("g" + g.id + "_"), pure: g.IntN(2) == 0}
	src := g.function(fmt.Sprintf("func %s[T %s]", f.name, constraint), f, param, param, func() *typ {
		return oneOf(g, []*typ{param, param, boolT, oneOf(g, integerTypes), arrayOf(1+g.IntN(4), param)})
	})
	// its first parameter was added as a receiver
	src = strings.Replace(src, "](", "](r T, ", 1)
	g.decls.WriteString(src)
	for range 2 {
		to := oneOf(g, of)
		inst := &fn{name: f.name + "[" + to.name + "]", pure: f.pure, takesIn: true, cost: f.cost}
		for _, p := range f.params {
			inst.params = append(inst.params, instantiate(p, to))
		}
		for _, r := range f.results {
			inst.results = append(inst.results, instantiate(r, to))
		}
		g.fns = append(g.fns, inst)
	}
}

// instantiate puts a type in place of the type parameter.
func instantiate(t, to *typ) *typ {
	switch {
	case t.param:
		return to
	case t.class == array:
		return arrayOf(t.len, instantiate(t.elem, to))
	case t.class == pointer:
		return pointerTo(instantiate(t.elem, to))
	case t.class == slice:
		return sliceOf(instantiate(t.elem, to))
	}
	return t
}

// literalFunc is a function literal and its cost. It may change what it
// captures unless pure.
func (g *gen) literalFunc(pure bool, params, results []*typ) (lit string, cost int) {
	outer := *g.body
	g.buf = bytes.Buffer{}
	g.loops = append(g.loops[:len(g.loops):len(g.loops)], loop{barrier: true})
	g.results, g.named = results, false
	g.trips, g.cost, g.budget = 1, 1, 1+g.IntN(3)
	if pure {
		g.floor = len(g.vars)
	}
	var ids, list []string
	for _, t := range params {
		id := g.name("a")
		ids, list = append(ids, id), append(list, id+" "+t.name)
	}
	g.printf("func(%s) %s ", strings.Join(list, ", "), result(results))
	g.blockEnding(func() {
		for i, t := range params {
			g.add(ids[i], t, false)
		}
		g.stmts()
	}, g.returnStmt)
	lit, cost = g.buf.String(), g.cost
	*g.body = outer
	return lit, cost
}

// closure declares a func variable.
func (g *gen) closure() {
	if g.depth > 2 {
		return
	}
	f := &fn{pure: g.IntN(2) == 0 || g.floor > 0, depth: g.depth + 1}
	for range g.IntN(3) {
		f.params = append(f.params, oneOf(g, basicTypes))
	}
	for range 1 + g.IntN(2) {
		f.results = append(f.results, oneOf(g, basicTypes))
	}
	lit, cost := g.literalFunc(f.pure, f.params, f.results)
	f.cost = cost
	f.name = g.name("c")
	g.printf("%s := %s\n_ = %s\n", f.name, lit, f.name)
	g.fns = append(g.fns, f)
}

// funcArg passes a function to another, or calls it where it stands.
func (g *gen) funcArg() {
	if g.depth > 2 {
		return
	}
	v, t := g.name("v"), oneOf(g, basicTypes)
	n := g.IntN(3)
	var lit string
	var cost int
	switch {
	case n == 0:
		lit, cost = g.literalFunc(true, []*typ{t, intT}, []*typ{t})
		lit = fmt.Sprintf("%s := fold(%s, %s, %s)\n", v, g.small(), g.operand(t, 1), lit)
		cost *= 7
	case n == 1 && g.floor == 0:
		lit, cost = g.literalFunc(false, nil, nil)
		lit = fmt.Sprintf("twice(%s)\n", lit)
		cost *= 2
		t = nil
	default:
		lit, cost = g.literalFunc(g.floor > 0, []*typ{t}, []*typ{t})
		lit = fmt.Sprintf("%s := %s(%s)\n", v, lit, g.operand(t, 1))
	}
	if g.trips*cost > maxTrips {
		return
	}
	g.cost = max(g.cost, g.trips*cost)
	g.printf("%s", lit)
	if t != nil {
		g.add(v, t, false)
	}
}

// methodValue calls a method through a value or an expression.
func (g *gen) methodValue() {
	for _, f := range g.fns {
		if !f.recv || f.params[0].class == pointer || len(f.results) != 1 || !f.pure && g.floor > 0 || !g.affords(f) {
			continue
		}
		c, v := g.name("b"), g.name("v")
		args := []string{g.expr(f.params[0], 1)}
		for _, p := range f.params[1:] {
			a := g.expr(p, 1)
			if p.refers() {
				a = g.address(p, g.depth)
			}
			if a == "" {
				return
			}
			args = append(args, a)
		}
		args = append(args, "in")
		if g.IntN(2) == 0 {
			g.printf("%s := (%s).%s\n%s := %s(%s)\n", c, args[0], f.name, v, c, strings.Join(args[1:], ", "))
		} else {
			g.printf("%s := %s.%s(%s)\n", v, f.params[0].name, f.name, strings.Join(args, ", "))
		}
		g.add(v, f.results[0], false)
		return
	}
	g.declareStmt()
}

// multiMath calls a function of package math or math/bits with several results.
func (g *gen) multiMath() {
	a, b := g.name("v"), g.name("v")
	f, x, y := g.expr(f64T, 2), g.expr(u64T, 2), g.expr(u64T, 2)
	x32, y32 := g.expr(u32T, 2), g.expr(u32T, 2)
	type call struct {
		text string
		a, b *typ
	}
	c := oneOf(g, []call{
		{"math.Frexp(" + f + ")", f64T, intT},
		{"math.Modf(" + f + ")", f64T, f64T},
		{"bits.Mul64(" + x + ", " + y + ")", u64T, u64T},
		{"bits.Add64(" + x + ", " + y + ", " + x + "&1)", u64T, u64T},
		{"bits.Sub64(" + x + ", " + y + ", " + y + "&1)", u64T, u64T},
		{"bits.Div64(" + x + ">>1, " + y + ", " + x + "|1)", u64T, u64T},
		{"bits.Mul32(" + x32 + ", " + y32 + ")", u32T, u32T},
		{"bits.Add32(" + x32 + ", " + y32 + ", " + y32 + "&1)", u32T, u32T},
		{"bits.Sub32(" + x32 + ", " + y32 + ", 0)", u32T, u32T},
	})
	g.printf("%s, %s := %s\n", a, b, c.text)
	g.add(a, c.a, false)
	g.add(b, c.b, false)
}
