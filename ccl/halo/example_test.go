package halo_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"heddle/ccl"
	"heddle/ccl/halo"
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Smooth sets each cell of a box to the mean of itself and its two neighbours.
func Smooth(dst, src []float32, from, size [3]int) {
	if t := dsl.GlobalIdx(); t.X < size[0] {
		i := from[0] + t.X
		dst[i] = (src[i-1] + src[i] + src[i+1]) / 3
	}
}

var smooth = kernel.New(Smooth)

// A line of 9 cells on two ranks. Beyond its ends it is 0.
func Example() {
	err := func() error {
		devs, err := launch.OpenAll("sim,sim")
		if err != nil {
			return err
		}
		comms, err := ccl.All(context.Background(), devs...)
		if err != nil {
			return err
		}
		parts, failed := make([]string, len(comms)), make([]error, len(comms))
		var wait sync.WaitGroup
		for i, c := range comms {
			wait.Go(func() { parts[i], failed[i] = smoothPart(c) })
		}
		wait.Wait()
		fmt.Println(parts[0])
		fmt.Println(parts[1])
		for i, c := range comms {
			failed = append(failed, c.Close(), devs[i].Close())
		}
		return errors.Join(failed...)
	}()
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// cells [0 0 0] to [4 1 1] of [9 1 1], rank 0 of 2 on sim: [0 0 1 2]
	// cells [4 0 0] to [9 1 1] of [9 1 1], rank 1 of 2 on sim: [3 2 1 0 0]
}

// smoothPart is what a rank does.
func smoothPart(c *ccl.Comm) (string, error) {
	g, err := halo.New[float32](c, halo.Options{Cells: [3]int{9}})
	if err != nil {
		return "", err
	}
	err = g.Load(func(x, _, _ int) float32 {
		if x == 4 {
			return 9
		}
		return 0
	})
	if err != nil {
		return "", err
	}
	for range 2 {
		err := g.Step(c.Device().Stream(), func(s *launch.Stream, b halo.Box) error {
			return smooth.Launch(s, b.Config(32, 1, 1), g.Back(), g.Front(), b.From, b.Size)
		})
		if err != nil {
			return "", err
		}
	}
	cells, err := g.Cells()
	return fmt.Sprintf("%v: %v", g, cells), errors.Join(err, g.Close())
}
