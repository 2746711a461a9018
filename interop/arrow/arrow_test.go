package arrow_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"heddle/dsl"
	"heddle/interop/arrow"
	"heddle/kernel"
	"heddle/launch"
)

// square writes the squares of what is valid, and 0 for nulls.
var square = kernel.New(func(to, from []float32, valid []uint8, offset int) {
	if i := dsl.GlobalIdx().X; i < len(to) {
		to[i] = 0
		if at := i + offset; valid[at/8]>>(at%8)&1 != 0 {
			to[i] = from[i] * from[i]
		}
	}
})

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func devices(t *testing.T, test func(t *testing.T, dev *launch.Device)) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			ok(t, err)
			test(t, dev)
			ok(t, dev.Close())
		})
	}
}

// column is 0, null, 2, 3, null, 5, ...
func column(mem memory.Allocator, n int) *array.Float32 {
	b := array.NewFloat32Builder(mem)
	defer b.Release()
	for i := range n {
		if i%3 == 1 {
			b.AppendNull()
		} else {
			b.Append(float32(i))
		}
	}
	return b.NewFloat32Array()
}

func TestValues(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		whole := column(memory.NewGoAllocator(), 5000)
		defer whole.Release()
		part := array.NewSlice(whole, 5, 4000).(*array.Float32) // an offset that is no whole byte
		defer part.Release()
		from, err := arrow.Values(dev, part)
		ok(t, err)
		valid, offset, err := arrow.Valid(dev, part)
		ok(t, err)
		if offset != 5 {
			t.Error(offset)
		}
		to, err := launch.NewPinned[float32](dev, part.Len())
		ok(t, err)
		ok(t, square.Launch(dev.Stream(), launch.Linear(part.Len(), 128), to, from, valid, offset))
		ok(t, dev.Sync())
		out, err := arrow.FromBuffer(to)
		ok(t, err)
		defer out.Release()
		got := out.(*array.Float32)
		for i := range part.Len() {
			want := float32(0)
			if !part.IsNull(i) {
				want = part.Value(i) * part.Value(i)
			}
			if got.Value(i) != want {
				t.Fatalf("[%d] is %v, want %v", i, got.Value(i), want)
			}
		}
		ok(t, from.Close())
	})
}

func TestAllocator(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		mem := arrow.NewAllocator(dev)
		in := column(mem, 1000)
		b, err := arrow.BufferOf(mem, in)
		ok(t, err)
		if b.Kind() != launch.PinnedMemory || b.Len() != 1000 {
			t.Error(b.Kind(), b.Len())
		}
		part := array.NewSlice(in, 9, 20).(*array.Float32)
		p, err := arrow.BufferOf(mem, part)
		ok(t, err)
		host := make([]float32, 11)
		ok(t, p.Download(host))
		if !slices.Equal(host, part.Values()) {
			t.Error(host)
		}
		part.Release()
		in.Release()
		if a := dev.Allocations(); len(a) != 0 {
			t.Errorf("%v after the arrays were released", a)
		}
		if _, err := arrow.BufferOf(mem, column(memory.NewGoAllocator(), 10)); err == nil {
			t.Error("an array of another allocator")
		}
	})
}

func TestErrors(t *testing.T) {
	dev, err := launch.Open("sim")
	ok(t, err)
	defer dev.Close()
	if _, err := arrow.Values(dev, column(memory.NewGoAllocator(), 0)); err == nil {
		t.Error("an empty array")
	}
	b, err := launch.Alloc[int32](dev, 10)
	ok(t, err)
	if _, err := arrow.FromBuffer(b); err == nil {
		t.Error("device memory as an array")
	}
}

func ExampleValues() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	prices := column(memory.NewGoAllocator(), 2048)
	b, err := arrow.Values(dev, prices)
	if err != nil {
		panic(err)
	}
	defer b.Close()
	half := kernel.New(func(v []float32) { v[dsl.GlobalIdx().X] /= 2 })
	if err := half.Launch(dev.Stream(), launch.Linear(2048, 256), b); err != nil {
		panic(err)
	}
	if err := dev.Sync(); err != nil {
		panic(err)
	}
	fmt.Println(prices.Value(5), prices.IsNull(1))
	// Output: 2.5 true
}
