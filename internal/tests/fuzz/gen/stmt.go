package main

import (
	"fmt"
	"slices"
	"strings"
)

// statements are the kinds of statement, by weight, and the feature that each
// belongs to, if any.
var statements []choice[func(*gen)]

var extraStatements []struct {
	of feature
	choice[func(*gen)]
}

func init() { // the table and its functions refer to each other
	statements = []choice[func(*gen)]{
		{12, (*gen).declareStmt}, {14, (*gen).assign}, {4, (*gen).opAssign}, {3, (*gen).parallel},
		{6, (*gen).ifStmt}, {4, (*gen).forStmt}, {6, (*gen).rangeStmt}, {1, (*gen).gotoLoop}, {2, (*gen).iterate},
		{4, (*gen).switchStmt}, {3, (*gen).leave},
		{4, (*gen).pointerStmt}, {4, (*gen).sliceStmt}, {2, (*gen).viewStmt}, {3, (*gen).sliceStore},
		{3, (*gen).copyStmt}, {2, (*gen).appendStmt}, {1, (*gen).clearStmt}, {1, (*gen).swapArrays},
		{7, (*gen).callStmt}, {4, (*gen).closure}, {3, (*gen).funcArg}, {2, (*gen).methodValue},
		{2, (*gen).multiMath}, {6, (*gen).mayPanic}, {2, (*gen).pairStmt}, {4, (*gen).shortWay},
	}
	extraStatements = []struct {
		of feature
		choice[func(*gen)]
	}{
		{narrow, choice[func(*gen)]{10, (*gen).scatter}},
		{large, choice[func(*gen)]{12, (*gen).largeStmt}},
		{warp, choice[func(*gen)]{30, (*gen).warpStmt}},
		{warp, choice[func(*gen)]{12, (*gen).sharedStmt}},
		{warp, choice[func(*gen)]{8, (*gen).uniformStmt}},
		{pack, choice[func(*gen)]{8, (*gen).sheet}},
		{bounds, choice[func(*gen)]{40, (*gen).boundsStmt}},
		{funcs, choice[func(*gen)]{20, (*gen).chosenStmt}},
		{overlap, choice[func(*gen)]{10, (*gen).overlapStmt}},
		{nan, choice[func(*gen)]{10, (*gen).unequal}},
		{lists, choice[func(*gen)]{140, (*gen).listStmt}},
		{windows, choice[func(*gen)]{20, (*gen).windowStmt}},
	}
}

// stmts writes some statements, as many as the budget allows.
func (g *gen) stmts() {
	if g.depth > 3 {
		g.assign()
		return
	}
	n := g.budget
	if g.depth > 0 {
		n = min(n, 1+g.IntN(4))
	}
	for range n {
		if g.budget <= 0 {
			break
		}
		g.budget--
		weighted(g, g.choices())(g)
	}
}

// choices are the statements that the kernel may have here.
func (g *gen) choices() []choice[func(*gen)] {
	all := slices.Clone(statements)
	for _, e := range extraStatements {
		if g.has(e.of) && (e.of != warp || g.inStep()) {
			all = append(all, e.choice)
		}
	}
	return all
}

// someType is a type for a new variable.
func (g *gen) someType() *typ {
	if g.generic != nil && g.IntN(2) == 0 {
		return g.generic
	}
	switch {
	case g.chance(narrow, 6):
		return g.narrowArray()
	case g.large != nil && g.IntN(6) == 0:
		return g.large
	}
	switch n := g.IntN(10); {
	case n < 5:
		return oneOf(g, basicTypes)
	case n < 7:
		return g.plainType(2)
	case n < 9:
		return arrayOf(1+g.IntN(8), oneOf(g, basicTypes))
	}
	if len(g.types) > 0 {
		return oneOf(g, g.types)
	}
	return intT
}

