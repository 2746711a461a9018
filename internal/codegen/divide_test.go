package codegen

import (
	"flag"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"heddle/internal/amdemu"
)

var (
	divideSeed  = flag.Uint64("divideseed", 1, "which divisions TestDivide makes")
	divideCount = flag.Int("divides", 2, "kernels of `n` divisions each that TestDivide compiles for each processor")
)

// Divisions of all widths, of values that are extended, masked, shifted and
// constant, are right on emulated processors, whichever way their reciprocals
// are rounded. LLVM's own are not: see divide.go.
func TestDivide(t *testing.T) {
	major := skipWithoutLLVM(t)
	const each, threads = 24, 256
	seed := *divideSeed
	for _, passes := range []string{"default<O3>", "default<O1>", "default<O0>"} {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			for n := range *divideCount {
				rnd := rand.New(rand.NewPCG(seed, uint64(n)))
				var ds []*division
				for range each {
					ds = append(ds, randomDivision(rnd))
				}
				in := divideInputs(rnd, threads)
				for i := range in { // as all threads see them
					in[i][2], in[i][3] = in[0][2], in[0][3]
				}
				r := request(divideModule(ds), "k", arch)
				r.Passes = passes
				amdemu.ReciprocalError.Store(int32(n%3 - 1))
				defer amdemu.ReciprocalError.Store(0)
				out := make([]uint64, each*threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Fatal(err)
				}
				for k, d := range ds {
					wrong := 0
					for i := range in {
						got, want := out[i*each+k], d.eval(in[i])
						if got == want {
							continue
						}
						if wrong++; wrong == 1 {
							t.Errorf("LLVM %d, %s, %s, kernel %d: %s i%d of %v and %v (%s %d), at %#x: %#x, want %#x",
								major, arch, passes, n, d.op, d.width, d.x, d.y, d.flags, d.c, in[i], got, want)
						}
					}
				}
			}
			seed++
		}
	}
}

// The estimates of divide.ll are never too large, and two corrections make them
// right, for divisors of all sizes beside multiples of them, whichever way the
// reciprocals are rounded.
func TestDivideEstimates(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 1024
	kinds := []*division{
		{op: "udiv", width: 64, flags: "guard"},
		{op: "udiv", width: 32, flags: "guard"},
		{op: "udiv", width: 16, flags: "guard"},
		{op: "sdiv", width: 16, flags: "guard"},
	}
	for _, d := range kinds {
		own := chain{{"own", 64, 0}}
		if d.width < 64 {
			own = append(own, step{"trunc", d.width, 0})
		}
		d.x, d.y = own, own
	}
	const arch = "gfx90a"
	if !cpus.Get()[arch].has(major) {
		t.Skip("not known to this LLVM")
	}
	defer amdemu.ReciprocalError.Store(0)
	rnd := rand.New(rand.NewPCG(*divideSeed, 3))
	k, err := loadEmulated(request(divideModule(kinds), "k", arch))
	if err != nil {
		t.Fatal(err)
	}
	for e := range int32(3) {
		amdemu.ReciprocalError.Store(e - 1)
		for range 30 * *divideCount {
			in := make([][4]uint64, threads)
			for i := range in {
				width := kinds[rnd.IntN(len(kinds))].width
				y := rnd.Uint64() >> (64 - width) >> rnd.IntN(width)
				if rnd.IntN(4) == 0 { // near a power of two, where units are largest
					y = 1<<rnd.IntN(width) + uint64(rnd.IntN(65)) - 32
				}
				y = max(1, y&mask(width))
				q := mask(width) / y
				if rnd.IntN(2) == 0 {
					q = rnd.Uint64N(q) + 1
				}
				in[i] = [4]uint64{q*y + uint64(rnd.IntN(3)) - 1, y}
			}
			out := make([]uint64, len(kinds)*threads)
			if _, err := k(bytesOf(in), bytesOf(out), threads); err != nil {
				t.Fatal(err)
			}
			for i := range in {
				for j, d := range kinds {
					if got, want := out[i*len(kinds)+j], d.eval(in[i]); got != want {
						t.Fatalf("reciprocals %+d units off: %s i%d %#x, %#x: %#x, want %#x", e-1, d.op, d.width, in[i][0], in[i][1], got, want)
					}
				}
			}
		}
	}
}

