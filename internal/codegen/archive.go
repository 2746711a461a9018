package codegen

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/json"
	"heddle/internal/zips"
)

// An archive holds objects that were compiled ahead of time. It is a zip file
// whose entries are those of the disk cache, under the same names: the hash of
// all that an object depends on, the compiler included. Beside them is an index
// that says which compiler that was, for the keys to be made again where there
// is none, and what each entry is, for people.

// EnvArchive, if it is "off", makes programs compile in spite of archives.
const EnvArchive = env.Archive

const (
	indexName     = "index.json"
	archiveFormat = 2
	// An index has a description of each object. Several may share an entry of the
	// archive, and names of instances may be long.
	indexBytes = 16 << 10
	maxIndex   = 64 << 20
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
	Heddle      string // ownVersion
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
	c := Compiler{n.Kind, Fingerprint(n.Kind), ownVersion(n.Kind), mathLib}
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
	text, err := json.MarshalLines(&w.index)
	if err != nil {
		return err
	}
	files := map[string][]byte{indexName: text}
	for key, entry := range w.entries {
		files[key+entrySuffix] = entry
	}
	return zips.Write(to, files)
}

// ownVersion identifies what heddle itself does to a kind of object. The fingerprint
// in an archive cannot tell: keys are made with it as it is, whatever this program
// would do.
func ownVersion(kind abi.Kind) string {
	text := fmt.Sprint(cacheFormat)
	if backendOf(kind) != nil {
		text += backends[kind].version()
	}
	return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text)))
}

// An Archive is one that was read.
type Archive struct {
	Index Index
	// entries are those of the cache, by key.
	entries map[string]*zips.File
}

var archives struct {
	sync.RWMutex
	all []*Archive
}

// AddArchive makes the objects of an archive known to Build. The bytes must not
// change. An archive of another version of heddle is an error.
func AddArchive(data []byte) error {
	a, err := ReadArchive(data)
	if err != nil {
		return err
	}
	archives.Lock()
	defer archives.Unlock()
	archives.all = append(archives.all, a)
	return nil
}

// ReadArchive reads an archive, whose bytes must not change. One of another
// version of heddle is an error.
func ReadArchive(data []byte) (*Archive, error) {
	files, err := zips.Files(data)
	if err != nil {
		return nil, errs.F("codegen: not an archive of kernels: %w", err)
	}
	i := slices.IndexFunc(files, func(f *zips.File) bool { return f.Name == indexName })
	if i < 0 {
		return nil, errors.New("codegen: not an archive of kernels: it has no " + indexName)
	}
	text, err := files[i].Read(min(maxIndex, indexBytes*int64(len(files)+16)))
	if err != nil {
		return nil, errs.F("codegen: the archive's index: %w", err)
	}
	a := &Archive{entries: map[string]*zips.File{}}
	if err := json.Unmarshal(text, &a.Index); err != nil {
		return nil, errs.F("codegen: the archive's index: %w", err)
	}
	if a.Index.Format != archiveFormat {
		return nil, errs.F("codegen: the archive has format %d, this heddle reads %d: make it anew with heddle build", a.Index.Format, archiveFormat)
	}
	for _, c := range a.Index.Compilers {
		if c.Heddle != ownVersion(c.Kind) {
			return nil, errors.New("codegen: the archive was made by another version of heddle: make it anew with heddle build")
		}
	}
	for _, f := range files {
		if key, ok := strings.CutSuffix(f.Name, entrySuffix); ok {
			a.entries[key] = f
		}
	}
	return a, nil
}

// MathLibs are the math libraries, with (true) or without, that the archive's
// objects of a kind were compiled with.
//
//go:noinline
func (a *Archive) MathLibs(kind abi.Kind) (with []bool) {
	for _, c := range a.Index.Compilers {
		if c.Kind == kind && !slices.Contains(with, c.MathLib) {
			with = append(with, c.MathLib)
		}
	}
	return with
}

// Find is the object of a request and its key; nil if the archive lacks it.
func (a *Archive) Find(r *Request) (obj *abi.Object, key string) {
	n, err := r.normal()
	if err != nil {
		return nil, ""
	}
	for _, c := range a.Index.Compilers {
		if c.Kind != n.Kind {
			continue
		}
		key := n.key(c.Fingerprint)
		if obj := a.object(key); obj != nil && obj.Kind == n.Kind && obj.Arch == n.CPU && obj.Kernel == n.Kernel {
			obj.Key = key
			return obj, key
		}
	}
	return nil, ""
}

// object is that of a key; nil if the archive lacks it.
func (a *Archive) object(key string) *abi.Object {
	f := a.entries[key]
	if f == nil {
		return nil
	}
	data, err := f.Read(maxEntry)
	if err != nil {
		return nil
	}
	return decode(key, data)
}

// Archives are those that the program carries, unless they are switched off.
func Archives() []*Archive {
	if env.Get(EnvArchive) == "off" {
		return nil
	}
	archives.RLock()
	defer archives.RUnlock()
	return slices.Clone(archives.all)
}
