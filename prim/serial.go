package prim

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// This file and serialselect.go and serialradix.go have the forms for a processor (Tuning.Serial): a tile is many elements,
// and a block of one thread goes through it alone. All that such a thread has is the same in all lanes of its warp, so on cpu
// its code is that of a loop, with no vectors. A tile waits for the whole sum of the tile before it, and that is all the
// look-back there is: tiles are begun in order, and none waits long, since what it waits for is known before the other
// tile's results are stored.

const (
	// serialStreams are the parts of a tile that a thread goes through side by side: an addition of floats takes as long as
	// four loads.
	serialStreams = 4
	// serialSteps are the elements between two looks at whether the launch is to end, of each part.
	serialSteps = 4
	// serialFixed is the tile of a scan with Deterministic.
	serialFixed = 1 << 14
	// serialMost are the elements of the largest tile: a radix sort counts a tile's digits with 32 bits.
	serialMost = 1 << 30
)

// serialTile is how many elements a tile has that one thread goes through, each with so many bytes of shared memory; up to 1
// where many threads share a tile.
func (t Tuning) serialTile(s *launch.Stream, bytes int) int {
	const others = 4 << 10 // bytes of counters and the like
	if t.Serial <= 1 {
		return 0
	}
	if bytes == 0 {
		return min(t.Serial, serialMost)
	}
	return min(t.Serial, (s.Device().Info().SharedPerBlock-others)/bytes)
}

// aloneTile is [ticket] for a block of one thread. The compiler must see that the number is all lanes': it would replace a
// plain load by what was stored.
func aloneTile(next *uint64) int {
	mine := dsl.Shared[dsl.Atomic[uint64]]()
	mine.Store(dsl.AtomicAdd(next, 1), dsl.ScopeBlock, dsl.Relaxed)
	return int(mine.Load(dsl.ScopeBlock, dsl.Relaxed))
}

// scanSerial is a scan whose tiles are a thread's each. It adds up a tile's parts, waits for the sum of what is before, and
// scans the parts. The grouping of values depends on perTile alone.
func scanSerial[T comparable](s *launch.Stream, fn string, n int, at func(i int) T, put func(i int, v T), init T, exclusive bool,
	op func(a, b T) T, perTile int, o Options) (err error) {
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	defer t.close(&err)
	states, next, err := lookBackMemory(t, tiles*stateWords[T]())
	if states == nil || err != nil {
		return err
	}
	k := kernel.NewWith(func(states []dsl.Atomic[uint64], next *uint64, n int, init T) {
		tile := aloneTile(next)
		first, last := tile*perTile, min((tile+1)*perTile, n)
		before := init
		if tile == 0 && !exclusive {
			before = at(0)
			put(0, before)
			first = 1
		}
		each := 0 // elements of a part: one, and a number of steps
		if most := (last - first) / serialStreams; most > serialSteps {
			each = (most-1)/serialSteps*serialSteps + 1
		}
		rest := first + serialStreams*each
		var v [serialStreams]T
		if each > 0 {
			sumStreams(&v, first, each, at, op)
		}
		if tile > 0 {
			_, before = await[T](states, stateWords[T](), tile-1)
		}
		if each > 0 { // what was a part's sum becomes what is before it
			//heddle:unroll
			for p := range serialStreams {
				sum := v[p]
				v[p] = before
				before = op(before, sum)
			}
		}
		all := before
		for i := rest; i < last; i++ {
			all = op(all, at(i))
		}
		publish(states, stateWords[T](), tile, sumAll, all)
		if each > 0 {
			scanStreams(&v, first, each, at, put, exclusive, op)
		}
		for i := rest; i < last; i++ {
			before = scanNext(i, before, at, put, exclusive, op)
		}
	}, kernel.Options{MaxThreads: 1, Specialize: []string{"perTile", "exclusive"}})
	return k.Launch(s, launch.Linear(tiles, 1), states, next, n, init)
}

// sumStreams sets v[p] to the sum of part p of a tile.
func sumStreams[T any](v *[serialStreams]T, first, each int, at func(i int) T, op func(a, b T) T) {
	//heddle:unroll
	for p := range serialStreams {
		v[p] = at(first + p*each)
	}
	for i := first + 1; i < first+each; i += serialSteps {
		//heddle:unroll
		for p := range serialStreams {
			//heddle:unroll
			for j := range serialSteps {
				v[p] = op(v[p], at(i+p*each+j))
			}
		}
	}
}

// scanStreams scans the parts of a tile, v[p] being what is before part p.
func scanStreams[T any](v *[serialStreams]T, first, each int, at func(i int) T, put func(i int, v T), exclusive bool, op func(a, b T) T) {
	//heddle:unroll
	for p := range serialStreams {
		v[p] = scanNext(first+p*each, v[p], at, put, exclusive, op)
	}
	for i := first + 1; i < first+each; i += serialSteps {
		//heddle:unroll
		for p := range serialStreams {
			//heddle:unroll
			for j := range serialSteps {
				v[p] = scanNext(i+p*each+j, v[p], at, put, exclusive, op)
			}
		}
	}
}

// scanNext puts element i of a scan, before being what is before it, and returns what is before the next one.
func scanNext[T any](i int, before T, at func(i int) T, put func(i int, v T), exclusive bool, op func(a, b T) T) T {
	all := op(before, at(i))
	if exclusive {
		put(i, before)
	} else {
		put(i, all)
	}
	return all
}
