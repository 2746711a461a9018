// Package zips writes and reads the zip files that programs embed.
package zips

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
)

// Write writes a zip file with the given contents, by name. The same contents make
// the same bytes, with the same release of Go: names are in order, and there are no
// times.
func Write(to io.Writer, files map[string][]byte) error {
	z := zip.NewWriter(to)
	var err error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, ferr := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if ferr == nil {
			_, ferr = f.Write(files[name])
		}
		err = errors.Join(err, ferr)
	}
	return errors.Join(err, z.Close())
}

// Read is what a file of a zip file holds. One of more than limit bytes is an
// error before it is inflated, whatever its header says: a few kilobytes may
// inflate to gigabytes.
func Read(f *zip.File, limit int64) ([]byte, error) {
	tooLarge := func() error { return fmt.Errorf("%s has more than %d bytes", f.Name, limit) }
	if f.UncompressedSize64 > uint64(limit) {
		return nil, tooLarge()
	}
	// Not f.Open, whose checks are below: of what it returns the linker concludes that
	// programs use package zip's file system, which has 40 KB.
	var r io.Reader
	r, err := f.OpenRaw()
	switch {
	case err != nil:
		return nil, err
	case f.Method == zip.Deflate:
		r = flate.NewReader(r)
	case f.Method != zip.Store:
		return nil, zip.ErrAlgorithm
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, tooLarge()
	case uint64(len(data)) != f.UncompressedSize64:
		return nil, io.ErrUnexpectedEOF
	case crc32.ChecksumIEEE(data) != f.CRC32:
		return nil, zip.ErrChecksum
	}
	return data, nil
}
