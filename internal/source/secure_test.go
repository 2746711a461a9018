//go:build unix

package source

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A setuid program takes no source from where its environment says: neither GOROOT nor
// PATH name an installation of Go. It takes root to make such a program.
func TestSecureGOROOT(t *testing.T) {
	if os.Getenv("SECURE_TEST") != "" {
		fmt.Printf("goroot=%q go=%q\n", goroot.Get(), goCommand.Get())
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can make a setuid program of root's")
	}
	dir, err := os.MkdirTemp("", "secure")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "program")
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{exe: text, filepath.Join(dir, "gofmt"): []byte("#!/bin/sh\n"), filepath.Join(dir, "go"): []byte("#!/bin/sh\n")} {
		if err := os.WriteFile(name, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(env ...string) string {
		cmd := exec.Command(exe, "-test.run=^TestSecureGOROOT$", "-test.v")
		cmd.Dir, cmd.Env = "/", append(env, "SECURE_TEST=1", "PATH="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := run("GOROOT=/evil"); !strings.Contains(out, `goroot="/evil"`) {
		t.Errorf("without setuid: %s", out)
	}
	if err := os.Chmod(exe, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{{"GOROOT=/evil"}, {}} {
		if out := run(env...); !strings.Contains(out, `goroot="" go=""`) {
			t.Errorf("setuid, %q: %s", env, out)
		}
	}
}
