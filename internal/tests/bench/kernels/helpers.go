package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// The kernels here have their indices in methods, closures and other helpers, as Go programs do.

// A Plane is a picture of one number a pixel.
type Plane struct {
	Pix  []float32
	W, H int
}

func (p Plane) Inside(x, y int) bool     { return x >= 0 && x < p.W && y >= 0 && y < p.H }
func (p Plane) At(x, y int) float32      { return p.Pix[y*p.W+x] }
func (p Plane) Set(x, y int, v float32)  { p.Pix[y*p.W+x] = v }
func (p Plane) Clamped(x, y int) float32 { return p.At(clampInt(x, 0, p.W-1), clampInt(y, 0, p.H-1)) }
func (p Plane) AtOr(x, y int, o float32) float32 {
	if !p.Inside(x, y) {
		return o
	}
	return p.At(x, y)
}

// Bilinear is what the plane has between pixels, and 0 outside.
func (p Plane) Bilinear(fx, fy float32) float32 {
	x, y := int(dsl.Floor(fx)), int(dsl.Floor(fy))
	ax, ay := fx-float32(x), fy-float32(y)
	top := p.AtOr(x, y, 0)*(1-ax) + p.AtOr(x+1, y, 0)*ax
	bottom := p.AtOr(x, y+1, 0)*(1-ax) + p.AtOr(x+1, y+1, 0)*ax
	return top*(1-ay) + bottom*ay
}

const (
	BlurW      = 32
	BlurH      = 8
	BlurRadius = 4
)

// Separable is a convolution along x and then along y (CUDA's samples).
//
//heddle:noalias
func Separable(w, h int, weights [2*BlurRadius + 1]float32, in, out []float32) {
	tile := dsl.Shared[[BlurH + 2*BlurRadius][BlurW + 2*BlurRadius]float32]()
	rows := dsl.Shared[[BlurH + 2*BlurRadius][BlurW]float32]()
	src, dst := Plane{in, w, h}, Plane{out, w, h}
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x0, y0 := dsl.BlockIdx().X*BlurW, dsl.BlockIdx().Y*BlurH
	for j := ty; j < len(tile); j += BlurH {
		for i := tx; i < len(tile[j]); i += BlurW {
			tile[j][i] = src.Clamped(x0+i-BlurRadius, y0+j-BlurRadius)
		}
	}
	dsl.SyncThreads()
	for j := ty; j < len(rows); j += BlurH {
		var sum float32
		for k, v := range weights {
			sum += v * tile[j][tx+k]
		}
		rows[j][tx] = sum
	}
	dsl.SyncThreads()
	x, y := x0+tx, y0+ty
	if !dst.Inside(x, y) {
		return
	}
	var sum float32
	for k, v := range weights {
		sum += v * rows[ty+k][tx]
	}
	dst.Set(x, y, sum)
}

// Rotate turns a picture about its middle.
func Rotate(w, h int, cos, sin float32, in, out []float32) {
	src, dst := Plane{in, w, h}, Plane{out, w, h}
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if !dst.Inside(x, y) {
		return
	}
	cx, cy := float32(w-1)/2, float32(h-1)/2
	dx, dy := float32(x)-cx, float32(y)-cy
	dst.Set(x, y, src.Bilinear(cos*dx+sin*dy+cx, cos*dy-sin*dx+cy))
}

// Water is what a cell has: its height and how much flows.
type Water struct{ H, HU, HV float32 }

func (a Water) Add(b Water) Water     { return Water{a.H + b.H, a.HU + b.HU, a.HV + b.HV} }
func (a Water) Sub(b Water) Water     { return Water{a.H - b.H, a.HU - b.HU, a.HV - b.HV} }
func (a Water) Scale(s float32) Water { return Water{a.H * s, a.HU * s, a.HV * s} }
func (a Water) FluxX(g float32) Water {
	u := a.HU / a.H
	return Water{a.HU, a.HU*u + 0.5*g*a.H*a.H, a.HV * u}
}
func (a Water) FluxY(g float32) Water {
	v := a.HV / a.H
	return Water{a.HV, a.HU * v, a.HV*v + 0.5*g*a.H*a.H}
}

