package kernels

import (
	"heddle/dsl"
)

// cnd is the cumulative normal distribution (Abramowitz and Stegun 26.2.17).
func cnd(d float32) float32 {
	const (
		a1 = 0.31938153
		a2 = -0.356563782
		a3 = 1.781477937
		a4 = -1.821255978
		a5 = 1.330274429
	)
	k := 1 / (1 + 0.2316419*dsl.Abs(d))
	v := 0.39894228040143267794 * dsl.Exp(-0.5*d*d) * (k * (a1 + k*(a2+k*(a3+k*(a4+k*a5)))))
	if d > 0 {
		v = 1 - v
	}
	return v
}

// BlackScholes prices European options: stock price, strike, years.
func BlackScholes(riskFree, volatility float32, price, strike, years, call, put []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(price) {
		return
	}
	s, x, t := price[i], strike[i], years[i]
	root := dsl.Sqrt(t)
	d1 := (dsl.Log(s/x) + (riskFree+0.5*volatility*volatility)*t) / (volatility * root)
	d2 := d1 - volatility*root
	c1, c2 := cnd(d1), cnd(d2)
	discount := dsl.Exp(-riskFree * t)
	call[i] = s*c1 - x*discount*c2
	put[i] = x*discount*(1-c2) - s*(1-c1)
}

// Mandelbrot counts iterations, at most limit, for each pixel of a w by h picture.
func Mandelbrot(w, h int, limit int32, x0, y0, step float32, out []int32) {
	px, py := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if px >= w || py >= h {
		return
	}
	cx, cy := x0+float32(px)*step, y0+float32(py)*step
	var x, y float32
	n := int32(0)
	for n < limit && x*x+y*y < 4 {
		x, y = x*x-y*y+cx, 2*x*y+cy
		n++
	}
	out[py*w+px] = n
}

// normal is the cumulative normal distribution in float64.
func normal(d float64) float64 { return 0.5 * dsl.Erfc(-d*0.70710678118654752440) }

// BlackScholes64 prices European options in float64.
func BlackScholes64(riskFree, volatility float64, price, strike, years, call, put []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(price) {
		return
	}
	s, x, t := price[i], strike[i], years[i]
	root := volatility * dsl.Sqrt(t)
	d1 := (dsl.Log(s/x) + (riskFree+0.5*volatility*volatility)*t) / root
	d2 := d1 - root
	discounted := x * dsl.Exp(-riskFree*t)
	call[i] = s*normal(d1) - discounted*normal(d2)
	put[i] = discounted*normal(-d2) - s*normal(-d1)
}

// random is the next state of a generator of random numbers.
func random(state uint64) uint64 { return state*6364136223846793005 + 1442695040888963407 }

// uniform is a random number above 0 and below 1.
func uniform(state uint64) float64 { return (float64(state>>12) + 0.5) * 0x1p-52 }

// MonteCarlo is each thread's mean of an option's pay-off over random prices, two of a pair
// of normal numbers. The generators begin with the numbers in seeds.
func MonteCarlo(pairs int, drift, spread, strike float64, seeds []uint64, out []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(seeds) {
		return
	}
	state := seeds[i]
	var sum float64
	for range pairs {
		state = random(state)
		r := spread * dsl.Sqrt(-2*dsl.Log(uniform(state)))
		state = random(state)
		angle := 6.28318530717958647692 * uniform(state)
		sum += max(dsl.Exp(drift+r*dsl.Cos(angle))-strike, 0)
		sum += max(dsl.Exp(drift+r*dsl.Sin(angle))-strike, 0)
	}
	out[i] = sum / float64(2*pairs)
}
