// Command bench compares the code that heddle generates with nvcc's and with clang's for HIP,
// on the same algorithms: each kernel of package kernels also stands in testdata, in a file
// for each class. What those compilers make of it, the twin, is loaded by heddle's own
// drivers, gets the same buffers, and is checked and timed alike.
//
//	bench -run DIR      time heddle's kernels on the GPU beside the cubins in DIR
//	bench -amd DIR -arch gfx942,gfx1100     count instructions, static and on emulated
//	                    processors, beside the code objects and assembly in DIR
//	bench -dump DIR -arch sm_90     write each kernel's IR and assembly
//	bench -resources gfx942,gfx1100 print registers and instructions
//
// scripts/bench-cuda.sh and scripts/bench-amd.sh do what is needed for the first two. The
// binary carries the kernels' sources, so it runs where there is no Go.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"heddle/kernel"
)

// A variant is how the kernels are compiled. cuda names the folder of the twins that
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
	dir := flag.String("run", "", "time the kernels, beside the cubins in `folder`")
	device := flag.String("device", "cuda", "the `device` to run on")
	repetitions := flag.Int("n", 101, "how `often` each kernel is timed")
	only := flag.String("kernel", "", "these `names` alone, with commas between them")
	dumpTo := flag.String("dump", "", "write IR and assembly to `folder`")
	amd := flag.String("amd", "", "count instructions, beside the code objects in `folder`")
	arch := flag.String("arch", "sm_90", "`architecture` for -dump, several for -amd")
	resources := flag.String("resources", "", "print what the kernels need on these `architectures`")
	flag.Parse()
	size := full
	if *dir == "" {
		size = small
	}
	list := benchmarks(size)
	if *only != "" {
		names := strings.Split(*only, ",")
		list = slices.DeleteFunc(list, func(b *benchmark) bool { return !slices.Contains(names, b.name) })
	}
	var err error
	switch {
	case *dumpTo != "":
		err = dump(list, *dumpTo, *arch)
	case *amd != "":
		err = compare(list, *amd, *arch)
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
