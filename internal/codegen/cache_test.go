package codegen

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

func entries(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func mustBuild(t *testing.T, r *Request, fromDisk bool) *abi.Object {
	t.Helper()
	obj, disk, err := Build(r)
	if err != nil {
		t.Fatal(err)
	}
	if disk != fromDisk {
		t.Errorf("from disk: %v, want %v", disk, fromDisk)
	}
	return obj
}

func TestCache(t *testing.T) {
	skipWithoutLLVM(t)
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	t.Setenv(EnvCache, dir)
	for _, arch := range []string{"gfx90a", "sm_80"} {
		r := request(modules[0].text, "vecadd", arch)
		first := mustBuild(t, r, false)
		second := mustBuild(t, r, true)
		if !sameObject(first, second) || len(second.Code) == 0 {
			t.Errorf("%s: %+v became %+v", arch, first, second)
		}
	}
	if n := len(entries(t, dir)); n != 2 {
		t.Errorf("%d entries", n)
	}
	if s := CacheInfo(); s.Dir != dir || s.Entries != 2 || s.Bytes < 1000 || s.Problem != nil {
		t.Errorf("%+v", s)
	}
	t.Setenv(EnvCache, "off")
	mustBuild(t, request(modules[0].text, "vecadd", "gfx90a"), false)
	if s := CacheInfo(); s.Problem == nil || !strings.Contains(s.Problem.Error(), EnvCache) {
		t.Errorf("%+v", s)
	}
	// A failed compile leaves nothing, and fails again.
	t.Setenv(EnvCache, dir)
	for range 2 {
		if _, disk, err := Build(request("define KERNEL void @k(", "k", "gfx90a")); err == nil || disk {
			t.Error("compiled nonsense")
		}
	}
	if n := len(entries(t, dir)); n != 2 {
		t.Errorf("%d entries", n)
	}
}

// Every part of a request makes another key, and nothing else does.
func TestKey(t *testing.T) {
	base, err := request(modules[0].text, "vecadd", "gfx90a").normal()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{base.key("f"): "base"}
	add := func(name, key string) {
		if other, ok := keys[key]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		keys[key] = name
	}
	add("fingerprint", base.key("g"))
	typ := reflect.TypeOf(*base)
	for i := range typ.NumField() {
		r := *base
		switch f := reflect.ValueOf(&r).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Int:
			f.SetInt(f.Int() + 1)
		case reflect.Uint8:
			f.SetUint(f.Uint() + 1)
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.Slice:
			f.SetBytes(append(bytes.Clone(f.Bytes()), ' '))
		default:
			t.Fatalf("field %s of a kind this test does not know", typ.Field(i).Name)
		}
		add(typ.Field(i).Name, r.key("f"))
	}
	// Fields do not run into each other.
	a, b := *base, *base
	a.CPU, a.Features = "gfx90a", "b"
	b.CPU, b.Features = "gfx90", "ab"
	add("a", a.key("f"))
	add("b", b.key("f"))
	same := *base
	same.IR = bytes.Clone(base.IR)
	if same.key("f") != base.key("f") {
		t.Error("equal requests differ")
	}
}

