package dsl_test

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/vector"
)

// A third, rounded down, to nearest, up and toward zero.
func ExampleDivRd() {
	thirds := kernel.New(func(v []float32) {
		x := v[0]
		v[0], v[1], v[2], v[3] = dsl.DivRd(x, 3), dsl.DivRn(x, 3), dsl.DivRu(x, 3), dsl.DivRz(x, 3)
	})
	for _, x := range inBlock(thirds, 1, []float32{-1, 0, 0, 0}) {
		fmt.Printf("%.9f\n", x)
	}
	// Output:
	// -0.333333343
	// -0.333333343
	// -0.333333313
	// -0.333333313
}

// Numbers of 16 bits are for memory: two of them take the place of one float32.
func ExampleAtomicAddHalf2() {
	count := kernel.New(func(v []vector.Half2) {
		dsl.AtomicAddHalf2(&v[0], vector.MakeHalf2(vector.MakeHalf(1), vector.MakeHalf(0.25)))
	})
	sum := inBlock(count, 8, []vector.Half2{{}})[0]
	fmt.Println(sum.X().Float32(), sum.Y().Float32())
	// Output: 8 2
}

// Branches on the architecture are decided while compiling: the other side need not exist there.
func ExampleArch() {
	k := kernel.New(func(v []int32) {
		switch a := dsl.Arch(); {
		case a.IsAMD():
			v[0] = dsl.Asm[int32]("v_xor_b32 %0, %1, %2", "=v,v,v", v[0], v[1])
		case a.IsNVIDIA():
			v[0] = dsl.Asm[int32]("xor.b32 %0, %1, %2;", "=r,r,r", v[0], v[1])
		default:
			v[0] ^= v[1]
		}
	})
	fmt.Println(inBlock(k, 1, []int32{40, 2})[0])
	// Output: 42
}

// A value goes from global to shared memory without a register between them where the GPU can.
func ExampleCopyAsync() {
	k := kernel.New(func(v []int32) {
		tile, t := dsl.Shared[[4]int32](), dsl.ThreadIdx().X
		dsl.CopyAsync(&tile[t], &v[t])
		dsl.CopyAsyncCommit()
		dsl.CopyAsyncWait(0)
		dsl.SyncThreads()
		v[t] = tile[(t+1)%4]
	})
	fmt.Println(inBlock(k, 4, []int32{1, 2, 3, 4}))
	// Output: [2 3 4 1]
}
