package spmd

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file writes random scalar IR: integers of all widths, computed from a
// thread's place in its block, and control flow that LLVM's loop-simplify and
// lcssa passes would leave.

// RandomOptions say what a random function may do.
type RandomOptions struct {
	// Runs: it can be compiled and run: it reads only ints, an array of 256 i32 and
	// writes values to out.
	Runs bool
	// Control: it has branches and loops.
	Control bool
	// LLVM is the release that is to understand it.
	LLVM int
}

// A generator writes one function.
type generator struct {
	*rand.Rand
	o      RandomOptions
	b      strings.Builder
	next   int
	pool   map[string][]string // values by type
	block  string              // name of the current block
	depth  int                 // of control flow
	budget int                 // instructions left
	stores int
	rare   int // one of so many instructions has flags
	decls  map[string]bool
	moves  map[string]bool // values that come of a thread's place
}

// RandomParams are the parameters of a random function, with their types.
var RandomParams = []struct{ Type, Name string }{
	{"ptr", "ints"}, {"ptr", "out"}, {"i32", "n"}, {"i64", "m"}, {"i16", "s"}, {"i8", "b"},
}

// ThreadsMax is how many threads a block has that runs a random function, at most.
const ThreadsMax = 256

// places are the functions that say where a thread is, with their range.
var places = []struct {
	name string
	end  int
}{
	{"heddle.thread.x", 1024}, {"heddle.thread.x", 1024}, {"heddle.thread.x", 1024}, {"heddle.lane", 0}, {"heddle.warp", 32},
	{"heddle.thread.y", 1024}, {"heddle.thread.z", 64}, {"heddle.block.x", 1<<31 - 1}, {"heddle.dim.x", 1025},
}

// RandomFunc is the text of a module that defines k. It stores what it computed to
// out, as RandomStores of ThreadsMax i64 each, if it is to run.
func RandomFunc(r *rand.Rand, o RandomOptions) (text string, stores int) {
	g := &generator{Rand: r, o: o, pool: map[string][]string{}, decls: map[string]bool{}, moves: map[string]bool{}, block: "entry"}
	g.budget = 4 + g.IntN(24)
	g.rare = pickOne(g, 2, 8, 8)
	if o.Runs {
		g.budget = 30 + g.IntN(60)
	}
	g.b.WriteString("define void @k(")
	for n, p := range RandomParams {
		if n > 0 {
			g.b.WriteString(", ")
		}
		g.b.WriteString(p.Type + " %" + p.Name)
		if p.Name != "out" {
			g.add(p.Type, "%"+p.Name)
		}
	}
	g.b.WriteString(") {\nentry:\n")
	g.place("heddle.thread.x", 1024)
	if o.Runs { // where results go
		g.line("%%dx = call i32 @heddle.dim.x(), !range !2")
		g.line("%%dy = call i32 @heddle.dim.y(), !range !2")
		g.line("%%ty = call i32 @heddle.thread.y(), !range !3")
		g.line("%%tz = call i32 @heddle.thread.z(), !range !3")
		g.line("%%zy = mul i32 %%tz, %%dy")
		g.line("%%above = add i32 %%zy, %%ty")
		g.line("%%row = mul i32 %%above, %%dx")
		g.line("%%lin = add i32 %%row, %%v1")
		g.line("%%lin64 = zext i32 %%lin to i64")
		g.line("%%mine = getelementptr i64, ptr %%out, i64 %%lin64")
		g.declare("i32 @heddle.dim.x()")
		g.declare("i32 @heddle.dim.y()")
		g.declare("i32 @heddle.thread.y()")
		g.declare("i32 @heddle.thread.z()")
	}
	g.code()
	g.line("ret void")
	g.b.WriteString("}\n")
	for d := range g.decls {
		g.b.WriteString("declare " + d + "\n")
	}
	g.b.WriteString("!0 = !{i32 0, i32 1024}\n!1 = !{i32 0, i32 64}\n!2 = !{i32 1, i32 1025}\n!3 = !{i32 0, i32 1024}\n!4 = !{i32 0, i32 2147483647}\n")
	return g.b.String(), g.stores
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.b, "  "+format+"\n", args...)
}

