package launch_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// spin ends when somebody changes v[0], which nobody does.
func spin(v []int32) {
	for dsl.AtomicAdd(&v[0], 0) == 0 {
		dsl.AtomicAdd(&v[1], 1)
	}
}

// The host waits for a kernel that does not end no longer than its context lasts. The simulator,
// the processor and emulated GPUs stop the kernel.
func ExampleStopped() {
	dev := get(launch.Open("sim"))
	v := get(launch.Alloc[int32](dev, 2))
	check(kernel.New(spin).Launch(dev.Stream(), launch.Linear(1, 1), v))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	var stopped *launch.Stopped
	fmt.Println(errors.As(dev.SyncContext(ctx), &stopped), stopped.Cause)
	_ = dev.Close() // which tells how the kernel ended, if the stop took long
	// Output: true context deadline exceeded
}

// A cooperative launch has no more blocks than the device holds at once.
func ExampleTooManyBlocks() {
	on(func(dev *launch.Device) {
		x := get(launch.Alloc[int32](dev, 1))
		err := double.Launch(dev.Stream(), launch.Config{
			Grid: launch.Dim3{X: 1 << 20}, Block: launch.Dim3{X: 256}, Cooperative: true,
		}, x)
		var many *launch.TooManyBlocks
		fmt.Println(errors.As(err, &many), many.Blocks, many.Limit < many.Blocks)
	})
	// Output: true 1048576 true
}

// A panic of a function that a stream calls is an error of the stream.
func ExampleHostPanic() {
	on(func(dev *launch.Device) {
		check(dev.Stream().Call(func() { panic("no more paper") }))
		var p *launch.HostPanic
		fmt.Println(errors.As(dev.Sync(), &p), p.Value, dev.Sync())
	})
	// Output: true no more paper <nil>
}

// What a vendor's library calls an error, without the library.
func ExampleErrorName() {
	fmt.Println(launch.ErrorName("cuda", 2), launch.ErrorName("hip", 2))
	fmt.Println(launch.ErrorText("hip", 2))
	// Output:
	// CUDA_ERROR_OUT_OF_MEMORY hipErrorOutOfMemory
	// out of memory
}
