// Command uniform uses no quasi-random points: package rand's test looks for their table in it.
package main

import (
	"fmt"

	"heddle/launch"
	"heddle/prim/rand"
)

func main() {
	dev, err := launch.Open("")
	if err != nil {
		panic(err)
	}
	buf, err := launch.Alloc[float32](dev, 1)
	if err != nil {
		panic(err)
	}
	g := rand.NewPhilox(1, 0, 0)
	got := make([]float32, 1)
	fmt.Println(rand.Uniform(dev.Stream(), buf, &g), buf.Download(got), got)
}
