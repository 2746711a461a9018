package ll

import (
	"strings"
	"testing"
)

// frame is a function around one instruction, with something of each type to
// use and a block to go to.
const frame = `%%pair = type { i32, double }
@g = external global [4 x i32]
declare i32 @callee(i32, ptr, ...)
define RET @f(i1 %%c, i32 %%a, i32 %%b, i64 %%l, float %%x, float %%y, double %%d, ptr %%p,
    <4 x i32> %%v, <4 x float> %%w, { i32, double } %%s, [4 x i32] %%r) {
entry:
  INST
  TERM
next:
  br label %%next
}
attributes #3 = { nounwind "k"="v" }
!7 = !{i32 0, i32 1024}
!8 = distinct !{!8}
`

// parseOne parses one instruction within frame.
func parseOne(t *testing.T, inst string) (*Inst, error) {
	t.Helper()
	op := strings.Fields(inst)[0]
	term, ret := "unreachable", "void"
	switch {
	case op == "ret":
		ret = strings.Fields(strings.TrimPrefix(inst, "ret "))[0]
		fallthrough
	case terminators.Has(op):
		term = ""
	}
	text := strings.NewReplacer("%%", "%", "INST", inst, "TERM", term, "RET", ret).Replace(frame)
	m, err := Parse(text)
	if err != nil {
		return nil, err
	}
	b := m.Func("f").Blocks[0]
	if b.Insts[0].Block != b {
		t.Errorf("%s: Block is not the one that holds it", inst)
	}
	return b.Insts[0], nil
}

