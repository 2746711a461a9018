// Command floydwarshall finds the shortest way between any two of the nodes of a graph: for each node
// k in turn, one launch looks whether the way by k is shorter. The launches are queued one behind the other.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	n    = 64
	none = 1 << 20 // no way
)

// Step takes the way by node k where it is shorter, and notes k.
func Step(distance, by []int32, k int) {
	p := dsl.GlobalIdx()
	if p.X >= n || p.Y >= n {
		return
	}
	// Row and column k do not change in this step.
	at := p.Y*n + p.X
	if d := distance[p.Y*n+k] + distance[k*n+p.X]; d < distance[at] {
		distance[at], by[at] = d, int32(k)
	}
}

var step = kernel.New(Step)

// graph has a few edges from each node.
func graph() []int32 {
	d := make([]int32, n*n)
	for i := range d {
		if d[i] = none; i/n == i%n {
			d[i] = 0
		}
	}
	for i := range n {
		for j := range 3 {
			d[i*n+(i*(5+2*j)+7*j+1)%n] = int32(10 + (i*13+j*29)%40)
		}
	}
	for i := range n {
		d[i*n+i] = 0
	}
	return d
}

// path lists the nodes between a and b.
func path(by []int32, a, b int) []int {
	k := int(by[a*n+b])
	if k < 0 {
		return nil
	}
	return append(append(path(by, a, k), k), path(by, k, b)...)
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	want, via := graph(), make([]int32, n*n)
	for i := range via {
		via[i] = -1
	}
	distance, err := launch.Upload(dev, want)
	if err != nil {
		return err
	}
	by, err := launch.Upload(dev, via)
	if err != nil {
		return err
	}
	for k := range n {
		if err := step.Launch(dev.Stream(), launch.Grid2D(n, n, 32, 4), distance, by, k); err != nil {
			return err
		}
	}
	got := make([]int32, n*n)
	if err := distance.Download(got); err != nil {
		return err
	}
	if err := by.Download(via); err != nil {
		return err
	}
	for k := range n {
		for i := range want {
			want[i] = min(want[i], want[i/n*n+k]+want[k*n+i%n])
		}
	}
	if !slices.Equal(got, want) {
		return errors.New("the host finds other distances")
	}
	fmt.Fprintf(w, "from 3 to 50 it is %d, by %v\n", got[3*n+50], path(via, 3, 50))
	fmt.Fprintln(w, "the farthest two that are connected:", slices.Max(slices.DeleteFunc(got, func(d int32) bool { return d >= none })))
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
