// Package ranks runs an example on the ranks of several devices: on those of this process, or as the one rank of
// a process that torchrun, Slurm or mpirun has started.
package ranks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"heddle/ccl"
	"heddle/launch"
)

// open opens up to n devices of the kind of a device: of GPUs no more than there are.
func open(device string, n int) ([]*launch.Device, error) {
	first, err := launch.Open(device)
	if err != nil {
		return nil, err
	}
	kind, _, _ := strings.Cut(first.Name(), ":")
	if kind != "cuda" && kind != "hip" {
		more, err := launch.OpenAll(strings.Repeat(","+first.Name(), n)[1:])
		return more, errors.Join(err, first.Close())
	}
	devs, err := launch.OpenAll(kind)
	if err == nil {
		err = first.Close()
	}
	for i := n; i < len(devs); i++ {
		err = errors.Join(err, devs[i].Close())
	}
	return devs[:min(n, len(devs))], err
}

// count is how many of n ranks there can be.
func count(device string, n int) (int, error) {
	devs, err := open(device, n)
	for _, d := range devs {
		err = errors.Join(err, d.Close())
	}
	return len(devs), err
}

// Run calls f for n ranks at once, fewer where there are fewer GPUs, or for the one of this process.
func Run(device string, n int, f func(c *ccl.Comm) error) (err error) {
	if p, err := ccl.Environment(); err == nil {
		return alone(p, device, f)
	}
	devs, err := open(device, n)
	if err != nil {
		return err
	}
	defer func() {
		for _, d := range devs {
			err = errors.Join(err, d.Close())
		}
	}()
	comms, err := ccl.All(context.Background(), devs...)
	if err != nil {
		return err
	}
	failed := make([]error, len(comms))
	var wait sync.WaitGroup
	for i, c := range comms {
		wait.Go(func() {
			if failed[i] = f(c); failed[i] != nil {
				c.Abort() // the others wait for it
			}
		})
	}
	wait.Wait()
	for _, c := range comms {
		failed = append(failed, c.Close())
	}
	return errors.Join(failed...)
}

// alone is Run in a process that has one rank.
func alone(p ccl.Place, device string, f func(c *ccl.Comm) error) error {
	if device == "cuda" || device == "hip" {
		device = fmt.Sprintf("%s:%d", device, p.Local)
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	c, err := p.Join(context.Background(), dev)
	if err != nil {
		return err
	}
	if err = f(c); err != nil {
		c.Abort()
	}
	return errors.Join(err, c.Close(), dev.Close())
}

// Scaling prints how the time of a step changes with the ranks: 1, 2, 4 and so on up to most. Of strong scaling the whole work
// stays, of weak scaling that of a rank. Measure returns the seconds of a step of ranks that have work units of work in all; what
// is what a unit is.
func Scaling(w io.Writer, device string, most, work int, what string, measure func(ranks, work int) (float64, error)) error {
	if _, err := ccl.Environment(); err == nil {
		return errors.New("scaling is measured in one process: start it without a launcher")
	}
	most, err := count(device, most)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "ranks  strong: %s    us/step  efficiency    weak: %s    us/step  efficiency\n", what, what)
	var one float64
	for n := 1; n <= most; n *= 2 {
		strong, err := measure(n, work)
		if err != nil {
			return err
		}
		weak := strong
		if n > 1 {
			if weak, err = measure(n, work*n); err != nil {
				return err
			}
		} else {
			one = strong
		}
		width := len(what)
		fmt.Fprintf(w, "%5d  %*d  %9.1f  %10.3f    %*d  %9.1f  %10.3f\n", n, width+8, work, strong*1e6, one/strong/float64(n), width+6, work*n, weak*1e6, one/weak)
	}
	return nil
}
