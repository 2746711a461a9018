package conformance

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/launch"
)

// This file runs the cpu device of arm64 on amd64, under qemu's emulation of user
// programs. The emulated process can load no libLLVM; it needs none, for this one
// compiles the kernels beforehand, into the disk cache where the other finds them.

var arm64Warps = flag.String("arm64", "32", "comma-separated `sizes` of the warps that the suite is compiled for and run with on arm64")

const (
	// arm64Child is set where TestArm64 runs as a child that only compiles.
	arm64Child = "HEDDLE_TEST_ARM64"
	// emulatorEnv names the emulator to the tests that it runs.
	emulatorEnv = "HEDDLE_TEST_EMULATOR"
	// arm64Packages are what the emulator needs, on Debian and Ubuntu.
	arm64Packages = "apt-get install qemu-user-static libc6-arm64-cross"
)

// The suite's kernels compile for arm64, without -full the first of each row; where there
// is an emulator, their results are right, and the packages that load and run code work.
func TestArm64(t *testing.T) {
	if os.Getenv(arm64Child) != "" {
		compileArm64(t)
		return
	}
	if testing.Short() {
		t.Skip("-short")
	}
	needLLVM(t)
	if err := codegen.Supports("aarch64-unknown-linux-gnu", "aarch64"); err != nil {
		t.Skip(err)
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	// The objects are this compiler's in both processes, by this name.
	t.Setenv(llvm.EnvLLVM, lib.Path)
	t.Setenv(codegen.EnvCache, t.TempDir())
	t.Setenv(arm64Child, "1")
	begin := time.Now()
	cases := representatives(chosen())
	those := "-cases=" + namesOf(cases)
	out, err := command(t, os.Args[0], "-test.run=^TestArm64$", "-arm64="+*arm64Warps, those).CombinedOutput()
	if err != nil {
		t.Fatalf("compiling: %v\n%s", err, out)
	}
	t.Setenv(arm64Child, "")
	t.Logf("%d cases compiled in %v", len(cases), time.Since(begin).Round(time.Second))

	emulator := emulatorOf(t)
	t.Run("native", func(t *testing.T) { emulate(t, emulator, "../../native") })
	t.Run("driver/cpu", func(t *testing.T) { emulate(t, emulator, "../../driver/cpu") })
	for _, warp := range arm64Sizes(t) {
		device := map[int]string{32: "cpu", 64: "cpu:64"}[warp]
		t.Run(device, func(t *testing.T) {
			out := emulate(t, emulator, ".", "-test.run=^TestConformance$/^"+device+"$", those)
			for _, c := range cases {
				if !slices.Contains(out, "PASS: TestConformance/"+device+"/"+c.Name) {
					t.Errorf("%s has not passed", c.Name)
				}
			}
		})
	}
}

// namesOf is a value of the flag -cases that chooses these.
func namesOf(cases []Case) string {
	var names []string
	for _, c := range cases {
		names = append(names, regexp.QuoteMeta(c.Name))
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// arm64Sizes are the warp sizes of the flag.
func arm64Sizes(t *testing.T) (sizes []int) {
	for text := range strings.SplitSeq(*arm64Warps, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n != 32 && n != 64 {
			t.Fatalf("-arm64=%s: want 32, 64 or 32,64", *arm64Warps)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// compileArm64 compiles the suite into the disk cache. What a closure captures
// changes as its case runs, so those are compiled again after that.
func compileArm64(t *testing.T) {
	sizes := arm64Sizes(t)
	machines := slices.DeleteFunc(machinesOf(t, "aarch64"), func(j job) bool { return !slices.Contains(sizes, j.warp) })
	compile := func(cases []Case) {
		var all []job
		for _, c := range cases {
			for _, k := range c.Kernels {
				for _, m := range machines {
					all = append(all, job{c.Name, k, m.arch, m.warp})
				}
			}
		}
		onAll(all, func(_ int, j job) {
			if _, err := j.k.Object(j.arch, j.warp); err != nil {
				t.Errorf("%s, warp %d: %v", j.name, j.warp, err)
			}
		})
	}
	cases := chosen()
	compile(cases)
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	closures := slices.DeleteFunc(cases, func(c Case) bool { return c.Row != rowClosures })
	for _, c := range closures {
		Run(t, sim, c)
	}
	if err := sim.Close(); err != nil {
		t.Error(err)
	}
	compile(closures)
}

// emulatorOf finds qemu and the C library that it is to load, or skips the test.
func emulatorOf(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("compiled and not run: not Linux on amd64")
	}
	root := os.Getenv("QEMU_LD_PREFIX")
	if root == "" {
		root = "/usr/aarch64-linux-gnu"
	}
	if _, err := os.Stat(filepath.Join(root, "lib/ld-linux-aarch64.so.1")); err != nil {
		t.Skipf("compiled and not run: %v (%s)", err, arm64Packages)
	}
	t.Setenv("QEMU_LD_PREFIX", root)
	for _, name := range []string{"qemu-aarch64-static", "qemu-aarch64"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("compiled and not run: no qemu-aarch64 on this machine (%s)", arm64Packages)
	return ""
}

// emulate builds the tests of the package in a folder for arm64 and runs them
// under the emulator. It returns what they printed of each, as in "PASS: TestX".
func emulate(t *testing.T, emulator, folder string, flags ...string) (results []string) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("compiled and not run: no go command to build a test binary")
	}
	binary := filepath.Join(t.TempDir(), "arm64.test")
	build := command(t, goTool, "test", "-c", "-o", binary, ".")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	begin := time.Now()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	built := time.Now()
	run := command(t, emulator, append([]string{binary, "-test.v"}, flags...)...)
	run.Dir = folder
	run.Env = append(os.Environ(), "HEDDLE_CPU=", emulatorEnv+"="+emulator)
	out, err := run.CombinedOutput()
	counts := map[string]int{}
	for _, m := range testResult.FindAllSubmatch(out, -1) {
		results = append(results, string(m[1])+": "+string(m[2]))
		counts[string(m[1])]++
	}
	t.Logf("built in %v, ran in %v: %v", built.Sub(begin).Round(time.Second), time.Since(built).Round(time.Second), counts)
	if err != nil {
		t.Errorf("%v\n%s", err, failures(string(out)))
	}
	return results
}

// testResult is go test's line about one test.
var testResult = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`)

// failures are the first of a verbose test's lines, without those that only say
// that a test began or has passed.
func failures(out string) string {
	const most = 8000
	var b strings.Builder
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "=== RUN") && !strings.Contains(line, "--- PASS") && b.Len() < most {
			b.WriteString(line)
		}
	}
	return b.String()
}

// command is a command that ends with the test's time.
func command(t *testing.T, name string, args ...string) *exec.Cmd {
	ctx := t.Context()
	if end, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, end.Add(-5*time.Second), errors.New("the test's time is over"))
		t.Cleanup(cancel)
	}
	return exec.CommandContext(ctx, name, args...)
}
