package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/ahead"
	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/program"
	"heddle/internal/target"
)

// dump writes one stage of a kernel that is named on the command line. It
// needs the go command and the kernel's source; from the stage opt on also
// libLLVM. It needs no GPU, and runs nothing of the package but, for the stage
// trace and if asked for res, the kernel on the emulator.
func dump(c *call) error {
	arch := c.flags.String("arch", "", "architecture `name`: gfx942, gfx1100, sm_90, x86-64-v3, aarch64, ...")
	warp := c.flags.Int("warp", 0, "warp `size`, 32 or 64; 0 is the architecture's own")
	stage := c.flags.String("stage", program.Asm, "what to show, `one` of "+stageNames())
	var t trial
	t.declare(c.flags)
	out := c.flags.String("o", "", "write to this `file`")
	var opts program.Options
	c.flags.BoolVar(&opts.NoBounds, "nobounds", false, "without checks of indices, nil and division by zero")
	c.flags.BoolVar(&opts.ImageInstructions, "images", false, "with AMD's image instructions")
	c.flags.BoolVar(&opts.FastMath, "fastmath", false, "with fast floating-point arithmetic")
	names, err := c.parse(1)
	if err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return usagef("which kernel? name a package and a function, as ./saxpy.Saxpy or example.com/m/pkg.Reduce[float32]")
	case *stage != trace && !slices.Contains(program.Stages, *stage):
		return usagef("unknown stage %q%s: want one of %s", *stage, didYouMean(*stage, append(program.Stages, trace)), stageNames())
	case *arch == "" && *stage == program.SSA:
		*arch = anyArch
	case *arch == "":
		return usagef("for which architecture? -arch gfx942, say")
	}
	m, err := machine(*arch, *warp)
	if err != nil {
		return err
	}
	if s := *stage; (s == program.Scalar || s == program.Vector) && m.Kind != abi.Native {
		return usagef("%s has no stage %s: only processors of hosts, x86-64-v3 say, have one", *arch, s)
	}
	if err := t.check(c.flags, *stage, m); err != nil {
		return err
	}
	if err := canCompile(m, *stage); err != nil {
		if slices.Contains(archs(), *arch) {
			return missingError{err}
		}
		return missingError{fmt.Errorf("%w%s", err, didYouMean(*arch, archs()))}
	}
	k, err := ahead.Declared("", names[0], opts)
	if err != nil {
		return err
	}
	p := c.progress("compiling "+names[0], 0)
	text, fault := t.show(k, m, *stage)
	p.end()
	if _, noLLVM := llvm.Open(); fault != nil && noLLVM != nil {
		return missingError{fault}
	}
	if len(text) == 0 {
		return fault
	}
	if *out != "" {
		return errors.Join(os.WriteFile(*out, text, 0o666), fault)
	}
	_, err = c.stdout.Write(text)
	return errors.Join(err, fault)
}

// show is the text of a stage. With an error comes what there is in spite of it:
// the trace of a launch that failed.
func (t *trial) show(k *ahead.Kernel, m *target.Machine, stage string) ([]byte, error) {
	if stage == trace {
		return t.execute(k, m, stage)
	}
	var text bytes.Buffer
	if err := k.Dump(&text, m.CPU, m.WarpSize, stage); err != nil || !t.run {
		return text.Bytes(), err
	}
	counters, err := t.execute(k, m, stage)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return nil, err
	case err != nil:
		fmt.Fprintf(&text, "no counters: %v\n", err)
	default:
		text.Write(counters)
	}
	return text.Bytes(), nil
}

// anyArch is an architecture for what is the same on all.
const anyArch = "gfx942"

func stageNames() string { return strings.Join(append(program.Stages, trace), ", ") }

// machine is what an architecture's name on the command line means.
func machine(arch string, warp int) (*target.Machine, error) {
	m, err := target.For(arch, warp)
	if err != nil && !slices.Contains(archs(), arch) {
		return nil, usagef("%w%s", err, didYouMean(arch, archs()))
	}
	if err != nil {
		return nil, usageError{err}
	}
	return m, nil
}

// canCompile says what this machine lacks to take a kernel to a stage.
func canCompile(m *target.Machine, stage string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("the kernel's package is found with the go command, which is not in PATH: %s", fixGo)
	}
	if stage == program.SSA || stage == program.IR {
		return nil
	}
	name, _, err := codegen.Backend(m.Kind)
	if err != nil || name != codegen.LLVM || m.Kind == abi.PTX {
		return err
	}
	return codegen.Supports(m.Triple, m.CPU)
}
