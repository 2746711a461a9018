package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
	"heddle/prim/warp"
)

const (
	radixDigits = 1 << block.RadixBits
	maxPasses   = 8
)

// A radix is a radix sort that is set up.
type radix[K any, U uint32 | uint64] struct {
	s      *launch.Stream
	n      int
	passes []pass
	key    func(v K) U
	flip   U // of the key's bits, to sort descending
	tune   Tuning
	tiles  int
	starts *launch.Buffer[uint64] // of each digit of each pass
	nexts  *launch.Buffer[uint64] // tickets, for each pass
	narrow *launch.Buffer[dsl.Atomic[uint32]]
	wide   *launch.Buffer[dsl.Atomic[uint64]]
	shared bool // all passes have the same states, which each clears
	from   []int
	to     []int
	copied bool
}

// radixKeys sorts keys alone.
func radixKeys[K any, U uint32 | uint64](s *launch.Stream, fn string, out, in *launch.Buffer[K], key func(v K) U, bits int, o Options) error {
	return radixPairs(s, fn, out, noValues, in, noValues, key, bits, o)
}

// nothing is the value of a key that has none.
type nothing struct{}

// noValues stands for no values.
var noValues = (*launch.Buffer[nothing])(nil)

// radixPairs sorts keys by what key makes of them, with their values.
func radixPairs[K, V any, U uint32 | uint64](s *launch.Stream, fn string, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K], values *launch.Buffer[V], key func(v K) U, bits int, o Options) (err error) {
	r := &radix[K, U]{s: s, n: keys.Len(), key: key}
	if r.passes, err = digitsOf(fn, o, bits); err != nil {
		return err
	}
	if o.Descending {
		r.flip = ^U(0)
	}
	size := int(max(unsafe.Sizeof(*new(K)), unsafe.Sizeof(*new(V))))
	both := int(unsafe.Sizeof(*new(K)) + unsafe.Sizeof(*new(V)))
	if size > 128 || both > 208 {
		return &Error{Func: fn, Arg: "type", Reason: "is too large to be sorted: at most 128 bytes, and 208 with its value (sort indices)", Have: both}
	}
	algorithm := "radix"
	if values != nil {
		algorithm = "pairs"
	}
	if r.tune, err = tuned(s, algorithm, size, o); err != nil || r.n == 0 {
		return err
	}
	if len(r.passes) == 0 {
		return copyPairs(s, outKeys, outValues, keys, values, o)
	}
	var run func(*radix[K, U], [3]*launch.Buffer[K], [3]*launch.Buffer[V]) error
	perTile := r.tune.serialTile(s, 0)
	if perTile > 1 {
		run = func(r *radix[K, U], keys [3]*launch.Buffer[K], values [3]*launch.Buffer[V]) error {
			return radixSerial(r, perTile, keys, values)
		}
	} else {
		r.tune = radixFitting(s, r.tune, both)
		tile, items := radixRun[K, V, U](r.tune.Items, size)
		run, perTile = tile, r.tune.Threads*items
		if r.n <= perTile {
			if o.need == nil {
				return radixOne(r, outKeys, keys, outValues, values, size)
			}
			return nil
		}
	}
	r.tiles = (r.n + perTile - 1) / perTile
	r.from, r.to, r.copied = route(len(r.passes), overlap(outKeys, keys) || overlap(outValues, values))
	t := &temp{fn: fn, s: s, o: o}
	zeros := want[uint64](t, r.zeros(), true)
	var tmpKeys tempPart[K]
	var tmpValues tempPart[V]
	if len(r.passes) > 1 || r.copied {
		tmpKeys = want[K](t, r.n, false)
		if values != nil {
			tmpValues = want[V](t, r.n, false)
		}
	}
	if done, err := t.get(); done || err != nil {
		return err
	}
	defer t.close(&err)
	if err := r.counters(t, zeros); err != nil {
		return err
	}
	placesK, placesV := [3]*launch.Buffer[K]{outKeys, nil, keys}, [3]*launch.Buffer[V]{outValues, nil, values}
	if tmpKeys.n > 0 {
		if placesK[1], err = have(t, tmpKeys); err != nil {
			return err
		}
	}
	if tmpValues.n > 0 {
		if placesV[1], err = have(t, tmpValues); err != nil {
			return err
		}
	}
	if r.copied {
		if err := copyPairs(s, placesK[1], placesV[1], keys, values, Options{}); err != nil {
			return err
		}
	}
	return run(r, placesK, placesV)
}

