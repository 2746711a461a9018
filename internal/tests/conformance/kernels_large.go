package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Large values: structs and arrays of more scalars than registers are for, by
// value through calls, results, phi nodes, closures and comparisons.

type bulkyTail struct {
	X, Y, Z float64
	Q       [5]bool
}

type bulky struct {
	M [8][8]float32
	N [40]int16
	T bulkyTail
}

func (b bulky) twisted(k int) bulky {
	b.M[k&7], b.M[7-k&7] = b.M[7-k&7], b.M[k&7]
	b.N[k%40]++
	b.T.Q[k%5] = !b.T.Q[k%5]
	return b
}

// split returns large and small results together.
func (b bulky) split(k int) (m [8][8]float32, odd bool, n [40]int16, err error2) {
	m = b.M
	m[k&7][0] = float32(k)
	n = b.N
	n[3] = int16(k)
	return m, k&1 == 1, n, error2(k)
}

type error2 int

func largeOf(i int) (v bulky) {
	for r := range v.M {
		for c := range v.M[r] {
			v.M[r][c] = float32(r*8 + c + i)
		}
	}
	v.T.X = float64(i)
	return
}

func (b *bulky) sum() (s float64) {
	for r := range b.M {
		for c, m := range b.M[r] {
			s += float64(m) * float64(r*3+c)
		}
	}
	for k, n := range b.N {
		s += float64(int(n) * k)
	}
	for k, q := range b.T.Q {
		if q {
			s += float64(k)
		}
	}
	return s + b.T.X
}

// total does not take the address of its caller's variable.
func (b bulky) total() float64 { return b.sum() }

//go:noinline
func (b bulky) called(k int) bulky { return b.twisted(k) }

type largeOut struct {
	One, Two, Picked, Both, Aliased, Listed float64
}

type largeOps struct{}

func (largeOps) Do(i int, out *largeOut) {
	v := largeOf(i)
	w := v.twisted(i)
	out.One = w.sum()
	x := [2]bulky{v, w.twisted(i + 1)}
	out.Two = x[1].sum()
	y := x[i&1].twisted(3)
	out.Picked = y.sum()
	out.Both = x[0].sum()*3 + x[1].sum()*7
	z := &x[1-i&1]
	z.M[2][1] = 5
	out.Aliased = x[0].sum()*3 + x[1].sum()*7
	for k, b := range [...]*bulky{&v, &w} {
		out.Listed += b.sum() * float64(k+1)
	}
}

// largeCalls are results, comparisons and zero values.
type largeCalls struct{}

func (largeCalls) Do(i int, out *struct {
	Called, Split         float64
	Odd                   bool
	Eq, Ne, EqArr, EqPart bool
	Zero                  float64
	Row                   [8]float32
}) {
	v := largeOf(i)
	w := v.called(i)
	out.Called = w.sum()
	m, odd, n, e := w.split(i)
	out.Split = float64(m[i&7][i&3]) + float64(n[3]) + float64(e)
	out.Odd = odd
	same := v
	out.Eq, out.Ne = v == same, v != w
	out.EqArr = m == w.M
	same.M[7][7]++
	out.EqPart = same.M[3] == v.M[3] && same.N == v.N && same.T == v.T && same != v
	v = bulky{}
	if i%3 == 0 {
		v = w
	}
	out.Zero = v.sum()
	out.Row = w.M[i&7]
}

type phiOut struct{ Swapped, Lost, Phi, Closures float64 }

// largePhis are large values in variables whose address is never taken, so
// that they are joined where ways meet: each iteration's and the one's before.
type largePhis struct{}

func (largePhis) Do(n int, out *phiOut) {
	v := largeOf(n)
	w := v.twisted(n)
	a, b := v, w
	for k := range n % 5 {
		a, b = b, a // both phi nodes at once
		if k == 2 {
			b = v.twisted(k)
		}
	}
	out.Swapped = a.total() + 2*b.total()
	last, before := v, w
	var k int
	for k = 0; ; k++ { // the value of the iteration before lives on behind the loop
		before = last
		last = last.twisted(k + n)
		if last.total() > 3*before.total() || k > n%4 {
			break
		}
	}
	out.Lost = before.total() + 3*last.total() + float64(k)
	var r bulky
	switch n % 3 {
	case 0:
		r = v
	case 1:
		r = w
	default:
		r = b.twisted(n)
	}
	out.Phi = r.sum()
	f := r.twisted // binds a copy
	r = v
	for k := range 3 {
		g := f(k)
		out.Closures += g.sum()
		r = g
	}
	h := func() float64 { r.M[0][0] += 2; return r.sum() }
	out.Closures += h() + h()
}

