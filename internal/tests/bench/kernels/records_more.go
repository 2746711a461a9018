package kernels

import (
	"math/bits"

	"heddle/dsl"
)

const TextChunk = 256 // bytes of a thread of AhoCorasick

// An Automaton looks for many patterns at once: Next is the state after each byte. The patterns
// that end in state s are Patterns[First[s]:First[s+1]]; the longest one has Longest bytes.
type Automaton struct {
	Next            [][256]int32
	First, Patterns []int32
	Longest         int
}

// AhoCorasick counts how often each pattern is in a text. A thread looks for those that end in
// its chunk, and begins so far before that it sees all of them.
//
//heddle:noalias
func AhoCorasick(a Automaton, text []byte, counts []int32) {
	begin := dsl.GlobalIdx().X * TextChunk
	if begin >= len(text) {
		return
	}
	state := int32(0)
	for i := max(begin-a.Longest+1, 0); i < min(begin+TextChunk, len(text)); i++ {
		state = a.Next[state][text[i]]
		if i < begin {
			continue
		}
		for _, p := range a.Patterns[a.First[state]:a.First[state+1]] {
			dsl.AtomicAdd(&counts[p], 1)
		}
	}
}

const EditMost = 32 // characters of a word

// Words are words one behind the other. Word i is Text[Starts[i]:Starts[i+1]].
type Words struct {
	Text   []byte
	Starts []int32
}

// At is a word.
func (w Words) At(i int) []byte { return w.Text[w.Starts[i]:w.Starts[i+1]] }

// An Edit is a step of an edit script.
type Edit uint8

const (
	EditNone Edit = iota
	EditKeep
	EditReplace
	EditDelete
	EditInsert
)

// editMoves has, for each beginning of two words, how the cheapest script for it ends.
type editMoves [EditMost + 1][EditMost + 1]Edit

// fill finds the moves for two words, and returns how many edits are needed.
func (m *editMoves) fill(from, to []byte) int {
	var costs [EditMost + 1]int
	for j := range to {
		costs[j+1] = j + 1
		m[0][j+1] = EditInsert
	}
	for i, a := range from {
		diagonal := costs[0]
		costs[0] = i + 1
		m[i+1][0] = EditDelete
		for j, b := range to {
			move, cost := EditKeep, diagonal
			if a != b {
				move, cost = EditReplace, diagonal+1
			}
			if c := costs[j+1] + 1; c < cost {
				move, cost = EditDelete, c
			}
			if c := costs[j] + 1; c < cost {
				move, cost = EditInsert, c
			}
			diagonal, costs[j+1] = costs[j+1], cost
			m[i+1][j+1] = move
		}
	}
	return costs[len(to)]
}

// EditScripts finds how each word is best changed into another one: the number of edits, and the
// script, which ends at the end of its place.
//
//heddle:noalias
func EditScripts(from, to Words, distances []int32, scripts []Edit) {
	pair := dsl.GlobalIdx().X
	if pair >= len(distances) {
		return
	}
	a, b := from.At(pair), to.At(pair)
	var moves editMoves
	distances[pair] = int32(moves.fill(a, b))
	script := scripts[pair*2*EditMost : (pair+1)*2*EditMost]
	n := len(script)
	for i, j := len(a), len(b); i > 0 || j > 0; {
		move := moves[i][j]
		n--
		script[n] = move
		switch move {
		case EditDelete:
			i--
		case EditInsert:
			j--
		default:
			i--
			j--
		}
	}
}

// An Extremes answers which of some neighbors is the least or the greatest: row k has those of
// 1<<k values from each on, for all N.
type Extremes struct {
	N           int
	Least, Most []float32
}

// Of are the extremes of the values from lo up to hi.
func (e Extremes) Of(lo, hi int) (least, most float32) {
	k := bits.Len(uint(hi-lo)) - 1
	a, b := k*e.N+lo, k*e.N+hi-1<<k
	return min(e.Least[a], e.Least[b]), max(e.Most[a], e.Most[b])
}

