package kernels

import (
	"math"

	"heddle/dsl"
)

// The kernels here and in suites_more.go are what other people's suites and examples have: softmax, a lattice Boltzmann step,
// ray tracing, searches, small solvers.

const SoftmaxThreads = 256

// Softmax makes each row of width numbers one distribution; a block a row.
func Softmax(width int, in, out []float32) {
	partial := dsl.Shared[[SoftmaxThreads]float32]()
	t, row := dsl.ThreadIdx().X, dsl.BlockIdx().X
	x, y := in[row*width:(row+1)*width], out[row*width:(row+1)*width]
	m := float32(math.Inf(-1))
	for i := t; i < width; i += SoftmaxThreads {
		m = max(m, x[i])
	}
	partial[t] = m
	dsl.SyncThreads()
	for s := SoftmaxThreads / 2; s > 0; s /= 2 {
		if t < s {
			partial[t] = max(partial[t], partial[t+s])
		}
		dsl.SyncThreads()
	}
	m = partial[0]
	dsl.SyncThreads()
	var sum float32
	for i := t; i < width; i += SoftmaxThreads {
		e := dsl.Exp(x[i] - m)
		y[i] = e
		sum += e
	}
	partial[t] = sum
	dsl.SyncThreads()
	for s := SoftmaxThreads / 2; s > 0; s /= 2 {
		if t < s {
			partial[t] += partial[t+s]
		}
		dsl.SyncThreads()
	}
	scale := 1 / partial[0]
	for i := t; i < width; i += SoftmaxThreads {
		y[i] *= scale
	}
}

// The nine directions of a lattice, the opposite ones, and their weights.
var (
	LBMX        = [9]int{0, 1, 0, -1, 0, 1, -1, -1, 1}
	LBMY        = [9]int{0, 0, 1, 0, -1, 1, 1, -1, -1}
	LBMOpposite = [9]int{0, 3, 4, 1, 2, 7, 8, 5, 6}
	LBMWeight   = [9]float32{4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36}
)

// LBM is a step of a D2Q9 lattice Boltzmann fluid on a torus: stream, then collide or bounce.
func LBM(w, h int, omega float32, solid []bool, src, dst []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	n, at := w*h, y*w+x
	var f [9]float32
	for k := range f {
		sx, sy := (x-LBMX[k]+w)%w, (y-LBMY[k]+h)%h
		f[k] = src[k*n+sy*w+sx]
	}
	if solid[at] {
		for k, v := range f {
			dst[LBMOpposite[k]*n+at] = v
		}
		return
	}
	var rho, ux, uy float32
	for k, v := range f {
		rho += v
		ux += v * float32(LBMX[k])
		uy += v * float32(LBMY[k])
	}
	ux /= rho
	uy /= rho
	square := ux*ux + uy*uy
	for k, v := range f {
		cu := float32(LBMX[k])*ux + float32(LBMY[k])*uy
		equilibrium := LBMWeight[k] * rho * (1 + 3*cu + 4.5*cu*cu - 1.5*square)
		dst[k*n+at] = v + omega*(equilibrium-v)
	}
}

// A Lorenz system.
type Lorenz struct{ Sigma, Rho, Beta float64 }

// Slope is the derivative at a state.
func (l Lorenz) Slope(s [3]float64) [3]float64 {
	return [3]float64{l.Sigma * (s[1] - s[0]), s[0]*(l.Rho-s[2]) - s[1], s[0]*s[1] - l.Beta*s[2]}
}

func along(s, d [3]float64, h float64) [3]float64 {
	for i := range s {
		s[i] += h * d[i]
	}
	return s
}

