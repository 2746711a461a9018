package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Parameters: every class, in an order that needs padding between them.

type empty struct{}

type payload struct {
	Table [40]float32
	Last  int8
}

type paramOut struct {
	B      bool
	I8     int8
	F64    float64
	U16    uint16
	C64    complex64
	Lens   [3]int
	Caps   [3]int
	S      particle
	Arr    [3]int16
	Big    float32
	Last   int8
	C128   complex128
	U64    uint64
	F32    float32
	Vector vector.Float4
	Sum    int
}

func params(b bool, i8 int8, f64 float64, _ empty, u16 uint16, xs []int32, c64 complex64, s particle, ys []uint8, arr [3]int16,
	g payload, c128 complex128, total *int, zs []vec3, u64 uint64, f32 float32, v vector.Float4, out []paramOut) {
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	o := paramOut{
		B: b, I8: i8, F64: f64, U16: u16, C64: c64, Lens: [3]int{len(xs), len(ys), len(zs)}, Caps: [3]int{cap(xs), cap(ys), cap(zs)},
		S: s, Arr: arr, Big: g.Table[i*3], Last: g.Last, C128: c128, U64: u64, F32: f32, Vector: v,
	}
	for j := range xs {
		o.Sum += int(xs[j]) * int(ys[j%len(ys)])
	}
	o.Sum += int(zs[1].Y)
	if i == 0 {
		*total = o.Sum + 1
	}
	out[i] = o
}

func paramCases() []Case {
	k := kernel.New(params)
	classes := Case{"param/classes", "parameters: scalars, structs of one layout on both sides, pointers, slices", []*kernel.Kernel{k}, func(t *T) {
		p := particle{true, vec3{1, 2, 3}, vec3{4, 5, 6}, 7, 8, [3]byte{9, 10, 11}}
		var g payload
		for i := range g.Table {
			g.Table[i] = float32(i) / 2
		}
		g.Last = -7
		xs := upload(t, []int32{1, -2, 3, 4, 5, 6}).Slice(1, 4)
		ys, zs := upload(t, []uint8{250, 2}), upload(t, []vec3{{}, {Y: 11}, {}})
		total, out := alloc[int](t, 3), alloc[paramOut](t, 5)
		v := vector.MakeFloat4(1, 2, 3, 4)
		t.run(k, launch.Linear(5, 32), true, int8(-8), 0.1, empty{}, uint16(65000), xs, complex64(1-2i), p, ys, [3]int16{-1, 2, 3},
			g, complex128(3+4i), total, zs, uint64(1<<63+5), float32(-0.3), v, out)
		want := filled(5, func(i int) paramOut {
			return paramOut{true, -8, 0.1, 65000, 1 - 2i, [3]int{3, 2, 3}, [3]int{5, 2, 3}, p, [3]int16{-1, 2, 3}, float32(i*3) / 2, -7,
				3 + 4i, 1<<63 + 5, -0.3, v, -2*250 + 3*2 + 4*250 + 11}
		})
		same(t, download(t, out), want)
		same(t, download(t, total), []int{want[0].Sum + 1, 0, 0})
	}}
	return []Case{classes, emptyCase()}
}

// count counts the threads that ran and the elements they were given.
func count(xs []int32, total []uint64) {
	dsl.AtomicAdd(&total[0], 1)
	if i := dsl.GlobalIdx().X; i < len(xs) {
		dsl.AtomicAdd(&total[1], uint64(xs[i]))
	}
}

// emptyCase launches over nothing, over one and over an odd number of elements.
func emptyCase() Case {
	k := kernel.New(count)
	return Case{"param/lengths", "launches", []*kernel.Kernel{k}, func(t *T) {
		for _, n := range []int{0, 1, 31, 33, 1000} {
			xs, total := upload(t, filled(n, func(i int) int32 { return int32(i + 1) })), alloc[uint64](t, 2)
			cfg := launch.Linear(n, 96)
			t.run(k, cfg, xs, total)
			threads := uint64((n + 95) / 96 * 96)
			same(t, download(t, total), []uint64{threads, uint64(n * (n + 1) / 2)})
		}
		total := alloc[uint64](t, 2)
		t.run(k, launch.Config{}, upload(t, []int32(nil)), total) // one thread, an empty slice
		same(t, download(t, total), []uint64{1, 0})
	}}
}
