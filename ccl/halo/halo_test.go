package halo_test

import (
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"heddle/ccl"
	"heddle/ccl/halo"
	"heddle/dsl"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

// along is a stencil along the axes, corners one with all 26 neighbours. Numbers stay whole, so that sums are exact.
func along(dst, src []int32, from, size [3]int, row, plane, width int) {
	t := dsl.GlobalIdx()
	if t.X >= size[0] || t.Y >= size[1] || t.Z >= size[2] {
		return
	}
	i := (from[2]+t.Z)*plane + (from[1]+t.Y)*row + from[0] + t.X
	sum := 3 * src[i]
	for w := 1; w <= width; w++ {
		sum += src[i-w] + 2*src[i+w]
		if row < len(src) {
			sum += 5*src[i-w*row] - src[i+w*row]
		}
		if plane < len(src) {
			sum += 7*src[i-w*plane] + src[i+w*plane]
		}
	}
	dst[i] = sum % 1000
}

func corners(dst, src []int32, from, size [3]int, row, plane, width int) {
	t := dsl.GlobalIdx()
	if t.X >= size[0] || t.Y >= size[1] || t.Z >= size[2] {
		return
	}
	i := (from[2]+t.Z)*plane + (from[1]+t.Y)*row + from[0] + t.X
	sum := int32(0)
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				sum += int32(dx+3*dy+9*dz+20) * src[i+dx+dy*row+dz*plane]
			}
		}
	}
	dst[i] = sum % 1000
}

var alongKernel, cornersKernel = kernel.New(along), kernel.New(corners)

// start is the value of a cell, also outside the grid.
func start(o halo.Options) func(x, y, z int) int32 {
	return func(x, y, z int) int32 {
		at := [3]int{x, y, z}
		for a, n := range o.Cells {
			if o.Periodic[a] && n > 1 {
				at[a] = (at[a] + n) % n
			}
		}
		return int32((at[0]*7+at[1]*13+at[2]*29+1000)%101 - 50)
	}
}

// solve makes some steps on ranks of a kind of device, and returns the whole grid.
func solve(t *testing.T, kind string, ranks, steps int, o halo.Options) []int32 {
	t.Helper()
	if why := attached.Missing(kind); why != "" {
		t.Skip(why)
	}
	devs, err := launch.OpenAll(strings.TrimSuffix(strings.Repeat(kind+",", ranks), ","))
	if err != nil {
		t.Skip(err)
	}
	comms, err := ccl.All(t.Context(), devs...)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]int32, max(o.Cells[0], 1)*max(o.Cells[1], 1)*max(o.Cells[2], 1))
	var wait sync.WaitGroup
	for _, c := range comms {
		wait.Go(func() {
			if err := part(c, steps, o, all); err != nil {
				t.Error(err)
				c.Abort()
			}
		})
	}
	wait.Wait()
	for i, c := range comms {
		if err := errors.Join(c.Close(), devs[i].Close()); err != nil {
			t.Error(err)
		}
	}
	return all
}

// part is a rank's.
func part(c *ccl.Comm, steps int, o halo.Options, all []int32) error {
	g, err := halo.New[int32](c, o)
	if err != nil {
		return err
	}
	k := alongKernel
	if o.Corners {
		k = cornersKernel
	}
	s, err := c.Device().NewStream()
	if err != nil {
		return err
	}
	if err := g.Load(start(o)); err != nil {
		return err
	}
	row, plane := g.Pitch()
	for range steps {
		if err := g.Step(s, func(s *launch.Stream, b halo.Box) error {
			return k.Launch(s, b.Config(8, 4, 2), g.Back(), g.Front(), b.From, b.Size, row, plane, max(o.Width, 1))
		}); err != nil {
			return err
		}
	}
	cells, err := g.Cells()
	if err != nil {
		return fmt.Errorf("%v: %w", g, err)
	}
	at, size, n := g.Origin(), g.Inside().Size, g.Options().Cells
	for i, v := range cells {
		x, y, z := i%size[0]+at[0], i/size[0]%size[1]+at[1], i/size[0]/size[1]+at[2]
		all[(z*n[1]+y)*n[0]+x] = v
	}
	return g.Close()
}

