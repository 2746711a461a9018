package codegen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// comgr 2 knows these, and later ones more.
var comgrArchs = []string{"gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx1030"}

func TestComgr(t *testing.T) {
	if len(llvm.ComgrCandidates()) == 0 {
		t.Skip("no libamd_comgr on this machine")
	}
	t.Setenv(EnvBackend, Comgr)
	for _, version := range []int{4, 5} {
		for _, m := range append(modules, module{"ocml", "k", 0, ocmlIR}) {
			if _, ok := HasMathLib(abi.HSACO); m.name == "ocml" && !ok {
				continue
			}
			for _, arch := range comgrArchs {
				r := request(m.text, m.kernel, arch)
				r.CodeObject = version
				obj, err := Emit(r)
				if err != nil {
					t.Error(err)
					continue
				}
				if obj.WarpSize != r.WarpSize || obj.Res.CodeBytes == 0 || obj.Res.LDS != m.lds {
					t.Errorf("%s for %s: %d, %+v", m.name, arch, obj.WarpSize, obj.Res)
				}
			}
		}
	}
	asm, err := Assembly(request(modules[0].text, modules[0].kernel, "gfx90a"))
	if err != nil || !strings.Contains(asm, "global_store_dword") {
		t.Errorf("%v\n%s", err, asm)
	}
	r := request(modules[0].text, modules[0].kernel, "gfx90a")
	r.Features = "+wavefrontsize64,-xnack" // as package target asks for it
	obj, err := Emit(r)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(obj.Code), "gfx90a:xnack-") {
		t.Error("the feature is lost")
	}
	if _, minor, _ := strings.Cut(llvm.ComgrCandidates()[0], ".so.2"); minor != "" { // a distribution's
		_, err := Emit(request(cosineIR, "k", "gfx90a"))
		if fatal := new(llvm.FatalError); !errors.As(err, &fatal) {
			t.Errorf("fatal error: %v", err)
		}
	}
	for text, want := range map[string]string{
		"define KERNEL void @k() {\n  ret i32 i32\n}":                                               "expected value token",
		"declare void @missing()\ndefine KERNEL void @k() {\n  call void @missing()\n  ret void\n}": "undefined symbol missing",
		"define KERNEL void @other() {\n  ret void\n}":                                              "dropped the kernel",
	} {
		if _, err := Emit(request(text, "k", "gfx90a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestBackend(t *testing.T) {
	skipWithoutLLVM(t)
	dir := t.TempDir()
	fake := filepath.Join(dir, "libamd_comgr.so.3")
	if err := os.WriteFile(fake, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "libamd_comgr.so.2")
	if err := os.WriteFile(old, []byte("not a library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		env, comgr string
		kind       abi.Kind
		want       string
	}{
		{"", fake, abi.HSACO, Comgr},
		{"", old, abi.HSACO, LLVM},
		{"llvm", fake, abi.HSACO, LLVM},
		{"comgr", old, abi.HSACO, Comgr},
		{"comgr", fake, abi.PTX, LLVM},
		{"", fake, abi.PTX, LLVM},
	} {
		t.Setenv(EnvBackend, test.env)
		t.Setenv(llvm.EnvComgr, test.comgr)
		if name, path, err := Backend(test.kind); name != test.want || path == "" || err != nil {
			t.Errorf("%+v: %s, %s, %v", test, name, path, err)
		}
	}
	t.Setenv(EnvBackend, "gcc")
	if _, _, err := Backend(abi.HSACO); err == nil || !strings.Contains(err.Error(), `HEDDLE_BACKEND="gcc": want llvm or comgr`) {
		t.Error(err)
	}
	// A comgr that does not work is no obstacle, unless it was asked for.
	t.Setenv(EnvBackend, "")
	t.Setenv(llvm.EnvComgr, fake)
	if c, err := llvm.OpenComgr(); err == nil {
		t.Skipf("comgr is loaded already, from %s", c.Path)
	}
	if _, err := Emit(request(modules[0].text, modules[0].kernel, "gfx90a")); err != nil {
		t.Error(err)
	}
	t.Setenv(EnvBackend, Comgr)
	if _, err := Emit(request(modules[0].text, modules[0].kernel, "gfx90a")); err == nil || !strings.Contains(err.Error(), fake) {
		t.Error(err)
	}
}
