// Command knn finds the nearest points of each query. Points are sorted by the cell of a grid that they are in (prim.SortPairs), and
// a binary search finds where each cell begins (prim.LowerBoundFunc). A query looks at the cells around its own, ring by ring, until no
// cell that is left can hold a nearer point. Whole numbers make the result the same everywhere.
package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"slices"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	k       = 4
	points  = 6000
	queries = 512
	cells   = 32 // of the grid, along each side
	size    = 1 << 16 / cells
)

// A Point is in a square of 65536 by 65536.
type Point struct{ X, Y uint16 }

// cell is the number of the cell that p is in.
func (p Point) cell() uint32 { return uint32(p.Y/size)*cells + uint32(p.X/size) }

// to is the square of the distance.
func (p Point) to(q Point) int64 {
	dx, dy := int64(p.X)-int64(q.X), int64(p.Y)-int64(q.Y)
	return dx*dx + dy*dy
}

// A Neighbour is the number of a point, and the square of its distance.
type Neighbour struct {
	Distance int64
	Index    int32
}

// nearer orders neighbours; of two at one distance the one with the lower number is first.
func (a Neighbour) nearer(b Neighbour) bool {
	return a.Distance < b.Distance || a.Distance == b.Distance && a.Index < b.Index
}

// Search finds the k nearest points of each query. index are the points' numbers, by their cells; those of cell c are
// index[starts[c]:starts[c+1]].
func Search(out [][k]Neighbour, query, point []Point, index []int32, starts []int) {
	i := dsl.GlobalIdx().X
	if i >= len(query) {
		return
	}
	q := query[i]
	var best [k]Neighbour
	for j := range best {
		best[j].Distance = 1 << 62
	}
	column, row := int(q.X/size), int(q.Y/size)
	for ring := range cells {
		// What is ring cells away is at least so far.
		if least := int64(max(0, ring-1)) * size; least*least > best[k-1].Distance {
			break
		}
		for y := max(0, row-ring); y <= min(cells-1, row+ring); y++ {
			step := 1 // all cells of the ring's first and last row, and two of those between
			if ring > 0 && y != row-ring && y != row+ring {
				step = 2 * ring
			}
			for x := column - ring; x <= column+ring; x += step {
				if x < 0 || x >= cells {
					continue
				}
				c := y*cells + x
				for _, n := range index[starts[c]:starts[c+1]] {
					found := Neighbour{point[n].to(q), n}
					for j := range best { // insert it where it belongs
						if found.nearer(best[j]) {
							found, best[j] = best[j], found
						}
					}
				}
			}
		}
	}
	out[i] = best
}

var search = kernel.New(Search)

// random makes points; more of them are in the middle.
func random(n int, seed uint64) []Point {
	r := rand.New(rand.NewPCG(seed, 7))
	all := make([]Point, n)
	at := func() uint16 { return uint16((r.Uint32N(1<<16) + r.Uint32N(1<<16)) / 2) }
	for i := range all {
		all[i] = Point{at(), at()}
	}
	return all
}

// onHost compares each query with each point.
func onHost(point, query []Point) [][k]Neighbour {
	out := make([][k]Neighbour, len(query))
	all := make([]Neighbour, len(point))
	for i, q := range query {
		for j, p := range point {
			all[j] = Neighbour{p.to(q), int32(j)}
		}
		slices.SortFunc(all, func(a, b Neighbour) int {
			return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
		})
		copy(out[i][:], all)
	}
	return out
}

// nearest finds the neighbours on a device.
func nearest(dev *launch.Device, points, queries []Point) ([][k]Neighbour, error) {
	s := dev.Stream()
	point, err1 := launch.Upload(dev, points)
	query, err2 := launch.Upload(dev, queries)
	cell, err3 := launch.Alloc[uint32](dev, len(points))
	index, err4 := launch.Alloc[int32](dev, len(points))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	starts, err1 := launch.Alloc[int](dev, cells*cells+1)
	out, err2 := launch.Alloc[[k]Neighbour](dev, len(queries))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	result := make([][k]Neighbour, len(queries))
	return result, errors.Join(
		prim.Transform(s, cell, point, Point.cell),
		prim.Generate(s, index, func(i int) int32 { return int32(i) }),
		prim.SortPairs(s, cell, index, cell, index),
		prim.LowerBoundFunc(s, starts, len(points), prim.Of(cell), prim.Counting(0), func(c uint32, number int) bool { return int(c) < number }),
		search.Launch(s, launch.Linear(len(queries), 64), out, query, point, index, starts),
		out.Download(result))
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	point, query := random(points, 1), random(queries, 2)
	got, err := nearest(dev, point, query)
	if err != nil {
		return err
	}
	if !slices.Equal(got, onHost(point, query)) {
		return errors.New("the neighbours are not those of the host")
	}
	fmt.Fprintf(w, "the %d nearest of %d points to %v:\n", k, points, query[0])
	for _, n := range got[0] {
		fmt.Fprintf(w, "point %d at %v\n", n.Index, point[n.Index])
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
