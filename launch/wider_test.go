package launch

import (
	"testing"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// A registersDriver loads kernels whose registers allow 640 threads a block, or as many as the launch bound says up to 960.
type registersDriver struct {
	driver.Device
	loads *[]int // the bounds
}

type registersFunction struct {
	driver.Function
	obj *abi.Object
}

func (d registersDriver) Load(obj *abi.Object) (driver.Function, error) {
	*d.loads = append(*d.loads, obj.MaxThreads)
	own := *obj
	own.Res = abi.Resources{VGPR: 96, MaxThreads: 640}
	if obj.MaxThreads > 0 {
		own.Res = abi.Resources{VGPR: 64, MaxThreads: min(obj.MaxThreads, 960)}
	}
	return registersFunction{nil, &own}, nil
}

func (f registersFunction) Object() *abi.Object { return f.obj }
func (f registersFunction) Close() error        { return nil }

// TestForBlocks has a kernel with too many registers for a block loaded once more, on NVIDIA's GPUs.
func TestForBlocks(t *testing.T) {
	d := openSim(t)
	var loads []int
	d.drv = registersDriver{d.drv, &loads}
	load := func(kind abi.Kind, bound int) *function {
		loads = nil
		f, err := d.load(&abi.Object{Name: "k", Kind: kind, MaxThreads: bound})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := load(abi.PTX, 0)
	for _, c := range []struct{ block, threads, loads int }{
		{640, 0, 1}, {704, 704, 2}, {672, 704, 2}, {960, 960, 3}, {704, 960, 3}, {1024, 0, 4},
	} {
		var out driver.Config
		err := (&Config{Block: Dim3{X: c.block}}).check(f, &out)
		w := f.forBlocks(err)
		if (err == nil) != (c.block <= 640) || (w != nil) != (c.threads > 0) || w != nil && w.maxThreads != c.threads || len(loads) != c.loads {
			t.Errorf("a block of %d: %v, %+v, loads %v", c.block, err, w, loads)
		}
		if w != nil {
			if err := (&Config{Block: Dim3{X: c.block}}).check(w, &out); err != nil {
				t.Errorf("a block of %d: %v", c.block, err)
			}
		}
	}
	for _, f := range []*function{load(abi.PTX, 640), load(abi.HSACO, 0)} {
		var out driver.Config
		if err := (&Config{Block: Dim3{X: 1024}}).check(f, &out); err == nil || f.forBlocks(err) != nil {
			t.Errorf("%s with the bound %d: %v", f.obj.Kind, f.obj.MaxThreads, err)
		}
	}
}
