// Command fft finds the frequencies in a signal by Stockham's fast Fourier transform: log2(n) launches, each
// of n/2 butterflies, that read one buffer and write the other, so that nothing has to be brought into
// another order.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"math"
	"math/cmplx"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const n = 1024

// Step does the butterflies of one stage: groups is n/2, n/4, ... 1.
func Step(out, in []complex64, groups int) {
	i := dsl.GlobalIdx().X
	if i >= n/2 {
		return
	}
	half := n / 2 / groups // how far the transforms of this stage have come
	j, k := i/groups, i%groups
	a, b := in[k+j*2*groups], in[k+j*2*groups+groups]
	sin, cos := dsl.Sincos(-math.Pi * float32(j) / float32(half))
	b *= complex(cos, sin)
	out[k+j*groups], out[k+j*groups+n/2] = a+b, a-b
}

var step = kernel.New(Step)

// transform queues the transform of a, with b for room, and returns the one that has the result.
func transform(s *launch.Stream, a, b *launch.Buffer[complex64]) (*launch.Buffer[complex64], error) {
	for groups := n / 2; groups > 0; groups /= 2 {
		if err := step.Launch(s, launch.Linear(n/2, 128), b, a, groups); err != nil {
			return nil, err
		}
		a, b = b, a
	}
	return a, nil
}

// direct is the definition, for one frequency.
func direct(signal []complex64, f int) complex128 {
	sum := complex128(0)
	for i, x := range signal {
		sum += complex128(x) * cmplx.Exp(complex(0, -2*math.Pi*float64(i*f%n)/n))
	}
	return sum
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	signal := make([]complex64, n)
	for i := range signal {
		t := float64(i) / n * 2 * math.Pi
		signal[i] = complex(float32(math.Sin(50*t)+0.5*math.Cos(120*t)+0.25), 0)
	}
	a, err := launch.Upload(dev, signal)
	if err != nil {
		return err
	}
	b, err := launch.Alloc[complex64](dev, n)
	if err != nil {
		return err
	}
	result, err := transform(dev.Stream(), a, b)
	if err != nil {
		return err
	}
	got := make([]complex64, n)
	if err := result.Download(got); err != nil {
		return err
	}
	for f := range n / 2 {
		if f%16 == 0 || f == 50 {
			if want := direct(signal, f); cmplx.Abs(complex128(got[f])-want) > 1e-2 {
				return fmt.Errorf("frequency %d has %v, want %v", f, got[f], want)
			}
		}
		if strength := cmplx.Abs(complex128(got[f])) / n; strength > 0.01 {
			fmt.Fprintf(w, "frequency %3d: %.3f\n", f, strength)
		}
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
