package ll

import (
	"slices"
	"strings"
	"testing"
)

const wholeModule = `; ModuleID = 'x'
source_filename = "x"
target datalayout = "e-m:e-i64:64"
target triple = "x86_64-unknown-linux-gnu"

module asm "nop"

%T = type { i32, %U }
%U = type <{ i8, [2 x %V] }>
%V = type { ptr, { } }
%O = type opaque

$keep = comdat any
$"a b" = comdat any

@g = internal unnamed_addr constant [2 x %V] zeroinitializer, comdat($keep), align 8, !dbg !3
@"heddle.size" = constant i64 16
@"s t" = private constant [3 x i8] c"a;\00", section "x, y", comdat, align 1 #0
@alias = alias i32, ptr @g

declare !dbg !3 noundef i32 @"heddle.thread.x"() local_unnamed_addr #0
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare i32 @printf(ptr nocapture noundef readonly, ...)

; Function Attrs: nounwind
define internal fastcc { i32, i1 } @"f[int]"(i32 noundef %0, ptr byref(%T) align 16 captures(none) %p, i32 %1) unnamed_addr #0 comdat align 16 !dbg !3 {
  #dbg_value(i32 %0, !3, !DIExpression(), !3)
  %3 = icmp eq i32 %0, 0, !dbg !3
  call void @llvm.dbg.value(metadata i32 %0, metadata !3, metadata !DIExpression()), !dbg !3
  br i1 %3, label %4, label %"a b"

4:                                                ; preds = %"a b", %2
  %5 = phi i32 [ 0, %2 ], [ %6, %"a b" ]
  ret { i32, i1 } zeroinitializer

"a b":                                            ; preds = %"a b", %2
  %6 = getelementptr %T, ptr %p, i64 0 ; not an i32
  switch i32 %0, label %4 [
    i32 1, label %"a b"
    i32 2, label %4
  ], !prof !3
}

attributes #0 = { nounwind memory(none) alignstack=16 "no-trapping-math"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"a;b", i32 4}
!3 = distinct !DIThing(line: 5, name: "x", flags: A | B)

^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
`

