package kernel_test

import (
	"fmt"
	"testing"

	"heddle/kernel"
	"heddle/launch"
)

// lengthsOf counts the elements of a buffer up to i; its literal's parameters do not tell T.
func lengthsOf[T any](b *launch.Buffer[T]) func(i int) int {
	return func(i int) int { return len(b.Device()[:i+1]) }
}

// mapped is f of what at returns; its literal's parameters do not tell T.
func mapped[T, U any](at func(i int) T, f func(v T) U) func(i int) U {
	return func(i int) U { return f(at(i)) }
}

// fill stores what at returns; the types of the kernel's own parameters tell nothing.
func fill[T any](s *launch.Stream, out *launch.Buffer[T], at func(i int) T) error {
	k := kernel.New(func(n int) {
		for i := range n {
			out.Device()[i] = at(i)
		}
	})
	return k.Launch(s, launch.Linear(1, 1), out.Len())
}

type celsius struct{ degrees float64 }

// TestTypesOfCaptures has literals in generic code whose type arguments only the funcs and the buffers that they
// capture tell, through several functions.
func TestTypesOfCaptures(t *testing.T) {
	for _, name := range []string{"cpu", "sim"} {
		dev := openDevice(t, name)
		ints, err := launch.Upload(dev, []int32{3, 4})
		must(t, err)
		warm, err := launch.Alloc[celsius](dev, 2)
		must(t, err)
		counts, err := launch.Alloc[int](dev, 2)
		must(t, err)
		at := func(i int) int32 { return ints.Device()[i] }
		by := 0.5
		half := mapped(at, func(v int32) float64 { return float64(v) * by })
		must(t, fill(dev.Stream(), warm, mapped(half, func(v float64) celsius { return celsius{v + 1} })))
		must(t, fill(dev.Stream(), counts, lengthsOf(warm)))
		gotWarm, gotCounts := make([]celsius, 2), make([]int, 2)
		must(t, warm.Download(gotWarm))
		must(t, counts.Download(gotCounts))
		if got := fmt.Sprint(gotWarm, gotCounts); got != "[{2.5} {3}] [1 2]" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestSharedLoads has kernels of one literal, each made for one launch: all but the first find the code that is loaded.
func TestSharedLoads(t *testing.T) {
	dev := openDevice(t, "cpu")
	start := func(add int) *kernel.Kernel { return kernel.New(func(out *int) { *out = add }) }
	one(t, dev, start(1))
	allocs := testing.AllocsPerRun(100, func() {
		if got := one(t, dev, start(7)); got != 7 {
			t.Fatalf("got %d, want 7", got)
		}
	})
	t.Logf("%.0f allocations", allocs)
	if allocs > 40 {
		t.Errorf("a launch of a new kernel of known code allocates %.0f times: it looks at what a compile depends on", allocs)
	}
}
