package codegen

import (
	"archive/zip"
	"bytes"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/llvm"
)

// forgetArchives forgets all archives, now and when the test ends.
func forgetArchives(t *testing.T) {
	forget := func() {
		archives.Lock()
		defer archives.Unlock()
		archives.all = nil
	}
	forget()
	t.Cleanup(forget)
}

// fromArchive is a request's object from the archives that were added.
func fromArchive(r *Request) *abi.Object {
	for _, a := range Archives() {
		if obj, _ := a.Find(r); obj != nil {
			return obj
		}
	}
	return nil
}

// archived compiles a module for two architectures into an archive.
func archived(t *testing.T) ([]byte, []*Request) {
	t.Helper()
	var w ArchiveWriter
	rs := []*Request{request(modules[0].text, "vecadd", "gfx90a"), request(modules[0].text, "vecadd", "sm_80")}
	for _, r := range rs {
		for range 2 { // twice is once
			if _, err := w.Add(r, "main.VecAdd", r.Kind == abi.PTX); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	if err := w.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), rs
}

func TestArchive(t *testing.T) {
	skipWithoutLLVM(t)
	forgetArchives(t)
	t.Setenv(EnvCache, t.TempDir())
	data, rs := archived(t)
	if again, _ := archived(t); !bytes.Equal(data, again) {
		t.Error("the same objects make another archive")
	}
	a, err := ReadArchive(data)
	if err != nil {
		t.Fatal(err)
	}
	index := &a.Index
	if len(index.Objects) != 2 || index.Objects[0].Kernel != "main.VecAdd" || index.Objects[1].Arch != "sm_80" || index.Objects[0].Bytes == 0 || len(index.Compilers) != 2 {
		t.Errorf("%+v", index)
	}
	want := []*abi.Object{mustBuild(t, rs[0], true), mustBuild(t, rs[1], true)}
	for i, r := range rs {
		if fromArchive(r) != nil {
			t.Errorf("%s: found before there was an archive", r.CPU)
		}
		if err := AddArchive(data); err != nil {
			t.Fatal(err)
		}
		// Without a compiler: where there was none, there is another fingerprint.
		t.Setenv(llvm.EnvLLVM, "/nonexistent")
		t.Setenv(EnvCache, "off")
		if obj := fromArchive(r); !sameObject(obj, want[i]) {
			t.Errorf("%s: %+v became %+v", r.CPU, want[i], obj)
		}
		if libs := a.MathLibs(r.Kind); !slices.Equal(libs, []bool{r.Kind == abi.PTX}) {
			t.Errorf("%s: math libraries %v", r.CPU, libs)
		}
		other := *r
		other.IR = append(bytes.Clone(r.IR), '\n')
		if fromArchive(&other) != nil {
			t.Errorf("%s: another module's object", r.CPU)
		}
		t.Setenv(EnvArchive, "off")
		if fromArchive(r) != nil {
			t.Errorf("%s: switched off, and there", r.CPU)
		}
		t.Setenv(EnvArchive, "")
		archives.all = nil
	}
}

// An index, or an object, that inflates to much more than it should is not read.
func TestArchiveBomb(t *testing.T) {
	skipWithoutLLVM(t)
	forgetArchives(t)
	t.Setenv(EnvCache, t.TempDir())
	data, _ := archived(t)
	bomb := rezip(t, data, func(name string, text []byte) []byte {
		if name == indexName {
			return append(text, bytes.Repeat([]byte(" "), 200<<20)...)
		}
		return text
	})
	if len(bomb) > 1<<20 {
		t.Fatalf("it has %d bytes", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadArchive(bomb)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "index.json has more than") {
		t.Error(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// A damaged archive is an error, or an object that is not found: never another one.
func TestDamagedArchive(t *testing.T) {
	skipWithoutLLVM(t)
	forgetArchives(t)
	t.Setenv(EnvCache, t.TempDir())
	data, rs := archived(t)
	for _, bad := range [][]byte{nil, []byte("no zip"), data[:len(data)/2], data[:len(data)-1]} {
		if err := AddArchive(bad); err == nil || !strings.Contains(err.Error(), "archive") {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
	}
	swapped := rezip(t, data, func(name string, text []byte) []byte {
		if name != indexName {
			text[len(text)-1] ^= 1
		}
		return text
	})
	if err := AddArchive(swapped); err != nil {
		t.Fatal(err)
	}
	for _, r := range rs {
		if fromArchive(r) != nil {
			t.Errorf("%s: a damaged object was loaded", r.CPU)
		}
	}
	for _, other := range [][2]string{{`"Format": 2`, `"Format": 7`}, {`"Heddle": "`, `"Heddle": "0`}} {
		old := rezip(t, data, func(name string, text []byte) []byte {
			return bytes.Replace(text, []byte(other[0]), []byte(other[1]), 1)
		})
		if err := AddArchive(old); err == nil || !strings.Contains(err.Error(), "heddle build") {
			t.Errorf("%s: %v", other[1], err)
		}
	}
}

// rezip writes an archive with its files changed.
func rezip(t *testing.T, data []byte, change func(name string, text []byte) []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = to.Write(change(f.Name, text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzArchive reads what may be no archive.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("PK\x05\x06"))
	r := request(modules[0].text, "vecadd", "gfx90a")
	f.Fuzz(func(t *testing.T, data []byte) {
		forgetArchives(t)
		if AddArchive(data) == nil && fromArchive(r) != nil {
			t.Error("an object came out of noise")
		}
	})
}