func (g *generator) declare(d string) { g.decls[d] = true }

func (g *generator) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

func (g *generator) label() string {
	g.next++
	return fmt.Sprintf("b%d", g.next)
}

func (g *generator) add(typ, v string) { g.pool[typ] = append(g.pool[typ], v) }

// let writes an instruction of a type, whose result may be used.
func (g *generator) let(typ, format string, args ...any) string {
	v, text := g.name(), fmt.Sprintf(format, args...)
	g.line("%s = %s", v, text)
	g.add(typ, v)
	for w := range strings.FieldsSeq(text) {
		if g.moves[strings.Trim(w, ",)")] || strings.HasPrefix(w, "@heddle.thread.") || strings.HasPrefix(w, "@heddle.lane") {
			g.moves[v] = true
		}
	}
	return v
}

func pickOne[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) place(name string, end int) {
	meta := map[int]string{1024: ", !range !0", 64: ", !range !1", 1025: ", !range !2", 1<<31 - 1: ", !range !4"}[end]
	g.let("i32", "call i32 @%s()%s", name, meta)
	g.declare("i32 @" + name + "()")
}

// intType is a type of integers.
func (g *generator) intType() string {
	switch g.IntN(24) {
	case 0, 1:
		return "i1"
	case 2, 3, 4:
		return "i8"
	case 5, 6:
		return "i16"
	case 7, 8, 9, 10, 11, 12, 13:
		return "i32"
	case 14:
		return pickOne(g, "i2", "i3", "i7", "i24", "i33", "i40", "i48", "i56")
	case 15:
		return "i128"
	case 16, 17, 18:
		return "i64"
	}
	return g.recentType()
}

// recentType is the type of a value that there is.
func (g *generator) recentType() string {
	types := []string{}
	for _, t := range []string{"i1", "i8", "i16", "i32", "i64", "i2", "i3", "i7", "i24", "i33", "i40", "i48", "i56", "i128"} {
		if len(g.pool[t]) > 0 {
			types = append(types, t)
		}
	}
	return pickOne(g, types...)
}

func bitsOf(typ string) int {
	n := 0
	fmt.Sscanf(typ, "i%d", &n)
	return n
}

// value is a value of a type, made if there is none; it may be a constant if fixed.
func (g *generator) value(typ string, fixed bool) string {
	have := g.pool[typ]
	if typ == "ptr" && len(have) == 0 {
		return "%ints"
	}
	if fixed && typ != "ptr" && g.IntN(3) == 0 || len(have) == 0 && g.IntN(8) == 0 {
		return g.constant(typ)
	}
	if len(have) == 0 {
		return g.converted(typ)
	}
	if g.IntN(3) > 0 { // one that differs between lanes, if there is one
		var moving []string
		for _, v := range have {
			if g.moves[v] {
				moving = append(moving, v)
			}
		}
		if len(moving) > 0 {
			have = moving
		}
	}
	if g.IntN(2) == 0 { // a late one
		return have[len(have)-1-g.IntN(min(3, len(have)))]
	}
	return pickOne(g, have...)
}

// constant is a number of a type, as LLVM writes it.
func (g *generator) constant(typ string) string {
	n := bitsOf(typ)
	if n == 1 {
		return pickOne(g, "true", "false")
	}
	k := min(n, 64)
	var x int64
	switch g.IntN(6) {
	case 0, 1:
		x = int64(1) << g.IntN(k)
	case 2:
		x = int64(1)<<g.IntN(k) - 1
	case 3:
		x = int64(g.IntN(70)) - 5
	case 4:
		x = -int64(1) << g.IntN(k)
	default:
		x = int64(g.Uint64())
	}
	return fmt.Sprint(x << (64 - k) >> (64 - k))
}

// converted makes a value of a type from one of another.
func (g *generator) converted(typ string) string {
	from := g.recentType()
	if g.IntN(3) == 0 {
		from = "i32"
	}
	x := g.value(from, false)
	switch a, b := bitsOf(from), bitsOf(typ); {
	case a > b:
		return g.let(typ, "trunc %s%s %s to %s", g.flags("trunc nuw", "trunc nsw"), from, x, typ)
	case a < b:
		if g.IntN(2) == 0 {
			return g.let(typ, "sext %s %s to %s", from, x, typ)
		}
		return g.let(typ, "zext %s%s %s to %s", g.flags("nneg"), from, x, typ)
	}
	return g.let(typ, "freeze %s %s", typ, x)
}

