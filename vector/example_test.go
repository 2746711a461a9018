package vector_test

import (
	"errors"
	"fmt"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// Arithmetic works component by component.
func Example() {
	p := vector.MakeFloat4(1, 2, 3, 4)
	fmt.Println(p.Mul(p).Add(vector.Float4{W: 0.5}))
	// Output: {1 4 9 16.5}
}

// Components are converted as Go converts numbers, and compared one by one.
func ExampleFloat4_Int4() {
	v := vector.MakeFloat4(1.5, -2.5, 3, 100)
	fmt.Println(v.Int4(), v.Lt(vector.SplatFloat4(3)), v.Dot(vector.SplatFloat4(2)))
	fmt.Println(vector.Int4From([4]int32{7, 8, 9, 10}).Rem(vector.SplatInt4(4)).Array())
	// Output:
	// {1 -2 3 100} [true true false false] 204
	// [3 0 1 2]
}

// Slices of short vectors are arguments like any others: of one type on host and device.
func ExampleFloat4() {
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	defer dev.Close()
	host := []vector.Float4{{X: 1}, {Y: 2}, {Z: 3, W: 4}}
	move := vector.MakeFloat4(10, 0, 0, 1)
	add := kernel.New(func(points []vector.Float4) {
		if i := dsl.GlobalIdx().X; i < len(points) {
			points[i] = points[i].Add(move)
		}
	})
	points, err := launch.Upload(dev, host)
	if err != nil {
		panic(err)
	}
	if err := errors.Join(add.Launch(dev.Stream(), launch.Linear(len(host), 64), points), points.Download(host)); err != nil {
		panic(err)
	}
	fmt.Println(host)
	// Output: [{11 0 0 1} {10 2 0 1} {10 0 3 5}]
}

// A Half keeps a number in 16 bits.
func ExampleHalf() {
	h := vector.MakeHalf(1.0 / 3)
	fmt.Printf("%#04x %.6f\n", h.Bits(), h.Float32())
	// Output: 0x3555 0.333252
}