// reference is the same on the host, without ranks.
func reference(steps int, o halo.Options) []int32 {
	n := o.Cells
	for a := range n {
		n[a] = max(n[a], 1)
	}
	w := max(o.Width, 1)
	cell := func(of []int32, x, y, z int) int32 {
		at := [3]int{x, y, z}
		for a := range at {
			if n[a] > 1 && o.Periodic[a] {
				at[a] = (at[a] + n[a]) % n[a]
			}
			if at[a] < 0 || at[a] >= n[a] {
				return start(o)(x, y, z)
			}
		}
		return of[(at[2]*n[1]+at[1])*n[0]+at[0]]
	}
	now := make([]int32, n[0]*n[1]*n[2])
	for i := range now {
		now[i] = start(o)(i%n[0], i/n[0]%n[1], i/n[0]/n[1])
	}
	for range steps {
		next := make([]int32, len(now))
		for i := range now {
			x, y, z := i%n[0], i/n[0]%n[1], i/n[0]/n[1]
			sum := int32(0)
			if o.Corners {
				for d := range 27 {
					dx, dy, dz := d%3-1, d/3%3-1, d/9-1
					sum += int32(dx+3*dy+9*dz+20) * cell(now, x+dx, y+dy, z+dz)
				}
				next[i] = sum % 1000
				continue
			}
			sum = 3 * now[i]
			for d := 1; d <= w; d++ {
				sum += cell(now, x-d, y, z) + 2*cell(now, x+d, y, z)
				if n[1] > 1 || n[2] > 1 {
					sum += 5*cell(now, x, y-d, z) - cell(now, x, y+d, z)
				}
				if n[2] > 1 {
					sum += 7*cell(now, x, y, z-d) + cell(now, x, y, z+d)
				}
			}
			next[i] = sum % 1000
		}
		now = next
	}
	return now
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		kind  string
		ranks []int
		o     halo.Options
	}{
		{"sim", []int{1, 2, 3}, halo.Options{Cells: [3]int{23}}},
		{"sim", []int{1, 2, 4}, halo.Options{Cells: [3]int{11, 9}, Width: 2, Periodic: [3]bool{true, true}}},
		{"sim", []int{1, 2, 4}, halo.Options{Cells: [3]int{7, 6, 5}}},
		{"sim", []int{8}, halo.Options{Cells: [3]int{7, 6, 5}, Ranks: [3]int{2, 2, 2}, Periodic: [3]bool{false, true, false}}},
		{"sim", []int{4}, halo.Options{Cells: [3]int{7, 6, 5}, Corners: true, Ranks: [3]int{2, 1, 2}, Periodic: [3]bool{true, true, true}}},
		{"sim", []int{1}, halo.Options{Cells: [3]int{4, 3, 3}, Corners: true, Periodic: [3]bool{true, false, true}}},
		{"cpu", []int{1, 4}, halo.Options{Cells: [3]int{17, 16, 15}, Periodic: [3]bool{true}}},
		{"emu:gfx1100", []int{4}, halo.Options{Cells: [3]int{9, 8, 8}}},
	} {
		want := reference(3, c.o)
		for _, ranks := range c.ranks {
			t.Run(fmt.Sprintf("%s/%v/%d", c.kind, c.o, ranks), func(t *testing.T) {
				got := solve(t, c.kind, ranks, 3, c.o)
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("cell %d is %d, want %d", i, got[i], want[i])
					}
				}
			})
		}
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		cells [3]int
		ranks int
		want  [3]int
	}{
		{[3]int{64, 64, 64}, 8, [3]int{2, 2, 2}},
		{[3]int{64, 64, 64}, 2, [3]int{1, 1, 2}},
		{[3]int{64, 64}, 4, [3]int{2, 2, 1}},
		{[3]int{1000, 10}, 4, [3]int{4, 1, 1}},
		{[3]int{100}, 6, [3]int{6, 1, 1}},
	} {
		if got := halo.Choose(c.cells, c.ranks); got != c.want {
			t.Errorf("%v among %d: %v, want %v", c.cells, c.ranks, got, c.want)
		}
	}
}

func TestBad(t *testing.T) {
	d, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	comms, err := ccl.All(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]halo.Options{
		"-1 cells along axis 0":            {Cells: [3]int{-1}},
		"a width of -2":                    {Width: -2},
		"2 x 1 x 1 ranks":                  {Cells: [3]int{8}, Ranks: [3]int{2}},
		"cannot be divided among 1 ranks":  {Cells: [3]int{2}, Width: 3},
		"2 cells along axis 0 among 1 ran": {Cells: [3]int{2}, Width: 3, Ranks: [3]int{1}},
	} {
		if _, err := halo.New[float32](comms[0], o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	if _, err := halo.New[float32](nil, halo.Options{}); err == nil {
		t.Error("a nil Comm")
	}
	g, err := halo.New[float32](comms[0], halo.Options{Cells: [3]int{4}})
	if err != nil {
		t.Fatal(err)
	}
	if g.Load(nil) == nil || g.Step(d.Stream(), nil) == nil {
		t.Error("nil funcs")
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}
