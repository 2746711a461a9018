package codegen

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
	"heddle/internal/json"
)

// EnvCache is the directory of the disk cache; "off" for none.
const EnvCache = env.Cache

const (
	// cacheFormat is part of every key and entry: raise it when what Emit makes
	// of a request changes, or how an entry is written.
	cacheFormat = 87

	cacheMagic  = "heddle object\n\x00\x00"
	entrySuffix = ".hob"
	tempPattern = "new-*.tmp"

	cacheLimit  = 256 << 20        // bytes, beyond which the least recently used entries go
	pruneEvery  = 64               // stores between looks at the size
	staleTemp   = time.Hour        // after which a temporary file is a dead process's
	touchAfter  = 10 * time.Minute // how old an entry's time of use may be
	maxEntry    = 1 << 30
	headerBytes = len(cacheMagic) + sha256.Size + 4
)

// Build is Emit by way of the disk cache: a request that was compiled before,
// by any process, comes from there without libLLVM being loaded. A cache that
// cannot be read or written is not used. Concurrent calls are safe, for
// equal requests too, which may then both compile.
func Build(r *Request) (obj *abi.Object, fromDisk bool, err error) {
	n, err := r.normal()
	if err != nil {
		return nil, false, err
	}
	dir, err := cacheDir()
	if u, ok := err.(*untrusted); ok {
		sayUntrusted.Do(func() { fmt.Fprintf(os.Stderr, "heddle: %v\n", u) })
	}
	if err != nil {
		obj, err := Emit(n)
		return obj, false, err
	}
	key := n.key(Fingerprint(n.Kind))
	if obj := load(dir, key, n); obj != nil {
		obj.Key = key
		return obj, true, nil
	}
	obj, err = Emit(n)
	if err != nil {
		return nil, false, err
	}
	// Had the library that was found first not worked, this would be another key.
	obj.Key = n.key(Fingerprint(n.Kind))
	store(dir, obj.Key, obj)
	return obj, false, nil
}

// key is the name of a request's entry: a hash of all that its object depends on.
func (r *Request) key(fingerprint string) string {
	h := sha256.New()
	fmt.Fprintf(h, "heddle %d\n", cacheFormat)
	for _, s := range []string{fingerprint, r.Triple, r.CPU, r.Features, r.Kernel, r.Passes, string(r.IR)} {
		fmt.Fprintf(h, "%d:%s\n", len(s), s)
	}
	fmt.Fprintf(h, "%d %d %d %v %d\n", r.Kind, r.WarpSize, r.CodeObject, r.FastMath, r.Waves)
	return hex.EncodeToString(h.Sum(nil))
}

// cacheDir is the cache's directory, made if it was not there.
func cacheDir() (string, error) {
	dir := env.Get(EnvCache)
	if env.Secure() { // HOME may be anyone's
		return "", errors.New("not used by a setuid or setgid program")
	}
	if dir == "off" {
		return "", errors.New("switched off by " + EnvCache)
	}
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(base, "heddle")
	}
	// Only its owner may write what will run on a device.
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return dir, err
	}
	if err := trusted(dir); err != nil {
		return dir, &untrusted{err}
	}
	return dir, nil
}

// untrusted is why a cache is not used in which others could put code.
type untrusted struct{ why error }

func (u *untrusted) Error() string { return "the cache is not used: " + u.why.Error() }

// sayUntrusted says once in a process that kernels are compiled each time anew.
var sayUntrusted sync.Once

// encode lays an entry out: magic, SHA-256 of key and what follows, length of
// the description, the description as JSON, the code.
func encode(key string, obj *abi.Object) ([]byte, error) {
	description := *obj
	description.Code = nil
	text, err := json.Marshal(&description)
	if err != nil {
		return nil, err
	}
	body := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	body = append(append(body, text...), obj.Code...)
	sum := checksum(key, body)
	return slices.Concat([]byte(cacheMagic), sum[:], body), nil
}

func checksum(key string, body []byte) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat([]byte(key), body))
}

