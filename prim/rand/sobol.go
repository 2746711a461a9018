package rand

import (
	"math/bits"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Sobol32 is one coordinate of Sobol's quasi-random points: n of them fill the unit cube more evenly than n random ones
// (Sobol, 1967; in the order of Antonov and Saleev, by a Gray code; curandStateSobol32_t). Its words are the
// coordinates of points one after the other, as fractions of 2^32.
type Sobol32 struct {
	v    []uint32
	n, x uint32
}

// NewSobol32 returns coordinate dim, from 0 on, of the points from offset on. directions is the memory
// of [NewDirections].
func NewSobol32(directions []uint32, dim int, offset uint32) Sobol32 {
	v := directions[dim*(32+1) : (dim+1)*(32+1)]
	return Sobol32{v, offset, sobolAt(v, uint64(offset))}
}

// Uint32 returns the coordinate of the next point. After 2^32 points the first comes again.
func (g *Sobol32) Uint32() uint32 {
	x := g.x
	if k := bits.TrailingZeros32(^g.n); k < 32 {
		g.x ^= g.v[k]
		g.n++
	} else {
		g.n, g.x = 0, g.v[32]
	}
	return x
}

// Uint64 returns the coordinate of the next point as a fraction of 2^64, in the middle of its 2^-32.
func (g *Sobol32) Uint64() uint64 { return uint64(g.Uint32())<<32 | 1<<31 }

// Skip moves over n points.
func (g *Sobol32) Skip(n uint32) {
	g.n += n
	g.x = sobolAt(g.v, uint64(g.n))
}

// Sobol64 is Sobol32 with coordinates of 64 bits, and 2^64 points (curandStateSobol64_t).
type Sobol64 struct {
	v    []uint64
	n, x uint64
}

// NewSobol64 returns coordinate dim, from 0 on, of the points from offset on. directions is the memory
// of [NewDirections].
func NewSobol64(directions []uint64, dim int, offset uint64) Sobol64 {
	v := directions[dim*(64+1) : (dim+1)*(64+1)]
	return Sobol64{v, offset, sobolAt(v, offset)}
}

// Uint64 returns the coordinate of the next point as a fraction of 2^64. After 2^64 points the first comes again.
func (g *Sobol64) Uint64() uint64 {
	x := g.x
	if k := bits.TrailingZeros64(^g.n); k < 64 {
		g.x ^= g.v[k]
		g.n++
	} else {
		g.n, g.x = 0, g.v[64]
	}
	return x
}

// Uint32 returns the upper half of the coordinate of the next point.
func (g *Sobol64) Uint32() uint32 { return uint32(g.Uint64() >> 32) }

// Skip moves over n points.
func (g *Sobol64) Skip(n uint64) {
	g.n += n
	g.x = sobolAt(g.v, g.n)
}

// sobolAt is a coordinate of point n: the directions of the bits of n's Gray code, and the shift behind them.
func sobolAt[W Word](v []W, n uint64) W {
	x := v[len(v)-1]
	for gray := n ^ n>>1; gray != 0; gray &= gray - 1 {
		x ^= v[bits.TrailingZeros64(gray)]
	}
	return x
}

// NormQuantile32 returns a number of the standard normal distribution by inversion: it draws one word,
// and the result grows with it. Take it for quasi-random words, whose order NormFloat32 would spoil. It is within
// 2e-6 of the exact quantile at (w+1/2)/2^32.
func NormQuantile32[P Source](g P) float32 { return quantile32(g.Uint32()) }

// NormQuantile64 returns a number of the standard normal distribution by inversion: it calls Uint64 once,
// and the result grows with what that returns. It is within 1e-14 of the exact quantile at (w+1/2)/2^64.
func NormQuantile64[P Source](g P) float64 { return quantile64(g.Uint64()) }

// SobolBits fills out with Sobol's points from point skip on, as fractions of 2^32 or 2^64. out holds
// as many points as it has room for, the first coordinates of all points, then the second ones, and so on: as many coordinates as
// directions were made for. A longer fill starts, for each coordinate, with the shorter one's
// (curandGenerate of a quasi-random generator).
func SobolBits[W Word](s *launch.Stream, out, directions *launch.Buffer[W], skip uint64) error {
	return sobolWith("SobolBits", s, out, directions, skip, sobolRaw[W]{})
}

// SobolUniform is SobolBits with coordinates in [0, 1): multiples of 2^-24, as float64 of 2^-53, not above the point's.
func SobolUniform[T Float, W Word](s *launch.Stream, out *launch.Buffer[T], directions *launch.Buffer[W], skip uint64) error {
	return sobolWith("SobolUniform", s, out, directions, skip, sobolUniform[T, W]{})
}

// SobolNormal is SobolBits with coordinates of the normal distribution of a mean and a standard deviation, which is not
// negative, by inversion (NormQuantile32, NormQuantile64).
func SobolNormal[T Float, W Word](s *launch.Stream, out *launch.Buffer[T], directions *launch.Buffer[W], skip uint64, mean, stddev T) error {
	if err := deviation("SobolNormal", mean, stddev); err != nil {
		return err
	}
	return sobolWith("SobolNormal", s, out, directions, skip, sobolNormal[T, W]{mean, stddev})
}

// A coordinate makes elements of T of words of W.
type coordinate[T any, W Word] interface{ of(x W) T }

type sobolRaw[W Word] struct{}

func (sobolRaw[W]) of(x W) W { return x }

type sobolUniform[T Float, W Word] struct{}

func (sobolUniform[T, W]) of(x W) T {
	if sizeWords[T]() == 1 {
		return T(float32(upper(x)>>8) * 0x1p-24)
	}
	return T(float64(wide(x)>>11) * 0x1p-53)
}

type sobolNormal[T Float, W Word] struct{ Mean, Stddev T }

func (d sobolNormal[T, W]) of(x W) T {
	var v T
	if sizeWords[T]() == 1 {
		v = T(quantile32(upper(x)))
	} else if sizeWords[W]() == 1 {
		v = T(quantile64(wide(x) | 1<<31))
	} else {
		v = T(quantile64(wide(x)))
	}
	return fma(v, d.Stddev, d.Mean)
}

// wide is x as a fraction of 2^64, upper of 2^32.
func wide[W Word](x W) uint64 {
	if sizeWords[W]() == 1 {
		return uint64(x) << 32
	}
	return uint64(x)
}

func upper[W Word](x W) uint32 { return uint32(wide(x) >> 32) }

const (
	stride     = 8 // of a thread's points, as a power of two: that of block
	sobolBits  = 4
	sobolSteps = 1 << sobolBits
	sobolBlock = block * sobolSteps // points of a block
)

// sobolFill writes coordinate BlockIdx().Y of the points. A block has sobolBlock points from a multiple of that
// on, of which only those from skip on are wanted. A point's coordinate is a linear map of its number's bits over XOR: a warp
// maps those of the block, a thread its own, and steps by 2^stride points in the order of a Gray code, in
// which each step changes one bit.
func sobolFill[T any, W Word, D coordinate[T, W]](out []T, directions []W, count int, skip uint64, d D) {
	dim, width := dsl.BlockIdx().Y, 32*sizeWords[W]()
	v := directions[dim*(width+1) : (dim+1)*(width+1)]
	t, begin := dsl.ThreadIdx().X, dsl.BlockIdx().X*sobolBlock
	var x W
	number := skip - skip%sobolBlock + uint64(begin)
	for k := dsl.LaneID(); k < width; k += dsl.WarpSize() {
		x ^= v[k] & -W((number^number>>1)>>k&1)
	}
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		x ^= dsl.ShflXor(x, d)
	}
	x ^= v[width]
	//heddle:unroll
	for k := range stride {
		x ^= v[k] & -W((t^t>>1)>>k&1)
	}
	first := begin - int(skip%sobolBlock) + t
	var change [sobolBits + 1]W // of a bit of the step; the last one is not needed
	for k := range sobolBits {
		change[k] = v[stride+k] ^ v[stride+k-1]
	}
	to := out[dim*count : (dim+1)*count]
	if first >= 0 && first+(sobolSteps-1)*block < count {
		//heddle:unroll
		for k := range sobolSteps {
			to[first+(k^k>>1)*block] = d.of(x)
			x ^= change[bits.TrailingZeros(^uint(k))]
		}
		return
	}
	for k := range sobolSteps {
		if i := first + (k^k>>1)*block; i >= 0 && i < count {
			to[i] = d.of(x)
		}
		x ^= change[bits.TrailingZeros(^uint(k))]
	}
}

