package rand

import (
	"math"

	"heddle/dsl"
	"heddle/launch"
)

const maxLambda = 1 << 31

// PoissonUint32 returns a number of the Poisson distribution of mean lambda. Below 10 it inverts the
// distribution function, with two words. From 10 on it is Hörmann's PTRS (The Transformed Rejection Method
// for Generating Poisson Random Variables, 1993), with four words, and four more for each rejection: 0.1 to 0.3 of
// them a number. It gives 0 where lambda is not above 0, or a NaN, and takes lambda above 2^31 for 2^31. In a fill, take [Poisson].
func PoissonUint32[P Source](g P, lambda float64) uint32 {
	if !(lambda > 0) {
		return 0
	}
	if lambda < 10 {
		return smallPoisson(g, lambda)
	}
	return largePoisson(g, min(lambda, maxLambda))
}

func smallPoisson[P Source](g P, lambda float64) uint32 {
	u := Float64(g)
	p := exp64(-lambda)
	sum, k := p, uint32(0)
	for u >= sum && k < 100 { // the rest, of less than 2^-53, is one number's
		k++
		p = dsl.DivRn(mul(p, lambda), float64(k))
		sum = add(sum, p)
	}
	return k
}

func largePoisson[P Source](g P, lambda float64) uint32 {
	log := log64(lambda)
	b := fma(2.53, dsl.SqrtRn(lambda), 0.931)
	a := fma(0.02483, b, -0.059)
	inverse := add(1.1239, dsl.DivRn(1.1328, sub(b, 3.4)))
	r := sub(0.9277, dsl.DivRn(3.6224, sub(b, 2)))
	for {
		u := sub(Float64(g), 0.5)
		v := sub(1, Float64(g))
		us := sub(0.5, max(u, -u))
		k := dsl.Floor(fma(add(dsl.DivRn(mul(2, a), us), b), u, add(lambda, 0.43)))
		if us >= 0.07 && v <= r {
			return uint32(k)
		}
		if k < 0 || us < 0.013 && v > us || !(us > 0) || k > math.MaxUint32 {
			continue
		}
		accept := sub(add(log64(v), log64(inverse)), log64(add(dsl.DivRn(a, mul(us, us)), b)))
		if accept <= sub(fma(k, log, -lambda), logFactorial(k)) {
			return uint32(k)
		}
	}
}

// logFactorial is the logarithm of k!, within 1e-13 of it or so: Stirling's series, with the first terms from a product.
func logFactorial(k float64) float64 {
	p := 1.0
	for k < 10 {
		k++
		p = mul(p, k)
	}
	i := dsl.DivRn(1, k)
	z := mul(i, i)
	s := fma(fma(fma(fma(-1.0/1680, z, 1.0/1260), z, -1.0/360), z, 1.0/12), i, 0.91893853320467274178)
	return sub(add(fma(add(k, 0.5), log64(k), -k), s), log64(p))
}

// Poisson fills out with numbers of the Poisson distribution of mean lambda, which is above 0 and at most 2^31
// (curandGeneratePoisson). It inverts the distribution function: an element is how many of a table's numbers are not
// above two words of g. The table is made on the host, has about 20*sqrt(lambda)+20 numbers of 64 bits, and is copied for each call.
func Poisson[S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[uint32], g P, lambda float64) error {
	if err := present("Poisson", s, out, g); err != nil {
		return err
	}
	if !(lambda > 0 && lambda <= maxLambda) {
		return wrong("Poisson", "lambda", "is %v: want a mean above 0 and at most 2^31", lambda)
	}
	first, table := poissonTable(lambda)
	below, err := launch.AllocAsync[uint64](s, len(table))
	if err != nil {
		return err
	}
	if err := below.UploadAsync(s, table); err != nil {
		below.Close()
		return err
	}
	err = fillWith("Poisson", s, out, g, poisson[P]{below.Device(), first})
	if closed := below.CloseAsync(s); err == nil {
		err = closed
	}
	return err
}

type poisson[P Source] struct {
	Below []uint64
	First uint32
}

func (poisson[P]) words() int { return 2 }

func (d poisson[P]) draw(g P) (x, y uint32) { return d.one(g), d.one(g) }

func (d poisson[P]) one(g P) uint32 { return d.First + uint32(search(d.Below, g.Uint64())) }

// search is how many of the sorted numbers of below are not above x.
//
//go:noinline
func search(below []uint64, x uint64) int {
	lo, hi := 0, len(below) // the answer is from lo to hi
	for lo < hi {
		if m := (lo + hi) / 2; below[m] <= x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// poissonTable is the distribution function of first, first+1, ... in units of 2^-64. Below first and above the last
// is less than one unit.
func poissonTable(lambda float64) (first uint32, table []uint64) {
	const least = 0x1p-80 // of the mode's probability
	mode := math.Floor(lambda)
	var down, up []float64 // the probabilities below and above the mode's, over the mode's
	for k, p := mode, 1.0; k > 0 && p > least; k-- {
		p = p * k / lambda
		down = append(down, p)
	}
	for k, p := mode+1, 1.0; p > least; k++ {
		p = p * lambda / k
		up = append(up, p)
	}
	sum := newSum(len(down) + 1 + len(up))
	for i := len(down) - 1; i >= 0; i-- {
		sum.add(down[i])
	}
	sum.add(1)
	for _, p := range up {
		sum.add(p)
	}
	return uint32(mode) - uint32(len(down)), sum.units()
}

// A running keeps sums of numbers, each with what its rounding lost.
type running struct {
	high, low []float64
	h, l      float64
}

func newSum(n int) *running {
	return &running{high: make([]float64, 0, n), low: make([]float64, 0, n)}
}

func (r *running) add(x float64) {
	h := r.h + x
	back := h - r.h
	r.l += (r.h - (h - back)) + (x - back)
	r.h = h
	r.high, r.low = append(r.high, r.h), append(r.low, r.l)
}

// units are the sums over the last one, in units of 2^-64, without those that are all.
func (r *running) units() []uint64 {
	out := make([]uint64, 0, len(r.high))
	for i, h := range r.high {
		rest := (r.h - h) + (r.l - r.low[i]) // above this one: small where the quotient would round to 1
		q := rest / r.h * 0x1p64
		if q < 1 {
			break
		}
		if q < 0x1p63 {
			out = append(out, -uint64(q))
		} else {
			out = append(out, uint64((h+r.low[i])/r.h*0x1p64))
		}
	}
	if len(out) == 0 { // no buffer has no elements
		out = append(out, math.MaxUint64)
	}
	return out
}
