package fuzz

import (
	"math"
	"math/bits"

	"heddle/dsl"
)

// Fixed are kernels that once went wrong, made small. The last is large: only where
// registers are short did LLVM 19 spill for no lane what all lanes need (gfx942, and
// GFX10 to GFX12 with warps of 64; see codegen's prepare).
var Fixed = []Case{
	{Name: "modf", Run: modfKernel, Do: doModf},
	{Name: "negate16", Run: negate16Kernel, Do: negate16},
	{Name: "negatedProduct", Run: negatedProductKernel, Do: negatedProduct},
	{Name: "zeroMinus", Run: zeroMinusKernel, Do: zeroMinus},
	{Name: "zeroInLoop", Run: zeroInLoopKernel, Do: zeroInLoop},
	{Name: "halfOnes", Run: halfOnesKernel, Do: halfOnes},
	{Name: "lateHalf", Run: lateHalfKernel, Do: lateHalf},
	{Name: "shortShift", Run: shortShiftKernel, Do: shortShift},
	{Name: "appendInLoop", Run: appendInLoopKernel, Do: appendInLoop},
	{Name: "innerView", Run: innerViewKernel, Do: innerView},
	{Name: "numbersOfView", Run: numbersOfViewKernel, Do: numbersOfView},
	{Name: "assignCaptured", Run: assignCapturedKernel, Do: assignCaptured},
	{Name: "pointCaptured", Run: pointCapturedKernel, Do: pointCaptured},
	{Name: "quotientMinus", Run: quotientMinusKernel, Do: quotientMinus},
	{Name: "noneDiffers", Run: noneDiffersKernel, Do: noneDiffers, Grid: [3]int{1, 1, 1}, Block: [3]int{64, 1, 1}, Together: true},
	{Name: "spilledPointer", Run: spilledPointerKernel, Do: spilledPointer, Grid: [3]int{4, 1, 1}, Block: [3]int{1, 1, 40}},
	{Name: "lastLane", Run: lastLaneKernel, Do: lastLane},
	{Name: "idleDivisor", Run: idleDivisorKernel, Do: idleDivisor, Grid: [3]int{2, 1, 1}, Block: [3]int{33, 1, 1}},
	{Name: "sharedParity", Run: sharedParityKernel, Do: sharedParity, Grid: [3]int{1, 1, 1}, Block: [3]int{128, 1, 1}, Together: true},
	{Name: "smallerFirst", Run: smallerFirstKernel, Do: smallerFirst, Grid: [3]int{40, 1, 1}, Block: [3]int{4, 1, 1}, Alike: true},
	{Name: "textInLoops", Run: textInLoopsKernel, Do: textInLoops},
	{Name: "zeroRemainder", Run: zeroRemainderKernel, Do: zeroRemainder},
	{Name: "downToOpposite", Run: downToOppositeKernel, Do: downToOpposite},
	{Name: "scanOnce", Run: scanOnceKernel, Do: scanOnce, Grid: [3]int{1, 1, 1}, Block: [3]int{16, 8, 1}, Together: true},
	{Name: "behindRow", Run: behindRowKernel, Do: behindRow},
	{Name: "signAbove", Run: signAboveKernel, Do: signAbove},
}

type twoNumbers struct {
	A int
	B uint
}

var lateHalfTable = [5]uint16{16, 65534, 32768, 2, 7}

// The same in 16 bits: the lower half of B is 0, which LLVM does not know before it
// takes the struct apart, and in another block.
func lateHalf(in *Input, out *Output, u Uniform) {
	var v twoNumbers
	v = pick(uintptr(in.U8[1]) != in.Uintptr[0], twoNumbers{u.Int[0], 1 << 63}, pick(math.IsNaN(math.Float64frombits(in.U64[1])), twoNumbers{v.A, 1 << 63}, v))
	q, _ := bits.Div64(in.U64[1]>>1, uint64(in.Uint[0]), in.U64[1]|1)
	out.put(0, q)
	if math.Sqrt(float64(in.F32[0])) != 0 {
		out.put(1, uint64(uint16(int32(uint32(lateHalfTable[in.U8[0]%5]))|^int32(uint16(v.B)))))
	}
	out.put(2, uint64(v.A))
	out.put(3, uint64(v.B))
}

func lateHalfKernel(in []Input, out []Output, u Uniform) { each(lateHalf, in, out, u) }

// The driver's PTX assembler does not wrap 16 bits: -(-32768) was +32768.
func negate16(in *Input, out *Output, _ Uniform) {
	x := -in.I16[0]
	out.put(0, uint64(x))
	out.put(1, uint64(x%100))
	out.put(2, uint64(x>>3))
	out.put(3, bit(x < 0))
	if in.I16[1] < 0 {
		in.I16[1] = -in.I16[1]
	}
	out.put(4, uint64(in.I16[1]))
}

func negate16Kernel(in []Input, out []Output, u Uniform) { each(negate16, in, out, u) }

