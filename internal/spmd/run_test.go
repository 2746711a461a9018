package spmd

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/cpu"
	"heddle/internal/llvm"
	"heddle/internal/native"
	"heddle/internal/spmd/ll"
)

var (
	runs     = flag.Int("runs", 40, "random functions that are made vector code, compiled and run")
	runsSeed = flag.Uint64("runs.seed", 0, "the seed of the first of them; 0: a fresh one")
)

// blocks are shapes of blocks of at most ThreadsMax threads: long rows, short ones, incomplete gangs.
var blocks = []driver.Dim{{64, 1, 1}, {256, 1, 1}, {16, 8, 1}, {16, 16, 1}, {37, 2, 1}, {8, 8, 2}, {5, 3, 2}, {128, 2, 1}, {32, 1, 4}, {1, 1, 1}}

// TestRuns compiles vector code and holds what it stores against what the scalar code stores.
func TestRuns(t *testing.T) {
	lib, err := llvm.Open()
	if err != nil {
		t.Skip(err)
	}
	if err := native.Supported(); err != nil {
		t.Skip(err)
	}
	d, err := cpu.New().Open("")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	seed := *runsSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-runs.seed=%d", seed)
	ran := 0
	for n := range uint64(*runs) {
		hangs := time.AfterFunc(2*time.Minute, func() { panic(fmt.Sprintf("-runs=1 -runs.seed=%d: it does not end", seed+n)) })
		did, err := runOne(lib, d, seed+n)
		hangs.Stop()
		ran += did
		if err != nil {
			t.Errorf("-runs=1 -runs.seed=%d: %v", seed+n, err)
		}
	}
	t.Logf("%d launches of %d functions", ran, *runs)
	if ran < *runs {
		t.Error("too few functions have a meaning")
	}
}

// runArgs is the kernel's argument block.
type runArgs struct {
	ints, out driver.Ptr
	n         int32
	m         int64
	s         int16
	b         int8
}

func runOne(lib *llvm.Library, d driver.Device, seed uint64) (ran int, err error) {
	r := rand.New(rand.NewPCG(seed, 12))
	blocks := blocks
	text, stores := RandomFunc(r, RandomOptions{Runs: true, Control: seed%3 > 0, LLVM: lib.Major})
	mod, err := ll.Parse(text)
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	o := Options{Kernel: "k", ISA: d.Info().Arch, WarpSize: 32 + 32*r.IntN(2)}
	if r.IntN(4) == 0 {
		o.Lanes = [...]int{1, 4, 8, 16, 32}[r.IntN(5)]
	}
	if r.IntN(3) == 0 { // each launch has such blocks
		Blocks(256)
		defer Blocks(0)
		blocks = []driver.Dim{{256, 1, 1}, {16, 16, 1}}
	}
	vector, err := Vectorize(text, o)
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	code, err := compileVector(lib, vector, o.ISA)
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	f, err := d.Load(&abi.Object{Kind: abi.Native, Arch: o.ISA, WarpSize: o.WarpSize, Kernel: "k", Name: "random", Code: code,
		Sites: []abi.Site{{File: "random.ll", Line: 1}}})
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	defer f.Close()
	for range 3 {
		block := blocks[r.IntN(len(blocks))]
		did, err := launchOne(d, f, mod.Func("k"), block, stores, o.WarpSize, r)
		if err != nil {
			return ran, fmt.Errorf("%+v, blocks of %v: %w\n%s", o, block, err, text)
		}
		ran += did
	}
	return ran, nil
}

// compileVector is what codegen makes of vector code, in less time.
func compileVector(lib *llvm.Library, text, isa string) (code []byte, err error) {
	target := llvm.Target{Triple: "x86_64-unknown-linux-gnu", CPU: isa, Level: 1}
	if isa == "aarch64" {
		target.Triple, target.CPU = "aarch64-unknown-linux-gnu", "generic"
	}
	err = lib.Do(func(c *llvm.Context) error {
		m, err := c.ParseIR("random.ll", []byte(text))
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(target)
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if err := m.Verify(); err != nil {
			return err
		}
		if err := m.RunScalarPasses("default<O1>", tm); err != nil {
			return err
		}
		if HasIntMasks(text, isa, lib.Major) {
			if m, err = c.ParseIR("random.ll", []byte(HoldMasks(m.String()))); err != nil {
				return err
			}
			m.SetTarget(tm)
		}
		code, err = m.Emit(tm, llvm.Object)
		return err
	})
	return code, err
}

