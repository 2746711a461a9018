package main

import (
	"image/png"
	"os"
	"testing"

	"heddle/examples/internal/everywhere"
)

func Example() {
	main()
	// Output:
	// 320x240, turned by 30 degrees, sha256 199de181ac265fe1
}

func TestEveryDevice(t *testing.T) { everywhere.Run(t, run) }

// The picture beside the README is what the program makes.
func TestPicture(t *testing.T) {
	f, err := os.Open("texture.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := render("sim", 30)
	if err != nil {
		t.Fatal(err)
	}
	for y := range height {
		for x := range width {
			if got.At(x, y) != want.At(x, y) {
				t.Fatalf("pixel %d, %d is %v, in texture.png %v", x, y, got.At(x, y), want.At(x, y))
			}
		}
	}
}
