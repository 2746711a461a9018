// Command mapped calls a func of package prim whose kernel has no func of this package but in what it captures: the type arguments follow from
// order and the literal below alone.
package main

import (
	"fmt"
	"os"

	"heddle/launch"
	"heddle/prim"
)

func order(v float32) int32 { return int32(v * 10) }

func main() {
	if err := run(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run() error {
	dev, err := launch.Open("cpu")
	if err != nil {
		return err
	}
	defer dev.Close()
	x, err := launch.Upload(dev, []float32{0, 1, 2, 3, 4, 5})
	if err != nil {
		return err
	}
	y, err := launch.Upload(dev, []float32{2.5, 1})
	if err != nil {
		return err
	}
	at, err := launch.Alloc[int](dev, y.Len())
	if err != nil {
		return err
	}
	if err := prim.LowerBoundFunc(dev.Stream(), at, x.Len(), prim.Mapped(prim.Of(x), order), prim.Mapped(prim.Of(y), order),
		func(a, b int32) bool { return a < b }); err != nil {
		return err
	}
	got := make([]int, at.Len())
	err = at.Download(got)
	fmt.Println(got)
	return err
}
