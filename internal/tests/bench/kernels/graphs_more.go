package kernels

import (
	"encoding/binary"
	"math/bits"

	"heddle/dsl"
)

const (
	SegmentThreads = 256 // of a block that scans
	SegmentItems   = 8   // of each thread
)

// A Run is the sum of numbers since a segment's head, if there is one among them.
type Run struct {
	Sum  float32
	Head bool
}

// Then is a run and the one behind it.
func (a Run) Then(b Run) Run {
	if b.Head {
		return b
	}
	return Run{a.Sum + b.Sum, a.Head}
}

// SegmentedScan adds up the numbers of each segment, up to each of them. The tile of a block
// begins a segment.
//
//heddle:noalias
func SegmentedScan(values []float32, heads []bool, out []float32) {
	totals := dsl.Shared[[SegmentThreads / 32]Run]()
	first := dsl.GlobalIdx().X * SegmentItems
	lane, warp := dsl.LaneID(), dsl.WarpID()
	var runs [SegmentItems]Run
	var total Run
	for k := range runs {
		if i := first + k; i < len(values) {
			total = total.Then(Run{values[i], heads[i]})
		}
		runs[k] = total
	}
	for d := 1; d < dsl.WarpSize(); d *= 2 {
		if before := dsl.ShflUpSync(all, total, d); lane >= d {
			total = before.Then(total)
		}
	}
	if lane == dsl.WarpSize()-1 {
		totals[warp] = total
	}
	before := dsl.ShflUpSync(all, total, 1)
	if lane == 0 {
		before = Run{}
	}
	dsl.SyncThreads()
	var block Run
	for _, r := range totals[:warp] {
		block = block.Then(r)
	}
	before = block.Then(before)
	for k, r := range runs {
		if i := first + k; i < len(out) {
			out[i] = before.Then(r).Sum
		}
	}
}

// A DES is a key's cipher: what boxes and permutation make of six bits, and the rounds' keys,
// as Go's crypto/des has them.
type DES struct {
	Boxes *[8][64]uint32
	Keys  [16]uint64
}

// round is what a round makes of half a block.
func (c *DES) round(half uint32, key uint64) uint32 {
	t := half ^ uint32(key>>32)
	out := c.Boxes[7][t&0x3f] ^ c.Boxes[5][t>>8&0x3f] ^ c.Boxes[3][t>>16&0x3f] ^ c.Boxes[1][t>>24&0x3f]
	t = bits.RotateLeft32(half, -4) ^ uint32(key)
	return out ^ c.Boxes[6][t&0x3f] ^ c.Boxes[4][t>>8&0x3f] ^ c.Boxes[2][t>>16&0x3f] ^ c.Boxes[0][t>>24&0x3f]
}

// exchange swaps the bits of a block that mask names with those n places above.
func exchange(block uint64, n int, mask uint64) uint64 {
	moved := (block>>n ^ block) & mask
	return block ^ moved ^ moved<<n
}

// Encrypt is a block in cipher.
func (c *DES) Encrypt(block uint64) uint64 {
	// The first permutation turns the matrix of bits and sorts its rows.
	block = exchange(block, 36, 0x0f0f0f0f)
	block = exchange(block, 48, 0xffff)
	block = exchange(block<<32|block>>32, 34, 0x33333333)
	block = exchange(block, 40, 0x00ff00ff)
	block = exchange(block<<32|block>>32, 33, 0x55555555)
	left, right := bits.RotateLeft32(uint32(block>>32), 1), bits.RotateLeft32(uint32(block), 1)
	for _, key := range c.Keys {
		left, right = right, left^c.round(right, key)
	}
	left, right = bits.RotateLeft32(left, -1), bits.RotateLeft32(right, -1)
	// The last permutation is the way back, of halves that have changed places.
	block = exchange(uint64(right)<<32|uint64(left), 33, 0x55555555)
	block = exchange(block<<32|block>>32, 40, 0x00ff00ff)
	block = exchange(block, 34, 0x33333333)
	block = exchange(block<<32|block>>32, 48, 0xffff)
	return exchange(block, 36, 0x0f0f0f0f)
}

