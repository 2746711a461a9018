// Command montecarlo estimates pi: of points that are random in a square, as many are in the circle
// as its area says. Each thread draws from a subsequence of its own of Philox (package prim/rand) and counts; the block adds
// up, and one atomic addition a block tells the result. The error bar is that of the binomial distribution.
// Then it estimates pi with as many of Sobol's points, scrambled by several seeds, whose spread is the error.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/rand"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	threads = 128
	blocks  = 16
	each    = 32 // points of a thread
	all     = threads * blocks * each
	seeds   = 16 // of Sobol's points, which have all/seeds points each
)

// inside says whether a point is in the circle: 1 or 0.
func inside(x, y uint32) int64 {
	if a, b := uint64(x>>1), uint64(y>>1); a*a+b*b < 1<<62 {
		return 1
	}
	return 0
}

// count adds the points of a thread in the circle.
func count[P rand.Source](x, y P, points int) (in int64) {
	for range points {
		in += inside(x.Uint32(), y.Uint32())
	}
	return in
}

// add adds what the threads of a block have to *total.
func add(total *int64, in int64) {
	in = dsl.BlockReduce(in, func(x, y int64) int64 { return x + y })
	if dsl.ThreadIdx().X == 0 {
		dsl.AtomicAdd(total, in)
	}
}

// Random adds the random points in the circle to *total.
func Random(total *int64, seed uint64) {
	g := rand.NewPhilox(seed, uint64(dsl.GlobalIdx().X), 0)
	add(total, count(&g, &g, each))
}

// Quasi adds those of Sobol's points that are in the circle to *total.
func Quasi(total *int64, directions []uint32) {
	i := uint32(dsl.GlobalIdx().X)
	x, y := rand.NewSobol32(directions, 0, i*each/seeds), rand.NewSobol32(directions, 1, i*each/seeds)
	add(total, count(&x, &y, each/seeds))
}

var random, quasi = kernel.New(Random), kernel.New(Quasi)

// onHost counts as Random does.
func onHost(seed uint64) (in int64) {
	for i := range uint64(blocks * threads) {
		g := rand.NewPhilox(seed, i, 0)
		in += count(&g, &g, each)
	}
	return in
}

// estimate launches a kernel that counts, and returns pi by its count of points.
func estimate(dev *launch.Device, k *kernel.Kernel, arg any, points float64) (float64, error) {
	total, err := launch.Alloc[int64](dev, 1)
	if err != nil {
		return 0, err
	}
	defer total.Close()
	if err := k.Launch(dev.Stream(), launch.Linear(blocks*threads, threads), total, arg); err != nil {
		return 0, err
	}
	got := make([]int64, 1)
	err = total.Download(got)
	return 4 * float64(got[0]) / points, err
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	const seed = 42
	pi, err := estimate(dev, random, uint64(seed), all)
	if err != nil {
		return err
	}
	if want := 4 * float64(onHost(seed)) / all; pi != want {
		return fmt.Errorf("pi is %v, on the host %v", pi, want)
	}
	p := pi / 4 // of a point to be in the circle
	fmt.Fprintf(w, "%d random points:  pi is %.4f +- %.4f\n", all, pi, 4*math.Sqrt(p*(1-p)/all))

	var mean, squares float64 // of the seeds' estimates, and their distances from it (Welford)
	for seed := range uint64(seeds) {
		directions, err := rand.NewDirections[uint32](dev, 2, rand.DirectionOptions{Scramble: true, Seed: seed})
		if err != nil {
			return err
		}
		pi, err := estimate(dev, quasi, directions, all/seeds)
		if err != nil {
			return err
		}
		directions.Close()
		d := pi - mean
		mean += d / float64(seed+1)
		squares += d * (pi - mean)
	}
	fmt.Fprintf(w, "%d of Sobol's:     pi is %.4f +- %.4f\n", all, mean, math.Sqrt(squares/(seeds-1)/seeds))
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
