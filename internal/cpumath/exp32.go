package cpumath

import "math"

const (
	log2e32 = 1.44269504
	// ln2Hi32 has 9 bits: its products with whole numbers below 2^15 are exact.
	ln2Hi32, ln2Lo32 = 0.693359375, -2.12194440e-4
)

// reduceExp32 splits x into n ln 2 + r with |r| <= ln 2 / 2; the lowest bits of t are n.
func reduceExp32(x float32) (r, t float32) {
	t = x*log2e32 + round32
	n := t - round32
	return (x - n*ln2Hi32) - n*ln2Lo32, t
}

// exponential32 is exp(r) for |r| <= ln 2 / 2.
func exponential32(r float32) float32 {
	p := float32(0.00138144463)
	p = p*r + 0.00836877711
	p = p*r + 0.0416683964
	p = p*r + 0.166665196
	p = p*r + 0.49999994
	return 1 + (r + r*r*p)
}

// exp32 is exp(x) where it is normal.
func exp32(x float32) float32 {
	r, t := reduceExp32(x)
	return addExponent32(exponential32(r), t)
}

// addExponent32 is y 2^n, where the lowest bits of t are n and the result is normal.
func addExponent32(y, t float32) float32 {
	return math.Float32frombits(math.Float32bits(y) + math.Float32bits(t)<<23)
}

// wholePart32 is the integer in the lowest bits of t.
func wholePart32(t float32) int32 { return int32(math.Float32bits(t) - 0x4b400000) }

// ExpF32 is exp of a float32.
func ExpF32(x float32) float32 {
	r, t := reduceExp32(x)
	p := exponential32(r)
	y := addExponent32(p, t)
	if !(abs32(x) <= 87) {
		y = edge32(p, t, x, -104, 89)
	}
	return y
}

// edge32 is p 2^n, where the lowest bits of t are n; 0 for x below low, and an
// infinity above high.
func edge32(p, t, x, low, high float32) float32 {
	y := scale32(p, wholePart32(t))
	if x < low {
		y = 0
	}
	if x > high {
		y = infinity32()
	}
	return y
}

// power2of32 is 2^f for |f| <= 1/2.
func power2of32(f float32) float32 {
	p := float32(0.00015594752)
	p = p*f + 0.00134067785
	p = p*f + 0.00961769279
	p = p*f + 0.0555031002
	p = p*f + 0.240226522
	p = p*f + 0.193147182
	return 1 + (0.5*f + f*p)
}

// Exp2F32 is 2^x of a float32.
func Exp2F32(x float32) float32 {
	t := x + round32
	p := power2of32(x - (t - round32))
	y := addExponent32(p, t)
	if !(abs32(x) <= 126) {
		y = edge32(p, t, x, -151, 128.5)
	}
	return y
}

// Exp10F32 is 10^x of a float32.
func Exp10F32(x float32) float32 {
	const hi, lo = 0.301025390625, 4.60503907e-6 // log10 2; hi has 12 bits
	t := x*3.32192802 + round32
	n := t - round32
	r := (x - n*hi) - n*lo
	p := float32(0.209565535)
	p = p*r + 0.542344928
	p = p*r + 1.17120194
	p = p*r + 2.03464174
	p = p*r + 2.65094924
	p = p*r + 0.30258509
	p = 1 + (2*r + r*p)
	y := addExponent32(p, t)
	if !(abs32(x) <= 37.5) {
		y = edge32(p, t, x, -46, 39)
	}
	return y
}

// Expm1F32 is exp(x) - 1 of a float32.
func Expm1F32(x float32) float32 {
	a := x
	if a < -30 {
		a = -30
	}
	if a > 89 {
		a = 89
	}
	r, t := reduceExp32(a)
	p := float32(0.00138144463)
	p = p*r + 0.00836877711
	p = p*r + 0.0416683964
	p = p*r + 0.166665196
	p = p*r + 0.49999994
	p = r * r * p
	// exp(a) - 1 = 2^n ((1 - 2^-n) + r + p), the first sum without error
	n := wholePart32(t)
	m := n
	if m > 126 {
		m = 126
	}
	d := 1 - power32(-m)
	s := d + r
	y := scale32(s+((r-(s-d))+p), n)
	if x > 88.8 {
		y = infinity32()
	}
	if x == 0 || x != x {
		y = x
	}
	return y
}
