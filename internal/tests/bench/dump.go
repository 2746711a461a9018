package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"heddle/kernel"
)

// dump writes the optimised IR and the assembly of every kernel and variant.
func dump(list []*benchmark, dir, arch string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, b := range list {
		for _, v := range variants {
			for stage, suffix := range map[kernel.Stage]string{kernel.IR: ".ll", kernel.Optimised: ".opt.ll", kernel.Asm: ".s"} {
				var text bytes.Buffer
				if err := kernel.NewWith(b.kernel, v.opts).Dump(&text, arch, 0, stage); err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(dir, b.name+"."+v.name+suffix), text.Bytes(), 0o666); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// printResources prints what each kernel needs on each architecture.
func printResources(list []*benchmark, archs string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tarch\tvariant\tVGPR\tSGPR\tshared\tscratch\tbytes\tinstructions\t")
	for arch := range strings.SplitSeq(archs, ",") {
		for _, b := range list {
			for _, v := range variants {
				k := kernel.NewWith(b.kernel, v.opts)
				o, err := k.Object(arch, 0)
				if err != nil {
					return err
				}
				var asm bytes.Buffer
				if err := k.Dump(&asm, arch, 0, kernel.Asm); err != nil {
					return err
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", b.name, arch, v.name,
					o.VGPR, o.SGPR, o.SharedMemory, o.Scratch, o.CodeBytes, instructions(asm.String(), o.Symbol))
			}
		}
	}
	return w.Flush()
}

// instructions counts those of a function in a listing: indented lines from its
// label on that are neither directives nor comments.
func instructions(asm, function string) int {
	n := 0
	in := false
	for line := range strings.Lines(asm) {
		switch {
		case strings.HasPrefix(line, function+":"):
			in = true
		case strings.HasPrefix(strings.TrimSpace(line), ".Lfunc_end"):
			in = false
		case in && strings.HasPrefix(line, "\t"):
			if c := strings.TrimSpace(line); c != "" && !strings.ContainsAny(c[:1], ".;") {
				n++
			}
		}
	}
	return n
}
