package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// mirrored reads what another warp writes, with no barrier between: where that
// has not run yet, an index out of range.
func mirrored(v []int32) {
	at := dsl.Shared[[256]int32]()
	t := dsl.ThreadIdx().X
	at[t] = int32(t) + 1
	v[at[255-t]-1] = 1
}

// TestRaceHint: a failure that a race may cause says so where races are not
// looked for, and the emulated GPU names the race.
func TestRaceHint(t *testing.T) {
	racing := kernel.New(mirrored)
	alone := kernel.New(func(v []int32) { v[dsl.ThreadIdx().X+1000] = 1 })
	for _, name := range []string{"sim", "cpu", "emu"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			v, err := launch.Alloc[int32](dev, 256)
			must(t, err)
			fail := func(k *kernel.Kernel) error {
				t.Helper()
				must(t, k.Launch(dev.Stream(), launch.Linear(256, 256), v))
				err := dev.Sync()
				if err == nil {
					t.Fatal("no error")
				}
				return err
			}
			var p *launch.KernelPanic
			if err := fail(racing); name == "emu" {
				if !strings.Contains(err.Error(), "race_test.go:20") {
					t.Errorf("the line of the race is not named: %v", err)
				}
			} else if !errors.As(err, &p) || !strings.HasSuffix(err.Error(), "if a race may be the cause, HEDDLE_DEVICE=emu finds it") {
				t.Error(err)
			}
			if err := fail(alone); !errors.As(err, &p) || p.Hint != "" || strings.Contains(err.Error(), "race may") {
				t.Errorf("without shared memory: %v", err)
			}
		})
	}
}
