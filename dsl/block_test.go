package dsl_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/simt"
)

func TestGeometry(t *testing.T) {
	cfg := simt.Config{Grid: simt.Dim{X: 3, Y: 2, Z: 2}, Block: simt.Dim{X: 5, Y: 4, Z: 3}, WarpSize: 32}
	seen := map[[2]dsl.Dim3]int{}
	err := simt.Run(cfg, func() {
		b, i := dsl.BlockIdx(), dsl.ThreadIdx()
		seen[[2]dsl.Dim3{b, i}]++
		check("BlockDim", dsl.BlockDim(), dsl.Dim3{X: 5, Y: 4, Z: 3})
		check("GridDim", dsl.GridDim(), dsl.Dim3{X: 3, Y: 2, Z: 2})
		check("GlobalIdx", dsl.GlobalIdx(), dsl.Dim3{X: b.X*5 + i.X, Y: b.Y*4 + i.Y, Z: b.Z*3 + i.Z})
		check("GlobalSize", dsl.GlobalSize(), dsl.Dim3{X: 15, Y: 8, Z: 6})
		n := i.X + 5*(i.Y+4*i.Z)
		check("LaneID", dsl.LaneID(), n%32)
		check("WarpID", dsl.WarpID(), n/32)
		check("WarpSize", dsl.WarpSize(), 32)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 12*60 {
		t.Fatalf("%d threads ran, want %d", len(seen), 12*60)
	}
	for at, n := range seen {
		if n != 1 {
			t.Errorf("block %v thread %v ran %d times", at[0], at[1], n)
		}
	}
}

func TestBlockSum(t *testing.T) {
	for _, warp := range []int{32, 64} {
		out := make([]int, 7)
		cfg := line(warp, 256)
		cfg.Grid.X = len(out)
		err := simt.Run(cfg, func() {
			tile := dsl.Shared[[256]int]()
			i := dsl.ThreadIdx().X
			tile[i] = dsl.GlobalIdx().X
			dsl.SyncThreads()
			for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
				if i < d {
					tile[i] += tile[i+d]
				}
				dsl.SyncThreads()
			}
			if i == 0 {
				out[dsl.BlockIdx().X] = tile[0]
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for b, got := range out {
			if want := 256*256*b + 255*128; got != want {
				t.Errorf("block %d: %d, want %d", b, got, want)
			}
		}
	}
}

func TestBarrierPredicates(t *testing.T) {
	eachShape(t, func(t *testing.T, warp, n int) {
		run(t, warp, n, func() {
			i := dsl.ThreadIdx().X
			check("count", dsl.SyncThreadsCount(i%3 == 0), (n+2)/3)
			check("and", dsl.SyncThreadsAnd(true), true)
			check("and but one", dsl.SyncThreadsAnd(i != n-1), false)
			check("or", dsl.SyncThreadsOr(i == n-1), true)
			check("or none", dsl.SyncThreadsOr(false), false)
		})
	})
}

func scratch() *[4]int32 { return dsl.Shared[[4]int32]() }

//go:noinline
func scratchOutOfLine() *[4]int32 { return dsl.Shared[[4]int32]() }

func scratchOf[T any]() *T { return dsl.Shared[T]() }

func TestSharedIdentity(t *testing.T) {
	run(t, 32, 64, func() {
		i := dsl.ThreadIdx().X
		check("the helper's variable", scratch(), scratch())
		check("the helper's variable, not inlined", scratchOutOfLine(), scratchOutOfLine())
		if scratch() == scratchOutOfLine() {
			panic("two declarations are one variable")
		}
		a, b := dsl.Shared[int32](), dsl.Shared[int32]()
		if a == b {
			panic("two declarations on a line are one variable")
		}
		var first *int64
		for range 3 {
			p := dsl.Shared[int64]()
			if first == nil {
				first = p
			}
			check("in a loop", p, first)
		}
		var p *float64
		if i%2 == 0 {
			p = scratchOf[float64]()
		} else {
			p = scratchOf[float64]()
		}
		check("from two branches", p, scratchOf[float64]())
		if any(scratchOf[float32]()) == any(p) {
			panic("instances share a variable")
		}
		*a = 1
		dsl.SyncThreads()
		dsl.AtomicAdd(a, 1)
		dsl.SyncThreads()
		check("sum", *a, 65)
	})
}

func TestSharedStartsPoisoned(t *testing.T) {
	cfg := line(32, 2)
	cfg.Grid.X, cfg.Shared = 2, 20
	err := simt.Run(cfg, func() {
		f, d, i := dsl.Shared[[3]float32](), dsl.Shared[float64](), dsl.Shared[int32]()
		p := dsl.Shared[struct{ p *int }]()
		dyn := dsl.DynamicShared[float32]()
		if dsl.ThreadIdx().X == 0 {
			if f[2] == f[2] || *d == *d || dyn[4] == dyn[4] {
				panic(fmt.Sprint("not NaN: ", f, *d, dyn))
			}
			check("int32", *i, -23131)
			check("pointer", p.p, nil)
		}
		dsl.SyncThreads()
		f[2], *d, *i, dyn[4] = 1, 2, 3, 4 // to be gone in the next block
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDynamicShared(t *testing.T) {
	cfg := line(32, 32)
	cfg.Shared = 130
	err := simt.Run(cfg, func() {
		words, bytes := dsl.DynamicShared[uint32](), dsl.DynamicShared[byte]()
		check("words", len(words), 32)
		check("bytes", len(bytes), 130)
		check("large", len(dsl.DynamicShared[[131]byte]()), 0)
		check("of no size", len(dsl.DynamicShared[struct{}]()), 0)
		i := dsl.ThreadIdx().X
		words[i] = uint32(i)
		dsl.SyncThreads()
		check("same memory", bytes[4*(31-i)], byte(31-i))
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, 32, 1, func() { check("none", len(dsl.DynamicShared[int]()), 0) })
	err = simt.Run(line(32, 1), func() { dsl.DynamicShared[*int]() })
	if err == nil || !strings.Contains(err.Error(), "*int holds pointers") {
		t.Error(err)
	}
}

func TestSharedLimit(t *testing.T) {
	cfg := line(32, 1)
	cfg.SharedMax, cfg.Shared = 1<<10, 512
	if err := simt.Run(cfg, func() { dsl.Shared[[512]byte]() }); err != nil {
		t.Error(err)
	}
	err := simt.Run(cfg, func() { dsl.Shared[[513]byte]() })
	if err == nil || !strings.Contains(err.Error(), "uses 1025 bytes of shared memory (512 of them dynamic), the device has 1024") {
		t.Error(err)
	}
}

func TestAtomics(t *testing.T) {
	checkAtomics[int](t)
	checkAtomics[int32](t)
	checkAtomics[int64](t)
	checkAtomics[uint](t)
	checkAtomics[uint32](t)
	checkAtomics[uint64](t)
	checkArithmetic[float32](t)
	checkArithmetic[float64](t)
	nan := float32(math.NaN())
	for _, c := range []struct{ start, v, min, max float32 }{
		{nan, 1, 1, 1}, {1, nan, 1, 1}, {1, 2, 1, 2}, {2, 1, 1, 2},
	} {
		lo, hi := c.start, c.start
		run(t, 32, 1, func() { dsl.AtomicMin(&lo, c.v); dsl.AtomicMax(&hi, c.v) })
		if lo != c.min || hi != c.max {
			t.Errorf("min, max of %v and %v: %v, %v", c.start, c.v, lo, hi)
		}
	}
	z := math.Copysign(0, -1)
	run(t, 32, 1, func() {
		dsl.AtomicCAS(&z, 0, 1) // -0 is not 0 here
		check("old", math.Signbit(dsl.AtomicCAS(&z, z, 5)), true)
	})
	check("CAS by bits", z, 5)
}

// checkArithmetic runs the atomics that floats have too, on 100 threads.
func checkArithmetic[T dsl.AtomicNumber](t *testing.T) {
	t.Helper()
	var sum, cas T
	low, high := T(50), T(50)
	ticket := T(0)
	seen := map[T]bool{}
	run(t, 32, 100, func() {
		i := T(dsl.ThreadIdx().X)
		seen[dsl.AtomicAdd(&ticket, 1)] = true
		dsl.AtomicAdd(&sum, i+1)
		dsl.AtomicSub(&sum, 1)
		dsl.AtomicMin(&low, i+3)
		dsl.AtomicMax(&high, i)
		for old := cas; ; {
			was := dsl.AtomicCAS(&cas, old, old+i)
			if was == old {
				break
			}
			old = was
		}
	})
	if sum != 4950 || cas != 4950 || low != 3 || high != 99 || len(seen) != 100 {
		t.Errorf("%T: sum %v, cas %v, min %v, max %v, %d tickets", sum, sum, cas, low, high, len(seen))
	}
	ex := T(7)
	run(t, 32, 1, func() { check("exch", dsl.AtomicExch(&ex, 8), 7) })
	check("exchanged", ex, 8)
}

func checkAtomics[T dsl.AtomicInteger](t *testing.T) {
	t.Helper()
	checkArithmetic[T](t)
	and, or, xor := T(0xff), T(0), T(0)
	run(t, 64, 7, func() {
		i := dsl.ThreadIdx().X
		dsl.AtomicAnd(&and, ^(T(1) << i))
		dsl.AtomicOr(&or, T(1)<<i)
		dsl.AtomicXor(&xor, T(3)<<i)
	})
	if and != 0x80 || or != 0x7f || xor != 0x81 {
		t.Errorf("%T: and %#x, or %#x, xor %#x", and, and, or, xor)
	}
}

func TestAtomicIncDec(t *testing.T) {
	inc, dec := uint32(0), uint32(9)
	run(t, 32, 10, func() {
		check("inc", dsl.AtomicInc(&inc, 3), uint32(dsl.ThreadIdx().X%4))
		dsl.AtomicDec(&dec, 4) // 9 is more than 4: 4 3 2 1 0 4 3 2 1 0
	})
	if inc != 2 || dec != 0 {
		t.Errorf("inc %d, dec %d", inc, dec)
	}
}

// A thread that spins lets the one it waits for run, in its warp or another.
func TestSpin(t *testing.T) {
	for _, waiter := range []int{0, 40} {
		flag := int32(0)
		run(t, 32, 64, func() {
			switch dsl.ThreadIdx().X {
			case waiter:
				for dsl.AtomicAdd(&flag, 0) == 0 {
				}
			case 50:
				dsl.AtomicExch(&flag, 1)
			}
			dsl.SyncThreads()
			check("flag", flag, 1)
		})
	}
	turn := int32(0) // of thread 63, then 62, ...
	run(t, 32, 64, func() {
		for dsl.AtomicAdd(&turn, 0) != int32(63-dsl.ThreadIdx().X) {
			dsl.ThreadFence()
		}
		dsl.ThreadFenceBlock()
		dsl.AtomicAdd(&turn, 1)
		dsl.ThreadFenceSystem()
	})
	check("turn", turn, 64)
}

func TestClocks(t *testing.T) {
	run(t, 32, 1, func() {
		a, b := dsl.WallClock64(), dsl.Clock64()
		for dsl.WallClock64() == a || dsl.Clock64() == b {
		}
		if dsl.WallClock64() < a || dsl.Clock64() < b {
			panic("a clock runs backwards")
		}
	})
}

func TestOutsideKernel(t *testing.T) {
	calls := map[string]func(){
		"ThreadIdx": func() { dsl.ThreadIdx() }, "SyncThreads": dsl.SyncThreads,
		"Shfl": func() { dsl.Shfl(1, 0) }, "Shared": func() { dsl.Shared[int]() },
		"AtomicAdd": func() { var x int; dsl.AtomicAdd(&x, 1) },
	}
	for name, call := range calls {
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, "dsl."+name+" called outside a kernel: ") {
					t.Errorf("%s: %s", name, s)
				}
			}()
			call()
		}()
	}
}

// here returns this file and the line of its caller plus off.
func here(off int) string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line+off)
}

func TestFailures(t *testing.T) {
	var x [4]int
	var null *int
	zero := 0
	for _, c := range []struct {
		name, pos string
		threads   int
		kernel    func()
		want      []string
	}{
		{"divergent return", here(2), 100, func() {
			if dsl.ThreadIdx().X >= 30 {
				dsl.SyncThreads()
			}
		}, []string{"barrier divergence in block (0, 0, 0)", "70 of 100 threads wait at dsl.SyncThreads", "first thread (30, 0, 0)", "30 have returned"}},
		{"two barriers", here(4), 64, func() {
			if dsl.ThreadIdx().X == 5 {
				dsl.SyncThreads()
			} else {
				dsl.SyncThreadsCount(true)
			}
		}, []string{"1 of 64 threads wait at dsl.SyncThreads (", "63 of 64 threads wait at dsl.SyncThreadsCount"}},
		{"incomplete mask", here(2), 32, func() {
			if dsl.LaneID() < 4 {
				dsl.BallotSync(0xff, true)
			} else {
				dsl.SyncThreads()
			}
		}, []string{"warp deadlock in warp 0", "4 of 32 threads wait at dsl.BallotSync with mask 0xff", "28 of 32 threads wait at dsl.SyncThreads"}},
		{"unequal masks", here(0), 32, func() { dsl.ShflSync(^uint64(0)<<(dsl.LaneID()%2), 1, 0) },
			[]string{"16 of 32 threads wait at dsl.ShflSync with mask 0xffffffff", "16 of 32 threads wait at dsl.ShflSync with mask 0xfffffffe"}},
		{"not in mask", here(0), 32, func() { dsl.AnySync(1, true) },
			[]string{"dsl.AnySync: mask 0x1 does not name the calling lane 1"}},
		{"width", here(0), 32, func() { dsl.ShflWidth(1, 0, 12) }, []string{"dsl.ShflWidth: width 12: want a power of two up to the warp size 32"}},
		{"wide", here(0), 32, func() { dsl.ShflXorWidth(1, 0, 64) }, []string{"width 64"}},
		{"index", here(0), 8, func() { x[dsl.ThreadIdx().X]++ }, []string{"index out of range [4] with length 4", "thread (4, 0, 0)"}},
		{"nil", here(0), 8, func() { *null = 1 }, []string{"nil pointer dereference"}},
		{"division", here(0), 8, func() { zero /= zero }, []string{"integer divide by zero"}},
		{"panic", here(0), 8, func() { panic("no way") }, []string{"panic: no way", "block (0, 0, 0), thread (0, 0, 0)"}},
		{"panic behind a barrier", here(3), 8, func() {
			dsl.SyncThreads()
			if dsl.ThreadIdx().X == 3 {
				panic(errors.New("late"))
			}
			dsl.SyncThreads()
		}, []string{"panic: late", "thread (3, 0, 0)"}},
		{"panic in a shuffle", here(0), 64, func() { dsl.Shfl(x[dsl.LaneID()], 0) }, []string{"index out of range"}},
		{"goexit", here(0), 64, func() { dsl.SyncThreads(); runtime.Goexit() }, []string{"runtime.Goexit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := simt.Run(line(32, c.threads), c.kernel)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range append(c.want, c.pos) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nlacks %q", err, want)
				}
			}
			if first, _, _ := strings.Cut(err.Error(), ": "); !strings.HasSuffix(first, c.pos) {
				t.Errorf("%v\nstarts at %s, want %s", err, first, c.pos)
			}
		})
	}
	run(t, 32, 64, dsl.SyncThreads) // nothing is left behind
}
