// Package kernels holds the benchmarks' kernels and makes their inputs. The
// same algorithms are in CUDA C++ in ../testdata/kernels.cuh and in OpenCL C in
// internal/tests/cpubench/pocl/kernels.cl.
package kernels

import (
	"embed"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/vector"
)

//go:embed kernels.go
var source embed.FS
var _ = kernel.Source(source)

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

// A tile of Transpose has TileDim by TileDim elements and TileDim by TileRows threads.
const (
	TileDim  = 32
	TileRows = 8
)

// Transpose transposes an n by n matrix; a block moves a tile of 32 by 32 with 32 by 8 threads.
func Transpose(n int, in, out []float32) {
	tile := dsl.Shared[[TileDim][TileDim + 1]float32]()
	t, b := dsl.ThreadIdx(), dsl.BlockIdx()
	x, y := b.X*TileDim+t.X, b.Y*TileDim+t.Y
	for j := 0; j < TileDim; j += TileRows {
		tile[t.Y+j][t.X] = in[(y+j)*n+x]
	}
	dsl.SyncThreads()
	x, y = b.Y*TileDim+t.X, b.X*TileDim+t.Y
	for j := 0; j < TileDim; j += TileRows {
		out[(y+j)*n+x] = tile[t.X][t.Y+j]
	}
}

const Side = 16 // of a tile of Sgemm

// Sgemm is c = a*b for n by n matrices, a tile of 16 by 16 a block.
func Sgemm(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[Side][Side]float32](), dsl.Shared[[Side][Side]float32]()
	t := dsl.ThreadIdx()
	row, col := dsl.GlobalIdx().Y, dsl.GlobalIdx().X
	var sum float32
	for k := 0; k < n; k += Side {
		as[t.Y][t.X] = a[row*n+k+t.X]
		bs[t.Y][t.X] = b[(k+t.Y)*n+col]
		dsl.SyncThreads()
		for i := range Side {
			sum += as[t.Y][i] * bs[i][t.X]
		}
		dsl.SyncThreads()
	}
	c[row*n+col] = sum
}

const (
	BM, BN = 128, 128 // a block's part of c in SgemmRegisters
	bk     = 8        // the depth of its tiles
	tm, tn = 8, 8     // a thread's part of c
)

// SgemmRegisters is c = a*b with 128 by 128 elements a block and 8 by 8 a
// thread, in registers; 256 threads.
//
//heddle:launchbounds 256 2
func SgemmRegisters(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[bk][BM]float32](), dsl.Shared[[bk][BN]float32]()
	t := dsl.ThreadIdx().X
	tx, ty := t%(BN/tn), t/(BN/tn)
	row, col := dsl.BlockIdx().Y*BM, dsl.BlockIdx().X*BN
	var acc [tm][tn]float32
	for k0 := 0; k0 < n; k0 += bk {
		//heddle:unroll
		for i := range 4 {
			e := t + i*256
			as[e%bk][e/bk] = a[(row+e/bk)*n+k0+e%bk]
			bs[e/BN][e%BN] = b[(k0+e/BN)*n+col+e%BN]
		}
		dsl.SyncThreads()
		//heddle:unroll
		for k := range bk {
			var ra [tm]float32
			var rb [tn]float32
			for i := range tm {
				ra[i] = as[k][ty*tm+i]
			}
			for j := range tn {
				rb[j] = bs[k][tx*tn+j]
			}
			for i := range tm {
				for j := range tn {
					acc[i][j] += ra[i] * rb[j]
				}
			}
		}
		dsl.SyncThreads()
	}
	for i := range tm {
		for j := range tn {
			c[(row+ty*tm+i)*n+col+tx*tn+j] = acc[i][j]
		}
	}
}

const Bins = 256 // of a histogram

// Histogram counts the bytes of in; Bins threads a block.
func Histogram(in []uint32, counts []uint32) {
	local := dsl.Shared[[Bins]uint32]()
	t := dsl.ThreadIdx().X
	local[t] = 0
	dsl.SyncThreads()
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v := in[i]
		dsl.AtomicAdd(&local[v&0xff], 1)
		dsl.AtomicAdd(&local[v>>8&0xff], 1)
		dsl.AtomicAdd(&local[v>>16&0xff], 1)
		dsl.AtomicAdd(&local[v>>24], 1)
	}
	dsl.SyncThreads()
	dsl.AtomicAdd(&counts[t], local[t])
}

// cnd is the cumulative normal distribution (Abramowitz and Stegun 26.2.17).
func cnd(d float32) float32 {
	const (
		a1 = 0.31938153
		a2 = -0.356563782
		a3 = 1.781477937
		a4 = -1.821255978
		a5 = 1.330274429
	)
	k := 1 / (1 + 0.2316419*dsl.Abs(d))
	v := 0.39894228040143267794 * dsl.Exp(-0.5*d*d) * (k * (a1 + k*(a2+k*(a3+k*(a4+k*a5)))))
	if d > 0 {
		v = 1 - v
	}
	return v
}

