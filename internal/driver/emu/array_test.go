package emu_test

import (
	"fmt"
	"slices"
	"testing"

	"heddle/launch"
	"heddle/texture"
)

// Arrays on GPUs with image instructions have gaps between rows, which copies leave out: by the host, by
// a stream, and in a graph.
func TestArrayCopies(t *testing.T) {
	for _, name := range []string{"emu:gfx1100", "emu:gfx1201", "emu:gfx942"} {
		d := open(t, name)
		for _, s := range []texture.Shape{
			{Width: 5}, {Width: 70, Height: 3}, {Width: 7, Height: 5, Depth: 3}, {Width: 9, Layers: 4}, {Width: 7, Height: 2, Layers: 3}, {Width: 4, Cube: true},
			{Width: 130, Height: 6, Levels: 4}, {Width: 12, Height: 9, Depth: 5, Levels: 3}, {Width: 33, Height: 4, Layers: 2, Levels: 2},
		} {
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%s, %+v: %v", name, s, err)
				}
			}
			texels := make([]uint16, s.Texels())
			for i := range texels {
				texels[i] = uint16(i*7 + 1)
			}
			a, err := launch.NewArray[uint16](d, s)
			check(err)
			got := make([]uint16, len(texels))
			same := func(how string) {
				t.Helper()
				if !slices.Equal(got, texels) {
					t.Errorf("%s, %+v, %s: %v, want %v", name, s, how, fmt.Sprint(got)[:40], fmt.Sprint(texels)[:40])
				}
				clear(got)
			}
			check(a.Upload(texels))
			check(a.Download(got))
			same("Upload and Download")
			from, err := launch.Upload(d, texels)
			check(err)
			to, err := launch.Alloc[uint16](d, len(texels))
			check(err)
			b, err := launch.NewArray[uint16](d, s)
			check(err)
			stream := d.Stream()
			check(b.CopyFrom(stream, from))
			check(b.CopyTo(stream, to))
			check(to.Download(got))
			same("CopyFrom and CopyTo")
			c, err := launch.NewArray[uint16](d, s)
			check(err)
			check(to.Upload(got)) // zeros
			own, err := d.NewStream()
			check(err)
			check(own.BeginCapture())
			check(c.CopyFrom(own, from))
			check(c.CopyTo(own, to))
			g, err := own.EndCapture()
			check(err)
			exec, err := g.Instantiate()
			check(err)
			check(exec.Launch(own))
			check(own.Sync())
			check(to.Download(got))
			same("a graph")
			for _, x := range []interface{ Close() error }{exec, own, a, b, c, from, to} {
				check(x.Close())
			}
		}
	}
}
