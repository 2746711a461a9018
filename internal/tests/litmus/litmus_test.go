package litmus

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	require = flag.String("require", "", "a `device` that must be here")
	times   = flag.Int("times", 1, "how many times each test is run on a device")
)

// devices are those that the tests run on, with the instances of a test in different blocks
// and in one: as many as take a second or so.
var devices = []struct {
	name           string
	groups, rounds int
}{
	{"sim", 2, 2}, {"cpu", 8, 64}, {"cpu:64", 8, 64},
	{"emu:gfx942", 2, 4}, {"emu:gfx1100", 2, 4}, {"emu:gfx1100:64", 2, 4}, {"emu:gfx1201", 2, 4},
	{"cuda:0", 256, 64}, {"hip:0", 128, 64},
}

// An outcome is what the threads of an instance have read, and what remains.
type outcome struct {
	read [4][2]uint32
	x, y uint32
}

// tests are the litmus tests by orders: weak is the outcome that tells.
var tests = []struct {
	name string
	weak func(o *outcome) bool
	runs []run
}{
	{"MP", func(o *outcome) bool { return o.read[1] == [2]uint32{1, 0} }, []run{
		of[MessagePassing[Relaxed]]("relaxed", false), of[MessagePassing[Synchronised]]("release-acquire", true), of[MessagePassing[Sequential]]("seq_cst", true),
		managed[MessagePassing[SystemRelaxed]]("relaxed", false), managed[MessagePassing[SystemSync]]("release-acquire", true),
		shared[MessagePassing[BlockRelaxed]]("relaxed", false), shared[MessagePassing[BlockSync]]("release-acquire", true),
	}},
	{"SB", func(o *outcome) bool { return o.read[0][0] == 0 && o.read[1][0] == 0 }, []run{
		of[StoreBuffer[Relaxed]]("relaxed", false), of[StoreBuffer[Synchronised]]("release-acquire", false), of[StoreBuffer[Sequential]]("seq_cst", true),
		managed[StoreBuffer[SystemRelaxed]]("relaxed", false), managed[StoreBuffer[SystemSeq]]("seq_cst", true),
		shared[StoreBuffer[BlockRelaxed]]("relaxed", false), shared[StoreBuffer[BlockSeq]]("seq_cst", true),
	}},
	{"LB", func(o *outcome) bool { return o.read[0][0] == 1 && o.read[1][0] == 1 }, []run{
		of[LoadBuffer[Relaxed]]("relaxed", false), of[LoadBuffer[Synchronised]]("release-acquire", true), of[LoadBuffer[Sequential]]("seq_cst", true),
		shared[LoadBuffer[BlockSync]]("release-acquire", true),
	}},
	{"2+2W", func(o *outcome) bool { return o.x == 1 && o.y == 1 }, []run{
		of[TwoWrites[Relaxed]]("relaxed", false), of[TwoWrites[Sequential]]("seq_cst", true),
		managed[TwoWrites[SystemSeq]]("seq_cst", true), shared[TwoWrites[BlockSeq]]("seq_cst", true),
	}},
	{"IRIW", func(o *outcome) bool { return o.read[2] == [2]uint32{1, 0} && o.read[3] == [2]uint32{1, 0} }, []run{
		of[Independent[Relaxed]]("relaxed", false), of[Independent[Synchronised]]("release-acquire", false), of[Independent[Sequential]]("seq_cst", true),
		managed[Independent[SystemSeq]]("seq_cst", true), shared[Independent[BlockSeq]]("seq_cst", true),
	}},
}

// A run is a test with orders, in some memory.
type run struct {
	name    string
	forbids bool // the orders forbid the weak outcome
	kernel  *kernel.Kernel
	test    any // the Test: the kernel's first argument
	threads int
	where   string
}

func of[T Test](orders string, forbids bool) run {
	var test T
	return run{orders, forbids, kernel.New(Grid[T]), test, test.Threads(), "global"}
}

// managed is in memory of the host that devices see.
func managed[T Test](orders string, forbids bool) run {
	r := of[T](orders, forbids)
	r.where = "managed"
	return r
}

func shared[T Test](orders string, forbids bool) run {
	var test T
	return run{orders, forbids, kernel.New(Block[T]), test, test.Threads(), "shared"}
}

// managedInstances is how many instances the managed variables are of.
const managedInstances = 2048

var (
	managedX = dsl.NewManaged([managedInstances * Stride]Atomic{})
	managedY = dsl.NewManaged([managedInstances * Stride]Atomic{})
)

