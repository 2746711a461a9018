//go:build unix

package env

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A setuid program takes nothing from its environment: this test binary, setuid,
// started by another user. It takes root to make one.
func TestSecure(t *testing.T) {
	if os.Getenv("SECURE_TEST") != "" {
		fmt.Printf("secure=%v device=%q path=%q\n", Secure(), Get(Device), Path("ROCM_PATH"))
		return
	}
	if Secure() {
		t.Error("an ordinary process is taken for a setuid one")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can make a setuid program of root's")
	}
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "secure")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "program")
	if err := os.WriteFile(exe, text, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func() string {
		cmd := exec.Command(exe, "-test.run=^TestSecure$", "-test.v")
		cmd.Dir, cmd.Env = "/", []string{"SECURE_TEST=1", Device + "=sim", "ROCM_PATH=/evil"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := run(); !strings.Contains(out, `secure=false device="sim" path="/evil"`) {
		t.Errorf("without setuid: %s", out)
	}
	if err := os.Chmod(exe, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	if out := run(); !strings.Contains(out, `secure=true device="" path=""`) {
		t.Errorf("setuid: %s", out)
	}
}
