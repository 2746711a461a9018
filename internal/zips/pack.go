package zips

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Pack is texts as one DEFLATE stream, which holds once what they have in common; a
// zip file compresses each by itself. Names are in order, and before each text is a line
// with its name and its length in bytes, "sin.f32 12180". The same texts make the same
// bytes, with the same release of Go. A name has neither spaces nor line ends.
func Pack(texts map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.ContainsAny(name, " \n") {
			err = errors.Join(err, fmt.Errorf("%q cannot be the name of a packed text", name))
		}
		fmt.Fprintf(&all, "%s %d\n", name, len(texts[name]))
		all.Write(texts[name])
	}
	_, werr := w.Write(all.Bytes())
	err = errors.Join(err, werr, w.Close())
	return b.Bytes(), err
}

// Unpack undoes Pack, for what is a part of the program: the size is not limited. What
// is no such stream is an error.
func Unpack(packed string) (map[string]string, error) {
	var b strings.Builder
	if _, err := io.Copy(&b, flate.NewReader(strings.NewReader(packed))); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for rest := b.String(); rest != ""; {
		head, body, _ := strings.Cut(rest, "\n")
		name, length, _ := strings.Cut(head, " ")
		size, err := strconv.Atoi(length)
		if err != nil || size < 0 || size > len(body) {
			return nil, fmt.Errorf("%q is no name and length of a text in the %d bytes after it", head, len(body))
		}
		all[name], rest = body[:size], body[size:]
	}
	return all, nil
}