// BlackScholes prices European options: stock price, strike, years.
func BlackScholes(riskFree, volatility float32, price, strike, years, call, put []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(price) {
		return
	}
	s, x, t := price[i], strike[i], years[i]
	root := dsl.Sqrt(t)
	d1 := (dsl.Log(s/x) + (riskFree+0.5*volatility*volatility)*t) / (volatility * root)
	d2 := d1 - volatility*root
	c1, c2 := cnd(d1), cnd(d2)
	discount := dsl.Exp(-riskFree * t)
	call[i] = s*c1 - x*discount*c2
	put[i] = x*discount*(1-c2) - s*(1-c1)
}

const Bodies = 256 // of a tile, and threads of a block

// NBody is the gravity of all bodies (x, y, z, mass) on each.
func NBody(soft float32, pos, force []vector.Float4) {
	tile := dsl.Shared[[Bodies]vector.Float4]()
	i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
	p := pos[i]
	var ax, ay, az float32
	for first := 0; first < len(pos); first += Bodies {
		tile[t] = pos[first+t]
		dsl.SyncThreads()
		for j := range Bodies {
			q := tile[j]
			dx, dy, dz := q.X-p.X, q.Y-p.Y, q.Z-p.Z
			inv := dsl.Rsqrt(dx*dx + dy*dy + dz*dz + soft)
			f := q.W * inv * inv * inv
			ax += dx * f
			ay += dy * f
			az += dz * f
		}
		dsl.SyncThreads()
	}
	force[i] = vector.Float4{X: ax, Y: ay, Z: az}
}

// Stencil is one step of a 7-point stencil over nx by ny by nz; a thread goes along z.
func Stencil(nx, ny, nz int, c0, c1 float32, in, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x < 1 || y < 1 || x >= nx-1 || y >= ny-1 {
		return
	}
	plane := nx * ny
	i := plane + y*nx + x
	below, here := in[i-plane], in[i]
	for z := 1; z < nz-1; z++ {
		above := in[i+plane]
		out[i] = c0*here + c1*(in[i-1]+in[i+1]+in[i-nx]+in[i+nx]+below+above)
		below, here = here, above
		i += plane
	}
}

// Mandelbrot counts iterations, at most limit, for each pixel of a w by h picture.
func Mandelbrot(w, h int, limit int32, x0, y0, step float32, out []int32) {
	px, py := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if px >= w || py >= h {
		return
	}
	cx, cy := x0+float32(px)*step, y0+float32(py)*step
	var x, y float32
	n := int32(0)
	for n < limit && x*x+y*y < 4 {
		x, y = x*x-y*y+cx, 2*x*y+cy
		n++
	}
	out[py*w+px] = n
}

const Sorted = 1024 // elements a block sorts, with half as many threads

// Bitonic sorts each run of 1024 elements.
func Bitonic(in, out []float32) {
	s := dsl.Shared[[Sorted]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*Sorted
	s[t], s[t+Sorted/2] = in[base+t], in[base+t+Sorted/2]
	//heddle:unroll
	for size := 2; size <= Sorted; size *= 2 {
		up := t&(size/2) == 0
		//heddle:unroll
		for stride := size / 2; stride > 0; stride /= 2 {
			dsl.SyncThreads()
			i := 2*t - t&(stride-1)
			a, b := s[i], s[i+stride]
			if (a > b) == up {
				s[i], s[i+stride] = b, a
			}
		}
	}
	dsl.SyncThreads()
	out[base+t], out[base+t+Sorted/2] = s[t], s[t+Sorted/2]
}

// warpScan is the inclusive prefix sum over the warp.
func warpScan(v int32) int32 {
	lane := dsl.LaneID()
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if below := dsl.ShflUpSync(all, v, d); lane >= d {
			v += below
		}
	}
	return v
}

// Scan is the inclusive prefix sum of each block's 1024 elements, four a
// thread, and the blocks' totals.
func Scan(in, out []vector.Int4, totals []int32) {
	sums := dsl.Shared[[64]int32]()
	i := dsl.GlobalIdx().X
	v := in[i]
	v.Y += v.X
	v.Z += v.Y
	v.W += v.Z
	sum := warpScan(v.W)
	warp, lane := dsl.WarpID(), dsl.LaneID()
	if lane == dsl.WarpSize()-1 {
		sums[warp] = sum
	}
	dsl.SyncThreads()
	if warp == 0 {
		var w int32
		if lane < dsl.BlockDim().X/dsl.WarpSize() {
			w = sums[lane]
		}
		w = warpScan(w)
		sums[lane] = w
	}
	dsl.SyncThreads()
	before := sum - v.W
	if warp > 0 {
		before += sums[warp-1]
	}
	out[i] = vector.Int4{X: v.X + before, Y: v.Y + before, Z: v.Z + before, W: v.W + before}
	if dsl.ThreadIdx().X == dsl.BlockDim().X-1 {
		totals[dsl.BlockIdx().X] = v.W + before
	}
}
