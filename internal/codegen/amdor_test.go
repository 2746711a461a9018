package codegen

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

var orCount = flag.Int("ors", 2, "kernels that TestOr compiles for each processor")

// An orTree is a number of so many bits: an input, a constant, or an operation on others.
type orTree struct {
	op    string
	width int
	c     uint64 // an input's number, a constant, a shift's count, or 1 for a branch to a pair
	args  []*orTree
}

// eval is the tree's value for the inputs a, b (the thread's) and c, d (all threads').
func (e *orTree) eval(in *[4]uint64) uint64 {
	arg := func(i int) uint64 { return e.args[i].eval(in) }
	all := mask(e.width)
	switch e.op {
	case "input":
		return in[e.c] & all
	case "const":
		return e.c & all
	case "and":
		return arg(0) & arg(1)
	case "or":
		return arg(0) | arg(1)
	case "xor":
		return arg(0) ^ arg(1)
	case "shl":
		return arg(0) << e.c & all
	case "lshr":
		return arg(0) >> e.c
	case "ashr":
		return uint64(signed(arg(0), e.width)>>e.c) & all
	case "shl by", "lshr by", "ashr by":
		by := &orTree{op: strings.TrimSuffix(e.op, " by"), width: e.width, c: arg(1), args: e.args[:1]}
		return by.eval(in)
	case "sdiv":
		return uint64(signed(arg(0), e.width)/signed(e.c, e.width)) & all
	case "urem":
		return arg(0) % e.c
	case "umin":
		return min(arg(0), e.c)
	case "add":
		return (arg(0) + arg(1)) & all
	case "mul":
		return arg(0) * arg(1) & all
	case "ctpop":
		return uint64(bits.OnesCount64(arg(0)))
	case "ctlz":
		return uint64(bits.LeadingZeros64(arg(0)) - 64 + e.width)
	case "cttz":
		return uint64(min(bits.TrailingZeros64(arg(0)), e.width))
	case "zext", "trunc":
		return arg(0) & all
	case "sext":
		return uint64(signed(arg(0), e.args[0].width)) & all
	case "select", "branch":
		if int64(in[0]) < int64(in[1]) {
			return arg(0)
		}
		return arg(1)
	}
	panic(e.op)
}

var orConstants = []uint64{1<<64 - 1, 1<<64 - 5, 1<<64 - 8, 1<<32 - 1, 1<<64 - 1<<32, 1<<64 - 1<<31, 0, 1, 1 << 32, 1 << 63, 1<<33 - 1, 255, 1<<64 - 256}

// randomOr makes a tree of so many bits.
func randomOr(r *rand.Rand, width, depth int) *orTree {
	e := &orTree{width: width}
	sub := func(width int) { e.args = append(e.args, randomOr(r, width, depth-1)) }
	switch n := r.IntN(12); {
	case depth == 0 || n == 0:
		e.op, e.c = "input", uint64(r.IntN(4))
	case n == 1:
		e.op, e.c = "const", orConstants[r.IntN(len(orConstants))]
	case n <= 4:
		e.op = []string{"and", "or", "xor", "or"}[r.IntN(4)]
		sub(width)
		sub(width)
	case n <= 6:
		e.op = "xor"
		sub(width)
		e.args = append(e.args, &orTree{op: "const", width: width, c: orConstants[r.IntN(2)*4]})
	case n == 7:
		e.op = []string{"shl", "lshr", "ashr"}[r.IntN(3)]
		e.c = uint64([]int{width / 2, 1, r.IntN(width)}[r.IntN(3)])
		switch r.IntN(8) {
		case 0:
			e.op, e.c = "sdiv", 1<<(e.c%uint64(width-1))
		case 1, 2:
			e.op = []string{"ctpop", "ctlz", "cttz"}[r.IntN(3)]
		case 3:
			e.op, e.c = []string{"urem", "umin"}[r.IntN(2)], 1+uint64(r.IntN(127))
		case 4, 5:
			e.op = []string{"add", "mul"}[r.IntN(2)]
			sub(width)
		case 6:
			e.op += " by"
			sub(width)
			e.args = append(e.args, randomCount(r, width))
			return e
		}
		sub(width)
	case n == 8:
		e.op = []string{"select", "branch"}[r.IntN(2)]
		e.c = uint64(r.IntN(2))
		sub(width)
		sub(width)
	default:
		from := divideWidths[r.IntN(4)]
		switch {
		case from < width:
			e.op = []string{"zext", "sext", "zext"}[r.IntN(3)]
		case from > width:
			e.op = "trunc"
		default:
			return randomOr(r, width, depth-1)
		}
		sub(from)
	}
	return e
}

