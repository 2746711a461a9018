package codegen

import (
	"strings"
	"testing"
)

// Memory of a known size is set and copied by the widest parts that its alignment allows.
func TestWidenMemory(t *testing.T) {
	for _, c := range []struct {
		call string
		want []string // parts of the text that come one behind the other; nil: it stays
	}{
		{"@llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(84) %x, i8 0, i64 84, i1 false), !dbg !7",
			[]string{"store <4 x i32> zeroinitializer, ptr %x, align 16, !dbg !7", "getelementptr inbounds i8, ptr %x, i64 64, !dbg !7", "store <4 x i32> zeroinitializer, ptr %heddle.memory.", "i64 80", "store i32 0, ptr %heddle.memory."}},
		{"@llvm.memset.p3.i64(ptr addrspace(3) align 4 %x, i8 0, i64 70, i1 false) #5, !dbg !7",
			[]string{"store i32 0, ptr addrspace(3) %x, align 4, !dbg !7", "i64 64", "store i32 0, ptr addrspace(3) %heddle.memory.", "i64 68", "store i16 0, ptr addrspace(3) %heddle.memory.", "align 2"}},
		{"@llvm.memcpy.p0.p3.i64(ptr align 8 %x, ptr addrspace(3) nonnull align 16 %\"a b\", i64 72, i1 false)",
			[]string{"load <2 x i32>, ptr addrspace(3) %\"a b\", align 8", "load <2 x i32>, ptr addrspace(3) %heddle.memory.", "store <2 x i32> %heddle.memory.", "ptr %x, align 8"}},
		{"@llvm.memset.p0.i64(ptr align 16 %x, i8 1, i64 84, i1 false)", nil},
		{"@llvm.memset.p0.i64(ptr align 2 %x, i8 0, i64 84, i1 false)", nil},
		{"@llvm.memset.p0.i64(ptr align 16 %x, i8 0, i64 64, i1 false)", nil},
		{"@llvm.memset.p0.i64(ptr align 16 %x, i8 0, i64 4096, i1 false)", nil},
		{"@llvm.memset.p0.i64(ptr align 16 %x, i8 0, i64 %n, i1 false)", nil},
		{"@llvm.memset.p0.i64(ptr align 16 %x, i8 0, i64 84, i1 true)", nil},
		{"@llvm.memcpy.p0.p0.i64(ptr align 16 %x, ptr align 1 %y, i64 84, i1 false)", nil},
		{"@llvm.memcpy.p0.p0.i64(ptr align 16 getelementptr (i8, ptr @g, i64 16), ptr align 16 %y, i64 84, i1 false)", nil},
	} {
		line := "  tail call void " + c.call
		got, ok := widenMemory("\n" + line + "\n  ret void\n")
		if ok != (c.want != nil) || ok == strings.Contains(got, line) || !strings.HasSuffix(got, "\n  ret void\n") {
			t.Errorf("%s: %v:\n%s", c.call, ok, got)
		}
		rest := got
		for _, w := range c.want {
			_, behind, found := strings.Cut(rest, w)
			if !found {
				t.Errorf("%s: no %q behind the others in:\n%s", c.call, w, got)
				break
			}
			rest = behind
		}
	}
}
