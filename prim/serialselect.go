package prim

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// selectSerial is a selection whose tiles are a thread's each. A thread gathers what it keeps in memory of its own, so that
// nothing depends on a branch, and stores it when it knows how many are kept before. What is dropped is gathered from the
// memory's end on.
func selectSerial[T any](s *launch.Stream, fn string, n int, at func(i int) T, keep func(i int, v T) bool, put, drop func(k int, v T),
	drops, inPlace bool, count *launch.Buffer[int], perTile int, o Options) (err error) {
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	defer t.close(&err)
	states, next, err := lookBackMemory(t, tiles)
	if states == nil || err != nil {
		return err
	}
	k := kernel.NewWith(func(states []dsl.Atomic[uint64], next *uint64, count *int, n int) {
		mem := unsafe.SliceData(dsl.SharedSlice[T](perTile))
		tile := aloneTile(next)
		first, last := tile*perTile, min((tile+1)*perTile, n)
		kept := 0
		steps(first, last, func(i int) {
			v := at(i)
			*elem(mem, kept) = v
			if drops {
				*elem(mem, last-1-i+kept) = v
			}
			if keep(i, v) {
				kept++
			}
		})
		if inPlace {
			dsl.ThreadFence()
		}
		before := int(awaitWord(states, 1, tile-1) >> 2)
		publishCount(states, 1, tile, sumAll, before+kept)
		if inPlace {
			dsl.ThreadFence()
		}
		if last == n {
			*count = before + kept
		}
		steps(0, kept, func(k int) { put(before+k, *elem(mem, k)) })
		if drops {
			steps(0, last-first-kept, func(k int) { drop(first-before+k, *elem(mem, last-first-1-k)) })
		}
	}, kernel.Options{MaxThreads: 1, Specialize: []string{"perTile", "drops", "inPlace"}})
	return k.Launch(s, launch.Linear(tiles, 1), states, next, count, n)
}

// steps calls f for first to last-1, several times between two looks at whether the launch is to end.
func steps(first, last int, f func(i int)) {
	i := first
	for ; i+serialSteps <= last; i += serialSteps {
		for j := range serialSteps {
			f(i + j)
		}
	}
	for ; i < last; i++ {
		f(i)
	}
}

// runsSerial is [runsWith] whose tiles are a thread's each: it gathers the heads' places.
func runsSerial[K comparable](s *launch.Stream, fn string, n int, key func(i int) K, putKey func(k int, v K), putLength func(k, v int),
	count *launch.Buffer[int], perTile int, o Options) (err error) {
	tiles := (n + perTile - 1) / perTile
	t := &temp{fn: fn, s: s, o: o}
	defer t.close(&err)
	states, next, err := lookBackMemory(t, tiles)
	if states == nil || err != nil {
		return err
	}
	k := kernel.NewWith(func(states []dsl.Atomic[uint64], next *uint64, count *int, n int) {
		heads := unsafe.SliceData(dsl.SharedSlice[int32](perTile))
		tile := aloneTile(next)
		first, last := tile*perTile, min((tile+1)*perTile, n)
		kept, prev := 0, key(max(first-1, 0))
		steps(first, last, func(i int) {
			v := key(i)
			*elem(heads, kept) = int32(i)
			if v != prev || i == 0 {
				kept++
			}
			prev = v
		})
		var own, before runCount
		if kept > 0 {
			own = runCount{int32(kept), *elem(heads, kept-1)}
		}
		if tile > 0 {
			before = runsIn(awaitWord(states, 1, tile-1))
		}
		all := before.with(own)
		publishRuns(states, 1, tile, sumAll, all)
		at, begin := int(before.count), before.last
		steps(0, kept, func(k int) {
			head := *elem(heads, k)
			putKey(at+k, key(int(head)))
			if at+k > 0 {
				putLength(at+k-1, int(head-begin))
			}
			begin = head
		})
		if last == n {
			*count = int(all.count)
			putLength(int(all.count)-1, n-int(all.last))
		}
	}, kernel.Options{MaxThreads: 1, Specialize: []string{"perTile"}})
	return k.Launch(s, launch.Linear(tiles, 1), states, next, count, n)
}
