package animation

import (
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"testing"
)

// TestWrite: the file has the pictures that draw has added.
func TestWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.gif")
	err := write(file, func() (*GIF, error) {
		g := &GIF{Side: 4, Delay: 7, Colour: color.Palette{color.Black, color.White}}
		for i := range 3 {
			g.Add().SetColorIndex(i, i, 1)
		}
		return g, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Image) != 3 || got.Delay[2] != 7 || got.Image[1].ColorIndexAt(1, 1) != 1 || got.Image[1].ColorIndexAt(2, 1) != 0 {
		t.Errorf("%d pictures, delays %v", len(got.Image), got.Delay)
	}
}
