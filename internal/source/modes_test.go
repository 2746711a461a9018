package source_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"heddle/internal/module"
)

// TestBuildModes builds a command that finds the corpus, in some modes that
// differ most, and runs it twice: with the source tree at hand, and in an empty
// environment in an empty directory with the sources that are inside it. The
// test of internal/matrix has the other modes.
func TestBuildModes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		slow  bool // compiles the standard library anew
		flags []string
	}{
		{name: "default"},
		{name: "stripped", flags: []string{"-ldflags=-s -w"}},
		{name: "pie", flags: []string{"-trimpath", "-ldflags=-s -w", "-buildmode=pie"}, slow: true},
		{name: "unoptimised", flags: []string{"-gcflags=all=-N -l"}, slow: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.slow && testing.Short() {
				t.Skip("-short: this mode compiles the standard library again")
			}
			exe := filepath.Join(t.TempDir(), "run")
			build := exec.Command("go", append(append([]string{"build", "-o", exe}, tt.flags...), module.Internal+"source/corpus/run")...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			if out, err := exec.Command(exe).CombinedOutput(); err != nil || !strings.Contains(string(out), " 0 failures") {
				t.Errorf("with the source tree: %v\n%s", err, out)
			}
			old := time.Unix(1e9, 0)
			if err := os.Chtimes(exe, old, old); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(exe).CombinedOutput(); err == nil || !strings.Contains(string(out), "is newer than the running program (rebuild it") {
				t.Errorf("with changed sources: %v\n%s", err, out)
			}
			bare := exec.Command(exe, "-embedded")
			bare.Dir = t.TempDir()
			bare.Env = []string{"PATH="}
			if out, err := bare.CombinedOutput(); err != nil || !strings.Contains(string(out), " 0 failures") {
				t.Errorf("alone: %v\n%s", err, out)
			}
		})
	}
}

// TestBlobs fails if the declarations of standard packages, or of heddle's own,
// are out of date.
func TestBlobs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the generator")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o777); err != nil {
		t.Fatal(err)
	}
	gen, err := filepath.Abs("genblobs.go")
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "gen")
	if out, err := exec.Command("go", "build", "-o", exe, gen).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, root)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ents, err := os.ReadDir("blobs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range ents {
		want, err := os.ReadFile(filepath.Join(dir, "blobs", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("blobs", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		// the toolchain's own may differ in paths
		if own := strings.HasPrefix(e.Name(), "heddle__"); len(got) != len(want) || own && !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate", e.Name())
		}
	}
}
