package rand

import (
	"math"

	"heddle/launch"
)

// Word is a type of whole words.
type Word interface{ uint32 | uint64 }

// Bits fills out with the words of g: of a Buffer[uint32] one an element, of a Buffer[uint64] two
// (curandGenerate, curandGenerateLongLong; rocrand_generate).
func Bits[T Word, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P) error {
	return fillWith(`Bits`, s, out, g, raw[T, P]{})
}

type raw[T Word, P Source] struct{}

func (raw[T, P]) words() int { return sizeWords[T]() }

func (raw[T, P]) draw(g P) (x, y T) {
	if sizeWords[T]() == 1 {
		x, y = T(g.Uint32()), T(g.Uint32())
	} else {
		x, y = T(g.Uint64()), T(g.Uint64())
	}
	return x, y
}

// sizeWords is how many words T has: whether a number of 33 bits is one.
func sizeWords[T Word | Float]() int {
	if x := T(1 << 31); x+x == 0 || x+1 == x {
		return 1
	}
	return 2
}

// Uniform fills out with numbers in [0, 1): Float32 or Float64 of g, one or two words an element
// (curandGenerateUniform and rocrand_generate_uniform, whose interval is (0, 1]).
func Uniform[T Float, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P) error {
	return fillWith("Uniform", s, out, g, uniform[T, P]{})
}

// UniformRange fills out with numbers in [lo, hi): lo + (hi-lo)*u of Uniform's u, rounded once, and the number below hi where
// that rounds to hi. hi must be above lo, and hi - lo a number.
func UniformRange[T Float, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P, lo, hi T) error {
	switch size := hi - lo; {
	case lo != lo || hi != hi:
		return wrong("UniformRange", "lo, hi", "are %v, %v: want numbers", lo, hi)
	case !(lo < hi):
		return wrong("UniformRange", "lo", "is %v, not below hi, which is %v", lo, hi)
	case size-size != 0:
		return wrong("UniformRange", "lo, hi", "are %v, %v: hi - lo is no finite number", lo, hi)
	default:
		return fillWith("UniformRange", s, out, g, uniformRange[T, P]{uniform[T, P]{}, lo, size, below(hi)})
	}
}

// below is the largest number below x.
func below[T Float](x T) T {
	if sizeWords[T]() == 1 {
		return T(math.Nextafter32(float32(x), float32(math.Inf(-1))))
	}
	return T(math.Nextafter(float64(x), math.Inf(-1)))
}

type uniform[T Float, P Source] struct{}

func (uniform[T, P]) words() int { return sizeWords[T]() }

func (uniform[T, P]) draw(g P) (x, y T) {
	if sizeWords[T]() == 1 {
		x, y = T(Float32(g)), T(Float32(g))
	} else {
		x, y = T(Float64(g)), T(Float64(g))
	}
	return x, y
}

type uniformRange[T Float, P Source] struct {
	uniform        uniform[T, P]
	Lo, Size, Most T
}

func (uniformRange[T, P]) words() int { return sizeWords[T]() }

func (d uniformRange[T, P]) draw(g P) (T, T) {
	x, y := d.uniform.draw(g)
	return min(fma(x, d.Size, d.Lo), d.Most), min(fma(y, d.Size, d.Lo), d.Most)
}

// Normal fills out with numbers of the normal distribution of a mean and a standard deviation, which is not negative: pairs of
// NormPair32 or NormPair64, one or two words an element. An odd length leaves out the second number of its
// last pair, and g moves over both (curandGenerateNormal, which refuses odd lengths).
func Normal[T Float, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P, mean, stddev T) error {
	if err := deviation("Normal", mean, stddev); err != nil {
		return err
	}
	return fillWith("Normal", s, out, g, normal[T, P]{mean, stddev})
}

func deviation[T Float](name string, mean, stddev T) error {
	switch {
	case mean-mean != 0:
		return wrong(name, "mean", "is %v: want a finite number", mean)
	case !(stddev >= 0) || stddev-stddev != 0:
		return wrong(name, "stddev", "is %v: want a finite number that is not negative", stddev)
	}
	return nil
}

type normal[T Float, P Source] struct{ Mean, Stddev T }

func (normal[T, P]) words() int { return sizeWords[T]() }
func (normal[T, P]) pairs()     {}

func (d normal[T, P]) draw(g P) (x, y T) {
	if sizeWords[T]() == 1 {
		a, b := NormPair32(g)
		x, y = T(a), T(b)
	} else {
		a, b := NormPair64(g)
		x, y = T(a), T(b)
	}
	return fma(x, d.Stddev, d.Mean), fma(y, d.Stddev, d.Mean)
}

// LogNormal fills out with e to the power of the numbers of Normal with the same arguments: mean and stddev are those of the
// logarithm (curandGenerateLogNormal).
func LogNormal[T Float, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P, mean, stddev T) error {
	if err := deviation("LogNormal", mean, stddev); err != nil {
		return err
	}
	return fillWith("LogNormal", s, out, g, logNormal[T, P]{normal[T, P]{mean, stddev}})
}

type logNormal[T Float, P Source] struct{ Normal normal[T, P] }

func (logNormal[T, P]) words() int { return sizeWords[T]() }
func (logNormal[T, P]) pairs()     {}

func (d logNormal[T, P]) draw(g P) (T, T) {
	x, y := d.Normal.draw(g)
	if sizeWords[T]() == 1 {
		return T(exp32(float32(x))), T(exp32(float32(y)))
	}
	return T(exp64(float64(x))), T(exp64(float64(y)))
}

// Exponential fills out with numbers of the exponential distribution of a mean, which is not negative: ExpFloat32 or
// ExpFloat64 of g times mean, one or two words an element.
func Exponential[T Float, S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[T], g P, mean T) error {
	if !(mean >= 0) || mean-mean != 0 {
		return wrong("Exponential", "mean", "is %v: want a finite number that is not negative", mean)
	}
	return fillWith("Exponential", s, out, g, exponential[T, P]{mean})
}

type exponential[T Float, P Source] struct{ Mean T }

func (exponential[T, P]) words() int { return sizeWords[T]() }

func (d exponential[T, P]) draw(g P) (x, y T) {
	if sizeWords[T]() == 1 {
		x, y = T(ExpFloat32(g)), T(ExpFloat32(g))
	} else {
		x, y = T(ExpFloat64(g)), T(ExpFloat64(g))
	}
	return mul(x, d.Mean), mul(y, d.Mean)
}

// Bools fills out with true with probability p, to within 2^-32: Bool of g, one word an element.
func Bools[S any, P Engine[S]](s *launch.Stream, out *launch.Buffer[bool], g P, p float64) error {
	if !(p >= 0 && p <= 1) {
		return wrong("Bools", "p", "is %v: want a probability, from 0 to 1", p)
	}
	return fillWith("Bools", s, out, g, bools[P]{chance(p)})
}

type bools[P Source] struct{ Below uint64 }

func (bools[P]) words() int { return 1 }

func (d bools[P]) draw(g P) (x, y bool) {
	return uint64(g.Uint32()) < d.Below, uint64(g.Uint32()) < d.Below
}
