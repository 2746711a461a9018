// Command heddle shows what heddle finds on this machine and what it makes of
// a kernel. "heddle help" lists its commands.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"heddle/internal/env"
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

// commands are all of them: a function, since completion, one of them, lists them.
func commands() []command {
	return []command{
		{"doctor", "[-strict] [-json]", "look for compilers, libraries and devices, and try them", doctor},
		{"devices", "[-v | -json]", "list the devices, with -v all of their properties", devices},
		{"dump", "-arch gfx942 [-warp n] [-stage asm] [-o file] package.Func", "show the stages of compiling a kernel, and what it does on an emulated AMD GPU", dump},
		{"generate", "[-check] [-tests] [packages]", "write what a program carries to compile its kernels without Go: for go:generate", generate},
		{"build", "-arch gfx90a,gfx942,sm_90 [-o kernels.heddle] [-check] [packages]", "compile kernels ahead of time, into an archive that the program embeds", buildArchive},
		{"vet", "[flags of go vet] [packages]", "report what is wrong with kernels, their barriers and their launches", runVet},
		{"completion", "bash | zsh | fish", "print a script that completes heddle's command lines in a shell", completion},
		{"cache", "[path | clear]", "show, locate or empty the disk cache", cache},
		{"version", "", "print the versions of heddle, Go and LLVM", version},
	}
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
			return nil, usageError{suggestFlag(err, c.flags)}
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

// suggestFlag adds to the error about an unknown flag the one that may be meant.
func suggestFlag(err error, fs *flag.FlagSet) error {
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return err
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	near := closest(name, names)
	if near != "" {
		near = fmt.Sprintf(" (did you mean -%s?)", near)
	}
	return fmt.Errorf("unknown flag -%s%s", name, near)
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
		fmt.Fprintln(stderr, usageLine)
		return exitUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) == 0 {
			help(stdout)
			return exitOK
		}
		name, args = args[0], []string{"-h"} // help COMMAND
	case "-version", "--version":
		name = "version"
	case completer:
		complete(stdout, args)
		return exitOK
	}
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd.exec(args, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "heddle: unknown command %q%s\n%s\n", name, didYouMean(name, commandNames()), usageLine)
	return exitUsage
}

const usageLine = `usage: heddle COMMAND [flags] [arguments]; "heddle help" lists the commands`

func (cmd *command) exec(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed below, once
	c := &call{args: args, stdout: stdout, stderr: stderr, flags: fs}
	err := cmd.judgeEnvironment(args)
	if err == nil {
		err = cmd.run(c)
	}
	var usage usageError
	var missing missingError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, flag.ErrHelp):
		cmd.help(stdout, fs)
		return exitOK
	case errors.Is(err, errReported):
		return exitFault
	}
	fmt.Fprintf(stderr, "heddle %s: %v\n", cmd.name, err)
	switch {
	case errors.As(err, &usage):
		cmd.usage(stderr)
		return exitUsage
	case errors.As(err, &missing):
		return exitMissing
	}
	return exitFault
}

// judgeEnvironment refuses values of variables that mean nothing, except where
// help is asked for, or a report on them.
func (cmd *command) judgeEnvironment(args []string) error {
	if cmd.name == "doctor" || cmd.name == "version" || slices.ContainsFunc(args, isHelp) {
		return nil
	}
	if err := env.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

func isHelp(arg string) bool { return slices.Contains([]string{"-h", "-help", "--help"}, arg) }

func (cmd *command) usage(w io.Writer) {
	fmt.Fprintln(w, strings.TrimSpace(fmt.Sprintf("usage: heddle %s %s", cmd.name, cmd.args)))
}

func (cmd *command) help(w io.Writer, fs *flag.FlagSet) {
	cmd.usage(w)
	fmt.Fprintf(w, "heddle %s: %s\n", cmd.name, cmd.short)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

func help(w io.Writer) {
	fmt.Fprintln(w, "heddle runs Go functions on GPUs. This command looks at what it does, and prepares programs.")
	fmt.Fprintln(w)
	for _, cmd := range commands() {
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
`)
	environment(w)
}
