package cpumath

import (
	"testing"

	"heddle/internal/zips"
)

func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		if _, err := zips.Unpack(packed); err != nil {
			b.Fatal(err)
		}
	}
}