// instructions are read and printed again; the second is empty where they come
// out as they went in.
var instructions = []struct{ in, out string }{
	{"%z = add i32 %a, %b", ""},
	{"%z = add nuw nsw i32 %a, -1", ""},
	{"%z = sub nsw i32 0, %a", ""},
	{"%z = mul i64 %l, 4294967296", ""},
	{"%z = shl nuw i32 %a, 3", ""},
	{"%z = lshr exact i32 %a, 3", ""},
	{"%z = ashr i32 %a, %b", ""},
	{"%z = udiv exact i32 %a, %b", ""},
	{"%z = sdiv i32 %a, %b", ""},
	{"%z = urem i32 %a, %b", ""},
	{"%z = srem i32 %a, %b", ""},
	{"%z = and i1 %c, true", ""},
	{"%z = or disjoint i32 %a, 1", ""},
	{"%z = xor <4 x i32> %v, splat (i32 -1)", ""},
	{"%z = fadd float %x, 1.500000e+00", ""},
	{"%z = fsub nnan contract float %x, %y", ""},
	{"%z = fmul fast float %x, 0x7FF8000000000000", ""},
	{"%z = fmul float %x, f0x3F800000", ""},
	{"%z = fadd double %d, +inf", ""},
	{"%z = fadd double %d, -nan(0x1)", ""},
	{"%z = fdiv reassoc nsz arcp double %d, %d", ""},
	{"%z = frem afn ninf double %d, 2.000000e+00", ""},
	{"%z = fneg nsz float %x", ""},
	{"%z = freeze i32 %a", ""},
	{"%z = icmp ult i32 %a, %b", ""},
	{"%z = icmp samesign ult i32 %a, 8", ""},
	{"%z = icmp eq ptr %p, null", ""},
	{"%z = icmp sgt <4 x i32> %v, zeroinitializer", ""},
	{"%z = fcmp uno float %x, %y", ""},
	{"%z = fcmp nnan oeq float %x, %y", ""},
	{"%z = trunc nuw nsw i64 %l to i32", ""},
	{"%z = zext nneg i32 %a to i64", ""},
	{"%z = sext i1 %c to i8", ""},
	{"%z = fptrunc double %d to half", ""},
	{"%z = fpext fast float %x to double", ""},
	{"%z = fptoui float %x to i7", ""},
	{"%z = fptosi <4 x float> %w to <4 x i32>", ""},
	{"%z = uitofp nneg i32 %a to float", ""},
	{"%z = sitofp i32 %a to bfloat", ""},
	{"%z = ptrtoint ptr %p to i64", ""},
	{"%z = ptrtoaddr ptr %p to i64", ""},
	{"%z = inttoptr i64 %l to ptr", ""},
	{"%z = bitcast float %x to i32", ""},
	{"%z = addrspacecast ptr %p to ptr addrspace(1)", ""},
	{"%z = select i1 %c, i32 %a, i32 %b", ""},
	{"%z = select nnan i1 %c, float %x, float 0.000000e+00", ""},
	{"%z = extractvalue { i32, double } %s, 1", ""},
	{"%z = extractvalue [4 x i32] %r, 2", ""},
	{"%z = insertvalue %pair %s, i32 %a, 0", "%z = insertvalue { i32, double } %s, i32 %a, 0"},
	{"%z = insertvalue { i32, double } poison, i32 %a, 0", ""},
	{"%z = extractelement <4 x i32> %v, i64 %l", ""},
	{"%z = insertelement <4 x i32> poison, i32 %a, i64 0", ""},
	{"%z = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 poison>", ""},
	{"%z = alloca i32, align 4", ""},
	{"%z = alloca [4 x i8], i64 %l, align 16", ""},
	{"%z = alloca %pair, align 8", "%z = alloca { i32, double }, align 8"},
	{"%z = alloca i32, align 4, addrspace(5)", ""},
	{"%z = load i32, ptr %p, align 4", ""},
	{"%z = load volatile i32, ptr %p, align 4, !tbaa !7", "%z = load volatile i32, ptr %p, align 4"},
	{"%z = load atomic i32, ptr %p acquire, align 4", ""},
	{`%z = load atomic volatile i32, ptr %p syncscope("agent") monotonic, align 4`, ""},
	{"%z = load i32, ptr getelementptr inbounds ([4 x i32], ptr @g, i64 0, i64 1), align 4", ""},
	{"%z = load i32, ptr getelementptr inbounds nuw inrange(-4, 8) (%pair, ptr @g, i64 1), align 4",
		"%z = load i32, ptr getelementptr inbounds nuw inrange(-4, 8) ({ i32, double }, ptr @g, i64 1), align 4"},
	{"store i32 %a, ptr %p, align 4", ""},
	{"store <{ i32, i8 }> <{ i32 1, i8 2 }>, ptr %p, align 1", ""},
	{`store [2 x i8] c"a\22", ptr @g, align 1`, ""},
	{"store volatile ptr @g, ptr %p, align 8", ""},
	{"store atomic i32 %a, ptr %p release, align 4", ""},
	{"store i64 ptrtoint (ptr @g to i64), ptr %p, align 8", ""},
	{"store ptr blockaddress(@f, %next), ptr %p, align 8", ""},
	{"%z = getelementptr inbounds nuw i8, ptr %p, i64 %l", ""},
	{"%z = getelementptr nusw %pair, ptr %p, i64 %l, i32 1", "%z = getelementptr nusw { i32, double }, ptr %p, i64 %l, i32 1"},
	{"%z = getelementptr i8, ptr %p, <4 x i32> %v, !dbg !7", "%z = getelementptr i8, ptr %p, <4 x i32> %v"},
	{"%z = atomicrmw add ptr %p, i32 %a seq_cst, align 4", ""},
	{`%z = atomicrmw volatile fmaximum ptr %p, float %x syncscope("block") monotonic, align 4`, ""},
	{"%z = cmpxchg weak volatile ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4", ""},
	{`fence syncscope("singlethread") release`, ""},
	{"call void @callee()", ""},
	{"tail call void @callee(ptr @g) #3", `call void @callee(ptr @g) nounwind "k"="v"`},
	{"%z = musttail call nnan float @callee(float noundef %x)", "%z = call nnan float @callee(float %x)"},
	{"%z = notail call fastcc noundef i32 @callee(i32 %a)", "%z = call fastcc i32 @callee(i32 %a)"},
	{"%z = call range(i32 0, 8) i32 @callee(i32 %a) nounwind memory(none)", "%z = call i32 @callee(i32 %a) nounwind memory(none)"},
	{"%z = call i32 (i32, ptr, ...) @callee(i32 %a, ptr %p, double %d)", ""},
	{`call void @callee(ptr byval(%pair) align 8 captures(none) dereferenceable(4) "k"="v" %p, i32 range(i32 0, 5) initializes((0, 4)) 7)`,
		"call void @callee(ptr %p, i32 7)"},
	{"%z = call nofpclass(nan inf) float %p(float nofpclass(nan) %x)", "%z = call float %p(float %x)"},
	{`%z = call i32 asm sideeffect "mov $1, $0", "=r,r,~{memory}"(i32 %a) #3`,
		`%z = call i32 asm sideeffect "mov $1, $0", "=r,r,~{memory}"(i32 %a) nounwind "k"="v"`},
	{`call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ], !dbg !7`, "call void @llvm.assume(i1 true)"},
	{"call void @callee(ptr align 4294967296 null)", "call void @callee(ptr null)"}, // LLVM's greatest alignment
	{"call void @llvm.x(metadata !7, metadata i32 %a, metadata !\"s\", metadata !{i32 0, i32 1})", ""},
	{`%z = call i32 @"heddle.thread.x"()`, "%z = call i32 @heddle.thread.x()"},
	{`%z = call i32 @"f[int]"()`, ""},
	{`%"z z" = call addrspace(0) ptr inttoptr (i64 16 to ptr)()`, `%"z z" = call ptr inttoptr (i64 16 to ptr)()`},
	{"br label %next, !llvm.loop !8", "br label %next"},
	{"br i1 %c, label %next, label %entry", ""},
	{"switch i32 %a, label %next [\n    i32 -1, label %entry\n    i32 7, label %next\n  ]",
		"switch i32 %a, label %next [ i32 -1, label %entry i32 7, label %next ]"},
	{"switch i32 %a, label %next [\n  ]", "switch i32 %a, label %next [ ]"},
	{"ret void", ""},
	{"ret i32 %a", ""},
	{"unreachable", ""},
}