// firstWhere is the first of n indices for which f is true, as it is for all after that.
func firstWhere(n int, f func(i int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		if mid := (lo + hi) / 2; f(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// A WindowRow is what a window function makes of the rows of a window.
type WindowRow struct{ Min, Max, Mean float32 }

// WindowAggregate aggregates, for each row, those of its partition that are at most a time
// older. The rows of a partition are in the order of time; sums are those of all rows before.
//
//heddle:noalias
func WindowAggregate(partitions []int32, times []int64, period int64, values Extremes, sums []float64, out []WindowRow) {
	row := dsl.GlobalIdx().X
	if row >= len(times) {
		return
	}
	p := firstWhere(len(partitions), func(i int) bool { return int(partitions[i]) > row }) - 1
	start := int(partitions[p])
	oldest := times[row] - period
	first := start + firstWhere(row-start, func(i int) bool { return times[start+i] >= oldest })
	end := row + 1
	least, most := values.Of(first, end)
	out[row] = WindowRow{least, most, float32((sums[end] - sums[first]) / float64(end-first))}
}

const CuckooKicks = 32

// A CuckooFilter holds fingerprints of keys, four of 16 bits in a bucket. There are a power of
// two of buckets.
type CuckooFilter []uint64

// cuckooHash mixes a key (the end of SplitMix).
func cuckooHash(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// place is a key's fingerprint, and its first bucket.
func (f CuckooFilter) place(hash uint64) (print uint16, bucket int) {
	return max(uint16(hash>>48), 1), int(hash) & (len(f) - 1)
}

// other is the other bucket for a fingerprint.
func (f CuckooFilter) other(bucket int, print uint16) int {
	return (bucket ^ int(print)*0x5bd1e995) & (len(f) - 1)
}

// has reports whether a bucket has a fingerprint.
func (f CuckooFilter) has(bucket int, print uint16) bool {
	for b := f[bucket]; b != 0; b >>= 16 {
		if uint16(b) == print {
			return true
		}
	}
	return false
}

// Contains reports whether a key may be there.
func (f CuckooFilter) Contains(key uint64) bool {
	print, bucket := f.place(cuckooHash(key))
	return f.has(bucket, print) || f.has(f.other(bucket, print), print)
}

// add puts a fingerprint into a free slot of a bucket, if there is one.
func (f CuckooFilter) add(bucket int, print uint16) bool {
	old := f[bucket]
	for slot := 0; slot < 4; {
		shift := 16 * slot
		if uint16(old>>shift) != 0 {
			slot++
			continue
		}
		now := dsl.AtomicCAS(&f[bucket], old, old|uint64(print)<<shift)
		if now == old {
			return true
		}
		old = now
	}
	return false
}

// exchange puts a fingerprint into a slot and returns the one that was there.
func (f CuckooFilter) exchange(bucket, slot int, print uint16) uint16 {
	shift := 16 * slot
	old := f[bucket]
	for {
		now := dsl.AtomicCAS(&f[bucket], old, old&^(0xffff<<shift)|uint64(print)<<shift)
		if now == old {
			return uint16(old >> shift)
		}
		old = now
	}
}

// Insert adds a key. It fails where fingerprints have been moved too often.
func (f CuckooFilter) Insert(key uint64) bool {
	hash := cuckooHash(key)
	print, bucket := f.place(hash)
	if f.add(bucket, print) {
		return true
	}
	bucket = f.other(bucket, print)
	for kick := range CuckooKicks {
		if f.add(bucket, print) {
			return true
		}
		slot := int(cuckooHash(hash+uint64(kick)) & 3)
		print = f.exchange(bucket, slot, print)
		bucket = f.other(bucket, print)
	}
	return false
}

// A Status is what has become of a key.
type Status uint8

const (
	StatusOld  Status = iota // it has been there before
	StatusNew                // it has been added
	StatusFull               // it did not fit
)

// CuckooInsert adds those keys to a filter that an older one does not hold.
//
//heddle:noalias
func CuckooInsert(older, filter CuckooFilter, keys []uint64, status []Status) {
	i := dsl.GlobalIdx().X
	if i >= len(keys) {
		return
	}
	switch {
	case older.Contains(keys[i]):
		status[i] = StatusOld
	case filter.Insert(keys[i]):
		status[i] = StatusNew
	default:
		status[i] = StatusFull
	}
}
