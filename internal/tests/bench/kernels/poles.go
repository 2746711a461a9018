package kernels

import (
	"math"

	"heddle/dsl"
)

// A Pole of a nuclide's cross-sections.
type Pole struct {
	EA, RT, RA, RF complex128
	L              int16
}

// A Window of energies, and the poles in it.
type Window struct {
	T, A, F    float64
	Start, End int32
}

func quotient(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	denom := c*c + d*d
	return complex((a*c+b*d)/denom, (b*c-a*d)/denom)
}

func fastExp(x float64) float64 {
	x = 1 + x*0.000244140625
	for range 12 {
		x *= x
	}
	return x
}

func fastCexp(z complex128) complex128 {
	e := fastExp(real(z))
	return complex(e, 0) * complex(math.Cos(imag(z)), math.Sin(imag(z)))
}

// faddeeva is the Faddeeva function, fast.
func faddeeva(z complex128) complex128 {
	if math.Sqrt(real(z)*real(z)+imag(z)*imag(z)) < 6 {
		an := [10]float64{
			2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02,
			2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04,
		}
		sign := [10]float64{-1, 1, -1, 1, -1, 1, -1, 1, -1, 1}
		left := [10]float64{
			9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02,
			3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02,
		}
		w := quotient(1i*(1-fastCexp(12i*z)), 12*z)
		var sum complex128
		for n := range 10 {
			top := complex(sign[n], 0)*fastCexp(12i*z) - 1
			bottom := complex(left[n], 0) - 144*(z*z)
			sum += complex(an[n], 0) * quotient(top, bottom)
		}
		return w + 81.24330i*(z*sum)
	}
	const (
		a = 0.512424224754768462984202823134979415014943561548661637413182
		b = 0.275255128608410950901357962647054304017026259671664935783653
		c = 0.051765358792987823963876628425793170829107067780337219430904
		d = 2.724744871391589049098642037352945695982973740328335064216346
	)
	z2 := z * z
	return z * 1i * (quotient(a, z2-b) + quotient(c, z2-d))
}

const Angular = 4

// RSPoles works out the cross-sections of materials at energies from the poles of their
// nuclides (RSBench).
func RSPoles(nuclides, maxWindows, maxPoles int, energies []float64, material, counts, members []int32, share []float64,
	windowsOf []int32, k0rs []float64, windows []Window, poles []Pole, out [][4]float64) {
	i := dsl.GlobalIdx().X
	if i >= len(energies) {
		return
	}
	e := energies[i]
	mat := int(material[i])
	var macro [4]float64
	for j := range int(counts[mat]) {
		nuc := int(members[mat*nuclides+j])
		spacing := 1 / float64(windowsOf[nuc])
		window := int(e / spacing)
		if window == int(windowsOf[nuc]) {
			window--
		}
		var factors [Angular]complex128
		for l := range Angular {
			phi := k0rs[nuc*Angular+l] * math.Sqrt(e)
			switch l {
			case 1:
				phi -= -math.Atan(phi)
			case 2:
				phi -= math.Atan(3 * phi / (3 - phi*phi))
			case 3:
				phi -= math.Atan(phi * (15 - phi*phi) / (15 - 6*phi*phi))
			}
			phi *= 2
			factors[l] = complex(math.Cos(phi), -math.Sin(phi))
		}
		w := windows[nuc*maxWindows+window]
		t, a, f := e*w.T, e*w.A, e*w.F
		for k := w.Start; k < w.End; k++ {
			pole := poles[nuc*maxPoles+int(k)]
			z := (complex(e, 0) - pole.EA) * 0.5
			fad := faddeeva(z)
			t += real(pole.RT * (fad * factors[pole.L]))
			a += real(pole.RA * fad)
			f += real(pole.RF * fad)
		}
		micro := [4]float64{t, a, f, t - a}
		for k := range macro {
			macro[k] += micro[k] * share[mat*nuclides+j]
		}
	}
	out[i] = macro
}
