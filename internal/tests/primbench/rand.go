package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"heddle/internal/tests/primcases"
	"heddle/launch"
	"heddle/prim/rand"
)

// A fillCase is a fill of 2^exponent elements that is timed. curand.cu has the same names.
type fillCase struct {
	name string
	time func(dev *launch.Device, exponent int) (time.Duration, error)
}

// fillsOf are the fills by one generator, which begin returns a fresh one of.
func fillsOf[S any, P rand.Engine[S]](name string, begin func() S) []fillCase {
	return []fillCase{
		{name + "-u32", func(dev *launch.Device, e int) (time.Duration, error) {
			g := begin()
			return filled(dev, e, func(out *launch.Buffer[uint32]) error { return rand.Bits(dev.Stream(), out, P(&g)) })
		}},
		{name + "-uniform", func(dev *launch.Device, e int) (time.Duration, error) {
			g := begin()
			return filled(dev, e, func(out *launch.Buffer[float32]) error { return rand.Uniform(dev.Stream(), out, P(&g)) })
		}},
		{name + "-normal", func(dev *launch.Device, e int) (time.Duration, error) {
			g := begin()
			return filled(dev, e, func(out *launch.Buffer[float32]) error { return rand.Normal(dev.Stream(), out, P(&g), 0, 1) })
		}},
	}
}

// sobolFills are the fills with points of one dimension.
func sobolFills() []fillCase {
	return []fillCase{
		{"sobol-u32", func(dev *launch.Device, e int) (time.Duration, error) {
			return pointsFilled(dev, e, func(out *launch.Buffer[uint32], v *launch.Buffer[uint32]) error {
				return rand.SobolBits(dev.Stream(), out, v, 0)
			})
		}},
		{"sobol-uniform", func(dev *launch.Device, e int) (time.Duration, error) {
			return pointsFilled(dev, e, func(out *launch.Buffer[float32], v *launch.Buffer[uint32]) error {
				return rand.SobolUniform(dev.Stream(), out, v, 0)
			})
		}},
		{"sobol-normal", func(dev *launch.Device, e int) (time.Duration, error) {
			return pointsFilled(dev, e, func(out *launch.Buffer[float32], v *launch.Buffer[uint32]) error {
				return rand.SobolNormal(dev.Stream(), out, v, 0, 0, 1)
			})
		}},
	}
}

func pointsFilled[T any](dev *launch.Device, exponent int, f func(out *launch.Buffer[T], directions *launch.Buffer[uint32]) error) (time.Duration, error) {
	v, err := rand.NewDirections[uint32](dev, 1, rand.DirectionOptions{})
	if err != nil {
		return 0, err
	}
	defer v.Close()
	return filled(dev, exponent, func(out *launch.Buffer[T]) error { return f(out, v) })
}

func filled[T any](dev *launch.Device, exponent int, f func(out *launch.Buffer[T]) error) (time.Duration, error) {
	out, err := launch.Alloc[T](dev, 1<<exponent)
	if err != nil {
		return 0, err
	}
	defer out.Close()
	return primcases.Median(dev, primcases.Repetitions(exponent), func() error { return f(out) })
}

const seed = 42

func fillCases() (all []fillCase) {
	all = append(all, fillsOf("philox", func() rand.Philox { return rand.NewPhilox(seed, 0, 0) })...)
	all = append(all, fillsOf("xorwow", func() rand.XORWOW { return rand.NewXORWOW(seed, 0, 0) })...)
	all = append(all, fillsOf("mrg32k3a", func() rand.MRG32k3a { return rand.NewMRG32k3a(seed, 0, 0) })...)
	return append(all, sobolFills()...)
}

// runRand times the fills beside what curand.cu has printed.
func runRand(device, curand, only string, most int) error {
	theirs, err := readTimes(curand)
	if err != nil {
		return err
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	fmt.Printf("%s: %s. A ratio is cuRAND's time over rand's: above 1 rand is faster.\n", dev.Name(), dev.Info().Product)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "fill\tn\tus\tGB/s\tcuRAND us\tratio\t")
	for _, c := range fillCases() {
		for _, e := range exponents {
			if !strings.Contains(c.name, only) || e > min(most, 28) {
				continue
			}
			took, err := c.time(dev, e)
			if err != nil {
				return fmt.Errorf("%s of 2^%d: %w", c.name, e, err)
			}
			us := micros(took)
			other, ratio := theirs.beside(c.name, e, us)
			fmt.Fprintf(w, "%s\t2^%d\t%.1f\t%.0f\t%s\t%s\t\n", c.name, e, us, 4*math.Exp2(float64(e))/us/1e3, other, ratio)
		}
	}
	return w.Flush()
}
