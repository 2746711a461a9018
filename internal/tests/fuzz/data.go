package fuzz

import (
	"math"
	"math/rand/v2"
	"reflect"

	"heddle/dsl"
)

// A Case is one kernel: what devices launch, and what it calls in each thread,
// which on the simulated threads of package simt is also the truth.
type Case struct {
	Name string
	Run  func(in []Input, out []Output, u Uniform)
	Do   func(in *Input, out *Output, u Uniform)
	// Whole is the kernel of those whose function is the launched one itself, in place of Run and Do. Its slices a, b and c
	// are as long as Lengths says, and rows are parts of a (rowsOf).
	Whole   func(in []Input, a []int32, b []uint16, c []float64, rows [3][]int32, out []Output, p, q, r int, u Uniform)
	Lengths [3]int
	// Lists is the kernel of those of slices of structs, in place of Run and Do.
	Lists listKernel

	// Grid and Block are the launch. The zero Block means one dimension, in
	// blocks of 64.
	Grid, Block [3]int
	// Alike tells that all threads of a block have the same input, which its first one's is: what is computed of it
	// is the same for all lanes of a wavefront.
	Alike bool
	// Together tells that the threads wait for each other, or exchange values: all
	// of them run, one for each input, and none panics.
	Together bool
}

// A Panic is how a case's function ended: "" if it returned.
type Panic struct {
	Text string
	File string
	Line int
}

// each is the body of kernels of one dimension. do is known while compiling,
// because the kernel's function names it.
func each(do func(*Input, *Output, Uniform), in []Input, out []Output, u Uniform) {
	if i := dsl.GlobalIdx().X; i < len(in) && !in[i].Skip {
		do(&in[i], &out[i], u)
	}
}

// eachOf is the body of kernels of any shape.
func eachOf(do func(*Input, *Output, Uniform), in []Input, out []Output, u Uniform) {
	if i := number1D(); i < len(in) && !in[i].Skip {
		do(&in[i], &out[i], u)
	}
}

// eachAlike is the body of kernels whose blocks have one input.
func eachAlike(do func(*Input, *Output, Uniform), in []Input, out []Output, u Uniform) {
	if i := number1D(); i < len(in) && !in[i].Skip {
		do(&in[i-numberInBlock()], &out[i], u)
	}
}

// together is the body of kernels whose threads need each other.
func together(do func(*Input, *Output, Uniform), in []Input, out []Output, u Uniform) {
	i := number1D()
	do(&in[i], &out[i], u)
}

// number1D is the thread's number in the grid, block by block.
func number1D() int {
	n, b := dsl.BlockDim(), dsl.BlockIdx()
	g := dsl.GridDim()
	return ((b.Z*g.Y+b.Y)*g.X+b.X)*(n.X*n.Y*n.Z) + numberInBlock()
}

// numberInBlock is the thread's number in its block.
func numberInBlock() int {
	n, t := dsl.BlockDim(), dsl.ThreadIdx()
	return (t.Z*n.Y+t.Y)*n.X + t.X
}

// Uniform is what all threads read: a kernel's argument, passed by value.
type Uniform struct {
	Bool  [3]bool
	I8    [3]int8
	U16   [2]uint16
	I32   [2]int32
	F32   [2]float32
	Int   [2]int
	U64   [1]uint64
	Small [3]int
}

// Input is what one thread reads: some values of every type. They are edges
// (zeros, the least and the greatest, NaN, denormals) as often as not; those of
// Small are 0 to 7.
type Input struct {
	Bool    [4]bool
	I8      [2]int8
	I32     [4]int32
	I16     [2]int16
	U8      [2]uint8
	F64     [4]float64
	U16     [2]uint16
	F32     [4]float32
	I64     [3]int64
	U32     [3]uint32
	Int     [3]int
	C64     [2]complex64
	Uint    [2]uint
	Uintptr [2]uintptr
	U64     [3]uint64
	C128    [2]complex128
	Small   [4]int
	Skip    bool // the thread does nothing
}

// Slots is how many values an Output tells apart.
const Slots = 24

// Output is what one thread computed.
type Output struct{ V [Slots]uint64 }

// put adds a value to a slot. It tells the order of values apart.
func (o *Output) put(slot int, v uint64) {
	o.V[slot%Slots] = o.V[slot%Slots]*0x100000001b3 ^ v
}

// Slices are what a kernel has as a, b and c.
func (c Case) Slices() (x []int32, y []uint16, z []float64) {
	x, y, z = make([]int32, c.Lengths[0]), make([]uint16, c.Lengths[1]), make([]float64, c.Lengths[2])
	for i := range x {
		x[i] = int32(i)*7 - 300
	}
	for i := range y {
		y[i] = uint16(i*5 + 1)
	}
	for i := range z {
		z[i] = float64(i*3) - 50
	}
	return x, y, z
}

