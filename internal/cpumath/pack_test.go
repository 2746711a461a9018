package cpumath

import (
	"bytes"
	"compress/flate"
	"testing"
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
	got, err := unpack(deflate("a.f32 3\nx\n\nb.f64 0\n"))
	if err != nil || len(got) != 2 || got["a.f32"] != "x\n\n" || got["b.f64"] != "" {
		t.Fatalf("unpack = %q, %v", got, err)
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
		if got, err := unpack(packed); err == nil {
			t.Errorf("%s: unpack = %q, want an error", name, got)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		if _, err := unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
}