// LLVM copied the permission to fuse from the sum to the product.
func negatedProduct(in *Input, out *Output, _ Uniform) {
	out.put(0, bits32(in.F32[0]+float32(float32(in.F32[1]*in.F32[2])*-1)))
	out.put(1, bits64(in.F64[0]-float64(-in.F64[1]*in.F64[2])))
	out.put(2, bits64(in.F64[0]+float64(-(in.F64[1]*in.F64[2]))))
}

func negatedProductKernel(in []Input, out []Output, u Uniform) { each(negatedProduct, in, out, u) }

// LLVM's AMDGPU back end took 0 - x for -x where a sum or difference follows.
func zeroMinus(in *Input, out *Output, _ Uniform) {
	out.put(0, bits32((0-in.F32[0])-in.F32[1]))
	out.put(1, bits64((0-in.F64[0])+in.F64[1]))
	out.put(2, bits64(real((0-in.C128[0])-in.C128[1])))
}

func zeroMinusKernel(in []Input, out []Output, u Uniform) { each(zeroMinus, in, out, u) }

// The same, where LLVM finds the zero when it unrolls a loop.
func zeroInLoop(in *Input, out *Output, _ Uniform) {
	var v [1]float32
	for range "warp" {
		v[0] -= in.F32[3]
	}
	out.put(0, bits32(v[0]))
}

func zeroInLoopKernel(in []Input, out []Output, u Uniform) { each(zeroInLoop, in, out, u) }

// LLVM's AMDGPU back end took x | y for x in a half where y is all ones.
func halfOnes(in *Input, out *Output, _ Uniform) {
	out.put(0, in.U64[0]|^uint64(in.U32[0]))
	few := int64(-5)
	if in.Bool[0] {
		few = -1
	}
	out.put(1, uint64(in.I64[0]|few))
	y := in.U64[1] | ^uint64(7)
	out.put(2, y)
	out.put(3, in.U64[0]|y)
	out.put(4, in.U64[0]/^uint64(in.U32[0]))
}

func halfOnesKernel(in []Input, out []Output, u Uniform) { each(halfOnes, in, out, u) }

// LLVM took the shifted number for the sign extension of its upper byte, in 32 bits.
func shortShift(in *Input, out *Output, _ Uniform) {
	x := uint32(uint16(in.I16[0] >> 8))
	out.put(0, uint64(^x))
	out.put(1, uint64(int32(x)-in.I32[0]))
}

func shortShiftKernel(in []Input, out []Output, u Uniform) { each(shortShift, in, out, u) }

// The argument list of append was said to outlive its iteration.
func appendInLoop(in *Input, out *Output, _ Uniform) {
	var a [16]int32
	s := a[:0]
	for i := range in.Small[0] {
		s = append(s, int32(i), in.I32[0])
	}
	out.put(0, uint64(len(s)))
	for i, x := range s {
		out.put(1+i, uint64(x))
	}
}

func appendInLoopKernel(in []Input, out []Output, u Uniform) { each(appendInLoop, in, out, u) }

type view struct {
	P *int
	S []uint16
}

// A variable of an inner loop may hold addresses of those of an outer one.
func innerView(in *Input, out *Output, _ Uniform) {
	for i := range in.Small[0] {
		n := i * 3
		a := [4]uint16{uint16(i), in.U16[0]}
		for j := range a {
			v := view{&n, a[j:]}
			*v.P += int(v.S[0])
			v.S[len(v.S)-1]++
		}
		out.put(i, uint64(n))
		out.put(i, uint64(a[3]))
	}
}

func innerViewKernel(in []Input, out []Output, u Uniform) { each(innerView, in, out, u) }

// What is loaded through a view's pointer is numbers: it takes the address of a's slice
// nowhere, though the next iteration reads them.
func numbersOfView(in *Input, out *Output, _ Uniform) {
	n := twoNumbers{A: in.Int[0]}
	for i := range in.Small[0] {
		a := [4]uint16{uint16(i), in.U16[0]}
		if in.Bool[0] {
			v := pointedView{&n, a[:]}
			n = *v.P
			out.put(i, uint64(v.S[1]))
		} else {
			a[0]++
		}
		out.put(i, uint64(a[0])+uint64(n.A))
	}
}

type pointedView struct {
	P *twoNumbers
	S []uint16
}

func numbersOfViewKernel(in []Input, out []Output, u Uniform) { each(numbersOfView, in, out, u) }

// A closure may let a captured pointer or slice refer to a captured variable.
func assignCaptured(in *Input, out *Output, _ Uniform) {
	x, y := in.Int[0], in.Int[1]
	var a [5]int8
	p, s := &x, a[:2]
	move := func(n int) {
		if in.Bool[0] {
			p = &y
		}
		s = a[n&3:]
	}
	move(in.Int[2])
	*p++
	s[0] = 7
	out.put(0, uint64(x))
	out.put(1, uint64(y))
	for _, e := range a {
		out.put(2, uint64(e))
	}
}

func assignCapturedKernel(in []Input, out []Output, u Uniform) { each(assignCaptured, in, out, u) }

