package main

import "fmt"

// This file makes warp operations, barriers and shared memory: what threads of a
// block do together, where all of them come by.

var shuffleTypes []*typ

func init() {
	for _, t := range append([]*typ{f32T, f64T, f32T}, integerTypes...) {
		if t.bits >= 32 && t.name != "uintptr" {
			shuffleTypes = append(shuffleTypes, t)
		}
	}
}

// inStep reports whether all threads of the block run the statement together.
func (g *gen) inStep() bool {
	return g.has(warp) && g.main && g.floor == 0 && g.depth == g.step0 && !g.inFunc()
}

// uniform is an int that is the same in all threads of a block: a constant, an
// argument, something of the block.
func (g *gen) uniform() string {
	return weighted(g, []choice[func() string]{
		{4, func() string { return fmt.Sprint(g.IntN(8)) }},
		{3, func() string { return fmt.Sprintf("u.Small[%d]", g.IntN(3)) }},
		{1, func() string { return fmt.Sprintf("(u.Int[%d] & 7)", g.IntN(2)) }},
		{1, func() string { return fmt.Sprintf("int(u.U16[%d] %% 5)", g.IntN(2)) }},
		{1, func() string { return fmt.Sprintf("int(uint8(u.I8[%d]) & 3)", g.IntN(3)) }},
		{1, func() string { return "(dsl.BlockIdx().X & 7)" }},
		{1, func() string { return "(dsl.GridDim().X & 7)" }},
		{1, func() string { return "int(bit(u.Bool[1]))" }},
	})()
}

// laneArg is a lane, or a distance between lanes, below n.
func (g *gen) laneArg(n int) string {
	switch g.IntN(6) {
	case 0, 1:
		return fmt.Sprint(g.IntN(min(n, 32)))
	case 2, 3:
		return fmt.Sprintf("(%s & %d)", g.uniform(), n-1)
	case 4:
		return fmt.Sprintf("(%s & %d)", g.idiom(intT), n-1)
	}
	return fmt.Sprintf("int(%s & %d)", g.given(oneOf(g, []*typ{u8T, u32T, u64T, i32T})), n-1)
}

// warpStmt is one warp operation, or one of the block.
func (g *gen) warpStmt() {
	if !g.inStep() {
		g.assign()
		return
	}
	v := g.name("v")
	mask := ""
	if g.IntN(3) == 0 {
		mask = oneOf(g, []string{"^uint64(0)", "0xffffffffffffffff"})
	}
	sync := func(name string) string {
		if mask != "" {
			return fmt.Sprintf("dsl.%sSync(%s, ", name, mask)
		}
		return fmt.Sprintf("dsl.%s(", name)
	}
	truth := func() string {
		if g.IntN(3) == 0 {
			return oneOf(g, []string{"true", "false", "u.Bool[0]", "u.Bool[2]", fmt.Sprintf("%s > 2", g.uniform())})
		}
		return g.expr(boolT, 2)
	}
	n := g.IntN(10)
	if !g.whole { // lanes that are not there have no value
		n = 6 + n%4
		mask = ""
	}
	switch {
	case n < 6:
		t := oneOf(g, shuffleTypes)
		x := g.expr(t, 2)
		switch g.IntN(6) {
		case 0:
			x = g.literal(t)
		case 1:
			x = fmt.Sprintf("%s(%s)", t.name, g.uniform())
		}
		name := oneOf(g, []string{"Shfl", "Shfl", "ShflUp", "ShflDown", "ShflXor"})
		if g.IntN(2) == 0 {
			width := oneOf(g, []int{2, 4, 8, 16, 32})
			full := "dsl." + name
			args := fmt.Sprintf("%s, %s, %d)", x, g.laneArg(width), width)
			if mask != "" {
				full += "Sync"
				args = mask + ", " + args
			}
			g.printf("%s := %sWidth(%s\n", v, full, args)
		} else {
			g.printf("%s := %s%s, %s)\n", v, sync(name), x, g.laneArg(32))
		}
		g.add(v, t, false)
	case n < 7:
		g.printf("%s := %s%s)\n", v, sync("Ballot"), truth())
		g.add(v, u64T, false)
	case n < 8:
		g.printf("%s := %s%s)\n", v, sync(oneOf(g, []string{"Any", "All"})), truth())
		g.add(v, boolT, false)
	case n < 9:
		g.printf("%s := dsl.SyncThreads%s(%s)\n", v, oneOf(g, []string{"And", "Or"}), truth())
		g.add(v, boolT, false)
	default:
		g.printf("%s := dsl.SyncThreadsCount(%s)\n", v, truth())
		g.add(v, intT, false)
	}
}

