package prim_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"heddle/launch"
	"heddle/prim"
)

// TestRandom runs random algorithms on random lengths, values and tunings against plain Go. A failure prints the seed, for
// -seed; -full runs more of them.
func TestRandom(t *testing.T) {
	first := *seed
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	rounds := 6
	if *fullTests {
		rounds = 300
	}
	onEach(t, func(t *testing.T, dev *launch.Device) {
		for round := range rounds {
			sd := first + uint64(round)
			r := rand.New(rand.NewPCG(sd, 1))
			what := fmt.Sprintf("-seed %d", sd)
			n := r.IntN(1 << r.IntN(12))
			o := prim.Options{Tuning: prim.Tuning{Threads: 64 << r.IntN(2), Items: []int{3, 7}[r.IntN(2)], Blocks: 1 + r.IntN(2)}, Descending: r.IntN(2) == 0}
			limit := uint64(1) << (1 + r.IntN(63))
			switch r.IntN(3) {
			case 0:
				randomRound(t, dev, what, r, n, o, func() uint8 { return uint8(r.Uint64N(limit)) })
			case 1:
				randomRound(t, dev, what, r, n, o, func() int32 { return int32(r.Uint64N(limit)) })
			case 2:
				randomRound(t, dev, what, r, n, o, func() uint64 { return r.Uint64N(limit) })
			}
		}
	})
}

// randomRound is one round with one type.
func randomRound[T interface{ ~uint8 | ~int32 | ~uint64 }](t *testing.T, dev *launch.Device, what string, r *rand.Rand, n int, o prim.Options, value func() T) {
	t.Helper()
	s := dev.Stream()
	host := make([]T, n)
	for i := range host {
		host[i] = value()
	}
	switch r.IntN(4) { // some are in order
	case 0:
		slices.Sort(host)
	case 1:
		slices.Sort(host)
		slices.Reverse(host)
	}
	in, out, count, one := upload(t, dev, host), alloc[T](t, dev, n), alloc[int](t, dev, 1), alloc[T](t, dev, 1)
	want := slices.Clone(host)
	switch r.IntN(5) {
	case 0:
		op, init := prim.Add[T], T(3)
		if r.IntN(2) == 0 {
			op, init = prim.Max[T], 0
		}
		sum := init
		for i, v := range host {
			want[i], sum = sum, op(sum, v)
		}
		must(t, prim.ExclusiveScan(s, out, in, init, op, o))
		expect(t, what+": scan", download(t, out), want)
		must(t, prim.Reduce(s, one, in, init, op, o))
		expect(t, what+": reduce", download(t, one), []T{sum})
	case 1, 2:
		slices.SortFunc(want, func(a, b T) int {
			if o.Descending {
				a, b = b, a
			}
			return cmp.Compare(a, b)
		})
		must(t, prim.SortKeys(s, out, in, o))
		expect(t, what+": sort", download(t, out), want)
		must(t, prim.MergeSort(s, out, in, func(a, b T) bool { return a < b }, o))
		expect(t, what+": merge sort", download(t, out), want)
	case 3:
		pivot := value()
		want = slices.DeleteFunc(want, func(v T) bool { return v >= pivot })
		must(t, prim.Select(s, out, count, in, func(v T) bool { return v < pivot }, o))
		expect(t, what+": select", download(t, out)[:download(t, count)[0]], want)
	case 4:
		want = slices.Compact(want)
		must(t, prim.Unique(s, out, count, in, o))
		expect(t, what+": unique", download(t, out)[:download(t, count)[0]], want)
	}
}
