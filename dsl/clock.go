package dsl

import (
	"time"

	"heddle/internal/simt"
)

// started is when the simulator's clocks began.
var started = time.Now()

// Clock is [Clock64], by HIP's older name (HIP clock).
func Clock() int64 { return Clock64() }

// Clock64 returns a counter that the device increments at its core clock rate
// (HIP clock64; ClockRate of launch.DeviceInfo is that in kHz). It is good for differences within
// one block. On AMD's gfx11 it has 20 bits, and begins again after a million cycles: there
// [WallClock64] serves, as HIP says too. The simulator counts nanoseconds.
func Clock64() int64 {
	simt.Running("Clock64")
	return int64(time.Since(started))
}

// WallClock64 returns a counter that the device increments at a constant rate
// (HIP wall_clock64), the same for all blocks. The rate in kHz is WallClockRate of
// launch.DeviceInfo (hipDeviceAttributeWallClockRate). The simulator counts nanoseconds.
func WallClock64() int64 {
	simt.Running("WallClock64")
	return int64(time.Since(started))
}
