package kernels

import (
	"math"
	"math/bits"

	"heddle/dsl"
	"heddle/vector"
)

// The kernels here are of models and searches: prices, training, genomes, number theory, shapes and filters.

const TreeSteps = 256 // of an option's life, and threads of a block

// A TreeOption is what it takes to price an option: a step multiplies the stock's price by
// exp(Spread) or divides by it, and Up and Down are the chances of that, discounted.
type TreeOption struct{ Stock, Strike, Spread, Up, Down float32 }

// Binomial prices American options to sell by a tree of prices, from its leaves to its root; a
// block an option.
func Binomial(options []TreeOption, prices []float32) {
	values := dsl.Shared[[TreeSteps + 1]float32]()
	t := dsl.ThreadIdx().X
	o := options[dsl.BlockIdx().X]
	stock := o.Stock * dsl.Exp(o.Spread*float32(2*t-TreeSteps))
	values[t] = max(o.Strike-stock, 0)
	if t == 0 {
		values[TreeSteps] = max(o.Strike-o.Stock*dsl.Exp(o.Spread*TreeSteps), 0)
	}
	dsl.SyncThreads()
	up := dsl.Exp(o.Spread)
	for step := TreeSteps - 1; step >= 0; step-- {
		var v float32
		if t <= step {
			stock *= up
			v = max(o.Up*values[t+1]+o.Down*values[t], o.Strike-stock)
		}
		dsl.SyncThreads()
		if t <= step {
			values[t] = v
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		prices[dsl.BlockIdx().X] = values[0]
	}
}

// AdamSettings are those of a step: Correct1 and Correct2 are what the means lack, as they began at zero.
type AdamSettings struct{ Rate, Beta1, Beta2, Eps, Decay, Correct1, Correct2 float32 }

// Adam moves parameters p along gradients g, with means m of the gradients and v of their squares.
//
//heddle:noalias
func Adam(a AdamSettings, g, m, v, p []float32) {
	step := dsl.GridDim().X * dsl.BlockDim().X
	for i := dsl.GlobalIdx().X; i < len(p); i += step {
		grad := g[i]
		m[i] = a.Beta1*m[i] + (1-a.Beta1)*grad
		v[i] = a.Beta2*v[i] + (1-a.Beta2)*grad*grad
		mean, square := m[i]/a.Correct1, v[i]/a.Correct2
		update := mean/(dsl.Sqrt(square)+a.Eps) + a.Decay*p[i]
		p[i] -= a.Rate * update
	}
}

// Winograd transforms the 4 by 4 pixels of each 2 by 2 results of a 3 by 3 convolution; zeros
// are around a picture. Each of the 16 numbers has a plane of the output.
//
//heddle:noalias
func Winograd(channels, h, w int, in, out []float32) {
	tilesX, tilesY := (w+1)/2, (h+1)/2
	n := channels * tilesX * tilesY
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	tx, ty, c := i%tilesX, i/tilesX%tilesY, i/tilesX/tilesY
	var d [4][4]float32
	for y := range 4 {
		for x := range 4 {
			sy, sx := 2*ty-1+y, 2*tx-1+x
			if sy >= 0 && sy < h && sx >= 0 && sx < w {
				d[y][x] = in[(c*h+sy)*w+sx]
			}
		}
	}
	var t [4][4]float32
	for x := range 4 {
		t[0][x] = d[0][x] - d[2][x]
		t[1][x] = d[1][x] + d[2][x]
		t[2][x] = d[2][x] - d[1][x]
		t[3][x] = d[1][x] - d[3][x]
	}
	for y := range 4 {
		out[(4*y+0)*n+i] = t[y][0] - t[y][2]
		out[(4*y+1)*n+i] = t[y][1] + t[y][2]
		out[(4*y+2)*n+i] = t[y][2] - t[y][1]
		out[(4*y+3)*n+i] = t[y][1] - t[y][3]
	}
}

const (
	ReadStrip    = 32  // bases of a read at once, and threads of a block
	MaxHaplotype = 256 // bases
	PairScale    = 0x1p120
)

// A Pairing says which bases are a read and which a haplotype.
type Pairing struct{ Read, ReadLen, Hap, HapLen int32 }

// A Transition has the chances of no gap, of a gap's end, its begin and that it goes on.
type Transition struct{ Match, Close, Open, Extend float32 }

// A Forward is the chance of all ways to a cell that end in a match, an insertion or a deletion.
type Forward struct{ M, I, D float32 }

func (f Forward) below() Forward {
	return Forward{dsl.ShflUpSync(all, f.M, 1), dsl.ShflUpSync(all, f.I, 1), dsl.ShflUpSync(all, f.D, 1)}
}

// PairHMM is the logarithm of the chance of each read, given a haplotype; a warp a pair. A thread
// has a base of the read, and is a base of the haplotype behind the thread before it.
func PairHMM(pairs []Pairing, reads, quals, gaps, haps []uint8, errors []float32, transitions []Transition, out []float32) {
	rows := dsl.Shared[[2][MaxHaplotype + 1]Forward]()
	pair := pairs[dsl.BlockIdx().X]
	lane := dsl.ThreadIdx().X
	readLen, hapLen := int(pair.ReadLen), int(pair.HapLen)
	hap := haps[pair.Hap : pair.Hap+pair.HapLen]
	for j := lane; j <= hapLen; j += ReadStrip {
		rows[0][j] = Forward{D: PairScale / float32(hapLen)}
	}
	var sum float32
	now, next := 0, 1
	for first := 0; first < readLen; first += ReadStrip {
		dsl.SyncThreads()
		row := first + lane
		var base uint8
		var miss float32
		var t Transition
		if row < readLen {
			at := int(pair.Read) + row
			base = reads[at]
			miss = errors[quals[at]]
			t = transitions[gaps[at]]
		}
		var own, corner Forward
		if lane == 0 {
			corner = rows[now][0]
			rows[next][0] = Forward{}
		}
		for d := range hapLen + ReadStrip - 1 {
			j := d - lane + 1
			above := own.below()
			if lane == 0 && j <= hapLen {
				above = rows[now][j]
			}
			if row < readLen && j >= 1 && j <= hapLen {
				prior := miss / 3
				if hap[j-1] == base {
					prior = 1 - miss
				}
				own = Forward{
					M: prior * (corner.M*t.Match + (corner.I+corner.D)*t.Close),
					I: above.M*t.Open + above.I*t.Extend,
					D: own.M*t.Open + own.D*t.Extend,
				}
				if lane == ReadStrip-1 {
					rows[next][j] = own
				}
				if row == readLen-1 {
					sum += own.M + own.I
				}
			}
			corner = above
		}
		now, next = next, now
	}
	if lane == (readLen-1)%ReadStrip {
		out[dsl.BlockIdx().X] = dsl.Log(sum) - 120*math.Ln2
	}
}

const (
	NTTSize = 1024 // numbers of a transform, with half as many threads
	NTTMod  = 998244353
)

func addMod(a, b uint32) uint32 {
	s := a + b
	if s >= NTTMod {
		s -= NTTMod
	}
	return s
}

func subMod(a, b uint32) uint32 {
	if a < b {
		a += NTTMod
	}
	return a - b
}

func mulMod(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) % NTTMod) }

