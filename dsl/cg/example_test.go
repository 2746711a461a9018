package cg_test

import (
	"fmt"
	"log"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

// Sixteens adds up x by tiles of 16 threads.
func Sixteens(x, sums []int32) {
	tile := cg.TiledPartition[cg.Size16](cg.ThisThreadBlock())
	sum := cg.Reduce(tile, x[dsl.GlobalIdx().X], func(x, y int32) int32 { return x + y })
	if tile.ThreadRank() == 0 {
		sums[tile.MetaGroupRank()] = sum
	}
}

func Example() {
	dev, err := launch.Open("sim")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	host := make([]int32, 64)
	for i := range host {
		host[i] = int32(i)
	}
	x, err := launch.Upload(dev, host)
	if err != nil {
		log.Fatal(err)
	}
	sums, err := launch.Alloc[int32](dev, 4)
	if err != nil {
		log.Fatal(err)
	}
	if err := kernel.New(Sixteens).Launch(dev.Stream(), launch.Linear(64, 64), x, sums); err != nil {
		log.Fatal(err)
	}
	host = make([]int32, 4)
	if err := sums.Download(host); err != nil {
		log.Fatal(err)
	}
	fmt.Println(host)
	// Output: [120 376 632 888]
}
