package codegen

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestMemsetLoops says which calls of memset become loops.
func TestMemsetLoops(t *testing.T) {
	for _, c := range []struct {
		call, want string // "": it stays
	}{
		{"@llvm.memset.p5.i64(ptr addrspace(5) noundef align 16 dereferenceable(32768) %i, i8 0, i64 32768, i1 false), !dbg !9", "@heddle.memset.p5.16(ptr addrspace(5) %i, i64 32768), !dbg !9"},
		{"@llvm.memset.p0.i64(ptr align 4 %\"a b\", i8 0, i64 %n, i1 false) #3", "@heddle.memset.p0.4(ptr %\"a b\", i64 %n)"},
		{"@llvm.memset.p1.i64(ptr addrspace(1) align 64 %5, i8 0, i64 %6, i1 false)", "@heddle.memset.p1.16(ptr addrspace(1) %5, i64 %6)"},
		{"@llvm.memset.p5.i64(ptr addrspace(5) align 16 %i, i8 0, i64 1024, i1 false)", ""},
		{"@llvm.memset.p5.i64(ptr addrspace(5) align 2 %i, i8 0, i64 %n, i1 false)", ""},
		{"@llvm.memset.p5.i64(ptr addrspace(5) %i, i8 0, i64 %n, i1 false)", ""},
		{"@llvm.memset.p5.i64(ptr addrspace(5) align 16 %i, i8 1, i64 %n, i1 false)", ""},
		{"@llvm.memset.p5.i64(ptr addrspace(5) align 16 %i, i8 0, i64 %n, i1 true)", ""},
	} {
		line := "  tail call void " + c.call + "\n"
		got, ok := memsetLoops(line, amdMemset)
		if c.want == "" && (ok || got != line) || c.want != "" && (!ok || !strings.HasPrefix(got, "  call void "+c.want+"\n")) {
			t.Errorf("%s: %v:\n%s", c.call, ok, got)
		}
	}
}

// A kernel that sets as many bytes as it is told, and a local array that is large.
const memsetIR = `
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memset.p5.i64(ptr addrspace(5), i8, i64, i1)
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %local = alloca [4100 x i8], align 16, addrspace(5)
  call void @llvm.memset.p5.i64(ptr addrspace(5) align 16 %local, i8 0, i64 4100, i1 false)
  %n = load i64, ptr addrspace(1) %in
  %at = getelementptr i8, ptr addrspace(1) %out, i64 4
  call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %at, i8 0, i64 %n, i1 false)
  %p = getelementptr i8, ptr addrspace(5) %local, i64 %n
  %v = load volatile i8, ptr addrspace(5) %p
  store i8 %v, ptr addrspace(1) %out
  ret void
}`

// Memory is set by wide stores, and no further than it should be.
func TestMemset(t *testing.T) {
	skipWithoutLLVM(t)
	for arch, local := range map[string]string{"gfx942": "scratch_store_dwordx4", "gfx1100": "scratch_store_b128", "gfx1030": `buffer_store_dword\b`} { // GFX10 has no wider
		r := request(memsetIR, "k", arch)
		text, err := Assembly(r)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(local).MatchString(text) || !regexp.MustCompile(`global_store_(dwordx4|b128)`).MatchString(text) {
			t.Errorf("%s: no wide stores:\n%s", arch, text)
		}
		run, err := loadEmulated(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 3, 4, 63, 64, 65, 70, 128, 199, 200} {
			in, out := make([]byte, 8), bytes.Repeat([]byte{7}, 256)
			binary.LittleEndian.PutUint64(in, uint64(n))
			if _, err := run(in, out, 1); err != nil {
				t.Fatal(err)
			}
			want := append([]byte{0, 7, 7, 7}, make([]byte, n)...)
			want = append(want, bytes.Repeat([]byte{7}, 256-len(want))...)
			if !bytes.Equal(out, want) {
				t.Errorf("%s, %d bytes: %s", arch, n, fmt.Sprint(out))
			}
		}
	}
}

// NVIDIA's have wide stores, too.
func TestMemsetNVIDIA(t *testing.T) {
	skipWithoutLLVM(t)
	text := strings.NewReplacer("p5", "p0", "alloca [4100 x i8], align 16, addrspace(5)", "alloca [4100 x i8], align 16", "ptr addrspace(5)", "ptr").Replace(memsetIR)
	got, err := Assembly(request(text, "k", "sm_80"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`st\.local\.v4\.[bu]32`).MatchString(got) {
		t.Errorf("no wide stores:\n%s", got)
	}
}
