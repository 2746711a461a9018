package kernels

import (
	"cmp"

	"heddle/dsl"
)

// The kernels here are what programs in CUDA and HIP do, as one ports them to Go: pictures, grids,
// tables and networks, with slices, structs and helpers in place of pointers.

// A Grey is a picture of a byte a pixel.
type Grey struct {
	Pix  []uint8
	W, H int
}

func (g Grey) Inside(x, y int) bool { return x < g.W && y < g.H }
func (g Grey) Clamped(x, y int) uint8 {
	return g.Pix[clampInt(y, 0, g.H-1)*g.W+clampInt(x, 0, g.W-1)]
}
func (g Grey) Set(x, y int, v uint8) { g.Pix[y*g.W+x] = v }

const (
	NMSW = 32
	NMSH = 8
)

// slopes are how bright a picture gets along x and y at the middle of 3*3 pixels.
func slopes(tile *[NMSH + 4][NMSW + 4]uint8, x, y int) (gx, gy int) {
	at := func(dx, dy int) int { return int(tile[y+dy][x+dx]) }
	gx = at(2, 0) + 2*at(2, 1) + at(2, 2) - at(0, 0) - 2*at(0, 1) - at(0, 2)
	gy = at(0, 2) + 2*at(1, 2) + at(2, 2) - at(0, 0) - 2*at(1, 0) - at(2, 0)
	return gx, gy
}

// compass is the one of four directions that is next to a gradient.
func compass(gx, gy int) uint8 {
	ax, ay := absolute(gx), absolute(gy)
	switch {
	case 5*ay < 2*ax:
		return 0
	case 2*ay > 5*ax:
		return 2
	case gx*gy >= 0:
		return 1
	}
	return 3
}

// SobelNMS finds where a picture changes most along the change, and the direction of it.
func SobelNMS(in, edges, directions Grey) {
	tile := dsl.Shared[[NMSH + 4][NMSW + 4]uint8]()
	power := dsl.Shared[[NMSH + 2][NMSW + 2]float32]()
	tx, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	x0, y0 := dsl.BlockIdx().X*NMSW, dsl.BlockIdx().Y*NMSH
	for j := ty; j < len(tile); j += NMSH {
		for i := tx; i < len(tile[j]); i += NMSW {
			tile[j][i] = in.Clamped(x0+i-2, y0+j-2)
		}
	}
	dsl.SyncThreads()
	for j := ty; j < len(power); j += NMSH {
		for i := tx; i < len(power[j]); i += NMSW {
			gx, gy := slopes(tile, i, j)
			power[j][i] = dsl.Sqrt(float32(gx*gx + gy*gy))
		}
	}
	dsl.SyncThreads()
	x, y := x0+tx, y0+ty
	if !in.Inside(x, y) {
		return
	}
	d := compass(slopes(tile, tx+1, ty+1))
	dx, dy := 1, 0
	switch d {
	case 1:
		dy = 1
	case 2:
		dx, dy = 0, 1
	case 3:
		dx, dy = -1, 1
	}
	own := power[ty+1][tx+1]
	edge := uint8(0)
	if own > power[ty+1+dy][tx+1+dx] && own >= power[ty+1-dy][tx+1-dx] {
		edge = uint8(min(own, 255))
	}
	edges.Set(x, y, edge)
	directions.Set(x, y, d)
}

const IntegralThreads = 256

// IntegralRows sums up each row from its left, a block a row.
func IntegralRows(w int, in []uint8, out []uint32) {
	buf := dsl.Shared[[IntegralThreads]uint32]()
	t, y := dsl.ThreadIdx().X, dsl.BlockIdx().X
	row, sums := in[y*w:(y+1)*w], out[y*w:(y+1)*w]
	carry := uint32(0)
	for base := 0; base < len(row); base += IntegralThreads {
		x := base + t
		v := uint32(0)
		if x < len(row) {
			v = uint32(row[x])
		}
		buf[t] = v
		dsl.SyncThreads()
		for d := 1; d < IntegralThreads; d *= 2 {
			left := uint32(0)
			if t >= d {
				left = buf[t-d]
			}
			dsl.SyncThreads()
			buf[t] += left
			dsl.SyncThreads()
		}
		if x < len(sums) {
			sums[x] = carry + buf[t]
		}
		carry += buf[IntegralThreads-1]
		dsl.SyncThreads()
	}
}

// A Tensor has C numbers at each of H*W places of some pictures.
type Tensor struct {
	Data    []float32
	H, W, C int
}

