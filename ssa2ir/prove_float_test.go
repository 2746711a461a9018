package ssa2ir

import (
	"math"
	"math/rand"
	"regexp"
	"testing"
)

// TestFloatBound tries what prover.addInt relies on: a float that is not negative and below float(n) has a whole part below n, however float(n) is rounded.
func TestFloatBound(t *testing.T) {
	try := func(n int64) {
		for _, x := range []float32{math.Nextafter32(float32(n), 0), math.Nextafter32(float32(n), 0) - 0.5, float32(n) - 1, float32(n) / 2} {
			if x >= 0 && x < float32(n) && int64(x) >= n {
				t.Fatalf("int(%v) is not below %d", x, n)
			}
			if x > -1<<50 && x < float32(n) && int64(math.Floor(float64(x))) >= n {
				t.Fatalf("int(Floor(%v)) is not below %d", x, n)
			}
		}
		for _, x := range []float64{math.Nextafter(float64(n), 0), math.Nextafter(float64(n), 0) - 0.5, float64(n) - 1, float64(n) / 2} {
			if x >= 0 && x < float64(n) && int64(x) >= n {
				t.Fatalf("int(%v) is not below %d", x, n)
			}
		}
	}
	r := rand.New(rand.NewSource(1))
	for bits := range 63 {
		for k := int64(-70); k <= 70; k++ {
			try(1<<bits + k)
			try(3<<bits>>1 + k)
			try(-k)
		}
		for range 200 {
			try(r.Int63() >> bits)
		}
	}
	for k := range int64(1000) {
		try(math.MaxInt64 - k)
	}
}

// TestFloor says where an index is known that is made of a float.
func TestFloor(t *testing.T) {
	for _, c := range []struct {
		body  string
		known bool
	}{
		{"if v > -1 && v < float32(w) { if x := int(dsl.Floor(v)); x >= 0 { out[x] = 1 } }", true},
		{"if v > -1 && v < float32(w) { if x := int(dsl.Floor(v)); x+1 < w { out[x+1] = 1 } }", true},
		{"if v > -1 && v < float32(w) { if x := int(math.Floor(float64(v))); x >= 0 { out[x] = 1 } }", true},
		{"if v > -2 && v < float32(w) { if x := int(dsl.Floor(v)); x+1 < w { out[x+1] = 1 } }", false}, // of -1.5 it is -2
		{"if v > -1 && v < float32(w) { if x := int(v); x >= 0 { out[x] = 1 } }", false},               // of -0.5 and of no elements it is 0
		{"if v > -1 && v < float32(w) { if x := int(dsl.Ceil(v)); x >= 0 { out[x] = 1 } }", false},
		{"if v > -1 && v <= float32(w) { if x := int(dsl.Floor(v)); x >= 0 { out[x] = 1 } }", false},
		{"if v < float32(w) { if x := int(dsl.Floor(v)); x >= 0 { out[x] = 1 } }", false},                     // nothing is asked of what is far below 0
		{"if v <= -1 || v >= float32(w) { return }; if x := int(dsl.Floor(v)); x >= 0 { out[x] = 1 }", false}, // NaN comes by
	} {
		source := "package p\nimport (\n\"heddle/dsl\"\n\"math\"\n)\nvar _ = math.Pi\nfunc K(out []int32, v float32) {\nw := len(out)\n_ = dsl.WarpSize\n" + c.body + "\n}"
		if got := checks(lowered(t, source, "sm_90", Options{}).IR) == 0; got != c.known {
			t.Errorf("%s: known: %v", c.body, got)
		}
	}
}

// TestWholeParts: what comparisons say of an int that is made of a float, and where a kernel goes on in two ways as nothing does.
func TestWholeParts(t *testing.T) {
	for _, c := range []struct {
		body        string
		short, long bool // there are conversions to 32 bits, and to 64
	}{
		{"x, y := int(f[i]), int(f[i+1])\nout[i] = int32(x%w + y%w)", true, true},                     // twice, once in 32 bits
		{"x := int(dsl.Floor(f[i]))\nout[i] = int32(x%w + (x+1)%w)", true, true},                      // likewise
		{"if v := f[i]; v > -5 && v < 1000 {\nout[i] = int32(int(v)%w) }", true, false},               // once
		{"if v := f[i]; v < 1000 {\nout[i] = int32(int(v)*w) }", false, true},                         // it may be less, and the product costs little
		{"if v := f[i]; v > -5e9 && v < 5e9 {\nout[i] = int32(int(v)*w) }", false, true},              // it may need 33 bits
		{"x, y := int(f[i]), int(f[i+1])\ndsl.SyncThreads()\nout[i] = int32(x%w + y%w)", false, true}, // threads wait for others behind it
		{"x := int(f[i])\ny := int(f[i+1]*float32(x))\nout[i] = int32(x%w + x/w + y%w)", true, true},  // the second is made of the first
	} {
		source := "package p\nimport \"heddle/dsl\"\nfunc K(out []int32, f []float32, w int) {\nif w < 1 || w > 1000 { return }\ni := dsl.GlobalIdx().X\n" + c.body + "\n}"
		ir := string(lowered(t, source, "sm_90", Options{NoBounds: true}).IR)
		short, long := regexp.MustCompile(`fptosi float %\S+ to i32`).MatchString(ir), regexp.MustCompile(`fptosi float %\S+ to i64`).MatchString(ir)
		if short != c.short || long != c.long {
			t.Errorf("%s: conversions to 32 bits: %v, want %v; to 64: %v, want %v\n%s", c.body, short, c.short, long, c.long, ir)
		}
	}
}

// TestByDouble: a float32 of an int that a float64 holds is made of that, where it is fast.
func TestByDouble(t *testing.T) {
	for _, c := range []struct {
		arch, x string
		double  bool
	}{
		{"gfx942", "2*(int(a[i])-int(a[i+1]))", true}, {"gfx90a", "2*(int(a[i])-int(a[i+1]))", true},
		{"gfx1100", "2*(int(a[i])-int(a[i+1]))", false}, {"sm_90", "2*(int(a[i])-int(a[i+1]))", false},
		{"gfx942", "int(a[i])*int(a[i])", false}, {"gfx942", "int(a[i])", false}, {"gfx942", "b[i]>>9", false}, {"gfx942", "b[i]>>10", true},
	} {
		source := "package p\nimport \"heddle/dsl\"\nfunc K(out []float32, a []int32, b []int) {\ni := dsl.GlobalIdx().X\nout[i] = float32(" + c.x + ")\n}"
		ir := string(lowered(t, source, c.arch, Options{}).IR)
		if double := regexp.MustCompile(`sitofp i64 %\S+ to double`).MatchString(ir); double != c.double {
			t.Errorf("%s: %s: by a float64: %v\n%s", c.arch, c.x, double, ir)
		}
	}
}
