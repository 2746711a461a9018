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
