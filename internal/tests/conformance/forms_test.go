package conformance

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"heddle/internal/tests/forms"
)

func TestMain(m *testing.M) {
	forms.Set()
	os.Exit(m.Run())
}

// TestForms runs the cases with many loops and indices in the forms that only some GPUs get, or only some kernels, on
// the device that is everywhere; what GPUs alone get on one of their emulators. Random kernels in these forms run on others, too.
func TestForms(t *testing.T) {
	if *forms.Name != "" {
		t.Skip("this is the test with -form")
	}
	const indices = "^(array|index|loop|panic|scan|slice|table)"
	const calls = "^(assert|atomic|call|chosen|func|image/1D$|memory|recur|struct)|"
	for _, f := range []struct{ form, device, cases string }{
		{"loops", "cpu", indices}, {"bounded", "cpu", indices}, {"one", "cpu", calls + indices}, {"gangs", "cpu", calls + indices}, {"blocks", "cpu", calls + indices}, {"general", "emu:gfx942", indices},
	} {
		t.Run(f.form, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestConformance$/^"+f.device+"$", "-test.v", "-form="+f.form, "-cases="+f.cases)
			out, err := cmd.CombinedOutput()
			text := string(out)
			if err != nil {
				t.Fatalf("%v\n%s", err, text[max(0, len(text)-4000):])
			}
			t.Logf("%d passed, %d skipped", strings.Count(text, "--- PASS"), strings.Count(text, "--- SKIP"))
			if strings.Count(text, "--- PASS") < 30 {
				t.Errorf("that is too few:\n%s", text[max(0, len(text)-4000):])
			}
		})
	}
}
