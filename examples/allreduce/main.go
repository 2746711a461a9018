// Command allreduce trains a small model on several devices. Each device has a part of the samples, and
// computes its part of the gradient by a kernel; package ccl averages the gradients, and a kernel
// makes the step. The result is that of one device.
//
// On a machine without GPUs the ranks are devices on the host.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"strings"

	"heddle/ccl"
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	samples = 480 // of all ranks
	steps   = 60
	rate    = 0.5
)

// A Sample is two inputs and what belongs to them.
type Sample struct{ A, B, Y float32 }

// Gradient stores the gradient of the mean square error by each of three weights, and the error
// itself: one thread for each.
func Gradient(out, weights []float32, data []Sample) {
	j := dsl.GlobalIdx().X
	if j >= len(out) {
		return
	}
	sum := float32(0)
	for _, s := range data {
		off := weights[0] + weights[1]*s.A + weights[2]*s.B - s.Y
		switch j {
		case 0:
			sum += off
		case 1:
			sum += off * s.A
		case 2:
			sum += off * s.B
		default:
			sum += off * off
		}
	}
	out[j] = sum / float32(len(data))
}

// Step changes the weights against the gradient.
func Step(weights, gradient []float32) {
	if j := dsl.GlobalIdx().X; j < len(weights) {
		weights[j] -= rate * gradient[j]
	}
}

var (
	gradient = kernel.New(Gradient)
	step     = kernel.New(Step)
)

// generate makes the samples: y = 2 - a + b/2, and some noise.
func generate() []Sample {
	all := make([]Sample, samples)
	for i := range all {
		a, b := float32(i*37%101)/50-1, float32(i*53%97)/48-1
		all[i] = Sample{a, b, 2 - a + b/2 + float32(i*29%11-5)/50}
	}
	return all
}

// open opens n devices of the kind of a device; of GPUs as many as there are, at most n.
func open(device string, n int) (devs []*launch.Device, err error) {
	first, err := launch.Open(device)
	if err != nil {
		return nil, err
	}
	devs = append(devs, first)
	kind, _, _ := strings.Cut(first.Name(), ":")
	for i := 1; i < n; i++ {
		name := first.Name()
		if kind == "cuda" || kind == "hip" {
			name = fmt.Sprintf("%s:%d", kind, i)
		}
		d, err := launch.Open(name)
		if err != nil {
			break // no more GPUs
		}
		devs = append(devs, d)
	}
	return devs, nil
}

// train trains on n devices, and returns the weights and the error that the first one has.
func train(device string, n int) (result []float32, err error) {
	devs, err := open(device, n)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, d := range devs {
			err = errors.Join(err, d.Close())
		}
	}()
	comms, err := ccl.All(context.Background(), devs...)
	if err != nil {
		return nil, err
	}
	results, failed := make([][]float32, len(comms)), make([]error, len(comms))
	done := make(chan bool)
	for i, c := range comms {
		go func() {
			results[i], failed[i] = rank(c)
			if failed[i] != nil {
				c.Abort() // the others wait for it
			}
			done <- true
		}()
	}
	for range comms {
		<-done
	}
	for _, c := range comms {
		err = errors.Join(err, c.Close())
	}
	return results[0], errors.Join(err, errors.Join(failed...))
}

// rank does a rank's part.
func rank(c *ccl.Comm) ([]float32, error) {
	dev, part := c.Device(), samples/c.Size()
	data, err1 := launch.Upload(dev, generate()[c.Rank()*part:][:part])
	weights, err2 := launch.Alloc[float32](dev, 3)
	grad, err3 := launch.Alloc[float32](dev, 4)
	s, err4 := dev.NewStream()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	for range steps {
		if err := errors.Join(
			gradient.Launch(s, launch.Linear(4, 32), grad, weights, data),
			ccl.AllReduce(c, s, ccl.Avg, grad, grad),
			step.Launch(s, launch.Linear(3, 32), weights, grad),
		); err != nil {
			return nil, err
		}
	}
	w, g := make([]float32, 3), make([]float32, 4)
	err := errors.Join(weights.Download(w), grad.Download(g))
	return append(w, g[3]), err
}

func run(w io.Writer, device string) error {
	one, err := train(device, 1)
	if err != nil {
		return err
	}
	for _, n := range []int{2, 4} {
		got, err := train(device, n)
		if err != nil {
			return fmt.Errorf("%d ranks: %w", n, err)
		}
		for i := range got {
			if math.Abs(float64(got[i]-one[i])) > 1e-5 {
				return fmt.Errorf("%d ranks: %v, one rank: %v", n, got, one)
			}
		}
	}
	fmt.Fprintf(w, "y = %.2f %+.2f a %+.2f b, mean square error %.4f\n", one[0], one[1], one[2], one[3])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
