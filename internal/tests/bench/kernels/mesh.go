package kernels

import (
	"math"

	"heddle/dsl"
	"heddle/vector"
)

// The kernels here are of meshes, volumes, graphs and the sky, written as Go programs have them.

const CoulombPoints = 4 // of a thread

// Coulomb adds the potential of all atoms (x, y, z, charge) to a plane of a map; a thread has
// four points in a row (VMD's clenergy).
func Coulomb(w, h int, spacing, z float32, atoms []vector.Float4, energy []float32) {
	x, y := dsl.GlobalIdx().X*CoulombPoints, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	px, py := spacing*float32(x), spacing*float32(y)
	var sum [CoulombPoints]float32
	for _, a := range atoms {
		dy, dz := py-a.Y, z-a.Z
		dyz := dy*dy + dz*dz
		dx := px - a.X
		for k := range sum {
			sum[k] += a.W * dsl.Rsqrt(dx*dx+dyz)
			dx += spacing
		}
	}
	for k, v := range sum {
		if x+k < w {
			energy[y*w+x+k] += v
		}
	}
}

const (
	WaveX     = 32
	WaveY     = 16
	WaveReach = 4
)

// Wave25 is one step of a sound wave over nx by ny by nz, with a stencil of 25 points; next
// holds the step before. A block goes along z: its tile has the plane, a thread's queue the
// column.
//
//heddle:noalias
func Wave25(nx, ny, nz int, c [WaveReach + 1]float32, cur, speed, next []float32) {
	const r = WaveReach
	tile := dsl.Shared[[WaveY + 2*r][WaveX + 2*r]float32]()
	tx, ty := dsl.ThreadIdx().X+r, dsl.ThreadIdx().Y+r
	x, y := dsl.GlobalIdx().X+r, dsl.GlobalIdx().Y+r
	inside := x < nx-r && y < ny-r
	// A thread beyond the plane reads the last point in it.
	cx, cy := min(x, nx-1), min(y, ny-1)
	west, east := min(x-r, nx-1), min(x+WaveX, nx-1)
	north, south := min(y-r, ny-1), min(y+WaveY, ny-1)
	plane := nx * ny
	i := cy*nx + cx
	var queue [2*r + 1]float32
	for k := range 2 * r {
		queue[k+1] = cur[k*plane+i]
	}
	for z := r; z < nz-r; z++ {
		for k := range 2 * r {
			queue[k] = queue[k+1]
		}
		queue[2*r] = cur[(z+r)*plane+i]
		dsl.SyncThreads()
		tile[ty][tx] = queue[r]
		if dsl.ThreadIdx().X < r {
			tile[ty][tx-r] = cur[z*plane+cy*nx+west]
			tile[ty][tx+WaveX] = cur[z*plane+cy*nx+east]
		}
		if dsl.ThreadIdx().Y < r {
			tile[ty-r][tx] = cur[z*plane+north*nx+cx]
			tile[ty+WaveY][tx] = cur[z*plane+south*nx+cx]
		}
		dsl.SyncThreads()
		if inside {
			here := queue[r]
			lap := 3 * c[0] * here
			for k := 1; k <= r; k++ {
				lap += c[k] * (queue[r-k] + queue[r+k] + tile[ty-k][tx] + tile[ty+k][tx] + tile[ty][tx-k] + tile[ty][tx+k])
			}
			at := z*plane + i
			next[at] = 2*here - next[at] + speed[at]*lap
		}
	}
}

// voluDer is the derivative of an element's volume by the place of a corner. It takes the
// places of six others, all but the opposite one (LULESH).
func voluDer(x0, x1, x2, x3, x4, x5, y0, y1, y2, y3, y4, y5, z0, z1, z2, z3, z4, z5 float64) (dx, dy, dz float64) {
	const twelfth = 1.0 / 12.0
	dx = (y1+y2)*(z0+z1) - (y0+y1)*(z1+z2) +
		(y0+y4)*(z3+z4) - (y3+y4)*(z0+z4) -
		(y2+y5)*(z3+z5) + (y3+y5)*(z2+z5)
	dy = -(x1+x2)*(z0+z1) + (x0+x1)*(z1+z2) -
		(x0+x4)*(z3+z4) + (x3+x4)*(z0+z4) +
		(x2+x5)*(z3+z5) - (x3+x5)*(z2+z5)
	dz = -(y1+y2)*(x0+x1) + (y0+y1)*(x1+x2) -
		(y0+y4)*(x3+x4) + (y3+y4)*(x0+x4) +
		(y2+y5)*(x3+x5) - (y3+y5)*(x2+x5)
	return dx * twelfth, dy * twelfth, dz * twelfth
}

