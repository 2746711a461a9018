// Command particles runs a fountain: each step moves all particles, removes those that have fallen out of the picture, and adds new
// ones. Removing is a selection (package prim, "stream compaction"): what is left lies side by side, so that the next step has no
// thread without a particle. Positions are whole numbers, in 256ths of a pixel, which makes the result the same everywhere.
package main

import (
	"embed"
	"errors"
	"fmt"
	"image/color"
	"io"
	"slices"

	"heddle/examples/internal/animation"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	side = 160  // pixels of the picture
	born = 40   // particles of a step
	room = 9000 // more than are ever in the picture
)

// A Particle has a place and a speed, in 256ths of a pixel and of a pixel a step.
type Particle struct{ X, Y, VX, VY int32 }

// moved is the particle a step later.
func (p Particle) moved() Particle {
	return Particle{p.X + p.VX, p.Y + p.VY, p.VX, p.VY + 6}
}

// inside says whether the particle is in the picture, or above it.
func (p Particle) inside() bool {
	return p.X >= 0 && p.X < side<<8 && p.Y < side<<8
}

// spout is particle i of those that a step adds.
func spout(step, i int) Particle {
	r := uint32(step*born+i)*2654435761 + 12345
	r ^= r >> 15
	r *= 2246822519
	r ^= r >> 13
	return Particle{side << 7, side<<8 - 1, int32(r%512) - 256, -1200 - int32(r>>9%400)}
}

// simulate calls each with the particles after every few steps.
func simulate(device string, frames, steps int, each func([]Particle)) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	now, err1 := launch.Alloc[Particle](dev, room)
	next, err2 := launch.Alloc[Particle](dev, room)
	count, err3 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	s, n, left := dev.Stream(), 0, make([]int, 1)
	host := make([]Particle, room)
	for step := range frames * steps {
		all := now.Slice(0, n)
		err := errors.Join(
			prim.Transform(s, all, all, Particle.moved),
			prim.Select(s, next, count, all, Particle.inside),
			count.Download(left))
		if err != nil {
			return err
		}
		n = min(left[0]+born, room)
		if err := prim.Generate(s, next.Slice(left[0], n), func(i int) Particle { return spout(step, i) }); err != nil {
			return err
		}
		now, next = next, now
		if (step+1)%steps == 0 {
			if err := now.Slice(0, n).Download(host[:n]); err != nil {
				return err
			}
			each(host[:n])
		}
	}
	return nil
}

// onHost is a step on the host.
func onHost(all []Particle, step int) []Particle {
	var next []Particle
	for _, p := range all {
		if p = p.moved(); p.inside() {
			next = append(next, p)
		}
	}
	for i := range born {
		next = append(next, spout(step, i))
	}
	return next
}

func run(w io.Writer, device string) error {
	const frames, steps = 6, 50
	var want []Particle
	step, bad := 0, false
	err := simulate(device, frames, steps, func(got []Particle) {
		for range steps {
			want = onHost(want, step)
			step++
		}
		bad = bad || !slices.Equal(got, want)
	})
	if err != nil {
		return err
	}
	if bad {
		return errors.New("other particles are left than on the host")
	}
	fmt.Fprintf(w, "after %d steps %d of %d particles are left\n", step, len(want), step*born)
	return nil
}

// draw makes an animation.
func draw() (*animation.GIF, error) {
	g := &animation.GIF{Side: side, Delay: 5, Colour: color.Palette{color.Black, color.RGBA{120, 180, 255, 255}, color.RGBA{220, 235, 255, 255}}}
	err := simulate("", 60, 7, func(all []Particle) {
		img := g.Add()
		for _, p := range all {
			shade := uint8(1)
			if p.VY < 0 { // it rises
				shade = 2
			}
			img.SetColorIndex(int(p.X>>8), int(p.Y>>8), shade)
		}
	})
	return g, err
}

func main() { animation.Main(run, draw) }
