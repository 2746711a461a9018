package conformance

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/target"
)

var (
	loops    = flag.Bool("loops", false, "make loops on all devices as on NVIDIA's: twice, the first time with checks ahead")
	sections = flag.Bool("bounded", false, "make two versions of what has bounded indices, wherever that can be done, on all devices")
)

// TestMain sets what -loops and -bounded ask for before any kernel is compiled.
func TestMain(m *testing.M) {
	flag.Parse()
	if *loops || *sections {
		os.Setenv(codegen.EnvCache, "off")
	}
	if *loops {
		target.LoopsAsNVIDIA()
	}
	if *sections {
		target.BoundsEverywhere()
	}
	os.Exit(m.Run())
}

// TestForms runs the cases with many loops and indices in the forms that only some GPUs get, or only some kernels, on
// the device that is everywhere. Random kernels in these forms run on others, too.
func TestForms(t *testing.T) {
	if *loops || *sections {
		t.Skip("this is the test with -loops or -bounded")
	}
	for _, form := range []string{"-loops", "-bounded"} {
		t.Run(form[1:], func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestConformance$/^cpu$", "-test.v", form,
				"-cases=^(array|index|loop|panic|scan|slice|table)")
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
