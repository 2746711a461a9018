package conformance

import (
	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Copies to shared memory that go on while a block uses what came before.

const asyncTile = 96

// reverseTiles turns each tile of in round, by way of shared memory: while one is
// written, the next is on its way.
func reverseTiles[T any](in, out []T) {
	b, tiles := cg.ThisThreadBlock(), len(in)/asyncTile
	both := dsl.Shared[[2][asyncTile]T]()
	cg.MemcpyAsync(b, both[0][:], in[:asyncTile])
	for k := range tiles {
		if k+1 < tiles {
			cg.MemcpyAsync(b, both[(k+1)%2][:], in[(k+1)*asyncTile:(k+2)*asyncTile])
			cg.WaitPrior(b, 1)
		} else {
			cg.Wait(b)
		}
		for i := b.ThreadRank(); i < asyncTile; i += b.Size() {
			out[k*asyncTile+i] = both[k%2][asyncTile-1-i]
		}
		b.Sync()
	}
}

func asyncCase[E comparable](name string, k *kernel.Kernel, value func(i int) E) Case {
	return Case{"async/" + name, "memcpy_async", []*kernel.Kernel{k}, func(t *T) {
		const tiles = 5
		in := filled(tiles*asyncTile+3, value)
		x, out := upload(t, in), alloc[E](t, tiles*asyncTile)
		for _, from := range []int{0, 3} { // not where 16 bytes are aligned, for small ones
			t.run(k, launch.Linear(64, 64), x.Slice(from, from+tiles*asyncTile), out)
			same(t, download(t, out), filled(tiles*asyncTile, func(i int) E {
				return in[from+i/asyncTile*asyncTile+asyncTile-1-i%asyncTile]
			}))
		}
	}}
}

func asyncCases() []Case {
	return []Case{
		asyncCase("int8", kernel.New(reverseTiles[int8]), func(i int) int8 { return int8(i * 7) }),
		asyncCase("int32", kernel.New(reverseTiles[int32]), func(i int) int32 { return int32(i * 0x01010101) }),
		asyncCase("float64", kernel.New(reverseTiles[float64]), func(i int) float64 { return float64(i) / 3 }),
		asyncCase("chars8", kernel.New(reverseTiles[[8]int8]), func(i int) [8]int8 { return [8]int8{int8(i), 2: int8(-i), 7: 5} }),
		asyncCase("float4", kernel.New(reverseTiles[vector.Float4]), func(i int) vector.Float4 {
			return vector.MakeFloat4(float32(i), float32(-i), float32(i)/7, 1)
		}),
	}
}
