package memory

import (
	"testing"

	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
	"heddle/vector"
)

// An array takes texels and gives them back, from the host and from a buffer, on all levels.
func TestArray(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		shape := texture.Shape{Width: 12, Height: 6, Levels: 3}
		a := must(launch.NewArray[int32](dev, shape))(t)
		defer a.Close()
		n := shape.Texels()
		if n != 12*6+6*3+3 || a.Shape() != shape {
			t.Fatal(n, a.Shape())
		}
		src, got := count(n), make([]int32, n)
		ok(t, a.Upload(src))
		ok(t, a.Download(got))
		equal(t, "texels", got, src)
		b := must(launch.Upload(dev, times(src, 3)))(t)
		defer b.Close()
		if b.On() != dev {
			t.Error(b.On())
		}
		ok(t, a.CopyFrom(dev.Stream(), b))
		ok(t, b.Clear(dev.Stream()))
		ok(t, a.CopyTo(dev.Stream(), b))
		ok(t, b.Download(got))
		equal(t, "from a buffer", got, times(src, 3))
		layout := launch.Layout{Width: 5, Height: 2, Stride: 8}
		if have := b.Region(layout).Layout(); have.Width != 5 || have.Height != 2 || have.Stride != 8 {
			t.Error(have)
		}
	})
}

// Textures of plain memory: what lies in it is what they read, and a closed Buffer's memory stays.
var (
	fetchLine = kernel.New(func(t texture.Soft1D[float32], out []float32) {
		for i := range out {
			out[i] = t.Fetch(i - 1)
		}
	})
	fetchRows = kernel.New(func(t texture.Soft2D[vector.Float2], out []vector.Float2) {
		for i := range out {
			out[i] = t.Sample(float32(i%5)+.5, float32(i/5)+.5)
		}
	})
)

func TestTextureOfMemory(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		line := must(launch.Upload(dev, []uint8{51, 102, 255}))(t)
		tex := must(launch.TextureOfBuffer[float32](line, texture.Options{}))(t)
		out := must(launch.Alloc[float32](dev, 5))(t)
		defer out.Close()
		got := make([]float32, 5)
		read := func(want ...float32) {
			t.Helper()
			ok(t, fetchLine.Launch(s, launch.Linear(1, 1), tex, out))
			ok(t, out.Download(got))
			equal(t, "of a buffer", got, want)
		}
		read(0, .2, .4, 1, 0)
		ok(t, line.Upload([]uint8{0, 255, 0}))
		ok(t, line.Close())
		read(0, 0, 1, 0, 0)
		ok(t, tex.Close())
		if err := fetchLine.Launch(s, launch.Linear(1, 1), tex, out); err == nil {
			t.Error("a closed texture is used")
		}
		ok(t, s.Sync())

		rows := must(launch.AllocPitched[vector.Float2](dev, 5, 3))(t)
		defer rows.Close()
		texels := make([]vector.Float2, 15)
		for i := range texels {
			texels[i] = vector.MakeFloat2(float32(i), float32(-i))
		}
		ok(t, rows.Upload(texels))
		plane := must(launch.TextureOfPitched[vector.Float2](rows, texture.Options{Filter: texture.Linear}))(t)
		defer plane.Close()
		to := must(launch.Alloc[vector.Float2](dev, 15))(t)
		defer to.Close()
		ok(t, fetchRows.Launch(s, launch.Linear(1, 1), plane, to))
		have := make([]vector.Float2, 15)
		ok(t, to.Download(have))
		equal(t, "of rows", have, texels)
	})
}
