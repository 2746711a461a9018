// Command heddle shows what heddle finds on this machine and what it makes of
// a kernel. "heddle help" lists its commands.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"heddle/vet"
)

// Exit codes, which scripts may rely on.
const (
	exitOK      = 0
	exitFault   = 1 // the kernel, or whatever else the user wrote, is at fault
	exitUsage   = 2 // the command line is at fault
	exitMissing = 3 // this machine lacks something, or what it has does not work
)

// A command is one of heddle's.
type command struct {
	name, args, short string
	run               func(c *call) error
}

var commands = []command{
	{"doctor", "[-strict] [-json]", "look for compilers, libraries and devices, and try them", doctor},
	{"devices", "[-json]", "list the devices", devices},
	{"dump", "-arch gfx942 [-warp n] [-stage asm] [-o file] package.Func", "show what becomes of a kernel, and what it does on an emulated AMD GPU", dump},
	{"generate", "[-check] [-tests] [packages]", "write what a program carries to compile its kernels without Go: for go:generate", generate},
	{"build", "-arch gfx90a,gfx942,sm_90 [-o kernels.heddle] [-check] [packages]", "compile kernels ahead of time, into an archive that the program embeds", buildArchive},
	{"vet", "[flags of go vet] [packages]", "report what is wrong with kernels, their barriers and their launches", runVet},
	{"cache", "[path | clear]", "show, locate or empty the disk cache", cache},
	{"version", "", "print the versions of heddle, Go and LLVM", version},
}

// A call is one run of a command.
type call struct {
	args           []string
	stdout, stderr io.Writer
	flags          *flag.FlagSet
}

// usageError is a fault of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// missingError is a lack of this machine.
type missingError struct{ error }

func (e missingError) Unwrap() error { return e.error }

// parse parses the flags that the command has declared and returns the other
// arguments, of which there may be at most so many. Flags may follow arguments.
func (c *call) parse(most int) ([]string, error) {
	var rest []string
	for args := c.args; ; {
		if err := c.flags.Parse(args); err != nil {
			return nil, usageError{err}
		}
		if c.flags.NArg() == 0 {
			break
		}
		rest = append(rest, c.flags.Arg(0))
		args = c.flags.Args()[1:]
	}
	if len(rest) > most {
		return nil, usagef("too many arguments: %s", strings.Join(rest[most:], " "))
	}
	return rest, nil
}

func main() {
	if isVetTool(os.Args[1:]) {
		unitchecker.Main(vet.Analyzer)
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		help(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		help(stdout)
		return exitOK
	}
	for _, cmd := range commands {
		if cmd.name == args[0] {
			return cmd.exec(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "heddle: unknown command %q; run \"heddle help\"\n", args[0])
	return exitUsage
}

func (cmd *command) exec(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed below, once
	err := cmd.run(&call{args: args, stdout: stdout, stderr: stderr, flags: fs})
	var usage usageError
	var missing missingError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, flag.ErrHelp):
		cmd.help(stdout, fs)
		return exitOK
	}
	fmt.Fprintf(stderr, "heddle %s: %v\n", cmd.name, err)
	switch {
	case errors.As(err, &usage):
		cmd.help(stderr, fs)
		return exitUsage
	case errors.As(err, &missing):
		return exitMissing
	}
	return exitFault
}

func (cmd *command) help(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprintf(w, "usage: heddle %s %s\n", cmd.name, cmd.args)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func help(w io.Writer) {
	fmt.Fprintln(w, "heddle runs Go functions on GPUs. This command looks at what it does, and prepares programs.")
	fmt.Fprintln(w)
	for _, cmd := range commands {
		fmt.Fprintf(w, "  heddle %-10s %s\n", cmd.name, cmd.short)
	}
	fmt.Fprint(w, `
"heddle COMMAND -h" tells a command's flags.

Exit codes:
  0  all is well
  1  the kernel, or what else you wrote, is at fault; the errors say where
  2  the command line is at fault
  3  this machine lacks something, or what it has does not work

Environment:
  HEDDLE_DEVICE       the device of launch.Open(""): hip:0, cuda:0, cpu, sim, emu:gfx942
  HEDDLE_LLVM         libLLVM to use: a path, or a major version
  HEDDLE_BACKEND      compiler of AMD code: llvm or comgr
  HEDDLE_COMGR        path of libamd_comgr
  HEDDLE_DEVICE_LIBS  directory of ocml.bc and ockl.bc, or of libdevice.10.bc; off; off: use none
  HEDDLE_OPT          optimisation of GPU code: O0 to O3
  HEDDLE_EMU          options of emulated GPUs: trace=-,kernel=Saxpy or stats, say
  HEDDLE_CACHE        directory of the disk cache, or off
  HEDDLE_ARCHIVE      off: do not use what heddle build compiled
  HEDDLE_DUMP         kernels to dump as they are compiled: Saxpy:ir,asm
  HEDDLE_LOG          what to log: compile,leaks
`)
}
