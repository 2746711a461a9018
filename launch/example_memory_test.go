package launch_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Pinned memory is the host's and the device's: a kernel writes it, and no copy brings it back.
func ExampleNewPinned() {
	on(func(dev *launch.Device) {
		p := get(launch.NewPinned[int32](dev, 3))
		copy(p.Host(), []int32{1, 2, 3})
		check(double.Launch(dev.Stream(), launch.Linear(3, 32), p), dev.Sync())
		fmt.Println(p.Host())
		check(p.Close())
	})
	// Output: [2 4 6]
}

// A kernel works on memory that Go has allocated.
func ExampleRegister() {
	on(func(dev *launch.Device) {
		own := []int32{4, 5, 6}
		r := get(launch.Register(dev, own))
		check(double.Launch(dev.Stream(), launch.Linear(3, 32), r), dev.Sync(), r.Close())
		fmt.Println(own)
	})
	// Output: [8 10 12]
}

// Managed memory moves to whoever uses it. Prefetch moves it before that.
func ExampleNewManaged() {
	on(func(dev *launch.Device) {
		s := dev.Stream()
		m := get(launch.NewManaged[int32](dev, 2))
		copy(m.Host(), []int32{7, 8})
		check(m.Advise(launch.PreferredLocation, dev), m.Prefetch(s))
		check(double.Launch(s, launch.Linear(2, 32), m), m.PrefetchHost(s), s.Sync())
		fmt.Println(m.Host())
		check(m.Close())
	})
	// Output: [14 16]
}

// Memory of a pool is a stream's in its order: the second Buffer may take the first one's.
func ExamplePool() {
	on(func(dev *launch.Device) {
		s := dev.Stream()
		pool := get(dev.NewPool(launch.PoolOptions{Limit: 1 << 20}))
		for i := range int32(2) {
			b := get(launch.AllocFrom[int32](pool, s, 4))
			check(b.Fill(s, i+1), double.Launch(s, launch.Linear(4, 32), b))
			host := make([]int32, 4)
			check(b.DownloadAsync(s, host), b.CloseAsync(s), s.Sync())
			fmt.Println(host)
		}
		_, err := launch.AllocFrom[int64](pool, s, 1<<20)
		var full *launch.PoolExhausted
		fmt.Println(errors.As(err, &full), get(pool.Stats()).Used)
		check(pool.Close())
	})
	// Output:
	// [2 2 2 2]
	// [4 4 4 4]
	// true 0
}

// A box of a picture on the device is copied to a box of a picture on the host.
func ExampleRegion() {
	on(func(dev *launch.Device) {
		picture := get(launch.Upload(dev, []int32{
			1, 2, 3, 4,
			5, 6, 7, 8,
			9, 10, 11, 12,
		})).Region(launch.Layout{Width: 4, Height: 3})
		host := make([]int32, 9)
		to := launch.HostRegion(host, launch.Layout{Width: 3, Height: 3})
		check(launch.CopyRegion(to.Rect(1, 1, 2, 2), picture.Rect(2, 0, 2, 2)))
		fmt.Println(host[:3], host[3:6], host[6:])
	})
	// Output: [0 0 0] [0 3 4] [0 7 8]
}

// Rows of pitched memory begin at aligned addresses. A kernel finds them by the stride.
func ExampleAllocPitched() {
	columns := kernel.New(func(p []int32, stride, width, height int) {
		if at := dsl.GlobalIdx(); at.X < width && at.Y < height {
			p[at.Y*stride+at.X] += int32(at.X)
		}
	})
	on(func(dev *launch.Device) {
		p := get(launch.AllocPitched[int32](dev, 3, 2))
		check(p.Upload([]int32{10, 10, 10, 20, 20, 20}))
		check(columns.Launch(dev.Stream(), launch.Grid2D(3, 2, 16, 16), p, p.Stride(), 3, 2))
		host := make([]int32, 6)
		check(p.Download(host))
		fmt.Println(p.Stride() >= 3, host)
		check(p.Close())
	})
	// Output: true [10 11 12 20 21 22]
}

// The same memory, as bits.
func ExampleView() {
	on(func(dev *launch.Device) {
		floats := get(launch.Upload(dev, []float32{1, -2}))
		fmt.Printf("%#x\n", read(get(launch.View[uint32](floats))))
	})
	// Output: [0x3f800000 0xc0000000]
}

// A part of a Buffer, in the same memory.
func ExampleBuffer_Slice() {
	on(func(dev *launch.Device) {
		x := get(launch.Upload(dev, []int32{1, 2, 3, 4}))
		check(double.Launch(dev.Stream(), launch.Linear(2, 32), x.Slice(1, 3)))
		fmt.Println(read(x))
	})
	// Output: [1 4 6 4]
}

// Buffers of two devices.
func ExampleBuffer_CopyPeer() {
	on(func(dev *launch.Device) {
		sim := get(launch.Open("sim"))
		there, here := get(launch.Upload(sim, []int32{1, 2})), get(launch.Alloc[int32](dev, 2))
		check(here.CopyPeer(dev.Stream(), there))
		fmt.Println(read(here))
		check(sim.Close())
	})
	// Output: [1 2]
}

var weights = dsl.NewConstant([3]int32{1, 2, 3})

// A constant of the program, which the host sets anew on a device.
func ExampleCopyToSymbol() {
	weigh := kernel.New(func(out []int32) {
		i := dsl.GlobalIdx().X
		out[i] *= weights.Ptr()[i]
	})
	on(func(dev *launch.Device) {
		x := get(launch.Upload(dev, []int32{1, 1, 1}))
		check(weigh.Launch(dev.Stream(), launch.Linear(3, 3), x))
		fmt.Println(read(x))
		check(launch.CopyToSymbol(dev, weights, &[3]int32{10, 20, 30}))
		check(weigh.Launch(dev.Stream(), launch.Linear(3, 3), x))
		fmt.Println(read(x))
	})
	// Output:
	// [1 2 3]
	// [10 40 90]
}
