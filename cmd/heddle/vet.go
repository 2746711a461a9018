package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// errReported is a fault that was printed already.
var errReported = errors.New("see above")

// runVet has the go command run this program as the tool of go vet, package by
// package. Exit code 1 means that something was reported, or that a package
// does not compile.
func runVet(c *call) error {
	if slices.ContainsFunc(c.args, isHelp) {
		return flag.ErrHelp
	}
	self, err := os.Executable()
	if err != nil {
		return missingError{err}
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, c.args...)...)
	cmd.Stdout, cmd.Stderr = c.stdout, c.stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return missingError{fmt.Errorf("%w; install Go", err)}
	case errors.As(err, &exit) && exit.ExitCode() == exitUsage:
		return usagef("go vet: %w", err)
	case errors.As(err, &exit) && exit.ExitCode() == exitFault:
		return errReported
	}
	return fmt.Errorf("go vet: %w", err)
}

// isVetTool reports whether the go command runs this program as go vet's tool:
// "heddle -V=full" for its identity, "heddle -flags" for its flags, and
// "heddle [flags] package.cfg" for each package.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg") && !slices.ContainsFunc(commands(), func(c command) bool { return c.name == args[0] })
}
