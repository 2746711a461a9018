// Package animation is what examples that can show a moving picture share: the flag -o and the
// GIF file that it names.
package animation

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"image/gif"
	"io"
	"log"
	"os"
)

var output = flag.String("o", "", "write an animation to this GIF `file`")

// A GIF is an animation of square pictures.
type GIF struct {
	Side   int // pixels
	Delay  int // from picture to picture, in hundredths of a second
	Colour color.Palette
	frames gif.GIF
}

// Add appends a picture of the palette's first colour, for the caller to draw on.
func (g *GIF) Add() *image.Paletted {
	p := image.NewPaletted(image.Rect(0, 0, g.Side, g.Side), g.Colour)
	g.frames.Image, g.frames.Delay = append(g.frames.Image, p), append(g.frames.Delay, g.Delay)
	return p
}

// Main is the main function of an example. It runs the example on the best device. With the
// flag -o it also draws an animation and writes the file.
func Main(run func(w io.Writer, device string) error, draw func() (*GIF, error)) {
	flag.Parse()
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
	if *output == "" {
		return
	}
	if err := write(*output, draw); err != nil {
		log.Fatal(err)
	}
}

func write(file string, draw func() (*GIF, error)) error {
	g, err := draw()
	if err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(gif.EncodeAll(f, &g.frames), f.Close())
}
