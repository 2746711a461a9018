package cpu

// cpuid is the instruction of that name: what a leaf, and of some leaves a part, say.
func cpuid(leaf, part uint32) (a, b, c, d uint32)

// xgetbv is the register of what the system saves at a switch between threads. Only a
// processor with OSXSAVE has it.
func xgetbv() (low uint32)

// x86Level is the x86-64 level that the processor has and the system supports: 1 to 4.
// golang.org/x/sys/cpu knows the same, but asks before main: each CPUID leaves a virtual
// machine, a fifth of what heddle costs before main.
func x86Level() int {
	const (
		leaf1     = 1<<0 | 1<<9 | 1<<13 | 1<<19 | 1<<20 | 1<<23 // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT
		extended2 = 1 << 0                                      // LAHF

		leaf1v3     = 1<<12 | 1<<22 | 1<<27 | 1<<28 | 1<<29 // FMA, MOVBE, OSXSAVE, AVX, F16C
		leaf7v3     = 1<<3 | 1<<5 | 1<<8                    // BMI1, AVX2, BMI2
		extended2v3 = 1 << 5                                // LZCNT
		savedv3     = 1<<1 | 1<<2                           // the registers of SSE and AVX

		leaf7v4 = 1<<16 | 1<<17 | 1<<28 | 1<<30 | 1<<31 // AVX-512 F, DQ, CD, BW, VL
		savedv4 = 1<<5 | 1<<6 | 1<<7                    // masks, and the registers of AVX-512
	)
	all := func(bits, of uint32) bool { return bits&of == of }
	last, _, _, _ := cpuid(0, 0)
	lastExtended, _, _, _ := cpuid(1<<31, 0)
	var b7, cx uint32
	_, _, c1, _ := cpuid(1, 0)
	if last >= 7 {
		_, b7, _, _ = cpuid(7, 0)
	}
	if lastExtended >= 1<<31|1 {
		_, _, cx, _ = cpuid(1<<31|1, 0)
	}
	if !all(c1, leaf1) || !all(cx, extended2) {
		return 1
	}
	if !all(c1, leaf1v3) || !all(b7, leaf7v3) || !all(cx, extended2v3) || !all(xgetbv(), savedv3) {
		return 2
	}
	if !all(b7, leaf7v4) || !all(xgetbv(), savedv4) {
		return 3
	}
	return 4
}
