// Package good has kernels and launches that are right, though they look like
// some that are not. heddle vet says nothing of them.
package good

import (
	"container/heap"
	"fmt"
	"math"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

var table = [4]int32{1, 2, 3, 4}

type place struct {
	thread, count int
	at            vector.Float4
}

// Uniform conditions, whatever depends on the thread beside them.
func uniform(v []int32, rounds int) {
	t := dsl.ThreadIdx().X
	tile := dsl.Shared[[256]int32]()
	here := place{thread: t, count: rounds}
	for i := range here.count {
		if t < i {
			tile[t] = v[i] + table[t%4]
			continue
		}
		tile[t] = int32(math.Sqrt(float64(i)))
	}
	for i := 0; i < here.count; i++ {
		dsl.SyncThreads()
	}
	if here.thread >= len(v) {
		panic("too few")
	}
	if t == 0 {
		tile[0] = dsl.AtomicAdd(&v[0], 1)
	}
	dsl.SyncThreads()
	if tile[0] > 3 && v[dsl.BlockIdx().X] > 2 {
		dsl.SyncThreads()
	}
	for base := 0; base < len(v); base += dsl.BlockDim().X {
		if i := base + t; i < len(v) {
			tile[t] = v[i]
		}
		dsl.SyncThreads()
	}
	for n := t; n > 0; n /= 2 {
		tile[t]++
	}
	done := false
	for !done {
		done = !dsl.SyncThreadsOr(tile[t] > 7)
	}
	sum := reduce(tile, func(a, b int32) int32 { return a + b })
	if t == 0 {
		v[0] = sum
	}
}

func reduce(tile *[256]int32, op func(a, b int32) int32) int32 {
	t := dsl.ThreadIdx().X
	for d := 128; d > 0; d >>= 1 {
		if t < d {
			tile[t] = op(tile[t], tile[t+d])
		}
		dsl.SyncThreads()
	}
	return tile[0]
}

type scaler[T int32 | float32] struct{ by T }

func (s scaler[T]) run(v []T) { v[dsl.GlobalIdx().X] *= s.by }

// a buffer that embeds one
type named struct {
	*launch.Buffer[int32]
	name string
}

type floats = []float32

type buffer = *launch.Buffer[int32]

// Makes kernels of what it knows at run time only.
func Run(dev *launch.Device, v buffer, f func(int32) int32, any1 any, fn func(floats, *int32)) error {
	s, cfg := dev.Stream(), launch.Linear(256, 256)
	if err := kernel.New(uniform).Launch(s, cfg, v, 3); err != nil {
		return err
	}
	if err := kernel.New(uniform).Launch(s, cfg, named{v, "v"}, 3); err != nil {
		return err
	}
	mapped := kernel.New(func(v []int32) { v[0] = f(v[0]) })
	if err := mapped.Launch(s, cfg, v); err != nil {
		return err
	}
	if err := kernel.New(any1).Launch(s, cfg, 1, "two"); err != nil {
		return err
	}
	g := func(x int32) int32 { return f(x) + 1 }
	kernel.New(func(v []int32) {
		h := func(x int32) int32 { return g(f(x)) }
		v[0] = h(twice(f, twice(g, v[0])))
	})
	var same *kernel.Kernel
	same = same
	func() { _ = same.Launch(s, cfg, 1) }()
	bound := scaler[int32]{3}
	by := kernel.New(bound.run)
	if err := by.Launch(s, cfg, v); err != nil {
		return err
	}
	each(s, cfg, scaler[float32].run)
	x, err := launch.Upload(dev, floats{1})
	if err != nil {
		return err
	}
	return kernel.NewWith(fn, kernel.Options{}).Launch(s, cfg, x, v)
}

func twice(f func(int32) int32, x int32) int32 { return f(f(x)) }

func each(s *launch.Stream, cfg launch.Config, fn func(scaler[float32], []float32)) {
	ks := map[string]*kernel.Kernel{"a": kernel.New(fn)}
	_ = ks["a"].Launch(s, cfg, 1)
}

const debug = false

// What constants leave out need not run on a device.
var quiet = kernel.New(func(v []int32) {
	if debug {
		fmt.Println(v)
	}
	v[0] = 1
})

// Memory of a device may be captured.
func captures(b *launch.Buffer[int], s []int) []*kernel.Kernel {
	slice, pointer := b.Device(), &b.Device()[1]
	array := [3]int{1, 2, 3}
	return []*kernel.Kernel{
		kernel.New(func(v []int) { v[0] = b.Device()[0] + slice[0] + *pointer + array[1] }),
		kernel.New(func(v []int) { v[0] = s[0] }),
	}
}

// Functions of the host that have a kernel's type, and become none.
func hostTables() {
	host := []func([]int32){func(v []int32) { _ = map[int32]int32{v[0]: 1} }}
	for _, f := range host {
		f(nil)
	}
	for _, f := range []func([]int32){func(v []int32) { v[0] = 1 }} {
		_ = kernel.New(f)
	}
	for _, row := range []struct{ kernel, host func([]int32) }{{host: func(v []int32) { _ = make(chan int32, v[0]) }, kernel: func(v []int32) { v[0] = 2 }}} {
		_ = kernel.New(row.kernel)
		row.host(nil)
	}
}

// Memory of a device may be an argument, as far as is known here.
func addresses(s *launch.Stream, b *launch.Buffer[float32], n *launch.Buffer[int32], unknown []float32) {
	cfg, part := launch.Linear(1, 1), b.Device()[2:]
	both := part
	if len(unknown) > 3 {
		both = b.Device()
	}
	one := &n.Device()[3]
	_ = addressed.Launch(s, cfg, b.Device(), n)
	_ = addressed.Launch(s, cfg, b.Device()[1:4:5], &n.Device()[1])
	_ = addressed.Launch(s, cfg, part[1:], one)
	_ = addressed.Launch(s, cfg, both, one)
	_ = addressed.Launch(s, cfg, unknown, n)
	_ = addressed.Launch(s, cfg, []float32(nil), n)
	_ = addressed.Launch(s, cfg, half(b), n)
}

func half(b *launch.Buffer[float32]) []float32 { return b.Device()[:b.Len()/2] }

var addressed = kernel.New(func(v []float32, n *int32) { v[0] = float32(*n) })

// What a buffer is for a slice a Pitched is too; a texture's parameter takes a launch.Texture.
func others(s *launch.Stream, rows *launch.Pitched[float32], n *launch.Buffer[int32], t *launch.Texture[dsl.Texture2D[float32]]) {
	cfg := launch.Linear(1, 1)
	_ = addressed.Launch(s, cfg, rows, n)
	_ = sampled.Launch(s, cfg, t, rows)
	_ = sampled.Launch(s, cfg, t.Device(), rows.Buffer())
}

var sampled = kernel.New(func(t dsl.Texture2D[float32], v []float32) { v[0] = t.Sample(0, 0) })

// Interfaces of known types, also where another package's body says which that is.

type least struct {
	n int
	v [8]int
}

func (h *least) Len() int           { return h.n }
func (h *least) Less(i, j int) bool { return h.v[i] < h.v[j] }
func (h *least) Swap(i, j int)      { h.v[i], h.v[j] = h.v[j], h.v[i] }
func (h *least) Push(x any)         { h.v[h.n] = x.(int); h.n++ }
func (h *least) Pop() any           { h.n--; return h.v[h.n] }

func interfaces[T any](v []int, t []T) {
	var h least
	heap.Push(&h, v[0])
	v[1] = heap.Pop(&h).(int)
	switch x := any(t[0]).(type) {
	case int:
		v[2] = x
	case map[string]int:
		v[2] = len(x)
	}
	if string([]byte("ab")) == "ab" {
		v[3] = 1
	}
}

var _ = kernel.New(interfaces[float32])
