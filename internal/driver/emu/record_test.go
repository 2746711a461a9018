package emu_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/internal/driver/emu"
	"heddle/kernel"
	"heddle/launch"
)

// triple is traced.
func triple(y []int32) {
	t := dsl.ThreadIdx().X
	v, i := int32(t)*3, dsl.GlobalIdx().X
	y[i] = v          // TRACED all threads
	dsl.SyncThreads() // TRACED the barrier
	if t%2 == 1 {
		y[i] = 777 // TRACED some threads
	}
}

var tripleKernel = noBounds(triple)

// launched runs a kernel on blocks of 256 threads with as many elements as there
// are threads.
func launched(t *testing.T, d *launch.Device, k *kernel.Kernel, blocks int) error {
	t.Helper()
	b, err := launch.Alloc[int32](d, 256*blocks)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	queue(t, k, d, 256*blocks, 256, b)
	return d.Stream().Sync()
}

func queue(t *testing.T, k *kernel.Kernel, d *launch.Device, n, block int, args ...any) {
	t.Helper()
	if err := k.Launch(d.Stream(), launch.Linear(n, block), args...); err != nil {
		t.Fatal(err)
	}
}

// record runs f on a device with options that end in the name of a file, and
// returns the file's lines.
func record(t *testing.T, device, options string, f func(d *launch.Device)) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "record")
	t.Setenv(emu.Env, options+file)
	f(open(t, device))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// traceLine is an instruction of a trace: exec mask, program counter, text, and
// what has changed.
var traceLine = regexp.MustCompile(`^  ([0-9a-f]{8,16}) 0x([0-9a-f]{4,})  (\S+)`)

