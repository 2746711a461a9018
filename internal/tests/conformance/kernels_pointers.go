package conformance

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// sharedPointers has one thread of a block say for all where they read and write: by slices and pointers that are in shared memory, to global
// and to shared memory.
func sharedPointers(in, out []float32, n int) {
	part, last := dsl.Shared[[]float32](), dsl.Shared[*float32]()
	tile, corners := dsl.Shared[[64]float32](), dsl.Shared[[3]*float32]()
	t, width := dsl.ThreadIdx().X, dsl.BlockDim().X
	if t == width-1 {
		begin := min(dsl.BlockIdx().X*width, n)
		*part = in[begin:min(begin+width, n)]
		*last = &out[dsl.BlockIdx().X]
		for k := range corners {
			corners[k] = &tile[k*(width-1)/2]
		}
	}
	dsl.SyncThreads()
	tile[t] = -1
	if t < len(*part) {
		tile[t] = (*part)[t] + float32(cap(*part))
	}
	dsl.SyncThreads()
	if t == 0 {
		sum := float32(0)
		for _, p := range corners {
			sum += *p
		}
		**last = sum + *(*float32)(unsafe.Add(unsafe.Pointer(*last), 0))
	}
}

func sharedPointerCases() []Case {
	k := kernel.New(sharedPointers)
	return []Case{{"shared/pointers", "__shared__ static", []*kernel.Kernel{k}, func(t *T) {
		const n, width, blocks = 200, 64, 4
		in := filled(n, func(i int) float32 { return float32(i) / 2 })
		out := upload(t, filled(blocks, func(i int) float32 { return float32(100 * i) }))
		t.run(k, launch.Linear(blocks*width, width), upload(t, in), out, n)
		at := func(block, i int) float32 {
			if block*width+i >= n {
				return -1
			}
			return in[block*width+i] + float32(n-block*width)
		}
		same(t, download(t, out), filled(blocks, func(b int) float32 { return float32(100*b) + at(b, 0) + at(b, (width-1)/2) + at(b, width-1) }))
	}}}
}