func (t Tensor) index(n, y, x, c int) int { return ((n*t.H+y)*t.W+x)*t.C + c }
func (t Tensor) At(n, y, x, c int) float32 {
	if y < 0 || y >= t.H || x < 0 || x >= t.W {
		return 0
	}
	return t.Data[t.index(n, y, x, c)]
}

// DepthwiseConv is a convolution by 3*3 numbers a channel, limited to 0 to 6.
//
//heddle:noalias
func DepthwiseConv(in, out Tensor, stride, pad int, weights, bias []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out.Data) {
		return
	}
	c, x, y, n := i%out.C, i/out.C%out.W, i/out.C/out.W%out.H, i/out.C/out.W/out.H
	sum := bias[c]
	for ky := range 3 {
		for kx := range 3 {
			sum += weights[(ky*3+kx)*out.C+c] * in.At(n, y*stride+ky-pad, x*stride+kx-pad, c)
		}
	}
	out.Data[i] = min(max(sum, 0), 6)
}

// A Heads has vectors of so many heads for each token.
type Heads struct {
	Data         []float32
	Count, Depth int
}

func (h Heads) Of(token, head int) []float32 {
	at := (token*h.Count + head) * h.Depth
	return h.Data[at : at+h.Depth]
}

// Rope turns each pair of numbers of queries and keys by where their token is.
func Rope(q, k Heads, positions []int32, frequencies []float32) {
	i := dsl.GlobalIdx().X
	half := q.Depth / 2
	pair, head, token := i%half, i/half%q.Count, i/half/q.Count
	if token >= len(positions) {
		return
	}
	angle := float32(positions[token]) * frequencies[pair]
	sin, cos := dsl.Sin(angle), dsl.Cos(angle)
	turn := func(v []float32) {
		a, b := v[pair], v[pair+half]
		v[pair], v[pair+half] = a*cos-b*sin, a*sin+b*cos
	}
	turn(q.Of(token, head))
	if head < k.Count {
		turn(k.Of(token, head))
	}
}

func (g Grid3[T]) Clamped(x, y, z int) T {
	return g.At(clampInt(x, 0, g.NX-1), clampInt(y, 0, g.NY-1), clampInt(z, 0, g.NZ-1))
}

// Trilinear is what a volume has between its points.
func Trilinear(volume Grid3[float32], at []Vec, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	p := at[i]
	fx, fy, fz := dsl.Floor(p.X), dsl.Floor(p.Y), dsl.Floor(p.Z)
	x, y, z := int(fx), int(fy), int(fz)
	along := func(y, z int) float32 { return lerp(p.X-fx, volume.Clamped(x, y, z), volume.Clamped(x+1, y, z)) }
	out[i] = lerp(p.Z-fz, lerp(p.Y-fy, along(y, z), along(y+1, z)), lerp(p.Y-fy, along(y, z+1), along(y+1, z+1)))
}

// HeatADI is the half of a step of heat that is implicit along y, a line a thread.
//
//heddle:noalias
func HeatADI(nx, ny, nz int, r float32, in, upper, out []float32) {
	x, z := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= nx || z >= nz {
		return
	}
	heat, c, next := Grid3[float32]{in, nx, ny, nz}, Grid3[float32]{upper, nx, ny, nz}, Grid3[float32]{out, nx, ny, nz}
	middle := 1 + 2*r
	lastC, lastD := -r/middle, heat.At(x, 0, z)/middle
	c.Set(x, 0, z, lastC)
	next.Set(x, 0, z, lastD)
	for y := 1; y < ny; y++ {
		f := 1 / (middle + r*lastC)
		lastC = -r * f
		lastD = (heat.At(x, y, z) + r*lastD) * f
		c.Set(x, y, z, lastC)
		next.Set(x, y, z, lastD)
	}
	for y := ny - 2; y >= 0; y-- {
		lastD = next.At(x, y, z) - c.At(x, y, z)*lastD
		next.Set(x, y, z, lastD)
	}
}

// A JoinSlot is a slot of a hash table: a key, and the number of the row with that key. In an empty slot the number is negative.
type JoinSlot struct {
	Key uint64
	Row int32
}

