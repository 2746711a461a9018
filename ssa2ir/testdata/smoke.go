package p

import "heddle/dsl"

func Saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

func Reduce(in, out []float32) {
	s := dsl.Shared[[256]float32]()
	t := dsl.ThreadIdx().X
	v := float32(0)
	if i := dsl.GlobalIdx().X; i < len(in) {
		v = in[i]
	}
	s[t] = v
	dsl.SyncThreads()
	for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
		if t < d {
			s[t] += s[t+d]
		}
		dsl.SyncThreads()
	}
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDown(v, d)
	}
	if t == 0 {
		out[dsl.BlockIdx().X] = s[0] + v
		dsl.AtomicAdd(&out[0], v)
	}
}

type pt struct {
	A int32
	B float64
	C [3]uint8
	D bool
}

func swap(a, b int) (int, int) { return b, a }

func (p *pt) move(d float64) { p.B += d; p.D = !p.D }

func Types(n int, xs []int64, us []uint8, ps []pt, q pt) {
	i := dsl.GlobalIdx().X
	a, b := swap(n, i)
	xs[i] = int64(a/b) + int64(a%b)<<uint(i)
	us[i] = us[i]>>3 | uint8(n)
	ps[i].move(2)
	if ps[i] == q {
		ps[i] = pt{1, 2, [3]uint8{1, 2, 3}, true}
	}
	xs[i] += int64(float64(us[i]) * q.B)
	switch {
	case a < b:
		xs[0] = min(xs[1], xs[2], 7)
	case a == b:
		for j := range 10 {
			xs[j] -= int64(j)
		}
	}
}

func Strings(out []int) {
	const s = "héllo"
	for i, r := range s {
		out[i] = int(r)
	}
	t := s[1:3]
	if t < "zz" {
		out[0] = len(t)
	}
}

func apply(f func(x float32) float32, x float32) float32 { return f(f(x)) }

func Closures(a float32, x []float32) {
	k := a * 2
	f := func(v float32) float32 { k++; return v*a + k }
	g := func(v float32) float32 { return f(v) + 1 }
	i := dsl.GlobalIdx().X
	x[i] = apply(g, x[i]) + apply(func(v float32) float32 { return v }, k)
}

func Complex(z []complex64, w []complex128) {
	i := dsl.GlobalIdx().X
	z[i] = z[i]*z[0] + z[1]/complex(real(z[2]), 1)
	w[i] = complex128(z[i]) / w[0]
}

func Slices(x []float32, n int) {
	y := x[n : n+4]
	y = y[:2:3]
	copy(y, x)
	y = append(y, 1)
	clear(x[4:])
	p := (*[2]float32)(y)
	p[0] = float32(cap(y))
}

func Arrays(x []float32, n int) {
	var a [100]float32
	for i := range a {
		a[i] = x[i]
	}
	b := a
	b[n]++
	for _, v := range a {
		x[0] += v
	}
	x[1] = b[n]
	c := [4]int{1, 2, 3, 4}
	x[2] = float32(c[n])
}

func Panics(x []int32, n int) {
	if n == 3 {
		panic("three")
	}
	if n == 4 {
		panic(n)
	}
	x[n] /= x[0]
}