// NTT is the number-theoretic transform of each run of NTTSize numbers, by radix 2 in shared
// memory.
func NTT(roots, in, out []uint32) {
	data := dsl.Shared[[NTTSize]uint32]()
	t, start := dsl.ThreadIdx().X, dsl.BlockIdx().X*NTTSize
	for k := t; k < NTTSize; k += dsl.BlockDim().X {
		data[bits.Reverse32(uint32(k))>>22] = in[start+k]
	}
	dsl.SyncThreads()
	for half := 1; half < NTTSize; half *= 2 {
		k := t % half
		i := t/half*2*half + k
		u, v := data[i], mulMod(data[i+half], roots[k*(NTTSize/2/half)])
		data[i] = addMod(u, v)
		data[i+half] = subMod(u, v)
		dsl.SyncThreads()
	}
	for k := t; k < NTTSize; k += dsl.BlockDim().X {
		out[start+k] = data[k]
	}
}

// PointInPolygon says which points are in a polygon: a ray to the right crosses its edges an odd
// number of times.
func PointInPolygon(polygon, points []vector.Float2, inside []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(points) {
		return
	}
	p := points[i]
	odd := false
	for j, k := 0, len(polygon)-1; j < len(polygon); j, k = j+1, j {
		a, b := polygon[j], polygon[k]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			odd = !odd
		}
	}
	inside[i] = odd
}

const JacobiSweeps = 15 // at most

// jacobiRotate makes element p, q of a symmetric matrix zero.
func jacobiRotate(a *[3][3]float32, p, q int) {
	apq := a[p][q]
	if apq == 0 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * apq)
	t := 1 / (dsl.Abs(theta) + dsl.Sqrt(theta*theta+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / dsl.Sqrt(t*t+1)
	s := t * c
	a[p][p] -= t * apq
	a[q][q] += t * apq
	a[p][q], a[q][p] = 0, 0
	r := 3 - p - q
	arp, arq := a[r][p], a[r][q]
	a[r][p] = c*arp - s*arq
	a[p][r] = a[r][p]
	a[r][q] = s*arp + c*arq
	a[q][r] = a[r][q]
}

// Eigen3 finds the eigenvalues of n symmetric matrices of order 3, the least first.
//
//heddle:noalias
func Eigen3(n int, in, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	xx, xy, xz, yy, yz, zz := in[i], in[n+i], in[2*n+i], in[3*n+i], in[4*n+i], in[5*n+i]
	a := [3][3]float32{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}
	for range JacobiSweeps {
		off := a[0][1]*a[0][1] + a[0][2]*a[0][2] + a[1][2]*a[1][2]
		on := a[0][0]*a[0][0] + a[1][1]*a[1][1] + a[2][2]*a[2][2]
		if off <= 1e-12*on {
			break
		}
		for p := 0; p < 2; p++ {
			for q := p + 1; q < 3; q++ {
				jacobiRotate(&a, p, q)
			}
		}
	}
	x, y, z := a[0][0], a[1][1], a[2][2]
	if x > y {
		x, y = y, x
	}
	if y > z {
		y, z = z, y
	}
	if x > y {
		x, y = y, x
	}
	out[i], out[n+i], out[2*n+i] = x, y, z
}

// Particles are the guesses of a filter, as a structure of arrays.
type Particles struct{ X, Y, VX, VY []float32 }

// lowerBound is the first place of sorted numbers with v or more.
func lowerBound(sorted []float32, v float32) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		mid := (lo + hi) / 2
		if sorted[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Resample draws as many particles as there are, each as often as its weight says (systematic
// resampling). It gets the sums of the weights up to each.
//
//heddle:noalias
func Resample(offset float32, sums []float32, in, out Particles) {
	i, n := dsl.GlobalIdx().X, len(sums)
	if i >= n {
		return
	}
	u := (float32(i) + offset) / float32(n)
	j := min(lowerBound(sums, u), n-1)
	out.X[i] = in.X[j]
	out.Y[i] = in.Y[j]
	out.VX[i] = in.VX[j]
	out.VY[i] = in.VY[j]
}