// A Sea is a torus of cells.
type Sea struct {
	Cells []Water
	W, H  int
}

func wrap(i, n int) int {
	switch {
	case i < 0:
		return i + n
	case i >= n:
		return i - n
	}
	return i
}

func (s Sea) At(x, y int) Water     { return s.Cells[wrap(y, s.H)*s.W+wrap(x, s.W)] }
func (s Sea) Set(x, y int, c Water) { s.Cells[y*s.W+x] = c }

// ShallowWater is a step of Lax and Friedrichs'.
func ShallowWater(now, next Sea, g, ratio float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= now.W || y >= now.H {
		return
	}
	west, east := now.At(x-1, y), now.At(x+1, y)
	north, south := now.At(x, y-1), now.At(x, y+1)
	mean := west.Add(east).Add(north).Add(south).Scale(0.25)
	flux := east.FluxX(g).Sub(west.FluxX(g)).Add(south.FluxY(g).Sub(north.FluxY(g)))
	next.Set(x, y, mean.Sub(flux.Scale(0.5*ratio)))
}

// A Grid3 has a value at each point of a box.
type Grid3[T any] struct {
	Data       []T
	NX, NY, NZ int
}

func (g Grid3[T]) index(x, y, z int) int { return (z*g.NY+y)*g.NX + x }
func (g Grid3[T]) At(x, y, z int) T      { return g.Data[g.index(x, y, z)] }
func (g Grid3[T]) Set(x, y, z int, v T)  { g.Data[g.index(x, y, z)] = v }

// FDTD changes an electric field by a magnetic one.
//
//heddle:noalias
func FDTD(nx, ny, nz int, c float32, hx, hy, hz, ex, ey, ez []float32) {
	grid := func(data []float32) Grid3[float32] { return Grid3[float32]{data, nx, ny, nz} }
	magX, magY, magZ := grid(hx), grid(hy), grid(hz)
	elX, elY, elZ := grid(ex), grid(ey), grid(ez)
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x == 0 || x >= nx || y == 0 || y >= ny {
		return
	}
	for z := 1; z < nz; z++ {
		hx, hy, hz := magX.At(x, y, z), magY.At(x, y, z), magZ.At(x, y, z)
		elX.Set(x, y, z, elX.At(x, y, z)+c*((hz-magZ.At(x, y-1, z))-(hy-magY.At(x, y, z-1))))
		elY.Set(x, y, z, elY.At(x, y, z)+c*((hx-magX.At(x, y, z-1))-(hz-magZ.At(x-1, y, z))))
		elZ.Set(x, y, z, elZ.At(x, y, z)+c*((hy-magY.At(x-1, y, z))-(hx-magX.At(x, y-1, z))))
	}
}

// A Graph lists for each node those that point to it.
type Graph struct{ First, From []int32 }

func (g Graph) Into(v int) []int32 { return g.From[g.First[v]:g.First[v+1]] }

// PageRank is a step: each node gets of those that point to it.
//
//heddle:noalias
func PageRank(damping float32, first, from, degree []int32, rank, next []float32) {
	g := Graph{first, from}
	v := dsl.GlobalIdx().X
	if v >= len(next) {
		return
	}
	var sum float32
	for _, u := range g.Into(v) {
		sum += rank[u] / float32(degree[u])
	}
	next[v] = (1-damping)/float32(len(next)) + damping*sum
}

const LUOrder = 64

