package spmd

import "testing"

func TestHoldMasks(t *testing.T) {
	for in, want := range map[string]string{
		"  %1 = bitcast i16 %x to <16 x i1>, !dbg !5": `  %heddle.mask.1.int = call i16 asm "", "=r,0"(i16 %x) nounwind readnone, !dbg !5
  %heddle.mask.1.bits = bitcast i16 %heddle.mask.1.int to <16 x i1>, !dbg !5
  %1 = call <16 x i1> asm "", "=k,0"(<16 x i1> %heddle.mask.1.bits) nounwind readnone, !dbg !5`,
		"  %m = bitcast i4 %x to <4 x i1>":   "",
		"  %m = bitcast <16 x i1> %x to i16": "",
		"  %m = bitcast i1 %x to <1 x i1>":   "",
	} {
		if want == "" {
			want = in
		}
		if got := HoldMasks(in); got != want {
			t.Errorf("%s\nis now\n%s", in, got)
		}
	}
	const mask = "  %m = bitcast i16 %x to <16 x i1>"
	for _, c := range []struct {
		isa   string
		major int
		want  bool
	}{{"x86-64-v4", 19, true}, {"x86-64-v4", 18, false}, {"x86-64-v4", 22, false}, {"x86-64-v3", 19, false}} {
		if got := HasIntMasks(mask, c.isa, c.major); got != c.want {
			t.Errorf("HasIntMasks for %s, LLVM %d: %v", c.isa, c.major, got)
		}
	}
}
