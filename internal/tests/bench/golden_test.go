package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/tests/forms"
)

func TestMain(m *testing.M) {
	forms.Set()
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "rewrite the golden file")

const (
	golden = "testdata/instructions.golden"
	// goldenMajor is the LLVM release whose code the golden counts.
	goldenMajor = 19
)

// goldenArchs are the architectures whose code is counted.
var goldenArchs = []string{"gfx942", "gfx1100", "sm_90"}

// mathematical are the kernels whose code depends on the device libraries at hand: their IR calls these.
var mathematical = []string{
	"attention", "barnes_hut", "bilateral", "binomial", "black_scholes", "black_scholes64", "coulomb", "dihedral_forces", "fft", "gru_cell", "ising", "kepler_ephem", "lava_md", "layer_norm", "mc_photon", "monte_carlo", "mri_q", "nbody",
	"pairhmm", "rgb_to_lab", "rmsnorm", "rope", "rs_poles", "softmax",
}

// The code of each kernel has as many instructions of each class as the golden file says:
// more is a loss to be explained, fewer a gain to be kept.
func TestInstructions(t *testing.T) {
	if *forms.Name != "" {
		t.Skip("this is the test with -form")
	}
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to compile with")
	}
	t.Setenv(codegen.EnvBackend, codegen.LLVM)
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	if lib.Major != goldenMajor {
		t.Skipf("the golden figures are those of LLVM %d, and this is LLVM %d", goldenMajor, lib.Major)
	}
	t.Setenv(codegen.EnvCache, "off")
	now := countAll(t, goldenArchs, variants[:2])
	if t.Failed() {
		return
	}
	header := fmt.Sprintf("# LLVM %d, device libraries %s", goldenMajor, fingerprints(t))
	if *update {
		if err := os.WriteFile(golden, []byte(header+"\n"+strings.Join(now, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(strings.TrimSpace(string(text)), "\n")
	if was[0] != header {
		t.Logf("%v are not compared: the figures are for %q, this is %q", mathematical, was[0], header)
		only := func(lines []string) []string {
			return slices.DeleteFunc(lines, func(line string) bool {
				return slices.Contains(mathematical, strings.Fields(line)[0])
			})
		}
		now, was = only(now), append(was[:1:1], only(was[1:])...)
	}
	changed := 0
	for i := range max(len(now), len(was)-1) {
		var a, b string
		if i+1 < len(was) {
			a = was[i+1]
		}
		if i < len(now) {
			b = now[i]
		}
		if a != b {
			if changed++; changed <= 30 {
				t.Errorf("was %s\nnow %s", a, b)
			}
		}
	}
	if changed > 0 {
		t.Errorf("%d lines differ: if that is right, run with -update", changed)
	}
}

// Each kernel compiles for launches of which its condition does not hold, too.
func TestAnyLaunch(t *testing.T) {
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to compile with")
	}
	if *forms.Name == "" {
		out, err := exec.Command(os.Args[0], "-test.run=^TestAnyLaunch$", "-test.v", "-form=general").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	t.Setenv(codegen.EnvBackend, codegen.LLVM)
	countAll(t, []string{"gfx1100", "sm_90"}, variants[:1])
}

// countAll are the golden's lines as they are now, sorted.
func countAll(t *testing.T, archs []string, of []variant) (lines []string) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	todo := make(chan func() (string, error))
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f := range todo {
				line, err := f()
				mu.Lock()
				if err != nil {
					t.Error(err)
				}
				lines = append(lines, line)
				mu.Unlock()
			}
		})
	}
	for _, b := range benchmarks(small) {
		for _, arch := range archs {
			for _, v := range of {
				todo <- func() (string, error) {
					c, err := b.static(arch, v)
					if err != nil {
						return "", fmt.Errorf("%s, %s, %s: %w", b.name, arch, v.name, err)
					}
					line := fmt.Sprintf("%s %s %s: %v", b.name, arch, v.name, &c.counts)
					if strings.HasPrefix(arch, "gfx") {
						line += fmt.Sprintf(", %d VGPR %d SGPR %d scratch", c.vgpr, c.sgpr, c.scratch)
					}
					return line, nil
				}
			}
		}
	}
	close(todo)
	wg.Wait()
	slices.Sort(lines)
	return lines
}

// fingerprints tell the device libraries apart.
func fingerprints(t *testing.T) string {
	var all []string
	for _, kind := range []abi.Kind{abi.HSACO, abi.PTX} {
		path, ok := codegen.HasMathLib(kind)
		if !ok {
			all = append(all, "none")
			continue
		}
		if kind == abi.HSACO {
			path = filepath.Join(path, "ocml.bc")
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%x", sha256.Sum256(b))[:12])
	}
	return strings.Join(all, " ")
}