// A closure's own pointer may refer to a loop variable that it captured.
func pointCaptured(in *Input, out *Output, _ Uniform) {
	for i, x := range in.I32 {
		get := func(first bool) int32 {
			var p *int32
			if first || in.Bool[0] {
				p = &x
			} else {
				p = &in.I32[0]
			}
			*p += 2
			return *p
		}
		out.put(i, uint64(get(i == 0)))
		out.put(i, uint64(x))
	}
}

func pointCapturedKernel(in []Input, out []Output, u Uniform) { each(pointCaptured, in, out, u) }

// LLVM made the division a product, and fused that with the difference: of the largest
// float32 this is no infinity.
func quotientMinus(in *Input, out *Output, _ Uniform) {
	for i, x := range []float32{in.F32[0], math.MaxFloat32, -math.MaxFloat32} {
		out.put(i, bits32(x/0.5-x))
		out.put(i+3, bits32(x+x/-0.25))
		out.put(i+6, bits64(float64(x)*0x1p896/0.5-float64(x)*0x1p896))
	}
}

func quotientMinusKernel(in []Input, out []Output, u Uniform) { each(quotientMinus, in, out, u) }

// LLVM's AMDGPU back end took a NaN for different where the warp votes.
func noneDiffers(in *Input, out *Output, _ Uniform) {
	nothing := in.F32[0] * 0 // a NaN of an infinity
	out.put(0, bit(dsl.Any(0 < math.Abs(float64(nothing-0*in.F32[1])))))
	out.put(1, bit(dsl.All(!(0 < float32(math.Abs(float64(nothing)))))))
}

func noneDiffersKernel(in []Input, out []Output, u Uniform) { together(noneDiffers, in, out, u) }

// Where a lane is not active its divisor is what LLVM likes: of a shift by a count that was not
// loaded it was 0, and the process ended, though the divisor was replaced by 1 in that lane.
func idleDivisor(in *Input, out *Output, _ Uniform) {
	if in.U8[0] > 40 && uint8(dsl.LaneID())+1 > in.U8[1]>>3 {
		v := [3]uint{math.MaxUint, 16, in.Uint[0]}
		for i, x := range v {
			v = [3]uint{uint(bits.Len16(in.U16[1])), uint(in.U8[1]), math.MaxUint / ((x >> v[uint8((int32(dsl.BlockIdx().X+2)|64)%2)%3]) | 1)}
			out.put(i, uint64(x))
		}
		for i := range v {
			out.put(i+3, uint64(v[i]))
		}
	}
}

func idleDivisorKernel(in []Input, out []Output, u Uniform) { each(idleDivisor, in, out, u) }

// LLVM's AMDGPU back end put lanes' conditions together before it had computed those of a loop's last iteration.
func sharedParity(in *Input, out *Output, _ Uniform) {
	shared := dsl.Shared[[384]bool]()
	copy(shared[numberInBlock()*3:], in.Bool[:3])
	dsl.SyncThreads()
	odd := shared[int(dsl.ThreadIdx().X)&8+1]
	for i, x := range shared {
		if i&7 == 3 {
			odd = x != odd
		}
	}
	out.put(0, bit(odd))
}

func sharedParityKernel(in []Input, out []Output, u Uniform) { together(sharedParity, in, out, u) }

// Choices and branches by comparisons that are the same for all lanes. LLVM's AMDGPU back end made wrong code of
// shorter ones, which only codegen's TestSelectAndBranch shows.
func smallerFirst(in *Input, out *Output, _ Uniform) {
	x, y := in.Int[0], in.Int[1]
	lower, upper := min(x, y), max(x, y)
	if x >= y {
		for i := range in.Small[0] {
			out.put(2, uint64(lower^i))
		}
	}
	out.put(0, uint64(lower))
	out.put(1, uint64(upper))
	first, last := pick(x < y, in.I64[0], in.I64[1]), pick(x < y, in.I64[1], in.I64[0])
	if x < y {
		for i := range in.Small[1] {
			out.put(3, uint64(first)^uint64(i))
		}
	}
	out.put(4, uint64(first))
	out.put(5, uint64(last))
}

func smallerFirstKernel(in []Input, out []Output, u Uniform) { eachAlike(smallerFirst, in, out, u) }

// What a loop goes back with was a text that is chosen in a block with nothing else in it: codegen took the text apart there
// before it had put it together, and AMD's code did not compile.
func textInLoops(in *Input, out *Output, u Uniform) {
	s := fold(in.Small[3], pick(u.Bool[0], "schütze→", "h\xffdl\x00e"), func(string, int) string {
		return pick(in.Bool[0], "warp", "h\xffdl\x00e")
	})
	for range in.Small[3] {
		s = part("warp", uint64(dsl.ThreadIdx().Y), in.U64[0])
	}
	out.put(6, str(s))
}

func textInLoopsKernel(in []Input, out []Output, u Uniform) { each(textInLoops, in, out, u) }

// A remainder that was made with 32 bits had no check of its divisor.
func zeroRemainder(in *Input, out *Output, _ Uniform) {
	out.put(0, uint64(int(in.U8[0])%int(in.U16[0])))
	out.put(1, uint64(in.Small[0]%in.Small[1]))
}

func zeroRemainderKernel(in []Input, out []Output, u Uniform) { each(zeroRemainder, in, out, u) }
