package kernel_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/module"
)

// spread is a program whose kernel depends on several files.
var spread = map[string]string{
	"main.go": `package main

import (
	"fmt"

	"heddle/kernel"
	"heddle/launch"
)

func main() {
	dev, err := launch.Open("cpu")
	if err != nil {
		panic(err)
	}
	x, err := launch.Alloc[uint32](dev, 4)
	if err != nil {
		panic(err)
	}
	fmt.Println(kernel.New(fill).Launch(dev.Stream(), launch.Linear(4, 4), x))
}
`,
	"fill.go":   "package main\n\nfunc fill(x []uint32) {\n\tfor i := range x {\n\t\tx[i] = size + uint32(number(i)) + table[i]\n\t}\n}\n",
	"const.go":  "package main\n\nconst size = double * 2\n",
	"double.go": "package main\n\nconst double = 2\n",
	"type.go":   "package main\n\ntype number uint8\n",
	"table.go":  "package main\n\nvar table = [4]uint32{1, 2, 3, 4}\n",
	"other.go":  "package main\n\nconst other = 1\n",
}

// A kernel is compiled from the sources that its program was built from: files that have
// changed since are refused by name, also those that only say what a constant, a type or a
// table is. A file that the kernel does not depend on may change.
func TestChangedSince(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds a program")
	}
	openDevice(t, "cpu") // which the program opens
	// A kernel that is on record needs no source, and a change of it means nothing.
	t.Setenv(codegen.EnvCache, "off")
	dir, run := outside(t, spread)
	run("go", "build", "-mod=mod", "-o", "app", ".")
	for _, name := range []string{"other.go", "fill.go", "const.go", "double.go", "type.go", "table.go"} {
		file, now := filepath.Join(dir, name), time.Now()
		if err := os.Chtimes(file, now, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s is newer than the running program", name)
		if name == "other.go" {
			want = "<nil>"
		}
		if got := run("./app"); !strings.Contains(got, want) {
			t.Errorf("%s has changed: got %s\nwant %s", name, got, want)
		}
		if err := os.Chtimes(file, now, now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
}

// outside lays files out as a module of their own that uses this one, and returns its
// directory and what runs a command there.
func outside(t *testing.T, files map[string]string) (dir string, run func(name string, args ...string) string) {
	t.Helper()
	dir = t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	files = maps.Clone(files)
	require := "module example.com/app\nrequire " + module.Path + " v0.0.0\nreplace " + module.Path + " => " + root
	files["go.mod"] = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), require)
	files["go.sum"] = string(sum)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
}