// HexForces finds the derivatives of each element's volume by the places of its eight corners.
//
//heddle:noalias
func HexForces(nodes []int32, px, py, pz, dvdx, dvdy, dvdz []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(nodes)/8 {
		return
	}
	var x, y, z, dx, dy, dz [8]float64
	for k := range 8 {
		n := nodes[8*i+k]
		x[k], y[k], z[k] = px[n], py[n], pz[n]
	}
	dx[0], dy[0], dz[0] = voluDer(x[1], x[2], x[3], x[4], x[5], x[7],
		y[1], y[2], y[3], y[4], y[5], y[7], z[1], z[2], z[3], z[4], z[5], z[7])
	dx[3], dy[3], dz[3] = voluDer(x[0], x[1], x[2], x[7], x[4], x[6],
		y[0], y[1], y[2], y[7], y[4], y[6], z[0], z[1], z[2], z[7], z[4], z[6])
	dx[2], dy[2], dz[2] = voluDer(x[3], x[0], x[1], x[6], x[7], x[5],
		y[3], y[0], y[1], y[6], y[7], y[5], z[3], z[0], z[1], z[6], z[7], z[5])
	dx[1], dy[1], dz[1] = voluDer(x[2], x[3], x[0], x[5], x[6], x[4],
		y[2], y[3], y[0], y[5], y[6], y[4], z[2], z[3], z[0], z[5], z[6], z[4])
	dx[4], dy[4], dz[4] = voluDer(x[7], x[6], x[5], x[0], x[3], x[1],
		y[7], y[6], y[5], y[0], y[3], y[1], z[7], z[6], z[5], z[0], z[3], z[1])
	dx[5], dy[5], dz[5] = voluDer(x[4], x[7], x[6], x[1], x[0], x[2],
		y[4], y[7], y[6], y[1], y[0], y[2], z[4], z[7], z[6], z[1], z[0], z[2])
	dx[6], dy[6], dz[6] = voluDer(x[5], x[4], x[7], x[2], x[1], x[3],
		y[5], y[4], y[7], y[2], y[1], y[3], z[5], z[4], z[7], z[2], z[1], z[3])
	dx[7], dy[7], dz[7] = voluDer(x[6], x[5], x[4], x[3], x[2], x[0],
		y[6], y[5], y[4], y[3], y[2], y[0], z[6], z[5], z[4], z[3], z[2], z[0])
	for k := range 8 {
		dvdx[8*i+k], dvdy[8*i+k], dvdz[8*i+k] = dx[k], dy[k], dz[k]
	}
}

const (
	PoolKernel = 3
	PoolStride = 2
	PoolPad    = 1
)

// MaxPool3D is the greatest value of each window of 3 by 3 by 3, and where in the volume it is.
// A window moves by 2, and what is beyond the volume does not count.
//
//heddle:noalias
func MaxPool3D(d, h, w, od, oh, ow int, in, out []float32, index []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	x, y, z := i%ow, i/ow%oh, i/ow/oh%od
	volume := i / ow / oh / od * d * h * w
	z0, y0, x0 := z*PoolStride-PoolPad, y*PoolStride-PoolPad, x*PoolStride-PoolPad
	z1, y1, x1 := min(z0+PoolKernel, d), min(y0+PoolKernel, h), min(x0+PoolKernel, w)
	z0, y0, x0 = max(z0, 0), max(y0, 0), max(x0, 0)
	best, at := float32(math.Inf(-1)), (z0*h+y0)*w+x0
	for z := z0; z < z1; z++ {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				k := (z*h+y)*w + x
				if v := in[volume+k]; v > best {
					best, at = v, k
				}
			}
		}
	}
	out[i] = best
	index[i] = int32(at)
}

const PCREquations = 256 // of a system, and threads of a block

