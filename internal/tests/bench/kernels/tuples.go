package kernels

import (
	"bytes"
	"math/bits"
	"sort"

	"heddle/dsl"
)

// The kernels here are of databases, logs and genomes, written as Go programs have them.

// A Group has the sum and the number of the values with a key.
type Group struct {
	Sum        int64
	Key, Count uint32
}

// GroupBy adds up the values of each key in a table of a power of two groups (linear probing).
//
//heddle:noalias
func GroupBy(keys []uint32, values []int32, table []Group) {
	step := dsl.GridDim().X * dsl.BlockDim().X
	for i := dsl.GlobalIdx().X; i < len(keys); i += step {
		key := keys[i]
		at := int(HashSlot(key, len(table)))
		for {
			old := dsl.AtomicCAS(&table[at].Key, EmptyKey, key)
			if old == EmptyKey || old == key {
				break
			}
			at = (at + 1) & (len(table) - 1)
		}
		group := &table[at]
		dsl.AtomicAdd(&group.Sum, int64(values[i]))
		dsl.AtomicAdd(&group.Count, 1)
	}
}

const (
	KmerRun = 32         // k-mers of a thread
	NoKmer  = ^uint64(0) // the key of an empty slot
)

func countKmer(kmer uint64, keys []uint64, counts []uint32) {
	mask := len(keys) - 1
	at := int(JoinHash(kmer)) & mask
	for {
		old := dsl.AtomicCAS(&keys[at], NoKmer, kmer)
		if old == NoKmer || old == kmer {
			break
		}
		at = (at + 1) & mask
	}
	dsl.AtomicAdd(&counts[at], 1)
}

// KmerCount counts the k-mers of a genome, 16 bases a word. A k-mer and its reverse complement
// are one: the lesser of both.
//
//heddle:noalias
func KmerCount(k, bases int, genome []uint32, keys []uint64, counts []uint32) {
	first := dsl.GlobalIdx().X * KmerRun
	if first+k > bases {
		return
	}
	last := min(first+KmerRun+k-1, bases)
	mask := uint64(1)<<(2*k) - 1
	var forward, reverse uint64
	for i := first; i < last; i++ {
		base := uint64(genome[i/16] >> (i % 16 * 2) & 3)
		forward = (forward<<2 | base) & mask
		reverse = reverse>>2 | (3-base)<<(2*(k-1))
		if i-first >= k-1 {
			countKmer(min(forward, reverse), keys, counts)
		}
	}
}

// ParquetColumn decodes a column: each valid row has an index of width bits into a dictionary.
// A word of ranks is how many rows are valid before the 32 rows of a word of valid.
//
//heddle:noalias
func ParquetColumn(width int, packed, valid []uint32, ranks []int32, dictionary, out []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	word, bit := i/32, i%32
	mask := valid[word]
	if mask>>bit&1 == 0 {
		out[i] = 0
		return
	}
	n := int(ranks[word]) + bits.OnesCount32(mask&(1<<bit-1))
	at := n * width
	pair := uint64(packed[at/32]) | uint64(packed[at/32+1])<<32
	index := uint32(pair>>(at%32)) & (1<<width - 1)
	out[i] = dictionary[index]
}

// BloomHash is the hash of a key (wyhash).
func BloomHash(key uint64) uint64 {
	hi, lo := bits.Mul64(key^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// BloomProbe tells which keys may be in a filter: all of their bits are set.
//
//heddle:noalias
func BloomProbe(hashes int, keys []uint64, filter []uint32, found []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(keys) {
		return
	}
	h := BloomHash(keys[i])
	h1, h2 := uint32(h), uint32(h>>32)|1
	size := uint64(len(filter)) * 32
	ok := true
	for range hashes {
		bit := uint32(uint64(h1) * size >> 32)
		if filter[bit/32]>>(bit%32)&1 == 0 {
			ok = false
			break
		}
		h1 += h2
	}
	found[i] = ok
}

// MergeJoin joins each row of the left side with the rows of its key on the right side, which
// is sorted: how many they are, and the sum of their payload.
//
//heddle:noalias
func MergeJoin(left, right []int64, payload []float64, matches []int32, sums []float64) {
	i := dsl.GlobalIdx().X
	if i >= len(left) {
		return
	}
	key := left[i]
	lo := sort.Search(len(right), func(k int) bool { return right[k] >= key })
	hi := lo + sort.Search(len(right)-lo, func(k int) bool { return right[lo+k] > key })
	sum := 0.0
	for _, v := range payload[lo:hi] {
		sum += v
	}
	matches[i] = int32(hi - lo)
	sums[i] = sum
}

// find is where sub begins in s, or -1.
func find(s, sub []byte) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		if bytes.HasPrefix(s[i:], sub) {
			return i
		}
	}
	return -1
}

