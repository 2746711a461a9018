package conformance

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/link"
	"heddle/internal/link/linktest"
	"heddle/internal/llvm"
	"heddle/internal/target"
	"heddle/kernel"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenMajor is the LLVM release whose resource figures the golden holds.
const goldenMajor = 19

// A job is one compile.
type job struct {
	name string // the case's, with a number where it has several kernels
	k    *kernel.Kernel
	arch string
	warp int // 0: the architecture's own
}

// needLLVM has libLLVM make the code, and our linker link it, whatever else
// this machine has.
func needLLVM(t *testing.T) {
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to compile with")
	}
	t.Setenv(codegen.EnvBackend, codegen.LLVM)
}

// machines are those of families, or every architecture at each of its warp sizes,
// without those that the compiler here cannot serve; it logs why.
func machines(t *testing.T) []job {
	if testing.Short() {
		return machinesOf(t, "gfx90a", "gfx1100", "sm_90")
	}
	all := machinesOf(t, target.Archs...)
	if everyMachine() {
		return all
	}
	return slices.DeleteFunc(all, func(j job) bool {
		return !slices.ContainsFunc(families, func(f family) bool { return f.arch == j.arch && f.warp == j.warp })
	})
}

func machinesOf(t *testing.T, archs ...string) (all []job) {
	t.Helper()
	for _, arch := range archs {
		m, err := target.For(arch, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := codegen.Supports(m.Triple, m.CPU); err != nil {
			t.Logf("not %s: %v", arch, err)
			continue
		}
		for _, warp := range []int{32, 64} {
			if _, err := target.For(arch, warp); err == nil {
				all = append(all, job{arch: arch, warp: warp})
			}
		}
	}
	if len(all) == 0 {
		t.Skipf("the compiler here knows none of %v", archs)
	}
	return all
}

// jobs are the compiles of the cases that want says, for machines.
func jobs(machines []job, want func(Case) bool) (all []job) {
	for _, c := range chosen() {
		if !want(c) {
			continue
		}
		for i, k := range c.Kernels {
			name := c.Name
			if i > 0 {
				name += fmt.Sprintf("#%d", i)
			}
			for _, m := range machines {
				if strings.HasPrefix(c.Name, image.area+"/") && lacksImages(m.arch) {
					continue // they do not compile: see imageCases
				}
				all = append(all, job{name, k, m.arch, m.warp})
			}
		}
	}
	return all
}

// compileAll compiles on all processors and returns the resources, by job.
func compileAll(t *testing.T, all []job) []kernel.Resources {
	t.Helper()
	t.Setenv(codegen.EnvCache, "off") // each result is in memory, for the whole process
	res := make([]kernel.Resources, len(all))
	onAll(all, func(i int, j job) {
		obj, err := j.k.Object(j.arch, j.warp)
		if needsStd(err) {
			t.Logf("not %s for %s: %v", j.name, j.arch, err)
			return
		}
		if err != nil {
			t.Errorf("%s for %s, warp %d: %v", j.name, j.arch, j.warp, err)
			return
		}
		if obj.Arch != j.arch || obj.WarpSize != j.warp || len(obj.Code) == 0 {
			t.Errorf("%s: asked for %s, warp %d, got %s, warp %d, %d bytes", j.name, j.arch, j.warp, obj.Arch, obj.WarpSize, len(obj.Code))
		}
		res[i] = obj.Resources
	})
	return res
}

// onAll calls f for every job, on all processors.
func onAll(all []job, f func(i int, j job)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				f(i, all[i])
			}
		})
	}
	wg.Wait()
}

// Every kernel of the suite compiles for a machine of each family, with -full for every
// architecture and warp size; it is verified and linked; its needs are those of the
// golden file; lld links it to the same.
func TestCodegen(t *testing.T) {
	needLLVM(t)
	compared := againstLLD(t)
	all := jobs(machines(t), func(Case) bool { return true })
	res := compileAll(t, all)
	t.Logf("%d compiles, %d of them linked as lld does", len(all), compared.Load())
	if testing.Short() {
		t.Skip("-short: some architectures only, so no golden file")
	}
	if t.Failed() {
		return
	}
	checkGolden(t, all, res)
}

// lldShare is how many links there are for each that is compared with lld's without
// -full; internal/link compares its own.
const lldShare = 8