// since are the releases of LLVM that brought flags.
var since = map[string]int{"nneg": 18, "disjoint": 18, "samesign": 20, "trunc nuw": 19, "trunc nsw": 19}

// flags are some of the given ones, often in some functions and rarely in others.
func (g *generator) flags(of ...string) string {
	out := ""
	if g.IntN(g.rare) > 0 {
		return out
	}
	for _, f := range of {
		if g.IntN(2) == 0 && g.o.LLVM >= since[f] {
			out += strings.TrimPrefix(f, "trunc ") + " "
		}
	}
	return out
}

// code writes instructions and control flow, until the budget is spent.
func (g *generator) code() {
	for g.budget > 0 {
		g.budget--
		switch n := g.IntN(20); {
		case n == 0 && g.o.Control && g.depth < 3:
			g.branch()
		case n == 1 && g.o.Control && g.depth < 2:
			g.loop()
		case n == 2 && g.o.Control && g.depth < 3:
			g.check()
		case n == 3 && g.depth > 0:
			return
		default:
			g.inst()
		}
	}
}

// inst writes an instruction.
func (g *generator) inst() {
	switch n := g.IntN(35); {
	case n == 0:
		p := pickOne(g, places...)
		g.place(p.name, p.end)
	case n < 13:
		g.binary()
	case n < 18:
		g.converted(g.intType())
	case n < 20:
		t := g.intType()
		g.let("i1", "icmp %s%s %s %s, %s", g.flags("samesign"), pickOne(g, "eq", "eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"), t, g.value(t, false), g.value(t, true))
	case n < 22:
		t := g.intType()
		g.let(t, "select i1 %s, %s %s, %s %s", g.value("i1", false), t, g.value(t, true), t, g.value(t, true))
	case n < 23: // an index
		y := g.let("i32", "call i32 @heddle.thread.y(), !range !3")
		g.declare("i32 @heddle.thread.y()")
		m := g.let("i32", "mul i32 %s, %s", y, g.value("i32", true))
		g.let("i32", "add i32 %s, %s", m, g.value("i32", false))
	case n < 24:
		t := g.intType()
		g.let(t, "freeze %s %s", t, g.value(t, false))
	case n < 27:
		g.intrinsic()
	case n < 29:
		g.address()
	case n < 31:
		g.load()
	case n == 34:
		g.hash()
	case n == 31 && !g.o.Runs:
		g.let("i64", "ptrtoint ptr %s to i64", g.value("ptr", false))
	case n == 32 && !g.o.Runs:
		g.let("ptr", "inttoptr i64 %s to ptr", g.value("i64", false))
	default:
		if g.o.Runs {
			g.store()
			return
		}
		v := g.let("i32", "bitcast i32 %s to i32", g.value("i32", false))
		f := g.name()
		g.line("%s = bitcast i32 %s to float", f, v)
		g.let("i32", "bitcast float %s to i32", f)
	}
}

// binaries are the operations, by how often they come.
var binaries = strings.Fields("add add add sub sub mul mul mul shl shl and and and or or xor xor lshr lshr lshr ashr udiv urem urem sdiv srem")