// radixFitting is a tuning with fewer items a thread, and where that is not enough fewer threads, so that a tile of elements of so many
// bytes fits in the device's shared memory.
func radixFitting(s *launch.Stream, t Tuning, bytes int) Tuning {
	const few, others = 4, 5 << 10 // items of the smallest kernel; bytes of starts, bases and the like
	room := s.Device().Info().SharedPerBlock
	large := func() bool {
		return t.Threads*max(t.Items, few)*bytes+4*block.RadixCounts(t.Threads)+others > room
	}
	for t.Items > few && large() {
		t.Items -= few
	}
	for t.Threads > 64 && large() {
		t.Threads -= 64
	}
	return t
}

// stateWords is how many 64-bit words the states of a pass have: a number for each digit of each tile, of 32 bits where
// a count of all keys and two more bits fit in.
func (r *radix[K, U]) stateWords() int {
	if r.n < 1<<30 {
		return r.tiles * radixDigits / 2
	}
	return r.tiles * radixDigits
}

// zeros is how many 64-bit words must be 0 at first: starts, nexts, and the states. Each pass has states of its own, so that one
// call clears all, unless these are so many that they would leave the cache.
func (r *radix[K, U]) zeros() int {
	const most = 1 << 19
	passes, states := len(r.passes), r.stateWords()
	if r.shared = states*passes > most; !r.shared {
		states *= passes
	}
	return passes*radixDigits + (passes+1)/2*2 + states
}

// counters sets starts, nexts and the states.
func (r *radix[K, U]) counters(t *temp, zeros tempPart[uint64]) error {
	words, err := have(t, zeros)
	if err != nil {
		return err
	}
	passes := len(r.passes)
	after := passes*radixDigits + (passes+1)/2*2
	r.starts, r.nexts = words.Slice(0, passes*radixDigits), words.Slice(passes*radixDigits, passes*radixDigits+passes)
	if states := words.Slice(after, words.Len()); r.n < 1<<30 {
		r.narrow, err = launch.View[dsl.Atomic[uint32]](states)
	} else {
		r.wide, err = launch.View[dsl.Atomic[uint64]](states)
	}
	return err
}

// radixRun is the sort for at most so many items a thread, of elements of that size, and how many it has.
func radixRun[K, V any, U uint32 | uint64](most, size int) (func(*radix[K, U], [3]*launch.Buffer[K], [3]*launch.Buffer[V]) error, int) {
	switch {
	case most >= 20 && size <= 4:
		return radixWith[K, V, U, [20]K, [20]V, [20]uint32], 20
	case most >= 16 && size <= 8:
		return radixWith[K, V, U, [16]K, [16]V, [16]uint32], 16
	case most >= 12 && size <= 8:
		return radixWith[K, V, U, [12]K, [12]V, [12]uint32], 12
	case most >= 8 && size <= 16:
		return radixWith[K, V, U, [8]K, [8]V, [8]uint32], 8
	}
	return radixWith[K, V, U, [4]K, [4]V, [4]uint32], 4
}

// copyPairs copies, unless it is onto itself.
func copyPairs[K, V any](s *launch.Stream, outKeys *launch.Buffer[K], outValues *launch.Buffer[V], keys *launch.Buffer[K], values *launch.Buffer[V], o Options) error {
	if o.need != nil {
		return nil
	}
	if outKeys.Pointer() != keys.Pointer() {
		if err := outKeys.CopyFrom(s, keys); err != nil {
			return err
		}
	}
	if values != nil && outValues.Pointer() != values.Pointer() {
		return outValues.CopyFrom(s, values)
	}
	return nil
}

