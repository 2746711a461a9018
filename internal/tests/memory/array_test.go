package memory

import (
	"testing"

	"heddle/launch"
	"heddle/texture"
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