// LU splits matrices with rows exchanged, a block each.
func LU(in, out []float32, pivots []int32) {
	a := dsl.Shared[[LUOrder][LUOrder + 1]float32]()
	t, b := dsl.ThreadIdx().X, dsl.BlockIdx().X
	const size = LUOrder * LUOrder
	src, dst := in[b*size:(b+1)*size], out[b*size:(b+1)*size]
	for r := range LUOrder {
		a[r][t] = src[r*LUOrder+t]
	}
	dsl.SyncThreads()
	for k := range LUOrder {
		p := k
		for r := k + 1; r < LUOrder; r++ {
			if dsl.Abs(a[r][k]) > dsl.Abs(a[p][k]) {
				p = r
			}
		}
		dsl.SyncThreads()
		if p != k {
			a[k][t], a[p][t] = a[p][t], a[k][t]
		}
		if t == 0 {
			pivots[b*LUOrder+k] = int32(p)
		}
		dsl.SyncThreads()
		if t > k {
			f := a[t][k] / a[k][k]
			a[t][k] = f
			for c := k + 1; c < LUOrder; c++ {
				a[t][c] -= f * a[k][c]
			}
		}
		dsl.SyncThreads()
	}
	for r := range LUOrder {
		dst[r*LUOrder+t] = a[r][t]
	}
}

// A Matrix is row by row.
type Matrix struct {
	Data       []float32
	Rows, Cols int
}

func (m Matrix) At(i, j int) float32     { return m.Data[i*m.Cols+j] }
func (m Matrix) Set(i, j int, v float32) { m.Data[i*m.Cols+j] = v }
func (m Matrix) Row(i int) []float32     { return m.Data[i*m.Cols : (i+1)*m.Cols] }

// SpMM multiplies a sparse matrix by a dense one.
//
//heddle:noalias
func SpMM(n, cols int, first, index []int32, values, dense, out []float32) {
	b, c := Matrix{dense, n, cols}, Matrix{out, n, cols}
	i, j := dsl.GlobalIdx().Y, dsl.GlobalIdx().X
	if i >= c.Rows || j >= c.Cols {
		return
	}
	var sum float32
	for e := first[i]; e < first[i+1]; e++ {
		sum += values[e] * b.At(int(index[e]), j)
	}
	c.Set(i, j, sum)
}

const NormThreads = 256

// blockTotal combines what the threads of a block have.
func blockTotal[T dsl.Float](buf *[NormThreads]T, v T, op func(a, b T) T) T {
	t := dsl.ThreadIdx().X
	buf[t] = v
	dsl.SyncThreads()
	for s := len(buf) / 2; s > 0; s /= 2 {
		if t < s {
			buf[t] = op(buf[t], buf[t+s])
		}
		dsl.SyncThreads()
	}
	return buf[0]
}

// RMSNorm adds to rows and makes their mean square 1, a block a row.
func RMSNorm(width int, eps float32, in, weight, residual, out []float32) {
	buf := dsl.Shared[[NormThreads]float32]()
	rows := dsl.GridDim().X
	x, res, y := Matrix{in, rows, width}, Matrix{residual, rows, width}, Matrix{out, rows, width}
	b := dsl.BlockIdx().X
	own, sums, norms := x.Row(b), res.Row(b), y.Row(b)
	var square float32
	for i := dsl.ThreadIdx().X; i < width; i += NormThreads {
		v := own[i] + sums[i]
		sums[i] = v
		square += v * v
	}
	total := blockTotal(buf, square, func(a, b float32) float32 { return a + b })
	scale := dsl.Rsqrt(total/float32(width) + eps)
	for i := dsl.ThreadIdx().X; i < width; i += NormThreads {
		norms[i] = sums[i] * scale * weight[i]
	}
}

const Int4Group = 64 // numbers of a scale

