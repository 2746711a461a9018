package target

import "math"

// This file holds correctly rounded square roots for AMDGPU: before release 17
// (double) and 18 (float) LLVM takes the bare instruction, which is only near.

// amdSqrt scales small arguments up: no intermediate result may be denormal.
func amdSqrt(b *Builder, x Value) Value {
	t := x.Type()
	if b.Fast() {
		return b.Emit(t, "call fast ", t.String(), " ", b.M.Declare(overload("llvm.sqrt", t), t, t), "(", T(x), ")")
	}
	root, small, up, down := amdRoot64, 0x1p-767, 0x1p256, 0x1p-128
	if t.Equal(F32) {
		root, small, up, down = amdRoot32, 0x1p-96, 0x1p32, 0x1p-16
	}
	defer func(fmf string) { b.FMF = fmf }(b.FMF)
	b.FMF = ""
	tiny := b.FCmp("olt", x, Float(t, small))
	scaled := func(x Value, by float64) Value {
		if t.Equal(F32) { // a factor that is chosen would be constants in registers
			return b.Select(tiny, b.FBin("fmul", x, Float(t, by)), x)
		}
		return b.FBin("fmul", x, b.Select(tiny, Float(t, by), Float(t, 1)))
	}
	r := scaled(root(b, scaled(x, up)), down)
	// Zeros and +Inf are their own roots, of which the steps below make NaN.
	self := b.Bin("or", b.FCmp("oeq", x, Zero(t)), b.FCmp("oeq", x, Float(t, math.Inf(1))))
	return b.Select(self, x, r)
}

// amdRoot64 is Goldschmidt's iteration from the estimate of 1/sqrt(x): g tends
// to the root, h to half its inverse.
func amdRoot64(b *Builder, x Value) Value {
	fma := func(x, y, z Value) Value { return b.Intrinsic("llvm.fma.f64", F64, x, y, z) }
	half := Float(F64, 0.5)
	est := b.Intrinsic("llvm.amdgcn.rsq.f64", F64, x)
	g, h := b.FBin("fmul", x, est), b.FBin("fmul", est, half)
	r := fma(b.FNeg(h), g, half)
	g, h = fma(g, r, g), fma(h, r, h)
	for range 2 {
		g = fma(fma(b.FNeg(g), g, x), h, g)
	}
	return g
}

// amdRoot32 corrects the instruction's result, which may be one place off:
// a neighbour is the root if the remainder says that the square lies beyond the
// middle between them.
func amdRoot32(b *Builder, x Value) Value {
	near := b.Intrinsic("llvm.amdgcn.sqrt.f32", F32, x)
	bits := b.Cast("bitcast", near, I32)
	root := near
	for _, n := range []struct {
		step int64
		pred string
	}{{-1, "ole"}, {1, "ogt"}} {
		next := b.Cast("bitcast", b.Bin("add", bits, Int(I32, n.step)), F32)
		rest := b.Intrinsic("llvm.fma.f32", F32, b.FNeg(next), near, x)
		root = b.Select(b.FCmp(n.pred, rest, Zero(F32)), next, root)
	}
	return root
}

// overload is an overloaded intrinsic's name for a float type.
//
//go:noinline
func overload(name string, t Type) string {
	if t.Equal(F32) {
		return name + ".f32"
	}
	return name + ".f64"
}
