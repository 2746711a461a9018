package prim_test

import (
	"strings"
	"testing"

	"heddle/launch"
	"heddle/prim"
)

// scattered is a number for an index; no formula gives the sum of several.
func scattered(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 >> 40 }

// TestLarge has more elements than 32 bits count. They are computed, for no memory holds them: cpu and GPUs reduce them, with -full, and
// GPUs select some.
func TestLarge(t *testing.T) {
	if !*fullTests {
		t.Skip("takes long: -full")
	}
	const n = 1<<32 + 12345
	for _, d := range launch.Devices() {
		gpu := strings.HasPrefix(d.Name, "cuda") || strings.HasPrefix(d.Name, "hip")
		if d.Name != "cpu" && !gpu {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			dev, err := launch.Open(d.Name)
			must(t, err)
			defer dev.Close()
			s := dev.Stream()
			sum := alloc[uint64](t, dev, 1)
			want := uint64(5)
			for i := range n {
				want += scattered(i)
			}
			must(t, prim.ReduceFunc(s, sum, n, scattered, 5, prim.Add[uint64]))
			expect(t, "sum", download(t, sum), []uint64{want})
			if !gpu {
				return
			}
			kept, count := alloc[int](t, dev, 8), alloc[int](t, dev, 1)
			must(t, prim.SelectFunc(s, n, prim.Counting(0), func(i, v int) bool { return v%(1<<30) == 7 }, prim.Into(kept), count))
			expect(t, "count", download(t, count), []int{5})
			expect(t, "selected", download(t, kept)[:5], []int{7, 1<<30 + 7, 2<<30 + 7, 3<<30 + 7, 4<<30 + 7})
		})
	}
}
