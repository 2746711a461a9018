package link

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/link/linktest"
)

// tool finds a program of LLVM's, whatever its version suffix.
func tool(t testing.TB, name string) string {
	t.Helper()
	for _, version := range []string{"-22", "-19", ""} {
		if path, err := exec.LookPath(name + version); err == nil {
			return path
		}
	}
	t.Skipf("no %s on this machine to compare with", name)
	return ""
}

func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// What Link makes is, in all that a loader and a tool sees, what lld makes.
func TestAgainstLLD(t *testing.T) {
	lld, objdump := linktest.LLD(), tool(t, "llvm-objdump")
	if lld == "" {
		t.Skip("no ld.lld on this machine to compare with")
	}
	for _, arch := range linkArchs {
		for _, passes := range []string{"default<O0>", "globaldce"} {
			t.Run(arch+"/"+passes, func(t *testing.T) {
				obj := object(t, moduleIR, arch, passes)
				ours, err := Link(obj)
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				path := func(name string) string { return filepath.Join(dir, name) }
				if err := os.WriteFile(path("ours"), ours, 0o600); err != nil {
					t.Fatal(err)
				}
				theirs, err := linktest.Link(lld, dir, obj)
				if err != nil {
					t.Fatal(err)
				}
				if n, err := linktest.Compare(obj, ours, theirs); err != nil || n < 8 {
					t.Errorf("%d relocations; %v", n, err)
				}
				compareMetadata(t, ours, theirs)
				a := disassembly(output(t, objdump, "-d", "-l", path("ours")))
				b := disassembly(output(t, objdump, "-d", "-l", path("out")))
				if a != b || !strings.Contains(a, "s_endpgm") || !strings.Contains(a, "first.go:9") {
					t.Errorf("disassembly differs or is empty:\n%s\n--- lld:\n%s", a, b)
				}
			})
		}
	}
}

var addresses = regexp.MustCompile(`(?m)^.*file format.*$|\s*// [0-9A-F]{12}:.*$|^[0-9a-f]{16} |(0x[0-9a-f]+|-?\d+)(\s*// [0-9A-F]{12}:.*)$`)

// disassembly is objdump's text less addresses, encodings and last immediate
// operands, which relocations change: linktest.Compare looks at the bytes.
func disassembly(text string) string { return addresses.ReplaceAllString(text, "") }

func compareMetadata(t *testing.T, ours, theirs []byte) {
	t.Helper()
	a, err := Inspect(ours)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Inspect(theirs)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("metadata: %+v\nlld: %+v", a, b)
	}
	if len(a.Kernels) != 2 || !slices.Equal(a.Descriptors, []string{"first.kd", "second.kd"}) {
		t.Errorf("kernels: %+v", a)
	}
}
