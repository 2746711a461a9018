package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"heddle/kernel"
)

// arch is the GPU that the report compiles for; it need not be here.
const arch = "gfx942"

// report shows the machine code and the time each step to it takes: for the
// first time, and then in a new process, which finds it on disk.
func report(w io.Writer, k *kernel.Kernel) error {
	var asm bytes.Buffer
	if err := k.Dump(&asm, arch, 0, kernel.Asm); err != nil {
		fmt.Fprintf(w, "\nNo code for %s can be made here, so there is none to show; the launches above needed none of it. %v\n", arch, err)
		return nil
	}
	lines := hotLoop(asm.String())
	fmt.Fprintf(w, "\nThe closure's loop, compiled for %s (%d lines):\n", arch, len(lines))
	for _, l := range lines[:min(30, len(lines))] {
		fmt.Fprintln(w, l)
	}

	// Two processes with an empty cache between them.
	dir, err := os.MkdirTemp("", "heddle-quickstart-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, title := range []string{"From the closure to machine code, for the first time:", "In the next process, from the disk cache:"} {
		fmt.Fprintf(w, "\n%s\n", title)
		cmd := exec.Command(self, "-again")
		cmd.Env = append(os.Environ(), "HEDDLE_CACHE="+dir)
		cmd.Stdout, cmd.Stderr = w, os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// timings takes the kernel to its machine code and prints how long each step took.
func timings(w io.Writer, k *kernel.Kernel) error {
	start := time.Now()
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"find the source, check it, build SSA", k.Check},
		{"translate to LLVM IR", func() error { return k.Dump(io.Discard, arch, 0, kernel.IR) }},
		{"compile and link for " + arch, func() error { _, err := k.Object(arch, 0); return err }},
	} {
		begin := time.Now()
		if err := step.do(); err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-38s %8v\n", step.what, round(time.Since(begin)))
	}
	fmt.Fprintf(w, "  %-38s %8v\n", "all of it", round(time.Since(start)))
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// hotLoop cuts the innermost loop out of a kernel's assembly: from a label to
// the first jump back to it. Without a loop it is all the instructions.
func hotLoop(asm string) []string {
	var lines []string
	for line := range strings.Lines(asm) {
		line, _, _ = strings.Cut(line, ";") // a comment
		line = strings.TrimRight(line, " \t\n")
		switch text := strings.TrimSpace(line); {
		case text == "", strings.HasPrefix(text, ".") && !strings.HasPrefix(text, ".LBB"):
			// directives, and labels of debug information
		default:
			lines = append(lines, line)
		}
	}
	for end, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "s_cbranch") && fields[0] != "s_branch" {
			continue
		}
		if start := slices.Index(lines[:end], fields[1]+":"); start >= 0 {
			return lines[start : end+1]
		}
	}
	return lines
}
