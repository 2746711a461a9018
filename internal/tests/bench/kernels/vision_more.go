package kernels

import (
	"heddle/dsl"
)

const (
	LabelW = 32 // threads of a block, and its pixels
	LabelH = 16
)

// A DisjointSet is a forest: a pixel has its parent, and a root itself.
type DisjointSet []int32

// Find is the root of a pixel.
func (s DisjointSet) Find(i int32) int32 {
	for s[i] != i {
		i = s[i]
	}
	return i
}

// Union joins the trees of two pixels; the lower root stays one.
func (s DisjointSet) Union(a, b int32) {
	for {
		a, b = s.Find(a), s.Find(b)
		if a == b {
			return
		}
		if a < b {
			a, b = b, a
		}
		old := dsl.AtomicMin(&s[a], b)
		if old == a {
			return
		}
		a = old // another thread was faster
	}
}

// LabelTiles finds the connected components of each tile of a mask, by eight neighbors. A label
// is the first pixel of a component; -1 is background.
func LabelTiles(mask Grey, labels []int32) {
	parent := dsl.Shared[[LabelW * LabelH]int32]()
	inside := dsl.Shared[[LabelH][LabelW]bool]()
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	own := int32(ty*LabelW + tx)
	parent[own] = own
	inside[ty][tx] = mask.Inside(x, y) && mask.Pix[y*mask.W+x] != 0
	dsl.SyncThreads()
	set := DisjointSet(parent[:])
	if inside[ty][tx] {
		for _, to := range [...][2]int{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
			u, v := tx+to[0], ty+to[1]
			if u >= 0 && u < LabelW && v >= 0 && inside[v][u] {
				set.Union(own, int32(v*LabelW+u))
			}
		}
	}
	dsl.SyncThreads()
	if !mask.Inside(x, y) {
		return
	}
	label := int32(-1)
	if inside[ty][tx] {
		root := int(set.Find(own))
		label = int32((y-ty+root/LabelW)*mask.W + x - tx + root%LabelW)
	}
	labels[y*mask.W+x] = label
}

const DetectSize = 24 // of a window

// A HaarRect is a part of a window, and its weight.
type HaarRect struct {
	X, Y, W, H uint8
	Weight     float32
}

// A Weak is a weak classifier: it votes by the sum of its rectangles.
type Weak struct {
	Rects                  [3]HaarRect
	Threshold, Below, Over float32
}

// A Stage is some weak classifiers, and what their votes need to come to.
type Stage struct {
	First, End int32
	Threshold  float32
}

// A Cascade is a detector (Viola and Jones).
type Cascade struct {
	Stages []Stage
	Weak   []Weak
}

// An Integral has the sum of all pixels above and to the left of each. It wraps around; sums of
// rectangles do not.
type Integral struct {
	Stride int
	Data   []uint32
}

// Sum is the sum of a rectangle.
func (s Integral) Sum(x, y, w, h int) uint32 {
	top, bottom := y*s.Stride+x, (y+h)*s.Stride+x
	return s.Data[bottom+w] - s.Data[bottom] - s.Data[top+w] + s.Data[top]
}

// vote is what a weak classifier says of a window.
func (c *Weak) vote(sums Integral, x, y int, deviation float32) float32 {
	var feature float32
	for _, r := range c.Rects {
		if r.Weight != 0 {
			feature += r.Weight * float32(sums.Sum(x+int(r.X), y+int(r.Y), int(r.W), int(r.H)))
		}
	}
	if feature < c.Threshold*deviation {
		return c.Below
	}
	return c.Over
}

// Detect finds how many stages each window passes; the first that it does not ends it.
//
//heddle:noalias
func Detect(cascade Cascade, sums, squares Integral, w, h int, passed []uint8) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	const area = DetectSize * DetectSize
	mean := float32(sums.Sum(x, y, DetectSize, DetectSize)) / area
	variance := float32(squares.Sum(x, y, DetectSize, DetectSize))/area - mean*mean
	deviation := area * dsl.Sqrt(max(variance, 1))
	n := 0
	for _, stage := range cascade.Stages {
		var sum float32
		for i := stage.First; i < stage.End; i++ {
			sum += cascade.Weak[i].vote(sums, x, y, deviation)
		}
		if sum < stage.Threshold {
			break
		}
		n++
	}
	passed[y*w+x] = uint8(n)
}

// FarAway is the distance, squared, where there is nothing to be far from.
const FarAway = 1e20

// A Volume is voxels, by slice, row and column.
type Volume struct {
	W, H, D int
	Data    []float32
}

// An Envelope has the lowest of parabolas: where each is lowest, and from where on it is the
// lowest of all. There is one for each column of each slice.
type Envelope struct {
	Vertex []int32
	Start  []float32
}

