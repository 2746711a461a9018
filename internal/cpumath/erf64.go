package cpumath

import "math"

// complement is erfc(x) for x from 0 to 28.
func complement(x float64) float64 {
	// exp(x^2) erfc(x) (1 + 2 x) is smooth in t
	t := (x - 4) / (x + 4)
	p := 1.0387974938814651e-10
	p = p*t - 8.153487290044584e-09
	p = p*t - 8.27824913941115e-09
	p = p*t + 1.0073106358379779e-07
	p = p*t + 5.527571534432834e-08
	p = p*t - 8.190686198601331e-07
	p = p*t + 3.1407706988926185e-07
	p = p*t + 5.708428851638205e-06
	p = p*t - 1.1234658834856257e-05
	p = p*t - 2.4400021054899476e-05
	p = p*t + 0.00015062661688935896
	p = p*t - 0.00019925607218772203
	p = p*t - 0.0007577745164603463
	p = p*t + 0.005031969795073118
	p = p*t - 0.016197733868130806
	p = p*t + 0.03716751556509542
	p = p*t - 0.06633036582936364
	p = p*t + 0.09373283499623604
	p = p*t - 0.10103906603550321
	p = p*t + 0.068097054254763
	p = p*t + 0.015379652102604986
	p = p*t - 0.13962111684056316
	p = p*t + 1.2329951186255526
	h, l := product(x, x)
	hi, lo, n := exponential(-h, -l)
	return scale64((hi+lo)*(p/(1+2*x)), n)
}

// erfNear is erf(x) - x for |x| <= 1.
func erfNear(x float64) float64 {
	z := x * x
	p := -7.592412741660403e-10
	p = p*z + 1.3609332059159131e-08
	p = p*z - 1.6182495585500983e-07
	p = p*z + 1.6443982652558275e-06
	p = p*z - 1.4924454249964884e-05
	p = p*z + 0.00012055280018094712
	p = p*z - 0.0008548325472741067
	p = p*z + 0.005223977596555216
	p = p*z - 0.026866170641945686
	p = p*z + 0.11283791670936914
	p = p*z - 0.37612638903183343
	p = p*z + 0.12837916709551256
	return x * p
}

// ErfF64 is the error function of a float64.
func ErfF64(x float64) float64 {
	a := math.Abs(x)
	y := a + erfNear(a)
	if a >= 1 {
		if a > 6 {
			a = 6 // where it is 1 already
		}
		y = 1 - complement(a)
	}
	return signed64(y, x)
}

// ErfcF64 is 1 - erf(x) of a float64.
func ErfcF64(x float64) float64 {
	a := math.Abs(x)
	y := 1 - (x + erfNear(x))
	if a >= 0.5 {
		if a > 28 {
			a = 28 // where it is 0 already
		}
		y = complement(a)
		if x < 0 {
			y = 2 - y
		}
	}
	return y
}
