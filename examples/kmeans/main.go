// Command kmeans parts points of a plane into groups: each point joins the nearest centre, and each centre
// moves to the middle of its points, until nothing changes. Blocks add up their points in shared memory before they add to
// the sums of all. Whole numbers make the result the same everywhere.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	groups = 4
	points = 4000
)

// A Sum adds up points.
type Sum struct{ X, Y, N int64 }

// Assign finds the nearest centre of each point, adds up the points of each and counts those that
// change.
func Assign(x, y []int32, centres *[groups][2]int32, group []int32, sums *[groups]Sum, changed *int32) {
	own := dsl.Shared[[groups]Sum]()
	t := dsl.ThreadIdx().X
	if t < groups {
		own[t] = Sum{}
	}
	dsl.SyncThreads()
	if i := dsl.GlobalIdx().X; i < len(x) {
		best, least := int32(0), int64(1)<<62
		for g := range groups {
			dx, dy := int64(x[i]-centres[g][0]), int64(y[i]-centres[g][1])
			if d := dx*dx + dy*dy; d < least {
				best, least = int32(g), d
			}
		}
		if group[i] != best {
			group[i] = best
			dsl.AtomicAdd(changed, 1)
		}
		dsl.AtomicAdd(&own[best].X, int64(x[i]))
		dsl.AtomicAdd(&own[best].Y, int64(y[i]))
		dsl.AtomicAdd(&own[best].N, 1)
	}
	dsl.SyncThreads()
	if t < groups {
		dsl.AtomicAdd(&sums[t].X, own[t].X)
		dsl.AtomicAdd(&sums[t].Y, own[t].Y)
		dsl.AtomicAdd(&sums[t].N, own[t].N)
	}
}

// Move moves the centres. One block does it.
func Move(centres *[groups][2]int32, sums *[groups]Sum) {
	if g := dsl.ThreadIdx().X; g < groups && sums[g].N > 0 {
		s := sums[g]
		centres[g] = [2]int32{int32(s.X / s.N), int32(s.Y / s.N)}
	}
}

var assign, move = kernel.New(Assign), kernel.New(Move)

// clouds are points around four places.
func clouds() (x, y []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range points {
		place := [4][2]float64{{-3000, -1000}, {2500, -2000}, {-500, 3000}, {3000, 2500}}[i%4]
		x = append(x, int32(place[0]+600*r.NormFloat64()))
		y = append(y, int32(place[1]+600*r.NormFloat64()))
	}
	return x, y
}

// onHost is one step after the other on the host.
func onHost(x, y []int32, centres [groups][2]int32) [groups][2]int32 {
	for {
		var sums [groups]Sum
		for i := range x {
			best, least := 0, int64(1)<<62
			for g, c := range centres {
				dx, dy := int64(x[i]-c[0]), int64(y[i]-c[1])
				if d := dx*dx + dy*dy; d < least {
					best, least = g, d
				}
			}
			sums[best] = Sum{sums[best].X + int64(x[i]), sums[best].Y + int64(y[i]), sums[best].N + 1}
		}
		before := centres
		for g, s := range sums {
			if s.N > 0 {
				centres[g] = [2]int32{int32(s.X / s.N), int32(s.Y / s.N)}
			}
		}
		if centres == before {
			return centres
		}
	}
}

// cluster runs until no point changes its group.
func cluster(dev *launch.Device, x, y *launch.Buffer[int32], centres *launch.Buffer[[groups][2]int32]) (steps int, err error) {
	group, err := launch.Alloc[int32](dev, points)
	if err != nil {
		return 0, err
	}
	sums, err := launch.Alloc[[groups]Sum](dev, 1)
	if err != nil {
		return 0, err
	}
	changed, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		return 0, err
	}
	s, left := dev.Stream(), []int32{1}
	for ; left[0] > 0; steps++ {
		err := errors.Join(sums.Clear(s), changed.Clear(s),
			assign.Launch(s, launch.Linear(points, 128), x, y, centres, group, sums, changed),
			move.Launch(s, launch.Config{Block: launch.Dim3{X: 32}}, centres, sums),
			changed.Download(left))
		if err != nil {
			return steps, err
		}
	}
	return steps, nil
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	hostX, hostY := clouds()
	x, err := launch.Upload(dev, hostX)
	if err != nil {
		return err
	}
	y, err := launch.Upload(dev, hostY)
	if err != nil {
		return err
	}
	start := [groups][2]int32{{-1000, 0}, {1000, 0}, {0, 1000}, {1000, 1000}}
	centres, err := launch.Upload(dev, [][groups][2]int32{start})
	if err != nil {
		return err
	}
	steps, err := cluster(dev, x, y, centres)
	if err != nil {
		return err
	}
	got := make([][groups][2]int32, 1)
	if err := centres.Download(got); err != nil {
		return err
	}
	if want := onHost(hostX, hostY, start); got[0] != want {
		return fmt.Errorf("the centres are %v, want %v", got[0], want)
	}
	fmt.Fprintf(w, "after %d steps the centres are %v\n", steps, got[0])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
