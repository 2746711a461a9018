// Command bitextract takes a field of bits out of each of many words (HIP's sample of
// the same name): dsl.BitExtract is one instruction on AMD's and NVIDIA's GPUs.
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

const offset, width = 8, 4 // of the field

// Extract stores bits 8 to 11 of each word.
func Extract(fields, words []uint32) {
	// Each thread takes every GlobalSize-th word: any grid fits any length.
	for i := dsl.GlobalIdx().X; i < len(words); i += dsl.GlobalSize().X {
		fields[i] = dsl.BitExtract(words[i], offset, width)
	}
}

var extract = kernel.New(Extract)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]uint32, 10_000)
	for i := range host {
		host[i] = uint32(i) * 2654435761
	}
	words, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	fields, err := launch.Alloc[uint32](dev, len(host))
	if err != nil {
		return err
	}
	cfg := launch.Config{Grid: launch.Dim3{X: 8}, Block: launch.Dim3{X: 256}}
	if err := extract.Launch(dev.Stream(), cfg, fields, words); err != nil {
		return err
	}
	got := make([]uint32, len(host))
	if err := fields.Download(got); err != nil {
		return err
	}
	for i, word := range host {
		if want := word >> offset & (1<<width - 1); got[i] != want {
			return fmt.Errorf("of %#x it is %#x, want %#x", word, got[i], want)
		}
	}
	fmt.Fprintf(w, "%d fields, of %#08x it is %#x\n", len(got), host[3], got[3])
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
