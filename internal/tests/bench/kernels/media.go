package kernels

import (
	"math"
	"math/bits"

	"heddle/dsl"
)

var roundConstants = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
	0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
	0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
	0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

var rotations = [24]int{1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44}

var lanes = [24]int{10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1}

func keccak(a *[25]uint64) {
	for _, rc := range roundConstants {
		var c [5]uint64
		for i := range 5 {
			c[i] = a[i] ^ a[i+5] ^ a[i+10] ^ a[i+15] ^ a[i+20]
		}
		for i := range 5 {
			d := c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
			for j := 0; j < 25; j += 5 {
				a[j+i] ^= d
			}
		}
		t := a[1]
		for i, lane := range lanes {
			a[lane], t = bits.RotateLeft64(t, rotations[i]), a[lane]
		}
		for j := 0; j < 25; j += 5 {
			for i := range 5 {
				c[i] = a[j+i]
			}
			for i := range 5 {
				a[j+i] ^= ^c[(i+1)%5] & c[(i+2)%5]
			}
		}
		a[0] ^= rc
	}
}

// Sha3 hashes n messages of 64 bytes by SHA3-256. Word k of message i is in[k*n+i].
func Sha3(n int, in, out []uint64) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var a [25]uint64
	for k := range 8 {
		a[k] = in[k*n+i]
	}
	a[8] = 0x06
	a[16] = 0x80 << 56
	keccak(&a)
	for k := range 4 {
		out[k*n+i] = a[k]
	}
}

func warpTotal(v float32) float32 {
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflXorSync(^uint64(0), v, d)
	}
	return v
}

// LayerNorm normalizes rows of width numbers, a warp a row (llm.c).
//
//heddle:noalias
func LayerNorm(rows, width int, in, weight, bias, mean, rstd, out []float32) {
	lane, warps := dsl.LaneID(), dsl.BlockDim().X/dsl.WarpSize()
	for row := dsl.BlockIdx().X*warps + dsl.WarpID(); row < rows; row += dsl.GridDim().X * warps {
		x := in[row*width : (row+1)*width]
		var sum float32
		for i := lane; i < width; i += dsl.WarpSize() {
			sum += x[i]
		}
		m := warpTotal(sum) / float32(width)
		if lane == 0 {
			mean[row] = m
		}
		sum = 0
		for i := lane; i < width; i += dsl.WarpSize() {
			d := x[i] - m
			sum += d * d
		}
		s := dsl.Rsqrt(warpTotal(sum)/float32(width) + 1e-5)
		if lane == 0 {
			rstd[row] = s
		}
		o := out[row*width : (row+1)*width]
		for c := lane; c < width; c += dsl.WarpSize() {
			n := s * (x[c] - m)
			o[c] = n*weight[c] + bias[c]
		}
	}
}

const (
	AttentionTile  = 32 // rows and threads of a block
	AttentionDepth = 64
)

// Attention is softmax(q*k^T)*v for each head, by tiles with running maxima and sums
// (flash-attention-minimal).
func Attention(n int, scale float32, q, k, v, l, m, out []float32) {
	qi := dsl.Shared[[AttentionTile][AttentionDepth]float32]()
	kj := dsl.Shared[[AttentionTile][AttentionDepth]float32]()
	vj := dsl.Shared[[AttentionTile][AttentionDepth]float32]()
	s := dsl.Shared[[AttentionTile][AttentionTile]float32]()
	tx, head := dsl.ThreadIdx().X, dsl.BlockIdx().X
	base, lm := head*n*AttentionDepth, head*n
	const tile = AttentionTile * AttentionDepth
	for j := range n / AttentionTile {
		for x := range AttentionDepth {
			kj[tx][x] = k[base+tile*j+tx*AttentionDepth+x]
			vj[tx][x] = v[base+tile*j+tx*AttentionDepth+x]
		}
		dsl.SyncThreads()
		for i := range n / AttentionTile {
			for x := range AttentionDepth {
				qi[tx][x] = q[base+tile*i+tx*AttentionDepth+x]
			}
			mPrev, lPrev := m[lm+AttentionTile*i+tx], l[lm+AttentionTile*i+tx]
			mRow := float32(math.Inf(-1))
			for y := range AttentionTile {
				var sum float32
				for x := range AttentionDepth {
					sum += qi[tx][x] * kj[y][x]
				}
				sum *= scale
				s[tx][y] = sum
				if sum > mRow {
					mRow = sum
				}
			}
			var lRow float32
			for y := range AttentionTile {
				s[tx][y] = dsl.Exp(s[tx][y] - mRow)
				lRow += s[tx][y]
			}
			mNew := max(mPrev, mRow)
			lNew := dsl.Exp(mPrev-mNew)*lPrev + dsl.Exp(mRow-mNew)*lRow
			for x := range AttentionDepth {
				var pv float32
				for y := range AttentionTile {
					pv += s[tx][y] * vj[y][x]
				}
				e := base + tile*i + tx*AttentionDepth + x
				out[e] = 1 / lNew * (lPrev*dsl.Exp(mPrev-mNew)*out[e] + dsl.Exp(mRow-mNew)*pv)
			}
			m[lm+AttentionTile*i+tx] = mNew
			l[lm+AttentionTile*i+tx] = lNew
		}
		dsl.SyncThreads()
	}
}

