package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// The kernels here are of fields that the other files leave out, written as Go programs have them.

// A Charge is a particle of a plasma: where it is, in cells, and what it carries.
type Charge struct{ X, Y, Q float32 }

// PicDeposit gives each particle's charge to the four corners of its cell, on a grid that repeats.
func PicDeposit(nx, ny int, particles []Charge, rho []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(particles) {
		return
	}
	p := particles[i]
	cx, cy := int(dsl.Floor(p.X)), int(dsl.Floor(p.Y))
	fx, fy := p.X-float32(cx), p.Y-float32(cy)
	x0, y0 := cx%nx, cy%ny
	x1, y1 := (cx+1)%nx, (cy+1)%ny
	dsl.AtomicAdd(&rho[y0*nx+x0], p.Q*(1-fx)*(1-fy))
	dsl.AtomicAdd(&rho[y0*nx+x1], p.Q*fx*(1-fy))
	dsl.AtomicAdd(&rho[y1*nx+x0], p.Q*(1-fx)*fy)
	dsl.AtomicAdd(&rho[y1*nx+x1], p.Q*fx*fy)
}

const (
	SADBlock = 8
	SADReach = 2
	SADSide  = 2*SADReach + 1
)

func absInt(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

// SAD compares each 8 by 8 pixels of a picture with those at 25 offsets in the picture before
// it; a thread an offset.
//
//heddle:noalias
func SAD(w, h int, cur, ref []uint8, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	blocks := w / SADBlock
	k, b := i%(SADSide*SADSide), i/(SADSide*SADSide)
	x0, y0 := b%blocks*SADBlock, b/blocks*SADBlock
	dx, dy := k%SADSide-SADReach, k/SADSide-SADReach
	sum := 0
	for y := range SADBlock {
		for x := range SADBlock {
			rx, ry := clampInt(x0+x+dx, 0, w-1), clampInt(y0+y+dy, 0, h-1)
			sum += absInt(int(cur[(y0+y)*w+x0+x]) - int(ref[ry*w+rx]))
		}
	}
	out[i] = int32(sum)
}

// A Texel is a color.
type Texel struct{ R, G, B int }

func (a Texel) Min(b Texel) Texel { return Texel{min(a.R, b.R), min(a.G, b.G), min(a.B, b.B)} }
func (a Texel) Max(b Texel) Texel { return Texel{max(a.R, b.R), max(a.G, b.G), max(a.B, b.B)} }
func (a Texel) distance(b Texel) int {
	r, g, bl := a.R-b.R, a.G-b.G, a.B-b.B
	return r*r + g*g + bl*bl
}

// pack is the color in 16 bits.
func (a Texel) pack() int { return a.R>>3<<11 | a.G>>2<<5 | a.B>>3 }

func unpack(c int) Texel {
	r, g, b := c>>11&31, c>>5&63, c&31
	return Texel{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2}
}

// blend is two parts of a and one of b.
func blend(a, b Texel) Texel {
	return Texel{(2*a.R + b.R) / 3, (2*a.G + b.G) / 3, (2*a.B + b.B) / 3}
}

// BC1 makes 64 bits of each 4 by 4 pixels: the corners of the box of their colors, and which of
// four colors between them is the nearest to each pixel.
func BC1(w, h int, rgb []uint8, out []uint64) {
	bx, by := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if bx >= w/4 || by >= h/4 {
		return
	}
	var block [16]Texel
	for i := range block {
		at := 3 * ((by*4+i/4)*w + bx*4 + i%4)
		block[i] = Texel{int(rgb[at]), int(rgb[at+1]), int(rgb[at+2])}
	}
	lo, hi := block[0], block[0]
	for _, p := range block[1:] {
		lo, hi = lo.Min(p), hi.Max(p)
	}
	c0, c1 := hi.pack(), lo.pack()
	var palette [4]Texel
	palette[0], palette[1] = unpack(c0), unpack(c1)
	palette[2], palette[3] = blend(palette[0], palette[1]), blend(palette[1], palette[0])
	var code uint64
	for i, p := range block {
		best, least := 0, p.distance(palette[0])
		for k := 1; k < len(palette); k++ {
			if d := p.distance(palette[k]); d < least {
				best, least = k, d
			}
		}
		code |= uint64(best) << (2 * i)
	}
	out[by*(w/4)+bx] = code<<32 | uint64(c1)<<16 | uint64(c0)
}

// A Region is a box in one of the pictures.
type Region struct {
	Picture        int32
	X1, Y1, X2, Y2 float32
}

// Features are channels of pictures.
type Features struct {
	Data    []float32
	C, H, W int
}

func (f Features) At(n, c, y, x int) float32 { return f.Data[((n*f.C+c)*f.H+y)*f.W+x] }

// Sample is what a channel has between its points.
func (f Features) Sample(n, c int, y, x float32) float32 {
	if y < -1 || y > float32(f.H) || x < -1 || x > float32(f.W) {
		return 0
	}
	y, x = max(y, 0), max(x, 0)
	y0, x0 := min(int(y), f.H-1), min(int(x), f.W-1)
	y1, x1 := min(y0+1, f.H-1), min(x0+1, f.W-1)
	ay, ax := min(y-float32(y0), 1), min(x-float32(x0), 1)
	top := f.At(n, c, y0, x0)*(1-ax) + f.At(n, c, y0, x1)*ax
	bottom := f.At(n, c, y1, x0)*(1-ax) + f.At(n, c, y1, x1)*ax
	return top*(1-ay) + bottom*ay
}

const (
	RoIBins    = 7
	RoISamples = 2 // in each direction of a bin
)

// RoIAlign is the mean of 2 by 2 samples in each of 7 by 7 parts of each region (Mask R-CNN).
//
//heddle:noalias
func RoIAlign(channels, h, w int, scale float32, features []float32, regions []Region, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	f := Features{features, channels, h, w}
	px := i % RoIBins
	py := i / RoIBins % RoIBins
	c := i / (RoIBins * RoIBins) % channels
	r := regions[i/(RoIBins*RoIBins)/channels]
	x0, y0 := r.X1*scale-0.5, r.Y1*scale-0.5
	binW, binH := (r.X2-r.X1)*scale/RoIBins, (r.Y2-r.Y1)*scale/RoIBins
	var sum float32
	for sy := range RoISamples {
		y := y0 + float32(py)*binH + (float32(sy)+0.5)*binH/RoISamples
		for sx := range RoISamples {
			x := x0 + float32(px)*binW + (float32(sx)+0.5)*binW/RoISamples
			sum += f.Sample(int(r.Picture), c, y, x)
		}
	}
	out[i] = sum / (RoISamples * RoISamples)
}

type (
	ColorVector [3]complex64
	ColorMatrix [3][3]complex64
	// A Spinor is a quark field's value at a site.
	Spinor [4]ColorVector
)

func (u *ColorMatrix) Times(v ColorVector) (w ColorVector) {
	for i := range w {
		for j := range v {
			w[i] += u[i][j] * v[j]
		}
	}
	return w
}

func timesI(a complex64) complex64 { return complex(-imag(a), real(a)) }

// WilsonHop adds to each site of a periodic lattice what comes along a link from the next site
// in x: the spinor there, projected to two of its halves, times the link's matrix.
//
//heddle:noalias
func WilsonHop(nx, ny, nz, nt int, links []ColorMatrix, in, out []Spinor) {
	site := dsl.GlobalIdx().X
	if site >= len(out) {
		return
	}
	x, y, z, t := site%nx, site/nx%ny, site/nx/ny%nz, site/nx/ny/nz
	psi := in[((t*nz+z)*ny+y)*nx+(x+1)%nx]
	var half [2]ColorVector
	for c := range 3 {
		half[0][c] = psi[0][c] - timesI(psi[3][c])
		half[1][c] = psi[1][c] - timesI(psi[2][c])
	}
	u := links[site]
	half[0], half[1] = u.Times(half[0]), u.Times(half[1])
	sum := out[site]
	for c := range 3 {
		sum[0][c] += half[0][c]
		sum[1][c] += half[1][c]
		sum[2][c] += timesI(half[1][c])
		sum[3][c] += timesI(half[0][c])
	}
	out[site] = sum
}

// A RankBlock is 64 symbols of two bits, and how many of each there are before them.
type RankBlock struct {
	Before [4]uint32
	Lo, Hi uint64
}

// Rank counts a symbol before a place.
func Rank(blocks []RankBlock, symbol uint8, at int) int {
	b := blocks[at/64]
	lo, hi := b.Lo, b.Hi
	if symbol&1 == 0 {
		lo = ^lo
	}
	if symbol&2 == 0 {
		hi = ^hi
	}
	return int(b.Before[symbol]) + bits.OnesCount64(lo&hi&(1<<(at%64)-1))
}

// FMSearch counts where each pattern of m symbols is in a text of n, of which there is an FM
// index; a thread a pattern.
func FMSearch(n, m int, first [4]int32, blocks []RankBlock, patterns []uint8, counts []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(counts) {
		return
	}
	pattern := patterns[i*m : (i+1)*m]
	lo, hi := 0, n
	for k := m - 1; k >= 0 && lo < hi; k-- {
		s := pattern[k]
		lo = int(first[s]) + Rank(blocks, s, lo)
		hi = int(first[s]) + Rank(blocks, s, hi)
	}
	counts[i] = int32(hi - lo)
}

// JacobiRows is a step of Jacobi's for a sparse matrix; a thread a row.
//
//heddle:noalias
func JacobiRows(first, index []int32, values, b, x, next []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(next) {
		return
	}
	start, end := first[i], first[i+1]
	row := values[start:end]
	var diagonal float64
	sum := b[i]
	for k, j := range index[start:end] {
		if int(j) == i {
			diagonal = row[k]
		} else {
			sum -= row[k] * x[j]
		}
	}
	next[i] = sum / diagonal
}

// A Found is a box in which something was detected.
type Found struct{ X1, Y1, X2, Y2 float32 }

func (a Found) area() float32 { return (a.X2 - a.X1) * (a.Y2 - a.Y1) }

// overlap is the share that two boxes have in common.
func (a Found) overlap(b Found) float32 {
	w := max(min(a.X2, b.X2)-max(a.X1, b.X1), 0)
	h := max(min(a.Y2, b.Y2)-max(a.Y1, b.Y1), 0)
	return w * h / (a.area() + b.area() - w*h)
}

const NMSBoxes = 64 // of a word, and threads of a block

// NMS sets a bit for each later box that overlaps a box by more than a limit (non-maximum
// suppression).
func NMS(limit float32, boxes []Found, mask []uint64) {
	rows, cols := dsl.BlockIdx().Y, dsl.BlockIdx().X
	if rows > cols {
		return
	}
	tile := dsl.Shared[[NMSBoxes]Found]()
	t := dsl.ThreadIdx().X
	size := min(len(boxes)-cols*NMSBoxes, NMSBoxes)
	if t < size {
		tile[t] = boxes[cols*NMSBoxes+t]
	}
	dsl.SyncThreads()
	i := rows*NMSBoxes + t
	if i >= len(boxes) {
		return
	}
	own := boxes[i]
	start := 0
	if rows == cols {
		start = t + 1
	}
	var word uint64
	for j := start; j < size; j++ {
		if own.overlap(tile[j]) > limit {
			word |= 1 << j
		}
	}
	mask[i*dsl.GridDim().X+cols] = word
}

const EmbeddingDim = 128

// EmbeddingBag is the mean of the rows of a table that each bag names; a block a bag.
//
//heddle:noalias
func EmbeddingBag(table []float32, ids, offsets []int32, out []float32) {
	bag, t := dsl.BlockIdx().X, dsl.ThreadIdx().X
	start, end := int(offsets[bag]), len(ids)
	if bag+1 < len(offsets) {
		end = int(offsets[bag+1])
	}
	var sum float32
	for _, id := range ids[start:end] {
		sum += table[int(id)*EmbeddingDim+t]
	}
	if end > start {
		sum /= float32(end - start)
	}
	out[bag*EmbeddingDim+t] = sum
}

func sigmoid(x float32) float32 { return 1 / (1 + dsl.Exp(-x)) }

// GRUCell is the part of a recurrent unit behind its products: each row of input and hidden has
// three gates of width numbers.
func GRUCell(width int, input, hidden, state, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	row, j := i/width, i%width
	gi, gh := input[row*3*width:(row+1)*3*width], hidden[row*3*width:(row+1)*3*width]
	reset := sigmoid(gi[j] + gh[j])
	update := sigmoid(gi[width+j] + gh[width+j])
	fresh := dsl.Tanh(gi[2*width+j] + reset*gh[2*width+j])
	out[i] = (1-update)*fresh + update*state[i]
}

// A Grain is a ball that moves.
type Grain struct {
	Pos, Vel Vec
	Radius   float32
}

// CellList says which grains are in each cube of a box: those from First[c] up to First[c+1].
type CellList struct {
	First []int32
	N     int // along each edge
	Size  float32
}

func (c CellList) Of(p Vec) (x, y, z int) {
	return int(p.X / c.Size), int(p.Y / c.Size), int(p.Z / c.Size)
}

// contact is the force of grain b on a: a spring with damping.
func contact(a, b Grain, stiff, damp float32) Vec {
	d := b.Pos.Sub(a.Pos)
	reach := a.Radius + b.Radius
	square := d.Dot(d)
	if square >= reach*reach {
		return Vec{}
	}
	dist := dsl.Sqrt(square)
	normal := d.Scale(1 / dist)
	speed := b.Vel.Sub(a.Vel).Dot(normal)
	return normal.Scale(damp*speed - stiff*(reach-dist))
}

// DEMContact is the force on each grain of those in its cell and the 26 around it.
func DEMContact(cells CellList, stiff, damp float32, grains []Grain, force []Vec) {
	i := dsl.GlobalIdx().X
	if i >= len(grains) {
		return
	}
	own := grains[i]
	cx, cy, cz := cells.Of(own.Pos)
	var sum Vec
	for z := max(cz-1, 0); z <= min(cz+1, cells.N-1); z++ {
		for y := max(cy-1, 0); y <= min(cy+1, cells.N-1); y++ {
			for x := max(cx-1, 0); x <= min(cx+1, cells.N-1); x++ {
				c := (z*cells.N+y)*cells.N + x
				for j := int(cells.First[c]); j < int(cells.First[c+1]); j++ {
					if j != i {
						sum = sum.Add(contact(own, grains[j], stiff, damp))
					}
				}
			}
		}
	}
	force[i] = sum
}

// Unfold says how a convolution looks at pictures.
type Unfold struct {
	N, C, H, W            int
	Kernel                int
	Stride, Pad, Dilation int
}

func (u Unfold) outH() int { return (u.H+2*u.Pad-u.Dilation*(u.Kernel-1)-1)/u.Stride + 1 }
func (u Unfold) outW() int { return (u.W+2*u.Pad-u.Dilation*(u.Kernel-1)-1)/u.Stride + 1 }

// Im2col writes what a convolution multiplies: for each picture a row for each channel and
// place in the kernel, with a column for each place of the result.
//
//heddle:noalias
func Im2col(u Unfold, in, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	oh, ow, k := u.outH(), u.outW(), u.Kernel
	x, y := i%ow, i/ow%oh
	kx, ky := i/(oh*ow)%k, i/(oh*ow)/k%k
	c, n := i/(oh*ow)/(k*k)%u.C, i/(oh*ow)/(k*k)/u.C
	sx, sy := x*u.Stride-u.Pad+kx*u.Dilation, y*u.Stride-u.Pad+ky*u.Dilation
	var v float32
	if sx >= 0 && sx < u.W && sy >= 0 && sy < u.H {
		v = in[((n*u.C+c)*u.H+sy)*u.W+sx]
	}
	out[i] = v
}