// declare declares a variable of a type.
func (g *gen) declare(t *typ) *variable {
	name := g.name("v")
	if g.depth > 0 && g.IntN(10) == 0 && len(g.vars) > 0 { // hide another
		if v := oneOf(g, g.vars); v.name[0] == 'v' && v.depth < g.depth && !g.hidden(v) {
			name = v.name
		}
	}
	e := g.expr(t, 3)
	switch {
	case g.IntN(6) == 0:
		g.printf("var %s %s\n", name, t.name)
	case g.IntN(4) == 0 || t.class == pointer:
		g.printf("var %s %s = %s\n", name, t.name, e)
	default:
		g.printf("%s := %s\n", name, e)
	}
	return g.add(name, t, false)
}

func (g *gen) declareStmt() { g.declare(g.someType()) }

// target is a place to assign to and its type; false if there is none.
func (g *gen) target(ok func(*typ) bool) (string, *typ, bool) {
	for range 20 {
		t := g.someType()
		if g.IntN(2) == 0 && len(g.vars) > g.floor { // of a variable
			t = oneOf(g, g.vars[g.floor:]).typ
			for (t.class == array || t.class == pointer) && g.IntN(2) == 0 {
				t = t.elem
			}
		}
		if t.refers() || !ok(t) {
			continue
		}
		if all := g.paths(t, true, g.depth); len(all) > 0 {
			return all[max(g.IntN(len(all)), g.IntN(len(all)))], t, true
		}
	}
	return "", nil, false
}

func (g *gen) assign() {
	if e, t, ok := g.target(func(*typ) bool { return true }); ok {
		if v := g.expr(t, 4); v != e {
			g.printf("%s = %s\n", e, v)
		}
	} else {
		g.declareStmt()
	}
}

func (g *gen) opAssign() {
	e, t, ok := g.target(func(t *typ) bool { return t.isNumber() || t.class == complexNum })
	switch {
	case !ok:
		g.assign()
	case t.class == complexNum:
		g.printf("%s\n", g.sum(e, "+-", "= ", func() string { return g.operand(t, 3) }))
	case !t.isInteger(): // no *=: it could be fused with what follows
		g.printf("%s\n", g.sum(e, "+-/", "= ", func() string { return g.operand(t, 3) }))
	case g.IntN(3) == 0:
		g.printf("%s%s\n", e, oneOf(g, []string{"++", "--"}))
	case g.IntN(3) == 0:
		g.printf("%s %s= %s\n", e, oneOf(g, []string{"<<", ">>"}), g.count(t, 2))
	default:
		g.printf("%s %s= %s\n", e, oneOf(g, []string{"+", "-", "*", "&", "|", "^", "&^"}), g.operand(t, 3))
	}
}

// parallel assigns to several places at once.
func (g *gen) parallel() {
	var to, from []string
	for range 2 + g.IntN(2) {
		if e, t, ok := g.target(func(*typ) bool { return true }); ok {
			to, from = append(to, e), append(from, g.expr(t, 2))
		}
	}
	if len(to) == 0 || len(to) == 1 && to[0] == from[0] {
		return
	}
	for i := range to {
		if to[i] == from[i] { // vet objects
			return
		}
	}
	g.printf("%s = %s\n", strings.Join(to, ", "), strings.Join(from, ", "))
}

func (g *gen) ifStmt() {
	if g.IntN(4) == 0 {
		v, t := g.name("v"), oneOf(g, basicTypes)
		g.printf("if %s := %s; (%s == %s) || %s ", v, g.parenthesised(t, 2), v, g.parenthesised(t, 2), g.expr(boolT, 2))
	} else {
		g.printf("if %s ", g.expr(boolT, 3))
	}
	g.block(g.stmts)
	for g.IntN(4) == 0 {
		g.printf(" else if %s ", g.expr(boolT, 2))
		g.block(g.stmts)
	}
	if g.IntN(2) == 0 {
		g.printf(" else ")
		g.block(g.stmts)
	}
	g.printf("\n")
}