const GemvThreads = 128

// Q8Gemv multiplies a matrix of bytes, with a scale for each 32 of them, by a vector; a block
// a row.
//
//heddle:noalias
func Q8Gemv(cols int, weights []int8, scales, x, y []float32) {
	partial := dsl.Shared[[GemvThreads / 32]float32]()
	row, t := dsl.BlockIdx().X, dsl.ThreadIdx().X
	var sum float32
	for c := t; c < cols; c += GemvThreads {
		e := row*cols + c
		sum += float32(weights[e]) * scales[e/32] * x[c]
	}
	sum = warpTotal(sum)
	if dsl.LaneID() == 0 {
		partial[dsl.WarpID()] = sum
	}
	dsl.SyncThreads()
	if t == 0 {
		sum = 0
		for w := range GemvThreads / dsl.WarpSize() {
			sum += partial[w]
		}
		y[row] = sum
	}
}

func clampByte(v int) uint8 {
	if v < 0 {
		return 0
	}
	if v > 255 {
		return 255
	}
	return uint8(v)
}

// YUV converts a picture of bytes, three a pixel, to planes.
//
//heddle:noalias
func YUV(n int, rgb, y, u, v []uint8) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	r, g, b := int(rgb[3*i]), int(rgb[3*i+1]), int(rgb[3*i+2])
	y[i] = clampByte((66*r+129*g+25*b+128)>>8 + 16)
	u[i] = clampByte((-38*r-74*g+112*b+128)>>8 + 128)
	v[i] = clampByte((112*r-94*g-18*b+128)>>8 + 128)
}

type Slot struct{ Key, Value uint32 }

const EmptyKey = 0xffffffff

// HashSlot is where the search for a key begins.
func HashSlot(k uint32, capacity int) uint32 {
	k ^= k >> 16
	k *= 0x85ebca6b
	k ^= k >> 13
	k *= 0xc2b2ae35
	k ^= k >> 16
	return k & uint32(capacity-1)
}

// HashInsert puts keys and values into a table of a power of two slots (linear probing).
func HashInsert(pairs, table []Slot) {
	i := dsl.GlobalIdx().X
	if i >= len(pairs) {
		return
	}
	key, value := pairs[i].Key, pairs[i].Value
	slot := HashSlot(key, len(table))
	for {
		prev := dsl.AtomicCAS(&table[slot].Key, EmptyKey, key)
		if prev == EmptyKey || prev == key {
			table[slot].Value = value
			return
		}
		slot = (slot + 1) & uint32(len(table)-1)
	}
}

// Of a block of DCT.
const (
	DCTWidth, DCTHeight = 32, 16
	dctSize             = 8
)

func dct8(d *[dctSize]float32) {
	const (
		a    = 1.387039845322148
		b    = 1.306562964876377
		c    = 1.175875602419359
		dd   = 0.785694958387102
		e    = 0.541196100146197
		f    = 0.275899379282943
		norm = 0.3535533905932737
	)
	p07, p16, p25, p34 := d[0]+d[7], d[1]+d[6], d[2]+d[5], d[3]+d[4]
	m07, m61, m25, m43 := d[0]-d[7], d[6]-d[1], d[2]-d[5], d[4]-d[3]
	pp, pm := p07+p34, p07-p34
	qp, qm := p16+p25, p16-p25
	d[0] = norm * (pp + qp)
	d[2] = norm * (b*pm + e*qm)
	d[4] = norm * (pp - qp)
	d[6] = norm * (e*pm - b*qm)
	d[1] = norm * (a*m07 - c*m61 + dd*m25 - f*m43)
	d[3] = norm * (c*m07 + f*m61 - a*m25 + dd*m43)
	d[5] = norm * (dd*m07 + a*m61 + f*m25 - c*m43)
	d[7] = norm * (f*m07 + dd*m61 + c*m25 + a*m43)
}

// DCT transforms each 8 by 8 pixels of a picture; a thread a row and a column of them
// (HeCBench's dct8x8).
//
//heddle:noalias
func DCT(stride int, src, dst []float32) {
	tile := dsl.Shared[[DCTHeight][DCTWidth + 1]float32]()
	x, y := dsl.ThreadIdx().X, dctSize*dsl.ThreadIdx().Y
	mod := x & (dctSize - 1)
	first := (dsl.BlockIdx().Y*DCTHeight+y)*stride + dsl.BlockIdx().X*DCTWidth + x
	for i := range dctSize {
		tile[y+i][x] = src[first+i*stride]
	}
	dsl.SyncThreads()
	var d [dctSize]float32
	for i := range d {
		d[i] = tile[y+mod][x-mod+i]
	}
	dct8(&d)
	for i := range d {
		tile[y+mod][x-mod+i] = d[i]
	}
	dsl.SyncThreads()
	for i := range d {
		d[i] = tile[y+i][x]
	}
	dct8(&d)
	for i := range d {
		dst[first+i*stride] = d[i]
	}
}

