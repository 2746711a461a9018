package check

import (
	"math"
	"os"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/source/corpus/lib"
)

type pair struct{ A, B float32 }
type big struct{ X [40]float64 }
type options struct {
	N    int
	Name string
	W    []float32
	In   pair
	E, F uint16
}

// F32 is a type of this package to instantiate generic functions of another with.
type F32 float32

// Scale is called through a type parameter.
func (f F32) Scale() float32 { lib.ID("scale"); return float32(f) / 2 }

// Twice is a method with a value receiver.
func (f F32) Twice(x F32) F32 { lib.ID("twice"); return 2 * f * x }

type other float64

func (o other) Scale() float32 { return float32(o) }

func declared(x int) int { lib.ID("declared"); return x + 1 }

var global = func(x int) int { lib.ID("mainGlobal"); return x + 1 }

//go:noinline
func scale(x float32) float32 { lib.ID("scaleFunc"); return x * 2 }

const debug = false

func seq(yield func(int) bool) { yield(42) }

//go:noinline
func gen[T lib.Num](a T, xs []T, m map[string]T) func(T) T {
	return func(x T) T { lib.ID("gen"); return x*a + xs[1] + m["k"] }
}

//go:noinline
func genArr[T lib.Num, A [2]T | [3]T](a A, k T) func(int) int {
	return func(i int) int { lib.ID("genArr"); _ = a; _ = k; return i }
}

// functions checks which function is found; captures are checked besides.
func functions(c *Checker) {
	n := c.N
	c.Check("declared", declared)
	c.Check("mainGlobal", global)
	c.Check("multi",
		func(
			x int,
		) int {
			lib.ID("multi")
			return x + n
		})
	c.fail("separate lines", func(x int) int { return x + n }, func(x int) int { return x - n })
	x1, x2 := lib.AfterDead(n)
	c.alike("afterDead1", x1)
	c.alike("afterDead2", x2)
	x1, x2 = lib.AfterCalls(n)
	c.alike("afterCalls1", x1)
	c.alike("afterCalls2", x2)
	c.Check("global", lib.Global)
	c.Check("tableA", lib.Table["a"])
	c.Check("tableB", lib.Table["b"])
	c.Check("nested", lib.Nested)
	c.Check("inInit", lib.InInit)
	c.Check("adder", lib.MakeAdder(n), "a", n)
	a, b := lib.MakeTwo(n)
	c.fail("separate lines", a, b)
	c.Check("noinline", lib.MakeNoinline(n), "a", n)
	c.Check("deep", lib.MakeDeep(n)(2), "a", n, "b", 2)
	c.Check("small", lib.Small)
	c.Check("leaf", lib.Leaf(3), "a", 3)
	c.Check("renamed", lib.Renamed(3), "a", 3)
	f := func(x int) int { lib.ID("assigned"); return x + n }
	g := f
	c.Check("assigned", g, "n", n)
	for i := range 2 {
		c.Check("loopvar", func(x int) int { lib.ID("loopvar"); return x + i }, "i", i)
	}
	defer func() { c.Check("deferred", func(x int) int { lib.ID("deferred"); return x + n }, "n", n) }()
	func() { c.Check("called", func(x int) int { lib.ID("called"); return x + n }, "n", n) }()
	for x := range seq {
		c.Check("rangefunc", func(y int) int { lib.ID("rangefunc"); return y + x }, "x", 42)
	}
}

// generics checks type arguments.
func generics(c *Checker) {
	n := c.N
	c.Check("genAdder", lib.GenAdder[float32](1), "a", float32(1), Types("float32"))
	c.Check("genAdder", lib.GenAdder(F32(2)), "a", F32(2), Types("check.F32"))
	c.Check("genAdderFunc", lib.GenAdder[float64], Types("float64"))
	c.Check("reduce", lib.Reduce[float32], Types("float32"))
	c.Check("reduce", lib.Reduce[F32], Types("check.F32"))
	c.Check("phantom", lib.Phantom[int, float32], Types("int,float32"))
	c.Check("phantom", lib.Phantom[map[string]*lib.Vec[F32], F32], Types("map[string]*lib.Vec[check.F32],check.F32"))
	c.Check("phantomLit", lib.PhantomLit[[4]F32, float32](2), "a", float32(2), Types("[4]check.F32,float32"))
	c.Check("phantomLit", lib.PhantomLit[F32, float32](3), "a", float32(3), Types("check.F32,float32"))
	c.alike("unused", lib.MakeUnused[F32](n))
	c.alike("unused", lib.MakeUnused[other](n))
	// lines that hand over the closure do not name the instance
	spelled := lib.PhantomLit[[2]F32, float64](4)
	c.Check("phantomLit", spelled, "a", float64(4), Types("[2]check.F32,float64"))
	for _, f := range []func([]float32) float32{
		lib.Phantom[[7]int8, float32],
	} {
		c.Check("phantom", f, Types("[7]int8,float32"))
	}
	c.Check("nullary", lib.Nullary[F32], Types("check.F32"))
	c.Check("nullary", lib.Nullary[float64], Types("float64"))
	c.Check("fill", lib.Fill[F32], Types("check.F32"), Calls("scale"))
	c.Check("reduce", lib.Curry[float32](), Types("float32"))
	type Loc float64
	c.Check("reduce", lib.Reduce[Loc], Types("check.Loc"))
	s := []float32{1, 2, float32(n)}
	v := lib.Vec[float32]{D: s}
	c.Check("vecSum", v.Sum, "receiver", v, Types("float32"))
	c.Check("vecPSum", v.PSum, "receiver", &v, Types("float32"))
	c.Check("vecLen", v.Len, "receiver", &v, Types("float32"))
	c.Check("vecSum", lib.Vec[float32].Sum, Types("float32"))
	c.Check("vecPSum", (*lib.Vec[float32]).PSum, Types("float32"))
	c.Check("vecLen", (*lib.Vec[F32]).Len, Types("check.F32"))
	c.Check("vecKern", v.Kern(9), "v", v, "off", float32(9), Types("float32"))
	m := map[string]float32{"k": 1}
	c.Check("gen", gen(s[0], s, m), "a", s[0], "xs", s, "m", m, Types("float32"))
	c.Check("gen", gen(F32(n), []F32{1, 2}, nil), "a", F32(n), "xs", []F32{1, 2}, "m", map[string]F32(nil), Types("check.F32"))
	c.Check("genArr", genArr[float32]([2]float32{1, 2}, 3), Types("float32,[2]float32"))
}

