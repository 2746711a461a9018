package ll

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// layouts are types with their sizes and alignments in bytes and where their
// elements begin.
var layouts = []struct {
	typ         string
	size, align int
	offsets     []int
}{
	{"i1", 1, 1, nil},
	{"i7", 1, 1, nil},
	{"i16", 2, 2, nil},
	{"i24", 4, 4, nil},
	{"i64", 8, 8, nil},
	{"i65", 16, 16, nil},
	{"i128", 16, 16, nil},
	{"i129", 32, 16, nil},
	{"half", 2, 2, nil},
	{"bfloat", 2, 2, nil},
	{"float", 4, 4, nil},
	{"double", 8, 8, nil},
	{"x86_fp80", 16, 16, nil},
	{"fp128", 16, 16, nil},
	{"ptr", 8, 8, nil},
	{"<4 x float>", 16, 16, nil},
	{"<3 x float>", 16, 16, nil},
	{"<2 x ptr>", 16, 16, nil},
	{"<32 x i1>", 4, 4, nil},
	{"<2 x i8>", 2, 2, nil},
	{"<16 x i64>", 128, 128, nil},
	{"[3 x i8]", 3, 1, []int{0, 1, 2}},
	{"[2 x i24]", 8, 4, []int{0, 4}},
	{"[0 x i32]", 0, 4, nil},
	{"[2 x { i32, i8 }]", 16, 4, []int{0, 8}},
	{"{}", 0, 1, nil},
	{"{ i8, i64, i8 }", 24, 8, []int{0, 8, 16}},
	{"<{ i8, i64, i8 }>", 10, 1, []int{0, 1, 9}},
	{"{ i8, <{ i8, i32 }>, i16 }", 8, 2, []int{0, 1, 6}},
	{"{ i1, i128 }", 32, 16, []int{0, 16}},
	{"{ ptr, [3 x i16], float, [0 x double] }", 24, 8, []int{0, 8, 16, 24}},
	{"{ i8, <3 x float> }", 32, 16, []int{0, 16}},
	{"{ i32, { i8, double }, i8 }", 32, 8, []int{0, 8, 24}},
}

func TestLayout(t *testing.T) {
	for _, l := range layouts {
		typ := mustParse(t, "declare "+l.typ+" @f()").Func("f").Ret
		if typ.Text != l.typ {
			t.Errorf("%s is %s", l.typ, typ)
		}
		if typ.Size() != l.size || typ.Align() != l.align {
			t.Errorf("%s takes %d bytes aligned to %d, not %d and %d", typ, typ.Size(), typ.Align(), l.size, l.align)
		}
		var offsets []int
		for i := range max(typ.Len, len(typ.Elems)) {
			if typ.Kind == Array || typ.Kind == Struct {
				offsets = append(offsets, typ.Offset(i))
			}
		}
		if !slices.Equal(offsets, l.offsets) {
			t.Errorf("%s has elements at %d, not %d", typ, offsets, l.offsets)
		}
	}
}

// TestLayoutOfLLVM has LLVM compute the same sizes, alignments and offsets.
func TestLayoutOfLLVM(t *testing.T) {
	opt := tool(t, "opt-19")
	var b strings.Builder
	b.WriteString("target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n")
	var want []int
	ask := func(typ, index string, answer int) {
		fmt.Fprintf(&b, "define i64 @f%d() {\n  ret i64 ptrtoint (ptr getelementptr (%s, ptr null, %s) to i64)\n}\n", len(want), typ, index)
		want = append(want, answer)
	}
	for _, l := range layouts {
		ask(l.typ, "i64 1", l.size)
		ask("{ i8, "+l.typ+" }", "i64 0, i32 1", l.align)
		for i, off := range l.offsets {
			ask(l.typ, fmt.Sprintf("i64 0, i32 %d", i), off)
		}
	}
	m := mustParse(t, output(t, b.String(), opt, "-S", "-passes=instcombine"))
	for i, w := range want {
		ret := m.Func(fmt.Sprint("f", i)).Blocks[0].Term()
		if got := ret.Args[0].Ident(); got != fmt.Sprint(w) {
			t.Errorf("question %d: LLVM says %s, not %d", i, got, w)
		}
	}
}
