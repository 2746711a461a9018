package source_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"heddle/internal/module"
	"heddle/internal/zips"
)

var full = flag.Bool("full", false, "TestBuildModes is of unoptimised programs too")

// TestBuildModes builds a command that finds the corpus, in some modes that
// differ most, and runs it twice: with the source tree at hand, and in an empty
// environment in an empty directory with the sources that are inside it. The
// test of internal/tests/matrix has the other modes.
func TestBuildModes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		slow  bool // compiles the standard library anew
		late  bool // with -full only
		flags []string
	}{
		{name: "default"},
		{name: "stripped", flags: []string{"-ldflags=-s -w"}},
		{name: "pie", flags: []string{"-trimpath", "-ldflags=-s -w", "-buildmode=pie"}, slow: true},
		{name: "unoptimised", flags: []string{"-gcflags=all=-N -l"}, slow: true, late: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.slow && testing.Short() {
				t.Skip("-short: this mode compiles the standard library again")
			}
			if tt.late && !*full {
				t.Skip("-full runs it; in a run without, FuzzClosures builds its own packages in this mode")
			}
			exe := filepath.Join(t.TempDir(), "run")
			build := exec.Command("go", append(append([]string{"build", "-o", exe}, tt.flags...), module.Internal+"source/corpus/run")...)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			if out, err := exec.Command(exe).CombinedOutput(); err != nil || !strings.Contains(string(out), " 0 failures") {
				t.Errorf("with the source tree: %v\n%s", err, out)
			}
			old := time.Unix(1e9, 0)
			if err := os.Chtimes(exe, old, old); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(exe).CombinedOutput(); err == nil || !strings.Contains(string(out), "is newer than the running program (rebuild it") {
				t.Errorf("with changed sources: %v\n%s", err, out)
			}
			bare := exec.Command(exe, "-embedded")
			bare.Dir = t.TempDir()
			bare.Env = []string{"PATH="}
			if out, err := bare.CombinedOutput(); err != nil || !strings.Contains(string(out), " 0 failures") {
				t.Errorf("alone: %v\n%s", err, out)
			}
		})
	}
}

// TestGenerated fails if the declarations of standard packages, or of heddle's own,
// are out of date.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the generator")
	}
	dir := t.TempDir()
	gen, err := filepath.Abs("genown.go")
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "gen")
	if out, err := exec.Command("go", "build", "-o", exe, gen).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, root)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"declarations.deflate", "vector.deflate", "dsl.deflate", "cg.deflate", "texture.deflate", "sources.deflate"} {
		want, got := unpacked(t, filepath.Join(dir, name)), unpacked(t, name)
		if len(want) < 8 || len(got) != len(want) {
			t.Errorf("%s has %d texts, want %d: run go generate", name, len(got), len(want))
		}
		for p := range want {
			// the toolchain's own declarations may differ in paths
			if own := !strings.HasPrefix(name, "decl") || strings.HasPrefix(p, module.Path+"/"); len(got[p]) != len(want[p]) || own && got[p] != want[p] {
				t.Errorf("%s in %s is out of date: run go generate", p, name)
			}
		}
	}
}

func unpacked(t *testing.T, file string) map[string]string {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := zips.Unpack(string(packed))
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Programs carry the sources of packages dsl and vector, line by line, without comments
// but directives.
func TestOwnSources(t *testing.T) {
	have := unpacked(t, "sources.deflate")
	for _, p := range []string{module.Vector, module.DSL, module.CG, module.Texture} {
		dir := filepath.Join("../..", strings.TrimPrefix(p, module.Path+"/"))
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := p + "/" + filepath.Base(file)
			if got, ok := have[name]; strings.HasSuffix(name, "_test.go") == ok || ok && !sameCode(got, string(text)) {
				t.Errorf("%s is out of date: run go generate", name)
			}
			delete(have, name)
		}
	}
	for name := range have {
		t.Errorf("%s is no file: run go generate", name)
	}
}

// sameCode reports whether the lines of two texts are the same, but for those that got
// lacks: comments which are no directives.
func sameCode(got, text string) bool {
	return slices.EqualFunc(strings.Split(got, "\n"), strings.Split(text, "\n"), func(a, b string) bool {
		b2 := strings.TrimSpace(b)
		return a == b && b2 != "//" && !strings.HasPrefix(b2, "// ") || a == "" && (b2 == "//" || strings.HasPrefix(b2, "// "))
	})
}
