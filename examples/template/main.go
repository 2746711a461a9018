// Command template does what C++ templates are used for in GPU code: one
// kernel, written once, whose type arguments choose the element type and the
// operation. Each instance is compiled on its own; nothing is decided at run
// time.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"math"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// An Operator is an associative operation with its neutral element. The types
// that implement it hold nothing: only which type it is matters.
type Operator[T any] interface {
	Neutral() T
	Apply(a, b T) T
}

// Sum adds.
type Sum[T ~int32 | ~float32] struct{}

// Neutral is 0.
func (Sum[T]) Neutral() T { return 0 }

// Apply is a + b.
func (Sum[T]) Apply(a, b T) T { return a + b }

// Max takes the larger.
type Max struct{}

// Neutral is the least int32.
func (Max) Neutral() int32 { return math.MinInt32 }

// Apply is the larger of a and b.
func (Max) Apply(a, b int32) int32 { return max(a, b) }

// GCD takes the greatest common divisor.
type GCD struct{}

// Neutral is 0, which every number divides.
func (GCD) Neutral() uint64 { return 0 }

// Apply is Euclid's algorithm.
func (GCD) Apply(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

const threads = 128 // of a block

// Reduce combines all elements of in and stores the result in out[0]. It is
// for one block.
func Reduce[T any, Op Operator[T]](out, in []T) {
	var op Op
	part := dsl.Shared[[threads]T]()
	t := dsl.ThreadIdx().X

	v := op.Neutral()
	for i := t; i < len(in); i += threads {
		v = op.Apply(v, in[i])
	}
	part[t] = v
	for d := threads / 2; d > 0; d /= 2 {
		dsl.SyncThreads()
		if t < d {
			part[t] = op.Apply(part[t], part[t+d])
		}
	}
	if t == 0 {
		out[0] = part[0]
	}
}

// An instance is named as any Go instance is.
var maxInt = kernel.New(Reduce[int32, Max])

// reduce combines host on the device.
func reduce[T any](dev *launch.Device, k *kernel.Kernel, host []T) (result T, err error) {
	in, err := launch.Upload(dev, host)
	if err != nil {
		return result, err
	}
	defer in.Close()
	out, err := launch.Alloc[T](dev, 1)
	if err != nil {
		return result, err
	}
	defer out.Close()
	if err := k.Launch(dev.Stream(), launch.Config{Block: launch.Dim3{X: threads}}, out, in); err != nil {
		return result, err
	}
	got := make([]T, 1)
	err = out.Download(got)
	return got[0], err
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	ints, floats, longs := make([]int32, 1000), make([]float32, 1000), make([]uint64, 1000)
	for i := range ints {
		ints[i] = int32(i * 37 % 1000)
		floats[i] = float32(i) / 4
		longs[i] = uint64(i) * 84
	}

	sum, err := reduce(dev, kernel.New(Reduce[int32, Sum[int32]]), ints)
	if err != nil {
		return err
	}
	sumFloat, err := reduce(dev, kernel.New(Reduce[float32, Sum[float32]]), floats)
	if err != nil {
		return err
	}
	largest, err := reduce(dev, maxInt, ints)
	if err != nil {
		return err
	}
	gcd, err := reduce(dev, kernel.New(Reduce[uint64, GCD]), longs)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "sum of int32:  ", sum)
	fmt.Fprintln(w, "sum of float32:", sumFloat)
	fmt.Fprintln(w, "largest:       ", largest)
	fmt.Fprintln(w, "common divisor:", gcd)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
