package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/dirhash"

	"heddle/internal/module"
	"heddle/launch"
)

// A deployment is a module of a user's, with a module that it depends on, which
// a proxy in a directory has in two versions.
type deployment struct {
	t    *testing.T
	dir  string // of the module
	env  []string
	tool string // the heddle command
}

// moduleCache is a directory for modules that all deployments have: they compile what
// they depend on once. TestMain removes it.
var moduleCache = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "heddle-modules-")
	if err != nil {
		panic(err)
	}
	removeLater = append(removeLater, dir)
	return dir
})

// removeLater are directories that TestMain removes.
var removeLater []string

// deploy copies testdata/deploy.
func deploy(t *testing.T) *deployment {
	if testing.Short() {
		t.Skip("-short: builds programs")
	}
	root, err := filepath.Abs("../..")
	check(t, err)
	dir := t.TempDir()
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	check(t, err)
	d := &deployment{t: t, dir: filepath.Join(dir, "app"), tool: filepath.Join(dir, "heddle")}
	proxy := filepath.Join(dir, "proxy")
	dep := ""
	for _, v := range []string{"v1.0.0", "v1.1.0"} {
		dep += publish(t, proxy, v)
	}
	// -trimpath: what the go command compiles for the programs is the same whatever the directory,
	// and is in its cache.
	d.env = append(os.Environ(), "GOPROXY=file://"+proxy+",file://"+strings.TrimSpace(string(cache))+"/cache/download", "GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOMODCACHE="+moduleCache(), "GOWORK=off")
	check(t, os.CopyFS(d.dir, os.DirFS("testdata/deploy/app")))
	check(t, filepath.WalkDir(d.dir, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(path, "_"); ok { // .go_, lest it be a package of heddle
			return os.Rename(path, name)
		}
		return err
	}))
	// All requirements are spelled out, as go mod tidy would: it reads modules that
	// a machine on which heddle was only built does not have.
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(t, err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	check(t, err)
	blocks := bytes.Join(regexp.MustCompile(`(?ms)^go .*?\n|^require \(.*?^\)\n`).FindAll(own, -1), nil)
	check(t, os.WriteFile(filepath.Join(d.dir, "go.mod"), fmt.Appendf(nil, "module example.com/app\n\nrequire (\n\texample.com/dep v1.0.0\n\t%[1]s v0.0.0\n)\n%[2]s\nreplace %[1]s => %[3]s\n", module.Path, blocks, root), 0o666))
	check(t, os.WriteFile(filepath.Join(d.dir, "go.sum"), append(sums, dep...), 0o666))
	out, err := exec.Command("go", "build", "-o", d.tool, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return d
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// publish puts a version of example.com/dep into a proxy's directory, and returns
// its lines of go.sum.
func publish(t *testing.T, proxy, version string) (sums string) {
	dir := filepath.Join(proxy, "example.com/dep/@v")
	check(t, os.MkdirAll(dir, 0o777))
	mod := []byte("module example.com/dep\n\ngo 1.26\n")
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	add := func(name string, text []byte) {
		f, err := z.Create("example.com/dep@" + version + "/" + name)
		check(t, err)
		_, err = f.Write(text)
		check(t, err)
	}
	add("go.mod", mod)
	src := os.DirFS("testdata/deploy/dep")
	check(t, fs.WalkDir(src, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := fs.ReadFile(src, path)
		add(strings.TrimSuffix(path, "_"), bytes.ReplaceAll(text, []byte("VERSION"), []byte(strings.Split(version, ".")[1])))
		return err
	}))
	check(t, z.Close())
	check(t, os.WriteFile(filepath.Join(dir, version+".zip"), archive.Bytes(), 0o666))
	check(t, os.WriteFile(filepath.Join(dir, version+".mod"), mod, 0o666))
	check(t, os.WriteFile(filepath.Join(dir, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version), 0o666))
	list, err := os.OpenFile(filepath.Join(dir, "list"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	check(t, err)
	_, err = io.WriteString(list, version+"\n")
	check(t, err)
	check(t, list.Close())
	whole, err := dirhash.HashZip(filepath.Join(dir, version+".zip"), dirhash.Hash1)
	check(t, err)
	modOnly, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(mod)), nil })
	check(t, err)
	return fmt.Sprintf("example.com/dep %[1]s %[2]s\nexample.com/dep %[1]s/go.mod %[3]s\n", version, whole, modOnly)
}

