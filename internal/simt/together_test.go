package simt

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Blocks of a launch that runs them together wait for each other; where none gets anywhere
// the launch ends.
func TestTogether(t *testing.T) {
	defer func(d time.Duration) { endlessAfter = d }(endlessAfter)
	endlessAfter = 50 * time.Millisecond
	const blocks, threads = 5, 70
	cfg := Config{Grid: Dim{X: blocks, Y: 1, Z: 1}, Block: Dim{X: threads, Y: 1, Z: 1}, WarpSize: 32, Together: true}
	arrived, seen := 0, 0
	wait := func(until int) func() {
		return func() {
			th := Running("test")
			th.Barrier("test", false)
			if th.Idx.X == 0 {
				arrived++
				th.Wrote(true)
				for arrived < until {
					th.Touch()
				}
			}
			th.Barrier("test", false)
			seen += arrived
		}
	}
	if err := Run(cfg, wait(blocks)); err != nil || seen != blocks*blocks*threads {
		t.Errorf("%v, %d", err, seen)
	}
	arrived = 0
	var stuck *Stuck
	if err := Run(cfg, wait(blocks+1)); !errors.As(err, &stuck) || !strings.Contains(err.Error(), "for nothing changes in any block") {
		t.Error(err)
	}
}
