// Command inlineasm has an instruction of the GPU in a kernel: a choice of bits, which both vendors'
// GPUs do in one step, by different instructions. dsl.Arch is a constant where the kernel is
// compiled, so what is for another machine is not even looked at.
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

// Choose takes from a the bits that are 1 in mask, and from b the others.
func Choose(r, mask, a, b []uint32) {
	i := dsl.GlobalIdx().X
	if i >= len(r) {
		return
	}
	switch {
	case dsl.Arch().IsAMD():
		r[i] = dsl.Asm[uint32]("v_bfi_b32 %0, %1, %2, %3", "=v,v,v,v", mask[i], a[i], b[i])
	case dsl.Arch().IsNVIDIA(): // 0xca is the table of the three bits
		r[i] = dsl.Asm[uint32]("lop3.b32 %0, %1, %2, %3, 0xca;", "=r,r,r,r", mask[i], a[i], b[i])
	default: // the processor's compiler and the simulator
		r[i] = a[i]&mask[i] | b[i]&^mask[i]
	}
}

var choose = kernel.New(Choose)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	const n = 1000
	var host [3][]uint32
	var in [3]*launch.Buffer[uint32]
	for i := range host {
		host[i] = make([]uint32, n)
		for j := range host[i] {
			host[i][j] = uint32(j+1) * []uint32{2654435761, 40503, 2246822519}[i]
		}
		if in[i], err = launch.Upload(dev, host[i]); err != nil {
			return err
		}
	}
	r, err := launch.Alloc[uint32](dev, n)
	if err != nil {
		return err
	}
	if err := choose.Launch(dev.Stream(), launch.Linear(n, 128), r, in[0], in[1], in[2]); err != nil {
		return err
	}
	got := make([]uint32, n)
	if err := r.Download(got); err != nil {
		return err
	}
	for i, v := range got {
		if want := host[1][i]&host[0][i] | host[2][i]&^host[0][i]; v != want {
			return fmt.Errorf("element %d is %#x, want %#x", i, v, want)
		}
	}
	fmt.Fprintf(w, "%d choices, the last %#x\n", n, got[n-1])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