func mustParse(t *testing.T, text string) *Module {
	t.Helper()
	m, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestModule(t *testing.T) {
	if _, err := Parse(wholeModule); err == nil || !strings.HasPrefix(err.Error(), "line 33: %6 is of type ptr, used as i32: %5 = phi") {
		t.Errorf("the error of a phi of the wrong type: %v", err)
	}
	m := mustParse(t, strings.Replace(wholeModule, "phi i32 [ 0,", "phi ptr [ null,", 1))

	const v = "{ ptr, {} }"
	const u = "<{ i8, [2 x " + v + "] }>"
	var lines []string
	for _, g := range m.Globals {
		lines = append(lines, g.Name+": "+g.Line)
	}
	want := []string{
		"g: @g = internal unnamed_addr constant [2 x " + v + "] zeroinitializer, align 8",
		"heddle.size: @heddle.size = constant i64 16",
		`"s t": @"s t" = private constant [3 x i8] c"a;\00", section "x, y", align 1 nounwind memory(none) alignstack(16) "no-trapping-math"="true"`,
		"alias: @alias = alias i32, ptr @g",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("globals\n%s\nnot\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}

	if len(m.Funcs) != 3 {
		t.Fatalf("%d functions, not 3", len(m.Funcs))
	}
	const attrs = `nounwind memory(none) alignstack(16) "no-trapping-math"="true"`
	if f := m.Func("heddle.thread.x"); f == nil || f.Linkage != "noundef" || f.Ret.Bits != 32 || f.Attrs != "local_unnamed_addr "+attrs {
		t.Errorf("heddle.thread.x is %+v", f)
	}
	if f := m.Func("printf"); f == nil || !f.Variadic || len(f.Params) != 1 || f.Params[0].Attrs != "nocapture noundef readonly" || f.Blocks != nil {
		t.Errorf("printf is %+v", f)
	}
	f := m.Func("f[int]")
	if f == nil || f != m.Func(`"f[int]"`) || f.Linkage != "internal fastcc" || f.Ret.Text != "{ i32, i1 }" ||
		f.Attrs != "unnamed_addr "+attrs+" align 16" {
		t.Fatalf("f is %+v", f)
	}
	p := f.Params[1]
	if p.Name != "p" || p.ByRef == nil || p.ByRef.Text != "{ i32, "+u+" }" || p.Attrs != "byref("+p.ByRef.Text+") align 16 captures(none)" {
		t.Errorf("parameter p is %+v", p)
	}
	if f.Params[0].Name != "0" || f.Params[2].Name != "1" {
		t.Errorf("unnamed parameters are %q and %q", f.Params[0].Name, f.Params[2].Name)
	}
	if got := m.Meta["!0"]; got != `!{i32 1, !"a;b", i32 4}` {
		t.Errorf("!0 is %s", got)
	}
	if got := m.Meta["!llvm.module.flags"]; got != "!{!0}" {
		t.Errorf("!llvm.module.flags is %s", got)
	}
}

func TestBlocks(t *testing.T) {
	f := mustParse(t, strings.Replace(wholeModule, "phi i32 [ 0,", "phi ptr [ null,", 1)).Func("f[int]")
	names := func(blocks []*Block) (names []string) {
		for _, b := range blocks {
			names = append(names, b.Name)
		}
		return names
	}
	if got := names(f.Blocks); !slices.Equal(got, []string{"2", "4", `"a b"`}) {
		t.Fatalf("blocks %q", got)
	}
	for i, b := range f.Blocks {
		if b.Index != i || b.Func != f {
			t.Errorf("block %s has the index %d", b.Name, b.Index)
		}
		want := [][]string{nil, {"2", `"a b"`}, {"2", `"a b"`}}[i]
		if got := names(b.Preds); !slices.Equal(got, want) {
			t.Errorf("block %s has the predecessors %q, not %q", b.Name, got, want)
		}
	}
	if n := len(f.Blocks[0].Insts); n != 2 {
		t.Errorf("%d instructions in the first block, not 2 without debug information", n)
	}
	phi := f.Blocks[1].Insts[0]
	if phi.Op != "phi" || phi.Args[1] != f.Blocks[2].Insts[0] || phi.Blocks[0] != f.Blocks[0] || phi.Blocks[1] != f.Blocks[2] {
		t.Errorf("phi is %s", phi)
	}
	if got := phi.String(); got != `%5 = phi ptr [ null, %2 ], [ %6, %"a b" ]` {
		t.Errorf("phi prints as %s", got)
	}
	if got := names(f.Blocks[2].Succs()); !slices.Equal(got, []string{"4", `"a b"`, "4"}) {
		t.Errorf("successors of the switch: %q", got)
	}
}

// TestImplicitNumbers leaves out the numbers that LLVM prints.
func TestImplicitNumbers(t *testing.T) {
	f := mustParse(t, "define i32 @f(i32, i32) {\n add i32 %0, %1\n br label %4\n%5 = add i32 %3, %0\nret i32 %5\n}").Func("f")
	if len(f.Blocks) != 2 || f.Blocks[0].Name != "2" || f.Blocks[1].Name != "4" || f.Blocks[1].Insts[0].Args[0] != f.Blocks[0].Insts[0] {
		t.Errorf("blocks %+v", f.Blocks)
	}
}

func TestModuleErrors(t *testing.T) {
	long := "%T0 = type { i64, i64 }\n"
	for i := range 40 {
		long += strings.NewReplacer("NEW", string(rune('A'+i)), "OLD", string(rune('A'+i-1))).Replace("%xNEW = type { %xOLD, %xOLD }\n")
	}
	for text, want := range map[string]string{
		"hello":                    `line 1: "hello" is no beginning of a definition: hello`,
		"\n\ndefine void @f() {\n": `line 3: "{" without its closing bracket`,
		"define void @f()":         "line 1: a function without a body",
		"define void @f() {}":      "has no blocks",
		"define void @f() {\n%x = add i32 1, 2\n}":                              "line 3: block %0 has no terminator",
		"define void @f() {\nl:\nl:\nret void\n}":                               "block %l has no terminator",
		"define void @f() {\nl:\nret void\nl:\nret void\n}":                     "block %l is defined twice",
		"define void @f() {\nret void\n}\ndeclare void @f()":                    "function @f is defined twice",
		"define void @f(i32 %x, i32 %x) {\nret void\n}":                         "%x is defined twice",
		"define void @f(void %x) {\nret void\n}":                                "a value of type void",
		"define void @f() {\n%3 = add i32 1, 1\n%2 = add i32 1, 1\nret void\n}": "out of order",
		"%A = type { %B }\n%B = type { %A }\ndeclare %A @f()":                   "contains itself",
		"declare [99999999999 x [99999999999 x i64]] @f()":                      "too large",
		"declare i99999999999 @f()":                                             "no integer type",
		"declare " + strings.Repeat("{", 1000) + "} @f()":                       "",
		strings.Repeat("[1 x ", 1000):                                           "",
		"declare <4 x {i32}> @f()":                                              "a vector of",
		"declare void @f() #1":                                                  "attribute group #1 is not defined",
		"@g = global i32 \"":                                                    "string without its closing quote",
		"@g = global i32 \x01":                                                  "unexpected byte 0x1",
		"attributes 5 = {}":                                                     "number of an attribute group",
		"declare i32 @f(i32":                                                    "without its closing bracket",
		"declare i32 @f(i32, )":                                                 "expected a type",
		"%T = type { i32":                                                       "without its closing bracket",
		"%A = type { i32 }\n%A = type { i64 }":                                  "defined twice",
		long + "declare %xh @f()":                                               "",
	} {
		_, err := Parse(text)
		switch {
		case err == nil:
			t.Errorf("%.80q: no error", text)
		case !strings.Contains(err.Error(), want):
			t.Errorf("%.80q: the error is %q, not of %q", text, err, want)
		case len(err.Error()) > 600:
			t.Errorf("%.80q: an error of %d characters", text, len(err.Error()))
		}
	}
}
