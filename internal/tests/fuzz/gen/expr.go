package main

import (
	"fmt"
	"strings"
)

// expr is an expression of type t that is not constant, has no side effects and
// does not panic.
func (g *gen) expr(t *typ, deep int) string {
	if t.class == pointer || t.class == slice {
		return g.leaf(t)
	}
	if deep <= 0 || g.IntN(5) == 0 {
		if t == boolT && g.IntN(2) == 0 {
			return g.condition(0)
		}
		return g.leaf(t)
	}
	if g.chance(held, 8) {
		return g.heldIn(t, deep-1)
	}
	if g.IntN(8) == 0 {
		return fmt.Sprintf("pick(%s, %s, %s)", g.expr(boolT, deep-1), g.expr(t, deep-1), g.operand(t, deep-1))
	}
	if g.IntN(8) == 0 {
		if e := g.pureCall(t, deep-1); e != "" {
			return e
		}
	}
	switch t.class {
	case boolean:
		return g.condition(deep - 1)
	case signed, unsigned:
		return g.integer(t, deep-1)
	case floating:
		return g.floating(t, deep-1)
	case complexNum:
		return g.complexNum(t, deep-1)
	case text:
		return g.text(deep - 1)
	}
	if g.IntN(2) == 0 {
		return g.leaf(t)
	}
	return g.composite(t, deep-1)
}

// heldIn is a value that comes out of an interface, or another that does not.
func (g *gen) heldIn(t *typ, deep int) string {
	switch e := g.expr(t, deep); g.IntN(4) {
	case 0:
		return fmt.Sprintf("any(%s).(%s)", e, t.name)
	case 1:
		return fmt.Sprintf("taken[%s](%s, %s)", t.name, e, g.operand(t, deep))
	case 2:
		return fmt.Sprintf("taken[%s](%s, %s)", t.name, g.expr(oneOf(g, integerTypes), deep), e)
	default:
		return fmt.Sprintf("through(%s)", e)
	}
}

// operand is an expression that may be constant.
func (g *gen) operand(t *typ, deep int) string {
	if g.IntN(4) == 0 && t.isBasic() {
		return g.literal(t)
	}
	return g.expr(t, deep)
}

