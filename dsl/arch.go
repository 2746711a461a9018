package dsl

// Architecture is a processor that kernels are compiled for, by LLVM's name: "gfx90a",
// "sm_90", "x86-64-v3", "aarch64", or "sim" on the simulator.
type Architecture string

// Arch returns the architecture that the kernel is compiled for. It is a constant while
// compiling, as are its methods: a branch on it is decided then, and what the other side
// calls need not exist on this machine (HIP's __gfx90a__ and __GFX9__, CUDA's
// __CUDA_ARCH__).
//
//	if dsl.Arch().IsCDNA() {
//		...
//	}
//
// Outside a kernel it is "sim".
func Arch() Architecture { return "sim" }

// IsAMD reports whether a is a GPU of AMD's (HIP's __HIP_PLATFORM_AMD__).
func (a Architecture) IsAMD() bool { return a.begins("gfx") }

// IsNVIDIA reports whether a is a GPU of NVIDIA's (HIP's __HIP_PLATFORM_NVIDIA__).
func (a Architecture) IsNVIDIA() bool { return a.begins("sm_") }

// IsSim reports whether a is the simulator.
func (a Architecture) IsSim() bool { return a == "sim" }

// IsGPU reports whether a is a GPU, not the host's processor or the simulator (HIP's __HIP_DEVICE_COMPILE__).
func (a Architecture) IsGPU() bool { return a.IsAMD() || a.IsNVIDIA() }

// IsCDNA reports whether a has AMD's CDNA architecture, whose warps have 64 lanes and which
// has matrix cores: gfx908, gfx90a, gfx942, gfx950 (HIP's __gfx90a__ and its like).
func (a Architecture) IsCDNA() bool {
	return a.begins("gfx908") || a.begins("gfx90a") || a.begins("gfx94") || a.begins("gfx95")
}

// IsRDNA reports whether a has AMD's RDNA architecture: gfx1010 and later (HIP's __GFX11__ and its like).
func (a Architecture) IsRDNA() bool {
	return a.begins("gfx10") || a.begins("gfx11") || a.begins("gfx12")
}

// Major is the number of the architecture's generation: 9 for gfx90a, 11 for gfx1100, 9 for
// sm_90, 0 for processors that are no GPUs (HIP's __GFX9__ and the like, CUDA's
// __CUDA_ARCH__ / 100).
func (a Architecture) Major() int {
	from, to := 3, len(a)-2
	if a.IsNVIDIA() {
		to = len(a) - 1
		if a[to] < '0' || a[to] > '9' { // sm_90a
			to--
		}
	} else if !a.IsAMD() {
		return 0
	}
	n := 0
	for i := from; i < to; i++ {
		n = 10*n + int(a[i]-'0')
	}
	return n
}

func (a Architecture) begins(prefix Architecture) bool {
	return len(a) >= len(prefix) && a[:len(prefix)] == prefix
}
