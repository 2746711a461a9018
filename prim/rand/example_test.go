package rand_test

import (
	"fmt"
	"log"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/prim/rand"
)

// A fill is asynchronous; the next one goes on where it ended. The numbers are the same on every device.
func ExampleUniform() {
	dev, err := launch.Open("")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	buf, err := launch.Alloc[float32](dev, 3)
	if err != nil {
		log.Fatal(err)
	}
	g := rand.NewPhilox(42, 0, 0)
	got := make([]float32, 3)
	for range 2 {
		if err := rand.Uniform(dev.Stream(), buf, &g); err != nil {
			log.Fatal(err)
		}
		if err := buf.Download(got); err != nil {
			log.Fatal(err)
		}
		fmt.Println(got)
	}
	// Output:
	// [0.61295986 0.4685865 0.0732317]
	// [0.3408615 0.98771864 0.32706332]
}

// In a kernel each thread has a subsequence of its own.
func ExampleNewPhilox() {
	dev, err := launch.Open("")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	ends, err := launch.Alloc[float32](dev, 4)
	if err != nil {
		log.Fatal(err)
	}
	walk := kernel.New(func(end []float32, seed uint64) {
		i := dsl.GlobalIdx().X
		g := rand.NewPhilox(seed, uint64(i), 0)
		x := float32(0)
		for range 100 {
			x += rand.NormFloat32(&g)
		}
		end[i] = x
	})
	if err := walk.Launch(dev.Stream(), launch.Linear(4, 4), ends, uint64(7)); err != nil {
		log.Fatal(err)
	}
	got := make([]float32, 4)
	if err := ends.Download(got); err != nil {
		log.Fatal(err)
	}
	fmt.Println(got)
	// Output:
	// [-3.0695572 5.030354 -6.1812654 -10.953472]
}

// Quasi-random points: two coordinates of four points.
func ExampleSobolUniform() {
	dev, err := launch.Open("")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	directions, err := rand.NewDirections[uint32](dev, 2, rand.DirectionOptions{})
	if err != nil {
		log.Fatal(err)
	}
	points, err := launch.Alloc[float64](dev, 2*4)
	if err != nil {
		log.Fatal(err)
	}
	if err := rand.SobolUniform(dev.Stream(), points, directions, 0); err != nil {
		log.Fatal(err)
	}
	got := make([]float64, 2*4)
	if err := points.Download(got); err != nil {
		log.Fatal(err)
	}
	fmt.Println(got[:4], got[4:])
	// Output:
	// [0 0.5 0.75 0.25] [0 0.5 0.25 0.75]
}