// A damaged entry is never loaded, and is replaced.
func TestDamagedEntry(t *testing.T) {
	skipWithoutLLVM(t)
	dir := t.TempDir()
	t.Setenv(EnvCache, dir)
	r := request(modules[0].text, "vecadd", "gfx90a")
	want := mustBuild(t, r, false)
	path := entries(t, dir)[0]
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Another request's entry under this name.
	other := request(modules[1].text, "reduce", "gfx90a")
	t.Setenv(EnvCache, t.TempDir())
	mustBuild(t, other, false)
	foreign, err := os.ReadFile(entries(t, os.Getenv(EnvCache))[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvCache, dir)

	flip := func(i int) []byte {
		b := bytes.Clone(good)
		b[i] ^= 0x40
		return b
	}
	damaged := map[string][]byte{
		"empty": {}, "cut in the header": good[:20], "cut in the middle": good[:len(good)/2], "cut by one": good[:len(good)-1],
		"longer": append(bytes.Clone(good), 0), "zeros": make([]byte, len(good)), "foreign": foreign, "text": []byte("hello\n"),
		"magic": flip(0), "checksum": flip(len(cacheMagic)), "length": flip(headerBytes - 1), "description": flip(headerBytes + 5), "code": flip(len(good) - 100),
	}
	for name, data := range damaged {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := mustBuild(t, r, false); !sameObject(got, want) {
			t.Errorf("%s: got %+v", name, got)
		}
		mustBuild(t, r, true) // rebuilt
	}
	// A directory in the entry's place cannot be replaced: it compiles each time.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustBuild(t, r, false)
	mustBuild(t, r, false)
}

// A cache that cannot be written is no failure, and is reported.
func TestUnwritableCache(t *testing.T) {
	skipWithoutLLVM(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := []string{filepath.Join(file, "below a file"), "/proc/heddle"}
	if os.Geteuid() != 0 { // root writes everywhere
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		t.Setenv(EnvCache, dir)
		mustBuild(t, request(modules[0].text, "vecadd", "gfx90a"), false)
		if s := CacheInfo(); s.Problem == nil {
			t.Errorf("%s: %+v", dir, s)
		}
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	write := func(name string, size int, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 10 {
		write(fmt.Sprintf("%d%s", i, entrySuffix), 100, time.Duration(i)*time.Hour)
	}
	write("new-1.tmp", 10, 2*staleTemp)
	write("new-2.tmp", 10, 0)
	write("README", 10, 100*time.Hour)
	prune(dir, 1000) // not over the limit
	if n := len(entries(t, dir)); n != 12 {
		t.Errorf("%d files left, want all but the stale temporary one", n)
	}
	prune(dir, 800)
	var left []string
	for _, path := range entries(t, dir) {
		left = append(left, strings.TrimSuffix(filepath.Base(path), entrySuffix))
	}
	if got := strings.Join(left, " "); got != "0 1 2 3 4 5 README new-2.tmp" {
		t.Errorf("left: %s", got)
	}
}

// Use keeps an entry: its time is renewed.
func TestTouch(t *testing.T) {
	skipWithoutLLVM(t)
	dir := t.TempDir()
	t.Setenv(EnvCache, dir)
	r := request(modules[0].text, "vecadd", "gfx90a")
	mustBuild(t, r, false)
	path := entries(t, dir)[0]
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	mustBuild(t, r, true)
	if st, err := os.Stat(path); err != nil || time.Since(st.ModTime()) > time.Hour {
		t.Errorf("%v, %v", st.ModTime(), err)
	}
}

// Goroutines that build the same at once all get it.
func TestConcurrentBuild(t *testing.T) {
	skipWithoutLLVM(t)
	t.Setenv(EnvCache, t.TempDir())
	want, err := Emit(request(modules[1].text, "reduce", "gfx942"))
	if err != nil {
		t.Skip(err) // an old LLVM
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, _, err := Build(request(modules[1].text, "reduce", "gfx942"))
			if err != nil || !sameObject(got, want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	wg.Wait()
	if n := len(entries(t, os.Getenv(EnvCache))); n != 1 {
		t.Errorf("%d files", n)
	}
}

// TestChildBuild is a process of TestProcesses.
func TestChildBuild(t *testing.T) {
	if os.Getenv(envChild) == "" {
		t.Skip("runs as a child of TestProcesses")
	}
	start := time.Now()
	for i := range 5 {
		r := request(strings.ReplaceAll(modules[1].text, "reduce", fmt.Sprint("reduce", i)), fmt.Sprint("reduce", i), "gfx90a")
		obj, disk, err := Build(r)
		if err != nil || len(obj.Code) == 0 {
			t.Fatal(err)
		}
		if i == 0 {
			t.Logf("first build from disk %v in %v", disk, time.Since(start))
		}
	}
	t.Logf("libLLVM loaded: %v", llvm.Loaded() != nil)
}

// Processes race for the same keys; a later one needs no compiler at all.
func TestProcesses(t *testing.T) {
	skipWithoutLLVM(t)
	dir := t.TempDir()
	env := []string{EnvCache + "=" + dir, EnvBackend + "=" + LLVM}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { child(t, "^TestChildBuild$", env...) })
	}
	wg.Wait()
	// Beside them is a record of where libLLVM lies.
	if n := len(slices.DeleteFunc(entries(t, dir), func(f string) bool { return filepath.Ext(f) != entrySuffix })); n != 5 {
		t.Errorf("%d objects of 5 requests: %v", n, entries(t, dir))
	}
	out := child(t, "^TestChildBuild$", env...)
	if !strings.Contains(out, "from disk true") || !strings.Contains(out, "libLLVM loaded: false") {
		t.Error(out)
	}
	t.Log(out)
}

func BenchmarkEmit(b *testing.B) {
	major := skipWithoutLLVM(b)
	for _, m := range modules[:2] {
		for _, arch := range append(amdArchs, nvArchs...) {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			b.Run(m.name+"/"+arch, func(b *testing.B) {
				for b.Loop() {
					if _, err := Emit(request(m.text, m.kernel, arch)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkOCML(b *testing.B) {
	skipWithoutLLVM(b)
	if _, ok := HasMathLib(abi.HSACO); !ok {
		b.Skip("no OCML on this machine")
	}
	for b.Loop() {
		if _, err := Emit(request(ocmlIR, "k", "gfx90a")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiskHit(b *testing.B) {
	skipWithoutLLVM(b)
	b.Setenv(EnvCache, b.TempDir())
	r := request(modules[1].text, "reduce", "gfx90a")
	if _, _, err := Build(r); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, disk, err := Build(r); err != nil || !disk {
			b.Fatal(disk, err)
		}
	}
}

// BenchmarkIdentify is the part of a process's first disk hit that later ones lack.
func BenchmarkIdentify(b *testing.B) {
	for b.Loop() {
		search(abi.HSACO)
	}
}

// BenchmarkFirst is a whole process that opens libLLVM and compiles once.
func BenchmarkFirst(b *testing.B) {
	skipWithoutLLVM(b)
	for b.Loop() {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestChildBuild$")
		cmd.Env = append(os.Environ(), envChild+"=1", EnvCache+"=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatal(string(out))
		}
	}
}

// sameObject compares what was compiled, wherever it is kept.
func sameObject(a, b *abi.Object) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	x.Key, y.Key = "", ""
	return reflect.DeepEqual(x, y)
}

// BenchmarkLook is BenchmarkIdentify where another process has looked before.
func BenchmarkLook(b *testing.B) {
	b.Setenv(EnvCache, b.TempDir())
	for b.Loop() {
		remember[abi.HSACO].key = ""
		look(abi.HSACO)
	}
}
