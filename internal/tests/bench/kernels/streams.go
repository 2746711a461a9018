package kernels

import (
	"heddle/dsl"
)

// Saxpy is y = a*x + y.
func Saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

// all names every lane, as CUDA's functions want it.
const all = ^uint64(0)

// warpSum returns, in lane 0, the sum of v over the warp.
func warpSum(v float32) float32 {
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDownSync(all, v, d)
	}
	return v
}

// Reduce stores in out what each block adds up of in.
func Reduce(in, out []float32) {
	var v float32
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v += in[i]
	}
	v = warpSum(v)
	partial := dsl.Shared[[32]float32]()
	if dsl.LaneID() == 0 {
		partial[dsl.WarpID()] = v
	}
	dsl.SyncThreads()
	if dsl.WarpID() != 0 {
		return
	}
	v = 0
	if dsl.LaneID() < dsl.BlockDim().X/dsl.WarpSize() {
		v = partial[dsl.LaneID()]
	}
	v = warpSum(v)
	if dsl.LaneID() == 0 {
		out[dsl.BlockIdx().X] = v
	}
}

// Copy copies in to out.
func Copy(in, out []float32) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		out[i] = in[i]
	}
}

// Triad is a = b + s*c; each thread goes through them by the grid's size.
func Triad(s float64, a, b, c []float64) {
	for i := dsl.GlobalIdx().X; i < len(a); i += dsl.GlobalSize().X {
		a[i] = b[i] + s*c[i]
	}
}

const DotThreads = 256 // of a block of Dot

// Dot stores in out what each block adds up of the products of x and y.
func Dot(x, y, out []float64) {
	sums := dsl.Shared[[DotThreads]float64]()
	t := dsl.ThreadIdx().X
	var sum float64
	for i := dsl.GlobalIdx().X; i < len(x); i += dsl.GlobalSize().X {
		sum += x[i] * y[i]
	}
	sums[t] = sum
	dsl.SyncThreads()
	for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
		if t < d {
			sums[t] += sums[t+d]
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		out[dsl.BlockIdx().X] = sums[0]
	}
}

// Gather is out[i] = in[index[i]].
func Gather(in []float32, index []int32, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(index) {
		return
	}
	out[i] = in[index[i]]
}

// Scatter is out[index[i]] = in[i].
func Scatter(in []float32, index []int32, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(index) {
		return
	}
	out[index[i]] = in[i]
}

// A Body moves in a box of side 1: one structure of an array.
type Body struct {
	X, Y, Z    float32
	VX, VY, VZ float32
	Age, Hits  int32
}

// bounce is a coordinate after a step, its velocity then, and the walls it hit.
func bounce(x, v, dt float32) (float32, float32, int32) {
	x += v * dt
	switch {
	case x < 0:
		return -x, -v, 1
	case x > 1:
		return 2 - x, -v, 1
	}
	return x, v, 0
}

// MoveStructs moves bodies that lie one behind the other.
func MoveStructs(dt float32, bodies []Body) {
	i := dsl.GlobalIdx().X
	if i >= len(bodies) {
		return
	}
	b := &bodies[i]
	var hx, hy, hz int32
	b.X, b.VX, hx = bounce(b.X, b.VX, dt)
	b.Y, b.VY, hy = bounce(b.Y, b.VY, dt)
	b.Z, b.VZ, hz = bounce(b.Z, b.VZ, dt)
	b.Hits += hx + hy + hz
	b.Age++
}

// Bodies3 are the same bodies as a structure of arrays.
type Bodies3 struct {
	X, Y, Z    []float32
	VX, VY, VZ []float32
	Age, Hits  []int32
}

// MoveSlices moves bodies whose fields lie in slices of their own.
func MoveSlices(dt float32, b Bodies3) {
	i := dsl.GlobalIdx().X
	if i >= len(b.X) {
		return
	}
	var hx, hy, hz int32
	b.X[i], b.VX[i], hx = bounce(b.X[i], b.VX[i], dt)
	b.Y[i], b.VY[i], hy = bounce(b.Y[i], b.VY[i], dt)
	b.Z[i], b.VZ[i], hz = bounce(b.Z[i], b.VZ[i], dt)
	b.Hits[i] += hx + hy + hz
	b.Age[i]++
}
