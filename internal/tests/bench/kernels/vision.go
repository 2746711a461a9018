package kernels

import (
	"math/bits"

	"heddle/dsl"
)

// The kernels here are of computer vision, written as Go programs have them.

// A Pixel has eight bits for each color.
type Pixel struct{ R, G, B, A uint8 }

// A Photo is pixels, row by row.
type Photo struct {
	W, H   int
	Pixels []Pixel
}

func (p Photo) Contains(x, y int) bool { return x < p.W && y < p.H }
func (p Photo) At(x, y int) Pixel      { return p.Pixels[y*p.W+x] }
func (p Photo) Set(x, y int, c Pixel)  { p.Pixels[y*p.W+x] = c }

// A Mode is where a pixel has moved to, among places and colors.
type Mode struct{ X, Y, R, G, B int }

func (m Mode) distance(c Pixel) int {
	r, g, b := int(c.R)-m.R, int(c.G)-m.G, int(c.B)-m.B
	return r*r + g*g + b*b
}

// moved is how far it is from one mode to another.
func (m Mode) moved(to Mode) int {
	r, g, b := to.R-m.R, to.G-m.G, to.B-m.B
	return absInt(to.X-m.X) + absInt(to.Y-m.Y) + r*r + g*g + b*b
}

// MeanShift gives each pixel the color of its mode: the mean of what is near it and like it,
// over and over until that moves no more (OpenCV's meanShiftFiltering).
//
//heddle:noalias
func MeanShift(src, dst Photo, reach, colors, steps int) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if !src.Contains(x, y) {
		return
	}
	c := src.At(x, y)
	m := Mode{x, y, int(c.R), int(c.G), int(c.B)}
	for range steps {
		var sum Mode
		n := 0
		for v := max(m.Y-reach, 0); v <= min(m.Y+reach, src.H-1); v++ {
			for u := max(m.X-reach, 0); u <= min(m.X+reach, src.W-1); u++ {
				q := src.At(u, v)
				if m.distance(q) > colors*colors {
					continue
				}
				sum.X += u
				sum.Y += v
				sum.R += int(q.R)
				sum.G += int(q.G)
				sum.B += int(q.B)
				n++
			}
		}
		if n == 0 {
			break
		}
		next := Mode{sum.X / n, sum.Y / n, sum.R / n, sum.G / n, sum.B / n}
		moved := m.moved(next)
		m = next
		if moved <= 1 {
			break
		}
	}
	dst.Set(x, y, Pixel{uint8(m.R), uint8(m.G), uint8(m.B), c.A})
}

const (
	BayerW = 32 // threads of a block, and its pixels
	BayerH = 8
)

// mirror is an index that is reflected at both ends, which do not repeat.
func mirror(i, n int) int {
	if i < 0 {
		return -i
	}
	if i >= n {
		return 2*n - 2 - i
	}
	return i
}

// Demosaic makes a photo of a sensor whose rows begin with red and green, or green and blue
// (Malvar, He and Cutler). A block holds its part of the sensor.
func Demosaic(raw Grey, out Photo) {
	tile := dsl.Shared[[BayerH + 4][BayerW + 4]uint8]()
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x0, y0 := dsl.BlockIdx().X*BayerW-2, dsl.BlockIdx().Y*BayerH-2
	for j := ty; j < len(tile); j += BayerH {
		for i := tx; i < len(tile[0]); i += BayerW {
			tile[j][i] = raw.Pix[mirror(y0+j, raw.H)*raw.W+mirror(x0+i, raw.W)]
		}
	}
	dsl.SyncThreads()
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if !raw.Inside(x, y) {
		return
	}
	at := func(dx, dy int) int { return int(tile[ty+2+dy][tx+2+dx]) }
	own := at(0, 0)
	beside, above := at(-1, 0)+at(1, 0), at(0, -1)+at(0, 1)
	beside2, above2 := at(-2, 0)+at(2, 0), at(0, -2)+at(0, 2)
	corners := at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)
	rounded := func(sixteenths int) uint8 { return clampByte((sixteenths + 8) >> 4) }
	green := rounded(8*own + 4*(beside+above) - 2*(beside2+above2))
	across := rounded(10*own + 8*beside - 2*(beside2+corners) + above2)
	along := rounded(10*own + 8*above - 2*(above2+corners) + beside2)
	opposite := rounded(12*own + 4*corners - 3*(beside2+above2))
	p := Pixel{A: 255}
	switch {
	case y%2 == 0 && x%2 == 0:
		p.R, p.G, p.B = uint8(own), green, opposite
	case y%2 == 0:
		p.R, p.G, p.B = across, uint8(own), along
	case x%2 == 0:
		p.R, p.G, p.B = along, uint8(own), across
	default:
		p.R, p.G, p.B = opposite, green, uint8(own)
	}
	out.Set(x, y, p)
}

// A Lens projects what is in front of it, and distorts it (Brown and Conrady).
type Lens struct {
	FX, FY, CX, CY float32
	Radial         [3]float32
	Tangential     [2]float32
}

