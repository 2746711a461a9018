package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/block"
)

// radixSerial is the sort whose tiles are a thread's each: a pass counts a tile's digits, adds what tiles before it have of
// each, and puts the keys one by one where they belong.
func radixSerial[K, V any, U uint32 | uint64](r *radix[K, U], perTile int, keys [3]*launch.Buffer[K], values [3]*launch.Buffer[V]) error {
	if err := countSerial(r, perTile, keys[2]); err != nil {
		return err
	}
	for p, pass := range r.passes {
		from, to := r.from[p], r.to[p]
		move := func(from, to int) {}
		if values[2] != nil {
			value, put := of(values[from]), into(values[to])
			move = func(from, to int) { put(to, value(from)) }
		}
		var err error
		if r.narrow != nil {
			err = passSerial(r, p, pass, perTile, r.narrow, keys[from], keys[to], move)
		} else {
			err = passSerial(r, p, pass, perTile, r.wide, keys[from], keys[to], move)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// countSerial sets starts to the place of the first key of each digit, for all passes.
func countSerial[K any, U uint32 | uint64](r *radix[K, U], perTile int, keys *launch.Buffer[K]) error {
	low, passes, last := r.passes[0].low, len(r.passes), r.passes[len(r.passes)-1]
	lastMask := uint32(1)<<last.bits - 1
	key, flip := r.key, r.flip
	k := kernel.NewWith(func(_ U, keys []K, starts []uint64, low int, lastMask uint32) {
		counts := &dsl.Shared[[maxPasses * radixDigits]uint32]()[0]
		for d := range passes * radixDigits {
			*elem(counts, d) = 0
		}
		tile := dsl.BlockIdx().X
		steps(tile*perTile, min((tile+1)*perTile, len(keys)), func(i int) {
			bits := (key(*elem(unsafe.SliceData(keys), i)) ^ flip) >> shiftOf[U](low)
			for p := range passes {
				d := uint32(bits>>(p*block.RadixBits)) % radixDigits
				if p == passes-1 {
					d &= lastMask
				}
				*elem(counts, p*radixDigits+int(d))++
			}
		})
		for d := range passes * radixDigits {
			if n := *elem(counts, d); n != 0 {
				dsl.AtomicAdd(&starts[d], uint64(n))
			}
		}
	}, kernel.Options{MaxThreads: 1, Specialize: []string{"perTile", "passes", "flip"}})
	if err := k.Launch(r.s, launch.Linear(r.tiles, 1), *new(U), keys, r.starts, low, lastMask); err != nil {
		return err
	}
	k = kernel.NewWith(func(counts []uint64) {
		sum, own := uint64(0), counts[dsl.BlockIdx().X*radixDigits:][:radixDigits]
		for d := range radixDigits {
			n := own[d]
			own[d] = sum
			sum += n
		}
	}, kernel.Options{MaxThreads: 1})
	return k.Launch(r.s, launch.Linear(passes, 1), r.starts)
}

// passSerial sorts by one digit, and calls move with the place that a key had and the one that it gets.
func passSerial[K any, U, W uint32 | uint64](r *radix[K, U], p int, pass pass, perTile int, states *launch.Buffer[dsl.Atomic[W]],
	keys, out *launch.Buffer[K], move func(from, to int)) error {
	states, err := statesOf(r, p, states)
	if err != nil {
		return err
	}
	key, flip := r.key, r.flip
	k := kernel.NewWith(func(_ U, keys, out []K, states []dsl.Atomic[W], starts []uint64, next *uint64, low int, mask uint32) {
		at := &dsl.Shared[[radixDigits]uint64]()[0] // counts, and then places
		for d := range radixDigits {
			*elem(at, d) = 0
		}
		tile := aloneTile(next)
		first, last := tile*perTile, min((tile+1)*perTile, len(keys))
		shift := shiftOf[U](low)
		steps(first, last, func(i int) {
			*elem(at, int(uint32((key(*elem(unsafe.SliceData(keys), i))^flip)>>shift)&mask))++
		})
		for d := range int(mask) + 1 {
			before := W(0)
			if tile > 0 {
				before = awaitDigit(states, (tile-1)*radixDigits+d)
			}
			n := *elem(at, d)
			states[tile*radixDigits+d].Store((before+W(n))<<2|sumAll, dsl.ScopeDevice, dsl.Relaxed)
			*elem(at, d) = starts[d] + uint64(before)
		}
		steps(first, last, func(i int) {
			v := *elem(unsafe.SliceData(keys), i)
			d := int(uint32((key(v)^flip)>>shift) & mask)
			to := int(*elem(at, d))
			*elem(at, d) = uint64(to + 1)
			*elem(unsafe.SliceData(out), to) = v
			move(i, to)
		})
	}, kernel.Options{MaxThreads: 1, Specialize: []string{"perTile", "flip"}})
	starts, next := r.starts.Slice(p*radixDigits, (p+1)*radixDigits), r.nexts.Slice(p, p+1)
	return k.Launch(r.s, launch.Linear(r.tiles, 1), *new(U), keys, out, states, starts, next, pass.low, uint32(1)<<pass.bits-1)
}

// awaitDigit waits until a tile's state of a digit is there.
func awaitDigit[W uint32 | uint64](states []dsl.Atomic[W], at int) W {
	for {
		if word := states[at].Load(dsl.ScopeDevice, dsl.Relaxed); word != 0 {
			return word >> 2
		}
	}
}