// randomCount makes a count for a shift that is no constant, one of two or any.
func randomCount(r *rand.Rand, width int) *orTree {
	constant := func(c int) *orTree { return &orTree{op: "const", width: width, c: uint64(c)} }
	if r.IntN(2) == 0 {
		return &orTree{op: "select", width: width, args: []*orTree{constant(r.IntN(width)), constant(r.IntN(width))}}
	}
	return &orTree{op: "and", width: width, args: []*orTree{randomOr(r, width, 0), constant(r.IntN(width))}}
}

// knownOrs are trees that were wrong.
func knownOrs() (trees []*orTree) {
	tree := func(op string, width int, c uint64, args ...*orTree) *orTree {
		return &orTree{op: op, width: width, c: c, args: args}
	}
	in := func(width int, n uint64) *orTree { return tree("input", width, n) }
	constant := func(width int, c uint64) *orTree { return tree("const", width, c) }
	not := func(e *orTree) *orTree { return tree("xor", e.width, 0, e, constant(e.width, mask(e.width))) }
	or := func(x, y *orTree) *orTree { return tree("or", x.width, 0, x, y) }

	// A number whose lower half LLVM does not know to be 0.
	half := tree("trunc", 16, 0, tree("branch", 64, 1, constant(64, 0), constant(64, 1<<63)))
	trees = append(trees, or(in(16, 0), not(half)))
	// -1, a half after the other.
	all := or(tree("zext", 64, 0, not(in(32, 1))), in(64, 1))
	trees = append(trees, or(tree("zext", 64, 0, not(tree("zext", 32, 0, tree("lshr", 8, 4, in(8, 2))))), all))
	// The upper half of a count of bits.
	for _, op := range []string{"ctpop", "ctlz", "cttz"} {
		trees = append(trees, or(in(64, 0), not(tree(op, 64, 0, in(64, 1)))))
	}
	trees = append(trees, or(in(64, 0), not(tree("umin", 64, 9, tree("zext", 64, 0, in(32, 1))))))
	// A number that is small for either count of a shift.
	count := tree("select", 32, 0, constant(32, 11), constant(32, 1))
	small := tree("sext", 64, 0, tree("trunc", 8, 0, tree("shl by", 32, 0, tree("and", 32, 0, in(32, 1), constant(32, 7)), count)))
	trees = append(trees, or(tree("zext", 64, 0, in(32, 0)), not(small)))
	// Bytes of signed numbers.
	for _, width := range []int{16, 32} {
		for n := 8; n < width; n += 8 {
			x, y := in(width, 0), in(width, 1)
			trees = append(trees,
				or(tree("shl", width, uint64(width-n), x), tree("ashr", width, uint64(n), x)),
				or(tree("shl", width, uint64(width-n), y), tree("sdiv", width, 1<<n, y)))
		}
	}
	return trees
}

// or writes a tree; blocks counts those of the kernel.
func (w *divideWriter) or(e *orTree, blocks *int) string {
	t := fmt.Sprintf("i%d", e.width)
	switch e.op {
	case "input":
		v := []string{"%a", "%b", "%ua", "%ub"}[e.c]
		if e.width < 64 {
			v = w.let("trunc i64 %s to %s", v, t)
		}
		return v
	case "const":
		return fmt.Sprint(signed(e.c, e.width))
	case "branch":
		*blocks++
		n := *blocks
		fmt.Fprintf(w, "  br label %%from%d\nfrom%d:\n", n, n)
		x := w.or(e.args[0], blocks)
		pair := fmt.Sprintf("{ i64, %s }", t)
		if e.c != 0 {
			x = w.let("insertvalue %s %s, %s %s, 1", pair, w.let("insertvalue %s poison, i64 %%b, 0", pair), t, x)
		}
		fmt.Fprintf(w, "  br i1 %%less, label %%join%d, label %%else%d\nelse%d:\n  br label %%before%d\nbefore%d:\n", n, n, n, n, n)
		y := w.or(e.args[1], blocks)
		if e.c != 0 {
			y = w.let("insertvalue %s %s, %s %s, 1", pair, w.let("insertvalue %s poison, i64 %%a, 0", pair), t, y)
		}
		fmt.Fprintf(w, "  br label %%last%d\nlast%d:\n  br label %%join%d\njoin%d:\n", n, n, n, n)
		if e.c != 0 {
			v := w.let("phi %s [ %s, %%%s ], [ %s, %%last%d ]", pair, x, w.blockOf(n), y, n)
			return w.let("extractvalue %s %s, 1", pair, v)
		}
		return w.let("phi %s [ %s, %%%s ], [ %s, %%last%d ]", t, x, w.blockOf(n), y, n)
	}
	x := w.or(e.args[0], blocks)
	switch e.op {
	case "zext", "sext", "trunc":
		return w.let("%s i%d %s to %s", e.op, e.args[0].width, x, t)
	case "shl", "lshr", "ashr", "sdiv", "urem":
		return w.let("%s %s %s, %d", e.op, t, x, e.c)
	case "shl by", "lshr by", "ashr by":
		return w.let("%s %s %s, %s", strings.TrimSuffix(e.op, " by"), t, x, w.or(e.args[1], blocks))
	case "umin":
		return w.let("call %s @llvm.umin.%s(%s %s, %s %d)", t, t, t, x, t, e.c)
	case "ctpop":
		return w.let("call %s @llvm.ctpop.%s(%s %s)", t, t, t, x)
	case "ctlz", "cttz":
		return w.let("call %s @llvm.%s.%s(%s %s, i1 false)", t, e.op, t, t, x)
	case "select":
		return w.let("select i1 %%less, %s %s, %s %s", t, x, t, w.or(e.args[1], blocks))
	}
	return w.let("%s %s %s, %s", e.op, t, x, w.or(e.args[1], blocks))
}

