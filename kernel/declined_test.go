package kernel_test

import (
	"math"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/llvm"
	"heddle/kernel"
)

// What a machine refuses for want of a device library the next machine refuses, too, in the
// same words: nothing of what was planned for the first is left.
func TestDeclined(t *testing.T) {
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
	t.Setenv("HEDDLE_DEVICE_LIBS", "off")
	k := kernel.New(func(v []float64) {
		i := dsl.GlobalIdx().X
		v[i] = math.J0(v[i])
	})
	for _, arch := range []string{"sm_70", "sm_80", "sm_90"} {
		_, err := k.Object(arch, 0)
		if err == nil || !strings.Contains(err.Error(), "declined_test.go:22:17: call of math.J0, which cannot run on a device: j0.go:") || strings.Contains(err.Error(), "internal compiler error") {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
