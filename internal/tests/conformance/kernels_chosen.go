package conformance

import (
	"heddle/kernel"
)

// Funcs in fields and elements, and funcs chosen at run time: what calls them is a branch
// for each that they may be.

const rowChosen = "funcs in fields and elements, and chosen at run time"

// A stage holds a func and what it is called with.
type stage struct {
	f  func(int) int
	by int
}

func (a stage) do(n int) int      { return a.f(n) * a.by }
func (a *stage) doAt(n int) int   { return a.f(n) - a.by }
func (a stage) with(by int) stage { a.by = by; return a }
func (a stage) then(g func(int) int) stage {
	f := a.f
	a.f = func(n int) int { return g(f(n)) + a.by }
	return a
}

type stages struct {
	_     [20]uint8 // it is kept in memory, then
	first stage
	rest  [2]stage
	join  func(a, b int) (int, bool)
}

func runStages(s *stages, n int) int {
	v := s.first.do(n)
	for i := range s.rest {
		if r, ok := s.join(v, s.rest[i].doAt(n)); ok {
			v = r
		}
	}
	return v
}

func joined(a, b int) (int, bool) { return a*3 + b, b%2 == 0 }

func decrement(n int) int { return n - 1 }

// fieldFuncs calls funcs in fields, each one known.
type fieldFuncs struct{}

func (fieldFuncs) Do(n int, out *[8]int) {
	out[0] = stage{f: increment, by: 3}.do(n)
	a := stage{f: func(x int) int { return x*n + 1 }, by: n}
	out[1] = a.f(2) + a.do(3) + a.doAt(4) + a.with(7).do(5)
	b := a
	b.by = 100
	out[2] = b.doAt(1) + applyTo(&b, n)
	s := stages{first: a, join: joined}
	s.rest[0], s.rest[1] = stage{square, 2}, a
	out[3] = runStages(&s, n)
	t := s
	t.first.f = decrement
	out[4] = runStages(&t, n+1) + t.first.f(1)
	out[5] = stage{f: increment, by: 2}.then(square).then(func(x int) int { return x - n }).do(n)
	get := a.do // a method value, with the func in it
	a.by = 0
	out[6] = get(3) + stage.do(b, 2)
	sum := 0
	visit(func(x int) { sum += b.f(x) }, n)
	out[7] = sum
}

func visit(f func(int), n int) {
	for i := range n {
		f(i)
	}
}

//go:noinline
func applyTo(a *stage, n int) int { return a.f(a.f(n)) + a.by }

// chosenFuncs calls funcs that are chosen by what a thread computes.
type chosenFuncs struct{}

func (chosenFuncs) Do(n int, out *[12]int) {
	f := increment
	if n%2 == 0 {
		f = square
	}
	out[0] = f(n)
	k := n * 7
	g := func(x int) int { return x + k }
	if n%3 == 1 {
		g = func(x int) int { return x*k - n }
	} else if n%3 == 2 {
		g = f
	}
	out[1] = g(5) + apply(g, n)
	out[2] = [...]func(int) int{increment, square, decrement}[n%3](n + 4)
	table := [4]func(int) int{g, decrement, adder(n), func(x int) int { return x ^ k }}
	for i := range 9 {
		out[3] = out[3]*3 + table[(i+n)&3](i)
	}
	h := square
	for i := range n {
		if i%4 == 2 {
			h = increment
		} else if i%4 == 3 {
			h = g
		} else if i%4 == 1 {
			h = adder(i)
		}
		out[4] = h(out[4] + i)
	}
	ops := []stage{{increment, 2}, {g, n}, {pickFunc(n), 5}}
	for _, o := range ops[n%2:] {
		out[5] = out[5]*5 + o.do(n)
	}
	best := ops[0]
	for _, o := range ops {
		if o.do(n) > best.do(n) {
			best = o
		}
	}
	out[6] = best.do(3)
	out[7], out[8] = pairOfFuncs(n)(n), applyTo(&ops[n%3], 2)
	m := accumulator{n}.peek
	if n > 6 {
		m = accumulator{k}.peek
	}
	out[9] = m(1)
	out[10] = total(n, f, g, pickFunc(n))
	var late func(int) int
	func() {
		if late = square; n%2 == 0 {
			late = func(x int) int { return x - k }
		}
	}()
	out[11] = late(2)
	x := any(ops[1])
	if s, ok := x.(stage); ok {
		out[11] += s.do(n)
	}
	for i := range n {
		s := stage{f: func(x int) int { return x*i + n }, by: i}
		s.f = combined(s.f, increment)
		out[11] = s.do(out[11]) % 1000
	}
}

func combined(f, g func(int) int) func(int) int {
	return func(n int) int { return f(n) - g(n) }
}

func total(n int, fs ...func(int) int) (sum int) {
	for _, f := range fs {
		sum = sum*7 + f(n)
	}
	return sum
}

func pickFunc(n int) func(int) int {
	switch n % 4 {
	case 0:
		return square
	case 1:
		return adder(n * 2)
	case 2:
		return func(x int) int { return x - n }
	}
	return decrement
}

//go:noinline
func pairOfFuncs(n int) func(int) int {
	f, g := bothFuncs(n)
	return func(x int) int { return f(x) + g(x+1)*100 }
}

func bothFuncs(n int) (f, g func(int) int) {
	if n < 5 {
		return increment, pickFunc(n)
	}
	return pickFunc(n + 1), adder(-n)
}

// optional has funcs that may be nil.
type optional struct {
	before, after func(int) int
	note          func(int, *int)
}

func (o optional) run(n int, noted *int) int {
	if o.before != nil {
		n = o.before(n)
	}
	n *= 10
	if o.note != nil {
		o.note(n, noted)
	}
	if o.after == nil {
		return n
	}
	return o.after(n)
}

// nilFuncs asks whether funcs are nil.
type nilFuncs struct{}

func (nilFuncs) Do(n int, out *[6]int) {
	out[0] = optional{}.run(n, &out[5])
	out[1] = optional{before: increment}.run(n, &out[5])
	o := optional{after: func(x int) int { return x - n }}
	if n%2 == 1 {
		o.before = square
		o.note = func(x int, at *int) { *at += x + n }
	}
	if n%3 == 0 {
		o.after = square // a number, where the closure is an address
	}
	out[2] = o.run(n, &out[5])
	var f func(int) int
	if n > 4 {
		f = adder(n)
	}
	if f != nil {
		out[3] = f(n)
	}
	if f == nil && o.before == nil {
		out[4] = 1
	}
}

func chosenCases() []Case {
	return []Case{
		onEach("chosen/field", rowChosen, each[fieldFuncs], upTo(12)),
		onEach("chosen/funcs", rowChosen, each[chosenFuncs], upTo(24)),
		onEach("chosen/nil", rowChosen, each[nilFuncs], upTo(12)),
	}
}

var _ = kernel.New
