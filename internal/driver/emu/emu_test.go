package emu_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/amdemu"
	"heddle/internal/driver/emu"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// The kernels below have one fault each, on the line that is marked with it.

func outside(y []int32) {
	if dsl.BlockIdx().X > 0 {
		return
	}
	y[dsl.ThreadIdx().X+60] = 1 // FAULT out of bounds
}

func unwrittenShared(y []int32) {
	if dsl.BlockIdx().X > 0 { // or the blocks' stores would meet
		return
	}
	tile := dsl.Shared[[256]int32]()
	t := dsl.ThreadIdx().X
	if t != 3 {
		tile[t] = int32(t)
	}
	dsl.SyncThreads()
	y[t] = tile[t] // FAULT in shared memory
}

func noBarrier(y []int32) {
	tile := dsl.Shared[[256]int32]()
	t := dsl.ThreadIdx().X
	tile[t] = 0
	dsl.SyncThreads()
	tile[t] = int32(t)
	y[t] = tile[255-t] // FAULT no barrier
}

func storesMeet(y []int32) {
	y[0] = int32(dsl.ThreadIdx().X) // FAULT stores of all waves
}

func blocksMeet(y []int32) {
	if dsl.ThreadIdx().X == 0 {
		y[0] = int32(dsl.BlockIdx().X) // FAULT stores of all blocks
	}
}

func divergent(y []int32) {
	if dsl.BlockIdx().X > 0 { // or the blocks' stores would meet
		return
	}
	t := dsl.ThreadIdx().X
	if t < 10 {
		//lint:ignore heddle it diverges on purpose
		dsl.SyncThreads() // FAULT some threads of the wave
	}
	y[t] = 1
}

func halfBarrier(y []int32) {
	if dsl.BlockIdx().X > 0 { // or the blocks' stores would meet
		return
	}
	t := dsl.ThreadIdx().X
	if t < 64 {
		//lint:ignore heddle it diverges on purpose
		dsl.SyncThreads() // FAULT some waves of the block
	}
	y[t] = 1
}

func endless(y []int32) {
	for { // FAULT for ever
		if dsl.AtomicAdd(&y[0], 0) != 0 {
			break
		}
	}
	y[1] = 1
}

// faulty are what launching them gives: the text of the error, at the line.
var faulty = []struct {
	mark, text string
	k          *kernel.Kernel
}{
	{"out of bounds", `store of 4 bytes at 0x[0-9a-f]+: [0-9]+ bytes past the end of the buffer of 1024 bytes`, noBounds(outside)},
	{"in shared memory", `load of 4 bytes that nothing has written, at 0xc of shared memory`, noBounds(unwrittenShared)},
	{"no barrier", `race`, noBounds(noBarrier)},
	{"stores of all waves", `race`, noBounds(storesMeet)},
	{"stores of all blocks", `race`, noBounds(blocksMeet)},
	{"some threads of the wave", `barrier`, noBounds(divergent)},
	{"some waves of the block", `barrier`, noBounds(halfBarrier)},
	{"for ever", `budget`, noBounds(endless)},
}

func noBounds(fn any) *kernel.Kernel { return kernel.NewWith(fn, kernel.Options{NoBounds: true}) }

// devices are those that the faults are planted on.
var devices = []string{"emu:gfx90a", "emu:gfx942", "emu:gfx1030", "emu:gfx1100:64", "emu:gfx1201"}

func open(t *testing.T, name string) *launch.Device {
	t.Helper()
	d, err := launch.Open(name)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// start runs a kernel on four blocks of 256 threads, with a buffer of as many
// elements as a block has threads.
func start(t *testing.T, d *launch.Device, k *kernel.Kernel) error {
	t.Helper()
	b, err := launch.Alloc[int32](d, 256)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := k.Launch(d.Stream(), launch.Config{Grid: launch.Dim3{X: 4}, Block: launch.Dim3{X: 256}}, b); err != nil {
		return err
	}
	return d.Stream().Sync()
}

// Every planted fault is found and located.
func TestFaults(t *testing.T) {
	t.Setenv(emu.Env, "budget=100000")
	lines := marks(t)
	for _, name := range devices {
		d := open(t, name)
		for _, c := range faulty {
			t.Run(name+"/"+c.mark, func(t *testing.T) {
				line, ok := lines[c.mark]
				if !ok {
					t.Fatalf("no line is marked %q", c.mark)
				}
				err := start(t, d, c.k)
				var f *amdemu.Fault
				if !errors.As(err, &f) {
					t.Fatalf("no fault: %v", err)
				}
				if !regexp.MustCompile(c.text).MatchString(err.Error()) || !near(f.Place, line) {
					t.Errorf("want %q at line %d, got: %v", c.text, line, err)
				}
			})
		}
	}
}

// near says that a place is a line of this file, or the one before or after it:
// the instruction at which an endless loop is noticed can be of either.
func near(place string, line int) bool {
	return slices.ContainsFunc([]int{line - 1, line, line + 1}, func(l int) bool {
		return strings.Contains(place, fmt.Sprintf("emu_test.go:%d:", l))
	})
}

// marks are the lines of this file with a comment FAULT.
func marks(t *testing.T) map[string]int {
	text, err := os.ReadFile("emu_test.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		if _, mark, ok := strings.Cut(line, "// FAULT "); ok {
			all[mark] = i + 1
		}
	}
	return all
}

// meet is a barrier of all blocks of the grid.
func meet(y []int32) {
	if dsl.ThreadIdx().X == 0 {
		dsl.AtomicAdd(&y[0], 1)
		for dsl.AtomicAdd(&y[0], 0) < int32(dsl.GridDim().X) {
		}
		y[1+dsl.BlockIdx().X] = 1
	}
}

// Blocks that wait for each other all run, however few processors there are.
func TestMeet(t *testing.T) {
	t.Setenv(emu.Env, "workers=1")
	for _, name := range devices {
		if err := start(t, open(t, name), noBounds(meet)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// With the sanitizer off the hardware's behaviour is left: the faults that it
// would not notice pass.
func TestOff(t *testing.T) {
	t.Setenv(emu.Env, "off,budget=100000")
	for _, name := range devices[:2] {
		d := open(t, name)
		for _, c := range faulty {
			err := start(t, d, c.k)
			noticed := c.mark == "out of bounds" || c.mark == "for ever"
			if (err != nil) != noticed {
				t.Errorf("%s: %s: %v", name, c.mark, err)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	for _, text := range []string{"of", "races", "races=maybe", "budget=-1", "budget=", "workers=x", "colour=red"} {
		t.Setenv(emu.Env, text)
		_, err := launch.Open("emu:gfx942")
		if err == nil || !strings.Contains(err.Error(), emu.Env) {
			t.Errorf("%s=%s: %v", emu.Env, text, err)
		}
	}
	t.Setenv(emu.Env, " races=off, uninit=off ,barriers=off,budget=0,workers=1,")
	open(t, "emu")
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"emu":            "emu:gfx942",
		"emu:gfx1100":    "emu:gfx1100",
		"emu:gfx1100:32": "emu:gfx1100",
		"emu:gfx1100:64": "emu:gfx1100:64",
	} {
		if d := open(t, name); d.Info().Name != want {
			t.Errorf("%s is %s, want %s", name, d.Info().Name, want)
		}
	}
	for name, want := range map[string]string{
		"emu:gfx942:32": "waves of [64]",
		"emu:gfx9999":   "gfx90a",
		"emu:gfx1100:":  "",
	} {
		_, err := launch.Open(name)
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
