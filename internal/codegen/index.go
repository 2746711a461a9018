package codegen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"heddle/internal/abi"
	"heddle/internal/env"
	"heddle/internal/errs"
)

// This file keeps records beside the objects of the disk cache, by keys of the caller's: what
// a kernel of one binary was compiled to. What is in them is package program's affair.

const (
	recordMagic  = "heddle record\n\x00\x00"
	recordSuffix = ".hix"
)

// RecordKey makes a record's key of words, to which it adds the compiler to a kind of object,
// its level of optimisation, and whether archives are used. It fails if the disk cache is not used.
func RecordKey(kind abi.Kind, words ...any) (string, error) {
	passes, err := defaultPasses(kind)
	if err != nil {
		return "", err
	}
	if _, err := cacheDir(); err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "heddle record %d\n%q %q %q %t\n", cacheFormat, Fingerprint(kind), ownVersion(kind), passes, env.Get(EnvArchive) == "off")
	for _, w := range words {
		fmt.Fprintf(h, "%#v\n", w)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Record reads a record; nil if there is no good one. A bad one is removed.
func Record(key string) []byte {
	dir, err := cacheDir()
	if err != nil {
		return nil
	}
	path := filepath.Join(dir, key+recordSuffix)
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() > maxEntry {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	text, ok := strings.CutPrefix(string(data), recordMagic)
	if !ok || len(text) < sha256.Size {
		os.Remove(path)
		return nil
	}
	sum, body := text[:sha256.Size], []byte(text[sha256.Size:])
	if want := checksum(key, body); sum != string(want[:]) {
		os.Remove(path)
		return nil
	}
	touch(path)
	return body
}

// SetRecord writes a record. Failure leaves no trace.
func SetRecord(key string, body []byte) {
	dir, err := cacheDir()
	if err != nil {
		return
	}
	sum := checksum(key, body)
	write(dir, key+recordSuffix, []byte(recordMagic), sum[:], body)
}

// Kept is the object of a key, from the program's archives or the disk cache; nil if neither
// has it.
func Kept(key string) *abi.Object {
	for _, a := range Archives() {
		if obj := a.object(key); obj != nil {
			return obj
		}
	}
	dir, err := cacheDir()
	if err != nil {
		return nil
	}
	return read(dir, key)
}

// touch says that an entry is in use, so that pruning sees it.
func touch(path string) {
	st, err := os.Stat(path)
	if now := time.Now(); err == nil && now.Sub(st.ModTime()) > touchAfter {
		os.Chtimes(path, now, now)
	}
}

// write writes a file of the cache under a temporary name and renames it, so that no
// reader ever sees half of one. Failure leaves no trace but a slower next time.
func write(dir, name string, parts ...[]byte) {
	f, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return
	}
	var failed []error
	for _, p := range parts {
		_, err := f.Write(p)
		failed = append(failed, err)
	}
	if err = errs.Join(append(failed, f.Close())...); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
		return
	}
	if stores.Add(1)%pruneEvery == 1 {
		prune(dir, cacheLimit)
	}
}