// Multipliers divide right up to their limits: the last multiple of the divisor
// there, what is before and after it, and the limit.
func TestMultiplier(t *testing.T) {
	rnd := rand.New(rand.NewPCG(*divideSeed, 5))
	found := 0
	for n := range 200000 {
		c := uint64(n) + 3
		if n > 1000 {
			c = rnd.Uint64()>>rnd.IntN(60) | 3
		}
		for _, limit := range []uint64{1 << 63, 1<<64 - 1, 1<<62 - 1} {
			m, s, ok := multiplier(c, limit)
			if !ok {
				continue
			}
			found++
			for _, x := range []uint64{limit, limit/c*c - 1, limit / c * c, (limit+1)/c*c - 1, rnd.Uint64() & limit} {
				if high, _ := bits.Mul64(x, m); x <= limit && high>>s != x/c {
					t.Fatalf("%d / %d is %d, want %d", x, c, high>>s, x/c)
				}
			}
		}
	}
	if found < 300000 {
		t.Errorf("only %d have one", found)
	}
}

// BenchmarkDivide compiles a kernel of one kind of division, with what it costs:
// the instructions that a wave executes and the bytes of code, by LLVM's own back end
// and by divide.go's.
func BenchmarkDivide(b *testing.B) {
	major := skipWithoutLLVM(b)
	own := chain{{"own", 64, 0}}
	to := func(steps ...step) chain { return append(own[:1:1], steps...) }
	i8, i16, i32 := step{"trunc", 8, 0}, step{"trunc", 16, 0}, step{"trunc", 32, 0}
	small := step{"and", 64, mask(24)}
	kinds := []struct {
		name  string
		width int
		x, y  chain
		c     uint64
	}{
		{"i8", 8, to(i8), to(i8), 0},
		{"i16", 16, to(i16), to(i16), 0},
		{"i32", 32, to(i32), to(i32), 0},
		{"i64 of 32", 64, to(i32, step{"zext", 64, 0}), to(i32, step{"zext", 64, 0}), 0},
		{"i64 of signed 32", 64, to(i32, step{"sext", 64, 0}), to(i32, step{"sext", 64, 0}), 0},
		{"i64, small", 64, to(step{"lshr", 64, 40}, step{"add", 64, 1 << 50}, step{"xor", 64, 1 << 50}), to(step{"lshr", 64, 40}), 0},
		{"i64", 64, own, own, 0},
		{"i64 by 10", 64, own, nil, 10},
		{"i64 by 7", 64, own, nil, 7},
		{"i64 of 24 by 10", 64, to(small), nil, 10},
		{"i32 by 7", 32, to(i32), nil, 7},
	}
	in := divideInputs(rand.New(rand.NewPCG(1, 2)), 64)
	for _, arch := range []string{"gfx90a", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, k := range kinds {
			for _, op := range []string{"udiv", "urem", "sdiv", "srem"} {
				d := &division{op: op, width: k.width, x: k.x, y: k.y, flags: "guard", c: k.c}
				if k.c != 0 {
					d.flags = "const"
				}
				for _, leave := range []bool{true, false} {
					name := fmt.Sprintf("%s/%s/%s/%s", arch, op, k.name, map[bool]string{true: "LLVM", false: "ours"}[leave])
					b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
						leaveDivisions = leave
						defer func() { leaveDivisions = false }()
						r := request(divideModule([]*division{d}), "k", arch)
						out := make([]uint64, 64)
						stats, err := emulate(r, bytesOf(in), bytesOf(out), 64)
						if err != nil {
							b.Fatal(err)
						}
						obj, err := Emit(r)
						if err != nil {
							b.Fatal(err)
						}
						for b.Loop() {
							if _, err := Emit(r); err != nil {
								b.Fatal(err)
							}
						}
						b.ReportMetric(float64(stats.Total()), "instructions")
						b.ReportMetric(float64(obj.Res.CodeBytes), "bytes")
					})
				}
			}
		}
	}
}
