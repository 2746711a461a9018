package conformance

import (
	"cmp"
	"math"
	"slices"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Calls: several and named results, generic functions, methods as values and
// as expressions, functions as parameters, standard library functions.

type callOut struct {
	Quo, Rem, Sum, Named int
	Method, Expr, Value  int
	Applied              int
	Max, Clamped         float64
	Index                int
	Found                bool
	Deep                 int
}

func divmod(a, b int) (q, r int) {
	q = a / b
	r = a % b
	return
}

func triple(n int) (a, b, c int) { return n, n * 2, n * 3 }

func sum3(a, b, c int) int { return a + b*10 + c*100 }

func named(n int) (x int, ok bool) {
	if n > 5 {
		x = n
		return x * 2, true
	}
	x = -n
	return
}

type accumulator struct{ total int }

func (a *accumulator) push(n int) *accumulator { a.total = a.total*3 + n; return a }
func (a accumulator) peek(n int) int           { return a.total + n }

func apply(f func(int) int, n int) int { return f(f(n)) }

func compose(f, g func(int) int) func(int) int { return func(n int) int { return g(f(n)) } }

func adder(by int) func(int) int { return func(n int) int { return n + by } }

// madeOps calls functions that other functions made.
type madeOps struct{}

func (madeOps) Do(n int, out *[4]int) {
	var acc accumulator
	acc.push(n)
	out[0] = compose(increment, square)(n) + compose(square, acc.peek)(n)
	out[1] = adder(n)(5)
	add := adder(n + 1)
	n = 1000
	out[2] = add(n) + apply(add, 1)
	out[3] = apply(compose(adder(2), adder(n)), 3)
}

func increment(n int) int { return n + 1 }

func square(n int) int { return n * n }

func maxOf[T cmp.Ordered](xs ...T) T {
	m := xs[0]
	for _, x := range xs[1:] {
		m = max(m, x)
	}
	return m
}

type callOps struct{}

func (callOps) Do(n int, out *callOut) {
	out.Quo, out.Rem = divmod(n, 3)
	out.Sum = sum3(triple(n))
	out.Named, out.Found = named(n)
	var acc accumulator
	acc.push(n).push(2).push(3)
	out.Method = acc.peek(1)
	push := acc.push
	push(4)
	out.Value = acc.total
	out.Expr = accumulator.peek(acc, 5) + (*accumulator).push(&acc, 6).total
	peek := acc.peek // binds a copy
	acc.total = 0
	out.Value += peek(1000)
	out.Applied = apply(increment, n) + apply(func(k int) int { return k*n + 1 }, 2)
	out.Max = maxOf(float64(n), 3.5, -1)
	out.Clamped = clamp(float64(n), 2, 7)
	xs := [6]int{n, 5, 3, n * 2, 1, 4}
	out.Index = indexOf(xs[:], 5)
	out.Deep = level1(n)
}

func indexOf[S ~[]E, E comparable](s S, v E) int {
	for i := range s {
		if v == s[i] {
			return i
		}
	}
	return -1
}

// stdCalls are functions of the standard library, compiled from Go's sources.
type stdCalls struct{}

func (stdCalls) Do(n int, out *[8]int) {
	xs := [6]int{n, 5, 3, n * 2, 1, 4}
	out[0], out[1], out[2] = slices.Index(xs[:], 5), slices.Max(xs[:]), slices.Min(xs[:])
	out[3], out[4] = cmp.Compare(n, 4), int(math.Abs(float64(-n)))
	slices.Reverse(xs[1:])
	out[5], out[6] = xs[1], slices.IndexFunc(xs[:], func(x int) bool { return x > n })
	for i, v := range slices.Backward(xs[:]) {
		if out[7] = out[7]*7 + i*v; v == 3 {
			break
		}
	}
}

func clamp[T cmp.Ordered](x, low, high T) T { return max(low, min(x, high)) }

func level1(n int) int { return level2(n) + level2(n+1) }
func level2(n int) int { return level3(n)*2 + level3(-n) }

//go:noinline
func level3(n int) int {
	if n < 0 {
		return -n * 7
	}
	return n ^ 5
}

// emptyCalls are calls that stay calls, with parameters and results of no size: func values
// that are known, empty structs and arrays.
type emptyCalls struct{}

type marked struct {
	_ struct{}
	_ [0]int
}

//go:noinline
func emptyArgs(f func(int) int, tag struct{}, n int, m marked, none [0]vec3) (struct{}, int, marked) {
	if n > 3 {
		return tag, f(n) + len(none), m
	}
	return struct{}{}, f(f(n)), marked{}
}

//go:noinline
func onlyEmpty(m marked) marked { return m }

func (emptyCalls) Do(n int, out *[3]int) {
	tag, a, m := emptyArgs(adder(3), struct{}{}, n, marked{}, [0]vec3{})
	_, b, _ := emptyArgs(func(x int) int { return x * 5 }, tag, a, onlyEmpty(m), [0]vec3{})
	out[0], out[1] = a, b
	out[2] = apply(func(x int) int { return x - b }, n)
}

// A monoid is what a reduction folds with: a type argument of no size.
type monoid[T any] interface {
	Zero() T
	Join(a, b T) T
}

type sumOfAll[T number] struct{}

func (sumOfAll[T]) Zero() T       { return 0 }
func (sumOfAll[T]) Join(a, b T) T { return a + b }

type maxOfAll[T number] struct{}

func (maxOfAll[T]) Zero() (least T) { return least - 100 }
func (maxOfAll[T]) Join(a, b T) T   { return max(a, b) }

type firstNonZero struct{}

func (firstNonZero) Zero() vec3 { return vec3{} }
func (firstNonZero) Join(a, b vec3) vec3 {
	if a == (vec3{}) {
		return b
	}
	return a
}

// fold gives each block's fold; M is no parameter: only the instance knows it.
func fold[M monoid[T], T any](in []T, out []T) {
	var m M
	v := m.Zero()
	for i := dsl.GlobalIdx().X * 4; i < min(len(in), dsl.GlobalIdx().X*4+4); i++ {
		v = m.Join(v, in[i])
	}
	out[dsl.GlobalIdx().X] = v
}

func onFold[M monoid[E], E any](name string, k *kernel.Kernel, in []E) Case {
	return Case{name, "template kernels", []*kernel.Kernel{k}, func(t *T) {
		var m M
		want := make([]E, len(in)/4)
		for i := range want {
			want[i] = m.Zero()
			for _, v := range in[i*4 : i*4+4] {
				want[i] = m.Join(want[i], v)
			}
		}
		out := alloc[E](t, len(want))
		t.run(k, launch.Linear(len(want), len(want)), upload(t, in), out)
		same(t, download(t, out), want)
	}}
}

func callCases() []Case {
	return []Case{
		onEach("call/ops", rowFunctions, each[callOps], upTo(12)),
		onEach("call/std", rowFunctions+", the standard library's included", each[stdCalls], upTo(12)).std(),
		onEach("call/made", rowFunctions, each[madeOps], upTo(12)),
		onEach("call/empty", rowFunctions, each[emptyCalls], upTo(12)),
		onFold[sumOfAll[int32]]("call/template/sum-int32", kernel.New(fold[sumOfAll[int32], int32]), integers[int32]()[:24]),
		onFold[sumOfAll[uint8]]("call/template/sum-uint8", kernel.New(fold[sumOfAll[uint8], uint8]), integers[uint8]()[:24]),
		onFold[maxOfAll[int64]]("call/template/max-int64", kernel.New(fold[maxOfAll[int64], int64]), integers[int64]()[:24]),
		onFold[firstNonZero]("call/template/struct", kernel.New(fold[firstNonZero, vec3]), filled(16, func(i int) vec3 {
			return vec3{0, float32(i % 5 / 4), 0}
		})),
	}
}
