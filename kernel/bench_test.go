package kernel_test

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/source"
	"heddle/internal/target"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var benchSource embed.FS
var _ = kernel.Source(benchSource)

func benchSaxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

func benchReduce(in, out []float32) {
	s := dsl.Shared[[1024]float32]()
	t := dsl.ThreadIdx().X
	v := float32(0)
	if i := dsl.GlobalIdx().X; i < len(in) {
		v = in[i]
	}
	s[t] = v
	dsl.SyncThreads()
	for d := dsl.BlockDim().X / 2; d > 0; d /= 2 {
		if t < d {
			s[t] += s[t+d]
		}
		dsl.SyncThreads()
	}
	if t == 0 {
		out[dsl.BlockIdx().X] = s[0]
	}
}

var benchKernels = map[string]any{"saxpy": benchSaxpy, "reduce": benchReduce}

// BenchmarkSource is finding the source and building SSA: of the first kernel of
// a package (in a fresh process: see BenchmarkFirstLaunch) and of a later one.
func BenchmarkSource(b *testing.B) {
	for name, fn := range benchKernels {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := source.Find(fn, source.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLower is check and translation to LLVM IR text.
func BenchmarkLower(b *testing.B) {
	for name, fn := range benchKernels {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := kernel.BenchLower(fn, "gfx942"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile is IR text to object by LLVM, without the disk cache.
func BenchmarkCompile(b *testing.B) {
	for name, fn := range benchKernels {
		for _, arch := range target.Archs {
			b.Run(name+"/"+arch, func(b *testing.B) {
				req, err := kernel.BenchRequest(fn, arch)
				if err != nil {
					b.Fatal(err)
				}
				if err := codegen.Supports(req.Triple, req.CPU); err != nil {
					b.Skip(err)
				}
				for b.Loop() {
					if _, err := codegen.Emit(req); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkDiskHit is an object from the disk cache.
func BenchmarkDiskHit(b *testing.B) {
	b.Setenv(codegen.EnvCache, b.TempDir())
	req, err := kernel.BenchRequest(benchSaxpy, "gfx942")
	if err != nil {
		b.Fatal(err)
	}
	if _, _, err := codegen.Build(req); err != nil {
		b.Skip(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, disk, err := codegen.Build(req); err != nil || !disk {
			b.Fatal(disk, err)
		}
	}
}

// firstLaunchEnv makes the test binary launch one kernel and print how long it took.
const firstLaunchEnv = "HEDDLE_TEST_FIRST_LAUNCH"

func TestMain(m *testing.M) {
	if device := os.Getenv(firstLaunchEnv); device != "" {
		if err := firstLaunch(device); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// firstLaunch launches saxpy on a device, or compiles it for an architecture,
// and prints the nanoseconds from the call of Launch to the result, or those of
// each phase of the compile.
func firstLaunch(device string) error {
	k := kernel.New(benchSaxpy)
	if arch, ok := strings.CutPrefix(device, "phases:"); ok {
		phases, err := kernel.BenchPhases(benchSaxpy, arch)
		for _, d := range phases {
			fmt.Println(d.Nanoseconds())
		}
		return err
	}
	if arch, ok := strings.CutPrefix(device, "compile:"); ok {
		start := time.Now()
		if _, err := k.Object(arch, 0); err != nil {
			return err
		}
		fmt.Println(time.Since(start).Nanoseconds())
		return nil
	}
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	x, err := launch.Upload(dev, make([]float32, 1024))
	if err != nil {
		return err
	}
	start := time.Now()
	if err := k.Launch(dev.Stream(), launch.Linear(1024, 256), float32(2), x, x); err != nil {
		return err
	}
	if err := dev.Stream().Sync(); err != nil {
		return err
	}
	fmt.Println(time.Since(start).Nanoseconds())
	return nil
}

// freshProcess runs firstLaunch in a process of its own and returns the numbers.
func freshProcess(b *testing.B, what, cache string) (ns []float64) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), firstLaunchEnv+"="+what, codegen.EnvCache+"="+cache)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Skip(err)
	}
	for _, word := range strings.Fields(string(out)) {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			b.Fatal(err)
		}
		ns = append(ns, n)
	}
	return ns
}

// BenchmarkFirstLaunch is the first launch of a process: with an empty disk
// cache (LLVM's library in the page cache), and with a full one.
func BenchmarkFirstLaunch(b *testing.B) {
	devices := []string{"compile:gfx942", "compile:sm_90"}
	for _, d := range launch.Devices() {
		if d.Arch != "" && d.Arch != "sim" {
			devices = append(devices, d.Name)
		}
	}
	for _, device := range devices {
		for _, warm := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/disk=%t", device, warm), func(b *testing.B) {
				cache := b.TempDir()
				freshProcess(b, device, cache) // page cache and, for warm, disk cache
				total, n := 0.0, 0
				for b.Loop() {
					if !warm {
						cache = b.TempDir()
					}
					total += freshProcess(b, device, cache)[0]
					n++
				}
				b.ReportMetric(total/float64(n)/1e6, "ms/first-launch")
			})
		}
	}
}

// BenchmarkFirstPhases is what the first compile of a process spends its time
// on: the source, the translation, and the object from LLVM or from disk.
func BenchmarkFirstPhases(b *testing.B) {
	for _, warm := range []bool{false, true} {
		b.Run(fmt.Sprintf("disk=%t", warm), func(b *testing.B) {
			cache := b.TempDir()
			freshProcess(b, "phases:gfx942", cache)
			var totals [3]float64
			n := 0
			for b.Loop() {
				if !warm {
					cache = b.TempDir()
				}
				for i, ns := range freshProcess(b, "phases:gfx942", cache) {
					totals[i] += ns
				}
				n++
			}
			for i, phase := range []string{"source", "lower", "object"} {
				b.ReportMetric(totals[i]/float64(n)/1e6, "ms/"+phase)
			}
		})
	}
}

// BenchmarkWarmLaunch is a launch of a compiled kernel: what the host pays.
func BenchmarkWarmLaunch(b *testing.B) {
	for _, d := range launch.Devices() {
		b.Run(d.Name, func(b *testing.B) {
			if strings.HasPrefix(d.Name, "emu:") {
				b.Skip("the work of an emulated GPU takes minutes, beside which no launch counts")
			}
			dev, err := launch.Open(d.Name)
			if err != nil {
				b.Skip(err)
			}
			defer dev.Close()
			x, err := launch.Alloc[float32](dev, 1024)
			if err != nil {
				b.Fatal(err)
			}
			k := kernel.New(benchSaxpy)
			s := dev.Stream()
			cfg := launch.Linear(1024, 256)
			for range 100 {
				if err := k.Launch(s, cfg, float32(2), x, x); err != nil {
					b.Fatal(err)
				}
			}
			if err := s.Sync(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if err := k.Launch(s, cfg, float32(2), x, x); err != nil {
					b.Fatal(err)
				}
				if n++; n%512 == 0 { // keep the queue from filling
					b.StopTimer()
					if err := s.Sync(); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
			}
		})
	}
}
