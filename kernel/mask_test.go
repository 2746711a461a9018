package kernel_test

import (
	"errors"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func leftOut(m uint64, x []int) {
	i := dsl.ThreadIdx().X
	x[i] = dsl.ShflSync(m, i, 1)
}

func votedOut(m uint64, x []int) {
	if i := dsl.ThreadIdx().X; i&1 == 1 && dsl.AnySync(m, i > 3) {
		x[i]++
	}
}

// A mask that leaves out the lane that calls is reported by sim and by cpu, alike.
func TestMaskWithoutCaller(t *testing.T) {
	for _, c := range []struct {
		kernel *kernel.Kernel
		mask   uint64
		want   string // "": the mask is right
	}{
		{kernel.New(leftOut), 0xfffffff0, "dsl.ShflSync: mask 0xfffffff0 does not name the calling lane 0"},
		{kernel.New(leftOut), 1<<40 | 0xffffffff, ""},
		{kernel.New(leftOut), 1<<63 | 0xfffffffe, "dsl.ShflSync: mask 0xfffffffe does not name the calling lane 0"},
		{kernel.New(votedOut), 0xaaaaaaa8, "dsl.AnySync: mask 0xaaaaaaa8 does not name the calling lane 1"},
		{kernel.New(votedOut), 0xaaaaaaaa, ""},
		{kernel.NewWith(votedOut, kernel.Options{NoBounds: true}), 0xaaaaaaaa, ""},
	} {
		for _, name := range []string{"sim", "cpu"} {
			dev, err := launch.Open(name)
			if err != nil {
				t.Log(err)
				continue
			}
			x, err := launch.Alloc[int](dev, 32)
			if err == nil {
				err = c.kernel.Launch(dev.Stream(), launch.Linear(32, 32), c.mask, x)
			}
			if err == nil {
				err = dev.Stream().Sync()
			}
			var p *launch.KernelPanic
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s, mask %#x: %v", name, c.mask, err)
			case c.want != "" && (!errors.As(err, &p) || p.Value != c.want || p.Runtime || p.Pos.Line == 0):
				t.Errorf("%s, mask %#x: %v, want %q", name, c.mask, err, c.want)
			}
			if err := dev.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