// TestLitmus runs all tests on all devices.
func TestLitmus(t *testing.T) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			dev, err := launch.Open(d.name)
			if err != nil {
				if kind, _, _ := strings.Cut(d.name, ":"); *require == kind {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			defer dev.Close()
			for _, test := range tests {
				for _, r := range test.runs {
					t.Run(fmt.Sprintf("%s/%s/%s", test.name, r.where, r.name), func(t *testing.T) {
						total, weak := 0, 0
						for range *times {
							all := r.outcomes(t, dev, d.groups, d.rounds)
							total += len(all)
							for i := range all {
								if test.weak(&all[i]) {
									weak++
								}
							}
						}
						t.Logf("%d instances, %d weak outcomes, %s", total, weak, map[bool]string{true: "forbidden", false: "allowed"}[r.forbids])
						if r.forbids && weak > 0 {
							t.Errorf("%d of %d instances have the outcome that %s forbids", weak, total, r.name)
						}
					})
				}
			}
		})
	}
}

// outcomes runs the test once.
func (r run) outcomes(t *testing.T, dev *launch.Device, groups, rounds int) []outcome {
	warp := dev.Info().WarpSize
	if r.where == "shared" {
		return r.inBlocks(t, dev, groups, rounds, warp)
	}
	threads := 2 * warp
	n := groups * rounds * threads
	var x, y *launch.Buffer[Atomic]
	if r.where == "managed" {
		groups = min(groups, managedInstances/threads/min(rounds, 4))
		rounds = min(rounds, 4)
		n = groups * rounds * threads
		x, y = managedBuffer(t, dev, managedX), managedBuffer(t, dev, managedY)
	} else {
		x, y = zeros[Atomic](t, dev, n*Stride), zeros[Atomic](t, dev, n*Stride)
	}
	start, out := zeros[Atomic](t, dev, n), zeros[uint32](t, dev, n*r.threads)
	cfg := launch.Config{Grid: launch.Dim3{X: groups * r.threads}, Block: launch.Dim3{X: threads}}
	must(t, r.kernel.Launch(dev.Stream(), cfg, r.test, x, y, start, out, rounds))
	finals := [2][]Atomic{make([]Atomic, x.Len()), make([]Atomic, x.Len())}
	must(t, x.Download(finals[0]))
	must(t, y.Download(finals[1]))
	all := gather(r.threads, download(t, out))
	for i := range all {
		all[i].x, all[i].y = number(finals[0][i*Stride]), number(finals[1][i*Stride])
	}
	return all
}

// inBlocks is outcomes in shared memory.
func (r run) inBlocks(t *testing.T, dev *launch.Device, groups, rounds, warp int) []outcome {
	threads := warps * r.threads * warp
	threads = min(threads, 1024/(r.threads*warp)*r.threads*warp)
	n := groups * rounds * threads / r.threads
	out, finals := zeros[uint32](t, dev, n*r.threads), zeros[uint32](t, dev, n)
	cfg := launch.Config{Grid: launch.Dim3{X: groups}, Block: launch.Dim3{X: threads}}
	must(t, r.kernel.Launch(dev.Stream(), cfg, r.test, out, finals, rounds))
	all := gather(r.threads, download(t, out))
	for i, f := range download(t, finals) {
		all[i].x, all[i].y = f&0xff, f>>8
	}
	return all
}

// gather puts together what the threads of each instance have read.
func gather(threads int, out []uint32) []outcome {
	all := make([]outcome, len(out)/threads)
	for k, part := range slices.Collect(slices.Chunk(out, len(all))) {
		for i, v := range part {
			all[i].read[k] = [2]uint32{v & 0xff, v >> 8}
		}
	}
	return all
}

// The host may read its copy of an Atomic as the number that it is.
func number(a Atomic) uint32 { return *(*uint32)(unsafe.Pointer(&a)) }

func managedBuffer(t *testing.T, dev *launch.Device, v dsl.Managed[[managedInstances * Stride]Atomic]) *launch.Buffer[Atomic] {
	t.Helper()
	b, err := launch.SymbolBuffer[Atomic](dev, v)
	must(t, err)
	must(t, b.Clear(dev.Stream()))
	return b
}

func zeros[E any](t *testing.T, dev *launch.Device, n int) *launch.Buffer[E] {
	t.Helper()
	b, err := launch.Alloc[E](dev, n)
	must(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func download[E any](t *testing.T, b *launch.Buffer[E]) []E {
	t.Helper()
	host := make([]E, b.Len())
	must(t, b.Download(host))
	return host
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
