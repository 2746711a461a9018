package conformance

import (
	"math"
	"reflect"
)

// truths are mathematical functions to full precision, by the name of the
// field that holds a result; y is nil for functions of one argument.
var truths = map[string]func(x, y bigFloat) bigFloat{
	"Sin":       func(x, _ bigFloat) bigFloat { s, _ := bigSincos(x); return s },
	"Cos":       func(x, _ bigFloat) bigFloat { _, c := bigSincos(x); return c },
	"SincosSin": func(x, _ bigFloat) bigFloat { s, _ := bigSincos(x); return s },
	"SincosCos": func(x, _ bigFloat) bigFloat { _, c := bigSincos(x); return c },
	"Tan":       func(x, _ bigFloat) bigFloat { return quo(bigSincos(x)) },
	"Asin":      func(x, _ bigFloat) bigFloat { return bigAsin(x) },
	"Acos":      func(x, _ bigFloat) bigFloat { return sub(scaled(pi(x.Prec()), -1), bigAsin(x)) },
	"Atan":      func(x, _ bigFloat) bigFloat { return bigAtan(x) },
	"Atan2":     bigAtan2,
	"Sinh":      func(x, _ bigFloat) bigFloat { s, _ := bigSinhcosh(x); return s },
	"Cosh":      func(x, _ bigFloat) bigFloat { _, c := bigSinhcosh(x); return c },
	"Tanh": func(x, _ bigFloat) bigFloat {
		if large(x) > 10 { // too near to 1 to tell, and e^x has no exponent
			return integer64(x.Prec(), int64(x.Sign()))
		}
		return quo(bigSinhcosh(x))
	},
	"Asinh": func(x, _ bigFloat) bigFloat {
		x = at(x, x.Prec()+2*tiny(x))
		a := newBig(x.Prec()).Abs(x)
		l := bigLog(add(a, sqrt(add(mul(a, a), one(x)))))
		if x.Sign() < 0 {
			l.Neg(l)
		}
		return l
	},
	"Acosh": func(x, _ bigFloat) bigFloat { return bigLog(add(x, sqrt(sub(mul(x, x), one(x))))) },
	"Atanh": func(x, _ bigFloat) bigFloat {
		x = at(x, x.Prec()+tiny(x))
		return scaled(bigLog(quo(add(one(x), x), sub(one(x), x))), -1)
	},
	"Exp":   func(x, _ bigFloat) bigFloat { return bigExp(x) },
	"Exp2":  func(x, _ bigFloat) bigFloat { return bigExp(mul(x, ln2(x.Prec()+large(x)))) },
	"Exp10": func(x, _ bigFloat) bigFloat { return bigExp(mul(x, ln10(x.Prec()+large(x)))) },
	"Expm1": func(x, _ bigFloat) bigFloat { return sub(bigExp(at(x, x.Prec()+tiny(x))), one(x)) },
	"Log":   func(x, _ bigFloat) bigFloat { return bigLog(x) },
	"Log2":  func(x, _ bigFloat) bigFloat { return quo(bigLog(x), ln2(x.Prec())) },
	"Log10": func(x, _ bigFloat) bigFloat { return quo(bigLog(x), ln10(x.Prec())) },
	"Log1p": func(x, _ bigFloat) bigFloat { x = at(x, x.Prec()+tiny(x)); return bigLog(add(one(x), x)) },
	"Erf": func(x, _ bigFloat) bigFloat {
		if large(x) > 3 { // nearer to 1 than a float64 can be
			return integer64(x.Prec(), int64(x.Sign()))
		}
		return bigErf(x)
	},
	"Erfc": func(x, _ bigFloat) bigFloat {
		f, _ := x.Float64()
		return sub(one(x), bigErf(at(x, x.Prec()+uint(min(2*f*f, 4000)))))
	},
	"Gamma":  func(x, _ bigFloat) bigFloat { return bigGamma(x, false) },
	"Lgamma": func(x, _ bigFloat) bigFloat { return bigGamma(x, true) },
	"Cbrt":   func(x, _ bigFloat) bigFloat { return bigCbrt(x) },
	"Rsqrt":  func(x, _ bigFloat) bigFloat { return quo(one(x), sqrt(x)) },
	"Hypot":  func(x, y bigFloat) bigFloat { return sqrt(add(mul(x, x), mul(y, y))) },
	"Pow": func(x, y bigFloat) bigFloat { // of |x|: the sign is the caller's to set
		return bigExp(mul(y, bigLog(newBig(x.Prec()).Abs(x))))
	},
}

func one(x bigFloat) bigFloat { return integer64(x.Prec(), 1) }

func ln10(prec uint) bigFloat { return bigLog(integer64(prec, 10)) }

func bigAsin(x bigFloat) bigFloat {
	rest := sub(one(x), mul(x, x))
	if rest.Sign() == 0 {
		half := scaled(pi(x.Prec()), -1)
		return mul(half, x)
	}
	return bigAtan(quo(x, sqrt(rest)))
}

// bigAtan2 takes y first, as math.Atan2 does, and neither may be 0.
func bigAtan2(y, x bigFloat) bigFloat {
	r := bigAtan(quo(y, x))
	switch {
	case x.Sign() > 0:
		return r
	case y.Sign() < 0:
		return sub(r, pi(x.Prec()))
	}
	return add(r, pi(x.Prec()))
}

func bigSinhcosh(x bigFloat) (sinh, cosh bigFloat) {
	up := bigExp(at(x, x.Prec()+2*tiny(x)))
	down := quo(one(up), up)
	return scaled(sub(up, down), -1), scaled(add(up, down), -1)
}

func bigCbrt(x bigFloat) bigFloat {
	f, _ := x.Float64()
	y := newBig(x.Prec()).SetFloat64(math.Cbrt(f))
	for range 4 { // Newton: each step doubles the bits that are right
		y = quo(add(scaled(y, 1), quo(x, mul(y, y))), integer64(x.Prec(), 3))
	}
	return y
}

// finer replaces those of a struct's fields that truths knows by the true
// results for x and y. What is special stays as Go has it: an argument or a
// result that is 0, infinite or not a number.
func finer(out any, x float64, y ...float64) {
	v := reflect.ValueOf(out).Elem()
	special := func(f float64) bool { return f == 0 || math.IsInf(f, 0) || math.IsNaN(f) }
	if special(x) {
		return
	}
	bx := newBig(precision).SetFloat64(x)
	var by bigFloat
	if len(y) > 0 && !special(y[0]) {
		by = newBig(precision).SetFloat64(y[0])
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		binary := name == "Pow" || name == "Atan2" || name == "Hypot"
		truth := truths[name]
		if truth == nil || special(v.Field(i).Float()) || by == nil && binary {
			continue
		}
		key := evaluation{name: name, x: x}
		if binary {
			key.y = y[0]
		}
		f, known := evaluated[key]
		if !known {
			f, _ = truth(bx, by).Float64()
			evaluated[key] = f
		}
		if name == "Pow" {
			f = math.Copysign(f, v.Field(i).Float())
		}
		v.Field(i).SetFloat(f)
	}
}

// evaluated remembers what finer has computed: the cases share inputs.
var evaluated = map[evaluation]float64{}

type evaluation struct {
	name string
	x, y float64
}

// finely makes the full truth for float64 of an operation in Go.
func finely[Out any](f func(float64, *Out)) func(float64, *Out) {
	return func(x float64, out *Out) { f(x, out); finer(out, x) }
}

func finelyPair[Out any](f func(pair[float64], *Out)) func(pair[float64], *Out) {
	return func(in pair[float64], out *Out) { f(in, out); finer(out, in.X, in.Y) }
}
