package conformance

import (
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
)

// The suite passes on emulated GPUs at every level of optimisation, which have
// the compiler choose other instructions. TestConformance is of the highest. Without
// -full it is one device at one level.
func TestLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the suite again")
	}
	for i, c := range levels {
		t.Run(c.level+"/"+c.device, func(t *testing.T) {
			if i > 0 && !*full {
				t.Skip("-full runs it; " + levels[0].level + " on " + levels[0].device + " stands for it")
			}
			if why := attached.Missing(c.device); why != "" {
				t.Skip(why)
			}
			t.Setenv(codegen.EnvOpt, c.level)
			dev, err := launch.Open(c.device)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := dev.Close(); err != nil {
					t.Error(err)
				}
			})
			cases := Cases()
			compileFirst(dev, cases)
			for _, c := range cases {
				Run(t, dev, c)
			}
		})
	}
}

// The level is one of the things that an object is cached by.
func TestLevelsDiffer(t *testing.T) {
	needLLVM(t)
	machinesOf(t, "gfx90a")
	sizes := map[int]string{}
	for _, level := range []string{"O0", "O3"} {
		t.Setenv(codegen.EnvOpt, level)
		obj, err := kernel.New(oneWayOrAnother).Object("gfx90a", 0)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := sizes[len(obj.Code)]; ok {
			t.Errorf("%s and %s give objects of the same size", other, level)
		}
		sizes[len(obj.Code)] = level
	}
}
