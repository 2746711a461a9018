package dlpack_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/dsl"
	"heddle/interop/dlpack"
	"heddle/kernel"
	"heddle/launch"
)

var double = kernel.New(func(v []float32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= 2
	}
})

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The struct is C's: offsets from dlpack.h of version 0.8.
func TestLayout(t *testing.T) {
	var m dlpack.ManagedTensor
	got := []uintptr{
		unsafe.Offsetof(m.Tensor.Data), unsafe.Offsetof(m.Tensor.Device), unsafe.Offsetof(m.Tensor.NDim),
		unsafe.Offsetof(m.Tensor.DType), unsafe.Offsetof(m.Tensor.Shape), unsafe.Offsetof(m.Tensor.Strides),
		unsafe.Offsetof(m.Tensor.ByteOffset), unsafe.Offsetof(m.ManagerCtx), unsafe.Offsetof(m.Deleter), unsafe.Sizeof(m),
	}
	if want := []uintptr{0, 8, 16, 20, 24, 32, 40, 48, 56, 64}; !slices.Equal(got, want) {
		t.Errorf("offsets %v, want %v", got, want)
	}
}

// foreign makes a tensor as another library would; deleted counts calls of its deleter.
func foreign(v []float32, deleted *int, shape ...int64) *dlpack.ManagedTensor {
	t := &dlpack.ManagedTensor{Tensor: dlpack.Tensor{
		Data: unsafe.Pointer(&v[0]), Device: dlpack.Device{Type: dlpack.CPU}, NDim: int32(len(shape)),
		DType: dlpack.DataType{Code: 2, Bits: 32, Lanes: 1}, Shape: &shape[0],
	}}
	t.Deleter = purego.NewCallback(func(of *dlpack.ManagedTensor) uintptr {
		if of == t {
			*deleted++
		}
		return 0
	})
	return t
}

func TestImport(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		dev, err := launch.Open(name)
		ok(t, err)
		v, deleted := []float32{9, 1, 2, 3, 4, 5, 6}, 0
		tensor := foreign(v, &deleted, 2, 3)
		tensor.Tensor.ByteOffset = 4
		b, shape, err := dlpack.Import[float32](dev, tensor)
		ok(t, err)
		if !slices.Equal(shape, []int{2, 3}) {
			t.Error(shape)
		}
		ok(t, double.Launch(dev.Stream(), launch.Linear(6, 32), b))
		ok(t, dev.Sync())
		if !slices.Equal(v, []float32{9, 2, 4, 6, 8, 10, 12}) {
			t.Error(v)
		}
		if deleted != 0 {
			t.Error("deleted while in use")
		}
		ok(t, b.Close())
		if deleted != 1 {
			t.Errorf("deleted %d times", deleted)
		}
		ok(t, dev.Close())
	}
}

func TestExport(t *testing.T) {
	dev, err := launch.Open("cpu")
	ok(t, err)
	defer dev.Close()
	b, err := launch.Upload(dev, []float32{1, 2, 3, 4})
	ok(t, err)
	tensor, err := dlpack.Export(b, 2, 2)
	ok(t, err)
	got := unsafe.Slice((*float32)(tensor.Tensor.Data), 4)
	if shape := unsafe.Slice(tensor.Tensor.Shape, 2); got[3] != 4 || shape[0] != 2 || tensor.Tensor.NDim != 2 {
		t.Error(got, shape)
	}
	// As C calls it.
	purego.SyscallN(tensor.Deleter, uintptr(unsafe.Pointer(tensor)))
	if n := len(dev.Allocations()); n != 0 {
		t.Errorf("%d allocations after the deleter", n)
	}
}

func TestErrors(t *testing.T) {
	dev, err := launch.Open("sim")
	ok(t, err)
	defer dev.Close()
	b, err := launch.Upload(dev, []float32{1, 2, 3, 4})
	ok(t, err)
	var deleted int
	v := make([]float32, 6)
	tensor := func(change func(*dlpack.Tensor)) *dlpack.ManagedTensor {
		m := foreign(v, &deleted, 2, 3)
		change(&m.Tensor)
		return m
	}
	strides := []int64{1, 2}
	for want, call := range map[string]func() error{
		"a shape of [3 2]":            func() error { _, err := dlpack.Export(b, 3, 2); return err },
		"a shape of [3], which has 3": func() error { _, err := dlpack.Export(b, 3); return err },
		"empty or nil Buffer":         func() error { _, err := dlpack.Export[float32](nil); return err },
		"as int32, which is": func() error {
			_, _, err := dlpack.Import[int32](dev, tensor(func(*dlpack.Tensor) {}))
			return err
		},
		"on device 1 of type 2": func() error {
			_, _, err := dlpack.Import[float32](dev, tensor(func(t *dlpack.Tensor) { t.Device = dlpack.Device{Type: dlpack.CUDA, ID: 1} }))
			return err
		},
		"has gaps": func() error {
			_, _, err := dlpack.Import[float32](dev, tensor(func(t *dlpack.Tensor) { t.Strides = &strides[0] }))
			return err
		},
		"a tensor of -1 dimensions": func() error {
			_, _, err := dlpack.Import[float32](dev, tensor(func(t *dlpack.Tensor) { t.NDim = -1 }))
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if deleted != 0 {
		t.Error("a refused tensor was deleted")
	}
	ok(t, b.Close())
	if _, err := dlpack.Export(b); err == nil {
		t.Error("a closed Buffer")
	}
}

func ExampleExport() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	b, err := launch.Upload(dev, []float32{1, 2, 3, 4, 5, 6})
	if err != nil {
		panic(err)
	}
	t, err := dlpack.Export(b, 2, 3)
	if err != nil {
		panic(err)
	}
	fmt.Println(t.Tensor.NDim, t.Tensor.DType, reflect.TypeOf(t))
	t.Delete() // by who takes it
	// Output: 2 {2 32 1} *dlpack.ManagedTensor
}
