package dsl_test

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
)

// A field of a word is read, with its sign where the type has one, and replaced.
func ExampleBitExtract() {
	k := kernel.New(func(v []uint32) {
		x := v[0]
		v[0] = dsl.BitExtract(x, 8, 8)
		v[1] = uint32(dsl.BitExtract(int32(x), 8, 8))
		v[2] = dsl.BitInsert(x, 0xff, 16, 4)
	})
	fmt.Printf("%#x\n", inBlock(k, 1, []uint32{0x1234f678, 0, 0}))
	// Output: [0xf6 0xfffffff6 0x123ff678]
}

// Bits are counted, found and turned round.
func ExamplePopc() {
	k := kernel.New(func(v []uint32) {
		x := v[0]
		v[0], v[1], v[2], v[3] = uint32(dsl.Popc(x)), uint32(dsl.Clz(x)), uint32(dsl.Ffs(x)), dsl.Brev(x)
	})
	fmt.Printf("%#x\n", inBlock(k, 1, []uint32{0x00f0_0100, 0, 0, 0}))
	// Output: [0x5 0x8 0x9 0x800f00]
}

// Four bytes of two words, in any order: here those of one word, turned round.
func ExampleBytePerm() {
	k := kernel.New(func(v []uint32) { v[0] = dsl.BytePerm(v[0], 0, 0x0123) })
	fmt.Printf("%#x\n", inBlock(k, 1, []uint32{0x11223344}))
	// Output: [0x44332211]
}

// A product of two vectors of four bytes is one instruction on most GPUs.
func ExampleDot4() {
	k := kernel.New(func(v []int32) { v[0] = dsl.Dot4(v[0], v[1], int32(100)) })
	fmt.Println(inBlock(k, 1, []int32{0x01020304, 0x0101ff01})[0]) // 1 + 2 - 3 + 4
	// Output: 104
}

// The shift of two words as one: here a rotation.
func ExampleFunnelShiftL() {
	k := kernel.New(func(v []uint32) { v[0] = dsl.FunnelShiftL(v[0], v[0], 8) })
	fmt.Printf("%#x\n", inBlock(k, 1, []uint32{0x12345678}))
	// Output: [0x34567812]
}
