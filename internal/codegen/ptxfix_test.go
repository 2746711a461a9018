package codegen

import "testing"

func TestFixPTX(t *testing.T) {
	const in = "\tneg.s16 \t%rs10, %rs9;\n\tabs.s16 \t%rs2, %rs2;\n\tsub.s16 \t%rs3, 0, %rs1;\n\tsub.s16 \t%rs3, %rs1, 0;\n\tneg.s32 \t%r1, %r2;\n"
	const want = "\tsub.u16 \t%rs10, 0, %rs9;\n\t{ .reg .b16 %negated; sub.u16 \t%negated, 0, %rs2; max.s16 \t%rs2, %rs2, %negated; }\n" +
		"\tsub.u16 \t%rs3, 0, %rs1;\n\tsub.s16 \t%rs3, %rs1, 0;\n\tneg.s32 \t%r1, %r2;\n"
	if got := string(fixPTX([]byte(in))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What LLVM sees in assembly only asks for the version of PTX that it came with.
func TestPTXVersions(t *testing.T) {
	const evict, wide = "ld.global.L1::evict_unchanged.b32 %r1, [%rd1];", ".reg .b128 %wide;"
	for _, c := range []struct{ version, code, want string }{
		{"7.0", evict, "7.4"}, {"7.4", evict, "7.4"}, {"7.8", evict, "7.8"}, {"6.0", "ret;", "6.0"}, {"7.8", wide, "8.3"}, {"7.0", evict + wide, "8.3"}, {"8.4", evict + wide, "8.4"},
	} {
		want := ".version " + c.want + "\n" + c.code
		if got := string(fixPTX([]byte(".version " + c.version + "\n" + c.code))); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestFixPTXComparisons(t *testing.T) {
	const abs = "\tabs.ftz.f32 \t%f2, %f1;\n"
	for in, want := range map[string]string{
		"setp.gt.f32 \t%p1, %f2, 0fDF000000;":     "setp.leu.f32 \t%p1, %f2, 0fDF000000; not.pred \t%p1, %p1;",
		"setp.ge.ftz.f32 \t%p1, %f2, 0f00000000;": "setp.ltu.ftz.f32 \t%p1, %f2, 0f00000000; not.pred \t%p1, %p1;",
		"setp.lt.f32 \t%p1, %r2, %r3;":            "setp.geu.f32 \t%p1, %r2, %r3; not.pred \t%p1, %p1;",
		"setp.le.f32 \t%p1, %f2, 0f80000000;":     "setp.gtu.f32 \t%p1, %f2, 0f80000000; not.pred \t%p1, %p1;",
		"setp.gt.f32 \t%p1, %f2, 0f3F800000;":     "", // as it is
		"setp.gtu.f32 \t%p1, %f2, 0fDF000000;":    "",
		"setp.lt.f64 \t%p1, %fd2, %fd3;":          "",
		"setp.lt.s32 \t%p1, %r2, %r3;":            "",

		"selp.f32 \t%f32, 0fBDCCCCCD, 0f00000000, %p18;":  "selp.b32 \t%f32, 0xBDCCCCCD, 0x00000000, %p18;",
		"selp.f32 \t%f3, %f2, 0f00000000, %p18;":          "",
		"selp.f64 \t%fd3, 0d3FF0000000000000, %fd2, %p1;": "",
	} {
		if want == "" {
			want = in
		}
		if got := string(fixPTX([]byte(abs + in))); got != abs+want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
		if got := string(fixPTX([]byte(in))); got != in {
			t.Errorf("%s without abs.f32 became %s", in, got)
		}
	}
}
