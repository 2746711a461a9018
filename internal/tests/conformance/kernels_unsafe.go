package conformance

import (
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Package unsafe.

// viewed reads and writes numbers by way of other types, and of addresses.
func viewed(x []float32, y []uint16, n uint8) {
	i := dsl.GlobalIdx().X
	words := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
	words[i] ^= 1 << 31
	halves := unsafe.Slice((*uint16)(unsafe.Pointer(&x[i])), n)
	y[2*i] = halves[1]
	y[2*i+1] = *(*uint16)(unsafe.Add(unsafe.Pointer(&halves[0]), int8(len(halves))-2))
	tile := dsl.Shared[[64]uint64]()
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(tile)), unsafe.Sizeof(*tile))
	bytes[8*dsl.ThreadIdx().X] = byte(i)
	local := [4]byte{'a', byte('b' + i%20), 'c', 'd'}
	text := unsafe.String(&local[0], int64(n))
	if text[1] == 'd' && text == "ad" {
		y[2*i] += uint16(*unsafe.StringData(text[1:]))
	}
	dsl.SyncThreads()
	y[2*i+1] += uint16(bytes[8*(63-dsl.ThreadIdx().X)])
}

// badLength makes a slice of a length that no slice has, or of nothing.
func badLength(x []int64, n int32) {
	p := unsafe.SliceData(x)
	if n == 0 {
		p = nil
		n = 3
	}
	x[0] = unsafe.Slice(p, n)[0]
}

// sizes asks for the size of what is not there: Go does not evaluate the operand, of a type parameter's size either.
func sizes[T any](none *T, some []T, f func() T) int {
	return int(unsafe.Sizeof(*none)) + int(unsafe.Alignof((some[len(some)+5]))) + int(unsafe.Sizeof(f())) + int(unsafe.Sizeof([2]T{*none, some[9]}))
}

func unevaluated(out []int, counted *int32) {
	var none *complex128
	out[0] = sizes(none, nil, func() complex128 { *counted++; return 0 })
	out[1] = sizes(counted, nil, func() int32 { *counted++; return 0 })
	type pair [2]uint8
	out[2] = sizes[pair](nil, nil, func() pair { return pair{} })
}

func unsafeCases() []Case {
	k, bad, sized := kernel.New(viewed), kernel.New(badLength), kernel.New(unevaluated)
	return []Case{{"unsafe/views", "`__device__`, `__host__ __device__`", []*kernel.Kernel{k, bad}, func(t *T) {
		const n = 128
		in := filled(n, func(i int) float32 { return float32(i) + 0.5 })
		x, y := upload(t, in), alloc[uint16](t, 2*n)
		t.run(k, launch.Linear(n, 64), x, y, uint8(2))
		same(t, download(t, x), filled(n, func(i int) float32 { return -in[i] }))
		want := make([]uint16, 2*n)
		for i, v := range in {
			v = -v
			bits := *(*uint32)(unsafe.Pointer(&v))
			want[2*i], want[2*i+1] = uint16(bits>>16), uint16(bits)+uint16(byte(i/64*64+63-i%64))
			if i%20 == 2 {
				want[2*i] += 'd'
			}
		}
		same(t, download(t, y), want)
		for n, text := range map[int32]string{-1: "unsafe.Slice: len out of range", 0: "unsafe.Slice: ptr is nil and len is not zero"} {
			if p := t.fails(bad, launch.Linear(1, 1), alloc[int64](t, 4), n); p.Value != text || !p.Runtime {
				t.Errorf("length %d: panic is %q, want %q", n, p.Value, text)
			}
		}
	}}, {"unsafe/sizes", "`__device__`, `__host__ __device__`", []*kernel.Kernel{sized}, func(t *T) {
		out, counted := alloc[int](t, 3), upload(t, []int32{7})
		t.run(sized, launch.Linear(1, 1), out, counted)
		same(t, download(t, out), []int{16 + 8 + 16 + 32, 4 + 4 + 4 + 8, 2 + 1 + 2 + 4})
		same(t, download(t, counted), []int32{7})
	}}}
}