// looping writes a loop with its label if something jumps to it. head is the
// statement up to the block.
func (g *gen) looping(trips int, head string, body func()) {
	if g.trips*trips > maxTrips {
		g.assign()
		return
	}
	used := false
	l := loop{label: g.name("L"), used: &used, isLoop: true}
	before := g.buf.String()
	g.buf.Reset()
	g.loops = append(g.loops, l)
	g.trips *= trips
	g.cost = max(g.cost, g.trips)
	g.printf("%s ", head)
	g.block(func() {
		body()
		g.stmts()
	})
	g.printf("\n")
	g.trips /= trips
	g.loops = g.loops[:len(g.loops)-1]
	text := g.buf.String()
	g.buf.Reset()
	g.buf.WriteString(before)
	if used {
		g.printf("%s:\n", l.label)
	}
	g.buf.WriteString(text)
}

func (g *gen) small() string { return g.given(smallT) }

func (g *gen) forStmt() {
	i, j := g.name("i"), g.name("j")
	body := func() { g.add(i, intT, true) }
	switch g.IntN(5) {
	case 0:
		g.looping(6, fmt.Sprintf("for %s := %d; %s < %s; %s++", i, g.IntN(3), i, g.small(), i), body)
	case 1:
		g.looping(7, fmt.Sprintf(oneOf(g, []string{"for %s := %s; %[1]s > 0; %[1]s--", "for %s := %s; %[1]s >= -%[2]s/2; %[1]s--", "for %s := %s; %[1]s > -%[2]s; %[1]s -= 2"}), i, g.small()), body)
	case 2:
		g.looping(6, fmt.Sprintf("for %s, %s := %s, %s; %s > 0 && %s < 50; %s, %s = %s-1, %s+%s", i, j, g.small(), g.small(), i, j, i, j, i, j, i),
			func() { g.add(i, intT, true); g.add(j, intT, true) })
	case 3: // a body may shorten it
		g.looping(8, fmt.Sprintf("for %s := uint8(%d); %s != 0; %s >>= 1", i, 1+g.IntN(255), i, i), func() {
			g.add(i, u8T, true)
			if g.IntN(2) == 0 {
				g.printf("if %s {\n%s &= 0x55\n}\n", g.expr(boolT, 2), i)
			}
		})
	default:
		g.printf("%s := %d\n", i, 1+g.IntN(5))
		g.looping(5, "for", func() {
			g.printf("if %s <= 0 || %s {\nbreak\n}\n%s--\n", i, g.expr(boolT, 1), i)
		})
		g.add(i, intT, true)
	}
}

func (g *gen) rangeStmt() {
	i, x := g.name("i"), g.name("x")
	switch g.IntN(5) {
	case 0:
		t := oneOf(g, integerTypes)
		n := map[bool]string{true: fmt.Sprintf("%s(%s)", t.name, g.small()), false: fmt.Sprintf("%s(%d)", t.name, 1+g.IntN(5))}[g.IntN(2) == 0]
		g.looping(6, fmt.Sprintf("for %s := range %s", i, n), func() { g.add(i, t, g.IntN(2) == 0) })
		return
	case 1:
		g.looping(5, fmt.Sprintf("for %s, %s := range %s", i, x, g.literal(textT)), func() { g.add(i, intT, true); g.add(x, i32T, false) })
		return
	}
	for at := range g.vars {
		v := g.vars[(at*7+5)%len(g.vars)]
		if v.typ.class != array && v.typ.class != slice || v.typ.len > 9 || v.typ.elem.refers() || g.hidden(v) {
			continue
		}
		over := v.name
		if v.typ.class == array && g.IntN(3) == 0 && !v.table {
			over = "&" + over
		}
		head := fmt.Sprintf("for %s, %s := range %s", i, x, over)
		if g.IntN(4) == 0 {
			head = fmt.Sprintf("for %s := range %s", i, over)
		}
		g.looping(max(v.typ.len, 5), head, func() {
			g.add(i, intT, true)
			if strings.Contains(head, x) {
				g.add(x, v.typ.elem, false)
			}
		})
		return
	}
	g.looping(3, fmt.Sprintf("for range %s", g.small()), func() {})
}

