//go:build unix

package env

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"heddle/internal/env/envtest"
)

// A setuid program takes nothing from its environment: this test binary, setuid,
// started by another user.
func TestSecure(t *testing.T) {
	if os.Getenv(envtest.Child) != "" {
		fmt.Printf("secure=%v device=%q path=%q\n", Secure(), Get(Device), Path("ROCM_PATH"))
		return
	}
	if Secure() {
		t.Error("an ordinary process is taken for a setuid one")
	}
	p := envtest.NewProgram(t)
	run := func() string { return p.Run("TestSecure", Device+"=sim", "ROCM_PATH=/evil") }
	if out := run(); !strings.Contains(out, `secure=false device="sim" path="/evil"`) {
		t.Errorf("without setuid: %s", out)
	}
	p.Setuid()
	if out := run(); !strings.Contains(out, `secure=true device="" path=""`) {
		t.Errorf("setuid: %s", out)
	}
}