// Project is where a ray through (x, y, 1) meets the sensor.
func (l Lens) Project(x, y float32) (u, v float32) {
	r2 := x*x + y*y
	radial := 1 + r2*(l.Radial[0]+r2*(l.Radial[1]+r2*l.Radial[2]))
	p1, p2 := l.Tangential[0], l.Tangential[1]
	u = x*radial + 2*p1*x*y + p2*(r2+2*x*x)
	v = y*radial + p1*(r2+2*y*y) + 2*p2*x*y
	return u*l.FX + l.CX, v*l.FY + l.CY
}

// A Border says what is beyond the edge of an image.
type Border int

const (
	BorderFill Border = iota
	BorderReplicate
	BorderReflect
)

// index is the index to take for i of n, if there is one.
func (b Border) index(i, n int) (int, bool) {
	if 0 <= i && i < n {
		return i, true
	}
	switch b {
	case BorderReplicate:
		return clampInt(i, 0, n-1), true
	case BorderReflect:
		return clampInt(mirror(i, n), 0, n-1), true
	}
	return 0, false
}

// An RGB is a color without alpha, of three bytes.
type RGB struct{ R, G, B uint8 }

// A Frame is an image of a video.
type Frame struct {
	W, H   int
	Pixels []RGB
}

// pixel is a pixel, also beyond the edges.
func (f Frame) pixel(x, y int, border Border, fill RGB) RGB {
	i, ok := border.index(x, f.W)
	if !ok {
		return fill
	}
	j, ok := border.index(y, f.H)
	if !ok {
		return fill
	}
	return f.Pixels[j*f.W+i]
}

// Bilinear is the color at a place between pixels.
func (f Frame) Bilinear(x, y float32, border Border, fill RGB) RGB {
	left, top := dsl.Floor(x), dsl.Floor(y)
	i, j := int(left), int(top)
	a, b := x-left, y-top
	p, q := f.pixel(i, j, border, fill), f.pixel(i+1, j, border, fill)
	r, s := f.pixel(i, j+1, border, fill), f.pixel(i+1, j+1, border, fill)
	between := func(p, q, r, s uint8) uint8 {
		upper := float32(p) + a*(float32(q)-float32(p))
		lower := float32(r) + a*(float32(s)-float32(r))
		return uint8(upper + b*(lower-upper) + 0.5)
	}
	return RGB{between(p.R, q.R, r.R, s.R), between(p.G, q.G, r.G, s.G), between(p.B, q.B, r.B, s.B)}
}

// Undistort makes the image that a camera without distortion, to, would have made.
//
//heddle:noalias
func Undistort(lens, to Lens, src, dst Frame, border Border, fill RGB) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= dst.W || y >= dst.H {
		return
	}
	u, v := lens.Project((float32(x)-to.CX)/to.FX, (float32(y)-to.CY)/to.FY)
	dst.Pixels[y*dst.W+x] = src.Bilinear(u, v, border, fill)
}

const (
	CensusThreads = 128 // of a block, and its pixels of a row
	Disparities   = 64
)

// census says which pixels around one are darker than it.
func census(g Grey, x, y int) (darker uint64) {
	middle := g.Clamped(x, y)
	for dy := -3; dy <= 3; dy++ {
		for dx := -4; dx <= 4; dx++ {
			if dx == 0 && dy == 0 {
				continue
			}
			darker <<= 1
			if g.Clamped(x+dx, y+dy) < middle {
				darker |= 1
			}
		}
	}
	return darker
}

// CensusMatch finds how far to the left each pixel is in the right image, to a part of a pixel.
// It is -1 where another place is almost as good.
//
//heddle:noalias
func CensusMatch(left, right Grey, disparity []float32) {
	row := dsl.Shared[[CensusThreads + Disparities - 1]uint64]()
	t, y := dsl.ThreadIdx().X, dsl.BlockIdx().Y
	first := dsl.BlockIdx().X*CensusThreads - (Disparities - 1)
	for k := t; k < len(row); k += CensusThreads {
		row[k] = census(right, first+k, y)
	}
	dsl.SyncThreads()
	x := dsl.GlobalIdx().X
	if x >= left.W {
		return
	}
	own := census(left, x, y)
	cost := func(d int) int { return bits.OnesCount64(own ^ row[t+Disparities-1-d]) }
	n := min(Disparities, x+1)
	best, least := 0, 64
	for d := range n {
		if c := cost(d); c < least {
			best, least = d, c
		}
	}
	second := 64
	for d := range n {
		if absInt(d-best) > 1 {
			second = min(second, cost(d))
		}
	}
	result := float32(-1)
	if 10*second > 11*least {
		result = float32(best)
		if best > 0 && best < n-1 {
			before, after := cost(best-1), cost(best+1)
			if bend := before - 2*least + after; bend > 0 {
				result += float32(before-after) / float32(2*bend)
			}
		}
	}
	disparity[y*left.W+x] = result
}