func TestInstructions(t *testing.T) {
	seen := map[string]bool{"phi": true} // in TestPhi
	for _, test := range instructions {
		i, err := parseOne(t, test.in)
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		seen[i.Op] = true
		if got := i.String(); got != orElse(test.out, test.in) {
			t.Errorf("%s\n reads as %s\n not as %s", test.in, got, orElse(test.out, test.in))
		}
	}
	for op := range opcodes.Get() {
		if !seen[op] {
			t.Errorf("no test of %s", op)
		}
	}
}

// TestFields looks at what String does not show.
func TestFields(t *testing.T) {
	for inst, good := range map[string]func(i *Inst) bool{
		"%z = icmp slt <4 x i32> %v, %v":          func(i *Inst) bool { return i.Typ.Text == "<4 x i1>" && i.Pred == "slt" },
		"%z = extractvalue %pair %s, 1":           func(i *Inst) bool { return i.Typ.Text == "double" && i.Index[0] == 1 },
		"%z = extractelement <4 x i32> %v, i32 1": func(i *Inst) bool { return i.Typ.Text == "i32" },
		"%z = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> zeroinitializer": func(i *Inst) bool {
			return i.Typ.Text == "<2 x i32>" && i.Typ.Len == 2
		},
		"%z = getelementptr i8, ptr %p, <4 x i32> %v": func(i *Inst) bool {
			return i.Typ.Text == "<4 x ptr>" && i.Elem.Bits == 8 && len(i.Args) == 2
		},
		`%z = cmpxchg volatile ptr %p, i32 %a, i32 %b syncscope("agent") acq_rel monotonic, align 4`: func(i *Inst) bool {
			return i.Typ.Text == "{ i32, i1 }" && i.Ordering == "acq_rel monotonic" && i.Scope == "agent" &&
				i.Align == 4 && i.Volatile && i.Flags == ""
		},
		"%z = load atomic i32, ptr %p unordered, align 4": func(i *Inst) bool {
			return i.Ordering == "unordered" && !i.Volatile && i.Flags == "" && i.Align == 4
		},
		"%z = alloca i32, i64 %l": func(i *Inst) bool { return i.Typ.Kind == Ptr && i.Elem.Bits == 32 && len(i.Args) == 1 },
		"%z = add nuw nsw i32 %a, 1": func(i *Inst) bool {
			_, param := i.Args[0].(*Param)
			_, constant := i.Args[1].(*Const)
			return i.Has("nsw") && i.Has("nuw") && !i.Has("exact") && param && constant
		},
		"%z = load i32, ptr %p, align 4, !range !7, !noundef !9": func(i *Inst) bool { return i.Range == [2]int64{0, 1024} },
		"%z = load i32, ptr %p, !range !{i32 1, i32 2, i32 5, i32 9}": func(i *Inst) bool {
			return i.Range == [2]int64{1, 9}
		},
		"%z = call range(i32 0, -2147483648) i32 @callee()": func(i *Inst) bool { return i.Range == [2]int64{0, 1 << 31} },
		"%z = call range(i32 1, 0) i32 @callee()":           func(i *Inst) bool { return i.Range == [2]int64{} },
		"%z = call noundef range(i64 -4, 5) i64 @callee()":  func(i *Inst) bool { return i.Range == [2]int64{-4, 5} },
		"%z = call i32 (i32, ...) %p(i32 1)": func(i *Inst) bool {
			return i.Callee == "" && len(i.Args) == 2 && i.FnType == "i32 (i32, ...)" && i.Args[0].Ident() == "%p"
		},
		`call void asm "nop", ""()`: func(i *Inst) bool {
			return i.Callee == "" && i.Args[0].Ident() == `asm "nop", ""` && i.Typ.Kind == Void && i.Name == ""
		},
		"%z = call fastcc i32 @callee()": func(i *Inst) bool { return i.Conv == "fastcc" && i.Callee == "callee" },
		"%z = call cc 10 i32 @callee()":  func(i *Inst) bool { return i.Conv == "cc 10" },
		"br label %next, !llvm.loop !8":  func(i *Inst) bool { return i.Loop == "!8" && len(i.Args) == 0 },
		"br i1 %c, label %next, label %entry": func(i *Inst) bool {
			return i.Blocks[0].Name == "next" && i.Blocks[1].Name == "entry" && i.Blocks[1] == i.Block
		},
		"add i32 %a, %b": func(i *Inst) bool { return i.Name == "0" },
	} {
		i, err := parseOne(t, inst)
		if err != nil {
			t.Errorf("%s: %v", inst, err)
		} else if !good(i) {
			t.Errorf("%s reads as %+v", inst, *i)
		}
	}
}

