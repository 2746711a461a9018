package dsl_test

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// The launch says how much dynamic shared memory a block has (launch.Config.Shared).
func ExampleDynamicShared() {
	reverse := kernel.New(func(v []int32) {
		tile, t := dsl.DynamicShared[int32](), dsl.ThreadIdx().X
		tile[t] = v[t]
		dsl.SyncThreads()
		v[t] = tile[len(tile)-1-t]
	})
	fmt.Println(inBlock(reverse, 4, []int32{1, 2, 3, 4}))
	// Output: [4 3 2 1]
}

// Threads take tickets from one counter: each gets another.
func ExampleAtomicInc() {
	tickets := kernel.New(func(v []uint32) { dsl.AtomicInc(&v[0], 99) })
	fmt.Println(inBlock(tickets, 32, []uint32{0}))
	// Output: [32]
}

// A lock-free maximum of floats by compare and swap of their bits.
func ExampleAtomicCAS() {
	largest := kernel.New(func(v []uint32) {
		own := float32(dsl.ThreadIdx().X * 3 % 16)
		for {
			old := dsl.AtomicOr(&v[0], 0)
			if math.Float32frombits(old) >= own || dsl.AtomicCAS(&v[0], old, math.Float32bits(own)) == old {
				return
			}
		}
	})
	fmt.Println(inBlock(largest, 16, []uint32{0})[0] == 0x41700000) // 15
	// Output: true
}

// One thread hands a value to another: the release is ordered behind the value, and who acquires
// the flag sees both.
func ExampleAtomic() {
	pass := kernel.New(func(v []int32) {
		ready := dsl.AtomicOf(&v[1])
		if dsl.BlockIdx().X == 0 && dsl.ThreadIdx().X == 0 {
			v[0] = 42
			ready.Store(1, dsl.ScopeDevice, dsl.Release)
		}
		dsl.SyncThreads()
		if dsl.ThreadIdx().X == 1 && ready.Load(dsl.ScopeDevice, dsl.Acquire) == 1 {
			v[2] = v[0]
		}
	})
	fmt.Println(inBlock(pass, 2, []int32{0, 0, 0}))
	// Output: [42 1 42]
}

// calls counts the threads that have run a kernel, on each device of the program.
var calls = dsl.NewGlobal(int32(100))

// A variable of the device keeps its value from launch to launch.
func ExampleNewGlobal() {
	count := kernel.New(func(v []int32) { v[dsl.ThreadIdx().X] = dsl.AtomicAdd(calls.Ptr(), 1) * 0 })
	dev, err1 := launch.Open("")
	x, err2 := launch.Alloc[int32](dev, 8)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	defer dev.Close()
	var total int32
	for range 2 {
		if err := count.Launch(dev.Stream(), launch.Linear(8, 8), x); err != nil {
			panic(err)
		}
	}
	fmt.Println(launch.CopyFromSymbol(dev, &total, calls), total)
	// Output: <nil> 116
}

// What threads print comes out at the next call that waits.
func ExamplePrintf() {
	dev, err1 := launch.Open("")
	x, err2 := launch.Upload(dev, []float32{0.5})
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	defer dev.Close()
	var text strings.Builder
	dev.SetOutput(&text) // the standard output otherwise
	k := kernel.New(func(x []float32) {
		if i := dsl.GlobalIdx().X; i == 3 {
			dsl.Printf("thread %d of block %d has %.2f\n", i, dsl.BlockIdx().X, x[0])
		}
	})
	if err := errors.Join(k.Launch(dev.Stream(), launch.Linear(8, 2), x), dev.Sync()); err != nil {
		panic(err)
	}
	fmt.Print(text.String())
	// Output: thread 3 of block 1 has 0.50
}

// An assertion that fails is a panic of the kernel.
func ExampleAssert() {
	dev, err1 := launch.Open("")
	x, err2 := launch.Upload(dev, []int32{1, -1})
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	defer dev.Close()
	k := kernel.New(func(x []int32) { dsl.Assert(x[dsl.ThreadIdx().X] > 0, "a length is positive") })
	err := errors.Join(k.Launch(dev.Stream(), launch.Linear(2, 2), x), dev.Sync())
	var p *launch.KernelPanic
	fmt.Println(errors.As(err, &p), p.Value, p.Thread)
	// Output: true assertion failed: a length is positive {1 0 0}
}