// JoinHash is the hash of a key.
func JoinHash(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func lookup(table []JoinSlot, key uint64) int32 {
	mask := len(table) - 1
	at := int(JoinHash(key)) & mask
	for table[at].Row >= 0 {
		if table[at].Key == key {
			return table[at].Row
		}
		at = (at + 1) & mask
	}
	return -1
}

// HashJoin finds the row of each key.
//
//heddle:noalias
func HashJoin(keys []uint64, table []JoinSlot, rows []int32) {
	step := dsl.GridDim().X * dsl.BlockDim().X
	for i := dsl.GlobalIdx().X; i < len(keys); i += step {
		rows[i] = lookup(table, keys[i])
	}
}

// BoxCells finds each point's cell of n*n*n, and which of the cell's points it is.
func BoxCells(n int, scale float32, points []Vec, counts, cells, ranks []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(points) {
		return
	}
	along := func(v float32) int { return min(max(int(v*scale), 0), n-1) }
	p := points[i]
	cell := (along(p.Z)*n+along(p.Y))*n + along(p.X)
	cells[i] = int32(cell)
	ranks[i] = dsl.AtomicAdd(&counts[cell], 1)
}

const TopCount = 8

// A Top has the greatest values so far and where they are, the greatest first.
type Top[T cmp.Ordered] struct {
	Values [TopCount]T
	Where  [TopCount]int32
}

func (b *Top[T]) Insert(v T, where int32) {
	k := TopCount - 1
	if v <= b.Values[k] {
		return
	}
	for ; k > 0 && b.Values[k-1] < v; k-- {
		b.Values[k], b.Where[k] = b.Values[k-1], b.Where[k-1]
	}
	b.Values[k], b.Where[k] = v, where
}

// TopkRows finds the 8 greatest numbers, which are above 0, of each part of each row.
func TopkRows(cols, parts int, in, values []float32, where []int32) {
	i := dsl.GlobalIdx().X
	row, part, size := i/parts, i%parts, cols/parts
	if row >= len(in)/cols {
		return
	}
	var best Top[float32]
	first := part * size
	for c, v := range in[row*cols+first : row*cols+first+size] {
		best.Insert(v, int32(first+c))
	}
	for k := range TopCount {
		values[i*TopCount+k] = best.Values[k]
		where[i*TopCount+k] = best.Where[k]
	}
}

// An XorShift is the state of Marsaglia's generator.
type XorShift uint32

func (x *XorShift) Next() uint32 {
	*x ^= *x << 13
	*x ^= *x >> 17
	*x ^= *x << 5
	return uint32(*x)
}

const PottsStates = 5

// Cooling is half a sweep of Potts' model in a box that repeats: cells of one colour of a chessboard.
// chances has how likely a change is that breaks so many bonds.
func Cooling(n, colour int, chances [7]float32, spins Grid3[uint8], random []XorShift, change []int32) {
	i := dsl.GlobalIdx()
	x, y, z := i.X, i.Y, i.Z
	if x >= n || y >= n || z >= n || (x+y+z)%2 != colour {
		return
	}
	at := (z*n+y)*n + x
	state := random[at]
	old, proposed := spins.At(x, y, z), uint8(state.Next()%PottsStates)
	around := [6]uint8{
		spins.At((x+1)%n, y, z), spins.At((x+n-1)%n, y, z),
		spins.At(x, (y+1)%n, z), spins.At(x, (y+n-1)%n, z),
		spins.At(x, y, (z+1)%n), spins.At(x, y, (z+n-1)%n),
	}
	broken := 0
	for _, s := range around {
		if s == old {
			broken++
		}
		if s == proposed {
			broken--
		}
	}
	chance := float32(state.Next()>>8) * 0x1p-24
	random[at] = state
	if broken > 0 && chance >= chances[broken] {
		broken = 0
	} else {
		spins.Set(x, y, z, proposed)
	}
	change[at] = int32(broken)
}

// common counts what two sorted lists share.
func common[T cmp.Ordered](a, b []T) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	return n
}

// CSRTriangles counts, for each edge, what both of its ends lead to, a row a thread.
//
//heddle:noalias
func CSRTriangles(g Graph, counts []int32) {
	u := dsl.GlobalIdx().X
	if u >= len(g.First)-1 {
		return
	}
	own := g.Into(u)
	found := counts[g.First[u]:g.First[u+1]]
	for k, v := range own {
		found[k] = int32(common(own, g.Into(int(v))))
	}
}

// A Lab is a colour: how light it is, and how red and yellow.
type Lab struct{ L, A, B float32 }

func labRoot(t float32) float32 {
	if t > 0.008856 {
		return dsl.Cbrt(t)
	}
	return 7.787*t + 16./116
}

// RGBToLab converts a picture of three bytes a pixel; gamma is how bright each byte is.
func RGBToLab(rgb []uint8, gamma []float32, out []Lab) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	pixel := rgb[3*i : 3*i+3]
	r, g, b := gamma[pixel[0]], gamma[pixel[1]], gamma[pixel[2]]
	x := labRoot((0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047)
	y := labRoot(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := labRoot((0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883)
	out[i] = Lab{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