// LikeFilter tells which rows of text are LIKE '%first%second%'.
//
//heddle:noalias
func LikeFilter(offsets []int32, text, first, second []byte, found []bool) {
	i := dsl.GlobalIdx().X
	if i >= len(found) {
		return
	}
	row := text[offsets[i]:offsets[i+1]]
	at := find(row, first)
	found[i] = at >= 0 && find(row[at+len(first):], second) >= 0
}

// Base64Rows decodes rows of base64 without padding. A letter's value is negative if it is
// none. The length of a row is -1 if it has such letters.
//
//heddle:noalias
func Base64Rows(offsets []int32, text []byte, values []int8, starts []int32, out []byte, lengths []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(lengths) {
		return
	}
	row := text[offsets[i]:offsets[i+1]]
	dst := out[starts[i]:starts[i+1]]
	bad := int32(0)
	n := 0
	for len(row) >= 4 {
		a, b, c, d := int32(values[row[0]]), int32(values[row[1]]), int32(values[row[2]]), int32(values[row[3]])
		v := a<<18 | b<<12 | c<<6 | d
		bad |= v
		dst[n], dst[n+1], dst[n+2] = byte(v>>16), byte(v>>8), byte(v)
		n += 3
		row = row[4:]
	}
	if len(row) >= 2 { // a byte or two are left
		v := int32(values[row[0]])<<18 | int32(values[row[1]])<<12
		dst[n] = byte(v >> 16)
		n++
		if len(row) == 3 {
			v |= int32(values[row[2]]) << 6
			dst[n] = byte(v >> 8)
			n++
		}
		bad |= v
	}
	if bad < 0 {
		n = -1
	}
	lengths[i] = int32(n)
}

const Letters4 = 4 // A, C, G, T; a read may have N, too

// Myers is the edit distance of each read and the bases of the reference where it may be from,
// or most+1 if it is greater than most. It goes along a band of 64 diagonals (Myers, Hyyrö).
//
//heddle:noalias
func Myers(most int, offsets []int32, reads []byte, positions []int32, reference []uint32, distances []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(distances) {
		return
	}
	read := reads[offsets[i]:offsets[i+1]]
	position := int(positions[i])
	var masks [Letters4 + 1]uint64 // where in the band each letter is
	for k, c := range read[:most] {
		masks[c] |= 1 << (64 - most + k)
	}
	vp, vn := ^uint64(0)<<(63-most), uint64(0)
	bottom := uint64(1) << 62
	distance := most
	for k := range read {
		for c := range masks {
			masks[c] >>= 1
		}
		if k+most < len(read) {
			masks[read[k+most]] |= 1 << 63
		}
		at := position + k
		x := masks[reference[at/16]>>(at%16*2)&3]
		d0 := ((x & vp) + vp) ^ vp | x | vn
		hp := vn | ^(d0 | vp)
		hn := d0 & vp
		if k+most < len(read) { // down a diagonal
			if d0>>63 == 0 {
				distance++
			}
		} else { // along the last row
			if hp&bottom != 0 {
				distance++
			}
			if hn&bottom != 0 {
				distance--
			}
			bottom >>= 1
		}
		if distance > 2*most {
			break // it falls by most, at most
		}
		vp = hn | ^(d0>>1 | hp)
		vn = d0 >> 1 & hp
	}
	distances[i] = int32(min(distance, most+1))
}
