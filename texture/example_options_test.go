package texture_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
)

// around samples a texture from one texel before its first to one behind its last.
func around(t dsl.Texture1D[float32], out []float32) {
	i := dsl.ThreadIdx().X
	out[i] = t.Sample((float32(i) - 0.5) / float32(len(out)-2))
}

// The address mode says what there is outside of a texture.
func ExampleOptions() {
	dev, err1 := launch.Open("sim")
	out, err2 := launch.Alloc[float32](dev, 6)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	defer dev.Close()
	k := kernel.New(around)
	for _, mode := range []texture.Address{texture.Clamp, texture.Wrap, texture.Mirror, texture.Border} {
		t, err := launch.NewTexture1D[float32](dev, []float32{1, 2, 3, 4}, texture.Options{
			Normalized: true, Address: [3]texture.Address{mode}, Border: [4]float32{9},
		})
		if err != nil {
			panic(err)
		}
		host := make([]float32, 6)
		if err := errors.Join(k.Launch(dev.Stream(), launch.Linear(6, 6), t, out), out.Download(host), t.Close()); err != nil {
			panic(err)
		}
		fmt.Println(host)
	}
	// Output:
	// [1 1 2 3 4 4]
	// [4 1 2 3 4 1]
	// [1 1 2 3 4 4]
	// [9 1 2 3 4 9]
}

// The software form gives the same results on every device. It wants an array whose texels lie
// in order.
func ExampleSoft2D() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	shape := texture.Shape{Width: 2, Height: 2, Linear: true}
	t, err1 := launch.NewTexture[texture.Soft2D[float32]](dev, []float32{0, 1, 2, 3}, shape, texture.Options{Filter: texture.Linear})
	out, err2 := launch.Alloc[float32](dev, 1)
	if err := errors.Join(err1, err2); err != nil {
		panic(err)
	}
	k := kernel.New(func(t texture.Soft2D[float32], out []float32) { out[0] = t.Sample(1, 1) })
	host := make([]float32, 1)
	fmt.Println(k.Launch(dev.Stream(), launch.Linear(1, 1), t, out), out.Download(host), host)
	// Output: <nil> <nil> [1.5]
}
