// Package env is where heddle reads its environment variables: one table of what
// they mean and which values they may have.
package env

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Names of the variables.
const (
	Device     = "HEDDLE_DEVICE"
	LLVM       = "HEDDLE_LLVM"
	CPU        = "HEDDLE_CPU"
	Backend    = "HEDDLE_BACKEND"
	Comgr      = "HEDDLE_COMGR"
	DeviceLibs = "HEDDLE_DEVICE_LIBS"
	Opt        = "HEDDLE_OPT"
	Emu        = "HEDDLE_EMU"
	Sim        = "HEDDLE_SIM"
	Archive    = "HEDDLE_ARCHIVE"
	Cache      = "HEDDLE_CACHE"
	Overlap    = "HEDDLE_OVERLAP"
	Dump       = "HEDDLE_DUMP"
	Log        = "HEDDLE_LOG"
	Token      = "HEDDLE_CCL_TOKEN"
	Meeting    = "HEDDLE_CCL_FILE"
	Compare    = "HEDDLE_CCL_CHECK"
)

// A Variable is one that heddle reads. The empty value is that of a variable
// which is not set.
type Variable struct {
	Name    string
	Meaning string // in one line, for people
	Values  string // what it may be, in Markdown; "" where form lists it or Meaning says it
	Default string // what holds where it is not set, in Markdown
	form
}

// A form is what the values of a variable may be. There is none where only the part
// of heddle that uses a value can tell, and does: the devices there are, the
// processors of this machine, what a file holds.
type form struct {
	check  func(values []string, value string) error
	values []string
}

// Variables are all of them. The table of docs/settings.md is made of this one (go test
// ./internal/env -update).
var Variables = []Variable{
	{Device, `the device of launch.Open("")`, "`hip:0`, `cuda:0`, `cpu`, `sim`, `emu:gfx942` ...", "the best one here", form{}},
	{LLVM, "libLLVM to use", "a path, or a major version", "the one that suits best", form{}},
	{CPU, "instruction set of the cpu device", "`x86-64-v2`, `x86-64-v3` or `x86-64-v4`, no more than the machine has", "the machine's", form{}},
	{Backend, "compiler of AMD code", "", "`llvm`", form{oneOf, []string{"llvm", "comgr"}}},
	{Comgr, "path of libamd_comgr", "", "where ROCm installs it", form{}},
	{DeviceLibs, "directory of ocml.bc and ockl.bc, or of libdevice.10.bc", "a directory; `off` for Go's own mathematics", "where ROCm and CUDA install them", form{}},
	{Opt, "optimisation level of GPU code", "", "`O3`", form{oneOf, []string{"O0", "O1", "O2", "O3"}}},
	{Emu, "options of emulated GPUs (package launch/emu has them all)", "`stats` for counters of each launch, `trace=FILE,kernel=NAME,block=0.0.0,wave=0` for a trace", "none", form{}},
	{Sim, "lax: the simulator runs what the compiler would refuse", "", "it refuses that too", form{oneOf, []string{"lax"}}},
	{Archive, "off: do not use what heddle build compiled", "", "it is used", form{oneOf, []string{"off"}}},
	{Cache, "directory of the disk cache, or off", "the user's own; neither it nor a parent writable by others", "`heddle` in the user's cache directory", form{}},
	{Overlap, "off: a kernel on an NVIDIA GPU of compute capability 9.0 or later is not launched while the one before it on its stream ends", "", "it is", form{oneOf, []string{"off"}}},
	{Dump, "kernels to dump to standard error as they are compiled: Saxpy:ir,asm", "part of a name, perhaps `:` and some of the stages", "none", form{dumps, Stages}},
	{Log, "what to log, through package log, or log/slog with package launch/slog", "", "nothing", form{listOf, []string{"cache", "compile", "launch", "leaks"}}},
	{Token, "secret that the ranks of ccl.Join share while they meet", "", "none; who has another one is refused", form{}},
	{Meeting, "file through which the ranks of ccl.Join meet, in place of TCP", "a path that all ranks can write, and nobody else", "none", form{}},
	{Compare, "on: rank 0 compares what ranks of GPUs in several processes call, and all learn of a process that is lost, after ccl.Join over TCP", "", "calls of one process are compared", form{oneOf, []string{"on"}}},
}

// Stages are those that HEDDLE_DUMP may list.
var Stages = []string{"ssa", "ir", "scalar", "vector", "opt", "asm", "res"}

// Allowed says what values a variable may have, in Markdown.
func (v Variable) Allowed() string {
	if len(v.values) == 0 {
		return v.Values
	}
	listed := "`" + strings.Join(v.values, "`, `") + "`"
	if v.Values == "" {
		return listed
	}
	return v.Values + " " + listed
}

// Names are those of the table.
func Names() (names []string) {
	for _, v := range Variables {
		names = append(names, v.Name)
	}
	return names
}

// Get is the value of a variable of the table, "" if it is not set.
func Get(name string) string {
	v, _ := Lookup(name)
	return v
}

// Lookup is Get, and reports whether the variable is set. In a setuid or setgid
// process none is: see Secure.
func Lookup(name string) (value string, set bool) {
	if !slices.ContainsFunc(Variables, func(v Variable) bool { return v.Name == name }) {
		panic("env: " + name + " is not in the table")
	}
	if Secure() {
		return "", false
	}
	return os.LookupEnv(name)
}

// Path is the value of a variable that is not heddle's and names a place to load
// code from, such as ROCM_PATH; "" in a setuid or setgid process.
func Path(name string) string {
	if Secure() {
		return ""
	}
	return os.Getenv(name)
}

// Check says which variables have values that they cannot have.
func Check() error {
	var errs []error
	for _, v := range Variables {
		value := Get(v.Name)
		if value == "" || v.check == nil {
			continue
		}
		if err := v.check(v.values, value); err != nil {
			errs = append(errs, fmt.Errorf("%s=%q: %w", v.Name, value, err))
		}
	}
	return errors.Join(errs...)
}

// Unknown are the variables of the environment that have heddle's prefix and are
// not in the table.
func Unknown() (names []string) {
	for _, s := range os.Environ() {
		name, _, _ := strings.Cut(s, "=")
		if strings.HasPrefix(name, "HEDDLE_") && !slices.ContainsFunc(Variables, func(v Variable) bool { return v.Name == name }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func oneOf(values []string, value string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("want %s", either(values))
}

func listOf(values []string, list string) error {
	for value := range strings.SplitSeq(list, ",") {
		if value != "" && !slices.Contains(values, value) {
			return fmt.Errorf("what is %q? It lists %s", value, either(values))
		}
	}
	return nil
}

// dumps checks a part of a kernel's name and, behind a colon, stages.
func dumps(values []string, value string) error {
	_, stages, _ := strings.Cut(value, ":")
	return listOf(values, stages)
}

// either is "a, b or c".
func either(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
