package amdemu

import (
	"math"
	"testing"
)

// TestFloat8 has all codes: their values rise by the formats' definitions, and what lies
// between two goes to the right one.
func TestFloat8(t *testing.T) {
	f := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, c := range []struct {
		name, generation string
		most             uint64             // the largest number's code
		over             uint64             // of what is larger
		nan              uint64             // of NaNs
		known            map[uint64]float64 // from the formats' specifications
	}{
		{"fp8", "", 0x7e, 0x7f, 0x7f, map[uint64]float64{0: 0, 1: 0x1p-9, 7: 7 * 0x1p-9, 8: 0x1p-6, 0x38: 1, 0x3c: 1.5, 0x7e: 448}},
		{"bf8", "", 0x7b, 0x7c, 0x7f, map[uint64]float64{1: 0x1p-16, 3: 3 * 0x1p-16, 4: 0x1p-14, 0x3c: 1, 0x3e: 1.5, 0x7b: 57344}},
		{"fp8", " gfx9", 0x7f, 0x80, 0x80, map[uint64]float64{1: 0x1p-10, 8: 0x1p-7, 0x40: 1, 0x44: 1.5, 0x7f: 240}},
		{"bf8", " gfx9", 0x7f, 0x80, 0x80, map[uint64]float64{1: 0x1p-17, 4: 0x1p-15, 0x40: 1, 0x42: 1.5, 0x7f: 57344}},
	} {
		value := func(code uint64) float64 {
			v, _ := laneOf(t, "v_cvt_f32_"+c.name+c.generation, code|0xabcd00)
			return float64(math.Float32frombits(uint32(v)))
		}
		round := func(x float64, want uint64) {
			t.Helper()
			expect(t, "v_cvt_pk_"+c.name+"_f32"+c.generation, want|c.nan<<8, f(x), 0x7fc00000)
		}
		for code, want := range c.known {
			if got := value(code); got != want {
				t.Errorf("%s%s: %#x is %v, want %v", c.name, c.generation, code, got, want)
			}
		}
		sign := uint64(0x80)
		for code := range c.most {
			low, high := value(code), value(code+1)
			middle := (low + high) / 2
			even := code + code&1
			if !(low < high) {
				t.Fatalf("%s%s: %#x is %v, the next %v", c.name, c.generation, code, low, high)
			}
			round(low, code)
			round(middle, even)
			round(float64(math.Nextafter32(float32(middle), 0)), code)
			round(float64(math.Nextafter32(float32(middle), 1e9)), code+1)
			if code > 0 {
				round(-low, code|sign)
				if got := value(code | sign); got != -low {
					t.Errorf("%s%s: %#x is %v, want %v", c.name, c.generation, code|sign, got, -low)
				}
			}
		}
		top := value(c.most)
		place := top - value(c.most-1)
		round(top+place*0.49, c.most)
		round(top+place*0.51, c.over)
		round(math.Inf(1), c.over)
		round(1e30, c.over)
		round(1e-30, 0)
		if x := value(c.nan); x == x {
			t.Errorf("%s%s: %#x is %v", c.name, c.generation, c.nan, x)
		}
		expect(t, "v_cvt_pk_f32_"+c.name+c.generation, f(value(0x41))|f(value(0xc2))<<32, 0xc241)
	}
	expect(t, "v_cvt_pk_bf8_f32", 0xfc00|0x80, 1<<31, 0xff800000)
	expect(t, "v_cvt_pk_bf8_f32 gfx9", 0x8000, 1<<31, 0xff800000)
	expect(t, "v_cvt_f32_bf8", 0xff800000, 0xfc)
	expect(t, "v_cvt_f32_fp8 byte_sel:2", f(1.5), 0x3c1234|0x3c0000)
	// 1*1 + 1.5*2 + 0 + 0.5*1 + 10
	expect(t, "v_dot4_f32_fp8_bf8", f(14.5), 0x30003c38, 0x3c00403c, f(10))
	expect(t, "v_dot4_f32_bf8_fp8", f(14.5), 0x3c00403c, 0x30003c38, f(10))
}

// TestFloat8Places has the bytes and halves that instructions name.
func TestFloat8Places(t *testing.T) {
	for _, c := range []struct {
		generation int
		text       string
		want, high uint32 // v4, v5
	}{
		{12, "v_cvt_f32_fp8_e64 v4, v0 byte_sel:1", 0x3fc00000, 7},
		{12, "v_cvt_f32_fp8_e32 v4, v0", 0x3f800000, 7},
		{9, "v_cvt_f32_fp8_sdwa v4, v1 src0_sel:BYTE_3", 0x3f800000, 7},
		{12, "v_cvt_pk_f32_fp8_e64 v[4:5], v0 op_sel:[1,0]", 0x40000000, 0x3f000000},
		{12, "v_cvt_pk_f32_fp8_e32 v[4:5], v0", 0x3f800000, 0x3fc00000},
		{9, "v_cvt_pk_f32_fp8_sdwa v[4:5], v1 src0_sel:WORD_1", 0x40000000, 0x3f800000},
		{12, "v_cvt_pk_fp8_f32 v4, v2, v3", 0xffff_3c38, 7},
		{9, "v_cvt_pk_fp8_f32 v4, v2, v3", 0xffff_4440, 7},
		{9, "v_cvt_pk_fp8_f32 v4, v2, v3 op_sel:[0,0,1]", 0x4440_ffff, 7},
	} {
		w := bare(64)
		for r, v := range []uint32{0x30403c38, 0x40480000, 0x3f800000, 0x3fc00000, 0xffffffff, 7} {
			w.v[r][0] = v
		}
		execute(t, w, c.generation, c.text)
		if w.v[4][0] != c.want || w.v[5][0] != c.high {
			t.Errorf("%s: %#x, %#x; want %#x, %#x", c.text, w.v[4][0], w.v[5][0], c.want, c.high)
		}
	}
}