// radixWith counts the digits of all passes, and then runs the passes.
func radixWith[K, V any, U uint32 | uint64, A warp.Items[K], B warp.Items[V], D warp.Items[uint32]](r *radix[K, U], keys [3]*launch.Buffer[K], values [3]*launch.Buffer[V]) error {
	if err := radixCount(r, keys[2]); err != nil {
		return err
	}
	for p, pass := range r.passes {
		var err error
		if r.narrow != nil {
			err = radixPass[K, V, U, uint32, A, B, D](r, p, pass, r.narrow, keys[r.from[p]], keys[r.to[p]], values[r.from[p]], values[r.to[p]])
		} else {
			err = radixPass[K, V, U, uint64, A, B, D](r, p, pass, r.wide, keys[r.from[p]], keys[r.to[p]], values[r.from[p]], values[r.to[p]])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// radixCount sets starts to the place of the first key of each digit, for all passes.
func radixCount[K any, U uint32 | uint64](r *radix[K, U], keys *launch.Buffer[K]) error {
	low, passes, last := r.passes[0].low, len(r.passes), r.passes[len(r.passes)-1]
	lastMask := uint32(1)<<last.bits - 1
	threads, key, flip := 256, r.key, r.flip
	blocks := max(1, min(r.tune.blocksOf(r.s), r.n/(threads*histogramItems)))
	k := kernel.NewWith(func(_ U, keys []K, starts []uint64, low int, lastMask uint32) {
		counts := dsl.Shared[[maxPasses * radixDigits]uint32]()
		t := dsl.ThreadIdx().X
		for i := t; i < passes*radixDigits; i += threads {
			counts[i] = 0
		}
		dsl.SyncThreads()
		own := &counts[0]
		each(threads, len(keys), func(i int) K { return *elem(unsafe.SliceData(keys), i) }, func(v K) {
			bits := (key(v) ^ flip) >> shiftOf[U](low)
			for p := range passes {
				d := uint32(bits>>(p*block.RadixBits)) % radixDigits
				if p == passes-1 {
					d &= lastMask
				}
				dsl.AtomicAdd(elem(own, p*radixDigits+int(d)), 1)
			}
		})
		dsl.SyncThreads()
		for i := t; i < passes*radixDigits; i += threads {
			if n := counts[i]; n != 0 {
				dsl.AtomicAdd(&starts[i], uint64(n))
			}
		}
	}, kernel.Options{MaxThreads: threads, Specialize: []string{"threads", "passes", "flip"}})
	if err := k.Launch(r.s, launch.Linear(blocks*threads, threads), *new(U), keys, r.starts, low, lastMask); err != nil {
		return err
	}
	k = kernel.NewWith(scanDigits, kernel.Options{MaxThreads: radixDigits})
	return k.Launch(r.s, launch.Linear(passes*radixDigits, radixDigits), r.starts)
}

// scanDigits is the exclusive scan of the counts of a pass, by a block.
func scanDigits(counts []uint64) {
	i := dsl.BlockIdx().X*radixDigits + dsl.ThreadIdx().X
	before, _ := block.ScanIn(radixDigits, counts[i], Add[uint64])
	sum := uint64(0)
	if before.Any {
		sum = before.Value
	}
	counts[i] = sum
}

// blocksOf is the blocks of a grid that does not depend on the length.
func (t Tuning) blocksOf(s *launch.Stream) int {
	return max(1, t.Blocks) * s.Device().Info().ComputeUnits
}

// each calls f with the values of a block's part of 0 to n-1.
func each[T any](threads, n int, at func(i int) T, f func(v T)) {
	perTile := threads * histogramItems
	for base := dsl.BlockIdx().X * perTile; base < n; base += dsl.GridDim().X * perTile {
		first := base + dsl.ThreadIdx().X
		if base+perTile <= n {
			var own [histogramItems]T
			for k := range histogramItems {
				own[k] = at(first + k*threads)
			}
			for k := range histogramItems {
				f(own[k])
			}
			continue
		}
		for k := range histogramItems {
			if first+k*threads < n {
				f(at(first + k*threads))
			}
		}
	}
}

// statesOf is the states of a pass, all 0.
func statesOf[K any, U, W uint32 | uint64](r *radix[K, U], p int, states *launch.Buffer[dsl.Atomic[W]]) (*launch.Buffer[dsl.Atomic[W]], error) {
	if r.shared {
		return states, states.Clear(r.s)
	}
	each := states.Len() / len(r.passes)
	return states.Slice(p*each, (p+1)*each), nil
}

// radixPass sorts by one digit.
func radixPass[K, V any, U, W uint32 | uint64, A warp.Items[K], B warp.Items[V], D warp.Items[uint32]](r *radix[K, U], p int, pass pass, states *launch.Buffer[dsl.Atomic[W]], keys, outKeys *launch.Buffer[K], values, outValues *launch.Buffer[V]) error {
	states, err := statesOf(r, p, states)
	if err != nil {
		return err
	}
	var items A
	threads, key, flip := r.tune.Threads, r.key, r.flip
	perTile, counts, far := threads*len(items), block.RadixCounts(threads), tilesAhead(r.s)
	opts := kernel.Options{MaxThreads: threads, MinBlocks: r.tune.minBlocks(), Specialize: []string{"threads", "perTile", "counts", "flip", "far"}}
	cfg := launch.Linear(r.tiles*threads, threads)
	starts, next := r.starts.Slice(p*radixDigits, (p+1)*radixDigits), r.nexts.Slice(p, p+1)
	mask := uint32(1)<<pass.bits - 1
	if values == nil {
		k := kernel.NewWith(func(_ U, _ D, _ A, keys, out []K, states []dsl.Atomic[W], starts []uint64, next *uint64, low int, mask uint32) {
			mem, nums := dsl.SharedSlice[K](perTile), dsl.SharedSlice[uint32](counts)
			var ranks D
			if far > 0 {
				askFor[K](asks(keys), dsl.BlockIdx().X+far, perTile, threads, len(keys))
			}
			radixTile[K, U, W, A, D](&ranks, mem, nums, threads, keys, out, states, starts, next, shiftOf[U](low), mask, key, flip)
		}, opts)
		return k.Launch(r.s, cfg, *new(U), *new(D), *new(A), keys, outKeys, states, starts, next, pass.low, mask)
	}
	k := kernel.NewWith(func(_ U, _ D, _ A, _ B, keys, out []K, values, outValues []V, states []dsl.Atomic[W], starts []uint64, next *uint64, low int, mask uint32) {
		mem, nums := dsl.SharedSlice[K](perTile), dsl.SharedSlice[uint32](counts)
		memV := dsl.SharedSlice[V](perTile)
		var ranks D
		shift := shiftOf[U](low)
		if far > 0 {
			askFor[K](asks(keys), dsl.BlockIdx().X+far, perTile, threads, len(keys))
			askFor[V](asks(values), dsl.BlockIdx().X, perTile, threads, len(values))
		}
		tile, bases := radixTile[K, U, W, A, D](&ranks, mem, nums, threads, keys, out, states, starts, next, shift, mask, key, flip)
		var own B
		base := dsl.WarpID() * dsl.WarpSize() * len(own)
		warp.Load(&own, tile*perTile+base, len(values), func(i int) V { return *elem(unsafe.SliceData(values), i) })
		for i := 0; i < len(own); i++ {
			*elem(unsafe.SliceData(memV), int(ranks[i])) = own[i]
		}
		dsl.SyncThreads()
		valid := min(perTile, len(keys)-tile*perTile)
		for i := 0; i < len(own); i++ {
			if j := base + dsl.LaneID() + i*dsl.WarpSize(); j < valid {
				d := uint32((key(*elem(unsafe.SliceData(mem), j))^flip)>>shift) & mask
				*elem(unsafe.SliceData(outValues), int(bases[d]+W(j))) = *elem(unsafe.SliceData(memV), j)
			}
		}
	}, opts)
	return k.Launch(r.s, cfg, *new(U), *new(D), *new(A), *new(B), keys, outKeys, values, outValues, states, starts, next, pass.low, mask)
}

// shiftOf is low, which the caller knows to be less than the bits of U: a shift by that needs no check.
func shiftOf[U uint32 | uint64](low int) uint {
	return uint(low) & (8*uint(unsafe.Sizeof(*new(U))) - 1)
}

// radixTile sorts a tile of keys by a digit and stores them in their places. ranks are then the places in the tile of
// what the thread loaded, striped by warps, mem the tile's sorted keys, and bases[d] what is to be added to the place of a key of digit d in the
// tile for that in the output, modulo 2 to the bits of W.
func radixTile[K any, U, W uint32 | uint64, A warp.Items[K], D warp.Items[uint32]](ranks *D, mem []K, counts []uint32, threads int, keys, out []K, states []dsl.Atomic[W], starts []uint64, next *uint64, shift uint, mask uint32, key func(v K) U, flip U) (tile int, bases *[radixDigits]W) {
	var items A
	bases = dsl.Shared[[radixDigits]W]()
	own := dsl.Shared[[radixDigits]uint32]()
	tile = tileInOrder(next)
	w, t := dsl.WarpID(), dsl.ThreadIdx().X
	perTile := threads * len(items)
	base := w * dsl.WarpSize() * len(items)
	valid := min(perTile, len(keys)-tile*perTile)
	warp.Load(&items, tile*perTile+base, len(keys), func(i int) K { return *elem(unsafe.SliceData(keys), i) })
	place := uint32(base + dsl.LaneID()) // of the thread's first item in the tile
	digit := func(i int) uint32 {
		if place+uint32(i*dsl.WarpSize()) < uint32(valid) {
			return uint32((key(items[i])^flip)>>shift) & mask
		}
		return radixDigits - 1
	}
	block.CountDigits(threads, digit, ranks, counts)
	block.TotalDigits(threads, counts, func(d int, n uint32) {
		own[d] = n
		far := W(sumOwn)
		if tile == 0 {
			far = sumAll
		}
		states[tile*radixDigits+d].Store(W(n)<<2|far, dsl.ScopeDevice, dsl.Relaxed)
	})
	dsl.SyncThreads()
	block.StartDigits(threads, own[:], counts)
	for i := 0; i < len(items); i++ {
		rank := (*ranks)[i]
		d := int(rank >> block.RankBits)
		rank &= 1<<block.RankBits - 1
		rank += *elem(unsafe.SliceData(counts), w<<block.RadixBits+d)
		(*ranks)[i] = rank
	}
	for i := 0; i < len(items); i++ { // after all loads, which these stores would hold up
		*elem(unsafe.SliceData(mem), int((*ranks)[i])) = items[i]
	}
	for d := t; d < radixDigits; d += threads {
		n := perTile
		if d+1 < radixDigits {
			n = int(own[d+1])
		}
		n -= int(own[d])
		before := 0
		if tile > 0 {
			before = digitsBefore(states, tile, d)
			states[tile*radixDigits+d].Store(W(before+n)<<2|sumAll, dsl.ScopeDevice, dsl.Relaxed)
		}
		bases[d] = W(int(starts[d]) + before - int(own[d]))
	}
	dsl.SyncThreads()
	for i := 0; i < len(items); i++ {
		if j := place + uint32(i*dsl.WarpSize()); j < uint32(valid) {
			v := *elem(unsafe.SliceData(mem), int(j))
			d := uint32((key(v)^flip)>>shift) & mask
			*elem(unsafe.SliceData(out), int(*elem(&bases[0], int(d))+W(j))) = v
		}
	}
	return tile, bases
}

// digitsBefore is how many keys of digit d the tiles before tile have, by look-back at several tiles at once.
func digitsBefore[W uint32 | uint64](states []dsl.Atomic[W], tile, d int) int {
	const ahead = 4
	sum := 0
	for at := tile - 1; ; at -= ahead {
		var words [ahead]W
		for i := range ahead {
			words[i] = sumAll // of no tile: nothing is before the first
			if at-i >= 0 {
				words[i] = states[(at-i)*radixDigits+d].Load(dsl.ScopeDevice, dsl.Relaxed)
			}
		}
		for i := range ahead {
			for words[i] == 0 {
				words[i] = states[(at-i)*radixDigits+d].Load(dsl.ScopeDevice, dsl.Relaxed)
			}
			sum += int(words[i] >> 2)
			if words[i]&3 == sumAll {
				return sum
			}
		}
	}
}
