package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"heddle/internal/module"
)

// buildHeddle builds the command.
func buildHeddle(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "heddle")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

// userModule writes a module that uses heddle from this tree.
func userModule(t *testing.T, source string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	text := strings.Replace(string(mod), "module "+module.Path+"\n", "module example.com/user\n\nrequire "+module.Path+" v0.0.0\n\nreplace "+module.Path+" => "+root+"\n", 1)
	for name, data := range map[string]string{"go.mod": text, "go.sum": string(sum), "user.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const userSource = `package user

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func Count(v []int32, n int32) {
	seen := map[int32]bool{}
	seen[n] = true
	if dsl.ThreadIdx().X == 0 {
		dsl.SyncThreads()
	}
}

var count = kernel.New(Count)

func Run(dev *launch.Device) error {
	host := make([]int32, 8)
	return count.Launch(dev.Stream(), launch.Linear(1, 1), host, 3)
}
`

// What the command says of another module's package, by itself and through go
// vet -vettool, and that nothing is wrong with this module, tests included.
func TestVet(t *testing.T) {
	exe := buildHeddle(t)
	dir := userModule(t, userSource)
	wants := []string{
		`user\.go:10:\d+: map in kernel \(use a slice`,
		`user\.go:11:\d+: map update in kernel`,
		`user\.go:13:\d+: some threads of a block may not reach dsl\.SyncThreads: the condition at line 12`,
		`user\.go:21:57: argument 1 \(v\) is host memory \(\[\]int32\); upload it: launch\.Upload\(dev, host\)`,
		`user\.go:21:63: argument 2 \(n\): have int, want int32; write int32\(3\)`,
	}
	for _, line := range [][]string{{exe, "vet", "./..."}, {"go", "vet", "-vettool=" + exe, "."}} {
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != exitFault {
			t.Errorf("%q: %v, want exit code %d\n%s", line, err, exitFault, out)
		}
		for _, w := range wants {
			if !regexp.MustCompile(w).Match(out) {
				t.Errorf("%q: nothing like %s in\n%s", line, w, out)
			}
		}
		if n := strings.Count(string(out), "user.go:"); n != len(wants) {
			t.Errorf("%q: %d reports, want %d\n%s", line, n, len(wants), out)
		}
	}
	// What is wrong on purpose carries a comment that says so.
	cmd := exec.Command(exe, "vet", "./...")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("heddle's own kernels: %v\n%s", err, out)
	}
}
