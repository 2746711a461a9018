package prim

import (
	"math/bits"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/warp"
)

// RunLengthEncode stores the key and the length of each run of equal keys, and how many runs there are in count[0]
// (hipcub::DeviceRunLengthEncode::Encode). What does not fit is dropped. The outputs share no memory with in.
func RunLengthEncode[K comparable](s *launch.Stream, outKeys *launch.Buffer[K], lengths, count *launch.Buffer[int], in *launch.Buffer[K], opts ...Options) error {
	const fn = "RunLengthEncode"
	if err := first(stream(fn, s), live(fn, "in", in), live(fn, "outKeys", outKeys), live(fn, "lengths", lengths), atLeast(fn, "count", count, 1),
		apart(fn, "outKeys", outKeys, "in", in, false), apart(fn, "lengths", lengths, "in", in, false),
		apart(fn, "outKeys", outKeys, "lengths", lengths, false), countApart(fn, count, outKeys, in), apart(fn, "count", count, "lengths", lengths, false)); err != nil {
		return err
	}
	n := in.Len()
	if n == 0 {
		return none(s, count, opts)
	}
	putKey, putLength := within(outKeys, n), within(lengths, n)
	if n >= 1<<31 { // more than the look-back's words hold
		key := of(in)
		return reduceRuns(s, fn, n, headOf(key), Constant(1), Add[int], func(k, length, last int) {
			putKey(k, key(last))
			putLength(k, length)
		}, count, opts)
	}
	o := merged(opts)
	tune, err := tuned(s, "runs", int(unsafe.Sizeof(*new(K))), o)
	if err != nil {
		return err
	}
	if perTile := tune.serialTile(s, 4); perTile > 1 {
		return runsSerial(s, fn, n, of(in), putKey, putLength, count, perTile, o)
	}
	run := runsWith[K, [4]K, [4]uint64]
	switch {
	case tune.Items >= 20:
		run = runsWith[K, [20]K, [20]uint64]
	case tune.Items >= 16:
		run = runsWith[K, [16]K, [16]uint64]
	case tune.Items >= 12:
		run = runsWith[K, [12]K, [12]uint64]
	case tune.Items >= 8:
		run = runsWith[K, [8]K, [8]uint64]
	}
	return run(s, fn, n, of(in), putKey, putLength, count, tune, o)
}

// runsWith selects the heads of the runs. A head also knows the head before it, and so stores that one's length: the look-back takes
// along where the last head is.
func runsWith[K comparable, A warp.Items[K], M warp.Items[uint64]](s *launch.Stream, fn string, n int, key func(i int) K, putKey func(k int, v K), putLength func(k, v int), count *launch.Buffer[int], tune Tuning, o Options) (err error) {
	var items A
	threads := tune.Threads
	perTile := threads * len(items)
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	defer t.close(&err)
	apart, wait := spread(s, tiles, 1, runsWait)
	states, next, err := lookBackMemory(t, tiles*apart)
	if states == nil || err != nil {
		return err
	}
	k := kernel.NewWith(func(_ A, _ M, states []dsl.Atomic[uint64], next *uint64, count *int, n, wait int) {
		var items A
		var heads M
		tile := tileInOrder(next)
		base := tile*threads*len(items) + dsl.WarpID()*dsl.WarpSize()*len(items)
		headsOf(&items, &heads, base, n, key)
		own, all := headsBefore(heads, threads, int32(base))
		before := runsBefore(states, apart, wait, tile, all)
		if (tile+1)*threads*len(items) >= n && dsl.ThreadIdx().X == 0 {
			end := before.with(all)
			*count = int(end.count)
			putLength(int(end.count)-1, n-int(end.last))
		}
		prev := before.with(own)
		lane, row := uint64(1)<<dsl.LaneID(), int32(base)
		for i := 0; i < len(items); i++ {
			if heads[i]&lane != 0 {
				below := heads[i] & (lane - 1)
				at, last := prev.count+int32(popc(below)), prev.last
				if below != 0 {
					last = row + highest(below)
				}
				putKey(int(at), items[i])
				if at > 0 {
					putLength(int(at)-1, int(row+int32(dsl.LaneID())-last))
				}
			}
			if heads[i] != 0 {
				prev = runCount{prev.count + int32(popc(heads[i])), row + highest(heads[i])}
			}
			row += int32(dsl.WarpSize())
		}
	}, kernel.Options{MaxThreads: threads, MinBlocks: tune.minBlocks(), Specialize: []string{"threads", "apart"}})
	return k.Launch(s, launch.Linear(tiles*threads, threads), *new(A), *new(M), states, next, count, n, wait)
}

