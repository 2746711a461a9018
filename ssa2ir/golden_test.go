package ssa2ir

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/target"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenArch is what the goldens are for. Those that have a section cpu.ll hold
// what cpuArch gets too. For the rest the other ones are only verified.
const goldenArch, otherArch, cpuArch = "gfx90a", "sm_80", "x86-64-v3"

var debugRef = regexp.MustCompile(`,? !(dbg|range) !\d+`)

// TestLowerGolden holds the translation of each instruction to the IR in
// testdata/lower, and compiles it, where there is LLVM, which verifies it.
func TestLowerGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pkg := buildSource(t, "k.go", string(ar.Files[0].Data))
			prog, err := Check(kernelOf(t, pkg, "K"))
			if err != nil {
				t.Fatal(err)
			}
			lower := func(arch string) []byte {
				if strings.HasPrefix(filepath.Base(file), "bounded") {
					return lowerFor(t, prog, arch)
				}
				return lowerFor(t, prog, arch, once)
			}
			want := []txtar.File{ar.Files[0], {Name: "want.ll", Data: []byte(readableIR(string(lower(goldenArch))))}}
			lower(otherArch)
			cpu := readableIR(string(lower(cpuArch)))
			if len(ar.Files) > 2 {
				want = append(want, txtar.File{Name: "cpu.ll", Data: []byte(cpu)})
			}
			got := string(txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: want}))
			switch was := string(txtar.Format(ar)); {
			case was == got:
			case *update:
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s is out of date (-update rewrites it); now:\n%s", file, got)
			}
		})
	}
}

// once has no section of a kernel made in two versions, so that what the other goldens are about stands there once.
func once(t *target.Target) { t.Bounded = target.Nowhere }

// lowerFor lowers for an architecture, changed by some funcs, and compiles the result.
func lowerFor(t testing.TB, prog *Program, arch string, change ...func(*target.Target)) []byte {
	t.Helper()
	m, err := target.For(arch, 0)
	if err != nil {
		t.Fatal(err)
	}
	own := *m.Target
	m.Target = &own
	for _, f := range change {
		f(&own)
	}
	if m.Kind.String() == "hsaco" {
		m.CodeObject = 4 // every LLVM has it
	}
	res, err := prog.Lower(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &codegen.Request{IR: res.IR, Triple: m.Triple, CPU: m.CPU, Features: m.Features, Kind: m.Kind,
		Kernel: res.Symbol, WarpSize: m.WarpSize, CodeObject: m.CodeObject}
	if _, _, err := codegen.Backend(m.Kind); err != nil {
		t.Logf("not compiled: %v", err)
		return res.IR
	}
	if m.Kind == abi.Native {
		_, err = codegen.ScalarIR(r)
	} else {
		_, err = codegen.Emit(r)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", arch, err, res.IR)
	}
	return res.IR
}

// readableIR is the functions of a module without debug information and
// without the panic function, which has a golden of its own.
func readableIR(ir string) string {
	ir = debugRef.ReplaceAllString(ir, "")
	var out []string
	skip := false
	for _, line := range strings.Split(ir, "\n") {
		switch {
		case strings.HasPrefix(line, "define") && strings.Contains(line, "@heddle_panic("):
			skip = true
		case strings.HasPrefix(line, "declare"), strings.HasPrefix(line, "!"), strings.HasPrefix(line, "source_filename"), strings.HasPrefix(line, "target"):
			continue
		}
		if !skip && (line != "" || len(out) > 0 && out[len(out)-1] != "") {
			out = append(out, line)
		}
		if line == "}" {
			skip = false
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}