// Int4Gemv multiplies a matrix of numbers of four bits by a vector, a warp a row.
//
//heddle:noalias
func Int4Gemv(cols int, weights []uint32, scales, x, y []float32) {
	row := dsl.GlobalIdx().X / dsl.WarpSize()
	if row >= len(y) {
		return
	}
	words, groups := cols/8, cols/Int4Group
	own, scale := weights[row*words:(row+1)*words], scales[row*groups:(row+1)*groups]
	var sum float32
	for i := dsl.LaneID(); i < words; i += dsl.WarpSize() {
		word := own[i]
		var part float32
		for k, v := range x[8*i : 8*i+8] {
			part += float32(int32(word>>(4*k)&15)-8) * v
		}
		sum += part * scale[i*8/Int4Group]
	}
	if sum = warpTotal(sum); dsl.LaneID() == 0 {
		y[row] = sum
	}
}

func endsEqual(a, b []byte) bool {
	for k := len(a) - 1; k >= 0; k-- {
		if a[k] != b[k] {
			return false
		}
	}
	return true
}

// Horspool counts where a pattern is in each chunk of a text.
func Horspool(chunk int, text, pattern []byte, counts []int32) {
	shift := dsl.Shared[[256]int32]()
	m := len(pattern)
	for c := dsl.ThreadIdx().X; c < len(shift); c += dsl.BlockDim().X {
		shift[c] = int32(m)
	}
	dsl.SyncThreads()
	if dsl.ThreadIdx().X == 0 {
		for k, c := range pattern[:m-1] {
			shift[c] = int32(m - 1 - k)
		}
	}
	dsl.SyncThreads()
	i := dsl.GlobalIdx().X
	if i >= len(counts) {
		return
	}
	n := int32(0)
	end := min((i+1)*chunk, len(text)-m+1)
	for at := i * chunk; at < end; {
		window := text[at : at+m]
		if endsEqual(window, pattern) {
			n++
		}
		at += int(shift[window[m-1]])
	}
	counts[i] = n
}

const (
	RDFTile = 128
	RDFBins = 256
)

// RDF counts pairs by how far apart they are in a box that repeats.
func RDF(box, scale float32, points []Vec, hist []uint32) {
	tile := dsl.Shared[[RDFTile]Vec]()
	local := dsl.Shared[[RDFBins]uint32]()
	image := func(d float32) float32 {
		switch {
		case d > box/2:
			return d - box
		case d < -box/2:
			return d + box
		}
		return d
	}
	i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
	for b := t; b < RDFBins; b += RDFTile {
		local[b] = 0
	}
	var p Vec
	if i < len(points) {
		p = points[i]
	}
	for base := 0; base < len(points); base += RDFTile {
		if base+t < len(points) {
			tile[t] = points[base+t]
		}
		dsl.SyncThreads()
		for j, q := range tile[:min(RDFTile, len(points)-base)] {
			if i >= len(points) || base+j <= i {
				continue
			}
			d := p.Sub(q)
			d = Vec{image(d.X), image(d.Y), image(d.Z)}
			if bin := int(dsl.Sqrt(d.Dot(d)) * scale); bin < RDFBins {
				dsl.AtomicAdd(&local[bin], 1)
			}
		}
		dsl.SyncThreads()
	}
	for b := t; b < RDFBins; b += RDFTile {
		if n := local[b]; n > 0 {
			dsl.AtomicAdd(&hist[b], n)
		}
	}
}

// CubeCase says which corners of a cell are below a level.
func (g Grid3[T]) CubeCase(x, y, z int, below func(T) bool) (c int) {
	for k := range 8 {
		if below(g.At(x+k&1, y+k>>1&1, z+k>>2)) {
			c |= 1 << k
		}
	}
	return c
}

// Marching finds the cells that a surface cuts, and how many of their edges.
func Marching(volume Grid3[float32], level float32, edges []uint16, cases, counts Grid3[uint8]) {
	i := dsl.GlobalIdx()
	if i.X >= cases.NX || i.Y >= cases.NY || i.Z >= cases.NZ {
		return
	}
	c := volume.CubeCase(i.X, i.Y, i.Z, func(v float32) bool { return v < level })
	cases.Set(i.X, i.Y, i.Z, uint8(c))
	counts.Set(i.X, i.Y, i.Z, uint8(bits.OnesCount16(edges[c])))
}