// Step is one of Runge and Kutta's fourth order.
func Step(slope func([3]float64) [3]float64, s [3]float64, h float64) [3]float64 {
	k1 := slope(s)
	k2 := slope(along(s, k1, h/2))
	k3 := slope(along(s, k2, h/2))
	k4 := slope(along(s, k3, h))
	for i := range s {
		s[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
	}
	return s
}

// RK4 follows systems with parameters of their own.
func RK4(steps int, h float64, systems []Lorenz, states [][3]float64) {
	i := dsl.GlobalIdx().X
	if i >= len(states) {
		return
	}
	s, system := states[i], systems[i]
	for range steps {
		s = Step(system.Slope, s, h)
	}
	states[i] = s
}

const (
	HaarThreads = 256
	HaarLen     = 2 * HaarThreads
)

// Haar is the wavelet transform of each HaarLen numbers (CUDA's samples).
func Haar(in, out []float32) {
	s := dsl.Shared[[HaarLen]float32]()
	t, base := dsl.ThreadIdx().X, dsl.BlockIdx().X*HaarLen
	s[t] = in[base+t]
	s[t+HaarThreads] = in[base+t+HaarThreads]
	dsl.SyncThreads()
	for half := HaarThreads; half > 0; half /= 2 {
		var sum float32
		if t < half {
			a, b := s[2*t], s[2*t+1]
			sum = (a + b) * 0.70710678
			out[base+half+t] = (a - b) * 0.70710678
		}
		dsl.SyncThreads()
		if t < half {
			s[t] = sum
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		out[base] = s[0]
	}
}

const CannyTile = 16

func clampInt(v, lo, hi int) int { return min(max(v, lo), hi) }

func absolute[T ~int | ~int32](v T) T {
	if v < 0 {
		return -v
	}
	return v
}

// sobel is the gradient of a tile at a row and a column.
func sobel(p *[CannyTile + 4][CannyTile + 4]uint8, r, c int) (gx, gy int32) {
	at := func(dr, dc int) int32 { return int32(p[r+dr][c+dc]) }
	gx = at(-1, 1) + 2*at(0, 1) + at(1, 1) - at(-1, -1) - 2*at(0, -1) - at(1, -1)
	gy = at(1, -1) + 2*at(1, 0) + at(1, 1) - at(-1, -1) - 2*at(-1, 0) - at(-1, 1)
	return gx, gy
}

// Canny finds the edges of a picture: gradients, then what is the largest across the edge.
func Canny(w, h int, low, high int32, in, out []uint8) {
	pixels := dsl.Shared[[CannyTile + 4][CannyTile + 4]uint8]()
	size := dsl.Shared[[CannyTile + 2][CannyTile + 2]int32]()
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x0, y0 := dsl.BlockIdx().X*CannyTile, dsl.BlockIdx().Y*CannyTile
	t := ty*CannyTile + tx
	for i := t; i < (CannyTile+4)*(CannyTile+4); i += CannyTile * CannyTile {
		r, c := i/(CannyTile+4), i%(CannyTile+4)
		pixels[r][c] = in[clampInt(y0+r-2, 0, h-1)*w+clampInt(x0+c-2, 0, w-1)]
	}
	dsl.SyncThreads()
	for i := t; i < (CannyTile+2)*(CannyTile+2); i += CannyTile * CannyTile {
		r, c := i/(CannyTile+2), i%(CannyTile+2)
		gx, gy := sobel(pixels, r+1, c+1)
		size[r][c] = absolute(gx) + absolute(gy)
	}
	dsl.SyncThreads()
	x, y := x0+tx, y0+ty
	if x >= w || y >= h {
		return
	}
	gx, gy := sobel(pixels, ty+2, tx+2)
	var dx, dy int
	switch ax, ay := absolute(gx), absolute(gy); {
	case 2*ay < ax:
		dx = 1
	case 2*ax < ay:
		dy = 1
	case (gx > 0) == (gy > 0):
		dx, dy = 1, 1
	default:
		dx, dy = 1, -1
	}
	m := size[ty+1][tx+1]
	v := uint8(0)
	if m > size[ty+1-dy][tx+1-dx] && m >= size[ty+1+dy][tx+1+dx] {
		if m >= high {
			v = 255
		} else if m >= low {
			v = 128
		}
	}
	out[y*w+x] = v
}

// An Image has three bytes a pixel.
type Image struct {
	W, H int
	Data []uint8
}

func (m Image) at(x, y, c int) float32 {
	return float32(m.Data[(clampInt(y, 0, m.H-1)*m.W+clampInt(x, 0, m.W-1))*3+c])
}

// Resize scales a picture (bilinear).
func Resize(sw, sh, dw, dh int, scaleX, scaleY float32, src, dst []uint8) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= dw || y >= dh {
		return
	}
	from := Image{sw, sh, src}
	fx, fy := (float32(x)+0.5)*scaleX-0.5, (float32(y)+0.5)*scaleY-0.5
	x0, y0 := int(dsl.Floor(fx)), int(dsl.Floor(fy))
	ax, ay := fx-float32(x0), fy-float32(y0)
	for c := range 3 {
		top := from.at(x0, y0, c)*(1-ax) + from.at(x0+1, y0, c)*ax
		bottom := from.at(x0, y0+1, c)*(1-ax) + from.at(x0+1, y0+1, c)*ax
		dst[(y*dw+x)*3+c] = uint8(top*(1-ay) + bottom*ay + 0.5)
	}
}

// CRC32 checks messages of length bytes, by a table in shared memory.
func CRC32(length int, table []uint32, data []byte, out []uint32) {
	local := dsl.Shared[[256]uint32]()
	for k := dsl.ThreadIdx().X; k < 256; k += dsl.BlockDim().X {
		local[k] = table[k]
	}
	dsl.SyncThreads()
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	crc := ^uint32(0)
	for _, b := range data[i*length : (i+1)*length] {
		crc = local[byte(crc)^b] ^ crc>>8
	}
	out[i] = ^crc
}

// A Code is what the next bits of a stream stand for, and how many they are.
type Code struct{ Symbol, Length uint8 }

const CodeBits = 12 // of the longest code

// A bitReader takes bits, the highest first.
type bitReader struct {
	words []uint32
	next  int
	bits  uint64
	have  int
}

func (r *bitReader) peek(n int) int {
	if r.have <= 32 && r.next < len(r.words) {
		r.bits |= uint64(r.words[r.next]) << (32 - r.have)
		r.have += 32
		r.next++
	}
	return int(r.bits >> (64 - n))
}

func (r *bitReader) skip(n int) {
	r.bits <<= n
	r.have -= n
}

// Huffman decodes streams of count symbols, which begin at words starts.
func Huffman(count int, table []Code, words []uint32, starts []int32, out []uint8) {
	i := dsl.GlobalIdx().X
	if i >= len(starts) {
		return
	}
	r := bitReader{words: words, next: int(starts[i])}
	own := out[i*count : (i+1)*count]
	for k := range own {
		code := table[r.peek(CodeBits)]
		own[k] = code.Symbol
		r.skip(int(code.Length))
	}
}

const SellRows = 32 // of a slice of Sell

// Sell multiplies a sparse matrix, stored by slices of rows of one width, by a vector.
func Sell(starts, cols []int32, values, x, y []float64) {
	row := dsl.GlobalIdx().X
	if row >= len(y) {
		return
	}
	s, lane := row/SellRows, row%SellRows
	var sum float64
	for e := int(starts[s]) + lane; e < int(starts[s+1]); e += SellRows {
		if c := cols[e]; c >= 0 {
			sum += values[e] * x[c]
		}
	}
	y[row] = sum
}

// Triangles counts, for each edge, the nodes that both ends go to, in sorted lists; and all.
func Triangles(rows, cols, from, count []int32, total []uint32) {
	e := dsl.GlobalIdx().X
	if e >= len(from) {
		return
	}
	u, v := from[e], cols[e]
	i, j := rows[u], rows[v]
	n := int32(0)
	for i < rows[u+1] && j < rows[v+1] {
		switch a, b := cols[i], cols[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			n++
			i++
			j++
		}
	}
	count[e] = n
	if n > 0 {
		dsl.AtomicAdd(&total[0], uint32(n))
	}
}
