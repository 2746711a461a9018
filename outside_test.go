package heddle

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// README's section "In your own module" works: its commands, in a module outside,
// with README's first program. What it prints is what its last comment says.
func TestOutside(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(package main\n.*?)```").FindSubmatch(readme)
	_, section, _ := bytes.Cut(readme, []byte("## In your own module"))
	commands := regexp.MustCompile("(?s)```\n(.*?)```").FindSubmatch(section)
	if program == nil || commands == nil {
		t.Fatal("README.md has no program, or no commands")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), program[1], 0o666); err != nil {
		t.Fatal(err)
	}
	script := strings.ReplaceAll(string(commands[1]), "../heddle", root)
	// The module cache has what building this test needed, and tidy wants the tests
	// of dependencies, too: -mod=mod adds what the program needs.
	script = strings.ReplaceAll(script, "go mod tidy", "go build -mod=mod .")
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GONOSUMDB=*", "GONOSUMCHECK=1", "GOFLAGS=-mod=mod", "GOWORK=off", "HEDDLE_DEVICE=sim")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "[12 24 36]\n") {
		t.Errorf("%v\n%s\n%s", err, script, out)
	}
}
