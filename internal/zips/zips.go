// Package zips writes and reads the zip files that programs embed: files of less than
// 4 GB, stored or deflated, without comments. archive/zip reads all kinds, and always
// brings the compressor with it: 90 KB of a program.
package zips

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"

	"heddle/internal/errs"
)

// A zip file has its files one after the other, each behind a header, then a directory
// that has a header of each, then an end that says where the directory is. All numbers
// are little-endian.
const (
	localMagic     = "PK\x03\x04"
	directoryMagic = "PK\x01\x02"
	endMagic       = "PK\x05\x06"

	localSize     = 30 // bytes before the name
	directorySize = 46 // likewise
	endSize       = 22

	stored   = 0
	deflated = 8
)

var le = binary.LittleEndian

// A File is one file of a zip file.
type File struct {
	Name string

	method    uint16
	sum, size uint32 // of the contents
	packed    []byte
}

// errFormat says that something is no zip file, or one of a kind that is not read.
var errFormat = errors.New("not a valid zip file")

// Files are those of a zip file, in its order. Their contents stay in data, which must
// not change. What is malformed is an error, now or when a file is read.
func Files(data []byte) ([]*File, error) {
	at := len(data) - endSize
	if at < 0 || string(data[at:at+4]) != endMagic {
		return nil, errFormat
	}
	end := data[at:]
	count, size, start := int(le.Uint16(end[10:])), uint64(le.Uint32(end[12:])), uint64(le.Uint32(end[16:]))
	if start+size != uint64(at) {
		return nil, errFormat
	}
	var all []*File
	directory := data[start:at]
	for range count {
		f, rest := readHeader(data[:start], directory)
		if f == nil {
			return nil, errFormat
		}
		all, directory = append(all, f), rest
	}
	if len(directory) > 0 {
		return nil, errFormat
	}
	return all, nil
}

// readHeader reads the first header of a directory; nil if it, or the file that it is
// of, is not in the data.
func readHeader(data, directory []byte) (f *File, rest []byte) {
	h := directory
	if len(h) < directorySize || string(h[:4]) != directoryMagic {
		return nil, nil
	}
	name := int(le.Uint16(h[28:]))
	end := directorySize + name + int(le.Uint16(h[30:])) + int(le.Uint16(h[32:]))
	if end > len(h) {
		return nil, nil
	}
	f = &File{Name: string(h[directorySize:][:name]), method: le.Uint16(h[10:]), sum: le.Uint32(h[16:]), size: le.Uint32(h[24:])}
	local := data[min(uint64(le.Uint32(h[42:])), uint64(len(data))):]
	if len(local) < localSize || string(local[:4]) != localMagic {
		return nil, nil
	}
	start := uint64(localSize + int(le.Uint16(local[26:])) + int(le.Uint16(local[28:])))
	stop := start + uint64(le.Uint32(h[20:]))
	if stop > uint64(len(local)) {
		return nil, nil
	}
	f.packed = local[start:stop]
	return f, h[end:]
}

// Read is what the file holds. More than limit bytes is an error, whatever the header
// says: a few kilobytes may inflate to gigabytes.
func (f *File) Read(limit int64) ([]byte, error) {
	var r io.Reader = bytes.NewReader(f.packed)
	switch f.method {
	case stored:
	case deflated:
		r = flate.NewReader(r)
	default:
		return nil, errs.F("%s is compressed by method %d", f.Name, f.method)
	}
	if int64(f.size) > limit {
		return nil, f.tooLarge(limit)
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return nil, errs.F("%s: %w", f.Name, err)
	case int64(len(data)) > limit:
		return nil, f.tooLarge(limit)
	case len(data) != int(f.size) || crc32.ChecksumIEEE(data) != f.sum:
		return nil, errs.F("%s is damaged", f.Name)
	}
	return data, nil
}

func (f *File) tooLarge(limit int64) error {
	return errs.F("%s has more than %d bytes", f.Name, limit)
}

// Write writes a zip file with the given contents, by name. The same contents make
// the same bytes, with the same release of Go: names are in order, and there are no
// times. What a zip file of this kind cannot hold is an error: 65,535 files, or 4 GB.
func Write(to io.Writer, files map[string][]byte) error {
	w, err := flate.NewWriter(nil, flate.DefaultCompression)
	if err != nil {
		return err
	}
	var directory []byte
	at := uint64(0)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		packed, err := deflate(w, files[name])
		if err != nil {
			return err
		}
		if uint64(len(files[name])) > math.MaxUint32 || len(name) > math.MaxUint16 {
			return errs.F("%.100s, of %d bytes, is too large for a zip file", name, len(files[name]))
		}
		h := header(name, files[name], packed)
		local := append([]byte(localMagic), h...)
		if err := writeAll(to, append(local, name...), packed); err != nil {
			return err
		}
		directory = append(directory, directoryMagic...)
		directory = append(directory, h[:2]...) // made by the version that is needed
		directory = append(directory, h...)
		directory = append(directory, make([]byte, 10)...) // no comment, one part, no attributes
		directory = le.AppendUint32(directory, uint32(at))
		directory = append(directory, name...)
		at += uint64(len(local) + len(name) + len(packed))
	}
	if len(files) >= math.MaxUint16 || at+uint64(len(directory)) > math.MaxUint32 {
		return errs.F("%d files, of %d bytes, are too many for a zip file", len(files), at)
	}
	end := append([]byte(endMagic), make([]byte, 4)...) // one part
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint16(end, uint16(len(files)))
	end = le.AppendUint32(end, uint32(len(directory)))
	end = le.AppendUint32(end, uint32(at))
	return writeAll(to, directory, append(end, 0, 0)) // no comment
}

// header is what a file's header and the directory have in common, up to the name.
func header(name string, data, packed []byte) []byte {
	const version, utf8 = 20, 0x800
	h := le.AppendUint16(nil, version)
	h = le.AppendUint16(h, utf8)
	h = le.AppendUint16(h, deflated)
	h = append(h, 0, 0, 0, 0) // no time
	h = le.AppendUint32(h, crc32.ChecksumIEEE(data))
	h = le.AppendUint32(h, uint32(len(packed)))
	h = le.AppendUint32(h, uint32(len(data)))
	h = le.AppendUint16(h, uint16(len(name)))
	return append(h, 0, 0) // nothing else
}

// deflate is data as a DEFLATE stream, by a writer that may have been used.
func deflate(w *flate.Writer, data []byte) ([]byte, error) {
	var b bytes.Buffer
	w.Reset(&b)
	_, err := w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

func writeAll(to io.Writer, parts ...[]byte) error {
	for _, p := range parts {
		if _, err := to.Write(p); err != nil {
			return err
		}
	}
	return nil
}
