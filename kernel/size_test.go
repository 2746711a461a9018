package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
)

// This file times compiling as programs grow: the fields of a type, the elements
// of an array and the statements of a function double from one benchmark to the
// next, and ns/n·log(n) should not grow with them. For x86-64-v3 a type of 512 and 1024
// fields takes 1.1 and 2.3 s of processor time, a function of 512 and 1024 statements 2.4
// and 6.2 s, 3.0 and 7.2 s in a loop; up to 128 statements there is a variant for wide gangs,
// too, so that 256 take no longer than those. RATIONALE.md says what is not yet linear.

// leaf and pair make types of 4, 8, 16, ... fields.
type leaf struct {
	A float32
	B bool
	C int16
	D float64
}

type pair[T comparable] struct{ X, Y T }

type (
	fields16  = pair[pair[leaf]]
	fields64  = pair[pair[fields16]]
	fields256 = pair[pair[fields64]]
)

// copied takes a value through variables, an array, calls and a comparison.
func copied[T comparable](in, out []T, same []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	x := [2]T{in[i], in[(i+1)%len(in)]}
	y := chosen(x, i)
	x[1-i&1] = y
	same[i] = x[0] == in[0]
	out[i] = y
}

func chosen[T comparable](x [2]T, i int) T { return x[i&1] }

// counted is a value with arrays of any length.
type counted[A array] struct{ M, Q A }

type array interface {
	[16]float32 | [32]float32 | [64]float32 | [128]float32 | [256]float32 | [512]float32 | [1024]float32
}

// counts changes single elements of values and adds all of them up.
func counts[A array](out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	var v counted[A]
	n := len(v.M)
	v.M[i%n] = float32(i)
	w := moved(v, i)
	if i&1 == 0 {
		v = w
	}
	for k := range n {
		out[i] += v.M[k] * w.Q[k]
	}
}

func moved[A array](v counted[A], i int) counted[A] {
	v.Q[i*7%len(v.Q)] = 3
	return v
}

// A step is a piece of code; twice is one of twice the length. It returns a func since
// what does is made part of its callers: GPU code would call one function twice, and
// the code of n steps would be the logarithm of n functions.
type step interface {
	Do(x []float32, v float32) (float32, func())
}

func nothing() {}

type plainStep struct{}

func (plainStep) Do(x []float32, v float32) (float32, func()) {
	if i := int(v) & 15; v > x[i] {
		return v*x[i] + 1, nothing
	}
	return v + 2, nothing
}

type twice[S step] struct{}

func (twice[S]) Do(x []float32, v float32) (float32, func()) {
	var s S
	v, _ = s.Do(x, v)
	v, _ = s.Do(x, v)
	return v, nothing
}

type (
	steps4   = twice[twice[plainStep]]
	steps16  = twice[twice[steps4]]
	steps64  = twice[twice[steps16]]
	steps256 = twice[twice[steps64]]
)

func stepped[S step](x []float32) {
	var s S
	if i := dsl.GlobalIdx().X; i < len(x) {
		x[i], _ = s.Do(x, x[i])
	}
}

// loopSteps has its statements in a loop, which each of their checks leaves.
func loopSteps[S step](x []float32) {
	var s S
	if i := dsl.GlobalIdx().X; i < len(x) {
		for k := range x {
			v, _ := s.Do(x, x[i])
			x[i] = v + float32(k)
		}
	}
}

func BenchmarkSize(b *testing.B) {
	b.Setenv("HEDDLE_CACHE", "off")
	axes := []sizeAxis{
		{"type", []sized{
			{16, func() *kernel.Kernel { return kernel.New(copied[fields16]) }},
			{32, func() *kernel.Kernel { return kernel.New(copied[pair[fields16]]) }},
			{64, func() *kernel.Kernel { return kernel.New(copied[fields64]) }},
			{128, func() *kernel.Kernel { return kernel.New(copied[pair[fields64]]) }},
			{256, func() *kernel.Kernel { return kernel.New(copied[fields256]) }},
			{512, func() *kernel.Kernel { return kernel.New(copied[pair[fields256]]) }},
			{1024, func() *kernel.Kernel { return kernel.New(copied[pair[pair[fields256]]]) }},
		}},
		{"array", []sized{
			{16, func() *kernel.Kernel { return kernel.New(counts[[16]float32]) }},
			{32, func() *kernel.Kernel { return kernel.New(counts[[32]float32]) }},
			{64, func() *kernel.Kernel { return kernel.New(counts[[64]float32]) }},
			{128, func() *kernel.Kernel { return kernel.New(counts[[128]float32]) }},
			{256, func() *kernel.Kernel { return kernel.New(counts[[256]float32]) }},
			{512, func() *kernel.Kernel { return kernel.New(counts[[512]float32]) }},
			{1024, func() *kernel.Kernel { return kernel.New(counts[[1024]float32]) }},
		}},
		{"function", []sized{
			{4, func() *kernel.Kernel { return kernel.New(stepped[steps4]) }},
			{8, func() *kernel.Kernel { return kernel.New(stepped[twice[steps4]]) }},
			{16, func() *kernel.Kernel { return kernel.New(stepped[steps16]) }},
			{32, func() *kernel.Kernel { return kernel.New(stepped[twice[steps16]]) }},
			{64, func() *kernel.Kernel { return kernel.New(stepped[steps64]) }},
			{128, func() *kernel.Kernel { return kernel.New(stepped[twice[steps64]]) }},
			{256, func() *kernel.Kernel { return kernel.New(stepped[steps256]) }},
			{512, func() *kernel.Kernel { return kernel.New(stepped[twice[steps256]]) }},
			{1024, func() *kernel.Kernel { return kernel.New(stepped[twice[twice[steps256]]]) }},
		}},
		{"loop", []sized{
			{64, func() *kernel.Kernel { return kernel.New(loopSteps[steps64]) }},
			{128, func() *kernel.Kernel { return kernel.New(loopSteps[twice[steps64]]) }},
			{256, func() *kernel.Kernel { return kernel.New(loopSteps[steps256]) }},
			{512, func() *kernel.Kernel { return kernel.New(loopSteps[twice[steps256]]) }},
			{1024, func() *kernel.Kernel { return kernel.New(loopSteps[twice[twice[steps256]]]) }},
		}},
	}
	for _, a := range append(axes, shapes...) {
		for _, m := range []struct {
			arch string
			warp int
		}{{"x86-64-v3", 32}, {"x86-64-v3", 64}, {"gfx942", 64}, {"gfx1100", 32}, {"sm_90", 32}} {
			for _, s := range a.sizes {
				b.Run(fmt.Sprintf("%s/%s:%d/%d", a.name, m.arch, m.warp, s.n), func(b *testing.B) {
					for b.Loop() {
						if _, err := s.new().Object(m.arch, m.warp); err != nil {
							b.Fatal(err)
						}
					}
					n := float64(s.n)
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n*math.Log2(n)), "ns/n·log(n)")
				})
			}
		}
	}
}
