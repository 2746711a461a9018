package conformance

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Printing: the lines must be those that package fmt makes of the same values.

type kelvin float32

type printIn struct {
	I8  int8
	U16 uint16
	I32 int32
	U64 uint64
	F32 float32
	F64 float64
	C64 complex64
	T   kelvin
	N   int
}

func printedInput(i int) printIn {
	return printIn{int8(i * 37), uint16(i * 4099), int32(i*65537) - 1<<20, ^uint64(0) / uint64(i+1), float32(i) / 3, 1e300 / float64(i*i+1),
		complex(float32(i), -0.5), kelvin(i) * 1.25, i - 40}
}

// printAll prints all that can be printed.
func printAll(in []printIn) {
	i := dsl.GlobalIdx().X
	if i >= len(in) {
		return
	}
	v := in[i]
	dsl.Printf("int %04d: %d %+d %x %#X %c %U %q %o %b %v %v %08b\n", i, v.I8, v.I32, v.U64, v.U16, rune(v.U16), v.I32&0x3ff, rune(v.N+60), v.U16, v.I8, v.N, v.U64, uint8(v.I8))
	dsl.Printf("float %04d: %g %e %8.3f %-12.4g| %v %v %x %v %.2f\n", i, v.F32, v.F64, v.F32, v.F64, v.F64, v.C64, v.F32, v.T, v.C64)
	if i%3 == 1 {
		dsl.Printf("text %04d: %s %q %-8v| %t %5t %v 100%%\n", i, "warp", "we\"ft", "x", v.N > 0, v.I8 < 0, i%2 == 0)
	}
	for r := range i % 4 {
		dsl.Printf("order %04d: %[2]*[3]d %[1]d of %[4]d\n", i, 6, r, i%4)
	}
	dsl.Printf("many %04d: %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n",
		i, 1*i, 2*i, 3*i, 4*i, 5*i, 6*i, 7*i, 8*i, 9*i, 10*i, 11*i, 12*i, 13*i, 14*i, 15*i, 16*i, 17*i, 18*i, 19*i, 20*i, 21*i, 22*i, 23*i)
}

// printedLines are the lines of thread i.
func printedLines(i int, v printIn) []string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "int %04d: %d %+d %x %#X %c %U %q %o %b %v %v %08b\n", i, v.I8, v.I32, v.U64, v.U16, rune(v.U16), v.I32&0x3ff, rune(v.N+60), v.U16, v.I8, v.N, v.U64, uint8(v.I8))
	fmt.Fprintf(&b, "float %04d: %g %e %8.3f %-12.4g| %v %v %x %v %.2f\n", i, v.F32, v.F64, v.F32, v.F64, v.F64, v.C64, v.F32, v.T, v.C64)
	if i%3 == 1 {
		fmt.Fprintf(&b, "text %04d: warp \"we\\\"ft\" x       | %t %5t %v 100%%\n", i, v.N > 0, v.I8 < 0, i%2 == 0)
	}
	for r := range i % 4 {
		fmt.Fprintf(&b, "order %04d: %6d %d of %d\n", i, r, i, i%4)
	}
	fmt.Fprintf(&b, "many %04d:", i)
	for k := range 23 {
		fmt.Fprintf(&b, " %d", (k+1)*i)
	}
	b.WriteByte('\n')
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// printed is what the device prints while f runs.
func (t *T) printed(f func()) []string {
	var out lockedBuffer
	t.Dev.SetOutput(&out)
	defer t.Dev.SetOutput(nil)
	f()
	out.mu.Lock()
	defer out.mu.Unlock()
	return strings.Split(strings.TrimSuffix(out.b.String(), "\n"), "\n")
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func printCase() Case {
	k := kernel.New(printAll)
	return Case{"print/printf", "printf", []*kernel.Kernel{k}, func(t *T) {
		in := filled(150, printedInput)
		lines := t.printed(func() { t.run(k, launch.Linear(len(in), 96), upload(t, in)) })
		got := map[string][]string{} // by kind and thread
		for _, line := range lines {
			key, _, _ := strings.Cut(line, ":")
			got[key[strings.IndexByte(key, ' ')+1:]] = append(got[key[strings.IndexByte(key, ' ')+1:]], line)
		}
		for i, v := range in {
			if have, want := got[fmt.Sprintf("%04d", i)], printedLines(i, v); !slices.Equal(have, want) {
				t.Fatalf("thread %d printed\n%s\nwant\n%s", i, strings.Join(have, "\n"), strings.Join(want, "\n"))
			}
		}
		if len(got) != len(in) {
			t.Errorf("%d threads printed, want %d", len(got), len(in))
		}
	}}
}

// printFrom prints at the end of calls, in divergent code and around a barrier.
func printFrom(which, n int) int {
	if which%2 == 0 {
		dsl.Printf("%d even of %d\n", which, n)
		return which
	}
	dsl.Printf("%d odd of %d\n", which, n)
	return which + 1
}

//go:noinline
func printBelow[N int8 | uint8](v N) { dsl.Printf("%v %d\n", v, v) }

func printCalls(out []int) {
	i := dsl.ThreadIdx().X
	n := dsl.BlockDim().X
	out[i] = printFrom(i, n)
	dsl.SyncThreads()
	for j := i; j < n; j += 7 {
		if j%5 == 0 {
			continue
		}
		if j%3 == 0 {
			printBelow(int8(-j))
			break
		}
		printBelow(uint8(j))
	}
}

func printCallsCase() Case {
	k := kernel.New(printCalls)
	return Case{"print/calls", "printf", []*kernel.Kernel{k}, func(t *T) {
		const n = 70
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("%d %s of %d", i, [2]string{"even", "odd"}[i%2], n))
			for j := i; j < n; j += 7 {
				if j%5 != 0 && j%3 == 0 {
					want = append(want, fmt.Sprintf("%d %d", int8(-j), int8(-j)))
					break
				} else if j%5 != 0 {
					want = append(want, fmt.Sprintf("%d %d", j, j))
				}
			}
		}
		lines := t.printed(func() { t.run(k, launch.Linear(n, n), alloc[int](t, n)) })
		slices.Sort(want)
		slices.Sort(lines)
		if !slices.Equal(lines, want) {
			t.Errorf("printed\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
	}}
}

func assertKernel(n int, out []int) {
	i := dsl.GlobalIdx().X
	dsl.Assert(i != n, "thread 50% is not 77")
	out[i] = i
}

func assertCase() Case {
	k := kernel.New(assertKernel)
	return Case{"print/assert", "assert", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 128)
		t.run(k, launch.Linear(128, 64), 128, out)
		for i, v := range download(t, out) {
			if v != i {
				t.Fatalf("thread %d wrote %d", i, v)
			}
		}
		p := t.fails(k, launch.Linear(128, 64), 77, out)
		if p.Value != "assertion failed: thread 50% is not 77" || p.Runtime || p.Block.X != 1 || p.Thread.X != 13 {
			t.Error(p)
		}
	}}
}

func printCases() []Case { return []Case{printCase(), printCallsCase(), assertCase()} }
