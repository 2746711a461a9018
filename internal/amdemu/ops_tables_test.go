package amdemu

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// called calls a row's function with as many of the arguments as it has sources.
func called(fn any, a ...uint64) (v uint64, bit bool, err error) {
	a = append(a, 0, 0, 0, 0)
	x, y, z := uint32(a[0]), uint32(a[1]), uint32(a[2])
	var v32 uint32
	switch f := fn.(type) {
	case func(a uint32) uint32:
		return uint64(f(x)), false, nil
	case func(a, b uint32) uint32:
		return uint64(f(x, y)), false, nil
	case func(a, b, c uint32) uint32:
		return uint64(f(x, y, z)), false, nil
	case func(a uint64) uint64:
		return f(a[0]), false, nil
	case func(a, b uint64) uint64:
		return f(a[0], a[1]), false, nil
	case func(a, b, c uint64) uint64:
		return f(a[0], a[1], a[2]), false, nil
	case func(a, b, c, d uint64) uint64:
		return f(a[0], a[1], a[2], a[3]), false, nil
	case func(a, b uint32) (uint32, bool):
		v32, bit = f(x, y)
		return uint64(v32), bit, nil
	case func(a, b, c uint32) (uint32, bool):
		v32, bit = f(x, y, z)
		return uint64(v32), bit, nil
	case func(a, b, c uint64) (uint64, bool):
		v, bit = f(a[0], a[1], a[2])
		return v, bit, nil
	case func(a, b uint32) bool:
		return 0, f(x, y), nil
	case func(a, b uint64) bool:
		return 0, f(a[0], a[1]), nil
	}
	return 0, false, fmt.Errorf("a function of type %T", fn)
}

// laneOf is one lane's result of an instruction, cut to its type's width.
func laneOf(t *testing.T, name string, a ...uint64) (uint64, bool) {
	t.Helper()
	r, ok := ops[name]
	if !ok {
		t.Fatalf("no row %s", name)
	}
	v, bit, err := called(r.fn, a...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s, err := parseSig(r.sig)
	if err != nil {
		t.Fatal(err)
	}
	switch s.result {
	case b16, u16, i16, f16, v2b16, v2u16, v2i16, v2f16:
		v &= 0xffff
	case b64, u64, i64, f64:
	default:
		v &= 0xffffffff
	}
	return v, bit
}

// expect compares a lane's result.
func expect(t *testing.T, name string, want uint64, a ...uint64) {
	t.Helper()
	if got, _ := laneOf(t, name, a...); got != want {
		t.Errorf("%s(%s) = %#x, want %#x", name, hexes(a), got, want)
	}
}

func hexes(a []uint64) string {
	s := make([]string, len(a))
	for i, v := range a {
		s[i] = fmt.Sprintf("%#x", v)
	}
	return strings.Join(s, ", ")
}

// words32 are sources of 32 or 64 bits that integers and floats have their edges at.
var words32 = []uint32{
	0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
	0x00ff00ff, 0x80808080, 0x12345678, 0xdeadbeef, 0xaaaaaaaa, 0x55555555,
}

// random32 is a source of 32 bits: an edge or anything.
func random32(r *rand.Rand) uint32 {
	if r.IntN(3) == 0 {
		return words32[r.IntN(len(words32))]
	}
	return r.Uint32() >> (r.IntN(4) * 8)
}

func random64(r *rand.Rand) uint64 {
	return uint64(random32(r)) | uint64(random32(r))<<32
}

// TestRows checks each row of the tables of this package's vector instructions and
// scalar floats: the signature parses, and the function has a parameter for each of
// its sources, wide enough, and the results it names.
func TestRows(t *testing.T) {
	for _, part := range valuTables() {
		for name, r := range part {
			if err := fits(r); err != nil {
				t.Errorf("%s: %q: %v", name, r.sig, err)
			}
		}
	}
	for _, bad := range []row{
		{"u32 u32", func(a, b uint32) uint32 { return 0 }},
		{"u64 u32", func(a uint32) uint32 { return 0 }},
		{"u32 u64", func(a uint32) uint32 { return 0 }},
		{"u32 u32 u32", func(a, b uint32) (uint32, bool) { return 0, false }},
		{"mask u32 u32", func(a, b uint32) uint32 { return 0 }},
		{"u32 word", func(a uint32) uint32 { return 0 }},
	} {
		if fits(bad) == nil {
			t.Errorf("a bad row passes: %q %T", bad.sig, bad.fn)
		}
	}
}

// fits says why a row's function does not fit its signature.
func fits(r row) error {
	s, err := parseSig(r.sig)
	if err != nil {
		return err
	}
	if _, _, err := called(r.fn); err != nil {
		return err
	}
	wide := false
	for i, of := range append([]typ{s.result}, s.sources...) {
		switch of {
		case b64, u64, i64, f64:
			wide = true
		case none:
			return fmt.Errorf("place %d has no type", i)
		}
	}
	text := strings.TrimPrefix(fmt.Sprintf("%T", r.fn), "func")
	params, results, _ := strings.Cut(strings.TrimPrefix(text, "("), ")")
	types := strings.Split(params, ", ")
	switch {
	case len(types) != len(s.sources):
		return fmt.Errorf("%d sources for %s", len(s.sources), text)
	case wide && types[0] != "uint64":
		return fmt.Errorf("64 bits do not fit %s", text)
	}
	want := " " + types[0]
	switch {
	case s.carries:
		want = " (" + types[0] + ", bool)"
	case s.result == mask || s.result == scc:
		want = " bool"
	}
	if results != want {
		return fmt.Errorf("results%s, not%s", results, want)
	}
	return nil
}
