package halo

import (
	"fmt"

	"heddle/launch"
)

// Options say what a grid is. Axes are X, Y and Z; cells along X lie side by side.
type Options struct {
	// Cells of the whole grid along each axis; 0 means 1. An axis of one cell has no halo.
	Cells [3]int
	// Ranks along each axis; if all are 0, they are chosen so that little is exchanged.
	Ranks [3]int
	// Width of the halo in cells; 0 means 1.
	Width int
	// Periodic joins the two ends of an axis. Elsewhere the halo outside the grid stays as [Grid.Load] has made it.
	Periodic [3]bool
	// Corners has the halo's edges and corners exchanged too, which a stencil along the axes does not need.
	Corners bool
}

// A Box is a box of cells of a rank's block: its first cell, counted with the halo, and how many it has along each axis.
type Box struct{ From, Size [3]int }

// Cells is how many there are.
func (b Box) Cells() int { return b.Size[0] * b.Size[1] * b.Size[2] }

// Config is one thread for each cell, in blocks of x by y by z threads.
func (b Box) Config(x, y, z int) launch.Config {
	blocks := func(n, block int) int { return (n + block - 1) / block }
	return launch.Config{
		Grid:  launch.Dim3{X: blocks(b.Size[0], x), Y: blocks(b.Size[1], y), Z: blocks(b.Size[2], z)},
		Block: launch.Dim3{X: x, Y: y, Z: z},
	}
}

// complete fills in zeros, and says what is wrong.
func (o *Options) complete(ranks int) error {
	for axis, n := range o.Cells {
		if n < 0 {
			return fmt.Errorf("halo: %d cells along axis %d", n, axis)
		}
		o.Cells[axis] = max(n, 1)
	}
	if o.Width < 0 {
		return fmt.Errorf("halo: a width of %d", o.Width)
	}
	o.Width = max(o.Width, 1)
	if o.Ranks == ([3]int{}) {
		best, ok := o.choose(ranks)
		if !ok {
			return fmt.Errorf("halo: %v cells cannot be divided among %d ranks so that each has %d along each axis; take fewer ranks", o.Cells, ranks, o.Width)
		}
		o.Ranks = best
	}
	for axis := range o.Ranks {
		o.Ranks[axis] = max(o.Ranks[axis], 1)
	}
	if r := o.Ranks; r[0]*r[1]*r[2] != ranks {
		return fmt.Errorf("halo: %d x %d x %d ranks, and the communicator has %d", r[0], r[1], r[2], ranks)
	}
	for axis, n := range o.Cells {
		if n > 1 && n/o.Ranks[axis] < o.Width || n < o.Ranks[axis] {
			return fmt.Errorf("halo: %d cells along axis %d among %d ranks: each needs %d", n, axis, o.Ranks[axis], o.Width)
		}
	}
	return nil
}

// choose is the division among ranks that exchanges the fewest cells; of those alike the one along the later axes, whose
// borders lie side by side.
func (o *Options) choose(ranks int) (best [3]int, ok bool) {
	least := 0
	for x := 1; x <= ranks; x++ {
		for y := 1; ranks%x == 0 && y <= ranks/x; y++ {
			if ranks/x%y != 0 {
				continue
			}
			r := [3]int{x, y, ranks / x / y}
			faces := 0
			fits := true
			for axis, n := range o.Cells {
				fits = fits && n >= r[axis] && (n == 1 || n/r[axis] >= o.Width)
				area := 1
				for other, m := range o.Cells {
					if other != axis {
						area *= (m + r[other] - 1) / r[other]
					}
				}
				faces += area * min(r[axis]-1, 2)
			}
			if fits && (!ok || faces < least) {
				best, least, ok = r, faces, true
			}
		}
	}
	return best, ok
}
