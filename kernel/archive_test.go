package kernel_test

import (
	"slices"
	"strings"
	"testing"

	"heddle/internal/env"
	"heddle/internal/program"
	"heddle/kernel"
	"heddle/launch"
)

// What go doc shows as constants of their own is what heddle goes by.
func TestConstants(t *testing.T) {
	if got, want := []string{kernel.EnvDump, kernel.EnvLog, launch.EnvDevice}, []string{env.Dump, env.Log, env.Device}; !slices.Equal(got, want) {
		t.Errorf("variables %v, want %v", got, want)
	}
	var stages []string
	for _, s := range []kernel.Stage{kernel.SSA, kernel.IR, kernel.Scalar, kernel.Vector, kernel.Optimised, kernel.Asm, kernel.Res} {
		stages = append(stages, string(s))
	}
	if !slices.Equal(stages, program.Stages) {
		t.Errorf("stages %v, want %v", stages, program.Stages)
	}
}

// TestBadArchive gives a program bytes that are no archive: it compiles, and only
// where it cannot does it say what was wrong.
func TestBadArchive(t *testing.T) {
	defer kernel.ForgetArchives()
	if !kernel.Archive([]byte("no archive")) {
		t.Error("Archive returns false")
	}
	t.Setenv("HEDDLE_OPT", "none") // which no compile survives
	t.Setenv("HEDDLE_CACHE", "off")
	kernel.Forget()
	defer kernel.Forget()
	_, err := kernel.New(func(v []int) { v[0] = 77 }).Object("sm_90", 0)
	if err == nil || !strings.Contains(err.Error(), "while the program's archive cannot be used (codegen: not an archive of kernels") {
		t.Error(err)
	}
}
