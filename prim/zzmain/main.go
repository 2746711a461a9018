package main

import (
	"embed"
	"fmt"
	"os"

	"heddle/kernel"
	"heddle/launch"
	"heddle/prim"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

func main() {
	dev, err := launch.Open("cpu")
	if err != nil {
		panic(err)
	}
	s := dev.Stream()
	in, _ := launch.Upload(dev, make([]int32, 100))
	out, _ := launch.Alloc[int32](dev, 100)
	by := int32(3)
	fmt.Println(prim.Transform2(s, out, out, in, func(a, b int32) int32 { return a - b }))
	fmt.Println(prim.ReduceFunc(s, out, 100, prim.Mapped(prim.Of(in), func(v int32) int32 { return by * v }), 0, prim.Add[int32]))
	fmt.Println(s.Sync())
	if len(os.Args) > 1 {
		return
	}
}
