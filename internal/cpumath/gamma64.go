package cpumath

import "math"

// stirling is log(Gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi)/2) for x >= 8.
func stirling(x float64) float64 {
	v := 1 / x
	z := v * v
	p := 0.0044311907262632
	p = p*z - 0.001860939080250834
	p = p*z + 0.000840958991570333
	p = p*z - 0.0005952325073739207
	p = p*z + 0.0007936507751095702
	p = p*z - 0.002777777777754862
	p = p*z + 0.08333333333333333
	return v * p
}

const halfLog2Pi, halfLog2PiLo = 0.9189385332046728, -3.8782941580672414e-17

// sinPi is |sin(pi x)| for x >= 0, 0 for whole numbers.
func sinPi(x float64) float64 {
	r := math.Abs(x - math.RoundToEven(x))
	far := r > 0.25
	if far {
		r = 0.5 - r
	}
	s, c := sincos64(math.Pi * r)
	if far {
		s = c
	}
	return s
}

// odd reports whether the whole part of x >= 0 is odd.
func odd(x float64) bool {
	h := math.Trunc(x) * 0.5
	return math.Trunc(h) != h
}

// gammaNear is Gamma(2 + f) for |f| <= 1/2.
func gammaNear(f float64) float64 {
	p := -2.9558433803516995e-06
	p = p*f + 2.584602330420179e-06
	p = p*f - 1.6653658605268992e-06
	p = p*f + 7.262881168132366e-06
	p = p*f - 1.626458204958798e-05
	p = p*f + 3.0554488822791516e-05
	p = p*f - 6.051818430189517e-05
	p = p*f + 0.00012165712983159749
	p = p*f - 0.00024098529479656076
	p = p*f + 0.0004903901065750483
	p = p*f - 0.0009195695929876056
	p = p*f + 0.002103933244462666
	p = p*f - 0.002852646062936839
	p = p*f + 0.011154045721153633
	p = p*f - 0.0002669820612849054
	p = p*f + 0.07424901075347082
	p = p*f + 0.0815769192469817
	p = p*f + 0.41184033042643986
	p = p*f + 0.4227843350984676
	return 1 + f*p
}

// shifted brings x from 0 to 12 by whole steps to 2 + f, from least to 5/2 where x
// is from 1/2 on. down is the product of the numbers from 2 + f to x - 1, up that
// from x to 1 + f: one of the two is 1.
func shifted(x, least float64) (f, down, up float64) {
	down, up = 1, 1
	if x < 0.5 {
		up = x * (1 + x)
		return x, down, up
	}
	if x < least {
		return x - 1, down, x
	}
	for x > 2.5 {
		x--
		down *= x
	}
	return x - 2, down, up
}

// TgammaF64 is the gamma function of a float64.
func TgammaF64(x float64) float64 {
	a := math.Abs(x)
	y := nan64()
	if a < 12 {
		f, down, up := shifted(a, 1.5)
		y = gammaNear(f) * down / up
		if x < 0 {
			y = -math.Pi / (a * sinPi(a) * y)
			if odd(a) {
				y = -y
			}
		}
	}
	if a >= 12 {
		y = gammaFar(x)
	}
	if a < 0x1p-60 {
		y = 1 / x
	}
	if x < 0 && math.Trunc(x) == x {
		y = nan64()
	}
	return y
}

// gammaFar is the gamma function for |x| >= 12.
func gammaFar(x float64) float64 {
	a := math.Abs(x)
	if a > 200 {
		a = 200 // it overflows, or underflows
	}
	// by Stirling's series
	hi, lo := logarithm(math.Float64bits(a))
	h, l := times(hi, lo, a-0.5)
	h, e := sum(h, -a)
	h, d := sum(h, halfLog2Pi)
	l += e + (d + halfLog2PiLo) + stirling(a)
	h, l = fastSum(h, l)
	if x < 0 {
		h, l = -h, -l
	}
	hi, lo, n := exponential(h, l)
	y := hi + lo
	if x < 0 { // Gamma(x) Gamma(-x) = -pi / (x sin(pi x))
		b := math.Abs(x)
		y *= math.Pi / (a * sinPi(b))
		if !odd(b) {
			y = -y
		}
	}
	y = scale64(y, n)
	return y
}

// LgammaF64 is the logarithm of the absolute value of a float64's gamma function.
func LgammaF64(x float64) float64 {
	a := math.Abs(x)
	y := lgammaNear(a)
	if a >= 8 {
		l := LogF64(a)
		y = (a-0.5)*(l-1) + (halfLog2Pi - 0.5 + stirling(a))
		if a > 0x1p60 {
			y = a * (l - 1)
		}
	}
	if x < 0 {
		s := sinPi(a)
		// log(pi / (a sin(pi a))) - log(Gamma(a))
		y = LogF64(math.Pi/(a*s)) - y
		if s == 0 {
			y = infinity64()
		}
	}
	if a < 0x1p-60 {
		y = -LogF64(a)
	}
	if x != x {
		y = x
	}
	if a > math.MaxFloat64 {
		y = a
	}
	return y
}

// lgammaNear is the logarithm of Gamma(a) for a from 0 to 8.
func lgammaNear(a float64) float64 {
	if !(a < 8) {
		a = 8
	}
	f, down, up := shifted(a, 1.2)
	p := 3.757742833479404e-08
	p = p*f + 7.08993314846725e-08
	p = p*f + 3.9378344271472075e-08
	p = p*f - 9.1032772489176e-08
	p = p*f - 1.737931101410035e-08
	p = p*f - 8.517837646730802e-08
	p = p*f + 2.506352613633155e-07
	p = p*f - 4.4447684003795326e-07
	p = p*f + 9.436544753220144e-07
	p = p*f - 2.0426340316215266e-06
	p = p*f + 4.376818718252878e-06
	p = p*f - 9.438642371650313e-06
	p = p*f + 2.050702103638834e-05
	p = p*f - 4.492635028606507e-05
	p = p*f + 9.945752285940759e-05
	p = p*f - 0.0002231547496211832
	p = p*f + 0.0005096695245411365
	p = p*f - 0.0011927539120904778
	p = p*f + 0.0028905103307386654
	p = p*f - 0.007385551028665399
	p = p*f + 0.02058080842778469
	p = p*f - 0.06735230105319817
	p = p*f + 0.3224670334241132
	p = p*f + 0.42278433509846713
	l := LogF64(down * up)
	if up != 1 {
		l = -l
	}
	return f*p + l
}
