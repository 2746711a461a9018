package run

import (
	"fmt"
	"os"

	"heddle/launch"
)

// Main is the main function of a generated program: it checks all kernels on
// the devices that its arguments name; without any on the simulator and, where
// there is libLLVM, on the cpu device. It prints "FAIL ..." and "REFUSED ..."
// lines and a summary, and exits with 1 if a kernel failed.
func Main(seed uint64, kernels func(*Checker)) {
	var devices []*launch.Device
	names := os.Args[1:]
	if len(names) == 0 {
		names = []string{"sim", "cpu"}
	}
	for _, name := range names {
		if dev, err := launch.Open(name); err == nil {
			devices = append(devices, dev)
		} else {
			fmt.Println(err)
		}
	}
	c := NewChecker(seed, devices...)
	kernels(c)
	for _, f := range c.Refused {
		fmt.Println("REFUSED", f)
	}
	for _, f := range c.Failed {
		fmt.Println("FAIL", f)
	}
	fmt.Printf("%d kernels, %d launches, %d refused, %d failed\n", c.Kernels, c.Launches, len(c.Refused), len(c.Failed))
	if len(c.Failed) > 0 {
		os.Exit(1)
	}
}