// DistancePass makes distances, squared, of those along the rows, by the columns too
// (Felzenszwalb and Huttenlocher).
//
//heddle:noalias
func DistancePass(f, out Volume, envelope Envelope) {
	i := dsl.GlobalIdx().X
	if i >= f.W*f.D {
		return
	}
	column := i/f.W*f.W*f.H + i%f.W
	at := func(y int) int { return column + y*f.W }
	k := 0
	envelope.Vertex[at(0)] = 0
	envelope.Start[at(0)] = -FarAway
	for q := 1; q < f.H; q++ {
		height := f.Data[at(q)] + float32(q*q)
		var start float32
		for {
			v := int(envelope.Vertex[at(k)])
			start = (height - (f.Data[at(v)] + float32(v*v))) / float32(2*(q-v))
			if k == 0 || start > envelope.Start[at(k)] {
				break
			}
			k--
		}
		if start > envelope.Start[at(k)] {
			k++
		}
		envelope.Vertex[at(k)] = int32(q)
		envelope.Start[at(k)] = start
	}
	last := k
	k = 0
	for y := range f.H {
		for k < last && envelope.Start[at(k+1)] < float32(y) {
			k++
		}
		v := int(envelope.Vertex[at(k)])
		out.Data[at(y)] = float32((y-v)*(y-v)) + f.Data[at(v)]
	}
}

// A Surface is triangles.
type Surface struct {
	Vertices []Vec
	Faces    [][3]int32
}

// Voxels are n in each direction, a bit for each.
type Voxels struct {
	N    int
	Unit float32
	Bits []uint32
}

func (v Voxels) set(x, y, z int) {
	i := (z*v.N+y)*v.N + x
	dsl.AtomicOr(&v.Bits[i/32], 1<<(i%32))
}

// span is the voxels from a place to another.
func (v Voxels) span(lo, hi float32) (first, last int) {
	return clampInt(int(dsl.Floor(lo/v.Unit)), 0, v.N-1), clampInt(int(dsl.Floor(hi/v.Unit)), 0, v.N-1)
}

func (a Vec) Cross(b Vec) Vec { return Vec{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X} }

func (a Vec) Min(b Vec) Vec { return Vec{min(a.X, b.X), min(a.Y, b.Y), min(a.Z, b.Z)} }
func (a Vec) Max(b Vec) Vec { return Vec{max(a.X, b.X), max(a.Y, b.Y), max(a.Z, b.Z)} }

// A HalfPlane is where a*A + b*B + C is not negative.
type HalfPlane struct{ A, B, C float32 }

// An Outline is a triangle as it is seen along an axis, made wider by a square.
type Outline [3]HalfPlane

func (o *Outline) touches(a, b float32) bool {
	for _, h := range o {
		if a*h.A+b*h.B+h.C < 0 {
			return false
		}
	}
	return true
}

// outline is of corners that seen gives the places of; front says whether they turn left.
func outline(corners [3]Vec, unit float32, front bool, seen func(Vec) (a, b float32)) (o Outline) {
	for k, from := range corners {
		a0, b0 := seen(from)
		a1, b1 := seen(corners[(k+1)%3])
		h := HalfPlane{A: b0 - b1, B: a1 - a0}
		if !front {
			h.A, h.B = -h.A, -h.B
		}
		h.C = unit*max(h.A, 0) + unit*max(h.B, 0) - h.A*a0 - h.B*b0
		o[k] = h
	}
	return o
}

// Voxelize sets the voxels that triangles touch (Schwarz and Seidel; Forceflow's
// cuda_voxelizer).
//
//heddle:noalias
func Voxelize(surface Surface, voxels Voxels) {
	i := dsl.GlobalIdx().X
	if i >= len(surface.Faces) {
		return
	}
	var corners [3]Vec
	for k, v := range surface.Faces[i] {
		corners[k] = surface.Vertices[v]
	}
	a, b, c := corners[0], corners[1], corners[2]
	normal := b.Sub(a).Cross(c.Sub(a)).Unit()
	unit := voxels.Unit
	corner := func(n float32) float32 {
		if n > 0 {
			return unit
		}
		return 0
	}
	critical := Vec{corner(normal.X), corner(normal.Y), corner(normal.Z)}
	d1 := normal.Dot(critical.Sub(a))
	d2 := normal.Dot(Vec{unit, unit, unit}.Sub(critical).Sub(a))
	xy := outline(corners, unit, normal.Z >= 0, func(v Vec) (float32, float32) { return v.X, v.Y })
	yz := outline(corners, unit, normal.X >= 0, func(v Vec) (float32, float32) { return v.Y, v.Z })
	zx := outline(corners, unit, normal.Y >= 0, func(v Vec) (float32, float32) { return v.Z, v.X })
	lo, hi := a.Min(b).Min(c), a.Max(b).Max(c)
	x0, x1 := voxels.span(lo.X, hi.X)
	y0, y1 := voxels.span(lo.Y, hi.Y)
	z0, z1 := voxels.span(lo.Z, hi.Z)
	for z := z0; z <= z1; z++ {
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				p := Vec{float32(x), float32(y), float32(z)}.Scale(unit)
				d := normal.Dot(p)
				if (d+d1)*(d+d2) <= 0 && xy.touches(p.X, p.Y) && yz.touches(p.Y, p.Z) && zx.touches(p.Z, p.X) {
					voxels.set(x, y, z)
				}
			}
		}
	}
}