// A runCount is how many heads there are in a part of the keys, and the place of the last one; 0 if there is none.
type runCount struct{ count, last int32 }

// with is the runCount of a part and the one behind it.
func (r runCount) with(behind runCount) runCount {
	return runCount{r.count + behind.count, max(r.last, behind.last)}
}

// highest is the number of the highest lane of a mask, which has one.
func highest(mask uint64) int32 {
	if dsl.WarpSize() == 32 {
		return int32(31 - bits.LeadingZeros32(uint32(mask)))
	}
	return int32(63 - bits.LeadingZeros64(mask))
}

// headsOf loads the items of a warp's part of the keys, striped, and sets heads[i] to the mask of the lanes whose item i begins a run.
func headsOf[K comparable, A warp.Items[K], M warp.Items[uint64]](items *A, heads *M, base, n int, key func(i int) K) {
	var prev A
	warp.Load(items, base, n, key)
	warp.Load(&prev, base, n, func(i int) K { return key(max(i-1, 0)) })
	first := base + dsl.LaneID()
	for i := 0; i < len(*items); i++ {
		j := first + i*dsl.WarpSize()
		(*heads)[i] = dsl.BallotSync(full, j < n && ((*items)[i] != prev[i] || j == 0))
	}
}

// headsBefore is the runCount of the tile before the warp's part, which begins at base, and that of the tile.
func headsBefore[M warp.Items[uint64]](heads M, threads int, base int32) (before, all runCount) {
	counts := dsl.Shared[[32]runCount]()
	var own runCount
	for i := 0; i < len(heads); i++ {
		if heads[i] != 0 {
			own = runCount{own.count + int32(popc(heads[i])), base + int32(i*dsl.WarpSize()) + highest(heads[i])}
		}
	}
	if dsl.LaneID() == 0 {
		counts[dsl.WarpID()] = own
	}
	dsl.SyncThreads()
	for w := range threads / dsl.WarpSize() {
		if w == dsl.WarpID() {
			before = all
		}
		all = all.with(counts[w])
	}
	return before, all
}

// A word of a tile's state has how far it is in two bits, 31 bits of the count and 31 of the last head's place.

func publishRuns(states []dsl.Atomic[uint64], apart, tile int, far uint64, r runCount) {
	states[tile*apart].Store(uint64(r.last)<<33|uint64(r.count)<<2|far, dsl.ScopeDevice, dsl.Relaxed)
}

func runsIn(word uint64) runCount { return runCount{int32(word >> 2 & (1<<31 - 1)), int32(word >> 33)} }

// runsBefore is the runCount of all tiles before the block's, by look-back.
func runsBefore(states []dsl.Atomic[uint64], apart, wait, tile int, own runCount) runCount {
	before := dsl.Shared[runCount]()
	if dsl.WarpID() == 0 {
		var sum runCount
		if tile > 0 {
			if dsl.LaneID() == 0 {
				publishRuns(states, apart, tile, sumOwn, own)
			}
			sum = lookBackRuns(states, apart, wait, tile)
		}
		if dsl.LaneID() == 0 {
			publishRuns(states, apart, tile, sumAll, sum.with(own))
			*before = sum
		}
	}
	dsl.SyncThreads()
	return *before
}

// lookBackRuns is [lookBackCount] of runCounts.
func lookBackRuns(states []dsl.Atomic[uint64], apart, wait, tile int) (sum runCount) {
	lane, width := dsl.LaneID(), dsl.WarpSize()
	letPass(wait)
	for {
		word := awaitWord(states, apart, tile-width+lane)
		last := 63 - dsl.Clz(dsl.BallotSync(full, word&3 == sumAll))
		var r runCount
		if lane >= last {
			r = runsIn(word)
		}
		for d := 1; d < width; d *= 2 {
			r = r.with(dsl.ShflXorSync(full, r, d))
		}
		sum = sum.with(r)
		if last >= 0 {
			return sum
		}
		tile -= width
	}
}