// pureCall calls a pure function that returns t, "" if there is none.
func (g *gen) pureCall(t *typ, deep int) string {
	var fit []*fn
	for _, f := range g.fns {
		if f.pure && len(f.results) == 1 && same(f.results[0], t) && g.affords(f) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	return g.call(oneOf(g, fit), deep)
}

// affords reports whether a call here does not take too long.
func (g *gen) affords(f *fn) bool { return g.trips*f.cost <= maxTrips }

// maxTrips is how often one thread may run a statement.
const maxTrips = 300

// call is a call with arguments; "" if there is nothing to point to.
func (g *gen) call(f *fn, deep int) string {
	g.cost = max(g.cost, g.trips*f.cost)
	var args []string
	for _, p := range f.params {
		a := ""
		switch p.class {
		case pointer, slice:
			if a = g.address(p, g.depth); a == "" {
				return ""
			}
		default:
			a = g.operand(p, deep)
		}
		args = append(args, a)
	}
	if f.takesIn {
		args = append(args, "in")
	}
	if f.recv {
		return fmt.Sprintf("(%s).%s(%s)", args[0], f.name, strings.Join(args[1:], ", "))
	}
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
}

// leaf is a variable of type t, or a part of one, or of the input.
func (g *gen) leaf(t *typ) string {
	paths := g.paths(t, false, g.depth)
	n := len(paths)
	switch {
	case t.input != "" && (n == 0 || g.IntN(n+3) < 2):
		return g.given(t)
	case n > 0:
		return paths[max(g.IntN(n), g.IntN(n))] // rather the later ones
	case t.class == text:
		return g.text(0)
	case t.param && t.class == floating:
		return fmt.Sprintf("T(%s)", g.given(f32T))
	case t.param:
		return fmt.Sprintf("T(%s)", g.given(oneOf(g, integerTypes)))
	}
	return g.composite(t, 1)
}

// given is a value of the input.
func (g *gen) given(t *typ) string {
	if t.isInteger() && g.chance(index, 10) {
		return fmt.Sprintf("%s(%s)", t.name, g.coordinate())
	}
	if g.main && (g.on != 0) && g.IntN(12) == 0 {
		for _, of := range uniformFields {
			if of.name == t.name && (of.input == "Small") == (t == smallT) { // a loop's bound is small
				return fmt.Sprintf("u.%s[%d]", of.input, g.IntN(of.count))
			}
		}
	}
	e := fmt.Sprintf("in.%s[%d]", t.input, g.IntN(t.count))
	if strings.HasPrefix(t.name, "n") {
		return t.name + "(" + e + ")"
	}
	return e
}

// paths lists the expressions for variables of type t and parts of variables:
// those that can be written to, if writable, else those that can be read. Only
// variables as outer as depth count.
func (g *gen) paths(t *typ, writable bool, depth int) []string {
	var found []string
	for i, v := range g.vars {
		if v.depth > depth || g.shadowed(i) || writable && (v.fixed || i < g.floor) {
			continue
		}
		if t.refers() && i < g.floor {
			continue
		}
		g.walk(t, v.name, v.typ, writable, 0, &found)
	}
	return found
}

func (g *gen) shadowed(i int) bool {
	for _, v := range g.vars[i+1:] {
		if v.name == g.vars[i].name {
			return true
		}
	}
	return false
}

func (g *gen) walk(want *typ, e string, have *typ, writable bool, deep int, found *[]string) {
	if same(want, have) {
		*found = append(*found, e)
	}
	if deep > 4 {
		return
	}
	switch have.class {
	case structure:
		for _, f := range have.fields {
			g.walk(want, e+"."+f.name, f.typ, writable, deep+1, found)
		}
	case array:
		g.walk(want, e+"["+g.index(have.len)+"]", have.elem, writable, deep+1, found)
	case pointer:
		if have.elem.isBasic() || same(want, have.elem) {
			g.walk(want, "(*"+e+")", have.elem, writable, deep+1, found)
		} else {
			g.walk(want, e, have.elem, writable, deep+1, found)
		}
	case slice:
		if !writable {
			g.walk(want, fmt.Sprintf("at(%s, %s)", e, g.given(u64T)), have.elem, writable, deep+1, found)
		}
	}
}

// index is an index below n, as often constant as not.
func (g *gen) index(n int) string {
	if g.IntN(2) == 0 {
		return fmt.Sprint(g.IntN(n))
	}
	i, t := g.number()
	if g.chance(index, 3) {
		t = oneOf(g, integerTypes)
		i = g.idiom(t)
	}
	switch {
	case n&(n-1) == 0 && t.bits > 4:
		return fmt.Sprintf("%s&%d", i, n-1)
	case t.class == unsigned:
		return fmt.Sprintf("%s%%%d", i, n)
	}
	return fmt.Sprintf("uint(%s)%%%d", i, n)
}

// number is some integer variable or input.
func (g *gen) number() (string, *typ) {
	for range 3 {
		if len(g.vars) == 0 {
			break
		}
		i := g.IntN(len(g.vars))
		if v := g.vars[i]; v.typ.isInteger() && !g.shadowed(i) && !v.typ.param {
			return v.name, v.typ
		}
	}
	t := oneOf(g, integerTypes)
	return g.given(t), t
}

// address is an expression of a pointer or slice type, whose target is as outer
// as depth; "" if there is none.
func (g *gen) address(t *typ, depth int) string {
	all := g.paths(t, false, depth)
	if t.class == pointer {
		for _, p := range g.paths(t.elem, true, depth) {
			all = append(all, "&"+p)
		}
	} else {
		for i, v := range g.vars {
			if v.typ.class == array && same(v.typ.elem, t.elem) && !v.fixed && i >= g.floor && v.depth <= depth && !g.shadowed(i) {
				lo := g.IntN(v.typ.len + 1)
				all = append(all, v.name+"[:]", fmt.Sprintf("%s[%d:]", v.name, lo), fmt.Sprintf("%s[:%d:%d]", v.name, lo, lo+g.IntN(v.typ.len-lo+1)))
			}
		}
		for _, s := range all {
			all = append(all, fmt.Sprintf("window(%s, %s, %s)", s, g.given(u64T), g.given(u64T)))
		}
	}
	if len(all) == 0 {
		return ""
	}
	e := oneOf(g, all)
	if t.class == pointer && g.IntN(4) == 0 {
		return fmt.Sprintf("pick(%s, %s, %s)", g.leaf(boolT), e, oneOf(g, all))
	}
	return e
}

// literal is a constant of a basic type, not zero if it is a number.
func (g *gen) literal(t *typ) string {
	switch t.class {
	case boolean:
		return oneOf(g, []string{"true", "false"})
	case signed:
		top := int64(1)<<(t.bits-1) - 1
		n := oneOf(g, []int64{1, 2, 3, 5, 7, 10, 16, 100, -1, -2, -7, top, -top, -top - 1})
		if t.param {
			n = 1 + g.Int64N(100)
		}
		return fmt.Sprintf("%s(%d)", t.name, n)
	case unsigned:
		top := ^uint64(0) >> (64 - t.bits)
		return fmt.Sprintf("%s(%d)", t.name, oneOf(g, []uint64{1, 2, 3, 5, 7, 10, 16, 100, top, top - 1, top>>1 + 1}))
	case floating:
		return fmt.Sprintf("%s(%s)", t.name, oneOf(g, []string{"1", "0.5", "-1", "3", "-0.1", "1e10", "-7.25", "1e-20", "0x1p30"}))
	case complexNum:
		return fmt.Sprintf("%s(%s)", t.name, oneOf(g, []string{"1+2i", "-1i", "0.5-3i", "2"}))
	}
	return oneOf(g, []string{`"warp"`, `"weft"`, `"w"`, `""`, `"h\xffdl\x00e"`, `"schütze→"`})
}

// composite is a value of a struct or array type, made of its parts.
func (g *gen) composite(t *typ, deep int) string {
	if g.IntN(6) == 0 || t.len > 8 || deep <= 0 {
		if t.len > 9 && g.IntN(2) == 0 {
			return fmt.Sprintf("%s{%d: %s, %d: %s}", t.name, g.IntN(9), g.operand(t.elem, deep), 9+g.IntN(t.len-9), g.operand(t.elem, deep))
		}
		return t.name + "{}"
	}
	var parts []string
	for _, f := range t.fields {
		if g.IntN(6) > 0 || strings.HasPrefix(t.name, "pair") {
			parts = append(parts, f.name+": "+g.operand(f.typ, deep-1))
		}
	}
	for range t.len {
		parts = append(parts, g.operand(t.elem, deep-1))
	}
	return t.name + "{" + strings.Join(parts, ", ") + "}"
}

func (g *gen) text(deep int) string {
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("part(%s, %s, %s)", g.operand(textT, deep), g.expr(u64T, deep), g.given(u64T))
	case 1:
		return fmt.Sprintf("%s(%s, %s)", oneOf(g, []string{"min", "max"}), g.pickText(), g.operand(textT, deep))
	}
	return g.pickText()
}

