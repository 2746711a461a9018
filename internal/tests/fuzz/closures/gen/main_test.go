package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"heddle/internal/module"
	"heddle/internal/tests/fuzz/seeds"
)

var (
	programs  = flag.Int("programs", 0, "how many more programs FuzzClosures runs without -fuzz")
	firstSeed = flag.Uint64("firstseed", 1000, "the seed of the first of these")
	units     = flag.Int("units", 0, "units of each program that FuzzClosures makes; 0 for 24, or with -fuzz for 5")
)

// TestUpToDate checks that the committed closures are those of this generator.
func TestUpToDate(t *testing.T) {
	files, err := program{1, 18, "closures", module.Internal + "tests/fuzz/closures", true}.files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if have, err := os.ReadFile(filepath.Join("..", name)); err != nil || !bytes.Equal(have, want) {
			t.Errorf("internal/tests/fuzz/closures/%s is stale: run go generate in internal/tests/fuzz/closures (%v)", name, err)
		}
	}
}

// TestValid checks that what any seed gives is Go.
func TestValid(t *testing.T) {
	for seed := range uint64(200) {
		if _, err := (program{seed + 100, 20, "main", path, seed%2 == 0}).files(); err != nil {
			t.Error(err)
		}
	}
}

// flags of go build, by the bits of FuzzClosures' mode.
var (
	compilerFlags = []string{"", "-gcflags=" + path + "/...=-N -l", "-gcflags=" + path + "/...=-l", "-gcflags=" + path + "/...=-N"}
	modeFlags     = []string{"-ldflags=-s -w", "-trimpath"} // bits 2 and 3
)

const trimBit, embedBit = 8, 16

const path = module.Path + "/closurefuzz" // of the programs' modules

func buildFlags(mode uint8) (flags []string) {
	if f := compilerFlags[mode%4]; f != "" {
		flags = append(flags, f)
	}
	for i, f := range modeFlags {
		if mode&(4<<i) != 0 {
			flags = append(flags, f)
		}
	}
	return flags
}

// FuzzClosures makes a program of random closures from a seed, builds it in a
// mode, and runs it: every kernel must do what a plain call does.
//
//	go test ./internal/tests/fuzz/closures/gen -fuzz FuzzClosures
//	go test ./internal/tests/fuzz/closures/gen -run FuzzClosures -programs 100 -firstseed 5000
//
// Without -fuzz it makes two, of seeds that are others each day, and in continuous
// integration always 1 and 2.
func FuzzClosures(f *testing.F) {
	// Go's fuzzing takes what lasts ten seconds for hung: use -parallel 1 on a slow machine.
	worker := flag.Lookup("test.fuzzworker").Value.String() == "true"
	size := *units
	switch {
	case size > 0:
	case flag.Lookup("test.fuzz").Value.String() != "":
		if size = 5; !worker {
			f.Log(makeProgram(f, f.TempDir(), program{1, size, "main", path, false}, nil)) // packages are built once
		}
	default:
		size = 24
	}
	first := 2*seeds.Of(0, 0) + 1
	f.Logf("seeds %d and %d", first, first+1)
	f.Add(first, uint8(0))
	f.Add(first+1, uint8(1|4|embedBit))
	for i := range *programs {
		seed := *firstSeed + uint64(i)
		f.Add(seed, uint8(seed*7))
	}
	f.Fuzz(func(t *testing.T, seed uint64, mode uint8) {
		if testing.Short() {
			t.Skip("-short: builds a program")
		}
		flags := buildFlags(mode)
		if worker {
			flags = buildFlags(mode &^ trimBit)
		}
		p := program{seed, size, "main", path, mode&embedBit != 0}
		what := fmt.Sprintf("seed %d, %d units, go build %q, embedded sources: %t", seed, size, flags, p.embed)
		dir, err := os.MkdirTemp("", "closurefuzz")
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if !t.Failed() {
				os.RemoveAll(dir)
			}
		}()
		if out := makeProgram(t, dir, p, flags); out != "" {
			t.Fatalf("%s: in %s: %s", what, dir, out)
		}
		runProgram(t, dir, what)
	})
}

// makeProgram writes and builds a program; it returns what keeps it from being
// built, "" if nothing.
func makeProgram(tb testing.TB, dir string, p program, flags []string) string {
	if err := write(dir, p); err != nil {
		return err.Error()
	}
	if err := writeModule(dir, p.path); err != nil {
		tb.Fatal(err)
	}
	build := exec.CommandContext(tb.Context(), "go", append([]string{"build", "-mod=mod", "-o", "program"}, flags...)...)
	build.Dir, build.Env = dir, environment()
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	return ""
}

func environment() []string {
	return append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off", "HEDDLE_CACHE=off")
}

// runProgram runs the program in dir. what describes it.
func runProgram(t *testing.T, dir, what string) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, filepath.Join(dir, "program"))
	run.Dir, run.Env = dir, environment()
	out, err := run.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	t.Logf("%s: %s", what, lines[len(lines)-1])
	for _, line := range lines {
		if strings.HasPrefix(line, "REFUSED ") {
			t.Log(line)
		}
	}
	if err == nil {
		return
	}
	t.Errorf("%s: %v; the program is in %s\n%s", what, err, dir, out)
	for _, line := range lines {
		if strings.HasPrefix(line, "FAIL ") {
			t.Log(offending(dir, line))
		}
	}
}

// writeModule makes dir a module that uses this checkout of heddle.
func writeModule(dir, path string) error {
	root, err := filepath.Abs("../../../../..")
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	text := regexp.MustCompile(`(?m)^module .*`).ReplaceAllString(string(mod), "module "+path)
	text += fmt.Sprintf("\nrequire %[1]s v0.0.0\n\nreplace %[1]s => %[2]s\n", module.Path, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)
}

var failLine = regexp.MustCompile(`^FAIL (\w+)\.\d+ \((?:(\S+):(\d+))?`)

// offending is the source of the functions that a FAIL line is about: the one
// that checks the kernel, and the one that holds it.
func offending(dir, line string) string {
	m := failLine.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	var b strings.Builder
	at, _ := strconv.Atoi(m[3])
	for _, name := range []string{"zz_generated.go", "lib/zz_generated.go"} {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			continue
		}
		inFile := strings.HasPrefix(m[2], "lib/") == strings.HasPrefix(name, "lib/")
		for _, d := range f.Decls {
			first, last := fset.Position(d.Pos()), fset.Position(d.End())
			fd, _ := d.(*ast.FuncDecl)
			if fd != nil && fd.Name.Name == m[1] || inFile && first.Line <= at && at <= last.Line {
				fmt.Fprintf(&b, "%s:%d:\n%s\n", name, first.Line, src[first.Offset:last.Offset])
			}
		}
	}
	return b.String()
}