// run runs a command in the module and returns its output; it must succeed.
func (d *deployment) run(env []string, name string, args ...string) string {
	d.t.Helper()
	out, err := d.try(env, name, args...)
	if err != nil {
		d.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

func (d *deployment) try(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = d.dir, append(d.env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// alone runs a program with nothing but what it carries and the settings.
func (d *deployment) alone(exe string, env ...string) (string, error) {
	cmd := exec.Command(exe)
	cmd.Dir, cmd.Env = d.t.TempDir(), append([]string{"PATH=", "HEDDLE_CACHE=off", "HEDDLE_LOG=compile"}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// program builds the stripped program in a way.
func (d *deployment) program(flags ...string) string {
	d.t.Helper()
	exe := filepath.Join(d.t.TempDir(), "app")
	d.run(nil, "go", append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", exe}, append(flags, ".")...)...)
	return exe
}

// want is what the program prints, with version 1.0.0 of its dependency.
const want = "[1010 2020 3070 4160]"

// TestGenerate generates, checks, and runs a stripped program where there is
// neither Go nor a source tree.
func TestGenerate(t *testing.T) {
	d := deploy(t)
	cpu, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	check(t, cpu.Close())
	out, err := d.alone(d.program(), "HEDDLE_DEVICE=cpu")
	if err == nil || !strings.Contains(out, "the source of main.") || !strings.Contains(out, "is not here") {
		t.Errorf("before heddle generate: %v\n%s", err, out)
	}
	if out, err := d.try(nil, d.tool, "generate", "-check"); err == nil || !strings.Contains(out, "heddle_generated.go is not up to date: run heddle generate") {
		t.Errorf("-check before: %v\n%s", err, out)
	}
	t.Log(d.run([]string{"HEDDLE_TOOL=" + d.tool}, "go", "generate", "./..."))
	d.run(nil, d.tool, "generate", "-check", "./...")
	for _, name := range []string{"heddle_generated.go", "heddle.zip", "lib/heddle_generated.go"} {
		if _, err := os.Stat(filepath.Join(d.dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(d.dir, "host")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "host/heddle_generated.go")); err == nil {
		t.Error("a package that no kernel needs got a file")
	}
	d.run(nil, "go", "vet", "./...")
	for _, flags := range [][]string{nil, {"-buildmode=pie"}} {
		exe := d.program(flags...)
		for _, env := range []string{"HEDDLE_DEVICE=sim", "HEDDLE_DEVICE=cpu", "HEDDLE_DEVICE=emu:gfx90a"} {
			out, err := d.alone(exe, env)
			if err != nil || !strings.Contains(out, want) {
				t.Errorf("%v %s: %v\n%s", flags, env, err, out)
			}
		}
	}
	// another version of the dependency than the one that is carried
	d.run(nil, "go", "mod", "edit", "-require=example.com/dep@v1.1.0")
	out, err = d.alone(d.program(), "HEDDLE_DEVICE=cpu")
	if err == nil || !strings.Contains(out, "heddle.zip has version v1.0.0 of module example.com/dep, the program was built with v1.1.0: run heddle generate") {
		t.Errorf("another version: %v\n%s", err, out)
	}
	if out, err := d.try(nil, d.tool, "generate", "-check"); err == nil || !strings.Contains(out, "heddle.zip is not up to date") {
		t.Errorf("-check with another version: %v\n%s", err, out)
	}
	d.run(nil, d.tool, "generate")
	out, err = d.alone(d.program(), "HEDDLE_DEVICE=cpu")
	if err != nil || !strings.Contains(out, "[1011 2021 3071 4161]") {
		t.Errorf("after generating again: %v\n%s", err, out)
	}
	d.testBinary()
	d.run(nil, "go", "mod", "vendor")
	exe := filepath.Join(t.TempDir(), "vendored")
	d.run([]string{"GOFLAGS=-trimpath"}, "go", "build", "-mod=vendor", "-o", exe, ".")
	out, err = d.alone(exe, "HEDDLE_DEVICE=cpu")
	if err != nil || !strings.Contains(out, "[1011 2021 3071 4161]") {
		t.Errorf("vendored: %v\n%s", err, out)
	}
}

// TestTrimmedTool generates and traces with a tool that was built with -trimpath, as
// released ones are: the names in its own function table are no files, those of the
// packages that it looks at are.
func TestTrimmedTool(t *testing.T) {
	d := deploy(t)
	whole := d.tool
	d.tool = filepath.Join(t.TempDir(), "heddle")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", d.tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(d.run(nil, d.tool, "generate", "./..."))
	t.Log(d.run(nil, d.tool, "generate", "-tests", "./..."))
	for _, name := range []string{"heddle.zip", "lib/heddle_test.zip"} {
		if _, err := os.Stat(filepath.Join(d.dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, args := range [][]string{{"generate", "-check", "./..."}, {"generate", "-tests", "-check", "./..."}} {
		if out, err := d.try(nil, whole, args...); err != nil {
			t.Errorf("a tool with all names: %v: %v\n%s", args, err, out)
		}
	}
	needEmulator(t, "gfx90a")
	out := d.run(nil, d.tool, "dump", "-arch", "gfx90a", "-stage", "trace", "-n", "9", ".Scale")
	if !regexp.MustCompile(`(?m)^main\.go:\d+: \S`).MatchString(out) {
		t.Errorf("no line of the source is shown:\n%s", out)
	}
}

// testBinary runs a package's tests where there is neither Go nor a source tree.
func (d *deployment) testBinary() {
	d.t.Helper()
	exe := filepath.Join(d.t.TempDir(), "lib.test")
	compile := func() { d.run(nil, "go", "test", "-c", "-trimpath", "-ldflags=-s -w", "-o", exe, "./lib") }
	compile()
	if out, err := d.alone(exe, "HEDDLE_DEVICE=cpu"); err == nil || !strings.Contains(out, "lib_test.go:") || !strings.Contains(out, "heddle generate -tests") {
		d.t.Errorf("before heddle generate -tests: %v\n%s", err, out)
	}
	if out, err := d.try(nil, d.tool, "generate", "-tests", "-check", "./..."); err == nil || !strings.Contains(out, "heddle_generated_test.go is not up to date") {
		d.t.Errorf("-check before: %v\n%s", err, out)
	}
	d.t.Log(d.run(nil, d.tool, "generate", "-tests", "./..."))
	d.run(nil, d.tool, "generate", "-tests", "-check", "./...")
	d.run(nil, d.tool, "generate", "-check", "./...")
	d.run(nil, "go", "vet", "./...")
	compile()
	for _, device := range []string{"sim", "cpu"} {
		if out, err := d.alone(exe, "HEDDLE_DEVICE="+device); err != nil {
			d.t.Errorf("tests on %s: %v\n%s", device, err, out)
		}
	}
}

// TestBuild compiles ahead of time, and runs where there is no compiler.
func TestBuild(t *testing.T) {
	d := deploy(t)
	cpu, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	arch := cpu.Info().Arch
	check(t, cpu.Close())
	d.run(nil, d.tool, "generate")
	out := d.run(nil, d.tool, "build", "-v", "-arch", "gfx90a,sm_90,"+arch)
	t.Log(out)
	for _, s := range []string{"main.Scale", "main.main.func1", "kernels_heddle.go embeds it", "gfx90a       64"} {
		if !strings.Contains(out, s) {
			t.Errorf("heddle build does not print %q", s)
		}
	}
	if !strings.Contains(out, "left out: ") || !strings.Contains(out, "main.go:") {
		t.Error("heddle build does not name the kernel that it cannot know")
	}
	exe := d.program()
	out, err = d.alone(exe, "HEDDLE_DEVICE=cpu", "HEDDLE_LLVM=/nonexistent")
	if err != nil || !strings.Contains(out, want) || strings.Contains(out, "from=compiler") || !strings.Contains(out, "from=archive") {
		t.Errorf("without a compiler: %v\n%s", err, out)
	}
	if out, err = d.alone(exe, "HEDDLE_LLVM=/nonexistent"); err != nil || !strings.Contains(out, "cpu") || !strings.Contains(out, want) {
		t.Errorf("the best device without a compiler: %v\n%s", err, out)
	}
	out, err = d.alone(exe, "HEDDLE_DEVICE=cpu", "HEDDLE_LLVM=/nonexistent", "HEDDLE_ARCHIVE=off")
	if err == nil || !strings.Contains(out, "/nonexistent") {
		t.Errorf("with the archive switched off: %v\n%s", err, out)
	}
	out, err = d.alone(exe, "HEDDLE_DEVICE=cpu", "HEDDLE_LLVM=/nonexistent", "CHOICE=1")
	if err == nil || !strings.Contains(out, "it is not in the embedded archive") {
		t.Errorf("a kernel that is not in the archive: %v\n%s", err, out)
	}
	out, err = d.alone(exe, "HEDDLE_DEVICE=cpu", "CHOICE=1", "HEDDLE_LLVM="+os.Getenv("HEDDLE_LLVM"))
	if err != nil || !strings.Contains(out, "from=compiler") {
		t.Errorf("compiling what is not in the archive: %v\n%s", err, out)
	}
	again := d.run(nil, d.tool, "build", "-arch", "gfx90a,sm_90,"+arch)
	if strings.Contains(again, "embeds it") {
		t.Error("the Go file was written again")
	}
	for _, bad := range []string{"gfx90a:31", "pentium", ""} {
		if out, err := d.try(nil, d.tool, "build", "-arch", bad); err == nil || !strings.Contains(out, "usage: heddle build") {
			t.Errorf("-arch %q: %v\n%s", bad, err, out)
		}
	}
	d.buildCheck(arch)
}

// TestCgo generates and builds for a program that calls C.
func TestCgo(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	cpu, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	arch := cpu.Info().Arch
	check(t, cpu.Close())
	d := deploy(t)
	d.env = append(d.env, "CGO_ENABLED=1")
	text, err := os.ReadFile("testdata/deploy/withc/main.go_")
	check(t, err)
	check(t, os.RemoveAll(filepath.Join(d.dir, "main.go")))
	check(t, os.WriteFile(filepath.Join(d.dir, "main.go"), text, 0o666))
	d.run(nil, d.tool, "generate")
	out := d.run(nil, d.tool, "build", "-v", "-arch", arch)
	if strings.Count(out, "main.add.func1") != 2 || strings.Contains(out, "left out") {
		t.Errorf("heddle build: %s", out)
	}
	out, err = d.alone(d.program(), "HEDDLE_DEVICE=cpu", "HEDDLE_LLVM=/nonexistent")
	if err != nil || !strings.Contains(out, "[121 144 169 2209]") || strings.Contains(out, "from=compiler") {
		t.Errorf("without a compiler: %v\n%s", err, out)
	}
	// what cgo cannot read is an error with its line
	broken := bytes.Replace(text, []byte("C.twice(r.n)"), []byte("C.thrice(r.n)"), 1)
	check(t, os.WriteFile(filepath.Join(d.dir, "main.go"), broken, 0o666))
	if out, err := d.try(nil, d.tool, "generate"); err == nil || !strings.Contains(out, "main.go:61:7: could not determine what C.thrice refers to") {
		t.Errorf("a C function that is not there: %v\n%s", err, out)
	}
}

// buildCheck tells archives that are up to date from those that are not, without a compiler.
func (d *deployment) buildCheck(arch string) {
	noLLVM := []string{"HEDDLE_LLVM=/nonexistent", "HEDDLE_CACHE=off"}
	stale := func(args []string, wants ...string) {
		d.t.Helper()
		out, err := d.try(noLLVM, d.tool, append([]string{"build", "-check"}, args...)...)
		for _, want := range wants {
			if err == nil || !strings.Contains(out, want) {
				d.t.Errorf("build -check %v: %v\n%s", args, err, out)
			}
		}
	}
	d.run(noLLVM, d.tool, "build", "-check")
	d.run(noLLVM, d.tool, "build", "-check", "-arch", "gfx90a,sm_90,"+arch)
	stale([]string{"-arch", "gfx90a,gfx942,sm_90," + arch}, "kernels.heddle is not up to date: run heddle build -arch gfx90a,gfx942,", "it lacks main.Scale for gfx942")
	stale([]string{"-arch", "gfx90a,sm_90"}, "stale entry: main.Scale for "+arch)
	stale([]string{"-o", "others.heddle"}, "others.heddle", "heddle build -arch")
	check(d.t, os.Rename(filepath.Join(d.dir, "kernels_heddle.go"), filepath.Join(d.dir, "kernels_heddle.text")))
	stale(nil, "kernels_heddle.go does not embed it")
	check(d.t, os.Rename(filepath.Join(d.dir, "kernels_heddle.text"), filepath.Join(d.dir, "kernels_heddle.go")))
	lib := filepath.Join(d.dir, "lib/lib.go")
	text, err := os.ReadFile(lib)
	check(d.t, err)
	check(d.t, os.WriteFile(lib, bytes.Replace(text, []byte("10 * x"), []byte("11 * x"), 1), 0o666))
	stale(nil, "it lacks main.Scale for gfx90a", "stale entry: main.Scale for sm_90")
	check(d.t, os.WriteFile(lib, text, 0o666))
	d.run(noLLVM, d.tool, "build", "-check")
	check(d.t, os.WriteFile(filepath.Join(d.dir, "kernels.heddle"), []byte("damaged"), 0o666))
	stale(nil, "kernels.heddle: codegen: not an archive of kernels")
	if out, err := d.alone(d.program(), "HEDDLE_DEVICE=cpu", "HEDDLE_LLVM=/nonexistent"); err == nil || !strings.Contains(out, "the program's archive cannot be used (codegen: not an archive") {
		d.t.Errorf("with a damaged archive: %v\n%s", err, out)
	}
}
