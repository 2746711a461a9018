package prim

import (
	"strings"
	"unsafe"

	"heddle/dsl"
	"heddle/launch"
	"heddle/prim/block"
)

const full = ^uint64(0)

// elem is element i from p on, which the caller knows to be there.
func elem[T any](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

// This file has the decoupled look-back: how a tile learns what all tiles before it sum up to, without waiting
// for these to be done (Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016).
//
// A tile's state is as many 64-bit words as its value has 32-bit words. Each word has 32 bits of the value, and above them how far
// the tile is. A word is read and written whole, and a tile goes from nothing to its own sum and
// on to the sum of all up to it. So words that are equally far belong together, and no fence is needed.
//
// All blocks that wait ask for the states of the same few tiles. On NVIDIA's GPUs the second-level cache is in parts, by address, and answers
// them much faster where each state is in a sector of its own, and where a block does not ask at once for what it cannot know yet.

const (
	sumOwn = 1 // the tile's own sum
	sumAll = 2 // the sum of all tiles up to it
)

// spread is how far apart the states of neighbouring tiles are, in words, each of which has so many, and for how many nanoseconds a tile waits before
// it asks for the first one: wait, if most tiles begin while others look back.
func spread(s *launch.Stream, tiles, words, wait int) (apart, first int) {
	info := s.Device().Info()
	if !strings.HasPrefix(info.Arch, "sm_") {
		return words, 0
	}
	if tiles > crowd*info.ComputeUnits {
		first = wait
	}
	return max(words, sectorWords), first
}

const (
	sectorWords = 4  // of the cache
	crowd       = 32 // tiles of a multiprocessor

	// What was best on an H200, for 2^28 elements.
	scanWait = 1000
	runsWait = 500
	pollWait = 50 // between two questions
)

// stateWords is how many words the state of a tile has.
func stateWords[T any]() int { return (int(unsafe.Sizeof(*new(T))) + 3) / 4 }

// A bag is memory for a value as words.
type bag [(maxValue + 7) / 8]uint64

// publish makes v known as how far tile is.
func publish[T any](states []dsl.Atomic[uint64], apart, tile int, far uint64, v T) {
	var b bag
	*(*T)(unsafe.Pointer(&b)) = v
	w := (*uint32)(unsafe.Pointer(&b))
	for i := range stateWords[T]() {
		states[tile*apart+i].Store(far<<32|uint64(*elem(w, i)), dsl.ScopeDevice, dsl.Relaxed)
	}
}

// await waits until tile has published something.
func await[T any](states []dsl.Atomic[uint64], apart, tile int) (far uint64, v T) {
	var b bag
	w := (*uint32)(unsafe.Pointer(&b))
	for {
		far = 0
		together := true
		for i := range stateWords[T]() {
			word := states[tile*apart+i].Load(dsl.ScopeDevice, dsl.Relaxed)
			if i == 0 {
				far = word >> 32
			}
			together = together && far == word>>32
			*elem(w, i) = uint32(word)
		}
		if together && far != 0 {
			return far, *(*T)(unsafe.Pointer(&b))
		}
		letPass(pollWait)
	}
}

// letPass lets the warp sleep for about so many nanoseconds on NVIDIA's GPUs: the questions of waiting warps are in the way of everybody's loads and stores.
func letPass(nanoseconds int) {
	if dsl.Arch().IsNVIDIA() && nanoseconds > 0 {
		dsl.AsmVolatile[struct{}]("nanosleep.u32 %0;", "r", uint32(nanoseconds))
	}
}

// lookBack returns in lane 0 the sum of all tiles before tile, which is not the first. A whole warp makes the call: its lanes look
// at as many tiles at once, in their order.
func lookBack[T comparable](states []dsl.Atomic[uint64], apart, wait, tile int, op func(a, b T) T) T {
	lane, width := dsl.LaneID(), dsl.WarpSize()
	var sum block.Before[T]
	letPass(wait)
	for {
		at := tile - width + lane
		far, v := uint64(sumAll), sum.Value
		if at >= 0 {
			far, v = await[T](states, apart, at)
		}
		// Of the lanes, those from the last one on that knows the sum of all before it.
		last := 63 - dsl.Clz(dsl.BallotSync(full, far == sumAll))
		from := max(last, 0)
		for d := 1; d < width; d *= 2 {
			if w := dsl.ShflDownSync(full, v, d); lane >= from && lane+d < width {
				v = op(v, w)
			}
		}
		// lane from has the sum now: each step doubled how many lanes it goes over
		sum = sum.After(dsl.ShflSync(full, v, from), op)
		if last >= 0 {
			return sum.Value
		}
		tile -= width
	}
}

// lookBackCount is lookBack for a count, whose state is one word: the count above two bits of how far.
func lookBackCount(states []dsl.Atomic[uint64], apart, tile int) (sum int) {
	lane, width := dsl.LaneID(), dsl.WarpSize()
	for {
		word := awaitWord(states, apart, tile-width+lane)
		last := 63 - dsl.Clz(dsl.BallotSync(full, word&3 == sumAll))
		own := uint32(0) // a tile has fewer elements than 2^26
		if lane > last {
			own = uint32(word >> 2)
		}
		sum += int(dsl.ReduceAddSync(full, own))
		if last >= 0 {
			return sum + int(dsl.ShflSync(full, word, last)>>2)
		}
		tile -= width
	}
}

// awaitWord waits until tile, whose state is one word, has published something. Nothing is before the first tile.
func awaitWord(states []dsl.Atomic[uint64], apart, tile int) uint64 {
	word := uint64(sumAll)
	if tile >= 0 {
		for {
			if word = states[tile*apart].Load(dsl.ScopeDevice, dsl.Relaxed); word != 0 {
				break
			}
		}
	}
	return word
}

func publishCount(states []dsl.Atomic[uint64], apart, tile int, far uint64, n int) {
	states[tile*apart].Store(uint64(n)<<2|far, dsl.ScopeDevice, dsl.Relaxed)
}

// lookBackMemory gets what the tiles of a look-back have in common: so many words of their states, and the counter of tickets, all 0, which are
// one part of the memory, as each is cleared by an operation of its own. They are nil if the call only asks for the size of temporary memory.
func lookBackMemory(t *temp, words int) (states *launch.Buffer[dsl.Atomic[uint64]], next *launch.Buffer[uint64], err error) {
	both := want[uint64](t, words+1, true)
	if done, err := t.get(); done || err != nil {
		return nil, nil, err
	}
	b, err := have(t, both)
	if err != nil {
		return nil, nil, err
	}
	states, err = launch.View[dsl.Atomic[uint64]](b.Slice(0, words))
	return states, b.Slice(words, words+1), err
}

// ticket gives the block the next tile, so that all tiles before it have been begun.
func ticket(next *uint64) int {
	mine := dsl.Shared[uint64]()
	if dsl.ThreadIdx().X == 0 {
		*mine = dsl.AtomicAdd(next, 1)
	}
	dsl.SyncThreads()
	return int(*mine)
}

// tileInOrder is a tile as [ticket] gives it. NVIDIA's GPUs begin blocks in the order of their numbers: CUB's scans and selections rely on
// that, too. There it saves the time of an atomic operation, which nothing else of the block could fill.
func tileInOrder(next *uint64) int {
	if dsl.Arch().IsNVIDIA() {
		return dsl.BlockIdx().X
	}
	return ticket(next)
}
