package kernel_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/module"
	"heddle/launch"
)

// Another package's tables are tables, unless it or a package that imports it writes
// them: in a module of its own, whose sources only the go command finds.
func TestOtherTables(t *testing.T) {
	dev, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/tables")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		own := regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(text, []byte("module example.com/tables\nrequire "+module.Path+" v0.0.0\nreplace "+module.Path+" => "+root))
		if err := os.WriteFile(filepath.Join(dir, name), own, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off", "PWD="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	wants := []string{`^20 <nil>$`, `^32 <nil>$`, `^119 <nil>$`, `package variable Written \S+ in kernel: it may change: \S+\.go:\d+ writes it or lets it be written \(`, `package variable Own \S+ in kernel: it may change: \S+\.go:\d+ writes`}
	if len(lines) != len(wants) {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	for i, want := range wants {
		if !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("%q, want %s", lines[i], want)
		}
	}
}
