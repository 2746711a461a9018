package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"heddle/internal/llvm"
	"heddle/internal/module"
	"heddle/internal/target"
	"heddle/launch"
)

// heddle runs one command line.
func heddle(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

func needLLVM(t *testing.T) {
	t.Helper()
	if _, err := llvm.Open(); err != nil {
		t.Skip(err)
	}
}

// TestExitCodes runs command lines whose outcome does not depend on the
// machine. Where the code is not 0 nothing may go to standard output.
func TestExitCodes(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("HEDDLE_CACHE", "off")
	for _, c := range []struct {
		args string
		code int
		want string // in stdout if the code is 0, else in stderr
	}{
		{"help", exitOK, "Exit codes:"},
		{"-h", exitOK, "heddle doctor"},
		{"dump -h", exitOK, "-arch name"},
		{"version", exitOK, "heddle "},
		{"devices", exitOK, "sim:64"},
		{"--version", exitOK, "heddle "},
		{"help dump", exitOK, "-arch name"},
		{"help dmup", exitUsage, `unknown command "dmup" (did you mean dump?)`},
		{"", exitUsage, "usage: heddle COMMAND"},
		{"dmup", exitUsage, `unknown command "dmup" (did you mean dump?)`},
		{"xyzzyx", exitUsage, "unknown command \"xyzzyx\"\nusage: heddle COMMAND"},
		{"devices -jsn", exitUsage, "unknown flag -jsn (did you mean -json?)"},
		{"dump -stage ssa ./examples/saxpy.Saxpy", exitOK, "func Saxpy(a float32"},
		{"dump -stage asn -arch gfx942 ./examples/saxpy.Saxpy", exitUsage, `unknown stage "asn" (did you mean asm?)`},
		{"dump -arch sm90 ./examples/saxpy.Saxpy", exitUsage, "(did you mean sm_90?)"},
		{"completion", exitUsage, "for which shell?"},
		{"completion fihs", exitUsage, "did you mean fish?"},
		{"devices -yaml", exitUsage, "-yaml"},
		{"devices cuda", exitUsage, "too many arguments: cuda"},
		{"cache path", exitMissing, "switched off by HEDDLE_CACHE"},
		{"dump", exitUsage, "which kernel?"},
		{"dump ./examples/saxpy.Saxpy", exitUsage, "for which architecture?"},
		{"dump -arch gfx0 ./examples/saxpy.Saxpy", exitUsage, `unknown architecture "gfx0"`},
		{"dump -arch gfx942 -warp 32 ./examples/saxpy.Saxpy", exitUsage, "gfx942 has no warp size 32"},
		{"dump -arch gfx942 -stage obj ./examples/saxpy.Saxpy", exitUsage, `unknown stage "obj"`},
		{"dump -arch gfx942 -stage scalar ./examples/saxpy.Saxpy", exitUsage, "gfx942 has no stage scalar"},
		{"dump -arch x86-64-v1 ./examples/saxpy.Saxpy", exitUsage, "heddle compiles for x86-64-v2, x86-64-v3 and x86-64-v4"},
		{"dump -arch sm_90 -stage trace ./examples/saxpy.Saxpy", exitUsage, "sm_90 code is not executed here"},
		{"dump -arch x86-64-v3 -stage res -run ./examples/saxpy.Saxpy", exitUsage, "x86-64-v3 code is not executed here"},
		{"dump -arch gfx942 -run ./examples/saxpy.Saxpy", exitUsage, "-run: only the stages trace and res"},
		{"dump -arch gfx942 -stage res -n 1 ./examples/saxpy.Saxpy", exitUsage, "-n is of the stage trace"},
		{"dump -arch gfx942 -stage trace -wave 1 ./examples/saxpy.Saxpy", exitUsage, "has waves 0 to 0"},
		{"dump -arch gfx942 -stage trace -grid 2,2 -at 2,1 ./examples/saxpy.Saxpy", exitUsage, "-at [2 1 0]: the grid has [2 2 1] blocks"},
		{"dump -arch gfx942 -stage trace -n -1 ./examples/saxpy.Saxpy", exitUsage, "-n -1"},
		{"dump -arch gfx942 -stage trace -block 0 ./examples/saxpy.Saxpy", exitUsage, "want up to three numbers from 1"},
		{"dump -arch gfx942 -stage trace -at 1,2,3,4 ./examples/saxpy.Saxpy", exitUsage, "want up to three numbers from 0"},
		{"dump -arch gfx942 -stage trace -arg x ./examples/saxpy.Saxpy", exitUsage, "want name=value"},
		{"dump -arch gfx942 a b", exitUsage, "too many arguments: b"},
		{"dump -stage ssa -arch gfx942 Saxpy", exitFault, `"Saxpy" does not name a function`},
		{"dump -stage ssa -arch gfx942 ./nowhere.Saxpy", exitFault, "package ./nowhere"},
		{"dump -stage ssa -arch gfx942 ./examples/saxpy.Daxpy", exitFault, "undefined: Daxpy"},
		{"dump -stage ssa -arch gfx942 ./examples/saxpy.saxpy", exitFault, "not a declared function"},
		{"dump -stage ssa -arch gfx942 ./examples/template.Reduce", exitFault, "Reduce is generic"},
		{"dump -stage ssa -arch gfx942 ./examples/template.Reduce[int32,Sum[string]]", exitFault, "string does not satisfy"},
		{"dump -stage ssa -arch gfx942 ./examples/template.GCD.Apply", exitFault, "main.GCD.Apply has results"},
		{"dump -stage ssa -arch gfx942 ./examples/closure.run.func9", exitFault, "fewer function literals"},
		{"dump -stage ssa -arch gfx942 ./examples/closure.Map.func1", exitFault, "captures the func f"},
		{"dump -stage ssa -arch gfx942 ./examples/saxpy.Saxpy", exitOK, "func Saxpy(a float32, x []float32, y []float32)"},
		{"dump ./examples/saxpy.Saxpy -arch gfx1100 -stage ir", exitOK, "define"}, // flags after the name
		{"dump ./examples/saxpy.Saxpy -arch aarch64 -stage ir", exitOK, "@heddle.panic"},
		{"dump -stage ssa -arch sm_90 " + module.Path + "/examples/template.Reduce[int32,Sum[int32]]", exitOK, "Reduce["},
		{"dump -stage ssa -arch gfx942 ./examples/closure.run.func1", exitOK, "factor *int32"},
	} {
		t.Run(c.args, func(t *testing.T) {
			code, stdout, stderr := heddle(strings.Fields(c.args)...)
			shown, silent := stderr, stdout
			if c.code == exitOK {
				shown, silent = stdout, stderr
			}
			if code != c.code || !strings.Contains(shown, c.want) || silent != "" {
				t.Errorf("exit code %d, want %d and %q\nstdout: %s\nstderr: %s", code, c.code, c.want, stdout, stderr)
			}
		})
	}
}

// TestDumpExamples compiles kernels of the examples, none of which it runs, for
// one architecture of each kind.
func TestDumpExamples(t *testing.T) {
	needLLVM(t)
	t.Chdir("../..")
	for _, name := range []string{
		"./examples/reduce.Sum", "./examples/transpose.Transpose", "./examples/matmul.MatMul",
		"./examples/histogram.Histogram", "./examples/template.Reduce[uint64, GCD]",
		"./examples/mandelbrot.Mandelbrot", "./examples/streams.Collatz", "./cmd/heddle.probe",
	} {
		for arch, want := range map[string]string{"gfx90a": "s_endpgm", "gfx1030": "s_endpgm", "sm_80": ".entry"} {
			code, stdout, stderr := heddle("dump", "-arch", arch, name)
			if code != exitOK || !strings.Contains(stdout, want) {
				t.Errorf("%s for %s: exit code %d\n%s", name, arch, code, stderr)
			}
		}
	}
}

// TestDumpScalar takes the kernels to the code of one thread on a host.
func TestDumpScalar(t *testing.T) {
	needLLVM(t)
	t.Chdir("../..")
	for _, arch := range []string{"x86-64-v2", "x86-64-v4", "aarch64"} {
		code, stdout, stderr := heddle("dump", "-arch", arch, "-stage", "scalar", "./examples/reduce.Sum")
		if arch == "aarch64" && strings.Contains(stderr, "needs LLVM") {
			t.Log(stderr)
			continue
		}
		if code != exitOK || !strings.Contains(stdout, "call void @heddle.barrier(i32") || !strings.Contains(stdout, "@heddle_shared_size = constant i64") {
			t.Errorf("%s: exit code %d\n%s", arch, code, stderr)
		}
	}
}

func TestDumpToFile(t *testing.T) {
	needLLVM(t)
	t.Chdir("../../examples")
	file := filepath.Join(t.TempDir(), "saxpy.txt")
	if code, _, stderr := heddle("dump", "-arch", "gfx942", "-stage", "res", "-o", file, "./saxpy.Saxpy"); code != exitOK {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "main.Saxpy gfx942 warp 64") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestNoLLVM is a machine without libLLVM: heddle has an exit code for that,
// and doctor names the command that fixes it.
func TestNoLLVM(t *testing.T) {
	if llvm.Loaded() != nil {
		t.Skip("this process has loaded libLLVM")
	}
	t.Setenv(llvm.EnvLLVM, "/nowhere/libLLVM.so")
	t.Setenv("HEDDLE_BACKEND", "llvm")
	t.Chdir("../..")
	code, _, stderr := heddle("dump", "-arch", "gfx942", "./examples/saxpy.Saxpy")
	if code != exitMissing || !strings.Contains(stderr, "/nowhere/libLLVM.so") {
		t.Errorf("dump: exit code %d\n%s", code, stderr)
	}
	code, stdout, _ := heddle("doctor")
	if code != exitMissing || !strings.Contains(stdout, llvm.Fix()) || !strings.Contains(stdout, "broken   llvm") {
		t.Errorf("doctor: exit code %d\n%s", code, stdout)
	}
}

// TestDoctor runs doctor here: the simulated devices work on any machine.
func TestDoctor(t *testing.T) {
	t.Setenv("HEDDLE_CACHE", t.TempDir())
	_, stdout, stderr := heddle("doctor", "-json")
	var fs []finding
	if err := json.Unmarshal([]byte(stdout), &fs); err != nil {
		t.Fatalf("%v\n%s%s", err, stdout, stderr)
	}
	status := map[string]finding{}
	for _, f := range fs {
		status[f.Part] = f
		if f.Status == broken {
			t.Errorf("%s is broken: %s", f.Part, f.Problem)
		}
		if (f.Status == works) != (f.Problem == "") {
			t.Errorf("%s is %s with the problem %q", f.Part, f.Status, f.Problem)
		}
	}
	for _, part := range []string{"go", "sim", "sim:64", "cache"} {
		if status[part].Status != works {
			t.Errorf("%s: %+v", part, status[part])
		}
	}
	for _, part := range []string{"llvm", "comgr", "ocml", "libdevice", "gfx942", "sm_90"} {
		if status[part].Status == "" {
			t.Errorf("doctor says nothing of %s", part)
		}
	}
	lacks := false
	for _, f := range fs {
		lacks = lacks || f.Status == missing
	}
	if code, _, _ := heddle("doctor", "-strict"); (code == exitMissing) != lacks {
		t.Errorf("-strict gives exit code %d, and something is missing: %v", code, lacks)
	}
}

func TestDevicesJSON(t *testing.T) {
	_, stdout, _ := heddle("devices", "-json")
	var ds []launch.DeviceInfo
	if err := json.Unmarshal([]byte(stdout), &ds); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(ds, func(d launch.DeviceInfo) bool { return d.Name == "sim:64" })
	if i < 0 || ds[i].WarpSize != 64 {
		t.Errorf("got %+v", ds)
	}
}

func TestCache(t *testing.T) {
	needLLVM(t)
	dir := t.TempDir()
	t.Setenv("HEDDLE_CACHE", dir)
	t.Chdir("../..")
	if code, stdout, _ := heddle("cache", "path"); code != exitOK || strings.TrimSpace(stdout) != dir {
		t.Errorf("path is %q", stdout)
	}
	if code, _, stderr := heddle("dump", "-arch", "sm_90", "-stage", "res", "./examples/saxpy.Saxpy"); code != exitOK {
		t.Fatal(stderr)
	}
	if _, stdout, _ := heddle("cache"); !strings.Contains(stdout, ": 1 entries,") {
		t.Errorf("after one compile: %s", stdout)
	}
	if _, stdout, _ := heddle("cache", "clear"); stdout != "1 entries removed\n" {
		t.Errorf("clear says %q", stdout)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

// TestArchitectures: the architectures that the usage text names are real.
func TestArchitectures(t *testing.T) {
	for _, arch := range []string{"gfx942", "gfx1100", "sm_90", "x86-64-v3", "aarch64"} {
		if _, err := target.For(arch, 0); err != nil {
			t.Error(err)
		}
	}
}
