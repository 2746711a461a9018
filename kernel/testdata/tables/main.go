// Package main reads another package's tables in kernels.
package main

import (
	"fmt"
	"log"

	"example.com/tables/lib"

	"heddle/kernel"
	"heddle/launch"
)

func main() {
	lib.Written[1] = 77
	lib.Set()
	dev, err := launch.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range []func([]int){
		func(out []int) { out[0] = lib.Table[out[0]+1] },
		func(out []int) { out[0] = int(lib.Slice[out[0]+1]) + 10*len(lib.Slice) },
		func(out []int) { out[0] = int(lib.Text[out[0]]) },
		func(out []int) { out[0] = lib.Written[1] },
		func(out []int) { out[0] = lib.Own[1] },
	} {
		b, err := launch.Upload(dev, []int{0})
		if err != nil {
			log.Fatal(err)
		}
		h := make([]int, 1)
		if err = kernel.New(f).Launch(dev.Stream(), launch.Linear(1, 1), b); err == nil {
			err = b.Download(h)
		}
		fmt.Println(h[0], err)
	}
}
