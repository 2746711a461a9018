package main

import (
	"math"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// financeCases are kernels of mathematical functions.
func financeCases(s scale) []*benchmark {
	return []*benchmark{blackScholesCase(s), blackScholes64Case(s), monteCarloCase(s), mandelbrotCase(s)}
}

const riskFree, volatility = 0.02, 0.3

// option is the price of option i: what it is to buy, or with r = 1 to sell, a stock.
func option(r, i int) float64 {
	s, x, t := uniform(i, 1, 5, 30), uniform(i, 2, 1, 100), uniform(i, 3, 0.25, 10)
	d1 := (math.Log(s/x) + (riskFree+0.5*volatility*volatility)*t) / (volatility * math.Sqrt(t))
	d2 := d1 - volatility*math.Sqrt(t)
	normal := func(d float64) float64 { return math.Erfc(-d/math.Sqrt2) / 2 }
	discounted := x * math.Exp(-riskFree*t)
	if r == 0 {
		return s*normal(d1) - discounted*normal(d2)
	}
	return discounted*normal(-d2) - s*normal(-d1)
}

func blackScholesCase(s scale) *benchmark {
	n := s.of(1<<24, 500)
	return &benchmark{
		name: "black_scholes", kernel: kernels.BlackScholes, cfg: launch.Linear(n, 256), unit: "GB/s", work: 20 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			call, put := alloc[float32](d, n), alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{float32(riskFree), float32(volatility), upload(d, floats(n, 1, 5, 30)), upload(d, floats(n, 2, 1, 100)),
				upload(d, floats(n, 3, 0.25, 10)), call, put}, results: each(call, put)}
		},
		want: option, tolerance: 1e-4,
	}
}

func blackScholes64Case(s scale) *benchmark {
	n := s.of(1<<23, 500)
	return &benchmark{
		name: "black_scholes64", kernel: kernels.BlackScholes64, cfg: launch.Linear(n, 256), unit: "GB/s", work: 40 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			call, put := alloc[float64](d, n), alloc[float64](d, n)
			return inputs{lens: []int{n}, args: []any{riskFree, volatility, upload(d, doubles(n, 1, 5, 30)), upload(d, doubles(n, 2, 1, 100)),
				upload(d, doubles(n, 3, 0.25, 10)), call, put}, results: each(call, put)}
		},
		want: option, tolerance: 1e-11, approximate: 1e-5,
	}
}

func monteCarloCase(s scale) *benchmark {
	const drift, spread, strike = -0.02, 0.3, 1.1
	n, pairs := s.of(1<<18, 300), s.of(64, 4)
	seed := func(i int) uint64 { return uint64(kernels.Hash(i, 1))<<32 | uint64(kernels.Hash(i, 2)) }
	return &benchmark{
		name: "monte_carlo", kernel: kernels.MonteCarlo, cfg: launch.Linear(n, 256), unit: "Gpath/s", work: float64(2*n*pairs) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float64](d, n)
			return inputs{lens: []int{n}, args: []any{pairs, drift, spread, strike, upload(d, filled(n, seed)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			state, sum := seed(i), 0.0
			next := func() float64 {
				state = state*6364136223846793005 + 1442695040888963407
				return (float64(state>>12) + 0.5) * 0x1p-52
			}
			for range pairs {
				r := spread * math.Sqrt(-2*math.Log(next()))
				sin, cos := math.Sincos(2 * math.Pi * next())
				sum += max(math.Exp(drift+r*cos)-strike, 0) + max(math.Exp(drift+r*sin)-strike, 0)
			}
			return sum / float64(2*pairs)
		},
		tolerance: 1e-11, approximate: 1e-5,
	}
}

func mandelbrotCase(s scale) *benchmark {
	const limit, x0, y0 = 256, -2, -1.5
	n := s.of(4096, 64)
	h := s.of(n, 16)
	step := 3 / float32(n)
	return &benchmark{
		name: "mandelbrot", kernel: kernels.Mandelbrot, cfg: grid(n/32, h/8, 32, 8), unit: "Gpixel/s", work: float64(n*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n*h)
			return inputs{args: []any{n, h, int32(limit), float32(x0), float32(y0), step, out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			cx, cy := x0+float32(i%n)*step, y0+float32(i/n)*step
			var x, y float32
			k := 0
			for ; k < limit && x*x+y*y < 4; k++ {
				x, y = x*x-y*y+cx, 2*x*y+cy
			}
			return float64(k)
		},
		stray: 0.03, // the orbits near the edge are chaotic
	}
}
