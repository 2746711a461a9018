package launch_test

import (
	"errors"
	"fmt"

	"heddle/launch"
)

// check stops an example at an error.
func check(all ...error) {
	if err := errors.Join(all...); err != nil {
		panic(err)
	}
}

// get is a value, if there is no error.
func get[T any](v T, err error) T {
	check(err)
	return v
}

// on runs an example on the best device, which it closes.
func on(example func(dev *launch.Device)) {
	dev := get(launch.Open(""))
	example(dev)
	check(dev.Close())
}

// read is what a Buffer holds.
func read[T any](b *launch.Buffer[T]) []T {
	host := make([]T, b.Len())
	check(b.Download(host))
	return host
}

// A graph by hand: two launches, and a function of the host that comes after both.
func ExampleGraph() {
	on(func(dev *launch.Device) {
		x, y := get(launch.Upload(dev, []int32{1})), get(launch.Upload(dev, []int32{10}))
		g := get(launch.NewGraph(dev))
		first := get(g.Add(func(s *launch.Stream) error { return double.Launch(s, launch.Linear(1, 1), x) }))
		second := get(g.Add(func(s *launch.Stream) error { return double.Launch(s, launch.Linear(1, 1), y) }))
		get(g.Add(func(s *launch.Stream) error {
			return s.Call(func() { fmt.Println("both have run") })
		}, first, second))
		ready := get(g.Instantiate())
		for range 2 {
			check(ready.Launch(dev.Stream()))
		}
		fmt.Println(read(x), read(y))
		check(ready.Close(), g.Close())
	})
	// Output:
	// both have run
	// both have run
	// [4] [40]
}

// What a function queues on a stream becomes a graph. Nothing runs before the graph's launch.
func ExampleStream_Capture() {
	on(func(dev *launch.Device) {
		x := get(launch.Upload(dev, []int32{1, 2}))
		s := get(dev.NewStream())
		g := get(s.Capture(func(s *launch.Stream) error {
			for range 3 {
				if err := double.Launch(s, launch.Linear(2, 32), x); err != nil {
					return err
				}
			}
			return nil
		}))
		fmt.Println(len(g.Nodes()), "launches,", read(x))
		ready := get(g.Instantiate())
		check(ready.Launch(s), s.Sync())
		fmt.Println(read(x))
		check(ready.Close(), g.Close(), s.Close())
	})
	// Output:
	// 3 launches, [1 2]
	// [8 16]
}

// An executable graph takes the arguments of another graph of the same form.
func ExampleGraphExec_Update() {
	on(func(dev *launch.Device) {
		x, y := get(launch.Upload(dev, []int32{1})), get(launch.Upload(dev, []int32{1}))
		s := get(dev.NewStream())
		doubles := func(b *launch.Buffer[int32]) *launch.Graph {
			return get(s.Capture(func(s *launch.Stream) error { return double.Launch(s, launch.Linear(1, 1), b) }))
		}
		ready := get(doubles(x).Instantiate())
		check(ready.Launch(s), ready.Update(doubles(y)), ready.Launch(s), ready.Launch(s), s.Sync())
		fmt.Println(read(x), read(y))
		check(ready.Close(), s.Close())
	})
	// Output: [2] [4]
}

// One node of an executable graph gets other arguments.
func ExampleGraphExec_Set() {
	on(func(dev *launch.Device) {
		x := get(launch.Upload(dev, []int32{0, 0}))
		g := get(launch.NewGraph(dev))
		fill := get(g.Add(func(s *launch.Stream) error { return x.Fill(s, 3) }))
		ready := get(g.Instantiate())
		check(ready.Set(fill, func(s *launch.Stream) error { return x.Fill(s, 4) }))
		check(ready.Launch(dev.Stream()))
		fmt.Println(read(x))
		check(ready.Close(), g.Close())
	})
	// Output: [4 4]
}