func TestInstructionErrors(t *testing.T) {
	for inst, want := range map[string]string{
		"%z = frobnicate i32 %a":                                      `unknown instruction "frobnicate"`,
		"%z = va_arg ptr %p, i32":                                     `unknown instruction "va_arg"`,
		"%z = add i32 %a, %l":                                         "%l is of type i64, used as i32",
		"%z = add i32 %a, %nowhere":                                   "%nowhere is not defined",
		"%z = add i32 %a":                                             `expected ","`,
		"%z = add i32 %a, %b, %c":                                     `unexpected ","`,
		"%z = add i32 %a, nounwind":                                   "expected a value of type i32",
		"%z = add exact i32 %a, %b":                                   `expected a type, found "exact"`,
		"%z = add i32* %p, %p":                                        "typed pointer",
		"%z = icmp less i32 %a, %b":                                   `unknown predicate "less"`,
		"%z = load i32, i32 %a":                                       "expected a pointer",
		"%z = load atomic i32, ptr %p":                                `unknown memory ordering`,
		"%z = atomicrmw swap ptr %p, i32 1 seq_cst":                   `unknown atomic operation "swap"`,
		"%z = extractvalue %pair %s, 2":                               "no element 2",
		"%z = extractvalue %nil %s, 2":                                "type %nil is not defined",
		"%z = extractelement i32 %a, i32 0":                           "no vector",
		"%z = load <vscale x 4 x i32>, ptr %p":                        "scalable",
		"%a = add i32 %a, 1":                                          "%a is defined twice",
		"%z = store i32 1, ptr %p":                                    "store has no result",
		"br label %nowhere":                                           "block %nowhere is not defined",
		"br label 5":                                                  "expected a block",
		"ret i32 %l":                                                  "%l is of type i64",
		"%z = call i32 @callee(i32 %a":                                "\"(\" without its closing bracket",
		"call void @callee() #99":                                     "attribute group #99 is not defined",
		"%z = invoke i32 @callee() to label %next unwind label %next": "unknown instruction",
	} {
		_, err := parseOne(t, inst)
		switch {
		case err == nil:
			t.Errorf("%s: no error", inst)
		case !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line "):
			t.Errorf("%s: the error is %q, not of %q", inst, err, want)
		}
	}
}