func (g *generator) binary() {
	op := pickOne(g, binaries...)
	t := g.intType()
	n := bitsOf(t)
	x, y := g.value(t, false), ""
	switch op {
	case "shl", "lshr", "ashr":
		y = fmt.Sprint(g.IntN(min(n, 64)))
		if n == 1 {
			y = "false"
		}
		if g.IntN(5) == 0 {
			y = g.value(t, true)
			if n > 2 && n&(n-1) == 0 {
				y = g.let(t, "and %s %s, %d", t, y, min(n, 64)-1)
			}
		}
		f := g.flags("exact")
		if op == "shl" {
			f = g.flags("nuw", "nsw")
		}
		g.let(t, "%s %s%s %s, %s", op, f, t, x, y)
		return
	case "udiv", "urem", "sdiv", "srem":
		if n > 64 || n == 1 {
			return
		}
		if y = g.constant(t); y == "0" || y == "-1" || g.IntN(4) == 0 {
			y = g.value(t, false)
			y = g.let(t, "or %s %s, 1", t, y)
			if op[0] == 's' {
				y = g.let(t, "lshr %s %s, 1", t, y)
				y = g.let(t, "or %s %s, 1", t, y)
			}
		}
		f := ""
		if op[1:] == "div" {
			f = g.flags("exact")
		}
		g.let(t, "%s %s%s %s, %s", op, f, t, x, y)
		return
	}
	y = g.value(t, true)
	f := ""
	switch op {
	case "add", "sub", "mul":
		f = g.flags("nuw", "nsw")
	case "or":
		f = g.flags("disjoint")
	}
	if op == "sub" && g.IntN(8) == 0 {
		x = g.constant(t)
	}
	g.let(t, "%s %s%s %s, %s", op, f, t, x, y)
}

// hash is some of the bits of a product with a large factor.
func (g *generator) hash() {
	t := pickOne(g, "i64", "i64", "i32")
	x := g.value(t, false)
	f := pickOne(g, g.constant(t), fmt.Sprint(int64(g.Uint64()|1)>>(64-bitsOf(t))))
	h := g.let(t, "mul %s %s, %s", t, x, f)
	switch k := g.IntN(bitsOf(t) - 1); g.IntN(4) {
	case 0:
		g.let(t, "and %s %s, %d", t, h, int64(1)<<k-1)
	case 1:
		g.let(t, "urem %s %s, %d", t, h, int64(1)<<k)
	case 2:
		g.let(t, "udiv %s %s, %d", t, h, int64(1)<<k)
	default:
		g.let(t, "lshr %s %s, %d", t, h, k)
	}
}

func (g *generator) intrinsic() {
	t := g.intType()
	n := bitsOf(t)
	if n > 64 {
		return
	}
	name := pickOne(g, strings.Fields("smin smax umin umax abs ctpop ctlz cttz bswap bitreverse fshl fshr uadd.sat sadd.sat usub.sat ssub.sat uadd.with.overflow ssub.with.overflow umul.with.overflow smul.with.overflow sadd.with.overflow usub.with.overflow")...)
	x, y := g.value(t, false), g.value(t, true)
	full := "llvm." + name + "." + t
	switch name {
	case "ctpop", "bitreverse", "bswap":
		if name == "bswap" && n%16 != 0 {
			return
		}
		g.let(t, "call %s @%s(%s %s)", t, full, t, x)
		g.declare(fmt.Sprintf("%s @%s(%s)", t, full, t))
	case "abs", "ctlz", "cttz":
		g.let(t, "call %s @%s(%s %s, i1 %s)", t, full, t, x, pickOne(g, "false", "false", "true"))
		g.declare(fmt.Sprintf("%s @%s(%s, i1 immarg)", t, full, t))
	case "fshl", "fshr":
		g.let(t, "call %s @%s(%s %s, %s %s, %s %s)", t, full, t, x, t, y, t, g.value(t, true))
		g.declare(fmt.Sprintf("%s @%s(%s, %s, %s)", t, full, t, t, t))
	default:
		if strings.HasSuffix(name, "overflow") {
			pair := fmt.Sprintf("{ %s, i1 }", t)
			v := g.name()
			g.line("%s = call %s @%s(%s %s, %s %s)", v, pair, full, t, x, t, y)
			g.declare(fmt.Sprintf("%s @%s(%s, %s)", pair, full, t, t))
			if g.IntN(4) == 0 {
				w := g.name()
				g.line("%s = insertvalue %s %s, %s %s, 0", w, pair, v, t, g.value(t, true))
				v = w
			}
			g.let(t, "extractvalue %s %s, 0", pair, v)
			g.let("i1", "extractvalue %s %s, 1", pair, v)
			return
		}
		g.let(t, "call %s @%s(%s %s, %s %s)", t, full, t, x, t, y)
		g.declare(fmt.Sprintf("%s @%s(%s, %s)", t, full, t, t))
	}
}
