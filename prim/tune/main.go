// Command tune looks for the fastest tuning of package prim on a device, and writes a table that prim.LoadTuning loads.
//
//	go run ./prim/tune -device cuda -o tuning.json
//
// For each entry of prim/tuning.json it begins at the present value, and goes on to whatever neighbour is faster: another number of
// threads a block, of items a thread, of blocks a compute unit, or, where one thread has a tile, of elements of the tile. A candidate that cannot be launched, or whose result is not that of
// plain Go, is left out. The table is written anew after each entry, so that what ends the program early loses one entry only. The
// binary needs no Go where it runs: CGO_ENABLED=0 go build ./prim/tune.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"heddle/launch"
	"heddle/prim"
)

func main() {
	var o options
	device := flag.String("device", "", "the `device`")
	flag.StringVar(&o.out, "o", "", "the `file` to write; without it, the table is printed")
	flag.StringVar(&o.only, "only", "", "entries whose name has this `text`: scan/4")
	flag.IntVar(&o.size, "size", 0, "the power of two of elements that is timed; 0 is 26 on GPUs, 20 on cpu, 12 elsewhere")
	flag.DurationVar(&o.time, "time", 20*time.Minute, "how long to look, in all")
	flag.Float64Var(&o.gain, "gain", 0.02, "by which part of its time an entry must become faster to be changed")
	flag.StringVar(&o.family, "family", "", "the family of the table that is written; of sm_90 it is sm_9, of gfx942 gfx9")
	from := flag.String("from", "", "a table to begin with, a `file`")
	flag.Parse()
	if err := run(*device, *from, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	out, only, family string
	size              int
	time              time.Duration
	gain              float64
}

func run(device, from string, o options, log io.Writer) error {
	if from != "" {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := prim.LoadTuning(f); err != nil {
			return err
		}
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	if o.family == "" {
		o.family = familyOf(dev)
	}
	if o.size == 0 {
		o.size = usualSize(dev.Name())
	}
	table, err := search(dev, o, log)
	if err == nil && len(table[o.family]) == 0 {
		return fmt.Errorf("no entry that -only %q names was tuned", o.only)
	}
	if o.out == "" {
		fmt.Fprintf(log, "%s", text(table))
	}
	return err
}

// familyOf is the family that a device's entries are written for: the one that the present table has for the device, if any, so that
// they replace its own.
func familyOf(dev *launch.Device) string {
	if family, _ := prim.TuningOf(dev, "", 0); family != "" {
		return family
	}
	arch := dev.Info().Arch
	switch {
	case strings.HasPrefix(arch, "sm_"): // sm_90
		return arch[:len(arch)-1]
	case strings.HasPrefix(arch, "gfx"): // gfx942, gfx1100
		return arch[:len(arch)-2]
	}
	kind, _, _ := strings.Cut(dev.Name(), ":")
	return kind
}

// usualSize is the power of two of elements that a device is tuned with.
func usualSize(device string) int {
	kind, _, _ := strings.Cut(device, ":")
	switch kind {
	case "cuda", "hip":
		return 26
	case "cpu":
		return 20
	}
	return 12
}

// text is a table as in prim/tuning.json.
func text(t prim.Table) []byte {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		panic("tune: a table that is no JSON: " + err.Error())
	}
	return append(b, '\n')
}

// write replaces a file at once.
func write(name string, t prim.Table) error {
	if name == "" {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".tune-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text(t))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
