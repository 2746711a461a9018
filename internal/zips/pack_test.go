package zips_test

import (
	"bytes"
	"compress/flate"
	"maps"
	"testing"

	"heddle/internal/zips"
)

// What is no stream of names, lengths and texts is an error.
func TestUnpackRefuses(t *testing.T) {
	deflate := func(text string) string {
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, flate.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got, err := zips.Unpack(deflate("a.f32 3\nx\n\nb.f64 0\n"))
	if err != nil || len(got) != 2 || got["a.f32"] != "x\n\n" || got["b.f64"] != "" {
		t.Fatalf("Unpack = %q, %v", got, err)
	}
	whole := deflate("a.f32 3\nxyz")
	for name, packed := range map[string]string{
		"half a stream":  whole[:len(whole)/2],
		"no stream":      "\xff\xff\xff",
		"too short":      deflate("a.f32 4\nxyz"),
		"too long":       deflate("a.f32 2\nxyz"),
		"negative":       deflate("a.f32 -1\nxyz"),
		"without length": deflate("a.f32\nxyz"),
	} {
		if got, err := zips.Unpack(packed); err == nil {
			t.Errorf("%s: Unpack = %q, want an error", name, got)
		}
	}
}

// What was packed is unpacked; a name that would be read as another is refused.
func TestPack(t *testing.T) {
	for _, want := range []map[string]string{{}, {"a": ""}, {"b/c.go": "package c\n", "a": "x 3\n", "": "\x00\xff"}} {
		texts := map[string][]byte{}
		for name, text := range want {
			texts[name] = []byte(text)
		}
		packed, err := zips.Pack(texts)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := zips.Unpack(string(packed)); err != nil || !maps.Equal(got, want) {
			t.Errorf("Unpack = %q, %v; want %q", got, err, want)
		}
	}
	for _, name := range []string{"a b", "a\n"} {
		if _, err := zips.Pack(map[string][]byte{name: nil}); err == nil {
			t.Errorf("the name %q is no error", name)
		}
	}
}