// sobolWith queues a fill of points.
func sobolWith[T any, W Word, D coordinate[T, W]](name string, s *launch.Stream, out *launch.Buffer[T], directions *launch.Buffer[W], skip uint64, d D) error {
	if err := present(name, s, out, &skip); err != nil {
		return err
	}
	if directions == nil {
		return wrong(name, "directions", "is nil: take NewDirections")
	}
	width := 32*sizeWords[W]() + 1
	dims := directions.Len() / width
	if dims == 0 || directions.Len()%width != 0 || dims > MaxDimensions {
		return wrong(name, "directions", "has %d elements, no multiple of %d up to %d: take what NewDirections returns", directions.Len(), width, MaxDimensions*width)
	}
	count := out.Len() / dims
	if out.Len()%dims != 0 {
		return wrong(name, "out", "has %d elements, no multiple of the %d dimensions", out.Len(), dims)
	}
	if end := skip + uint64(count); end < skip && end != 0 || width == 33 && end > 1<<32 {
		return wrong(name, "skip", "is %d: with %d points that is beyond the last of 2^%d", skip, count, width-1)
	}
	if count == 0 {
		return nil
	}
	blocks := (int(skip%sobolBlock) + count + sobolBlock - 1) / sobolBlock
	cfg := launch.Config{Grid: launch.Dim3{X: blocks, Y: dims}, Block: launch.Dim3{X: block}}
	return kernel.New(sobolFill[T, W, D]).Launch(s, cfg, out, directions, count, skip, d)
}
