package gpu

import (
	"testing"
	"unsafe"
)

// A launchConfig lies in memory as cuda.h has CUlaunchConfig, and its attribute as CUlaunchAttribute.
func TestLaunchConfig(t *testing.T) {
	var c launchConfig
	for name, at := range map[string][2]uintptr{
		"blockDimX":      {unsafe.Offsetof(c.block), 12},
		"sharedMemBytes": {unsafe.Offsetof(c.shared), 24},
		"hStream":        {unsafe.Offsetof(c.stream), 32},
		"attrs":          {unsafe.Offsetof(c.attributes), 40},
		"numAttrs":       {unsafe.Offsetof(c.count), 48},
		"CUlaunchConfig": {unsafe.Offsetof(c.attribute), 56},
		"value":          {unsafe.Offsetof(c.attribute.value), 8},
		"an attribute":   {unsafe.Sizeof(c.attribute), 72},
	} {
		if at[0] != at[1] {
			t.Errorf("%s: %d, want %d", name, at[0], at[1])
		}
	}
}
