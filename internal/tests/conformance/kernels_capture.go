package conformance

import (
	"heddle/kernel"
	"heddle/launch"
)

// Captured device memory, and captured variables that become constants. The
// constants take turns between two values, so that whatever compiles the suite
// ahead of a run has met both.

func captureCases() []Case {
	return []Case{capturedBuffer(), capturedEmpty(), capturedDeviceSlice(), capturedDevicePointer(), capturedString(), specialized(), specializedAll(), specializedReceiver()}
}

// capturedMemory launches k, which adds 10*i+j to element i of memory that it
// captures; set is told the memory to use next, and j.
func capturedMemory(name string, k *kernel.Kernel, set func(b *launch.Buffer[int32], j int)) Case {
	return Case{name, rowClosures, []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 4)
		for j := range 3 {
			b := upload(t, []int32{1, 2, 3, 4, 5})
			set(b, j)
			t.run(k, launch.Linear(4, 4), out)
			same(t, download(t, b), []int32{int32(1 + j), int32(12 + j), int32(23 + j), int32(34 + j), 5})
			same(t, download(t, out), []int{5, 5, 5, 5})
		}
	}}
}

func capturedBuffer() Case {
	var b *launch.Buffer[int32]
	j := 0
	add := func(b *launch.Buffer[int32], i, by int) { b.Device()[i] += int32(by) }
	k := kernel.New(func(out []int) {
		i := thread()
		add(b, i, 10*i+j)
		out[i] = b.Len()
	})
	return capturedMemory("closure/buffer", k, func(next *launch.Buffer[int32], n int) { b, j = next, n })
}

// capturedEmpty captures a buffer of no elements, and gets what Device says of it: an empty slice, which is not nil.
func capturedEmpty() Case {
	var b *launch.Buffer[int32]
	type holder struct{ items []int32 }
	k := kernel.New(func(out []int, items []int32, held holder, rows []holder, none []int32) {
		v := b.Device()
		for i, s := range [][]int32{v, items, held.items, rows[0].items, none} {
			out[i] = len(s)
			if s == nil {
				out[i] = -1
			}
		}
		if len(v) > 0 {
			out[5] += int(v[0])
		}
	})
	return Case{"closure/empty-buffer", rowClosures, []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 6)
		for _, n := range []int{0, 2} {
			b = upload(t, make([]int32, n))
			t.run(k, launch.Linear(1, 1), out, b.Device(), holder{b.Device()}, upload(t, []holder{{b.Device()}}), []int32(nil))
			same(t, download(t, out), []int{n, n, n, n, -1, 0})
		}
	}}
}

func capturedDeviceSlice() Case {
	var s []int32
	j := 0
	k := kernel.New(func(out []int) {
		i := thread()
		s[i] += int32(10*i + j)
		out[i] = len(s)
	})
	return capturedMemory("closure/device-slice", k, func(next *launch.Buffer[int32], n int) { s, j = next.Device(), n })
}

func capturedDevicePointer() Case {
	var p *[5]int32
	j := 0
	k := kernel.New(func(out []int) {
		i := thread()
		p[i] += int32(10*i + j)
		out[i] = len(p)
	})
	return capturedMemory("closure/device-pointer", k, func(next *launch.Buffer[int32], n int) { p, j = (*[5]int32)(next.Device()), n })
}

func capturedString() Case {
	mode, other := "add", "multiply"
	k := kernel.New(func(out []int) {
		i := thread()
		out[i] = len(mode)*100 + int(mode[i%len(mode)])
		if mode == "add" {
			out[i] = -out[i]
		}
	})
	return closureCase("closure/string", k, func() { mode, other = other, mode }, func(i int) int {
		v := len(mode)*100 + int(mode[i%len(mode)])
		if mode == "add" {
			return -v
		}
		return v
	})
}

// setup is what specialised kernels capture.
type setup struct {
	Name   string
	Taps   [3]float32
	Scale  complex64
	Offset int8
	Odd    bool
}

func (s setup) of(i int) int {
	v := int(s.Taps[i%3]*2) + int(real(s.Scale)) + 7*int(imag(s.Scale)) + int(s.Offset) + len(s.Name)
	if s.Odd {
		v = -v
	}
	return v
}

func setups() (a, b setup) {
	return setup{"fir", [3]float32{0.5, 1, 1.5}, 2 + 3i, -4, false}, setup{"median", [3]float32{3, 2.5, 1e3}, -1 + 1i, 100, true}
}

func specialized() Case {
	a, b := setups()
	n, m := 3, 5
	k := kernel.NewWith(func(out []int) {
		i := thread()
		sum := 0
		for j := range n {
			sum += a.of(j + i)
		}
		out[i] = sum*100 + m
	}, kernel.Options{Specialize: []string{"n", "a"}})
	want := func(i int) int {
		sum := 0
		for j := range n {
			sum += a.of(j + i)
		}
		return sum*100 + m
	}
	return closureCase("closure/specialize", k, func() { a, b, n, m = b, a, 7-n, m+1 }, want)
}

func specializedAll() Case {
	var table, other [300]uint16
	for i := range table {
		table[i], other[i] = uint16(i*i), uint16(65535-i)
	}
	neg := int64(-1) << 40
	k := kernel.NewWith(func(out []int) { out[thread()] = int(table[thread()*50+7]) + int(neg>>38) }, kernel.Options{Specialize: []string{"*"}})
	return closureCase("closure/specialize-all", k, func() { table, other, neg = other, table, -neg },
		func(i int) int { return int(table[i*50+7]) + int(neg>>38) })
}

func (s setup) fill(out []int) { out[thread()] = s.of(thread()) }

func specializedReceiver() Case {
	_, s := setups()
	k := kernel.NewWith(s.fill, kernel.Options{Specialize: []string{"s"}})
	return closureCase("closure/specialize-receiver", k, func() {}, s.of)
}