// launchOne runs the function for one block, if it has a meaning there.
func launchOne(d driver.Device, f driver.Function, scalar *ll.Func, block driver.Dim, stores, warp int, r *rand.Rand) (ran int, err error) {
	const base, unset = 1 << 40, 0x5a5a5a5a5a5a5a5a
	threads := block[0] * block[1] * block[2]
	ints := make([]uint32, 256)
	for n := range ints {
		ints[n] = r.Uint32() >> r.IntN(32)
	}
	args := runArgs{n: int32(r.Uint32()) >> r.IntN(32), m: int64(r.Uint64()) >> r.IntN(64), s: int16(r.Uint32()), b: int8(r.IntN(40))}
	want := make([]Val, stores*ThreadsMax)
	for n := range want {
		want[n] = Val{Lo: unset}
	}
	m := &Machine{
		Params: map[string]uint64{"ints": base, "out": 2 * base, "n": uint64(args.n), "m": uint64(args.m), "s": uint64(args.s), "b": uint64(args.b)},
		Load: func(p uint64, size int) (uint64, bool) {
			at := (p - base) / 4
			if at >= 256 || size > 4 && at == 255 {
				return 0, false
			}
			v := uint64(ints[at])
			if size > 4 {
				v |= uint64(ints[at+1]) << 32
			}
			return v & (1<<(8*size) - 1), true
		},
		Store: func(_ int, p uint64, v Val, size int) {
			if size < 8 {
				v.Lo |= uint64(unset) >> (8 * size) << (8 * size)
			}
			want[(p-2*base)/8] = v
		},
		Call: func(name string, l int) (uint64, bool) {
			x, y, z := l%block[0], l/block[0]%block[1], l/block[0]/block[1]
			n, ok := map[string]int{"heddle.thread.x": x, "heddle.thread.y": y, "heddle.thread.z": z, "heddle.lane": l % warp, "heddle.warp": l / warp,
				"heddle.block.x": 0, "heddle.dim.x": block[0], "heddle.dim.y": block[1]}[name]
			return uint64(n), ok
		},
	}
	lanes := make([]int, threads)
	for l := range lanes {
		lanes[l] = l
	}
	if _, err := Interpret(scalar, m, lanes, 0); err != nil || stores == 0 {
		return 0, nil
	}
	got, err := launchBlock(d, f, block, ints, args, 8*len(want), unset)
	if err != nil {
		return 0, err
	}
	for n, w := range want {
		if g := binary.NativeEndian.Uint64(got[8*n:]); g != w.Lo && !w.Any {
			return 0, fmt.Errorf("store %d of thread %d: %#x, want %#x", n/ThreadsMax, n%ThreadsMax, g, w.Lo)
		}
	}
	return 1, nil
}

// launchBlock runs f for one block and returns what out holds then.
func launchBlock(d driver.Device, f driver.Function, block driver.Dim, ints []uint32, args runArgs, size int, unset uint64) ([]byte, error) {
	in, err := d.Alloc(4 * len(ints))
	if err != nil {
		return nil, err
	}
	defer d.Free(in)
	out, err := d.Alloc(size)
	if err != nil {
		return nil, err
	}
	defer d.Free(out)
	copy(unsafe.Slice((*uint32)(in), len(ints)), ints) // the cpu's memory is the host's
	held := unsafe.Slice((*byte)(out), size)
	for n := 0; n < size; n += 8 {
		binary.NativeEndian.PutUint64(held[n:], unset)
	}
	args.ints, args.out = in, out
	s, err := d.NewStream(driver.StreamOptions{})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Launch(f, &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: block}, unsafe.Slice((*byte)(unsafe.Pointer(&args)), unsafe.Sizeof(args)), nil); err != nil {
		return nil, err
	}
	if err := s.Sync(); err != nil {
		return nil, err
	}
	if p := f.TakePanic(); p != nil {
		return nil, fmt.Errorf("it panics")
	}
	return append([]byte(nil), held...), nil
}