func (g *gen) pickText() string {
	return fmt.Sprintf("pick(%s, %s, %s)", g.leaf(boolT), g.literal(textT), g.literal(textT))
}

var comparisons = []string{"==", "!=", "<", "<=", ">", ">="}

// condition is a bool.
func (g *gen) condition(deep int) string {
	switch {
	case g.chance(nan, 4):
		return g.nanComparison(deep)
	case g.chance(nan, 6):
		return g.absComparison(deep)
	case g.chance(extend, 6):
		return g.extendedComparison(deep)
	case g.chance(media, 4):
		return g.checked(deep)
	case g.chance(index, 5):
		t := oneOf(g, integerTypes)
		return fmt.Sprintf("(%s %s %s)", g.idiom(t), oneOf(g, comparisons), g.operand(t, deep))
	}
	switch g.IntN(8) {
	case 0, 1:
		// vet objects to a && a: only the left operand may be a variable
		return fmt.Sprintf("(%s %s %s)", g.expr(boolT, deep), oneOf(g, []string{"&&", "||"}), g.comparison(deep))
	case 2:
		return fmt.Sprintf("!(%s)", g.expr(boolT, deep))
	case 3:
		t := oneOf(g, basicTypes)
		if g.IntN(2) == 0 && len(g.types) > 0 && g.types[0].comparable() {
			t = g.types[0]
		}
		return fmt.Sprintf("(%s %s %s)", g.expr(t, deep), oneOf(g, comparisons[:2]), g.parenthesised(t, deep))
	case 4:
		e := g.expr(f64T, deep)
		return oneOf(g, []string{"math.IsNaN(" + e + ")", "math.IsInf(" + e + ", 1)", "math.IsInf(" + e + ", 0)", "math.Signbit(number(" + e + "))"})
	}
	return g.comparison(deep)
}

// comparison is an ordering.
func (g *gen) comparison(deep int) string {
	t := oneOf(g, basicTypes)
	if t.class == boolean || t.class == complexNum {
		t = i32T
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(t, deep), oneOf(g, comparisons), g.operand(t, deep))
}

// parenthesised is an operand that cannot be taken for a block.
func (g *gen) parenthesised(t *typ, deep int) string {
	return "(" + g.operand(t, deep) + ")"
}
