package badcalls

import (
	"heddle/dsl"
	"heddle/internal/errs"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
	"heddle/vector"
)

var texFill = kernel.New(func(t dsl.Texture2D[float32], v []float32) { v[0] = t.Sample(0, 0) })

// withTexels calls f with an array of 8x4 float32.
func withTexels(dev *launch.Device, f func(a *launch.Array[float32]) error) error {
	a, err := launch.NewArray[float32](dev, texture.Shape{Width: 8, Height: 4})
	if err != nil {
		return nil
	}
	return errs.Join(f(a), a.Close())
}

// makeTexels makes an array that cannot be.
func makeTexels(dev *launch.Device, s texture.Shape) error {
	_, err := launch.NewArray[float32](dev, s)
	return err
}

// texOf makes a texture of an array of 8x4 texels.
func texOf[D any](dev *launch.Device, o texture.Options) error {
	return withTexels(dev, func(a *launch.Array[float32]) error {
		_, err := launch.TextureOf[D](a, o)
		return err
	})
}

type texPlane = dsl.Texture2D[float32]

var textureCalls = []badCall{
	{name: "no width", do: func(dev *launch.Device) error { return makeTexels(dev, texture.Shape{Height: 3}) },
		want: "an array of width 0, height 3"},
	{name: "a depth alone", do: func(dev *launch.Device) error { return makeTexels(dev, texture.Shape{Width: 3, Depth: 2}) },
		want: "an array of depth 2 without a height"},
	{name: "a cube that is none", do: func(dev *launch.Device) error {
		return makeTexels(dev, texture.Shape{Width: 3, Height: 2, Cube: true})
	}, want: "a cube of faces 3x2"},
	{name: "layers of volumes", do: func(dev *launch.Device) error {
		return makeTexels(dev, texture.Shape{Width: 3, Height: 2, Depth: 2, Layers: 2})
	}, want: "an array of 2 layers and depth 2"},
	{name: "too wide", do: func(dev *launch.Device) error { return makeTexels(dev, texture.Shape{Width: 1 << 20}) },
		want: "axes have at most 65536 texels"},
	{name: "too many levels", do: func(dev *launch.Device) error { return makeTexels(dev, texture.Shape{Width: 8, Levels: 5}) },
		want: "5 mipmap levels of 8; there can be 1 to 4"},
	{name: "too few texels", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture2D[float32](dev, make([]float32, 31), 8, 4, texture.Options{})
		return err
	}, want: "has 32 texels on all levels and the slice has 31"},
	{name: "a size of 0", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture2D[float32](dev, []float32{}, 8, 0, texture.Options{})
		return err
	}, want: "NewTexture2D: sizes [8 0]"},
	{name: "another kind", do: func(dev *launch.Device) error { return texOf[dsl.Texture3D[float32]](dev, texture.Options{}) },
		want: "is 2-D, and dsl.Texture3D[float32] is of 3-D"},
	{name: "another type", do: func(dev *launch.Device) error { return texOf[dsl.Texture2D[int32]](dev, texture.Options{}) },
		want: "texels of float32 are not what dsl.Texture2D[int32] gives"},
	{name: "more channels", do: func(dev *launch.Device) error { return texOf[dsl.Texture2D[vector.Float4]](dev, texture.Options{}) },
		want: "as many channels where they have 8 or 16 bits"},
	{name: "no texture", do: func(dev *launch.Device) error { return texOf[int](dev, texture.Options{}) },
		want: "int is no texture"},
	{name: "a filter that there is not", do: func(dev *launch.Device) error { return texOf[texPlane](dev, texture.Options{Filter: 7}) },
		want: "filter 7, of levels 0"},
	{name: "integers filtered", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture1D[uint8](dev, []uint8{1}, texture.Options{Filter: texture.Linear})
		return err
	}, want: "gives integers, which no linear filter makes"},
	{name: "repeated texels", do: func(dev *launch.Device) error {
		return texOf[texPlane](dev, texture.Options{Address: [3]texture.Address{texture.Wrap}})
	}, want: "Wrap and Mirror want coordinates that are Normalized"},
	{name: "an address mode that there is not", do: func(dev *launch.Device) error {
		return texOf[texPlane](dev, texture.Options{Address: [3]texture.Address{9}})
	}, want: "address modes [9 0 0]"},
	{name: "levels in texels", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture[texPlane](dev, []float32(nil), texture.Shape{Width: 4, Height: 4, Levels: 2}, texture.Options{})
		return err
	}, want: "mipmap levels want coordinates that are Normalized"},
	{name: "levels upside down", do: func(dev *launch.Device) error { return texOf[texPlane](dev, texture.Options{MinLevel: 2, MaxLevel: 1}) },
		want: "levels from 2 to 1"},
	{name: "sRGB of floats", do: func(dev *launch.Device) error { return texOf[texPlane](dev, texture.Options{SRGB: true}) },
		want: "SRGB decodes texels of uint8 that are read as numbers, and texels of float32 are read as dsl.Texture2D[float32]; make an array of uint8"},
	{name: "sRGB of integers", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture1D[uint8](dev, []uint8{1}, texture.Options{SRGB: true})
		return err
	}, want: "or leave SRGB out"},
	{name: "too anisotropic", do: func(dev *launch.Device) error { return texOf[texPlane](dev, texture.Options{Anisotropy: 17}) },
		want: "an anisotropy of 17; want 1 to 16 samples"},
	{name: "anisotropic integers", do: func(dev *launch.Device) error {
		_, err := launch.NewTexture1D[uint8](dev, []uint8{1}, texture.Options{Anisotropy: 2})
		return err
	}, want: "gives integers, which have no mean of 2 samples"},
	{name: "a texture of an empty buffer", do: func(dev *launch.Device) error {
		b, err := launch.Alloc[float32](dev, 0)
		if err != nil {
			return nil
		}
		_, err = launch.TextureOfBuffer[float32](b, texture.Options{})
		return errs.Join(err, b.Close())
	}, want: "is empty"},
	{name: "a texture of a closed buffer", do: func(dev *launch.Device) error {
		b, err := launch.Alloc[float32](dev, 3)
		if err != nil {
			return nil
		}
		b.Close()
		_, err = launch.TextureOfBuffer[float32](b, texture.Options{})
		return err
	}, want: "TextureOfBuffer: buffer of 3 float32"},
	{name: "a texture of planes of pitched memory", do: func(dev *launch.Device) error {
		p, err := launch.AllocPitched3D[float32](dev, 4, 3, 2)
		if err != nil {
			return nil
		}
		_, err = launch.TextureOfPitched[float32](p, texture.Options{})
		return errs.Join(err, p.Close())
	}, want: "2 planes; a texture of pitched memory is 2-D"},
	{name: "a surface of another kind", do: func(dev *launch.Device) error {
		return withTexels(dev, func(a *launch.Array[float32]) error {
			_, err := a.Surface1D()
			return err
		})
	}, want: "is 2-D, not 1-D"},
	{name: "too many textures", do: func(dev *launch.Device) error {
		return withTexels(dev, func(a *launch.Array[float32]) (err error) {
			for range 17 {
				_, err = launch.TextureOf[texPlane](a, texture.Options{})
			}
			return err
		})
	}, want: "has 16 textures and surfaces already"},
	{name: "a closed texture", do: func(dev *launch.Device) error {
		t, err := launch.NewTexture2D[float32](dev, make([]float32, 32), 8, 4, texture.Options{})
		if err != nil {
			return nil
		}
		t.Close()
		v, err := launch.Alloc[float32](dev, 1)
		if err != nil {
			return nil
		}
		return errs.Join(texFill.Launch(dev.Stream(), launch.Linear(1, 1), t, v), v.Close())
	}, want: "argument 1 (t): a texture of array of 8x4 float32"},
	{name: "a texture of another type", do: func(dev *launch.Device) error {
		t, err := launch.NewTexture1D[float32](dev, make([]float32, 32), texture.Options{})
		if err != nil {
			return nil
		}
		v, err := launch.Alloc[float32](dev, 1)
		if err != nil {
			return nil
		}
		//lint:ignore heddle what is wrong with it is the test
		return errs.Join(texFill.Launch(dev.Stream(), launch.Linear(1, 1), t, v), v.Close(), t.Close())
	}, want: "have *launch.Texture[heddle/dsl.Texture1D[float32]], want dsl.Texture2D[float32]"},
	{name: "the software form of images", on: []string{"cuda"}, do: func(dev *launch.Device) error { return texOf[texture.Soft2D[float32]](dev, texture.Options{}) },
		want: "the software form texture.Soft2D[float32] wants a Shape with Linear"},
}
