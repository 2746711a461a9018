package codegen

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// What an earlier process has found is taken, until a directory that was looked into has
// changed, or a file is gone.
func TestLook(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names of Linux")
	}
	if llvm.Loaded() != nil {
		t.Skip("this process has a libLLVM: go test -run 'TestLook$'")
	}
	lib, device := t.TempDir(), filepath.Join(t.TempDir(), "bitcode")
	t.Setenv(EnvCache, t.TempDir())
	t.Setenv("LD_LIBRARY_PATH", lib)
	t.Setenv(EnvDeviceLibs, device)
	t.Setenv(EnvBackend, LLVM)
	t.Setenv(llvm.EnvLLVM, "")
	again := func(want string, finds bool) {
		t.Helper()
		remember[abi.HSACO].key = ""
		s := look(abi.HSACO)
		if slices.Contains(s.Files, want) != finds {
			t.Errorf("looking for %s: found %v, want it there: %t", want, s.Files, finds)
		}
	}
	ocml, llvm19 := filepath.Join(device, "ocml.bc"), filepath.Join(lib, "libLLVM-19.so.1")
	again(ocml, false)
	again(ocml, false) // as it was
	if len(look(abi.HSACO).Dirs) == 0 {
		t.Error("no directories")
	}
	put := func(file string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put(ocml)
	put(filepath.Join(device, "ockl.bc"))
	again(ocml, true)
	again(ocml, true)
	before := Fingerprint(abi.HSACO)
	if err := os.WriteFile(ocml, []byte("another"), 0o666); err != nil {
		t.Fatal(err)
	}
	if Fingerprint(abi.HSACO) == before {
		t.Error("another library has the same fingerprint")
	}
	if err := os.RemoveAll(device); err != nil {
		t.Fatal(err)
	}
	again(ocml, false)
	put(llvm19)
	if err := os.RemoveAll(lib); err != nil { // and its directory, which is watched
		t.Fatal(err)
	}
	again(llvm19, false)
}

// The directories that are watched for a pattern are those in which something may begin or
// cease to match it.
func TestWatched(t *testing.T) {
	root := t.TempDir()
	for _, d := range []string{"rocm-6/lib/clang/17/include", "rocm-7/lib", "other"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	got := watched([]string{root + "/rocm*/lib", root + "/none/lib", root + "/rocm*/lib/clang/*/bitcode"})
	if slices.Contains(got, root+"/other") {
		t.Errorf("a directory that matches nothing is watched: %v", got)
	}
	for _, want := range []string{"", "/rocm-6/lib", "/rocm-7/lib", "/none/lib", "/rocm-6/lib/clang", "/rocm-6/lib/clang/17"} {
		if !slices.Contains(got, filepath.Clean(root+want)) {
			t.Errorf("%s is not watched: %v", root+want, got)
		}
	}
}
