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

var loops = flag.Bool("loops", false, "make loops on all devices as on NVIDIA's: twice, the first time with checks ahead")

// TestMain sets what -loops asks for before any kernel is compiled.
func TestMain(m *testing.M) {
	flag.Parse()
	if *loops {
		os.Setenv(codegen.EnvCache, "off")
		target.LoopsAsNVIDIA()
	}
	os.Exit(m.Run())
}

// TestLoops runs the cases with many loops in the forms that only NVIDIA's GPUs get, on the
// device that is everywhere. Random kernels in these forms run on others, too.
func TestLoops(t *testing.T) {
	if *loops {
		t.Skip("this is the test with -loops")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestConformance$/^cpu$", "-test.v", "-loops",
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
}
