package launch_test

import (
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
)

// A texture of two rows. Coordinates past the edge give the texels at the edge.
func ExampleNewTexture2D() {
	left := kernel.New(func(t dsl.Texture2D[float32], out []float32) {
		i := dsl.ThreadIdx().X
		out[i] = t.Sample(float32(i%3)-0.5, float32(i/3)+0.5)
	})
	on(func(dev *launch.Device) {
		t := get(launch.NewTexture2D[float32](dev, []float32{
			1, 2, 3,
			4, 5, 6,
		}, 3, 2, texture.Options{}))
		out := get(launch.Alloc[float32](dev, 6))
		check(left.Launch(dev.Stream(), launch.Linear(6, 6), t, out))
		fmt.Println(read(out))
		check(t.Close())
	})
	// Output: [1 1 2 4 4 5]
}

// A surface writes the texels of an array, which a texture reads in a later launch.
func ExampleArray() {
	draw := kernel.New(func(s dsl.Surface2D[float32]) {
		p := dsl.ThreadIdx()
		s.Store(p.X, p.Y, float32(10*p.Y+p.X))
	})
	sample := kernel.New(func(t dsl.Texture2D[float32], out []float32) {
		out[0] = t.Sample(1, 1) // between four texels
	})
	on(func(dev *launch.Device) {
		a := get(launch.NewArray[float32](dev, texture.Shape{Width: 2, Height: 2}))
		t := get(launch.TextureOf[dsl.Texture2D[float32]](a, texture.Options{Filter: texture.Linear}))
		out := get(launch.Alloc[float32](dev, 1))
		check(draw.Launch(dev.Stream(), launch.Grid2D(2, 2, 2, 2), get(a.Surface2D())))
		check(sample.Launch(dev.Stream(), launch.Linear(1, 1), t, out))
		texels := make([]float32, 4)
		check(a.Download(texels))
		fmt.Println(texels, read(out))
		check(t.Close(), a.Close())
	})
	// Output: [0 1 10 11] [5.5]
}