// PCR solves a tridiagonal system in each block by parallel cyclic reduction.
func PCR(lower, diag, upper, right, out []float32) {
	a, b := dsl.Shared[[PCREquations]float32](), dsl.Shared[[PCREquations]float32]()
	c, d := dsl.Shared[[PCREquations]float32](), dsl.Shared[[PCREquations]float32]()
	x := dsl.Shared[[PCREquations]float32]()
	t := dsl.ThreadIdx().X
	i := dsl.BlockIdx().X*PCREquations + t
	a[t], b[t], c[t], d[t] = lower[i], diag[i], upper[i], right[i]
	dsl.SyncThreads()
	delta := 1
	for delta < PCREquations/2 {
		// At the ends a and c are zero, so it does not matter which equation stands in.
		l, r := max(t-delta, 0), min(t+delta, PCREquations-1)
		k1, k2 := a[t]/b[l], c[t]/b[r]
		newB := b[t] - c[l]*k1 - a[r]*k2
		newD := d[t] - d[l]*k1 - d[r]*k2
		newA, newC := -a[l]*k1, -c[r]*k2
		dsl.SyncThreads()
		a[t], b[t], c[t], d[t] = newA, newB, newC, newD
		dsl.SyncThreads()
		delta *= 2
	}
	if t < delta { // pairs of equations are left
		u := t + delta
		det := b[u]*b[t] - c[t]*a[u]
		x[t] = (b[u]*d[t] - c[t]*d[u]) / det
		x[u] = (d[u]*b[t] - d[t]*a[u]) / det
	}
	dsl.SyncThreads()
	out[i] = x[t]
}

// BoxFilter is the mean of the 2r+1 pixels around each pixel of a column. A thread walks down
// a column with a running sum; beyond an edge the last pixel repeats.
func BoxFilter(w, h, r int, in, out []float32) {
	x := dsl.GlobalIdx().X
	if x >= w {
		return
	}
	scale := 1 / float32(2*r+1)
	sum := in[x] * float32(r+1)
	for y := range r {
		sum += in[min(y, h-1)*w+x]
	}
	for y := range h {
		sum += in[min(y+r, h-1)*w+x] - in[max(y-r-1, 0)*w+x]
		out[y*w+x] = sum * scale
	}
}

// Jaccard is how much the neighbours of both ends of each edge have in common: the share of
// their intersection in their union. The neighbours of a vertex are sorted.
//
//heddle:noalias
func Jaccard(first, source, target []int32, out []float32) {
	e := dsl.GlobalIdx().X
	if e >= len(target) {
		return
	}
	u, v := source[e], target[e]
	short, long := target[first[u]:first[u+1]], target[first[v]:first[v+1]]
	if len(short) > len(long) {
		short, long = long, short
	}
	common := 0
	for _, key := range short {
		lo, hi := 0, len(long)
		for lo < hi {
			mid := (lo + hi) / 2
			if long[mid] < key {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo < len(long) && long[lo] == key {
			common++
		}
	}
	out[e] = float32(common) / float32(len(short)+len(long)-common)
}

const (
	TPACFThreads = 256
	TPACFBounds  = 20
)

// TPACF counts the angles between two sets of points of the sky. A block compares a point a
// thread with a tile of the other set. A bin ends at each bound, from the highest cosine.
func TPACF(data, random []Vec3, bounds []float32, histogram []uint32) {
	tile := dsl.Shared[[TPACFThreads]Vec3]()
	local := dsl.Shared[[TPACFBounds + 1]uint32]()
	t := dsl.ThreadIdx().X
	if t <= TPACFBounds {
		local[t] = 0
	}
	first := dsl.BlockIdx().Y * TPACFThreads
	size := min(TPACFThreads, len(random)-first)
	if t < size {
		tile[t] = random[first+t]
	}
	dsl.SyncThreads()
	if i := dsl.GlobalIdx().X; i < len(data) {
		p := data[i]
		for j := range size {
			q := tile[j]
			dot := p.X*q.X + p.Y*q.Y + p.Z*q.Z
			lo, hi := 0, TPACFBounds
			for lo < hi {
				mid := (lo + hi) / 2
				if dot >= bounds[mid] {
					hi = mid
				} else {
					lo = mid + 1
				}
			}
			dsl.AtomicAdd(&local[lo], 1)
		}
	}
	dsl.SyncThreads()
	if t <= TPACFBounds {
		dsl.AtomicAdd(&histogram[t], local[t])
	}
}