// methods checks method values and method expressions.
func methods(c *Checker) {
	p := lib.Plain{K: c.N}
	c.Check("mul", p.Mul, "receiver", p)
	c.Check("pmul", p.PMul, "receiver", &p)
	c.Check("mul", lib.Plain.Mul)
	c.Check("pmul", (*lib.Plain).PMul)
	c.Check("", (*lib.Plain).Mul, Calls("mul"))
	e := lib.Emb{Plain: p, Z: 3}
	c.Check("mul", e.Mul, "receiver", p) // the compiler binds e.Plain
	c.Check("pmul", e.PMul, "receiver", &e.Plain)
	c.Check("", lib.Emb.Mul, Calls("mul"))
	c.Check("twice", F32(3).Twice, "receiver", F32(3))
	c.Check("twice", F32.Twice)
	pp := &p
	c.Check("mul", pp.Mul, "receiver", p)
	var m lib.Muler = p
	c.fail("interface", m.Mul)
	c.fail("nil func", (func(int))(nil))
	c.fail("must be a func", 3)
	c.fail("must be a func", nil)
	c.fail("reflect", reflected(p))
}

// values checks captured variables of every kind.
func values(c *Checker) {
	n := c.N
	alpha := float32(n) * 0.5
	s := []float32{1, 2, float32(n)}
	p := pair{1, float32(n)}
	arr1 := [1]float32{float32(n)}
	arr := [4]float32{1, 2, 3, float32(n)}
	large := big{}
	large.X[3] = float64(n)
	str := strings.Repeat("ab", n)
	ptr := &pair{3, 4}
	i8, u16 := int8(-n), uint16(n+7)
	mut := float32(n)
	cplx := complex(float32(n), 1)
	table := map[int]int{1: n}
	opt := options{n, str, s, pair{5, 6}, 3, 4}
	var dyn any = n
	deadVar, unused := float32(n), float32(n)+1
	c.Check("many", func(x float32) float32 {
		lib.ID("many")
		_ = unused
		if debug {
			x += deadVar
		}
		return x + alpha*s[0] + p.A + arr1[0] + arr[n] + float32(large.X[n]) + float32(len(str)) + ptr.B + float32(i8) + mut + float32(dyn.(int)) + real(cplx) + float32(table[1]) + float32(opt.N)
	}, "alpha", alpha, "s", s, "p", p, "arr1", arr1, "arr", arr, "n", n, "large", large, "str", str, "ptr", ptr, "i8", i8, "mut", mut, "dyn", dyn, "cplx", cplx, "table", table, "opt", opt)
	mut = 3
	c.Check("mutable", func(x float32) float32 { lib.ID("mutable"); return x + mut }, "mut", float32(3))
	f := func(x float32) float32 { lib.ID("later"); return x + mut }
	mut = 7
	c.Check("later", f, "mut", float32(7))
	c.Check("padding", func() int { lib.ID("padding"); return int(i8) + n + int(u16) }, "i8", i8, "n", n, "u16", u16)
	mat := [3][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, float32(n)}}
	c.Check("matrix", func(i int) float32 { lib.ID("matrix"); return mat[i][i] }, "mat", mat)
	big129, big128 := [129]byte{5}, [128]byte{6}
	c.Check("sizes", func(i int) byte { lib.ID("sizes"); return big128[i] + big129[i] }, "big128", big128, "big129", big129)
	empty := struct{}{}
	c.Check("empty", func() any { lib.ID("empty"); return empty }, "empty", empty)
	c.Check("indexOnly", func(k int) byte {
		lib.ID("indexOnly")
		sum := byte(k)
		for i := range big128 {
			sum += byte(i)
		}
		for range arr {
			sum++
		}
		for i := range &mat {
			sum += byte(i)
		}
		for i := range [2]int{k, len(arr1[:])} {
			sum += byte(i)
		}
		return sum + big129[k]
	}, "arr1", arr1, "big129", big129)
}

