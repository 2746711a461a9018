package matrix

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/module"
	"heddle/launch"
)

// maxUnknown is how many compiles are left to run time, for captured strings and
// specialised variables: nobody knows their values before.
const maxUnknown = 12

// compileAhead has the heddle command write what the module is to carry, and
// compile its kernels for the cpu of this machine.
func compileAhead(t *testing.T, dir string) {
	t.Helper()
	cpu, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	arch := cpu.Info().Arch
	if err := cpu.Close(); err != nil {
		t.Fatal(err)
	}
	heddle := filepath.Join(t.TempDir(), "heddle")
	if out, err := exec.Command("go", "build", "-o", heddle, module.Path+"/cmd/heddle").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"generate", "./..."}, "heddle.zip: "},
		{[]string{"build", "-arch", arch, "./..."}, "kernels for 1 architectures"},
	} {
		cmd := goCommand(t, dir, nil)
		cmd.Path, cmd.Args = heddle, append([]string{heddle}, c.args...)
		out, _ := cmd.CombinedOutput() // some func values are refused, which is a fault
		if !strings.Contains(string(out), c.says) {
			t.Fatalf("heddle %v:\n%s", c.args, out)
		}
	}
}

// checkAhead counts where kernels came from.
func checkAhead(t *testing.T, log string) {
	t.Helper()
	archive, compiler := strings.Count(log, " from=archive "), strings.Count(log, " from=compiler ")
	t.Logf("%d kernels came from the archive, %d from the compiler", archive, compiler)
	if archive < leastValues || compiler > maxUnknown {
		t.Errorf("%d kernels came from the archive, %d from the compiler, want %d at most", archive, compiler, maxUnknown)
		for line := range strings.Lines(log) {
			if strings.Contains(line, " from=compiler ") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
}
