// Command bench compares the code that heddle generates with nvcc's and
// hipcc's, on the same algorithms: each kernel of package kernels also stands in
// testdata/kernels.cuh.
//
//	bench -run DIR      time heddle's kernels on the GPU, and print them beside
//	                    the times that testdata/driver.cu left in DIR
//	bench -dump DIR -arch sm_90     write each kernel's IR and assembly
//	bench -resources gfx942,gfx1100 print registers and instructions
//	bench -count gfx942,gfx1100     execute some blocks on emulated processors, and count
//
// scripts/bench-cuda.sh does what is needed for the first. The binary carries
// the kernels' sources, so it runs where there is no Go.
package main

import (
	"flag"
	"fmt"
	"os"

	"heddle/kernel"
)

// A variant is how the kernels are compiled. cuda names the driver build that
// it is compared with.
type variant struct {
	name string
	cuda string
	opts kernel.Options
}

var variants = []variant{
	{"checked", "nvcc", kernel.Options{}},
	{"nobounds", "nvcc", kernel.Options{NoBounds: true}},
	{"fast", "nvcc-fast", kernel.Options{NoBounds: true, FastMath: true}},
}

func main() {
	dir := flag.String("run", "", "time the kernels, and compare with what the CUDA driver left in `folder`")
	device := flag.String("device", "cuda", "the `device` to run on")
	repetitions := flag.Int("n", 101, "how `often` each kernel is timed")
	only := flag.String("kernel", "", "this `name` alone")
	dumpTo := flag.String("dump", "", "write IR and assembly to `folder`")
	arch := flag.String("arch", "sm_90", "`architecture` for -dump")
	resources := flag.String("resources", "", "print what the kernels need on these `architectures`")
	counts := flag.String("count", "", "count the instructions that some blocks take on these `architectures`")
	flag.Parse()
	list := benchmarks
	if *only != "" {
		list = nil
		for _, b := range benchmarks {
			if b.name == *only {
				list = append(list, b)
			}
		}
	}
	var err error
	switch {
	case *dumpTo != "":
		err = dump(list, *dumpTo, *arch)
	case *counts != "":
		err = count(list, *counts)
	case *resources != "":
		err = printResources(list, *resources)
	case *dir != "":
		err = run(list, *device, *dir, *repetitions)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}