// statements checks captured variables that statements declare, assign or leave out.
func statements(c *Checker) {
	n := c.N
	s := []float32{1, 2, float32(n)}
	i8, u16 := int8(-n), uint16(n+7)
	for i, v := range s {
		c.Check("range", func() float32 { lib.ID("range"); return float32(i) * v }, "i", i, "v", v)
	}
	for i := 0; i < 4; i++ {
		i++
		c.Check("for", func() int { lib.ID("for"); return i * 10 }, "i", i)
	}
	x1, y1 := 1, 2
	x1, y1 = y1, x1
	c.Check("swapped", func() int { lib.ID("swapped"); return x1*10 + y1 }, "x1", 2, "y1", 1)
	cond := 1
	if n > 1 {
		cond = 9
	}
	c.Check("conditional", func() int { lib.ID("conditional"); return cond }, "cond", cond)
	c.Check("constSwitch", func() int {
		lib.ID("constSwitch")
		switch 3 {
		case 1:
			return int(u16)
		case 3:
			return n
		}
		return int(i8)
	}, "n", n, "i8", i8)
	var sw any = n
	switch y := sw.(type) {
	case int:
		c.Check("typeSwitch", func() int { lib.ID("typeSwitch"); return y }, "y", y)
	}
	r, _ := results()
	c.Check("result", r, "out", 7)
	c.Check("inner", func() func() int { return func() int { lib.ID("inner"); return n + cond } }(), "n", n, "cond", cond)
}

func results() (f func() int, out int) {
	out = 7
	f = func() int { lib.ID("result"); return out }
	return f, out
}

func sine(y []float64) {
	lib.ID("sine")
	y[0] = math.Sin(y[0])
}

// standard checks a call of the standard library: math.Sin has a body if Go's
// sources are here, and a reason why not otherwise.
func standard(c *Checker) {
	u := c.Check("sine", sine)
	if u == nil {
		return
	}
	for _, b := range u.Fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee().Name() != "Sin" {
				continue
			}
			if fn := call.Call.StaticCallee(); (fn.Blocks == nil) != strings.HasPrefix(u.Missing(fn), "the standard library's sources are not on this machine") {
				c.errorf("math.Sin: %d blocks, %s", len(fn.Blocks), u.Missing(fn))
			}
		}
	}
}

// funcs checks captured funcs.
func funcs(c *Checker) {
	n := c.N
	alpha := float32(n) * 0.5
	dev := func(x float32) float32 { lib.ID("dev"); return x * alpha }
	u := c.Check("captureFunc", func(x float32) float32 { lib.ID("captureFunc"); return dev(x) + 1 }, "dev", dev)
	c.captured(u, "dev", "dev", "alpha", alpha)
	static := scale
	if n > 100 {
		static = dev
	}
	u = c.Check("captureStatic", func(x float32) float32 { lib.ID("captureStatic"); return static(x) }, "static", static)
	c.captured(u, "static", "scaleFunc")
	var rec func(int) int
	rec = func(k int) int {
		lib.ID("recursive")
		if k == 0 {
			return n
		}
		return rec(k - 1)
	}
	u = c.Check("recursive", rec, "rec", rec, "n", n)
	c.captured(u, "rec", "recursive", "rec", rec, "n", n)
	p := lib.Plain{K: n}
	bound := p.Mul
	u = c.Check("captureBound", func(x int) int { lib.ID("captureBound"); return bound(x) }, "bound", bound)
	c.capturedBound(u, "bound", "mul", p)
	var none func()
	if n > 100 {
		none = func() {}
	}
	c.Check("captureNil", func() { lib.ID("captureNil"); none() }, "none", none)
	u = c.Check("deadCode", func(x int) int {
		lib.ID("deadCode")
		if debug && x > 3 {
			none()
			return len(os.Args)
		} else if !debug {
			x += n
		} else {
			panic(scale(1))
		}
		for debug {
			none()
		}
		switch 2 {
		case 1:
			none()
		case 2:
			return x
		}
		return x
	}, "n", n)
	if u != nil && len(u.Captures) != 1 {
		c.errorf("dead code captures: %v", u.Captures)
	}
	g := lib.MakeAdder(n)
	u = c.Check("captureOther", func(x int) int { lib.ID("captureOther"); return g(x) }, "g", g)
	c.captured(u, "g", "adder", "a", n)
	u = c.Check("generic", genericCapture[float32](2), Types("float32"))
	c.captured(u, "h", "genericInner", "a", float32(2))
}

//go:noinline
func genericCapture[T lib.Num](a T) func(T) T {
	h := func(x T) T { lib.ID("genericInner"); return x + a }
	return func(x T) T { lib.ID("generic"); return h(x) * 2 }
}
