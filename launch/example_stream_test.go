package launch_test

import (
	"context"
	"fmt"
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// The time of a launch on the device, between two events.
func ExampleEvent_Since() {
	on(func(dev *launch.Device) {
		s := dev.Stream()
		x := get(launch.Alloc[int32](dev, 1000))
		start := get(s.Record())
		check(double.Launch(s, launch.Linear(1000, 256), x))
		end := get(s.Record())
		check(end.Sync())
		fmt.Println(get(end.Since(start)) >= 0, end.Done())
	})
	// Output: true true
}

// A function of the host runs in the stream's order.
func ExampleStream_Call() {
	on(func(dev *launch.Device) {
		s := dev.Stream()
		x, host := get(launch.Upload(dev, []int32{21})), make([]int32, 1)
		check(double.Launch(s, launch.Linear(1, 1), x), x.DownloadAsync(s, host))
		check(s.Call(func() { fmt.Println("the launch made", host) }), s.Sync())
	})
	// Output: the launch made [42]
}

// A launch finds its stream in the context of a request.
func ExampleWithStream() {
	on(func(dev *launch.Device) {
		s := get(dev.NewStream())
		ctx := launch.WithStream(context.Background(), s)
		fmt.Println(launch.StreamOf(ctx) == s)
		check(s.Close())
	})
	// Output: true
}

// What kernels print goes to a writer of the program.
func ExampleDevice_SetOutput() {
	says := kernel.New(func(v []int32) { dsl.Printf("%d of %v\n", v[0], dsl.BlockDim().X) })
	on(func(dev *launch.Device) {
		var text strings.Builder
		dev.SetOutput(&text)
		x := get(launch.Upload(dev, []int32{5}))
		check(says.Launch(dev.Stream(), launch.Linear(1, 1), x), dev.Sync())
		fmt.Print(text.String())
	})
	// Output: 5 of 1
}

// A device is chosen by what it says of itself: here one that is no GPU, for its warps of 64.
func ExampleChoose() {
	name := get(launch.Choose(func(p *launch.Properties) float64 {
		if p.Name != "sim:64" {
			return -1 // not suitable
		}
		return float64(p.WarpSize)
	}))
	fmt.Println(name)
	// Output: sim:64
}

// Code of another compiler is loaded, and its kernels are launched by name. This is PTX, which
// an NVIDIA GPU takes; other devices refuse it.
func ExampleLoadModule() {
	const ptx = ".version 7.0\n.target sm_70\n.address_size 64\n" +
		".visible .entry nothing(.param .u32 n) { ret; }\n"
	on(func(dev *launch.Device) {
		m, err := launch.LoadModule(dev, []byte(ptx))
		if !strings.HasPrefix(dev.Info().Arch, "sm_") {
			fmt.Println("done:", err != nil)
			return
		}
		check(err)
		k := get(m.Kernel("nothing"))
		check(k.Launch(dev.Stream(), launch.Linear(1, 1), uint32(3)), dev.Sync(), m.Close())
		fmt.Println("done:", true)
	})
	// Output: done: true
}
