package matrix

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// This file builds the programs that load the func values as a library or a plugin.

// buildHost builds the mode's host of the library, and returns the program.
func (m *mode) buildHost(t *testing.T, library string) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join("testdata/hosts", m.host))
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(filepath.Dir(library), "host")
	var build *exec.Cmd
	if filepath.Ext(m.host) == ".go" {
		flags := slices.DeleteFunc(slices.Clone(m.flags), func(f string) bool { return f == "-buildmode=plugin" })
		build = goCommand(t, filepath.Dir(source), m.env, slices.Concat([]string{"build", "-o", exe}, flags, []string{source})...)
	} else {
		if err := os.Rename(library, library+".a"); err != nil { // or a shared library: the linker looks
			t.Fatal(err)
		}
		build = exec.CommandContext(t.Context(), "gcc", "-o", exe, source, library+".a", "-lpthread", "-ldl", "-lresolv", "-lm")
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	return exe
}
