package fuzz

// The address of what is before a computed place in a local array: LLVM put -56 into a scalar register of gfx942's
// scratch instructions, which must not be negative (codegen's TestBehind).
func behindRow(in *Input, out *Output, u Uniform) {
	var a [12]int
	width := 6 - in.Small[3]&1
	sum := 0
	for row := 1; row < 4; row++ {
		sum -= a[uint(row*width+min(5, width-1))%12]
	}
	s := window(a[:], in.U64[2], u.U64[0])
	out.put(6, uint64(sum))
	for i := range s {
		out.put(0, uint64(s[i]))
	}
}

func behindRowKernel(in []Input, out []Output, u Uniform) { each(behindRow, in, out, u) }

// The upper half of a signed shift by 40 is one by 8, of which LLVM's AMDGPU back end lost the sign
// beside other bytes (codegen's TestWideShifts).
func signAbove(in *Input, out *Output, _ Uniform) {
	out.put(8, uint64(int32(in.Int[0]>>40|int(int32(in.Int[1]>>32))<<24)))
	out.put(9, uint64(uint32(in.I64[0]>>56|in.I64[1]<<8)))
	out.put(10, uint64(uint32(in.I64[1]/(1<<48)|in.I64[0]<<16)))
}

func signAboveKernel(in []Input, out []Output, u Uniform) { each(signAbove, in, out, u) }
