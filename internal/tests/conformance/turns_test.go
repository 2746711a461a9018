package conformance

import (
	"errors"
	"slices"
	"testing"

	"heddle/kernel"
	"heddle/launch"
)

// turnDevices are those on which gangs take turns, where they are here.
func turnDevices(t *testing.T) (all []*launch.Device) {
	for _, name := range []string{"cpu", "cpu:64"} {
		d, err := launch.Open(name)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { d.Close() })
		all = append(all, d)
	}
	return all
}

// TestTurns holds loops with turns against the simulator, in blocks of complete and
// incomplete gangs, and in grids that are too large for turns.
func TestTurns(t *testing.T) {
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	devices := turnDevices(t)
	for _, k := range []any{turnSum, turnBarriers} {
		for _, shape := range [][3]int{{256, 3, 50_001}, {256, 1, 256 * 40}, {37, 2, 5000}, {640, 1, 30_011}, {1024, 1, 70_000}, {32, 1, 900}, {64, 4, 100}, {32, 4100, 140_000}, {64, 37, 20_000}, {256, 9, 50_000}} {
			block, grid, n := shape[0], shape[1], shape[2]
			cfg := launch.Config{Grid: launch.Dim3{X: grid}, Block: launch.Dim3{X: block}}
			want := runTurns(t, sim, k, cfg, n)
			for _, d := range devices {
				if got := runTurns(t, d, k, cfg, n); !slices.Equal(got, want) {
					t.Errorf("%s, %d blocks of %d threads, %d elements: it differs from the simulator's", d.Info().Name, grid, block, n)
				}
			}
		}
	}
}

// TestTurnGrids is TestTurns where gangs of several blocks take turns with each other: each finds its own block.
func TestTurnGrids(t *testing.T) {
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	devices := turnDevices(t)
	for _, cfg := range []launch.Config{
		{Grid: launch.Dim3{X: 3, Y: 5, Z: 2}, Block: launch.Dim3{X: 64}},
		{Grid: launch.Dim3{X: 1, Y: 7, Z: 3}, Block: launch.Dim3{X: 128, Y: 2}},
		{Grid: launch.Dim3{X: 13, Y: 2}, Block: launch.Dim3{X: 16, Y: 4, Z: 2}},
		{Grid: launch.Dim3{X: 2, Y: 2, Z: 9}, Block: launch.Dim3{X: 37, Y: 3}},
		{Grid: launch.Dim3{X: 17}, Block: launch.Dim3{X: 1024}},
	} {
		want := runTurns(t, sim, turnGrid, cfg, 40_000)
		for _, d := range devices {
			if got := runTurns(t, d, turnGrid, cfg, 40_000); !slices.Equal(got, want) {
				t.Errorf("%s, %v: it differs from the simulator's", d.Info().Name, cfg)
			}
		}
	}
}

func runTurns(t *testing.T, d *launch.Device, k any, cfg launch.Config, n int) []int32 {
	t.Helper()
	in := make([]int32, n)
	for i := range in {
		in[i] = int32(uint32(i)*2654435761>>20) - 2000
	}
	x, err := launch.Upload(d, in)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	threads := 1
	for _, n := range []int{cfg.Grid.X, cfg.Grid.Y, cfg.Grid.Z, cfg.Block.X, cfg.Block.Y, cfg.Block.Z} {
		threads *= max(1, n)
	}
	out := make([]int32, threads)
	y, err := launch.Upload(d, out)
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	if err := kernel.New(k).Launch(d.Stream(), cfg, x, y); err != nil {
		t.Fatal(err)
	}
	if err := y.Download(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTurnPanics holds the panic that a block ends with: that of the first gang that has one,
// as without turns.
func TestTurnPanics(t *testing.T) {
	const block, steps = 512, 60
	type fault struct{ array, thread, step int }
	const before, within, after = 0, 1, 2
	for _, d := range turnDevices(t) {
		for _, c := range []struct {
			faults []fault
			want   int
		}{
			{[]fault{{within, 300, 3}, {within, 7, 50}}, 7},
			{[]fault{{before, 300, 0}, {within, 7, 50}}, 7},
			{[]fault{{before, 300, 0}, {after, 7, 0}}, 7},
			{[]fault{{within, 300, 0}, {after, 7, 0}}, 7},
			{[]fault{{after, 511, 0}, {within, 400, 59}}, 400},
			{[]fault{{before, 511, 0}}, 511},
			{[]fault{{within, 511, 30}}, 511},
			{[]fault{{within, 511, 30}, {after, 500, 0}, {before, 200, 0}, {after, 100, 0}}, 100},
		} {
			var args [4]any
			for n, size := range []int{block, block * steps, block, block} {
				host := make([]int32, size)
				for _, f := range c.faults {
					if f.array == n {
						host[f.step*block+f.thread] = 4
					}
				}
				b, err := launch.Upload(d, host)
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				args[n] = b
			}
			s := d.Stream()
			err := kernel.New(turnPanic).Launch(s, launch.Config{Grid: launch.Dim3{X: 1}, Block: launch.Dim3{X: block}}, args[:]...)
			if err == nil {
				err = s.Sync()
			}
			var p *launch.KernelPanic
			if !errors.As(err, &p) {
				t.Fatalf("%v: %v, want a panic", c.faults, err)
			}
			if p.Thread.X != c.want || p.Value != "index out of range [4] with length 4" {
				t.Errorf("%s, %v: thread %d: %s, want thread %d", d.Info().Name, c.faults, p.Thread.X, p.Value, c.want)
			}
		}
	}
}

// TestTurnMeets holds blocks that take turns with each other up to their first barrier: each has shared memory and
// barriers of its own, and the error of a block that panics or misses a barrier names that block.
func TestTurnMeets(t *testing.T) {
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	const block, grid, none = 256, 11, 1 << 20
	cfg := launch.Config{Grid: launch.Dim3{X: grid}, Block: launch.Dim3{X: block}}
	fine := func(in, out []int32) { turnMeets(none, none, none, in, out) }
	want := runTurns(t, sim, fine, cfg, 70_001)
	for _, d := range turnDevices(t) {
		if got := runTurns(t, d, fine, cfg, 70_001); !slices.Equal(got, want) {
			t.Errorf("%s: it differs from the simulator's", d.Info().Name)
		}
		for bad := range grid {
			for _, c := range []struct {
				panics, leaves, thread int
				value                  string
			}{
				{77, none, 77, "index out of range [2816] with length 2816"},
				{none, 3, 0, "barrier divergence: 224 of 256 threads wait here; every thread of a block must reach the same barrier"},
			} {
				x, err := launch.Alloc[int32](d, 50_000)
				if err != nil {
					t.Fatal(err)
				}
				y, err := launch.Alloc[int32](d, block*grid)
				if err != nil {
					t.Fatal(err)
				}
				if err = kernel.New(turnMeets).Launch(d.Stream(), cfg, bad, c.panics, c.leaves, x, y); err == nil {
					err = d.Stream().Sync()
				}
				var p *launch.KernelPanic
				if !errors.As(err, &p) {
					t.Fatalf("%s, block %d: %v, want a panic", d.Info().Name, bad, err)
				}
				if p.Block.X != bad || p.Thread.X != c.thread || p.Value != c.value {
					t.Errorf("%s: block %d, thread %d: %s; want block %d, thread %d: %s", d.Info().Name, p.Block.X, p.Thread.X, p.Value, bad, c.thread, c.value)
				}
				x.Close()
				y.Close()
			}
		}
	}
}
