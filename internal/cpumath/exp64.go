package cpumath

import "math"

const (
	log2e64 = 1.4426950408889634
	// ln2Hi64 has 41 bits: its products with whole numbers below 2^12 are exact.
	ln2Hi64, ln2Lo64 = 0.693147180559663, 2.8235290563031577e-13
)

// reduceExp64 splits x into n ln 2 + hi - lo, at most ln 2 / 2; the lowest bits of
// t are n. hi is exact.
func reduceExp64(x float64) (hi, lo, t float64) {
	t = x*log2e64 + round64
	n := t - round64
	return x - n*ln2Hi64, n * ln2Lo64, t
}

// tail64 is exp(r) - 1 - r for |r| <= ln 2 / 2.
func tail64(r float64) float64 {
	p := 2.4518764152815696e-08
	p = p*r + 2.763273015792479e-07
	p = p*r + 2.7559096142729798e-06
	p = p*r + 2.4801486962073474e-05
	p = p*r + 0.00019841267842685714
	p = p*r + 0.0013888888948492897
	p = p*r + 0.008333333334240795
	p = p*r + 0.04166666666651736
	p = p*r + 0.16666666666665306
	p = p*r + 0.5000000000000011
	return r * r * p
}

// addExponent64 is y 2^n, where the lowest bits of t are n and the result is normal.
func addExponent64(y, t float64) float64 {
	return math.Float64frombits(math.Float64bits(y) + math.Float64bits(t)<<52)
}

// wholePart64 is the integer in the lowest bits of t.
func wholePart64(t float64) int32 { return int32(uint32(math.Float64bits(t))) }

// edge64 is p 2^n, where the lowest bits of t are n; 0 for x below low, and an
// infinity above high.
func edge64(p, t, x, low, high float64) float64 {
	if !(x >= low && x <= high) {
		t = round64
	}
	y := scale64(p, wholePart64(t))
	if x < low {
		y = 0
	}
	if x > high {
		y = infinity64()
	}
	return y
}

// ExpF64 is exp of a float64.
func ExpF64(x float64) float64 {
	hi, lo, t := reduceExp64(x)
	p := 1 + (hi + (tail64(hi-lo) - lo))
	y := addExponent64(p, t)
	if !(math.Abs(x) <= 708) {
		y = edge64(p, t, x, -746, 710)
	}
	return y
}

// exponential is exp(a + b) = (hi + lo) 2^n for |a| <= 800 and a small b, with
// hi from 0.7 to 1.5. It is good to 10 bits more than float64.
func exponential(a, b float64) (hi, lo float64, n int32) {
	h, l, t := reduceExp64(a)
	r, e := fastSum(h, b-l)
	s, d := fastSum(1, r)
	hi, lo = fastSum(s, d+(tail64(r)+e*(1+r)))
	return hi, lo, wholePart64(t)
}

// Exp2F64 is 2^x of a float64.
func Exp2F64(x float64) float64 {
	t := x + round64
	f := x - (t - round64)
	p := 2.854835077660492e-11
	p = p*f + 4.474183613342094e-10
	p = p*f + 7.0530297849663554e-09
	p = p*f + 1.0177928145500477e-07
	p = p*f + 1.3215491221596779e-06
	p = p*f + 1.5252734173324742e-05
	p = p*f + 0.00015403530388939811
	p = p*f + 0.0013333558146029613
	p = p*f + 0.009618129107630222
	p = p*f + 0.05550410866482339
	p = p*f + 0.2402265069591007
	p = 1 + (0.5*f + (0.1931471805599453*f + f*f*p))
	y := addExponent64(p, t)
	if !(math.Abs(x) <= 1022) {
		y = edge64(p, t, x, -1080, 1024.5)
	}
	return y
}

// Exp10F64 is 10^x of a float64.
func Exp10F64(x float64) float64 {
	const hi, lo = 0.30102999566383914, 1.42050232272661e-13 // log10 2; hi has 41 bits
	t := x*3.321928094887362 + round64
	n := t - round64
	h, l := x-n*hi, n*lo
	r := h - l
	p := 2.8066757464348293e-05
	p = p*r + 0.0002398230116524284
	p = p*r + 0.0011556134876371995
	p = p*r + 0.005014069196659498
	p = p*r + 0.01959767051344199
	p = p*r + 0.06808936157220816
	p = p*r + 0.20699584891729522
	p = p*r + 0.5393829292335388
	p = p*r + 1.1712551489114988
	p = p*r + 2.034678592293306
	p = p*r + 2.6509490552391997
	p = 1 + (2*h + ((0.302585092994046*h + r*r*p) - 2.302585092994046*l))
	y := addExponent64(p, t)
	if !(math.Abs(x) <= 307) {
		y = edge64(p, t, x, -324, 309)
	}
	return y
}

// Expm1F64 is exp(x) - 1 of a float64.
func Expm1F64(x float64) float64 {
	a := x
	if a < -60 {
		a = -60
	}
	if a > 710 {
		a = 710
	}
	hi, lo, t := reduceExp64(a)
	p := tail64(hi-lo) - lo
	// exp(a) - 1 = 2^n ((1 - 2^-n) + hi + p), the first sum without error
	n := wholePart64(t)
	m := n
	if m > 1000 {
		m = 1000
	}
	d := 1 - power64(-m)
	s, e := fastSum(d, hi)
	y := scale64(s+(e+p), n)
	if x > 709.8 {
		y = infinity64()
	}
	if x == 0 || x != x {
		y = x
	}
	return y
}
