package texture_test

import (
	"fmt"
	"log"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/texture"
)

// A kernel reads between texels: the linear filter weights the neighbours.
func Example() {
	dev, err := launch.Open("sim")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	ramp, err := launch.NewTexture1D[float32](dev, []float32{0, 10, 20, 40}, texture.Options{Filter: texture.Linear})
	if err != nil {
		log.Fatal(err)
	}
	out, err := launch.Alloc[float32](dev, 4)
	if err != nil {
		log.Fatal(err)
	}
	k := kernel.New(func(t dsl.Texture1D[float32], out []float32) {
		i := dsl.ThreadIdx().X
		out[i] = t.Sample(float32(i) + 1) // halfway between texels i and i+1
	})
	if err := k.Launch(dev.Stream(), launch.Linear(4, 4), ramp, out); err != nil {
		log.Fatal(err)
	}
	host := make([]float32, 4)
	if err := out.Download(host); err != nil {
		log.Fatal(err)
	}
	fmt.Println(host)
	// Output: [5 15 30 40]
}
