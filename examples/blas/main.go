// Command blas calls a vendor's library between two kernels of its own: cuBLAS on NVIDIA's
// GPUs, rocBLAS on AMD's. The library gets the stream's handle and the buffers' addresses, so
// that all three pieces of work are queued one behind the other and nothing waits or is copied.
// No cgo is involved: package purego calls the library's functions.
//
// A device without such a library (cpu, sim, emu) multiplies by a kernel, and says so.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const m, n, k = 48, 32, 40 // the product of m x k and k x n

// Fill makes the two factors: small whole numbers, so that all sums are exact.
func Fill(a, b []float32) {
	i := dsl.GlobalIdx().X
	if i < len(a) {
		a[i] = float32(i*7%11) - 5
	}
	if i < len(b) {
		b[i] = float32(i*5%13) - 6
	}
}

// Relu makes numbers below 0 zero, after adding bias.
func Relu(c []float32, bias float32) {
	if i := dsl.GlobalIdx().X; i < len(c) {
		c[i] = max(c[i]+bias, 0)
	}
}

// Multiply is c = a b: what takes the library's place where there is none.
func Multiply(c, a, b []float32) {
	p := dsl.GlobalIdx()
	if p.X >= n || p.Y >= m {
		return
	}
	sum := float32(0)
	for i := range k {
		sum += a[p.Y*k+i] * b[i*n+p.X]
	}
	c[p.Y*n+p.X] = sum
}

var (
	fill     = kernel.New(Fill)
	relu     = kernel.New(Relu)
	multiply = kernel.New(Multiply)
)

// product queues c = a b, by the library of the device if there is one, and says by what.
func product(s *launch.Stream, c, a, b *launch.Buffer[float32]) (by string, err error) {
	lib, err := open(s.Device())
	if err != nil {
		by = fmt.Sprintf("a kernel of our own (%v)", err)
		return by, multiply.Launch(s, launch.Grid2D(n, m, 16, 8), c, a, b)
	}
	defer func() { err = errors.Join(err, s.Sync(), lib.close()) }()
	// The library counts by columns, Go by rows: of the transposes, c is b a.
	return lib.name, s.Foreign(func(stream uintptr) error {
		return lib.sgemm(stream, n, m, k, b.Pointer(), a.Pointer(), c.Pointer())
	}, a, b, c)
}

// compute returns the product after Relu.
func compute(dev *launch.Device) (got []float32, by string, err error) {
	var a, b, c *launch.Buffer[float32]
	for _, x := range []struct {
		to  **launch.Buffer[float32]
		len int
	}{{&a, m * k}, {&b, k * n}, {&c, m * n}} {
		if *x.to, err = launch.Alloc[float32](dev, x.len); err != nil {
			return nil, "", err
		}
	}
	s, err := dev.NewStream()
	if err != nil {
		return nil, "", err
	}
	if err := fill.Launch(s, launch.Linear(max(m*k, k*n), 256), a, b); err != nil {
		return nil, "", err
	}
	if by, err = product(s, c, a, b); err != nil {
		return nil, by, err
	}
	if err := relu.Launch(s, launch.Linear(m*n, 256), c, float32(3)); err != nil {
		return nil, by, err
	}
	got = make([]float32, m*n)
	return got, by, c.Download(got) // waits for all three
}

// check compares with the host's own product.
func check(got []float32) error {
	for y := range m {
		for x := range n {
			want := float32(3)
			for i := range k {
				want += (float32((y*k+i)*7%11) - 5) * (float32((i*n+x)*5%13) - 6)
			}
			if want = max(want, 0); got[y*n+x] != want {
				return fmt.Errorf("row %d, column %d is %v, want %v", y, x, got[y*n+x], want)
			}
		}
	}
	return nil
}

// note is told what multiplied.
var note io.Writer = os.Stderr

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	got, by, err := compute(dev)
	if err != nil {
		return err
	}
	fmt.Fprintf(note, "%s multiplies by %s\n", dev.Name(), by)
	if err := check(got); err != nil {
		return err
	}
	sum := float32(0)
	for _, v := range got {
		sum += v
	}
	fmt.Fprintf(w, "%d x %d numbers, their sum is %v\n", m, n, sum)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