// DESCounter encrypts text with a counter, a block of eight bytes a thread.
//
//heddle:noalias
func DESCounter(c DES, start uint64, src, dst []byte) {
	boxes := dsl.Shared[[8][64]uint32]()
	for i := dsl.ThreadIdx().X; i < len(boxes)*len(boxes[0]); i += dsl.BlockDim().X {
		boxes[i/64][i%64] = c.Boxes[i/64][i%64]
	}
	dsl.SyncThreads()
	c.Boxes = boxes
	i := dsl.GlobalIdx().X
	if 8*i >= len(src) {
		return
	}
	stream := c.Encrypt(start + uint64(i))
	src, dst = src[8*i:], dst[8*i:]
	if len(src) >= 8 {
		binary.BigEndian.PutUint64(dst, binary.BigEndian.Uint64(src)^stream)
		return
	}
	for k, b := range src {
		dst[k] = b ^ byte(stream>>(56-8*k))
	}
}

// md5Sines are the parts of sines that each step adds.
var md5Sines = [64]uint32{
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
}

// md5Turns are by how much the steps rotate, in four rounds.
var md5Turns = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// An MD5 is the state of a hash.
type MD5 [4]uint32

// block hashes 64 bytes.
func (s *MD5) block(p []byte) {
	var w [16]uint32
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(p[4*i:])
	}
	a, b, c, d := s[0], s[1], s[2], s[3]
	for i, sine := range md5Sines {
		var f uint32
		var k int
		switch i / 16 {
		case 0:
			f, k = b&c|^b&d, i
		case 1:
			f, k = d&b|^d&c, (5*i+1)%16
		case 2:
			f, k = b^c^d, (3*i+5)%16
		default:
			f, k = c^(b|^d), 7*i%16
		}
		f += a + sine + w[k]
		a, b, c, d = d, b+bits.RotateLeft32(f, md5Turns[i/16][i%4]), b, c
	}
	s[0] += a
	s[1] += b
	s[2] += c
	s[3] += d
}

// MD5Sum is the hash of a message.
func MD5Sum(message []byte) (sum [16]byte) {
	s := MD5{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	rest := message
	for len(rest) >= 64 {
		s.block(rest[:64])
		rest = rest[64:]
	}
	var last [64]byte
	n := copy(last[:], rest)
	last[n] = 0x80
	if n >= 56 { // no room for the length
		s.block(last[:])
		clear(last[:])
	}
	binary.LittleEndian.PutUint64(last[56:], 8*uint64(len(message)))
	s.block(last[:])
	for i, word := range s {
		binary.LittleEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

// MD5Blocks hashes messages, a thread each. Message i is text[offsets[i]:offsets[i+1]].
//
//heddle:noalias
func MD5Blocks(text []byte, offsets []int32, sums [][16]byte) {
	i := dsl.GlobalIdx().X
	if i >= len(sums) {
		return
	}
	sums[i] = MD5Sum(text[offsets[i]:offsets[i+1]])
}

const (
	FFTSize    = 1024 // points of a transform
	FFTThreads = FFTSize / 4
)

// fourier4 is the Fourier transform of four numbers.
func fourier4(v [4]complex64) [4]complex64 {
	a, b := v[0]+v[2], v[0]-v[2]
	c, d := v[1]+v[3], timesI(v[1]-v[3])
	return [4]complex64{a + c, b - d, a - c, b + d}
}

// FFTStockham is the Fourier transform of each row of FFTSize numbers, a block each, by radix 4
// without bit reversal. Roots are the powers of a root of unity.
//
//heddle:noalias
func FFTStockham(roots, in, out []complex64) {
	buffer := dsl.Shared[[FFTSize]complex64]()
	t, row := dsl.ThreadIdx().X, dsl.BlockIdx().X
	in, out = in[row*FFTSize:(row+1)*FFTSize], out[row*FFTSize:(row+1)*FFTSize]
	var v [4]complex64
	for r := range v {
		v[r] = in[t+r*FFTThreads]
	}
	for n := 1; n < FFTSize; n *= 4 {
		k := t % n
		for r := 1; r < len(v); r++ {
			v[r] *= roots[r*k*(FFTThreads/n)]
		}
		v = fourier4(v)
		dsl.SyncThreads()
		for r, x := range v {
			buffer[(t-k)*4+k+r*n] = x
		}
		dsl.SyncThreads()
		for r := range v {
			v[r] = buffer[t+r*FFTThreads]
		}
	}
	for r, x := range v {
		out[t+r*FFTThreads] = x
	}
}