// blockOf is the block that branches to join n: the last one that began before that.
func (w *divideWriter) blockOf(n int) string {
	text, _, _ := strings.Cut(w.String(), fmt.Sprintf("label %%join%d, label %%else%d", n, n))
	text = text[:strings.LastIndex(text, ":\n")]
	return text[strings.LastIndex(text, "\n")+1:]
}

// orModule is a kernel that stores trees as divideModule's does divisions.
func orModule(trees []*orTree) string {
	w := new(divideWriter)
	w.WriteString(inputsHead + "  %less = icmp slt i64 %a, %b\n")
	blocks := 0
	for k, e := range trees {
		v := w.or(e, &blocks)
		if e.width < 64 {
			v = w.let("zext i%d %s to i64", e.width, v)
		}
		p := w.let("getelementptr [%d x i64], ptr addrspace(1) %%out, i64 %%i, i64 %d", len(trees), k)
		fmt.Fprintf(w, "  store i64 %s, ptr addrspace(1) %s\n", v, p)
	}
	w.WriteString("  ret void\n}\n")
	for _, width := range divideWidths {
		fmt.Fprintf(w, "declare i%[1]d @llvm.ctpop.i%[1]d(i%[1]d)\ndeclare i%[1]d @llvm.umin.i%[1]d(i%[1]d, i%[1]d)\n", width)
		for _, op := range []string{"ctlz", "cttz"} {
			fmt.Fprintf(w, "declare i%[2]d @llvm.%[1]s.i%[2]d(i%[2]d, i1)\n", op, width)
		}
	}
	return w.String()
}

// Disjunctions of numbers that LLVM knows in part, within a block and across blocks, of
// values that threads share and not, are right on emulated processors.
func TestOr(t *testing.T) {
	major := skipWithoutLLVM(t)
	const each, threads = 32, 128
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
		for _, passes := range []string{"default<O3>", "default<O1>", "default<O0>"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			for n := range *orCount {
				rnd := rand.New(rand.NewPCG(*divideSeed, uint64(n)))
				var trees []*orTree
				if n == 0 {
					trees = knownOrs()
				}
				for len(trees) < each {
					e := &orTree{op: "or", width: []int{64, 64, 32, 16}[rnd.IntN(4)]}
					e.args = []*orTree{randomOr(rnd, e.width, 4), randomOr(rnd, e.width, 4)}
					if trees = append(trees, e); rnd.IntN(2) == 0 {
						trees = append(trees, e.args[rnd.IntN(2)]) // another use
					}
				}
				in := divideInputs(rnd, threads)
				for i := range in { // as all threads see them
					in[i][2], in[i][3] = in[0][2], in[0][3]
				}
				r := request(orModule(trees), "k", arch)
				r.Passes = passes
				out := make([]uint64, len(trees)*threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Fatal(err)
				}
				for k, e := range trees {
					for i := range in {
						if got, want := out[i*len(trees)+k], e.eval(&in[i]); got != want {
							t.Errorf("LLVM %d, %s, %s, kernel %d: %v, at %#x: %#x, want %#x", major, arch, passes, n, e, in[i], got, want)
							break
						}
					}
				}
			}
		}
	}
}

func (e *orTree) String() string {
	switch e.op {
	case "input":
		return "abcd"[e.c:e.c+1] + fmt.Sprint(e.width)
	case "const":
		return fmt.Sprint(signed(e.c, e.width))
	case "shl", "lshr", "ashr", "sdiv", "urem", "umin":
		return fmt.Sprintf("%s(%v, %d)", e.op, e.args[0], e.c)
	}
	var list []string
	for _, a := range e.args {
		list = append(list, a.String())
	}
	return fmt.Sprintf("%s%d(%s)", e.op, e.width, strings.Join(list, ", "))
}
