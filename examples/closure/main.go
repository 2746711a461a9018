// Command closure makes kernels of function literals. What a literal captures
// becomes hidden arguments of the kernel, read at each launch as Go would read
// them; what it captures of functions is compiled into it.
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

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// Map is a kernel that replaces each element x by f(x). Every f gives a kernel
// of its own, with f's code in it: there is no call through a pointer.
func Map(f func(x int32) int32) *kernel.Kernel {
	return kernel.New(func(v []int32) {
		if i := dsl.GlobalIdx().X; i < len(v) {
			v[i] = f(v[i])
		}
	})
}

// apply runs a kernel of one slice on 0, 1, ..., 7.
func apply(dev *launch.Device, k *kernel.Kernel) ([]int32, error) {
	host := []int32{0, 1, 2, 3, 4, 5, 6, 7}
	v, err := launch.Upload(dev, host)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if err := k.Launch(dev.Stream(), launch.Linear(len(host), 64), v); err != nil {
		return nil, err
	}
	return host, v.Download(host)
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	// factor and offsets are captured. The kernel reads what they hold at the
	// launch; it cannot change them.
	factor, offsets := int32(10), [2]int32{100, 200}
	scale := kernel.New(func(v []int32) {
		if i := dsl.GlobalIdx().X; i < len(v) {
			v[i] = v[i]*factor + offsets[i%2]
		}
	})
	out, err := apply(dev, scale)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "times 10:", out)

	factor = -1 // nothing is compiled again
	if out, err = apply(dev, scale); err != nil {
		return err
	}
	fmt.Fprintln(w, "times -1:", out)

	// Functions are values: a captured one is as good as one called by name.
	square := func(x int32) int32 { return x * x }
	if out, err = apply(dev, Map(square)); err != nil {
		return err
	}
	fmt.Fprintln(w, "squares: ", out)

	modulus := int32(3)
	if out, err = apply(dev, Map(func(x int32) int32 { return x % modulus })); err != nil {
		return err
	}
	fmt.Fprintln(w, "modulo 3:", out)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
