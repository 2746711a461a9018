package codegen

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/zips"
)

// An archive holds objects that were compiled ahead of time. It is a zip file
// whose entries are those of the disk cache, under the same names: the hash of
// all that an object depends on, the compiler included. Beside them is an index
// that says which compiler that was, for the keys to be made again where there
// is none, and what each entry is, for people.

// EnvArchive, if it is "off", makes programs compile in spite of archives.
const EnvArchive = "HEDDLE_ARCHIVE"

const (
	indexName     = "index.json"
	archiveFormat = 1
)

// An Index describes an archive.
type Index struct {
	Format    int
	Compilers []Compiler
	Objects   []Entry
}

// A Compiler is what made an archive's objects of one kind.
type Compiler struct {
	Kind        abi.Kind
	Fingerprint string
	// MathLib says that there was a device math library: the program's code is
	// another without.
	MathLib bool
}

// An Entry is an object in an archive.
type Entry struct {
	Kernel   string // the Go function
	Arch     string
	WarpSize int
	Key      string
	Bytes    int // of the code
}

// An ArchiveWriter collects objects. It is safe for concurrent use.
type ArchiveWriter struct {
	mu      sync.Mutex
	index   Index
	entries map[string][]byte
}

// Add compiles a request, by way of the disk cache, and adds the object. name is
// the kernel's Go function, mathLib whether the request counts on a math library.
func (w *ArchiveWriter) Add(r *Request, name string, mathLib bool) (*Entry, error) {
	obj, _, err := Build(r)
	if err != nil {
		return nil, err
	}
	n, err := r.normal()
	if err != nil {
		return nil, err
	}
	c := Compiler{n.Kind, Fingerprint(n.Kind), mathLib}
	key := n.key(c.Fingerprint)
	data, err := encode(key, obj)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.index.Compilers, c) {
		w.index.Compilers = append(w.index.Compilers, c)
	}
	if w.entries == nil {
		w.entries = map[string][]byte{}
	}
	e := Entry{name, n.CPU, n.WarpSize, key, len(obj.Code)}
	if !slices.Contains(w.index.Objects, e) {
		w.index.Objects = append(w.index.Objects, e)
	}
	w.entries[key] = data
	return &e, nil
}

// Write writes the archive. The same objects make the same bytes.
func (w *ArchiveWriter) Write(to io.Writer) error {
	w.index.Format = archiveFormat
	slices.SortFunc(w.index.Objects, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Kernel, b.Kernel), strings.Compare(a.Arch, b.Arch), a.WarpSize-b.WarpSize, strings.Compare(a.Key, b.Key))
	})
	slices.SortFunc(w.index.Compilers, func(a, b Compiler) int {
		return cmp.Or(int(a.Kind)-int(b.Kind), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	text, err := json.MarshalIndent(&w.index, "", "\t")
	if err != nil {
		return err
	}
	files := map[string][]byte{indexName: text}
	for key, entry := range w.entries {
		files[key+entrySuffix] = entry
	}
	return zips.Write(to, files)
}

// An archive is one that a program carries.
type archive struct {
	index   Index
	entries map[string]*zip.File
}

var archives struct {
	sync.RWMutex
	all []*archive
}

// AddArchive makes the objects of an archive known to Build. The bytes must not
// change. An archive of another version of heddle is an error.
func AddArchive(data []byte) error {
	index, files, err := readArchive(data)
	if err != nil {
		return err
	}
	a := &archive{*index, map[string]*zip.File{}}
	for _, f := range files {
		if key, ok := strings.CutSuffix(f.Name, entrySuffix); ok {
			a.entries[key] = f
		}
	}
	archives.Lock()
	defer archives.Unlock()
	archives.all = append(archives.all, a)
	return nil
}

func readArchive(data []byte) (*Index, []*zip.File, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("codegen: not an archive of kernels: %w", err)
	}
	f, err := z.Open(indexName)
	if err != nil {
		return nil, nil, fmt.Errorf("codegen: not an archive of kernels: %w", err)
	}
	defer f.Close()
	index := new(Index)
	if err := json.NewDecoder(f).Decode(index); err != nil {
		return nil, nil, fmt.Errorf("codegen: the archive's index: %w", err)
	}
	if index.Format != archiveFormat {
		return nil, nil, fmt.Errorf("codegen: the archive has format %d, this heddle reads %d: make it anew with heddle build", index.Format, archiveFormat)
	}
	return index, z.File, nil
}

// Archived are the math libraries, with (true) or without, that archives were
// compiled with for a kind of object; nil if no archive has any.
func Archived(kind abi.Kind) (mathLibs []bool) {
	if os.Getenv(EnvArchive) == "off" {
		return nil
	}
	archives.RLock()
	defer archives.RUnlock()
	for _, a := range archives.all {
		for _, c := range a.index.Compilers {
			if c.Kind == kind && !slices.Contains(mathLibs, c.MathLib) {
				mathLibs = append(mathLibs, c.MathLib)
			}
		}
	}
	return mathLibs
}

// FromArchive is the object of a request, if an archive has it, else nil. It
// needs no compiler.
func FromArchive(r *Request) *abi.Object {
	n, err := r.normal()
	if err != nil {
		return nil
	}
	archives.RLock()
	defer archives.RUnlock()
	for _, a := range archives.all {
		for _, c := range a.index.Compilers {
			if c.Kind != n.Kind {
				continue
			}
			key := n.key(c.Fingerprint)
			f := a.entries[key]
			if f == nil {
				continue
			}
			data, err := readEntry(f)
			if err != nil {
				continue
			}
			if obj := decode(key, data); obj != nil && obj.Kind == n.Kind && obj.Arch == n.CPU && obj.Kernel == n.Kernel {
				return obj
			}
		}
	}
	return nil
}

func readEntry(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > maxEntry {
		return nil, fmt.Errorf("an entry of %d bytes", f.UncompressedSize64)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
