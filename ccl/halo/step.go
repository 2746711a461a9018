package halo

import (
	"errors"

	"heddle/ccl"
	"heddle/launch"
)

// Exchange queues on s the filling of the front block's halo with the neighbours' cells. All ranks call it.
func (g *Grid[T]) Exchange(s *launch.Stream) error {
	for _, phase := range g.phases {
		if err := g.exchange(s, phase); err != nil {
			return err
		}
	}
	return nil
}

// exchange exchanges some sides at once.
func (g *Grid[T]) exchange(s *launch.Stream, phase []*side[T]) error {
	line := func(b *launch.Buffer[T], box Box) launch.Region[T] {
		return b.Region(launch.Layout{Width: box.Size[0], Height: box.Size[1], Depth: box.Size[2]})
	}
	for _, d := range phase {
		if err := launch.CopyRegionAsync(s, line(d.out, d.from), g.region(g.front, d.from)); err != nil {
			return err
		}
	}
	err := ccl.Group(func(b *ccl.Batch) error {
		c := g.comm.In(b)
		var err error
		for _, d := range phase {
			if d.opposite == nil {
				err = errors.Join(err, ccl.Send(c, s, d.rank, d.out))
			}
		}
		// The neighbour sends its low side first. Where both neighbours are one rank, that is for the high halo here.
		for i := len(phase) - 1; i >= 0; i-- {
			if d := phase[i]; d.opposite == nil {
				err = errors.Join(err, ccl.Recv(c, s, d.rank, d.in))
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, d := range phase {
		in := d.in
		if d.opposite != nil {
			in = d.opposite.out
		}
		if err := launch.CopyRegionAsync(s, g.region(g.front, d.to), line(in, d.to)); err != nil {
			return err
		}
	}
	return nil
}

// Step queues on s one step: f, which it calls for some boxes of cells, queues the computing of these cells of the back block from
// the front block. The first box needs no halo, and is computed while the halo is exchanged; the others border on
// it. Then the two blocks change places. All ranks call it.
func (g *Grid[T]) Step(s *launch.Stream, f func(s *launch.Stream, b Box) error) error {
	if f == nil {
		return errors.New("halo: Step of a nil func")
	}
	before, err := s.Record()
	if err != nil {
		return err
	}
	if err := errors.Join(g.stream.Wait(before), g.Exchange(g.stream)); err != nil {
		return err
	}
	exchanged, err := g.stream.Record()
	if err != nil {
		return err
	}
	inner, border := g.parts()
	if inner.Cells() > 0 {
		if err := f(s, inner); err != nil {
			return err
		}
	}
	if err := s.Wait(exchanged); err != nil {
		return err
	}
	for _, b := range border {
		if err := f(s, b); err != nil {
			return err
		}
	}
	g.front, g.back = g.back, g.front
	return nil
}

// parts are the cells that need no neighbour's, and those that do, in at most two boxes for each axis.
func (g *Grid[T]) parts() (inner Box, border []Box) {
	inner = g.Inside()
	for axis := 2; axis >= 0; axis-- {
		for _, step := range []int{-1, 1} {
			if _, ok := g.neighbour(axis, step); !ok || g.halo[axis] == 0 {
				continue
			}
			b := inner
			b.Size[axis] = min(g.halo[axis], inner.Size[axis])
			if step > 0 {
				b.From[axis] += inner.Size[axis] - b.Size[axis]
			} else {
				inner.From[axis] += b.Size[axis]
			}
			inner.Size[axis] -= b.Size[axis]
			if b.Cells() > 0 {
				border = append(border, b)
			}
		}
	}
	return inner, border
}
