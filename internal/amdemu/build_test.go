package amdemu

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sourceFile is the name that debug information has of kernelSource.
const sourceFile = "kernels.cl"

// kernelSource is OpenCL C that makes clang use what a kernel descriptor has.
const kernelSource = `
constant int table[4] = {1, 2, 3, 4};

int inlined(int x) {
  return x * table[x & 3];
}

__attribute__((noinline)) int called(int x) {
  return inlined(x) + 1;
}

__attribute__((noinline)) int recursive(int n, global int *p) {
  return n ? recursive(p[n], p) + recursive(n - 1, p) : 1;
}

kernel void plain(global int *out, int n) {
  if (__builtin_amdgcn_workitem_id_x() < n) out[n] = 1;
}

kernel void full(global int *out, char a, int n, ulong b, short c) {
  local int tile[64];
  int stack[20];
  for (int i = 0; i < 20; i++) stack[i] = out[i];
  int x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(), z = __builtin_amdgcn_workitem_id_z();
  tile[x] = out[n];
  __builtin_amdgcn_s_barrier();
  out[__builtin_amdgcn_workgroup_id_x() + 2 * __builtin_amdgcn_workgroup_id_y() + 3 * __builtin_amdgcn_workgroup_id_z()] =
      called(stack[n]) + inlined(tile[n]) + x + y + z + a + b + c +
      *(constant int *)__builtin_amdgcn_dispatch_ptr() + *(constant int *)__builtin_amdgcn_implicitarg_ptr();
}

kernel void queue(global int *out) {
  out[0] = *(constant int *)__builtin_amdgcn_queue_ptr();
}

kernel void stacked(global int *out) {
  out[0] = recursive(out[1], out);
}

kernel void bounded(global int *out) __attribute__((reqd_work_group_size(8, 8, 1))) {
  out[__builtin_amdgcn_workitem_id_y()] = 1;
}
`

// A build is one way to compile kernelSource.
type build struct {
	arch    string
	wave    int
	version int // of the code object
	options []string
}

func (b build) String() string {
	return strings.Join(append([]string{b.arch, map[int]string{32: "w32", 64: "w64"}[b.wave], string(rune('0' + b.version))}, b.options...), " ")
}

// builds are the processors, at both wave sizes where there are two.
var builds = []build{
	{"gfx90a", 64, 5, nil}, {"gfx942", 64, 5, nil},
	{"gfx1030", 32, 5, nil}, {"gfx1030", 64, 5, nil},
	{"gfx1100", 32, 5, nil}, {"gfx1100", 64, 5, nil},
	{"gfx1201", 32, 5, nil}, {"gfx1201", 64, 5, nil},
	{"gfx906", 64, 4, nil}, {"gfx90a", 64, 4, nil}, {"gfx1030", 32, 4, nil},
	{"gfx908", 64, 5, nil}, {"gfx803", 64, 5, nil},
	{"gfx942", 64, 6, nil}, {"gfx1100", 32, 6, nil},
}

// tool finds a program of LLVM's, of a release that knows all the processors.
func tool(t testing.TB, name string) string {
	t.Helper()
	for _, version := range []string{"-22", "-21", "-20", "-19"} {
		if path, err := exec.LookPath(name + version); err == nil {
			return path
		}
	}
	t.Skipf("no %s of LLVM 19 or later on this machine", name)
	return ""
}

// run returns what a program writes.
func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// compiled is what compile has made.
var compiled = map[string][]byte{}

// compile makes a code object of kernelSource with clang and lld, and returns
// its path and contents.
func compile(t testing.TB, b build) (path string, code []byte) {
	t.Helper()
	clang := tool(t, "clang")
	dir := t.TempDir()
	in, out := filepath.Join(dir, sourceFile), filepath.Join(dir, "kernels.hsaco")
	if code := compiled[b.String()]; code != nil {
		if err := os.WriteFile(out, code, 0o600); err != nil {
			t.Fatal(err)
		}
		return out, slices.Clone(code)
	}
	if err := os.WriteFile(in, []byte(kernelSource), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + b.arch, "-nogpulib", "-O2", "-g",
		"-mcode-object-version=" + string(rune('0'+b.version)), "-Wno-everything"}
	if b.wave == 64 && generation(b.arch) >= 10 {
		args = append(args, "-mwavefrontsize64")
	}
	args = append(append(args, b.options...), in, "-o", out)
	if text, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
		if strings.Contains(string(text), "lld") && strings.Contains(string(text), "unable to execute") {
			t.Skipf("clang has no lld: %s", text)
		}
		t.Fatalf("%s %v: %v\n%s", clang, args, err, text)
	}
	code, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	compiled[b.String()] = code
	return out, slices.Clone(code)
}

// inWords stands for a disassembler: each word is an instruction.
func inWords(_, _, _ string, code []byte, addr uint64) (lines []Line, err error) {
	for n := 4; len(code) > 0; code = code[n:] {
		n = min(n, len(code))
		lines = append(lines, Line{Addr: addr, Size: n, Text: "s_nop 0"})
		addr += uint64(n)
	}
	return lines, nil
}