// Ising updates the black spins of an nx by ny lattice of bytes, whose white ones are in other
// (HeCBench).
//
//heddle:noalias
func Ising(nx, ny int, beta float32, lattice, other []int8, random []float32) {
	t := dsl.GlobalIdx().X
	i, j := t/ny, t%ny
	if i >= nx || j >= ny {
		return
	}
	below, above := i+1, i-1
	if below >= nx {
		below = 0
	}
	if above < 0 {
		above = nx - 1
	}
	right, left := j+1, j-1
	if right >= ny {
		right = 0
	}
	if left < 0 {
		left = ny - 1
	}
	off := left
	if i%2 != 0 {
		off = right
	}
	sum := other[above*ny+j] + other[i*ny+j] + other[below*ny+j] + other[i*ny+off]
	spin := lattice[i*ny+j]
	ratio := dsl.Exp(-2 * beta * float32(sum) * float32(spin))
	if random[i*ny+j] < ratio {
		lattice[i*ny+j] = -spin
	}
}

// Match counts the words of an automaton that end in each run of span bytes of a text;
// overlap bytes before it are looked at, too (Aho and Corasick).
func Match(span, overlap int, next [][256]int16, ends []uint8, text []byte, counts []int32) {
	i := dsl.GlobalIdx().X
	start := i * span
	if start >= len(text) {
		return
	}
	end := min(start+span, len(text))
	state := int16(0)
	count := int32(0)
	for k := max(start-overlap, 0); k < end; k++ {
		state = next[state][text[k]]
		if k >= start {
			count += int32(ends[state])
		}
	}
	counts[i] = count
}

const WordLen = 24

// Levenshtein is the distance of each word from one word.
func Levenshtein(words, word []byte, out []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	own := words[i*WordLen : (i+1)*WordLen]
	var row [WordLen + 1]int
	for k := range row {
		row[k] = k
	}
	for r, c := range word {
		diagonal := row[0]
		row[0] = r + 1
		for k, o := range own {
			cost := 1
			if o == c {
				cost = 0
			}
			best := min(diagonal+cost, row[k]+1, row[k+1]+1)
			diagonal = row[k+1]
			row[k+1] = best
		}
	}
	out[i] = int32(row[WordLen])
}

// Murmur hashes keys of different lengths, which lie one behind the other (MurmurHash3_x86_32).
func Murmur(seed uint32, data []byte, offsets []int32, out []uint32) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	key := data[offsets[i]:offsets[i+1]]
	out[i] = Murmur3(seed, key)
}

// word is four bytes, the lowest first.
func word(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// Murmur3 is the hash of one key.
func Murmur3(seed uint32, key []byte) uint32 {
	const c1, c2 = 0xcc9e2d51, 0x1b873593
	h := seed
	n := len(key) / 4
	for b := range n {
		k := word(key[4*b:])
		k *= c1
		k = bits.RotateLeft32(k, 15)
		k *= c2
		h ^= k
		h = bits.RotateLeft32(h, 13)
		h = h*5 + 0xe6546b64
	}
	tail := key[4*n:]
	var k uint32
	switch len(tail) {
	case 3:
		k ^= uint32(tail[2]) << 16
		fallthrough
	case 2:
		k ^= uint32(tail[1]) << 8
		fallthrough
	case 1:
		k ^= uint32(tail[0])
		k *= c1
		k = bits.RotateLeft32(k, 15)
		k *= c2
		h ^= k
	}
	h ^= uint32(len(key))
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	return h
}

func order(a, b *uint8) {
	if *a > *b {
		*a, *b = *b, *a
	}
}

// Median replaces each pixel by the median of the nine around it; pixels beyond the edge are
// the nearest ones.
//
//heddle:noalias
func Median(w, h int, in, out []uint8) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	var p [9]uint8
	for j := range 3 {
		for i := range 3 {
			row, col := min(max(y+j-1, 0), h-1), min(max(x+i-1, 0), w-1)
			p[j*3+i] = in[row*w+col]
		}
	}
	order(&p[1], &p[2])
	order(&p[4], &p[5])
	order(&p[7], &p[8])
	order(&p[0], &p[1])
	order(&p[3], &p[4])
	order(&p[6], &p[7])
	order(&p[1], &p[2])
	order(&p[4], &p[5])
	order(&p[7], &p[8])
	order(&p[0], &p[3])
	order(&p[5], &p[8])
	order(&p[4], &p[7])
	order(&p[3], &p[6])
	order(&p[1], &p[4])
	order(&p[2], &p[5])
	order(&p[4], &p[7])
	order(&p[4], &p[2])
	order(&p[6], &p[4])
	order(&p[4], &p[2])
	out[y*w+x] = p[4]
}
