package prim_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// serials are tiles of a thread each: some have no parts side by side, some have.
func serials() []int {
	if *fullTests {
		return []int{2, 19, 20, 37, 300, 5000}
	}
	return []int{37}
}

// TestSerial has the forms of one thread a tile on every device.
func TestSerial(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		for _, serial := range serials() {
			o := prim.Options{Tuning: prim.Tuning{Serial: serial}}
			for _, n := range []int{1, serial, serial + 1, 40 * serial} { // emulated GPUs take long where more tiles wait
				serialScans(t, dev, n, o)
				serialSelects(t, dev, n, o)
				serialSorts(t, dev, n, o)
			}
		}
	})
}

func serialScans(t *testing.T, dev *launch.Device, n int, o prim.Options) {
	t.Helper()
	s, name := dev.Stream(), fmt.Sprint(" ", n, " ", o.Tuning.Serial)
	host := random(n)
	maps, inclusive, exclusive := make([]affine, n), make([]affine, n), make([]affine, n)
	sum := affine{3, 5}
	for i, v := range host {
		maps[i] = affine{int64(v), int64(v) * 3}
		inclusive[i] = maps[i]
		if i > 0 {
			inclusive[i] = compose(inclusive[i-1], maps[i])
		}
		exclusive[i], sum = sum, compose(sum, maps[i])
	}
	in, out := upload(t, dev, maps), alloc[affine](t, dev, n)
	must(t, prim.ExclusiveScan(s, out, in, affine{3, 5}, compose, o))
	expect(t, "exclusive"+name, download(t, out), exclusive)
	must(t, prim.InclusiveScan(s, in, in, compose, o)) // in place
	expect(t, "inclusive"+name, download(t, in), inclusive)

	keys := make([]int32, n)
	var heads, sums []int32
	var lengths []int
	for i, v := range host {
		if i > 0 {
			keys[i] = keys[i-1] + v&1*(v>>1&1)
		}
		if i == 0 || keys[i] != keys[i-1] {
			heads, sums, lengths = append(heads, keys[i]), append(sums, 0), append(lengths, 0)
		}
		sums[len(sums)-1] += v
		lengths[len(lengths)-1]++
	}
	k, v, outK, outV := upload(t, dev, keys), upload(t, dev, host), alloc[int32](t, dev, n), alloc[int32](t, dev, n)
	outN, count := alloc[int](t, dev, n), alloc[int](t, dev, 1)
	must(t, prim.ReduceByKey(s, outK, outV, count, k, v, prim.Add[int32], o))
	c := download(t, count)[0]
	expect(t, "keys"+name, download(t, outK)[:c], heads)
	expect(t, "sums"+name, download(t, outV)[:c], sums)
	must(t, prim.RunLengthEncode(s, outK, outN, count, k, o))
	c = download(t, count)[0]
	expect(t, "heads"+name, download(t, outK)[:c], heads)
	expect(t, "lengths"+name, download(t, outN)[:c], lengths)
}

func serialSelects(t *testing.T, dev *launch.Device, n int, o prim.Options) {
	t.Helper()
	s, name := dev.Stream(), fmt.Sprint(" ", n, " ", o.Tuning.Serial)
	host := random(n)
	keep := func(v int32) bool { return v%3 == 0 }
	var kept, others []int32
	for _, v := range host {
		if keep(v) {
			kept = append(kept, v)
		} else {
			others = append([]int32{v}, others...)
		}
	}
	in, out, count := upload(t, dev, host), alloc[int32](t, dev, n), alloc[int](t, dev, 1)
	must(t, prim.Partition(s, out, count, in, keep, o))
	expect(t, "partition"+name, download(t, out), append(slices.Clone(kept), others...))
	must(t, prim.Select(s, in, count, in, keep, o)) // in place
	expect(t, "select"+name, download(t, in)[:download(t, count)[0]], kept)
}

func serialSorts(t *testing.T, dev *launch.Device, n int, o prim.Options) {
	t.Helper()
	s, name := dev.Stream(), fmt.Sprint(" ", n, " ", o.Tuning.Serial)
	keys, index := random(n), make([]int16, n)
	for i := range keys {
		keys[i], index[i] = keys[i]%500, int16(i)
	}
	want := slices.Clone(index)
	slices.SortStableFunc(want, func(a, b int16) int { return int(keys[b] - keys[a]) })
	k, v := upload(t, dev, keys), upload(t, dev, index)
	o.Descending = true
	must(t, prim.SortPairs(s, k, v, k, v, o)) // in place
	slices.SortFunc(keys, func(a, b int32) int { return int(b - a) })
	expect(t, "sorted"+name, download(t, k), keys)
	expect(t, "values"+name, download(t, v), want)
}

// TestSerialPanics has a thread panic while later tiles wait for its own.
func TestSerialPanics(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		in, out := upload(t, dev, random(100)), alloc[int32](t, dev, 200)
		err := prim.ScanFunc(dev.Stream(), 200, prim.Of(in), prim.Into(out), prim.Add[int32], prim.Options{Tuning: prim.Tuning{Serial: 37}})
		if later := dev.Sync(); err == nil {
			err = later
		}
		var panicked *launch.KernelPanic
		if !errors.As(err, &panicked) {
			t.Fatalf("the error is %v, want that of index 100", err)
		}
	})
}
