package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/target"
	"heddle/kernel"
)

// dump writes one stage of a kernel that is named on the command line. It
// needs the go command and the kernel's source; from the stage opt on also
// libLLVM. It needs no GPU, and runs nothing of the package.
func dump(c *call) error {
	arch := c.flags.String("arch", "", "architecture `name`: gfx942, gfx1100, sm_90, x86-64-v3, aarch64, ...")
	warp := c.flags.Int("warp", 0, "warp `size`, 32 or 64; 0 is the architecture's own")
	stage := c.flags.String("stage", string(kernel.Asm), "what to show, `one` of "+stageNames())
	out := c.flags.String("o", "", "write to this `file`")
	var opts kernel.Options
	c.flags.BoolVar(&opts.NoBounds, "nobounds", false, "without checks of indices, nil and division by zero")
	c.flags.BoolVar(&opts.FastMath, "fastmath", false, "with fast floating-point arithmetic")
	names, err := c.parse(1)
	if err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return usagef("which kernel? name a package and a function, as ./saxpy.Saxpy or example.com/m/pkg.Reduce[float32]")
	case !slices.Contains(kernel.Stages, kernel.Stage(*stage)):
		return usagef("unknown stage %q: want one of %s", *stage, stageNames())
	case *arch == "":
		return usagef("for which architecture? -arch gfx942, say")
	}
	m, err := target.For(*arch, *warp)
	if err != nil {
		return usageError{err}
	}
	if s := kernel.Stage(*stage); (s == kernel.Scalar || s == kernel.Vector) && m.Kind != abi.Native {
		return usagef("%s has no stage %s: only processors of hosts, x86-64-v3 say, have one", *arch, s)
	}
	if err := canCompile(m, kernel.Stage(*stage)); err != nil {
		return missingError{err}
	}
	k, err := kernel.Declared("", names[0], opts)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := k.Dump(&text, *arch, *warp, kernel.Stage(*stage)); err != nil {
		if _, noLLVM := llvm.Open(); noLLVM != nil {
			return missingError{err}
		}
		return err
	}
	if *out != "" {
		return os.WriteFile(*out, text.Bytes(), 0o666)
	}
	_, err = c.stdout.Write(text.Bytes())
	return err
}

func stageNames() string {
	var names []string
	for _, s := range kernel.Stages {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// canCompile says what this machine lacks to take a kernel to a stage.
func canCompile(m *target.Machine, stage kernel.Stage) error {
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("the kernel's package is found with the go command, which is not in PATH: %s", mendGo)
	}
	if stage == kernel.SSA || stage == kernel.IR {
		return nil
	}
	name, _, err := codegen.Backend(m.Kind)
	if err != nil || name != codegen.LLVM || m.Kind == abi.PTX {
		return err
	}
	return codegen.Supports(m.Triple, m.CPU)
}
