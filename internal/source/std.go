package source

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"sync"
)

// stdDir stands for the directory of the standard library's sources in the
// names of files that come from the embedded ones.
const stdDir = "$GOROOT/src"

// stdFiles are the sources of the standard packages that kernels call into, by
// import path, of the files for a machine without assembly: where there is no
// Go installation mathematics is compiled from them.
var stdFiles = sync.OnceValue(func() map[string][]*zip.File {
	b, err := blobs.ReadFile("blobs/std.zip")
	if err != nil {
		panic("source: the embedded standard library: " + err.Error())
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		panic("source: the embedded standard library: " + err.Error())
	}
	byPath := map[string][]*zip.File{}
	for _, f := range r.File {
		dir := path.Dir(f.Name)
		byPath[dir] = append(byPath[dir], f)
	}
	return byPath
})

// loadStdZip loads a standard package from the embedded sources.
func (w *world) loadStdZip(p string) (*pkg, error) {
	files := map[string][]byte{}
	for _, f := range stdFiles()[p] {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		files[path.Join(stdDir, f.Name)] = b
	}
	return w.check(p, "std.zip", files, false, "")
}
