package ssa2ir

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"heddle/internal/target"
)

// A Result says whether the kernel has shared memory. Where that is an address space of
// its own, the module names this space just then.
func TestUsesShared(t *testing.T) {
	const head = "package p\n\nimport \"heddle/dsl\"\n\nfunc K(s []int, n int) { dsl.SyncThreads(); "
	for _, c := range []struct {
		name, body      string
		shared, dynamic bool
		sharedCounter   bool // of a barrier, on AMD GPUs
	}{
		{name: "none", body: "s[0] = n"},
		{name: "a thread's own array", body: "var a [4]int; a[n&3] = 1; s[0] = a[s[1]&3]"},
		{name: "static", body: "a := dsl.Shared[[4]int](); a[n&3] = 1; s[0] = a[s[1]&3]", shared: true},
		{name: "static, of no size", body: "s[0] = len(dsl.Shared[[0]int]())", shared: true},
		{name: "dynamic", body: "a := dsl.DynamicShared[int](); a[n&3] = 1; s[0] = a[0]", shared: true, dynamic: true},
		{name: "in what is called", body: "s[0] = f(n) }; func f(n int) int { return dsl.Shared[[4]int]()[n&3]", shared: true},
		{name: "a barrier that counts", body: "s[0] = dsl.SyncThreadsCount(n > 1)", sharedCounter: true},
	} {
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", head+c.body+" }\n"), "K"))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, arch := range []string{goldenArch, otherArch, cpuArch} {
			m, err := target.For(arch, 0)
			if err != nil {
				t.Fatal(err)
			}
			res, err := prog.Lower(m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := c.shared || c.sharedCounter && arch == goldenArch
			if res.Shared != want || res.Dynamic != c.dynamic {
				t.Errorf("%s on %s: shared memory %v, dynamic %v; want %v, %v", c.name, arch, res.Shared, res.Dynamic, want, c.dynamic)
			}
			if named := strings.Contains(string(res.IR), "addrspace(3)"); named != want && arch != cpuArch {
				t.Errorf("%s on %s: the module names shared memory: %v, want %v", c.name, arch, named, want)
			}
		}
	}
}

// Shared memory has the same names wherever the module lies, and others for each call: LLVM lays
// it out by name, and code that depends on a directory is no use as a golden.
func TestSharedNames(t *testing.T) {
	const source = `package p
import "heddle/dsl"
func K(s []int, n int) { a, b := dsl.Shared[[4]int](), dsl.Shared[[4]int](); a[n&3], b[n&3] = 1, 2; s[0] = a[s[1]&3] + b[s[1]&3] }
`
	name := regexp.MustCompile(`@heddle_shared_\w+`)
	var all [2][]string
	for i, file := range []string{"/one/k.go", "/another/place/k.go"} {
		prog, err := Check(kernelOf(t, buildSource(t, file, source), "K"))
		if err != nil {
			t.Fatal(err)
		}
		names := name.FindAllString(string(lowerFor(t, prog, goldenArch)), -1)
		slices.Sort(names)
		all[i] = slices.Compact(names)
	}
	if len(all[0]) != 2 || !slices.Equal(all[0], all[1]) {
		t.Errorf("shared memory is named %q and %q", all[0], all[1])
	}
}
