package zips_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"heddle/internal/zips"
)

// TestRead reads files up to a limit, also where the header says too little.
func TestRead(t *testing.T) {
	var buf bytes.Buffer
	text := []byte(strings.Repeat("heddle ", 1000))
	if err := zips.Write(&buf, map[string][]byte{"a": text}); err != nil {
		t.Fatal(err)
	}
	open := func(data []byte) *zip.File {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return z.File[0]
	}
	if got, err := zips.Read(open(buf.Bytes()), int64(len(text))); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := zips.Read(open(buf.Bytes()), int64(len(text))-1); err == nil || !strings.Contains(err.Error(), "a has more than 6999 bytes") {
		t.Error(err)
	}
	// the size in the directory at the end, changed to 10
	lie := bytes.Replace(buf.Bytes(), binary.LittleEndian.AppendUint32(nil, uint32(len(text))), binary.LittleEndian.AppendUint32(nil, 10), -1)
	f := open(lie)
	if f.UncompressedSize64 != 10 {
		t.Fatalf("it says %d", f.UncompressedSize64)
	}
	if _, err := zips.Read(f, 100); err == nil {
		t.Error("a wrong size is no error")
	}
}
