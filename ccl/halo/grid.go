package halo

import (
	"errors"
	"fmt"

	"heddle/ccl"
	"heddle/launch"
)

// A Grid is a rank's block of cells, in device memory. One goroutine uses it.
type Grid[T any] struct {
	comm    *ccl.Comm
	options Options
	at      [3]int // the rank's place among the ranks
	origin  [3]int // the first cell of the block in the whole grid
	size    [3]int // cells of the block
	halo    [3]int // its width along each axis
	padded  [3]int // cells of the block with its halo

	front, back *launch.Buffer[T]
	stream      *launch.Stream // of the exchange
	phases      [][]*side[T]   // what is exchanged at once
}

// A side is one of a block's sides that has a neighbour.
type side[T any] struct {
	rank     int // the neighbour
	high     bool
	from, to Box // the cells that it needs, and where its own go
	out, in  *launch.Buffer[T]
	opposite *side[T] // where the neighbour is this rank itself
}

// New makes a rank's part of a grid. All ranks of the communicator call it with the same options. The cells are zero.
// The operations of the grid are those of comm: with a deadline if it is one of [ccl.Comm.With].
func New[T any](comm *ccl.Comm, o Options) (*Grid[T], error) {
	if comm == nil {
		return nil, errors.New("halo: nil Comm")
	}
	if err := o.complete(comm.Size()); err != nil {
		return nil, err
	}
	g := &Grid[T]{comm: comm, options: o}
	rest := comm.Rank()
	cells := 1
	for axis, n := range o.Cells {
		r := o.Ranks[axis]
		g.at[axis] = rest % r
		rest /= r
		g.origin[axis] = n * g.at[axis] / r
		g.size[axis] = n*(g.at[axis]+1)/r - g.origin[axis]
		if n > 1 {
			g.halo[axis] = o.Width
		}
		g.padded[axis] = g.size[axis] + 2*g.halo[axis]
		cells *= g.padded[axis]
	}
	var err, e error
	if g.front, e = launch.Alloc[T](comm.Device(), cells); e != nil {
		err = errors.Join(err, e)
	}
	if g.back, e = launch.Alloc[T](comm.Device(), cells); e != nil {
		err = errors.Join(err, e)
	}
	if g.stream, e = comm.Device().NewStream(launch.StreamOptions{NonBlocking: true}); e != nil {
		err = errors.Join(err, e)
	}
	if err = errors.Join(err, g.sides()); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

// sides makes the sides.
func (g *Grid[T]) sides() error {
	var all []*side[T]
	for axis := range 3 {
		if g.halo[axis] == 0 {
			continue
		}
		var pair [2]*side[T]
		for i, step := range []int{-1, 1} {
			rank, ok := g.neighbour(axis, step)
			if !ok {
				continue
			}
			s := &side[T]{rank: rank, high: step > 0}
			s.from, s.to = g.faces(axis, s.high)
			var e1, e2 error
			s.out, e1 = launch.Alloc[T](g.comm.Device(), s.from.Cells())
			s.in, e2 = launch.Alloc[T](g.comm.Device(), s.to.Cells())
			pair[i] = s
			all = append(all, s)
			if err := errors.Join(e1, e2); err != nil {
				g.phases = append(g.phases, all) // for Close
				return err
			}
		}
		if pair[0] != nil && pair[0].rank == g.comm.Rank() {
			pair[0].opposite, pair[1].opposite = pair[1], pair[0]
		}
		if g.options.Corners {
			g.phases = append(g.phases, all)
			all = nil
		}
	}
	if all != nil {
		g.phases = append(g.phases, all)
	}
	return nil
}

// neighbour is the rank next to this one along an axis.
func (g *Grid[T]) neighbour(axis, step int) (rank int, ok bool) {
	at, r := g.at, g.options.Ranks
	at[axis] += step
	if at[axis] < 0 || at[axis] >= r[axis] {
		if !g.options.Periodic[axis] {
			return 0, false
		}
		at[axis] = (at[axis] + r[axis]) % r[axis]
	}
	return (at[2]*r[1]+at[1])*r[0] + at[0], true
}

// faces are the outermost cells at a side of the block, and the halo beyond them. With corners they include the halo
// along the axes before, which has been exchanged by then.
func (g *Grid[T]) faces(axis int, high bool) (cells, halo Box) {
	for a := range 3 {
		cells.From[a], cells.Size[a] = g.halo[a], g.size[a]
		if g.options.Corners && a < axis {
			cells.From[a], cells.Size[a] = 0, g.padded[a]
		}
	}
	w := g.halo[axis]
	cells.Size[axis] = w
	halo = cells
	halo.From[axis] = 0
	if high {
		cells.From[axis] = g.size[axis]
		halo.From[axis] = w + g.size[axis]
	}
	return cells, halo
}

// Front is the block that a step reads, with its halo: cell (x, y, z) is element x + y*row + z*plane of [Grid.Pitch].
func (g *Grid[T]) Front() *launch.Buffer[T] { return g.front }

// Back is the block that a step writes.
func (g *Grid[T]) Back() *launch.Buffer[T] { return g.back }

// Pitch is how many elements there are from a row to the next, and from a plane to the next.
func (g *Grid[T]) Pitch() (row, plane int) { return g.padded[0], g.padded[0] * g.padded[1] }

// Inside is the whole block without its halo.
func (g *Grid[T]) Inside() Box { return Box{g.halo, g.size} }

// Origin is which cell of the whole grid is the first of the block, without its halo.
func (g *Grid[T]) Origin() [3]int { return g.origin }

// Options are the grid's, with nothing left 0.
func (g *Grid[T]) Options() Options { return g.options }

// String is "cells [0 0 32] to [64 64 64] of [64 64 64], rank 1 of 2 on cuda:1".
func (g *Grid[T]) String() string {
	var end [3]int
	for axis := range end {
		end[axis] = g.origin[axis] + g.size[axis]
	}
	return fmt.Sprintf("cells %v to %v of %v, %v", g.origin, end, g.options.Cells, g.comm)
}

// Load sets both blocks, halo included: f tells the value of each cell by its place in the whole grid. In the halo
// of the first block that is -Width, and at the other end it is beyond the last cell; along a periodic axis f has to repeat.
func (g *Grid[T]) Load(f func(x, y, z int) T) error {
	if f == nil {
		return errors.New("halo: Load of a nil func")
	}
	host := make([]T, 0, g.front.Len())
	for z := range g.padded[2] {
		for y := range g.padded[1] {
			for x := range g.padded[0] {
				host = append(host, f(g.origin[0]+x-g.halo[0], g.origin[1]+y-g.halo[1], g.origin[2]+z-g.halo[2]))
			}
		}
	}
	return errors.Join(g.front.Upload(host), g.back.Upload(host))
}

// Cells are the cells of the front block without its halo, row by row and plane by plane. It waits for the work with it.
func (g *Grid[T]) Cells() ([]T, error) {
	in := g.Inside()
	host := make([]T, in.Cells())
	to := launch.HostRegion(host, launch.Layout{Width: in.Size[0], Height: in.Size[1], Depth: in.Size[2]})
	return host, launch.CopyRegion(to, g.region(g.front, in))
}

// region is a box of one of the blocks.
func (g *Grid[T]) region(b *launch.Buffer[T], box Box) launch.Region[T] {
	f, s := box.From, box.Size
	return b.Region(launch.Layout{Width: g.padded[0], Height: g.padded[1], Depth: g.padded[2]}).Box(f[0], f[1], f[2], s[0], s[1], s[2])
}

// Close gives the memory back when the work with it has ended. It does not close the communicator.
func (g *Grid[T]) Close() error {
	err := errors.Join(g.front.Close(), g.back.Close())
	for _, phase := range g.phases {
		for _, s := range phase {
			err = errors.Join(err, s.out.Close(), s.in.Close())
		}
	}
	if g.stream != nil {
		err = errors.Join(err, g.stream.Close())
	}
	return err
}
