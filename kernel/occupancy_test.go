package kernel_test

import (
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// tile has 4 KiB of static shared memory and as much dynamic as a launch gives it.
func tile(v []int32) {
	s := dsl.Shared[[1024]int32]()
	d := dsl.DynamicShared[int32]()
	t := dsl.ThreadIdx().X
	s[t] = v[t]
	d[t%len(d)] = 1
	dsl.SyncThreads()
	v[t] = s[1023-t] + d[0]
}

func TestAttributes(t *testing.T) {
	k := kernel.New(tile)
	for _, i := range launch.Devices() {
		t.Run(i.Name, func(t *testing.T) {
			dev, err := launch.Open(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			a, err := k.Attributes(dev)
			if err != nil {
				t.Fatal(err)
			}
			kind, _, _ := strings.Cut(i.Name, ":")
			if a.MaxThreads == 0 || a.MaxThreads > i.MaxThreads {
				t.Errorf("%d threads a block", a.MaxThreads)
			}
			if kind != "sim" && (a.Shared != 4096 || a.MaxShared != i.SharedPerBlock-4096) {
				t.Errorf("%d bytes of static shared memory, and %d of dynamic", a.Shared, a.MaxShared)
			}
			if registers := kind != "sim" && kind != "cpu"; registers != (a.Registers > 0) || registers != (a.BinaryVersion > 0) {
				t.Errorf("%d registers, binary version %d", a.Registers, a.BinaryVersion)
			}
			if kind == "emu" && (a.ScalarRegisters == 0 || a.Code == 0 || a.PreferredShared != -1) {
				t.Errorf("%+v", a)
			}
			if err := k.PreferShared(dev, 50); err != nil {
				t.Error(err)
			}
			if b, err := k.Attributes(dev); err != nil || kind == "cuda" && b.PreferredShared != 50 {
				t.Errorf("%+v, %v", b, err)
			}
			if err := k.PreferShared(dev, 101); err == nil || !strings.Contains(err.Error(), "101 percent") {
				t.Errorf("PreferShared of 101 percent: %v", err)
			}
		})
	}
}

func TestOccupancy(t *testing.T) {
	k := kernel.New(tile)
	for _, i := range launch.Devices() {
		t.Run(i.Name, func(t *testing.T) {
			dev, err := launch.Open(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			few, err := k.Occupancy(dev, launch.Config{Block: launch.Dim3{X: 64}, Shared: 28 << 10})
			if err != nil {
				t.Fatal(err)
			}
			many, err := k.MaxBlocksPerSM(dev, 64, 0)
			if err != nil {
				t.Fatal(err)
			}
			kind, _, _ := strings.Cut(i.Name, ":")
			switch kind {
			case "sim", "cpu":
				if few.Blocks != 1 || many != 1 || few.Threads != 64 {
					t.Errorf("%+v, and %d without dynamic shared memory", few, many)
				}
			case "emu": // 32 KiB of 64
				if few.Blocks != 2 || many != 16 || few.Threads != 128 {
					t.Errorf("%+v, and %d without dynamic shared memory", few, many)
				}
			default:
				if few.Blocks < 1 || many <= few.Blocks {
					t.Errorf("%+v, and %d without dynamic shared memory", few, many)
				}
			}
			if few.MaxThreads < 1024 || few.Units != i.ComputeUnits || few.Fraction() != float64(few.Threads)/float64(few.MaxThreads) {
				t.Errorf("%+v", few)
			}
			if _, err := k.Occupancy(dev, launch.Config{Block: launch.Dim3{X: 2048}}); err == nil || !strings.Contains(err.Error(), "2048") {
				t.Errorf("of a block that is too large: %v", err)
			}
		})
	}
}

func TestSuggestBlock(t *testing.T) {
	k := kernel.New(tile)
	for _, i := range launch.Devices() {
		t.Run(i.Name, func(t *testing.T) {
			dev, err := launch.Open(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			n, grid, err := k.SuggestBlock(dev, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			best, err := k.Occupancy(dev, launch.Config{Block: launch.Dim3{X: n}})
			if err != nil || grid != best.Blocks*best.Units {
				t.Errorf("blocks of %d: grid of %d, and %+v (%v)", n, grid, best, err)
			}
			for m := i.WarpSize; m <= i.MaxThreads; m += i.WarpSize {
				o, err := k.Occupancy(dev, launch.Config{Block: launch.Dim3{X: m}})
				if err == nil && (o.Threads > best.Threads || o.Threads == best.Threads && m > n) {
					t.Errorf("blocks of %d make %d threads, those of %d %d", n, best.Threads, m, o.Threads)
				}
			}
			// A block of more than 512 threads needs more than there is.
			n, _, err = k.SuggestBlock(dev, func(threads int) int { return threads / 513 * 2 * i.SharedPerBlock }, 0)
			if err != nil || n > 512 {
				t.Errorf("blocks of %d, %v", n, err)
			}
			if n, _, err = k.SuggestBlock(dev, nil, 100); err != nil || n > 100 {
				t.Errorf("blocks of %d, at most 100 (%v)", n, err)
			}
			if n, _, err = k.SuggestBlock(dev, func(int) int { return i.SharedPerBlock * 2 }, 0); err == nil || !strings.Contains(err.Error(), "no block fits "+i.Name) {
				t.Errorf("blocks of %d, %v", n, err)
			}
		})
	}
}