// iterate ranges over a function.
func (g *gen) iterate() {
	i, x := g.name("i"), g.name("x")
	for _, v := range g.vars {
		if v.typ.class == array && !v.table && v.typ.len < 9 && g.floor == 0 && !v.typ.elem.refers() && !v.fixed && g.IntN(2) == 0 && !g.hidden(v) {
			g.looping(v.typ.len, fmt.Sprintf("for %s, %s := range backward(%s[:])", i, x, v.name), func() { g.add(i, intT, true); g.add(x, v.typ.elem, false) })
			return
		}
	}
	g.looping(7, fmt.Sprintf("for %s := range upto(%s)", i, g.small()), func() { g.add(i, intT, true) })
}

func (g *gen) gotoLoop() {
	if g.trips*7 > maxTrips {
		return
	}
	i, l := g.name("i"), g.name("L")
	g.printf("%s := 0\n%s:\n", i, l)
	g.add(i, intT, true)
	g.trips *= 7
	g.cost = max(g.cost, g.trips)
	g.block(g.stmts)
	g.trips /= 7
	g.printf("\n%s++\nif %s < %s {\ngoto %s\n}\n", i, i, g.small(), l)
}

func (g *gen) switchStmt() {
	used := false
	g.loops = append(g.loops, loop{label: "", used: &used})
	defer func() { g.loops = g.loops[:len(g.loops)-1] }()
	n := 2 + g.IntN(3)
	var cases []string
	kind := g.IntN(3)
	switch kind {
	case 0:
		t := oneOf(g, []*typ{intT, i32T, u8T})
		g.printf("switch %s & 7 {\n", g.expr(t, 2))
		for i := range n {
			cases = append(cases, []string{"0", "1, 2", "3", "4, 6", "7"}[i])
		}
	case 1:
		g.printf("switch {\n")
		for range n {
			cases = append(cases, g.expr(boolT, 2))
		}
	default:
		v := g.name("v")
		t := oneOf(g, basicTypes)
		g.printf("switch %s := %s; %s {\n", v, g.parenthesised(t, 2), v)
		for range n {
			cases = append(cases, g.expr(t, 1))
		}
	}
	other := g.IntN(n + 2)
	for i, c := range cases {
		if i == other {
			g.printf("default:\n")
			g.block(g.stmts)
			g.printf("\n")
		}
		g.printf("case %s:\n", c)
		g.block(g.stmts)
		g.printf("\n")
		if i < n-1 && g.IntN(3) == 0 {
			g.printf("fallthrough\n")
		}
	}
	g.printf("}\n")
}

// leave leaves a loop or the function, under a condition.
func (g *gen) leave() {
	var inner []loop // of this function
	for i := len(g.loops) - 1; i >= 0 && !g.loops[i].barrier && !g.loops[i].uniform; i-- {
		inner = append(inner, g.loops[i])
	}
	how := ""
	switch n := g.IntN(5); {
	case n == 0 && (!g.main || g.inFunc()):
		how = g.returnStmt()
	case len(inner) == 0:
		g.assign()
		return
	default:
		l := oneOf(g, inner)
		if !l.isLoop {
			if inner[0] != l {
				return
			}
			how = "break"
			break
		}
		how = oneOf(g, []string{"break", "continue"})
		nearest := inner[0] == l
		if !nearest || g.IntN(3) == 0 {
			*l.used = true
			how += " " + l.label
		}
	}
	g.printf("if %s {\n%s\n}\n", g.expr(boolT, 2), how)
}

func (g *gen) returnStmt() string {
	if len(g.results) == 0 || g.named && g.IntN(2) == 0 {
		return "return"
	}
	var all []string
	for _, t := range g.results {
		all = append(all, g.expr(t, 3))
	}
	return "return " + strings.Join(all, ", ")
}
