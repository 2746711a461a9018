package conformance

import (
	"strings"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// What is known while compiling: the architecture, and arguments that must be constants.

// archFacts are what a kernel knows of its architecture.
type archFacts struct {
	AMD, NVIDIA, GPU, Sim, CDNA, RDNA bool
	Named                             [2]bool
	Major, Warp                       int
}

func askArch(out []archFacts) {
	a := dsl.Arch()
	o := archFacts{
		AMD: a.IsAMD(), NVIDIA: a.IsNVIDIA(), GPU: a.IsGPU(), Sim: a.IsSim(), CDNA: a.IsCDNA(), RDNA: a.IsRDNA(),
		Major: a.Major(),
	}
	if dsl.Arch() == "gfx90a" || dsl.Arch() == "gfx942" {
		o.Named[0] = true
	}
	switch {
	case a.IsAMD() && dsl.WarpSize() == 64:
		o.Warp = 64
	case a.IsAMD() || dsl.WarpSize() == 32:
		o.Warp = 32
	default:
		o.Warp = -64
	}
	o.Named[1] = a != "sim" && !o.Named[0]
	out[dsl.GlobalIdx().X] = o
}

func archCase() Case {
	k := kernel.New(askArch)
	return Case{"known/arch", "architecture macros (`__gfx90a__`, `__GFX9__`)", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[archFacts](t, 3)
		t.run(k, launch.Linear(3, 3), out)
		arch := t.Dev.Info().Arch
		if t.simulated() {
			arch = "sim"
		}
		has := func(names ...string) bool {
			for _, n := range names {
				if strings.HasPrefix(arch, n) {
					return true
				}
			}
			return false
		}
		o := archFacts{AMD: has("gfx"), NVIDIA: has("sm_"), GPU: has("gfx", "sm_"), Sim: has("sim"), CDNA: has("gfx908", "gfx90a", "gfx94", "gfx95"),
			RDNA: has("gfx10", "gfx11", "gfx12"), Warp: t.warp()}
		if !o.AMD && o.Warp == 64 {
			o.Warp = -64
		}
		o.Named = [2]bool{has("gfx90a", "gfx942"), !has("gfx90a", "gfx942", "sim")}
		switch {
		case has("gfx9"), has("sm_9"):
			o.Major = 9
		case has("gfx8"), has("sm_8"):
			o.Major = 8
		case has("sm_7"):
			o.Major = 7
		case o.RDNA:
			o.Major = int(arch[4]-'0') + 10
		case has("sm_1"):
			o.Major = 10*int(arch[3]-'0') + int(arch[4]-'0')
		}
		same(t, download(t, out), []archFacts{o, o, o})
	}}
}

// A tileSize is a value parameter of a kernel, as template<int N> has: a type.
type tileSize interface{ Size() int }

type tile16 struct{}

func (tile16) Size() int { return 16 }

// tileOf has twice the size of another, and some more, which takes a loop to compute.
type tileOf[S tileSize] struct{}

func (tileOf[S]) Size() int {
	var s S
	n := 0
	for i := range s.Size() {
		if i%2 == 1 {
			n += 2 + i/8
		}
	}
	return max(n, 2*s.Size()) + unitSize
}

const unitSize = 3

// reverse reverses runs of the size that a type says.
func reverse[S tileSize](in, out []int32) {
	var s S
	part := dsl.SharedSlice[int32](s.Size())
	var mine [64]int32
	for i := range s.Size() { // a loop over a constant
		mine[i] = in[dsl.BlockIdx().X*s.Size()+i] + int32(i)
	}
	i := dsl.ThreadIdx().X
	if i < len(part) {
		part[i] = mine[i]
	}
	dsl.SyncThreads()
	if i < s.Size() {
		out[dsl.BlockIdx().X*s.Size()+i] = part[s.Size()-1-i]
	}
}

func reverseCase[S tileSize](name string, k *kernel.Kernel) Case {
	return Case{name, "template kernels (type, value, pack parameters)", []*kernel.Kernel{k}, func(t *T) {
		var s S
		n := s.Size()
		in := filled(4*n, func(i int) int32 { return int32(i * i) })
		out := alloc[int32](t, 4*n)
		t.run(k, launch.Config{Grid: launch.Dim3{X: 4}, Block: launch.Dim3{X: 64}}, upload(t, in), out)
		same(t, download(t, out), filled(4*n, func(i int) int32 {
			from := n - 1 - i%n
			return in[i/n*n+from] + int32(from)
		}))
	}}
}

// sizesOf are lengths of shared slices that are known in other ways.
func sizesOf(n int) func(out []int) {
	return func(out []int) {
		a := dsl.SharedSlice[float32](2 * dsl.WarpSize())
		b := dsl.SharedSlice[int8](n + 1)
		c := dsl.SharedSlice[[3]int16](unitSize << 2)
		d := dsl.SharedSlice[int8](0)
		if dsl.ThreadIdx().X == 0 {
			a[len(a)-1], b[n], c[11] = 1, 2, [3]int16{3, 4, 5}
		}
		dsl.SyncThreads()
		out[dsl.ThreadIdx().X] = len(a) + 1000*len(b) + 100000*len(c) + 10000000*cap(d) + int(a[len(a)-1]) + int(b[n]) + int(c[11][2])
	}
}

func sizesCase() Case {
	k := kernel.NewWith(sizesOf(9), kernel.Options{Specialize: []string{"n"}})
	return Case{"known/sizes", "template kernels (type, value, pack parameters)", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 64)
		t.run(k, launch.Linear(64, 64), out)
		same(t, download(t, out), filled(64, func(int) int { return 2*t.warp() + 10*1000 + 12*100000 + 1 + 2 + 5 }))
	}}
}

func knownCases() []Case {
	return []Case{
		archCase(),
		reverseCase[tile16]("known/template/16", kernel.New(reverse[tile16])),
		reverseCase[tileOf[tile16]]("known/template/35", kernel.New(reverse[tileOf[tile16]])),
		sizesCase(),
	}
}
