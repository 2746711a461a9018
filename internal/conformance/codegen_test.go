package conformance

import (
	"testing"
)

func TestCodegen(t *testing.T) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			for _, k := range c.Kernels {
				if _, err := k.Object("gfx942", 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
