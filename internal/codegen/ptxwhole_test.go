package codegen

import (
	"strings"
	"testing"
)

func TestWholeLoads(t *testing.T) {
	const pixel, head = "{ i8, i8, i8, i8 }", "\ndefine void @k() {\nbb:\n"
	field := func(name, typ, index string, fields string) string {
		return "  " + name + " = getelementptr inbounds " + typ + ", ptr addrspace(1) %in, i64 " + index + fields + "\n"
	}
	load := func(name, typ, ptr, align string) string {
		return "  " + name + " = load " + typ + ", ptr addrspace(1) " + ptr + ", align " + align + ", !dbg !7\n"
	}
	three := field("%p", pixel, "%i", "") + load("%r", "i8", "%p", "4") + field("%p1", pixel, "%i", ", i32 1") + load("%g", "i8", "%p1", "1") +
		"  %m = call i32 @llvm.smin.i32(i32 %x, i32 3)\n" + field("%p2", pixel, "%i", ", i32 2") + load("%b", "i8", "%p2", "2")
	body := field("%p", "{ [3 x float], i32 }", "%i", "") + load("%x", "float", "%p", "16") + field("%q", "{ [3 x float], i32 }", "%i", ", i32 0, i64 1") + load("%y", "float", "%q", "4") +
		"  %q2 = getelementptr inbounds i8, ptr addrspace(1) %p, i64 8\n" + load("%z", "float", "%q2", "8")
	vector := func(base, index string) string {
		at := func(name, i string) string {
			return "  " + name + " = getelementptr inbounds <4 x float>, ptr addrspace(1) " + base + ", i64 " + index + ", i64 " + i + ", !dbg !7\n"
		}
		return field("%p", "{ float, float, float, float }", "%i", "") + load("%x", "float", "%p", "16") + at("%q", "1") + load("%y", "float", "%q", "4") +
			at("%q2", "2") + load("%z", "float", "%q2", "8")
	}
	for _, c := range []struct {
		name, in string
		want     []string // nil: as it is
	}{
		{"bytes", three, []string{
			"%heddle.struct.1 = load <4 x i8>, ptr addrspace(1) %p, align 4, !dbg !7\n", "%r = extractelement <4 x i8> %heddle.struct.1, i64 0, !dbg !7\n",
			"%g = extractelement <4 x i8> %heddle.struct.1, i64 1, !dbg !7\n", "%b = extractelement <4 x i8> %heddle.struct.1, i64 2, !dbg !7\n"}},
		{"words", body, []string{"load <4 x float>, ptr addrspace(1) %p, align 16", "%z = extractelement <4 x float> %heddle.struct.1, i64 2"}},
		{"backwards", field("%p2", pixel, "%i", ", i32 2") + load("%b", "i8", "%p2", "2") + field("%p", pixel, "%i", "") + load("%r", "i8", "%p", "4"),
			[]string{"%heddle.struct.1.at = getelementptr i8, ptr addrspace(1) %p2, i64 -2\n", "load <4 x i8>, ptr addrspace(1) %heddle.struct.1.at, align 4"}},
		{"invariant", strings.ReplaceAll(three, "!dbg !7", "!invariant.load !4, !dbg !7"), []string{"align 4, !dbg !7, !invariant.load !4\n"}},
		{"one that is not invariant", strings.Replace(strings.ReplaceAll(three, "!dbg !7", "!invariant.load !4, !dbg !7"), "!invariant.load !4", "!range !4", 1), []string{"align 4, !dbg !7\n"}},
		{"an assembly between", strings.Replace(three, "call i32 @llvm.smin.i32(i32 %x, i32 3)", `call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)`, 1), []string{"load <4 x i8>"}},
		{"not aligned", strings.ReplaceAll(three, "align 4", "align 2"), nil},
		{"a store between", strings.Replace(three, "%m = call i32 @llvm.smin.i32(i32 %x, i32 3)", "store i8 0, ptr %x", 1), nil},
		{"a call between", strings.Replace(three, "@llvm.smin.i32", "@llvm.nvvm.barrier", 1), nil},
		{"an assembly that writes between", strings.Replace(three, "call i32 @llvm.smin.i32(i32 %x, i32 3)", `call i32 asm sideeffect "bar.sync 0;", "=r,~{memory}"()`, 1), nil},
		{"a volatile load between", strings.Replace(three, "call i32 @llvm.smin.i32(i32 %x, i32 3)", "load volatile i32, ptr %x, align 4", 1), nil},
		{"another block between", strings.Replace(three, "  %m = call i32 @llvm.smin.i32(i32 %x, i32 3)", "next:", 1), nil},
		{"another element", strings.Replace(three, "%in, i64 %i, i32 2", "%in, i64 %j, i32 2", 1), nil},
		{"all of it", three + field("%p3", pixel, "%i", ", i32 3") + load("%a", "i8", "%p3", "1"), nil},
		{"an element of three", strings.ReplaceAll(three, pixel, "{ i8, i8, i8 }"), nil},
		{"two that are near", field("%p", pixel, "%i", "") + load("%r", "i8", "%p", "4") + field("%p1", pixel, "%i", ", i32 1") + load("%g", "i8", "%p1", "1"), nil},
		{"two words", field("%p", "[4 x i32]", "%i", "") + load("%x", "i32", "%p", "16") + field("%q", "[4 x i32]", "%i", ", i64 2") + load("%y", "i32", "%q", "8"), nil},
		{"the fourth is of another type", body + field("%q3", "{ [3 x float], i32 }", "%i", ", i32 1") + load("%w", "i32", "%q3", "4"), nil},
		{"shared memory", strings.ReplaceAll(three, "addrspace(1)", "addrspace(3)"), []string{"load <4 x i8>, ptr addrspace(3) %p, align 4"}},
		{"a stack", strings.ReplaceAll(three, "addrspace(1)", "addrspace(5)"), nil},
		{"parts of a vector", vector("%p", "0"), []string{"load <4 x float>, ptr addrspace(1) %p, align 16", "%z = extractelement <4 x float> %heddle.struct.1, i64 2"}},
		{"parts of another vector", vector("%p", "1"), nil},
		{"a vector of something else", vector("%x", "0"), nil},
	} {
		in := head + c.in + "  ret void\n}\n"
		got, ok := wholeLoads(in)
		if ok != (c.want != nil) || !ok && got != in {
			t.Errorf("%s: changed is %t:\n%s", c.name, ok, got)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
	}
}

func TestLayout(t *testing.T) {
	for typ, want := range map[string][2]int{
		"i8": {1, 1}, "{ i8, i32, i8 }": {12, 4}, "[3 x { i16, i8 }]": {12, 2}, "{ i32, { i8, double }, [2 x half] }": {32, 8}, "{ ptr addrspace(1), i64, i64 }": {24, 8}, "<4 x i8>": {0, 0}, "{}": {0, 0},
	} {
		if size, align := layoutOf(typ); size != want[0] || align != want[1] {
			t.Errorf("%s has %d bytes, aligned to %d; want %v", typ, size, align, want)
		}
	}
	for fields, want := range map[string]int{"": 0, ", i32 1": 8, ", i32 1, i32 1": 16, ", i32 2, i64 1": 26, ", i32 3": -1, ", i32 0, i32 0": -1} {
		at, ok := offsetIn("{ i32, { i8, double }, [2 x half] }", fields)
		if ok != (want >= 0) || ok && at != want {
			t.Errorf("%q is at %d, %t; want %d", fields, at, ok, want)
		}
	}
}
