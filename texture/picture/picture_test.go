package picture

import (
	"image"
	"image/color"
	"testing"

	"heddle/vector"
)

func TestTexels(t *testing.T) {
	gray := image.NewGray(image.Rect(2, 3, 5, 5))
	gray.SetGray(3, 4, color.Gray{Y: 77})
	texels, w, h := Texels(gray)
	if w != 3 || h != 2 || texels[4] != (vector.Uchar4{X: 77, Y: 77, Z: 77, W: 255}) || texels[0] != (vector.Uchar4{W: 255}) {
		t.Errorf("%dx%d, %v", w, h, texels)
	}
	m, err := Image(texels, w)
	if err != nil || m.RGBAAt(1, 1) != (color.RGBA{R: 77, G: 77, B: 77, A: 255}) {
		t.Error(m, err)
	}
	again, _, _ := Texels(m)
	again[0].X = 9
	if texels[0].X != 9 {
		t.Error("an RGBA image was copied")
	}
	if part, w, h := Texels(m.SubImage(image.Rect(1, 1, 3, 2))); w != 2 || h != 1 || part[0] != texels[4] {
		t.Errorf("of a part: %dx%d, %v", w, h, part)
	}
	if none, w, h := Texels(image.NewRGBA(image.Rectangle{})); none != nil || w != 0 || h != 0 {
		t.Error("an empty image has texels")
	}
	if _, err := Image(texels, 4); err == nil {
		t.Error("6 texels are rows of 4")
	}
	if _, err := Image(texels, 0); err == nil {
		t.Error("rows of nothing")
	}
}
