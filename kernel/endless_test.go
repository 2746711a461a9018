package kernel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// backwards has each block wait for the one behind it, as no device promises that it may.
func backwards(v []int32) {
	b := dsl.BlockIdx().X
	if dsl.ThreadIdx().X == 0 {
		for b+1 < dsl.GridDim().X && dsl.AtomicAdd(&v[b+1], 0) == 0 { // +3
		}
		dsl.AtomicAdd(&v[b], 1)
	}
}

// TestEndlessWait: blocks that cannot run beside each other wait for each other.
func TestEndlessWait(t *testing.T) {
	for name, words := range map[string][]string{
		"sim":        {"endless wait in block (0, 0, 0)", "1999 of 2000 blocks have not begun"},
		"cpu":        {"waits for ever", "of 2000 blocks have not begun"},
		"emu:gfx90a": {"an endless loop? ", "of 2000 blocks have not begun"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HEDDLE_EMU", "idle=3000000")
			dev := openDevice(t, name)
			v, err := launch.Alloc[int32](dev, 2000)
			must(t, err)
			k := kernel.New(backwards)
			begin := time.Now()
			must(t, k.Launch(dev.Stream(), launch.Linear(2000*32, 32), v))
			err = dev.Sync()
			t.Log(err, time.Since(begin))
			words = append(words, fmt.Sprintf("endless_test.go:%d", lineOf(t, backwards)+3))
			for _, w := range words {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("error %v lacks %q", err, w)
				}
			}
			// As many as run beside each other may wait for each other in any order
			// of them; one block always does.
			must(t, v.Clear(dev.Stream()))
			must(t, k.Launch(dev.Stream(), launch.Linear(32, 32), v))
			must(t, dev.Sync())
		})
	}
}