// decode takes an entry apart; nil if it is not whole, or another key's.
func decode(key string, data []byte) *abi.Object {
	if len(data) < headerBytes || string(data[:len(cacheMagic)]) != cacheMagic {
		return nil
	}
	body := data[len(cacheMagic)+sha256.Size:]
	if sum := checksum(key, body); !bytes.Equal(sum[:], data[len(cacheMagic):len(cacheMagic)+sha256.Size]) {
		return nil
	}
	n := uint64(binary.LittleEndian.Uint32(body))
	body = body[4:]
	if n > uint64(len(body)) {
		return nil
	}
	obj := new(abi.Object)
	if json.Unmarshal(body[:n], obj) != nil {
		return nil
	}
	obj.Code = body[n:]
	return obj
}

// load reads a request's entry; nil if there is no good one. A bad one is removed.
func load(dir, key string, r *Request) *abi.Object {
	obj := read(dir, key)
	if obj != nil && (obj.Kind != r.Kind || obj.Arch != r.CPU || obj.Kernel != r.Kernel) {
		os.Remove(filepath.Join(dir, key+entrySuffix))
		return nil
	}
	return obj
}

// read reads an entry; nil if there is no good one. A bad one is removed.
func read(dir, key string) *abi.Object {
	path := filepath.Join(dir, key+entrySuffix)
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > maxEntry {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	obj := decode(key, data)
	if obj == nil {
		os.Remove(path)
		return nil
	}
	touch(path)
	return obj
}

var stores atomic.Uint64

// store writes an entry. Failure leaves no trace but a slower next time.
func store(dir, key string, obj *abi.Object) {
	if data, err := encode(key, obj); err == nil {
		write(dir, key+entrySuffix, data)
	}
}

var pruning sync.Mutex

// prune removes the least recently used entries until three quarters of limit
// are left, and temporary files of processes that died.
func prune(dir string, limit int64) {
	if !pruning.TryLock() {
		return
	}
	defer pruning.Unlock()
	entries, total := scan(dir)
	if total <= limit {
		return
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].ModTime().Before(entries[j].ModTime()) })
	for _, e := range entries {
		if total <= limit/4*3 {
			return
		}
		if os.Remove(filepath.Join(dir, e.Name())) == nil {
			total -= e.Size()
		}
	}
}

// scan lists the entries and sums their sizes. It removes stale temporary files.
func scan(dir string) (entries []fs.FileInfo, total int64) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, 0
	}
	defer d.Close()
	files, _ := d.ReadDir(-1)
	for _, file := range files {
		info, err := file.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if temp, _ := filepath.Match(tempPattern, file.Name()); temp && time.Since(info.ModTime()) > staleTemp {
			os.Remove(filepath.Join(dir, file.Name()))
		}
		if ext := filepath.Ext(file.Name()); ext == entrySuffix || ext == recordSuffix {
			entries = append(entries, info)
			total += info.Size()
		}
	}
	return entries, total
}

// A CacheStatus describes the disk cache.
type CacheStatus struct {
	Dir     string
	Entries int // objects
	Bytes   int64
	Problem error // why the cache is not used; nil if it is
}

// CacheInfo looks at the disk cache and tries whether it can be written.
func CacheInfo() CacheStatus {
	var s CacheStatus
	s.Dir, s.Problem = cacheDir()
	if s.Problem != nil {
		return s
	}
	entries, total := scan(s.Dir)
	s.Entries, s.Bytes = objects(entries), total
	f, err := os.CreateTemp(s.Dir, tempPattern)
	if err != nil {
		s.Problem = err
		return s
	}
	s.Problem = errs.Join(f.Close(), os.Remove(f.Name()))
	return s
}

// objects counts those among files of the cache: what else is there are records.
func objects(files []fs.FileInfo) (n int) {
	for _, f := range files {
		if filepath.Ext(f.Name()) == entrySuffix {
			n++
		}
	}
	return n
}

// ClearCache removes all entries of the disk cache and says how many objects that were.
func ClearCache() (removed int, err error) {
	dir, err := cacheDir()
	if err != nil {
		return 0, err
	}
	entries, _ := scan(dir)
	var failed []error
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			failed = append(failed, err)
		} else {
			removed += objects([]fs.FileInfo{e})
		}
	}
	return removed, errs.Join(failed...)
}
