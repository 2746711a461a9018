package matrix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
)

// This file prepares the run on arm64, under qemu's emulation of user programs.
// The emulated process can load no libLLVM: the func values are compiled for it
// beforehand, by the same program for this machine, into the disk cache.

// armRoot is the directory with the C library of arm64, which the program loads
// though it has no use for it.
func armRoot() string {
	if dir := os.Getenv("QEMU_LD_PREFIX"); dir != "" {
		return dir
	}
	return "/usr/aarch64-linux-gnu"
}

// compileArm64 compiles what the emulated program will launch. It returns a
// setting for that program's environment.
func (r *runner) compileArm64(t *testing.T, dir string) string {
	t.Helper()
	lib, err := llvm.Open()
	if err == nil {
		err = codegen.Supports("aarch64-unknown-linux-gnu", "aarch64")
	}
	if err != nil {
		t.Logf("not launched on the cpu of arm64: %v", err)
		return "MATRIX_CPU=off"
	}
	// The objects are this compiler's in both processes, by this name.
	t.Setenv(llvm.EnvLLVM, lib.Path)
	exe := filepath.Join(t.TempDir(), "host")
	if out, err := goCommand(t, dir, nil, "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := goCommand(t, dir, nil)
	cmd.Path, cmd.Args = exe, []string{exe}
	cmd.Env = append(cmd.Env, "MATRIX_COMPILE=aarch64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("compiling for arm64: %v", err)
		for line := range strings.Lines(string(out)) {
			if !strings.HasSuffix(line, "compiled=ok\n") {
				t.Log(short(line))
			}
		}
	}
	return "HEDDLE_LLVM=" + lib.Path
}
