package zips_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"heddle/internal/zips"
)

// written is a zip file by Write.
func written(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := zips.Write(&buf, files); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// contents are a zip file's, by archive/zip.
func contents(data []byte) (map[string]string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		all[f.Name] = string(text)
	}
	return all, nil
}

// ours are a zip file's contents, by this package.
func ours(data []byte) (map[string]string, error) {
	files, err := zips.Files(data)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, f := range files {
		text, err := f.Read(1 << 20)
		if err != nil {
			return nil, err
		}
		all[f.Name] = string(text)
	}
	return all, nil
}

// samples are zip files by Write and by archive/zip.
func samples(t testing.TB) (data [][]byte, want []map[string]string) {
	for _, files := range []map[string]string{
		{},
		{"a": ""},
		{"index.json": "{}", "src/math/sin.go": strings.Repeat("package math\n", 500), "ünï/€": "\x00\xff", "z": "z"},
	} {
		in := map[string][]byte{}
		for name, text := range files {
			in[name] = []byte(text)
		}
		var theirs bytes.Buffer
		w := zip.NewWriter(&theirs)
		for i, name := range slices.Sorted(maps.Keys(files)) {
			f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: []uint16{zip.Deflate, zip.Store}[i%2], Extra: []byte{1, 0, 2, 0, 3, 4}})
			if err == nil {
				_, err = io.WriteString(f, files[name])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		data = append(data, written(t, in), theirs.Bytes())
		want = append(want, files, files)
	}
	return data, want
}

// Both packages read what both write.
func TestSame(t *testing.T) {
	data, want := samples(t)
	for i := range data {
		if got, err := ours(data[i]); err != nil || !maps.Equal(got, want[i]) {
			t.Errorf("sample %d: read %q, %v; want %q", i, got, err, want[i])
		}
		if got, err := contents(data[i]); err != nil || !maps.Equal(got, want[i]) {
			t.Errorf("sample %d: archive/zip reads %q, %v; want %q", i, got, err, want[i])
		}
	}
}

// The same contents make the same bytes, as often as they are written.
func TestDeterministic(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprint("f", i*7%50)] = []byte(strings.Repeat("x", i))
	}
	first := written(t, files)
	for range 5 {
		if !bytes.Equal(first, written(t, files)) {
			t.Fatal("two zip files of the same contents differ")
		}
	}
}

// Names may be long, and there may be many files; more than the format has room for
// is an error.
func TestLimits(t *testing.T) {
	long := strings.Repeat("n", 65535)
	if got, err := ours(written(t, map[string][]byte{long: []byte("x")})); err != nil || got[long] != "x" {
		t.Errorf("a name of %d bytes: %v", len(long), err)
	}
	if err := zips.Write(io.Discard, map[string][]byte{long + "n": nil}); err == nil {
		t.Error("a name that is too long is no error")
	}
	files := map[string][]byte{}
	for i := range 65534 {
		files[fmt.Sprint(i)] = nil
	}
	if all, err := zips.Files(written(t, files)); err != nil || len(all) != len(files) {
		t.Errorf("%d of %d files, %v", len(all), len(files), err)
	}
	files["one more"] = nil
	if err := zips.Write(io.Discard, files); err == nil {
		t.Error("too many files are no error")
	}
}

// TestRead reads files up to a limit, also where the header says too little.
func TestRead(t *testing.T) {
	text := []byte(strings.Repeat("heddle ", 1000))
	data := written(t, map[string][]byte{"a": text})
	read := func(data []byte, limit int64) ([]byte, error) {
		files, err := zips.Files(data)
		if err != nil || len(files) != 1 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		return files[0].Read(limit)
	}
	if got, err := read(data, int64(len(text))); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := read(data, int64(len(text))-1); err == nil || !strings.Contains(err.Error(), "a has more than 6999 bytes") {
		t.Error(err)
	}
	// the size in the headers, changed to 10
	lie := bytes.ReplaceAll(data, binary.LittleEndian.AppendUint32(nil, uint32(len(text))), binary.LittleEndian.AppendUint32(nil, 10))
	for limit, want := range map[int64]string{100: "a has more than 100 bytes", 1 << 20: "a is damaged"} {
		if _, err := read(lie, limit); err == nil || err.Error() != want {
			t.Errorf("of a wrong size: %v, want %s", err, want)
		}
	}
}

// A zip file of which a part is missing is an error, and one of which a byte is wrong
// is one too, or has the same contents: that byte was a time, say.
func TestDamaged(t *testing.T) {
	data, want := samples(t)
	for i, good := range data {
		for n := range good {
			if got, err := ours(good[:n]); err == nil {
				t.Fatalf("sample %d: %d bytes of %d are read: %q", i, n, len(good), got)
			}
			bad := bytes.Clone(good)
			bad[n] ^= 0x41
			got, err := ours(bad)
			if err == nil && !slices.Equal(slices.Sorted(maps.Values(got)), slices.Sorted(maps.Values(want[i]))) {
				t.Errorf("sample %d: byte %d is wrong, and not found: %q", i, n, got)
			}
		}
		if got, err := ours(append([]byte("before"), good...)); err == nil {
			t.Errorf("sample %d, behind something else: %q", i, got)
		}
	}
}

// FuzzFiles holds what is read against archive/zip, which reads more.
func FuzzFiles(f *testing.F) {
	data, _ := samples(f)
	for _, d := range data {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := ours(data)
		if err != nil {
			return
		}
		if want, err := contents(data); err == nil && !maps.Equal(got, want) {
			for name, text := range got {
				if strings.HasSuffix(name, "/") && text != "" { // to archive/zip a directory
					return
				}
			}
			t.Errorf("read %q, want %q", got, want)
		}
	})
}
