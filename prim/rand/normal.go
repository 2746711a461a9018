package rand

import "heddle/dsl"

// NormPair32 returns two independent numbers of the standard normal distribution, by the transform of Box
// and Muller: sqrt(-2 ln u) times sine and cosine of a random angle. It draws two words: u is (w+1/2)/2^32
// of the first, the angle w/2^32 turns of the second. No number is beyond 6.77; each is within 1e-6 of the exact transform.
func NormPair32[P Source](g P) (x, y float32) {
	u := g.Uint32()
	s, c := turn32(g.Uint32())
	r := dsl.SqrtRn(mul(-2, logUnit32(u)))
	return mul(r, s), mul(r, c)
}

// NormPair64 returns two independent numbers of the standard normal distribution. It draws four words, as two numbers of 64 bits,
// and does with them what NormPair32 does. No number is beyond 9.5.
func NormPair64[P Source](g P) (x, y float64) {
	u := g.Uint64()
	s, c := turn64(g.Uint64())
	r := dsl.SqrtRn(mul(-2, logUnit64(u)))
	return mul(r, s), mul(r, c)
}

// NormFloat32 returns a number of the standard normal distribution: the first of NormPair32, which
// costs the same. It draws two words.
func NormFloat32[P Source](g P) float32 {
	x, _ := NormPair32(g)
	return x
}

// NormFloat64 returns a number of the standard normal distribution: the first of NormPair64, which
// costs the same. It draws four words.
func NormFloat64[P Source](g P) float64 {
	x, _ := NormPair64(g)
	return x
}

// ExpFloat32 returns a number of the exponential distribution of mean 1: -ln u of one word's
// u, which is (w+1/2)/2^32: from 1.1e-10 to 22.9.
func ExpFloat32[P Source](g P) float32 { return -logUnit32(g.Uint32()) }

// ExpFloat64 returns a number of the exponential distribution of mean 1: -ln u of two words'
// u, which is (w+1/2)/2^64: from 2.7e-20 to 45.1.
func ExpFloat64[P Source](g P) float64 { return -logUnit64(g.Uint64()) }

// LogNormFloat32 returns e to the power of a normal number of the given mean and standard deviation. It draws two words.
func LogNormFloat32[P Source](g P, mean, stddev float32) float32 {
	return exp32(fma(NormFloat32(g), stddev, mean))
}

// LogNormFloat64 returns e to the power of a normal number of the given mean and standard deviation. It draws four words.
func LogNormFloat64[P Source](g P, mean, stddev float64) float64 {
	return exp64(fma(NormFloat64(g), stddev, mean))
}

// quantile64 is the quantile of the standard normal distribution at (w + 1/2) / 2^64, within 1e-15 of it or so (Wichura,
// Algorithm AS 241, 1988, PPND16).
func quantile64(w uint64) float64 {
	q := fma(float64(int64(w^1<<63)), 0x1p-64, 0x1p-65)
	if q <= 0.425 && q >= -0.425 {
		r := fma(-q, q, 0.180625)
		return mul(q, dsl.DivRn(
			fma(fma(fma(fma(fma(fma(fma(2509.0809287301226727, r, 33430.575583588128105), r, 67265.770927008700853), r, 45921.953931549871457), r, 13731.693765509461125), r, 1971.5909503065514427), r, 133.14166789178437745), r, 3.387132872796366608),
			fma(fma(fma(fma(fma(fma(fma(5226.495278852545925, r, 28729.085735721942674), r, 39307.89580009271061), r, 21213.794301586595867), r, 5394.1960214247511077), r, 687.1870074920579083), r, 42.313330701600911252), r, 1)))
	}
	r := dsl.SqrtRn(-logUnit64(min(w, ^w)))
	var x float64
	if r <= 5 {
		r = sub(r, 1.6)
		x = dsl.DivRn(
			fma(fma(fma(fma(fma(fma(fma(7.7454501427834140764e-4, r, .0227238449892691845833), r, .24178072517745061177), r, 1.27045825245236838258), r, 3.64784832476320460504), r, 5.7694972214606914055), r, 4.6303378461565452959), r, 1.42343711074968357734),
			fma(fma(fma(fma(fma(fma(fma(1.05075007164441684324e-9, r, 5.475938084995344946e-4), r, .0151986665636164571966), r, .14810397642748007459), r, .68976733498510000455), r, 1.6763848301838038494), r, 2.05319162663775882187), r, 1))
	} else {
		r = sub(r, 5)
		x = dsl.DivRn(
			fma(fma(fma(fma(fma(fma(fma(2.01033439929228813265e-7, r, 2.71155556874348757815e-5), r, .0012426609473880784386), r, .026532189526576123093), r, .29656057182850489123), r, 1.7848265399172913358), r, 5.4637849111641143699), r, 6.6579046435011037772),
			fma(fma(fma(fma(fma(fma(fma(2.04426310338993978564e-15, r, 1.4215117583164458887e-7), r, 1.8463183175100546818e-5), r, 7.868691311456132591e-4), r, .0148753612908506148525), r, .13692988092273580531), r, .59983220655588793769), r, 1))
	}
	if q < 0 {
		return -x
	}
	return x
}

// quantile32 is the quantile of the standard normal distribution at (w + 1/2) / 2^32, within 1e-6 of it or so (PPND7).
func quantile32(w uint32) float32 {
	q := fma(float32(int32(w^1<<31)), 0x1p-32, 0x1p-33)
	if q <= 0.425 && q >= -0.425 {
		r := fma(-q, q, 0.180625)
		return mul(q, dsl.DivRn(
			fma(fma(fma(59.109374720, r, 159.29113202), r, 50.434271938), r, 3.3871327179),
			fma(fma(fma(67.187563600, r, 78.757757664), r, 17.895169469), r, 1)))
	}
	r := dsl.SqrtRn(-logUnit32(min(w, ^w)))
	r = sub(r, 1.6) // at most 3.2: PPND7 has another form above 3.4
	x := dsl.DivRn(
		fma(fma(fma(0.17023821103, r, 1.3067284816), r, 2.7568153900), r, 1.4234372777),
		fma(fma(0.12021132975, r, 0.73700164250), r, 1))
	if q < 0 {
		return -x
	}
	return x
}
