// Command montecarlo estimates pi: of points that are random in a square, as many are in the circle
// as its area says. Each thread has a generator of random numbers of its own, started by a hash of
// its number, and counts; the block adds up, and one atomic addition a block tells the result.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	threads = 128
	blocks  = 16
	each    = 200 // points of a thread
)

// hash mixes the bits of x.
func hash(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// next is the next random number (xorshift).
func next(state uint32) uint32 {
	state ^= state << 13
	state ^= state >> 17
	return state ^ state<<5
}

// points counts those of a thread that are in the circle: of a quarter, whose radius is 65536.
func points(thread int) int64 {
	state := hash(uint32(thread)+1) | 1
	in := int64(0)
	for range each {
		state = next(state)
		x, y := uint64(state>>16), uint64(state&0xffff)
		if x*x+y*y < 1<<32 {
			in++
		}
	}
	return in
}

// Pi adds the points in the circle to *total.
func Pi(total *int64) {
	in := dsl.BlockReduce(points(dsl.GlobalIdx().X), func(x, y int64) int64 { return x + y })
	if dsl.ThreadIdx().X == 0 {
		dsl.AtomicAdd(total, in)
	}
}

var pi = kernel.New(Pi)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	total, err := launch.Alloc[int64](dev, 1)
	if err != nil {
		return err
	}
	if err := pi.Launch(dev.Stream(), launch.Linear(blocks*threads, threads), total); err != nil {
		return err
	}
	got := make([]int64, 1)
	if err := total.Download(got); err != nil {
		return err
	}
	want := int64(0)
	for t := range blocks * threads {
		want += points(t)
	}
	if got[0] != want {
		return fmt.Errorf("%d points in the circle, the host counts %d", got[0], want)
	}
	const all = blocks * threads * each
	fmt.Fprintf(w, "%d of %d points: pi is about %.4f\n", got[0], all, 4*float64(got[0])/all)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
