package prim_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"heddle/launch"
)

// TestMappedElsewhere runs a program of which nothing but captured funcs tell the kernel's type arguments, first with its symbols and then
// without. It has to be a program of its own: in another one some other kernel may have had the package of these funcs loaded before.
func TestMappedElsewhere(t *testing.T) {
	dev, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	dev.Close()
	for _, flags := range []string{"", "-s -w"} {
		exe := filepath.Join(t.TempDir(), "mapped")
		if out, err := exec.Command("go", "build", "-ldflags="+flags, "-o", exe, "./testdata/mapped").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		cmd := exec.Command(exe)
		cmd.Env = append(cmd.Environ(), "HEDDLE_CACHE=off")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "[3 1]\n" {
			t.Errorf("-ldflags=%q: %v\n%s", flags, err, out)
		}
	}
}
