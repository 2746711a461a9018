package llvm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for name, want := range map[string]Candidate{
		"libLLVM.so.22.1":       {Major: 22},
		"libLLVM.so.19.1":       {Major: 19},
		"libLLVM-15.so.1":       {Major: 15},
		"libLLVM-16.so":         {Major: 16},
		"libLLVM-14.0.6.so.1":   {Major: 14},
		"libLLVM.so.20.0git":    {Major: 20, Git: true},
		"libLLVM.so.19.0rocm":   {Major: 19, Git: true},
		"libLLVM.so":            {},
		"libLLVMSupport.so.19":  {},
		"libLLVM-19.so.old.bak": {},
	} {
		got := describe(name)
		if want.Path = name; got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

func TestCandidates(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"libLLVM.so.19.1", "libLLVM.so.19.0git", "libLLVM-22.so.1", "libLLVM-98.so.1", "libLLVM-14.so.1", "libLLVM-20.so.1", "libLLVM-97.a", "libLLVMCore.so.96"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("not a library"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("libLLVM.so.19.1", filepath.Join(dir, "libLLVM-19.so")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LD_LIBRARY_PATH", dir)
	t.Setenv(EnvLLVM, "")
	var names []string
	for _, c := range Candidates() {
		if filepath.Dir(c.Path) == dir {
			names = append(names, filepath.Base(c.Path))
		}
	}
	if got := strings.Join(names, " "); got != "libLLVM.so.19.1 libLLVM.so.19.0git libLLVM-22.so.1" {
		t.Errorf("got %s", got)
	}
	if path, major, err := Find(); path != filepath.Join(dir, "libLLVM.so.19.1") || major != 19 || err != nil {
		t.Errorf("found %s %d %v", path, major, err)
	}
	t.Setenv(EnvLLVM, "98")
	if path, major, err := Find(); path != filepath.Join(dir, "libLLVM-98.so.1") || major != 98 || err != nil {
		t.Errorf("found %s %d %v", path, major, err)
	}
	for env, want := range map[string]string{"97": "no working libLLVM 97, which HEDDLE_LLVM asks for", "/nowhere/libLLVM.so": "HEDDLE_LLVM=/nowhere/libLLVM.so does not work\n\tstat /nowhere"} {
		t.Setenv(EnvLLVM, env)
		_, _, err := Find()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "to fix it: ") {
			t.Errorf("%s: %v", env, err)
		}
	}
}

// A file that is no library, or another one, is refused with a reason.
func TestOpenBad(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "libLLVM.so.19.1")
	if err := os.WriteFile(bad, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := open(Candidate{Path: bad}); err == nil || !strings.Contains(err.Error(), "invalid ELF header") && !strings.Contains(err.Error(), "file too short") {
		t.Errorf("%v", err)
	}
	if lib := Loaded(); lib != nil {
		if _, err := openComgr(lib.Path); err == nil || !strings.Contains(err.Error(), "no function amd_comgr_") {
			t.Errorf("libLLVM taken for comgr: %v", err)
		}
	}
}

// A library that does not say its release, under a name that does not either.
func TestUnnamedRelease(t *testing.T) {
	old, err := filepath.Glob("/usr/lib/*/libLLVM-15.so.1")
	if err != nil || len(old) == 0 {
		t.Skip("no LLVM 15 here: newer ones say their release")
	}
	lib, err := open(Candidate{Path: old[0]})
	if err == nil {
		t.Fatalf("opened LLVM %s", lib.Version)
	}
	if !strings.Contains(err.Error(), "does not say which release") {
		t.Error(err)
	}
}
