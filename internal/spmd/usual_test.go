package spmd

import (
	"fmt"
	"strings"
	"testing"
)

// A test for positive normal numbers is one instruction of AVX-512, however it is written, and what is done for
// others is rare. Other tests of a float's bits are neither.
func TestUsual(t *testing.T) {
	const text = `
declare i32 @heddle.thread.x()
define void @k(ptr %%p) {
entry:
  %%t = call i32 @heddle.thread.x()
  %%q = getelementptr float, ptr %%p, i32 %%t
  %%x = load float, ptr %%q, align 4
  %%b = bitcast float %%x to i32
  %%s = add i32 %%b, %d
  %%c = icmp %s i32 %%s, %d
  br i1 %%c, label %%a, label %%z
a:
  %%o = call float @llvm.sin.f32(float %%x)
  store float %%o, ptr %%q, align 4
  br label %%z
z:
  ret void
}
declare float @llvm.sin.f32(float)
`
	for _, c := range []struct {
		more     int32
		pred     string
		limit    int32
		is, rare bool
	}{
		{-2139095040, "ult", -2130706432, true, true},
		{-8388608, "ugt", 2130706431, true, true},
		{-8388608, "ult", 2130706432, true, false},
		{-2139095040, "ugt", -2130706433, true, false},
		{-8388608, "ult", 2130706431, false, false},
		{-2139095040, "slt", -2130706432, false, false},
		{8388608, "ult", 2130706432, false, false},
	} {
		for _, isa := range []string{"x86-64-v4", "x86-64-v3"} {
			out, err := Vectorize(fmt.Sprintf(text, c.more, c.pred, c.limit), Options{Kernel: "k", ISA: isa, WarpSize: 32, Lanes: 16})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(out, "call <16 x i1> @llvm.x86.avx512.fpclass.ps.512"); got != (c.is && isa == "x86-64-v4") {
				t.Errorf("%s: %+v: an instruction: %v", isa, c, got)
			}
			if got := strings.Contains(out, firstIsRare+"\n"); got != (c.rare && isa == "x86-64-v4") {
				t.Errorf("%s: %+v: rare: %v", isa, c, got)
			}
		}
	}
}
