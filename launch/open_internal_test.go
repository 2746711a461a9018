package launch

import (
	"strings"
	"testing"

	"heddle/internal/llvm"
)

// Who falls to the simulator is told so, once, with what to install.
func TestSimNotice(t *testing.T) {
	for _, want := range []string{"simulator", llvm.Fix(), "HEDDLE_DEVICE=sim", "no GPU"} {
		if got := simNotice(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	var b strings.Builder
	tell := onceWith(func(b *strings.Builder) { b.WriteString("x") })
	tell(&b)
	tell(&b)
	if b.String() != "x" {
		t.Errorf("said %q", &b)
	}
}