// matrices are values that are just small enough, and just not.
type matrices struct{}

type mat4 [4][4]float32
type mat5 [5][5]float32
type mat6 [6][6]float32

func mulOf[M ~[4][4]float32](a, b M) (c M) {
	for i := range a {
		for j := range a {
			for k := range a {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return
}

func (a mat5) transposed() (t mat5) {
	for i := range a {
		for j := range a {
			t[j][i] = a[i][j]
		}
	}
	return
}

func (a mat6) minor(r, c int) (m mat5) {
	for i := range m {
		for j := range m {
			y, x := i, j
			if i >= r {
				y++
			}
			if j >= c {
				x++
			}
			m[i][j] = a[y][x]
		}
	}
	return
}

func (matrices) Do(i int, out *struct {
	A mat4
	B mat5
	C mat6
}) {
	var a, b mat4
	for r := range a {
		for c := range a {
			a[r][c], b[r][c] = float32(r+c*i), float32(r*c-i)
		}
	}
	out.A = mulOf(a, b)
	var m mat6
	for r := range m {
		for c := range m {
			m[r][c] = float32((r*7 + c*i) % 11)
		}
	}
	out.B = m.minor(i%6, i%5).transposed()
	m[i%6] = m[(i+2)%6]
	out.C = m
}

// largeArgs takes and captures large values.
func largeArgs(b bulky, table [50]int32, in []bulky, out []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	c := b.twisted(i)
	in[i] = in[i].twisted(i + 1)
	out[i] = c.sum() + float64(table[i%50]) + b.sum()
}

// largeShared passes large values between threads of a block.
func largeShared(out []float64) {
	i := dsl.ThreadIdx().X
	s := dsl.Shared[[8]bulky]()
	s[i] = largeOf(i + 8*dsl.BlockIdx().X)
	dsl.SyncThreads()
	v := s[7-i]
	dsl.SyncThreads()
	s[i] = v.twisted(i)
	dsl.SyncThreads()
	out[dsl.GlobalIdx().X] = s[(i+1)&7].sum()
}

func largeCases() []Case {
	row := "structs and arrays of any size, by value"
	args, shared := kernel.New(largeArgs), kernel.New(largeShared)
	var held bulky
	captured := kernel.New(func(out []float64) {
		if i := dsl.GlobalIdx().X; i < len(out) {
			v := held
			v.M[i&7][0]++
			w := held.twisted(i)
			out[i] = v.sum() + w.sum()*2
		}
	})
	return []Case{
		onEach("large/values", row, each[largeOps], upTo(40)),
		onEach("large/calls", row, each[largeCalls], upTo(40)),
		onEach("large/phis", row, each[largePhis], upTo(40)),
		onEach("large/matrices", row, each[matrices], upTo(70)),
		{"large/params", row, []*kernel.Kernel{args}, func(t *T) {
			b, in := largeOf(3).twisted(2), filled(60, largeOf)
			var table [50]int32
			for k := range table {
				table[k] = int32(k * k)
			}
			d, out := upload(t, in), alloc[float64](t, 60)
			t.run(args, launch.Linear(60, 64), b, table, d, out)
			want := make([]float64, 60)
			for i := range want {
				c := b.twisted(i)
				in[i] = in[i].twisted(i + 1)
				want[i] = c.sum() + float64(table[i%50]) + b.sum()
			}
			same(t, download(t, out), want)
			same(t, download(t, d), in)
		}},
		{"large/captures", row, []*kernel.Kernel{captured}, func(t *T) {
			held = largeOf(5).twisted(1)
			out := alloc[float64](t, 70)
			t.run(captured, launch.Linear(70, 64), out)
			want := make([]float64, 70)
			for i := range want {
				v := held
				v.M[i&7][0]++
				w := held.twisted(i)
				want[i] = v.sum() + w.sum()*2
			}
			same(t, download(t, out), want)
		}},
		{"large/shared", row, []*kernel.Kernel{shared}, func(t *T) {
			out := alloc[float64](t, 16)
			t.run(shared, launch.Linear(16, 8), out)
			want := make([]float64, 16)
			for i := range want {
				n, block := (i&7+1)&7, i/8*8
				v := largeOf(7 - n + block).twisted(n)
				want[i] = v.sum()
			}
			same(t, download(t, out), want)
		}},
	}
}
