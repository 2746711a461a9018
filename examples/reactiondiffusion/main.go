// Command reactiondiffusion lets two substances spread and react (Gray and Scott's model): from a few spots grow
// patterns like those of corals. Each step is a launch; the planes change places after it.
//
//	go run ./examples/reactiondiffusion -o reaction.gif
package main

import (
	"embed"
	"fmt"
	"image/color"
	"io"
	"math"

	"heddle/dsl"
	"heddle/examples/internal/animation"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	side       = 96
	spread     = 0.16 // of U; V spreads half as fast
	feed, kill = 0.055, 0.062
)

// A Cell is how much there is of either substance.
type Cell struct{ U, V float32 }

// around is the difference between a cell and the mean of those beside it, on a torus.
func around(now []Cell, x, y int) Cell {
	c := now[y*side+x]
	l, r := now[y*side+(x+side-1)%side], now[y*side+(x+1)%side]
	t, b := now[(y+side-1)%side*side+x], now[(y+1)%side*side+x]
	return Cell{l.U + r.U + t.U + b.U - 4*c.U, l.V + r.V + t.V + b.V - 4*c.V}
}

// cell is the next state of a cell. It is an ordinary Go function: kernels and the host call it.
func cell(now []Cell, x, y int) Cell {
	c, d := now[y*side+x], around(now, x, y)
	reaction := c.U * c.V * c.V
	return Cell{
		c.U + spread*d.U - reaction + feed*(1-c.U),
		c.V + spread/2*d.V + reaction - (feed+kill)*c.V,
	}
}

// Step is one step of all cells.
func Step(next, now []Cell) {
	if p := dsl.GlobalIdx(); p.X < side && p.Y < side {
		next[p.Y*side+p.X] = cell(now, p.X, p.Y)
	}
}

var step = kernel.New(Step)

// begin has some spots of V.
func begin() []Cell {
	all := make([]Cell, side*side)
	for i := range all {
		all[i] = Cell{1, 0}
		for _, spot := range [][2]int{{20, 30}, {60, 20}, {48, 60}, {75, 80}, {15, 75}} {
			if x, y := i%side-spot[0], i/side-spot[1]; x*x+y*y < 16 {
				all[i] = Cell{0.5, 0.35}
			}
		}
	}
	return all
}

// simulate calls each with the cells after every few steps.
func simulate(device string, frames, steps int, each func([]Cell)) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	now, err := launch.Upload(dev, begin())
	if err != nil {
		return err
	}
	next, err := launch.Alloc[Cell](dev, side*side)
	if err != nil {
		return err
	}
	host := make([]Cell, side*side)
	for range frames {
		for range steps {
			if err := step.Launch(dev.Stream(), launch.Grid2D(side, side, 32, 4), next, now); err != nil {
				return err
			}
			now, next = next, now
		}
		if err := now.Download(host); err != nil {
			return err
		}
		each(host)
	}
	return nil
}

func run(w io.Writer, device string) error {
	const steps = 8
	want := begin()
	for range steps {
		next := make([]Cell, len(want))
		for i := range next {
			next[i] = cell(want, i%side, i/side)
		}
		want = next
	}
	worst, sum := 0.0, 0.0
	err := simulate(device, 1, steps, func(got []Cell) {
		for i, c := range got {
			worst = max(worst, math.Abs(float64(c.U-want[i].U)), math.Abs(float64(c.V-want[i].V)))
			sum += float64(c.V)
		}
	})
	if err != nil {
		return err
	}
	if worst > 1e-5 {
		return fmt.Errorf("cells are up to %g from what the host has", worst)
	}
	fmt.Fprintf(w, "after %d steps there is %.2f of the second substance, as on the host\n", steps, sum)
	return nil
}

// draw makes an animation.
func draw() (*animation.GIF, error) {
	colours := make(color.Palette, 16)
	for i := range colours {
		colours[i] = color.RGBA{uint8(i * i), uint8(12 * i), uint8(40 + 10*i), 255}
	}
	g := &animation.GIF{Side: side, Delay: 12, Colour: colours}
	err := simulate("", 18, 250, func(all []Cell) {
		img := g.Add()
		for i, c := range all {
			img.Pix[i] = uint8(min(c.V*40, 15))
		}
	})
	return g, err
}

func main() { animation.Main(run, draw) }
