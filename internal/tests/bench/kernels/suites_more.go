package kernels

import (
	"math"
	"math/bits"

	"heddle/dsl"
)

// A Vec is a point or a direction.
type Vec struct{ X, Y, Z float32 }

func (a Vec) Add(b Vec) Vec           { return Vec{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }
func (a Vec) Sub(b Vec) Vec           { return Vec{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }
func (a Vec) Scale(s float32) Vec     { return Vec{a.X * s, a.Y * s, a.Z * s} }
func (a Vec) Dot(b Vec) float32       { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func (a Vec) Unit() Vec               { return a.Scale(1 / dsl.Sqrt(a.Dot(a))) }
func (a Vec) distance2(b Vec) float32 { d := a.Sub(b); return d.Dot(d) }

const (
	KNNTile = 128
	KNNBest = 8
)

// A Near is one of the nearest points.
type Near struct {
	Distance float32
	Index    int32
}

// KNN finds the nearest points of each query, the nearest first.
func KNN(queries, points []Vec, distances []float32, indices []int32) {
	tile := dsl.Shared[[KNNTile]Vec]()
	i, t := dsl.GlobalIdx().X, dsl.ThreadIdx().X
	var best [KNNBest]Near
	for k := range best {
		best[k] = Near{math.MaxFloat32, -1}
	}
	var q Vec
	if i < len(queries) {
		q = queries[i]
	}
	for base := 0; base < len(points); base += KNNTile {
		if base+t < len(points) {
			tile[t] = points[base+t]
		}
		dsl.SyncThreads()
		for j := range min(KNNTile, len(points)-base) {
			d := q.distance2(tile[j])
			if d >= best[KNNBest-1].Distance {
				continue
			}
			k := KNNBest - 1
			for k > 0 && best[k-1].Distance > d {
				best[k] = best[k-1]
				k--
			}
			best[k] = Near{d, int32(base + j)}
		}
		dsl.SyncThreads()
	}
	if i >= len(queries) {
		return
	}
	for k, b := range best {
		distances[i*KNNBest+k] = b.Distance
		indices[i*KNNBest+k] = b.Index
	}
}

// A Ball is a thing in a scene.
type Ball struct {
	Center, Color   Vec
	Radius, Reflect float32
}

// A Camera looks at a scene.
type Camera struct {
	Eye, Light    Vec
	Width, Height int32
	Zoom          float32
}

// hit is how far away a ray meets a ball.
func (b *Ball) hit(origin, dir Vec) (float32, bool) {
	to := b.Center.Sub(origin)
	along := to.Dot(dir)
	d2 := b.Radius*b.Radius - (to.Dot(to) - along*along)
	if d2 < 0 {
		return 0, false
	}
	t := along - dsl.Sqrt(d2)
	return t, t > 1e-3
}

func nearest(balls []Ball, origin, dir Vec) (which int, t float32) {
	which, t = -1, 1e30
	for i := range balls {
		if d, ok := balls[i].hit(origin, dir); ok && d < t {
			which, t = i, d
		}
	}
	return which, t
}

// Trace is the color that a camera sees at a pixel.
func (c *Camera) Trace(balls []Ball, x, y int) Vec {
	origin := c.Eye
	dir := Vec{(float32(x) - float32(c.Width)/2) * c.Zoom, (float32(y) - float32(c.Height)/2) * c.Zoom, 1}.Unit()
	var color Vec
	weight := float32(1)
	for range 4 {
		which, t := nearest(balls, origin, dir)
		if which < 0 {
			color = color.Add(Vec{0.2, 0.3, 0.5}.Scale(weight * (0.5 + 0.5*dir.Y)))
			break
		}
		b := balls[which]
		p := origin.Add(dir.Scale(t))
		normal := p.Sub(b.Center).Unit()
		toLight := c.Light.Sub(p).Unit()
		shade := float32(0.1)
		if lit := normal.Dot(toLight); lit > 0 {
			if shadow, _ := nearest(balls, p, toLight); shadow < 0 {
				shade += 0.9 * lit
			}
		}
		color = color.Add(b.Color.Scale(weight * shade * (1 - b.Reflect)))
		weight *= b.Reflect
		if weight < 0.01 {
			break
		}
		origin = p
		dir = dir.Sub(normal.Scale(2 * dir.Dot(normal)))
	}
	return color
}

// Raytrace draws balls.
func Raytrace(camera Camera, balls []Ball, out []Vec) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= int(camera.Width) || y >= int(camera.Height) {
		return
	}
	out[y*int(camera.Width)+x] = camera.Trace(balls, x, y)
}

// A TreeBox of a tree holds boxes First and First+1, or Count points from First on.
type TreeBox struct {
	Low, High    [3]float32
	First, Count int32
}

// A Sphere is where points are looked for.
type Sphere struct {
	Center [3]float32
	Radius float32
}

// meets says whether a box has part in a sphere.
func (s *Sphere) meets(b *TreeBox) bool {
	var sum float32
	for k, c := range s.Center {
		d := max(b.Low[k]-c, 0, c-b.High[k])
		sum += d * d
	}
	return sum <= s.Radius*s.Radius
}

// BVH counts the points in each sphere, by a tree of boxes.
func BVH(boxes []TreeBox, points [][3]float32, spheres []Sphere, counts []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(spheres) {
		return
	}
	sphere := spheres[i]
	var stack [32]int32
	top := 1 // the root is there
	n := int32(0)
	for top > 0 {
		top--
		box := &boxes[stack[top]]
		if !sphere.meets(box) {
			continue
		}
		if box.Count == 0 {
			stack[top] = box.First
			stack[top+1] = box.First + 1
			top += 2
			continue
		}
		for _, p := range points[box.First : box.First+box.Count] {
			var sum float32
			for k := range p {
				d := p[k] - sphere.Center[k]
				sum += d * d
			}
			if sum <= sphere.Radius*sphere.Radius {
				n++
			}
		}
	}
	counts[i] = n
}

const (
	QueensMost   = 20 // columns
	QueensPlaced = 4
)

// Queens counts the ways to place n queens whose first ones the thread's number gives.
func Queens(n int, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	all := uint32(1)<<n - 1
	var cols, left, right, free [QueensMost + 1]uint32
	for rest, row := i, 0; row < QueensPlaced; row++ {
		bit := uint32(1) << (rest % n)
		rest /= n
		if (cols[row]|left[row]|right[row])&bit != 0 {
			out[i] = 0
			return
		}
		cols[row+1] = cols[row] | bit
		left[row+1] = (left[row] | bit) << 1
		right[row+1] = (right[row] | bit) >> 1
	}
	row, count := QueensPlaced, int32(0)
	free[row] = all &^ (cols[row] | left[row] | right[row])
	for row >= QueensPlaced {
		if free[row] == 0 {
			row--
			continue
		}
		bit := free[row] & -free[row]
		free[row] ^= bit
		if row == n-1 {
			count++
			continue
		}
		cols[row+1] = cols[row] | bit
		left[row+1] = (left[row] | bit) << 1
		right[row+1] = (right[row] | bit) >> 1
		row++
		free[row] = all &^ (cols[row] | left[row] | right[row])
	}
	out[i] = count
}

var blakeIV = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

var blakeSigma = [10][16]uint8{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

func blakeMix(v *[16]uint32, a, b, c, d int, x, y uint32) {
	v[a] += v[b] + x
	v[d] = bits.RotateLeft32(v[d]^v[a], -16)
	v[c] += v[d]
	v[b] = bits.RotateLeft32(v[b]^v[c], -12)
	v[a] += v[b] + y
	v[d] = bits.RotateLeft32(v[d]^v[a], -8)
	v[c] += v[d]
	v[b] = bits.RotateLeft32(v[b]^v[c], -7)
}

// Blake2sSum is the hash of one block, of which length bytes are the message.
func Blake2sSum(m *[16]uint32, length uint32) [8]uint32 {
	h := blakeIV
	h[0] ^= 0x01010020
	var v [16]uint32
	copy(v[:8], h[:])
	copy(v[8:], blakeIV[:])
	v[12] ^= length
	v[14] = ^v[14]
	for _, s := range blakeSigma {
		for k := range 4 {
			blakeMix(&v, k, k+4, k+8, k+12, m[s[2*k]], m[s[2*k+1]])
		}
		for k := range 4 {
			blakeMix(&v, k, (k+1)%4+4, (k+2)%4+8, (k+3)%4+12, m[s[8+2*k]], m[s[9+2*k]])
		}
	}
	for k := range h {
		h[k] ^= v[k] ^ v[k+8]
	}
	return h
}

// Blake2s hashes n messages of 64 bytes. Word k of message i is in[k*n+i].
func Blake2s(n int, in, out []uint32) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var m [16]uint32
	for k := range m {
		m[k] = in[k*n+i]
	}
	for k, v := range Blake2sSum(&m, 64) {
		out[k*n+i] = v
	}
}

// Thomas solves n tridiagonal systems. Row k of system i is at k*n+i.
func Thomas(n, length int, a, b, c, d, work, x []float64) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	work[i] = c[i] / b[i]
	x[i] = d[i] / b[i]
	for k := 1; k < length; k++ {
		e, last := k*n+i, (k-1)*n+i
		m := 1 / (b[e] - a[e]*work[last])
		work[e] = c[e] * m
		x[e] = (d[e] - a[e]*x[last]) * m
	}
	for k := length - 2; k >= 0; k-- {
		x[k*n+i] -= work[k*n+i] * x[(k+1)*n+i]
	}
}

const CholeskyOrder = 6

// CholeskySolve solves one system in place.
func CholeskySolve[T dsl.Float](m *[CholeskyOrder][CholeskyOrder]T, b *[CholeskyOrder]T) {
	for j := range CholeskyOrder {
		for k := range j {
			m[j][j] -= m[j][k] * m[j][k]
		}
		m[j][j] = dsl.Sqrt(m[j][j])
		for i := j + 1; i < CholeskyOrder; i++ {
			for k := range j {
				m[i][j] -= m[i][k] * m[j][k]
			}
			m[i][j] /= m[j][j]
		}
	}
	for i := range CholeskyOrder {
		for k := range i {
			b[i] -= m[i][k] * b[k]
		}
		b[i] /= m[i][i]
	}
	for i := CholeskyOrder - 1; i >= 0; i-- {
		for k := i + 1; k < CholeskyOrder; k++ {
			b[i] -= m[k][i] * b[k]
		}
		b[i] /= m[i][i]
	}
}

// Cholesky solves small systems of symmetric matrices, a thread each.
func Cholesky(matrices [][CholeskyOrder][CholeskyOrder]float32, b, x [][CholeskyOrder]float32) {
	i := dsl.GlobalIdx().X
	if i >= len(matrices) {
		return
	}
	m, v := matrices[i], b[i]
	CholeskySolve(&m, &v)
	x[i] = v
}

// A Bone turns and moves what hangs on it.
type Bone struct {
	Rotation    [4]float32 // a quaternion, the real part last
	Translation Vec
}

// A Vertex hangs on bones.
type Vertex struct {
	Position, Normal Vec
	Weights          [4]float32
	Bones            [4]uint8
}

// A Placed is a vertex where it has been moved.
type Placed struct{ Position, Normal Vec }

func cross(a, b Vec) Vec {
	return Vec{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}

func (b *Bone) rotate(v Vec) Vec {
	axis := Vec{b.Rotation[0], b.Rotation[1], b.Rotation[2]}
	t := cross(axis, v).Scale(2)
	return v.Add(t.Scale(b.Rotation[3])).Add(cross(axis, t))
}

// Skin is where a vertex is moved.
func (v *Vertex) Skin(bones []Bone) (p Placed) {
	for k, w := range v.Weights {
		b := &bones[v.Bones[k]]
		p.Position = p.Position.Add(b.rotate(v.Position).Add(b.Translation).Scale(w))
		p.Normal = p.Normal.Add(b.rotate(v.Normal).Scale(w))
	}
	p.Normal = p.Normal.Unit()
	return p
}

// Skinning moves vertices by their bones.
func Skinning(bones []Bone, vertices []Vertex, out []Placed) {
	i := dsl.GlobalIdx().X
	if i >= len(vertices) {
		return
	}
	out[i] = vertices[i].Skin(bones)
}

const (
	QueryLen = 32
	Letters  = 20
)

// SmithWaterman is the best local alignment of a query with each target, with affine gaps.
func SmithWaterman(length int, open, extend int32, scores [][Letters]int8, query, targets []uint8, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	var h, f [QueryLen + 1]int32
	best := int32(0)
	for _, letter := range targets[i*length : (i+1)*length] {
		row := &scores[letter]
		var diagonal, e int32
		for k, q := range query[:QueryLen] {
			e = max(e-extend, h[k]-open)
			f[k+1] = max(f[k+1]-extend, h[k+1]-open)
			score := max(0, diagonal+int32(row[q]), e, f[k+1])
			diagonal = h[k+1]
			h[k+1] = score
			best = max(best, score)
		}
	}
	out[i] = best
}

func fullAdd(a, b, c uint64) (sum, carry uint64) {
	sum = a ^ b ^ c
	return sum, a&b | c&(a^b)
}

// Life is a step of Conway's game on a torus, 64 cells a word.
func Life(w, h int, in, out []uint64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	rows := [3]int{(y + h - 1) % h, y, (y + 1) % h}
	var left, mid, right [3]uint64
	for k, r := range rows {
		word := in[r*w+x]
		mid[k] = word
		left[k] = word<<1 | in[r*w+(x+w-1)%w]>>63
		right[k] = word>>1 | in[r*w+(x+1)%w]<<63
	}
	s0, c0 := fullAdd(left[0], mid[0], right[0])
	s1, c1 := left[1]^right[1], left[1]&right[1]
	s2, c2 := fullAdd(left[2], mid[2], right[2])
	ones, c3 := fullAdd(s0, s1, s2)
	t, f0 := fullAdd(c0, c1, c2)
	twos, f1 := t^c3, t&c3
	fours := f0 | f1
	out[y*w+x] = twos &^ fours & (ones | mid[1])
}
