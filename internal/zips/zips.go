// Package zips writes the zip files that programs embed.
package zips

import (
	"archive/zip"
	"errors"
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
