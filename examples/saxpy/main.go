// Command saxpy computes y = a*x + y, the "hello, world" of GPU programs. It
// shows the five steps of any launch: open a device, copy data to it, launch,
// copy back, look at the errors.
//
//	go run ./examples/saxpy
//	HEDDLE_DEVICE=sim go run ./examples/saxpy
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// The program carries its own source: built once, it compiles its kernel on
// machines that have neither Go nor this file.
//
//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Saxpy is the kernel: an ordinary function, which one thread runs for each
// element. The last block may have threads to spare, hence the if. An index
// out of range would panic, on the device as in Go.
func Saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

// Making a kernel compiles nothing yet: that happens at the first launch, for
// the device at hand. A kernel is made once and launched as often as you like.
var saxpy = kernel.New(Saxpy)

func run(w io.Writer, device string) error {
	const n = 100_003 // not a multiple of the block

	dev, err := launch.Open(device) // "" is the best one here
	if err != nil {
		return err
	}
	defer dev.Close()

	hostX, hostY := make([]float32, n), make([]float32, n)
	for i := range n {
		hostX[i], hostY[i] = float32(i), 1
	}
	x, err := launch.Upload(dev, hostX) // host memory is []T, device memory *launch.Buffer[T]
	if err != nil {
		return err
	}
	y, err := launch.Upload(dev, hostY)
	if err != nil {
		return err
	}

	// A launch returns at once. Arguments are checked against Saxpy's
	// parameters: the kernel sees the buffers as []float32.
	if err := saxpy.Launch(dev.Stream(), launch.Linear(n, 256), float32(2), x, y); err != nil {
		return err
	}
	// Download waits for the kernel, and tells if it failed.
	if err := y.Download(hostY); err != nil {
		return err
	}

	wrong := 0
	for i, v := range hostY {
		if v != 2*float32(i)+1 {
			wrong++
		}
	}
	fmt.Fprintf(w, "y[0] = %v, y[1] = %v, y[%d] = %v\n", hostY[0], hostY[1], n-1, hostY[n-1])
	fmt.Fprintf(w, "%d of %d are wrong\n", wrong, n)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
