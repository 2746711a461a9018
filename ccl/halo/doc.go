// Package halo divides a grid of one, two or three dimensions among the ranks of a communicator, and exchanges the
// cells at the borders.
//
//	g, err := halo.New[float32](comm, halo.Options{Cells: [3]int{512, 512, 512}})
//	err = g.Load(func(x, y, z int) float32 { return start(x, y, z) })
//	for range steps {
//		err = g.Step(s, func(s *launch.Stream, b halo.Box) error {
//			row, plane := g.Pitch()
//			return heat.Launch(s, b.Config(32, 4, 2), g.Back(), g.Front(), b.From, b.Size, row, plane)
//		})
//	}
//
// Each rank has a block of cells and, around it, a halo: copies of the neighbours' outermost cells. A Grid has
// two such blocks. A step reads the front one, halo included, and writes the back one; then they change places.
// [Grid.Step] computes the cells that need no halo while the halo is on its way, and the others afterwards.
package halo
