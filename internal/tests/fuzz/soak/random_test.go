package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/tests/fuzz/seeds"
)

var (
	seed    = flag.Uint64("seed", 0, "the seed of TestRandom's batch; 0: that of the day, or in continuous integration always the same")
	count   = flag.Int("kernels", 40, "kernels of TestRandom's batch")
	devices = flag.String("devices", "sim,cpu,emu:gfx942,emu:gfx1100,cuda:0,hip:0", "where TestRandom runs them; all is every device of this machine")
)

// TestRandom runs a batch of random kernels on each device, and compiles each for one
// of three architectures, as package fuzz's own tests do.
func TestRandom(t *testing.T) {
	testBatch(t, &soak{seed: seeds.Of(*seed, 2), n: *count, features: "all", checks: true}, "Devices|Codegen", "")
}

// TestRandomLoops runs kernels of many indices, some of which are out of range, with loops
// in the forms that only NVIDIA's GPUs get, where there need be none.
func TestRandomLoops(t *testing.T) {
	testBatch(t, &soak{seed: seeds.Of(*seed, 7), n: *count * 2 / 3, features: "bounds,index,lists,windows", form: "loops", checks: true}, "Devices", " -run TestRandomLoops")
}

// TestRandomPlanes runs kernels of rows and planes in two versions, where there need not be two.
func TestRandomPlanes(t *testing.T) {
	testBatch(t, &soak{seed: seeds.Of(*seed, 9), n: *count / 2, features: "planes", form: "bounded", checks: true}, "Devices", " -run TestRandomPlanes")
}

// TestRandomUnchecked runs kernels of many indices without checks, for which loops are made otherwise, on the inputs that need none.
func TestRandomUnchecked(t *testing.T) {
	testBatch(t, &soak{seed: seeds.Of(*seed, 13), n: *count * 2 / 3, features: "bounds,index,planes,lists,windows"}, "Devices|Codegen", " -run TestRandomUnchecked")
}

// TestRandomOne runs kernels on the cpu device as gangs of one lane, each.
func TestRandomOne(t *testing.T) {
	testBatch(t, &soak{seed: seeds.Of(*seed, 11), n: *count, features: "all", form: "one", devices: "cpu", checks: true}, "Devices", " -run TestRandomOne")
}

// testBatch runs the tests of that name on a batch of random kernels.
func testBatch(t *testing.T, s *soak, tests, again string) {
	if testing.Short() {
		t.Skip("-short: builds a program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command, which builds the kernels")
	}
	t.Setenv(codegen.EnvCache, "off") // prepare sets it
	s.slow = "5m"
	if s.devices == "" {
		s.devices = *devices
	}
	t.Logf("%d kernels of seed %d; again with: go test ./internal/tests/fuzz/soak -seed %[2]d -kernels %[1]d%[3]s", s.n, s.seed, again)
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(s.temp) })
	program := filepath.Join(s.temp, "batch.test")
	if err := s.compile(s.seed, program); err != nil {
		t.Fatal(err)
	}
	// All devices in one process: a kernel's source is read once.
	out, failed, _ := s.execute(program, s.devices, "-test.run=^Test("+tests+")$")
	ran, _, _ := results(out, "")
	if ran < s.n {
		t.Errorf("%d results of %d kernels", ran, s.n)
	}
	t.Logf("%d results", ran)
	if !failed {
		return
	}
	t.Error(last(out, 60))
	if err := s.batch(s.seed); err != nil { // it prints how each difference is seen again
		t.Error(err)
	}
}

// last are the last lines of a text.
func last(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
