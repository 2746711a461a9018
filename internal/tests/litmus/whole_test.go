package litmus

import (
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// halves is a kernel of two blocks: one stores numbers whose halves are equal, the other counts those that it reads with
// halves that are not.
var halves = kernel.New(func(word []dsl.Atomic[uint64], torn []uint32, times uint32) {
	for i := range times {
		if dsl.BlockIdx().X == 0 {
			word[0].Store(uint64(i)<<32|uint64(i), dsl.ScopeDevice, dsl.Relaxed)
		} else if v := word[0].Load(dsl.ScopeDevice, dsl.Relaxed); uint32(v) != uint32(v>>32) {
			torn[0]++
		}
	}
})

// TestWhole has an atomic word of 64 bits read and written whole.
func TestWhole(t *testing.T) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			dev, err := launch.Open(d.name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			times := uint32(1 << 20)
			if strings.HasPrefix(d.name, "emu") {
				times = 1 << 15
			} else if d.name == "sim" {
				times = 1 << 10
			}
			word, err1 := launch.Alloc[dsl.Atomic[uint64]](dev, 1)
			torn, err2 := launch.Alloc[uint32](dev, 1)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if err := halves.Launch(dev.Stream(), launch.Linear(2, 1), word, torn, times); err != nil {
				t.Fatal(err)
			}
			got := make([]uint32, 1)
			if err := torn.Download(got); err != nil {
				t.Fatal(err)
			}
			if got[0] != 0 {
				t.Errorf("%d of %d loads have halves of different stores", got[0], times)
			}
		})
	}
}
