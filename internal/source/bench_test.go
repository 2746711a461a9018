package source_test

import (
	"testing"

	"heddle/internal/exe"
	"heddle/internal/source"
	"heddle/internal/source/corpus/lib"
)

// BenchmarkIdentify is the cost of looking a kernel up in a cache.
func BenchmarkIdentify(b *testing.B) {
	f := lib.GenAdder[float32](1)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := exe.Identify(f); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFindCold finds a kernel of a small package with nothing loaded, from
// embedded sources.
func BenchmarkFindCold(b *testing.B) {
	source.Reset(true)
	modes[1].setup(b)
	k := lib.MakeDeep(1)(two)
	b.ReportAllocs()
	for b.Loop() {
		source.Reset(false)
		find(b, k)
	}
}

// BenchmarkFindMath finds a kernel that calls the standard library, cold.
func BenchmarkFindMath(b *testing.B) {
	source.Reset(true)
	modes[1].setup(b)
	k := lib.Hypotenuse
	b.ReportAllocs()
	for b.Loop() {
		source.Reset(false)
		find(b, k)
	}
}

// BenchmarkFindSecond finds another kernel of a loaded package.
func BenchmarkFindSecond(b *testing.B) {
	source.Reset(true)
	modes[1].setup(b)
	k := lib.MakeDeep(1)(two)
	find(b, lib.Small)
	b.ReportAllocs()
	for b.Loop() {
		find(b, k)
	}
}