// The lines of the kernel come in order, the mask of a branch is that of its
// threads, and a register has the value that the source gives it.
func TestTrace(t *testing.T) {
	var want []string // lines of the kernel
	source, err := os.ReadFile("record_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(source), "\n") {
		if _, mark, ok := strings.Cut(line, "// TRACED "); ok && !strings.HasPrefix(mark, `"`) {
			want = append(want, fmt.Sprintf("record_test.go:%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	for _, name := range devices {
		t.Run(name, func(t *testing.T) {
			size := 0
			text := record(t, name, "kernel=triple,block=2,wave=1,trace=", func(d *launch.Device) {
				size = d.Info().WarpSize
				for range 2 { // only one of them is traced
					if err := launched(t, d, tripleKernel, 4); err != nil {
						t.Fatal(err)
					}
				}
			})
			checkTrace(t, text, want, size)
			all := strings.Join(text, "\n")
			if header := fmt.Sprintf("emu_test.triple on %s, wave 1 of block [2 0 0], grid [4 1 1] of blocks [256 1 1]", name); text[0] != header {
				t.Errorf("it begins %q, want %q", text[0], header)
			}
			first := 3 * size // of thread size, the wave's first
			value := fmt.Sprintf("[0-%d]=%#x,%#x..%#x", size-1, first, first+3, first+3*(size-1))
			if !strings.Contains(all, value) || !strings.Contains(all, "=0x309*") {
				t.Errorf("no register has %s, or 0x309:\n%s", value, all)
			}
		})
	}
}

// checkTrace looks at the lines of Go, at the exec masks of the two stores and
// at the end.
func checkTrace(t *testing.T, text, want []string, size int) {
	t.Helper()
	var places, masks, counters []string
	for _, line := range text {
		if m := traceLine.FindStringSubmatch(line); m != nil {
			counters = append(counters, m[2])
			if strings.HasPrefix(m[3], "global_store") {
				masks = append(masks, m[1])
			}
		} else if slices.Contains(want, line) && !slices.Contains(places, line) {
			places = append(places, line)
		}
	}
	if !slices.Equal(places, want) {
		t.Errorf("the lines of Go are %q, want %q", places, want)
	}
	if all := []string{strings.Repeat("f", size/4), strings.Repeat("a", size/4)}; !slices.Equal(masks, all) {
		t.Errorf("the stores have exec masks %v, want %v", masks, all)
	}
	if !slices.IsSorted(counters) || counters[0] != "0000" { // there is no loop
		t.Errorf("the program counters are %v", counters)
	}
	if last := text[len(text)-1]; last != fmt.Sprintf("%d instructions", len(counters)) {
		t.Errorf("%d instructions, and the last line is %q", len(counters), last)
	}
}

func TestTraceEnds(t *testing.T) {
	text := record(t, "emu:gfx1100", "lines=6,trace=", func(d *launch.Device) {
		if err := launched(t, d, tripleKernel, 4); err != nil {
			t.Fatal(err)
		}
	})
	if len(text) != 2+6+1 || text[8] != "cut after 6 lines" {
		t.Errorf("with lines=6: %q", text)
	}
	text = record(t, "emu:gfx1100", "wave=6,trace=", func(d *launch.Device) {
		if err := launched(t, d, noBounds(outside), 1); err == nil {
			t.Fatal("no error")
		}
	})
	if end := regexp.MustCompile(`global_store_b32 .*\nthe launch failed: .* past the end of the buffer`); !end.MatchString(strings.Join(text, "\n")) {
		t.Errorf("of a launch that fails: %q", text)
	}
	text = record(t, "emu:gfx1100", "kernel=other,trace=", func(d *launch.Device) {
		if err := launched(t, d, tripleKernel, 4); err != nil {
			t.Fatal(err)
		}
	})
	if len(text) != 1 || text[0] != "" {
		t.Errorf("of no launch: %q", text)
	}
}

// banked accesses shared memory with a stride.
func banked(y []int32, stride int) {
	tile := dsl.Shared[[64 * 33]int32]()
	t := dsl.ThreadIdx().X
	tile[t*stride] = int32(t)
	dsl.SyncThreads()
	y[t] = tile[t*stride]
}

// gathered reads global memory with a stride.
func gathered(x, y []int32, stride int) {
	t := dsl.ThreadIdx().X
	y[t] = x[t*stride]
}

var bankedKernel, gatheredKernel = noBounds(banked), noBounds(gathered)

// statsLine is what the option stats writes.
var statsLine = regexp.MustCompile(`^\S+\.(\w+) on (\S+), grid \[1 1 1\], block \[64 1 1\]: (\d+) waves? of 1 block, (\d+) instructions \((.*)\), (\d+) LDS bank conflicts?, (\d+) memory transactions? for (\d+) bytes$`)

// Counts of accesses whose cost is known: 64 threads, a dword each.
func TestStats(t *testing.T) {
	for _, name := range devices {
		t.Run(name, func(t *testing.T) {
			var want []string
			text := record(t, name, "stats=", func(d *launch.Device) { want = measure(t, d) })
			if len(text) != len(want) {
				t.Fatalf("%d lines, want %d: %q", len(text), len(want), text)
			}
			for i, line := range text {
				m := statsLine.FindStringSubmatch(line)
				if m == nil || m[2] != name {
					t.Fatalf("line %q", line)
				}
				classes, sum := map[string]string{}, 0
				for class := range strings.SplitSeq(m[5], ", ") {
					key, value, _ := strings.Cut(class, " ")
					n, err := strconv.Atoi(value)
					if err != nil {
						t.Errorf("%q: %v", line, err)
					}
					classes[key] = value
					sum += n
				}
				if m[4] != strconv.Itoa(sum) {
					t.Errorf("the classes are %d instructions: %s", sum, line)
				}
				got := fmt.Sprintf("%s: %s waves, vmem %s, lds %s, %s conflicts, %s transactions, %s bytes", m[1], m[3], classes["vmem"], classes["lds"], m[6], m[7], m[8])
				if got != want[i] {
					t.Errorf("got  %s\nwant %s", got, want[i])
				}
			}
		})
	}
}

// measure launches kernels and says what they cost.
func measure(t *testing.T, d *launch.Device) (want []string) {
	x, err := launch.Upload(d, make([]int32, 64*32))
	if err != nil {
		t.Fatal(err)
	}
	y, err := launch.Alloc[int32](d, 64)
	if err != nil {
		t.Fatal(err)
	}
	waves := 64 / d.Info().WarpSize
	run := func(k *kernel.Kernel, cost string, args ...any) {
		queue(t, k, d, 64, 64, args...)
		if err := d.Stream().Sync(); err != nil {
			t.Fatal(err)
		}
		want = append(want, cost)
	}
	// LDS serves 32 lanes at once: two groups of lanes, and a store and a load.
	for _, c := range []struct{ stride, extra int }{{1, 0}, {2, 1}, {8, 7}, {32, 31}, {33, 0}} {
		run(bankedKernel, fmt.Sprintf("banked: %d waves, vmem %d, lds %d, %d conflicts, 2 transactions, 256 bytes", waves, waves, 2*waves, 2*2*c.extra), y, c.stride)
	}
	// Lines of 128 bytes: y is 2 of them, and x as many as the stride makes.
	for _, c := range []struct{ stride, lines int }{{1, 2}, {2, 4}, {8, 16}, {32, 64}, {0, waves}} {
		run(gatheredKernel, fmt.Sprintf("gathered: %d waves, vmem %d, lds , 0 conflicts, %d transactions, 512 bytes", waves, 2*waves, 2+c.lines), x, y, c.stride)
	}
	return want
}

// "-", and stats alone, is standard error.
func TestStandardError(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	defer func(old *os.File) { os.Stderr = old }(os.Stderr)
	os.Stderr = file
	// Devices with the same options share what has been traced, in a process: so
	// that the test can be repeated, the options differ.
	t.Setenv(emu.Env, fmt.Sprintf("stats,trace=-,kernel=triple,lines=%d", 1000+time.Now().UnixNano()%1e6))
	if err := launched(t, open(t, "emu:gfx90a"), tripleKernel, 4); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file.Name())
	if err != nil || !strings.Contains(string(text), "s_endpgm\n") || !strings.Contains(string(text), "16 waves of 4 blocks") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestRecordOptions(t *testing.T) {
	open(t, "emu:gfx942")
	for option, want := range map[string]string{
		"trace":               "option trace: it has no value",
		"trace=/nowhere/file": "option trace: open /nowhere/file",
		"stats=/nowhere/file": "option stats: open /nowhere/file",
		"stats=":              "option stats=: it has no value",
		"kernel=":             "option kernel=: it has no value",
		"block=1.2.3.4":       "option block=1.2.3.4: want up to three numbers",
		"block=x":             "option block=x: want up to three numbers",
		"block=":              "option block=: want up to three numbers",
		"wave=-1":             "option wave=-1: want a number",
		"lines=many":          "option lines=many: want a number",
		"frace=-":             `what is "frace=-"?`,
	} {
		t.Setenv(emu.Env, option)
		if _, err := launch.Open("emu:gfx942"); err == nil || !strings.Contains(err.Error(), emu.Env) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", option, err, want)
		}
	}
}
