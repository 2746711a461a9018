package dsl

import (
	"time"

	"heddle/internal/simt"
)

// started is when the simulator's clocks began.
var started = time.Now()

// Clock64 returns a counter that the device increments at its core clock rate
// (HIP clock64). It is good for differences within one block. The simulator
// counts nanoseconds.
func Clock64() int64 {
	simt.Running("Clock64")
	return int64(time.Since(started))
}

// WallClock64 returns a counter that the device increments at a constant rate
// (HIP wall_clock64), the same for all blocks. The simulator counts
// nanoseconds.
func WallClock64() int64 {
	simt.Running("WallClock64")
	return int64(time.Since(started))
}
