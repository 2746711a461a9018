// Command nbody moves bodies that attract each other. Each thread adds up the forces on one body; a block
// brings the others' positions to shared memory in tiles, so that all its threads read them there.
//
//	go run ./examples/nbody -o nbody.gif
package main

import (
	"embed"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"

	"heddle/dsl"
	"heddle/examples/internal/animation"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	bodies  = 256
	threads = 64 // of a block, and bodies of a tile
	soft    = 0.02
)

// A Body has a place, a speed and a mass.
type Body struct{ X, Y, VX, VY, Mass float32 }

// pull is what b does to the speed of a body at x, y in a time of 1.
func pull(x, y float32, b Body) (ax, ay float32) {
	dx, dy := b.X-x, b.Y-y
	d := dx*dx + dy*dy + soft
	f := b.Mass / (d * dsl.Sqrt(d))
	return dx * f, dy * f
}

// Step moves each body for a time of dt.
func Step(next, now []Body, dt float32) {
	tile := dsl.Shared[[threads]Body]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	own := now[i] // the grid fits
	ax, ay := float32(0), float32(0)
	for first := 0; first < len(now); first += threads {
		tile[t] = now[first+t]
		dsl.SyncThreads()
		for _, b := range tile {
			dx, dy := pull(own.X, own.Y, b)
			ax, ay = ax+dx, ay+dy
		}
		dsl.SyncThreads() // before the tile is written anew
	}
	own.VX, own.VY = own.VX+ax*dt, own.VY+ay*dt
	own.X, own.Y = own.X+own.VX*dt, own.Y+own.VY*dt
	next[i] = own
}

var step = kernel.New(Step)

// begin has two discs that turn, on their way to each other.
func begin() []Body {
	all := make([]Body, bodies)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range all {
		side := float32(1 - i%2*2)
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		inside := r.Float64() // the part of the disc's mass that is nearer to its centre
		d := 0.35 * math.Sqrt(inside)
		v := math.Sqrt(0.5 * inside * d * d / math.Pow(d*d+soft, 1.5))
		all[i] = Body{
			X: side*0.5 + float32(d*cos), Y: side*0.12 + float32(d*sin),
			VX: float32(-v*sin) - side*0.15, VY: float32(v * cos), Mass: 0.5 / (bodies / 2),
		}
	}
	return all
}

// onHost is Step on the host: in float64, so that it is nearer to the truth.
func onHost(now []Body, dt float64) []Body {
	next := make([]Body, len(now))
	for i, own := range now {
		ax, ay := 0.0, 0.0
		for _, b := range now {
			dx, dy := float64(b.X-own.X), float64(b.Y-own.Y)
			d := dx*dx + dy*dy + soft
			f := float64(b.Mass) / (d * math.Sqrt(d))
			ax, ay = ax+dx*f, ay+dy*f
		}
		own.VX, own.VY = own.VX+float32(ax*dt), own.VY+float32(ay*dt)
		own.X, own.Y = own.X+own.VX*float32(dt), own.Y+own.VY*float32(dt)
		next[i] = own
	}
	return next
}

// simulate calls each with the bodies after every few steps.
func simulate(device string, frames, steps int, dt float32, each func([]Body)) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	now, err := launch.Upload(dev, begin())
	if err != nil {
		return err
	}
	next, err := launch.Alloc[Body](dev, bodies)
	if err != nil {
		return err
	}
	host := make([]Body, bodies)
	for range frames {
		for range steps {
			if err := step.Launch(dev.Stream(), launch.Linear(bodies, threads), next, now, dt); err != nil {
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
	const dt = 0.01
	want, worst := begin(), 0.0
	err := simulate(device, 4, 1, dt, func(got []Body) {
		want = onHost(want, dt)
		for i, b := range got {
			worst = max(worst, math.Hypot(float64(b.X-want[i].X), float64(b.Y-want[i].Y)))
		}
	})
	if err != nil {
		return err
	}
	if worst > 1e-5 {
		return fmt.Errorf("bodies are up to %g from where the host has them", worst)
	}
	fmt.Fprintf(w, "%d bodies, 4 steps: each within 0.00001 of where the host has it\n", bodies)
	return nil
}

// draw makes an animation.
func draw() (*animation.GIF, error) {
	const side = 160
	g := &animation.GIF{Side: side, Delay: 5, Colour: color.Palette{color.Black, color.RGBA{255, 190, 90, 255}, color.RGBA{120, 180, 255, 255}}}
	err := simulate("", 80, 5, 0.01, func(all []Body) {
		img := g.Add()
		for i, b := range all {
			img.SetColorIndex(int((b.X+1.2)/2.4*side), int((b.Y+1.2)/2.4*side), uint8(1+i%2))
		}
	})
	return g, err
}

func main() { animation.Main(run, draw) }
