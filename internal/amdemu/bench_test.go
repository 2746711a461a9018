//go:build unix

package amdemu_test

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/amdemu"
	"heddle/internal/llvm"
	"heddle/kernel"
)

// poly is arithmetic and little else.
func poly(n int, x, y []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(x) {
		return
	}
	v, s := x[i], float32(0)
	for k := 0; k < n; k++ {
		s = s*v + 1
		if s > 100 {
			s -= 99
		}
	}
	y[i] = s
}

// sum is shared memory and barriers.
func sum(_ int, x, y []float32) {
	tile := dsl.Shared[[256]float32]()
	t := dsl.ThreadIdx().X
	tile[t] = x[dsl.GlobalIdx().X]
	for d := 128; d > 0; d /= 2 {
		dsl.SyncThreads()
		if t < d {
			tile[t] += tile[t+d]
		}
	}
	if t == 0 {
		y[dsl.BlockIdx().X] = tile[0]
	}
}

// saxpy is global memory.
func saxpy(n int, x, y []float32) {
	for i := dsl.GlobalIdx().X; i < n; i += dsl.GlobalSize().X {
		y[i] += 2 * x[i]
	}
}

// BenchmarkRun measures wave instructions a second of processor time, with the
// sanitizer and without.
func BenchmarkRun(b *testing.B) {
	for _, k := range []struct {
		name string
		fn   any
		n    int
	}{{"arithmetic", poly, 1000}, {"shared", sum, 0}, {"global", saxpy, 1 << 16}} {
		compiled := kernel.NewWith(k.fn, kernel.Options{NoBounds: true})
		for _, m := range []struct {
			arch string
			wave int
		}{{"gfx942", 64}, {"gfx1100", 32}} {
			for _, check := range []bool{true, false} {
				b.Run(fmt.Sprintf("%s/%s/sanitizer=%t", k.name, m.arch, check), func(b *testing.B) {
					benchmark(b, compiled, k.n, m.arch, m.wave, check)
				})
			}
		}
	}
}

func benchmark(b *testing.B, k *kernel.Kernel, n int, arch string, wave int, check bool) {
	obj, err := k.Object(arch, wave)
	if err != nil {
		b.Skip(err)
	}
	lib, err := llvm.Open()
	if err != nil {
		b.Skip(err)
	}
	m := amdemu.NewMemory(amdemu.Options{Uninitialised: check, Races: check})
	p, err := amdemu.Load(obj.Code, m, lib.Disassemble)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	run, err := p.Kernel(obj.Symbol)
	if err != nil {
		b.Fatal(err)
	}
	x, y := make([]float32, 1<<16), make([]float32, 1<<16)
	args := binary.LittleEndian.AppendUint64(nil, uint64(n))
	for _, s := range [][]float32{x, y} {
		if err := m.Add(unsafe.Pointer(&s[0]), 4*len(s), "the buffer", true); err != nil {
			b.Fatal(err)
		}
		args = binary.LittleEndian.AppendUint64(args, uint64(uintptr(unsafe.Pointer(&s[0]))))
		args = binary.LittleEndian.AppendUint64(args, uint64(len(s)))
		args = binary.LittleEndian.AppendUint64(args, uint64(len(s)))
	}
	total, began := uint64(0), processorTime()
	for b.Loop() {
		s, err := run.Run(amdemu.Config{Grid: [3]int{16, 1, 1}, Block: [3]int{256, 1, 1}, Args: args, Memory: m, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		total += s.Total()
	}
	b.ReportMetric(float64(total)/(processorTime()-began).Seconds()/1e6, "M-instr/cpu-s")
}

// processorTime is what the process has had of processors: a machine that does
// other things as well does not spoil the figure.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