// sharedStmt passes values between threads in shared memory.
func (g *gen) sharedStmt() {
	if !g.inStep() || g.sharing > 3 {
		g.assign()
		return
	}
	g.sharing++
	b := g.shape.block
	n := b[0] * b[1] * b[2]
	t := oneOf(g, narrowTypes)
	switch g.IntN(4) {
	case 0:
		t = oneOf(g, integerTypes)
	case 1:
		if t = g.plainType(2); t.hasText() || t.scalars() > 12 {
			t = oneOf(g, []*typ{f32T, f64T, c64T})
		}
	}
	sh, v := g.name("sh"), g.name("v")
	k := 1 + g.IntN(3)
	if t.scalars() > 2 {
		k = 1
	}
	g.printf("%s := dsl.Shared[[%d]%s]()\n", sh, k*n, t.name)
	apart := g.IntN(2) == 0 // a thread's elements are not beside each other
	for j := range k {
		place := fmt.Sprintf("numberInBlock()*%d+%d", k, j)
		if apart {
			place = fmt.Sprintf("numberInBlock()+%d", j*n)
		}
		g.printf("%s[%s] = %s\n", sh, place, g.expr(t, 2))
	}
	g.printf("dsl.SyncThreads()\n")
	g.printf("%s := %s[uint(%s) %% %d]\n", v, sh, g.idiom(intT), k*n)
	if t.class < structure && g.IntN(2) == 0 {
		i, x := g.name("i"), g.name("x")
		g.printf("for %s, %s := range %s {\nif %s&7 == 3 {\n%s = %s\n}\n}\n", i, x, sh, i, v, g.pickOf(x, v, t))
	}
	g.printf("dsl.SyncThreads()\n")
	g.add(v, t, false)
}

// pickOf is an expression of two variables of a type.
func (g *gen) pickOf(x, y string, t *typ) string {
	switch {
	case t.class == boolean:
		return fmt.Sprintf("%s != %s", x, y)
	case t.isInteger():
		return fmt.Sprintf("%s*3 ^ %s", x, y)
	}
	return fmt.Sprintf("pick(%s == %s, %s, %s)", x, y, y, x)
}

func (t *typ) hasText() bool {
	switch t.class {
	case text:
		return true
	case array:
		return t.elem.hasText()
	case structure:
		for _, f := range t.fields {
			if f.typ.hasText() {
				return true
			}
		}
	}
	return false
}

// uniformStmt is a loop or a branch that all threads of the block take alike.
func (g *gen) uniformStmt() {
	if !g.inStep() || g.depth > 1 {
		g.assign()
		return
	}
	before := g.step0
	defer func() { g.step0 = before }()
	g.loops = append(g.loops, loop{isLoop: true, uniform: true, used: new(bool)})
	defer func() { g.loops = g.loops[:len(g.loops)-1] }()
	body := func() {
		g.step0 = g.depth
		g.warpStmt()
		g.stmts()
	}
	if g.IntN(2) == 0 {
		g.printf("if %s %s %s ", g.uniform(), oneOf(g, comparisons), g.uniform())
		g.block(body)
		g.printf("\n")
		return
	}
	i := g.name("i")
	g.printf("for %s := range %s ", i, oneOf(g, []string{"3", "2", "u.Small[1]"}))
	g.trips *= 7
	g.cost = max(g.cost, g.trips)
	g.block(func() {
		g.add(i, intT, true)
		body()
	})
	g.trips /= 7
	g.printf("\n")
}
