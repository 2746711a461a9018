// Command devicequery prints what a device says of itself (HIP's and CUDA's deviceQuery). All
// of it is a struct, launch.Properties; "heddle devices -v" prints every field.
package main

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu" // emulated GPUs, too
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// What a kernel asks is a constant where it is compiled.
func lanes(warp []int32) { warp[0] = int32(dsl.WarpSize()) }

var ask = kernel.New(lanes)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	p, err := dev.Properties()
	if err != nil {
		return err
	}
	yes := map[bool]string{true: "yes", false: "no"}
	fmt.Fprintf(w, "%s: %s, %s\n", p.Name, p.Product, p.FullArch)
	for _, row := range []struct {
		what  string
		value any
	}{
		{"driver", p.Driver},
		{"memory", fmt.Sprintf("%d MiB, %d bits wide", p.Memory>>20, p.Mem.BusWidth)},
		{"second level cache", fmt.Sprintf("%d KiB", p.Mem.L2>>10)},
		{"units", p.ComputeUnits},
		{"threads of a warp, of a block, of a unit", fmt.Sprint(p.WarpSize, ", ", p.MaxThreads, ", ", p.Work.MaxThreadsPerUnit)},
		{"registers of a unit", p.Work.RegistersPerUnit},
		{"shared memory of a block", fmt.Sprintf("%d KiB", p.SharedPerBlock>>10)},
		{"largest grid", p.MaxGrid},
		{"kernels at once", yes[p.Work.ConcurrentKernels]},
		{"cooperative launches", yes[p.Work.CooperativeLaunch]},
		{"managed memory", yes[p.Mem.Managed]},
		{"textures", yes[p.Images.Support]},
		{"address on the bus", cmp.Or(p.PCI, "none")},
	} {
		fmt.Fprintf(w, "  %-42s %v\n", row.what, row.value)
	}
	warp, err := launch.Alloc[int32](dev, 1)
	if err != nil {
		return err
	}
	if err := ask.Launch(dev.Stream(), launch.Config{Block: launch.Dim3{X: 1}}, warp); err != nil {
		return err
	}
	got := make([]int32, 1)
	if err := warp.Download(got); err != nil {
		return err
	}
	if int(got[0]) != p.WarpSize {
		return fmt.Errorf("a kernel finds warps of %d, the host of %d", got[0], p.WarpSize)
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
