//go:build unix

// Package envtest runs a test in a process with another user's privileges.
package envtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Child is the variable of the environment that a Program's process has.
const Child = "SECURE_TEST"

// A Program is a copy of the running test's binary in a folder that every user can read.
type Program struct {
	Dir string
	exe string
	t   *testing.T
}

// NewProgram makes one. It skips the test where only root could: for others than root.
func NewProgram(t *testing.T) *Program {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a setuid program of root's")
	}
	dir, err := os.MkdirTemp("", "secure") // a folder in t.TempDir is the user's own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := &Program{Dir: dir, t: t, exe: filepath.Join(dir, "program")}
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	p.Add("program", text)
	return p
}

// Add puts another program into the folder.
func (p *Program) Add(name string, text []byte) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.Dir, name), text, 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// Setuid makes the program root's, whoever starts it.
func (p *Program) Setuid() {
	p.t.Helper()
	if err := os.Chmod(p.exe, 0o755|os.ModeSetuid); err != nil {
		p.t.Fatal(err)
	}
}

// Run runs the test of this name in the program, started by nobody with no environment
// but env and Child, and returns what it prints. It skips the test where that cannot be.
func (p *Program) Run(test string, env ...string) string {
	p.t.Helper()
	const nobody = 65534
	cmd := exec.Command(p.exe, "-test.run=^"+test+"$", "-test.v")
	cmd.Dir, cmd.Env = "/", append(env, Child+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Skipf("%v: %s", err, out)
	}
	return string(out)
}
