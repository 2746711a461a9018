package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/abi"
	"heddle/internal/ahead"
	"heddle/internal/env"
	"heddle/internal/llvm"
	"heddle/internal/program"
	"heddle/internal/target"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// This file executes kernels for heddle dump: on the emulator, by the ordinary
// way of a launch, with made-up arguments. What is shown comes from the emulator's
// own options (HEDDLE_EMU).

// trace is the stage that is not a form of a kernel: what a wave of it does.
const trace = "trace"

// A trial is what the command line says of an execution.
type trial struct {
	run         bool
	grid, block [3]int
	shared      int
	args        map[string]string
	at          [3]int
	wave, lines int
}

// Flags of an execution, and those of the stage trace alone.
var (
	trialFlags = []string{"run", "grid", "block", "shared", "arg"}
	traceFlags = []string{"at", "wave", "n"}
)

// declare declares the flags.
func (t *trial) declare(fs *flag.FlagSet) {
	t.grid, t.block, t.args = [3]int{1, 1, 1}, [3]int{64, 1, 1}, map[string]string{}
	fs.BoolVar(&t.run, "run", false, "stage res: execute the kernel on the emulator and count; -grid, -block, -shared and -arg imply it")
	fs.Func("grid", "stages trace and res: blocks to execute, `x,y,z` (default 1)", extents(&t.grid, 1))
	fs.Func("block", "threads of a block, `x,y,z` (default 64)", extents(&t.block, 1))
	fs.IntVar(&t.shared, "shared", 0, "dynamic shared memory in `bytes`")
	fs.Func("arg", "an argument, `name=value`: a=2.5, or of a slice its length x=256, its contents x=rand (or ramp, zero),\n"+
		"or both x=256:rand; by default as many elements as threads, holding 0, 1, 2, ...", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" || value == "" {
			return errors.New("want name=value")
		}
		t.args[name] = value
		return nil
	})
	fs.Func("at", "stage trace: the block to show, `x,y,z` (default 0)", extents(&t.at, 0))
	fs.IntVar(&t.wave, "wave", 0, "stage trace: the `number` of the wave to show")
	fs.IntVar(&t.lines, "n", 2000, "stage trace: show so many `lines`; 0 shows all")
}

// extents reads up to three numbers, at least least.
func extents(to *[3]int, least int) func(string) error {
	return func(s string) error {
		*to = [3]int{least, least, least}
		axes := strings.Split(s, ",")
		for i, axis := range axes {
			n, err := strconv.ParseInt(axis, 10, 32)
			if err != nil || i == len(to) || int(n) < least {
				return fmt.Errorf("want up to three numbers from %d, with commas between", least)
			}
			to[i] = int(n)
		}
		return nil
	}
}

// check says what is wrong with the flags for a stage.
func (t *trial) check(fs *flag.FlagSet, stage string, m *target.Machine) (err error) {
	fs.Visit(func(f *flag.Flag) {
		isRun := slices.Contains(trialFlags, f.Name)
		switch {
		case err != nil:
		case isRun && stage != trace && stage != program.Res:
			err = usagef("-%s: only the stages trace and res execute the kernel", f.Name)
		case slices.Contains(traceFlags, f.Name) && stage != trace:
			err = usagef("-%s is of the stage trace", f.Name)
		case isRun && f.Name != "run":
			t.run = true
		}
	})
	if err != nil || !t.run && stage != trace {
		return err
	}
	waves := (t.block[0]*t.block[1]*t.block[2] + m.WarpSize - 1) / m.WarpSize
	switch {
	case m.Kind != abi.HSACO:
		return usagef("%s code is not executed here, only that of AMD GPUs: gfx942, say", m.CPU)
	case t.wave < 0 || t.wave >= waves:
		return usagef("-wave %d: a block of %v threads has waves 0 to %d", t.wave, t.block, waves-1)
	case t.at[0] >= t.grid[0] || t.at[1] >= t.grid[1] || t.at[2] >= t.grid[2]:
		return usagef("-at %v: the grid has %v blocks", t.at, t.grid)
	case t.lines < 0:
		return usagef("-n %d", t.lines)
	}
	return nil
}

// options are those of the emulator that write the trace, or else the counters,
// to a file.
func (t *trial) options(stage, file string) string {
	if stage == trace {
		return fmt.Sprintf("trace=%s,kernel=.,block=%d.%d.%d,wave=%d,lines=%d", file, t.at[0], t.at[1], t.at[2], t.wave, t.lines)
	}
	return "stats=" + file
}

// execute executes the kernel and returns what the emulator has written. An error
// of the execution comes with what was written before it.
func (t *trial) execute(k *ahead.Kernel, m *target.Machine, stage string) (text []byte, err error) {
	file, err := os.CreateTemp("", "heddle")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	defer setEmu(t.options(stage, file.Name()))()
	dev, err := launch.Open(fmt.Sprintf("emu:%s:%d", m.CPU, m.WarpSize))
	if err != nil {
		if _, noLLVM := llvm.Open(); noLLVM != nil {
			return nil, missingError{err}
		}
		return nil, usageError{err}
	}
	dim := func(d [3]int) launch.Dim3 { return launch.Dim3{X: d[0], Y: d[1], Z: d[2]} }
	fault := k.Try(dev, ahead.Trial{
		Config: launch.Config{Grid: dim(t.grid), Block: dim(t.block), Shared: t.shared},
		Args:   t.args,
	})
	if err := dev.Close(); err != nil && fault == nil {
		fault = err
	}
	if text, err = os.ReadFile(file.Name()); err != nil {
		return nil, err
	}
	var arg *ahead.ArgumentError
	if errors.As(fault, &arg) && arg.Given {
		return nil, usageError{fault}
	}
	return text, fault
}

// setEmu adds options to HEDDLE_EMU until restore is called.
func setEmu(options string) (restore func()) {
	const name = env.Emu
	old, had := os.LookupEnv(name)
	os.Setenv(name, strings.Trim(old+","+options, ","))
	return func() {
		os.Unsetenv(name)
		if had {
			os.Setenv(name, old)
		}
	}
}