// againstLLD has links of this process compared with lld's, with -full all of them. It
// returns how many have been.
func againstLLD(t *testing.T) *atomic.Int64 {
	n := new(atomic.Int64)
	lld := linktest.LLD()
	if lld == "" {
		t.Log("links are not compared: no ld.lld on this machine")
		return n
	}
	root := t.TempDir()
	link.Linked = func(obj, ours []byte) {
		if sum := sha256.Sum256(obj); !everyMachine() && sum[0]%lldShare != 0 {
			return
		}
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Error(err)
			return
		}
		defer os.RemoveAll(dir)
		theirs, err := linktest.Link(lld, dir, obj)
		if err == nil {
			_, err = linktest.Compare(obj, ours, theirs)
		}
		mine, err1 := link.Inspect(ours)
		his, err2 := link.Inspect(theirs)
		if err = errors.Join(err, err1, err2); err == nil && fmt.Sprintf("%+v", mine) != fmt.Sprintf("%+v", his) {
			err = fmt.Errorf("metadata: %+v\nlld: %+v", mine, his)
		}
		if err != nil {
			t.Errorf("%+v: %v", mine, err)
		}
		n.Add(1)
	}
	t.Cleanup(func() { link.Linked = nil })
	return n
}

// checkGolden compares resources with testdata/resources.golden.
func checkGolden(t *testing.T, all []job, res []kernel.Resources) {
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	if lib.Major != goldenMajor {
		t.Skipf("the golden figures are those of LLVM %d, and this is LLVM %d", goldenMajor, lib.Major)
	}
	libs := mathFingerprint(t)
	var lines []string
	for i, j := range all {
		if r := res[i]; strings.HasPrefix(j.arch, "gfx") {
			lines = append(lines, fmt.Sprintf("%s %s/%d: %d sgpr %d vgpr %d agpr %d lds %d scratch %d+%d spills",
				j.name, j.arch, j.warp, r.SGPR, r.VGPR, r.AGPR, r.SharedMemory, r.Scratch, r.SGPRSpill, r.VGPRSpill))
		}
	}
	slices.Sort(lines)
	const file = "testdata/resources.golden"
	header := "# LLVM " + fmt.Sprint(goldenMajor) + ", device libraries " + libs
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines = append(lines, others(want[1:], all)...) // stay as they are
	slices.Sort(lines)
	if *update {
		if err := os.WriteFile(file, []byte(header+"\n"+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want[0] != header {
		t.Logf("the mathematical kernels are not compared: the figures are for %q, this is %q", want[0], header)
	}
	compareLines(t, lines, want[1:], func(line string) bool { return want[0] == header || !strings.HasPrefix(line, "math/") })
}

// others are the lines of a golden file that are of no job here: those of cases that
// -cases leaves out, and without -full those of most machines.
func others(golden []string, all []job) (lines []string) {
	names, machines := map[string]bool{}, map[string]bool{}
	for _, j := range all {
		names[j.name] = true
		machines[fmt.Sprintf("%s/%d:", j.arch, j.warp)] = true
	}
	for _, line := range golden {
		name, rest, _ := strings.Cut(line, " ")
		machine, _, _ := strings.Cut(rest, " ")
		if *only != "" && !names[name] || !everyMachine() && !machines[machine] {
			lines = append(lines, line)
		}
	}
	return lines
}

// compareLines reports the lines that only one of two sorted lists has.
func compareLines(t *testing.T, got, want []string, counts func(string) bool) {
	t.Helper()
	reported := 0
	report := func(format, line string) {
		if counts(line) {
			if reported++; reported <= 20 {
				t.Errorf(format, line)
			}
		}
	}
	for i, j := 0, 0; i < len(got) || j < len(want); {
		switch {
		case j == len(want) || i < len(got) && got[i] < want[j]:
			report("now:  %s", got[i])
			i++
		case i == len(got) || want[j] < got[i]:
			report("was:  %s", want[j])
			j++
		default:
			i++
			j++
		}
	}
	if reported > 0 {
		t.Errorf("%d lines differ: if that is right, run with -update", reported)
	}
}

// mathFingerprint tells AMD's device libraries apart.
func mathFingerprint(t *testing.T) string {
	dir, ok := codegen.HasMathLib(abi.HSACO)
	if !ok {
		return "none"
	}
	b, err := os.ReadFile(filepath.Join(dir, "ocml.bc"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))[:12]
}

// Without device libraries the mathematics is compiled from Go's.
func TestCodegenFallback(t *testing.T) {
	needLLVM(t)
	t.Setenv(codegen.EnvDeviceLibs, "off")
	compileAll(t, jobs(machinesOf(t, "gfx942", "sm_90"), func(c Case) bool { return strings.HasPrefix(c.Name, "math/") }))
}