// rowsOf is what a kernel has as rows: parts of a.
func rowsOf(a []int32) [3][]int32 { return [3][]int32{a, a[len(a)/2:], a[:len(a)-len(a)/3]} }

// sizes are what a kernel has as p, q and r: small ones, and half the time one that is not, or several whose product, or
// sum, begins anew at 0 in 32 or 64 bits.
func sizes(u Uniform) (s [3]int) {
	for i := range s {
		s[i] = u.Small[i] + 1 + i
	}
	wild := [][3]int{
		{}, {-1}, {16}, {40}, {1<<31 - 1}, {1 << 31}, {1<<32 + 3}, {1<<61 + 5}, {1<<33 + 7}, {math.MinInt64}, {math.MaxInt64}, {-1 << 32}, {1<<32 + 5, 1<<32 + 4},
		{1<<31 - 1, 1<<31 - 1}, {1<<31 - 1, 1<<31 - 1, 1<<31 - 1}, {1 << 16, 1 << 16}, {1 << 16, 1<<16 + 1}, {1 << 11, 1 << 11, 1 << 10}, {1 << 15, 1 << 16}, {1 << 30, 1<<30 + 1},
		{1 << 22, 1 << 21, 1 << 21}, {1 << 32, 1 << 32}, {46341, 46341}, {u.Int[0]}, {u.Int[1]}, {int(u.I32[0])}, {int(u.U64[0])},
	}
	n := uint(u.Int[0]*31 + u.Int[1]*17 + int(u.U64[0]) + int(u.U16[0]))
	if n%2 == 0 {
		for i, v := range wild[n/6%uint(len(wild))] {
			if v != 0 {
				s[(uint(i)+n/2)%3] = v
			}
		}
	}
	return s
}

// Kernel is the function that is launched.
func (c Case) Kernel() any {
	switch {
	case c.Whole != nil:
		return c.Whole
	case c.Lists != nil:
		return c.Lists.kernel()
	}
	return c.Run
}

// Inputs are n inputs, the same for the same seed.
func Inputs(seed uint64, n int) []Input {
	r := rand.New(rand.NewPCG(seed, 0x6865646c65))
	all := make([]Input, n)
	for i := range all {
		fillArrays(r, reflect.ValueOf(&all[i]).Elem())
		for j := range all[i].Small {
			all[i].Small[j] = r.IntN(8)
		}
	}
	return all
}

// UniformOf is the uniform argument, the same for the same seed.
func UniformOf(seed uint64) (u Uniform) {
	r := rand.New(rand.NewPCG(seed, 0x756e69))
	fillArrays(r, reflect.ValueOf(&u).Elem())
	for j := range u.Small {
		u.Small[j] = r.IntN(8)
	}
	return u
}

// fillArrays fills a struct's fields that are arrays.
func fillArrays(r *rand.Rand, v reflect.Value) {
	for f := range v.NumField() {
		if v.Field(f).Kind() != reflect.Array {
			continue
		}
		for j := range v.Field(f).Len() {
			fill(r, v.Field(f).Index(j))
		}
	}
}

func fill(r *rand.Rand, v reflect.Value) {
	bits := 8 * int(v.Type().Size())
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case v.CanInt():
		v.SetInt(int64(integer(r, bits)))
	case v.CanUint():
		v.SetUint(integer(r, bits))
	case v.CanFloat():
		v.SetFloat(float(r, bits))
	case v.CanComplex():
		v.SetComplex(complex(float(r, bits/2), float(r, bits/2)))
	}
}

// integer is a number of so many bits, sign-extended.
func integer(r *rand.Rand, bits int) uint64 {
	top := uint64(1) << (bits - 1)
	edges := []uint64{0, 1, 2, 3, 7, 8, 31, 32, 63, 64, ^uint64(0), ^uint64(1), top, top + 1, top - 1, top - 2}
	var x uint64
	switch r.IntN(4) {
	case 0, 1:
		x = edges[r.IntN(len(edges))]
	case 2:
		x = r.Uint64() >> r.IntN(64)
	default:
		x = r.Uint64N(20) - 5
	}
	return uint64(int64(x<<(64-bits)) >> (64 - bits))
}

func float(r *rand.Rand, bits int) float64 {
	tiny, least, huge := math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64
	if bits == 32 {
		tiny, least, huge = math.SmallestNonzeroFloat32, 0x1p-126, math.MaxFloat32
	}
	edges := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -3.5, math.Inf(1), math.Inf(-1), math.NaN(),
		tiny, -3 * tiny, least, least - tiny, -least / 4, huge, -huge, 0x1p31, 0x1p32 - 1, 0x1p63, 0x1p64, -0x1p63, 16777217, 9007199254740993,
	}
	switch r.IntN(4) {
	case 0:
		return edges[r.IntN(len(edges))]
	case 1:
		return float64(r.IntN(2000)-1000) / 8
	case 2:
		return r.NormFloat64() * math.Exp2(float64(r.IntN(bits*2)-bits))
	}
	return r.NormFloat64()
}
