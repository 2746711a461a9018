package codegen

import (
	"strings"
	"testing"
)

// A value that is the same for all lanes within a loop, and that they leave one after
// another, goes through an assembly; what need not does not.
func TestKeepLoopValues(t *testing.T) {
	major := skipWithoutLLVM(t)
	const loop = `
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %tid = call i32 @$tid()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %mine = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i1, %next ]
  %x = phi TYPE [ START, %0 ], [ %x1, %next ]
  %i1 = add i32 %i, 1
  BODY
  switch i32 %x32, label %next [
    i32 77, label %panic
    i32 78, label %panic
  ]
next:
  %c = icmp ult i32 %i1, LIMIT
  br i1 %c, label %loop, label %end
panic:
  unreachable
end:
  %q = getelementptr TYPE, ptr addrspace(1) %out, i32 %tid
  store TYPE %x1, ptr addrspace(1) %q
  ret void
}
`
	const (
		add    = "%x1 = add TYPE %x, 3\n  %x32 = add i32 %i, 0"
		load   = "%a = getelementptr i32, ptr addrspace(1) %in, i32 %x\n  %x1 = load i32, ptr addrspace(1) %a\n  %x32 = add i32 %x1, 0"
		first  = "%x1 = call i32 @llvm.amdgcn.readfirstlane(i32 %mine)\n  %x32 = add i32 %x1, 0"
		vector = "%x1 = insertelement TYPE %x, i8 7, i32 %i\n  %x32 = add i32 %i, 0"
		lane   = "%v = insertelement <2 x i32> zeroinitializer, i32 %x, i32 1\n  %l = extractelement <2 x i32> %v, i32 0\n  %x1 = add i32 %l, %i\n  %x32 = add i32 %i, 0"
	)
	for _, test := range []struct {
		name, typ, start, body, limit string
		copies                        int
	}{
		{"leaves at once", "i32", "1", add, "%n", 0},
		{"leaves one after another", "i32", "1", add, "%mine", 1},
		{"leaves one after another, loaded", "i32", "1", load, "%mine", 1},
		{"differs from the start", "i32", "%mine", add, "%mine", 0},
		{"differs from the start, loaded", "i32", "%mine", load, "%mine", 0},
		{"differs as far as LLVM's passes see", "i32", "%mine", lane, "%mine", b2i(major >= 20)}, // staysVector
		{"leaves by a loaded number", "i32", "1", load, "%x1", 0},
		{"64 bits", "i64", "1", add, "%mine", 1},
		{"16 bits", "i16", "1", add, "%mine", 1},
		{"7 bytes", "<7 x i8>", "zeroinitializer", vector, "%mine", 1},
		{"24 bytes", "<24 x i8>", "zeroinitializer", vector, "%mine", 6},
		{"first lane's", "i32", "1", first, "%mine", 1},
	} {
		text := strings.NewReplacer("BODY", test.body, "START", test.start, "LIMIT", test.limit).Replace(loop)
		text = strings.ReplaceAll(text, "TYPE", test.typ)
		if test.body == first && major >= 20 {
			continue // the function has another name there
		}
		if test.body == first {
			text += "declare i32 @llvm.amdgcn.readfirstlane(i32)\n"
		}
		for _, arch := range []string{"gfx90a", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			r := request(text, "k", arch)
			r.Passes = lcssa
			got, err := OptimisedIR(r)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			got, _ = keepLoopValues(got, major, false)
			if n := strings.Count(got, `asm "", "=v,0"`); n != test.copies {
				t.Errorf("%s, %s: %d copies, want %d in\n%s", test.name, arch, n, test.copies, got)
			}
			if _, err := Emit(r); err != nil {
				t.Errorf("%s, %s: %v", test.name, arch, err)
			}
		}
	}
}

// Loops are judged by where the lanes meet: a loop within a loop is left at once though its
// values come round through a phi after it, and one is left lane by lane where only some
// lanes come to a branch that is the same for all of them.
func TestKeepLoopValuesNested(t *testing.T) {
	const head = `
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  br label %outer
`
	nested := head + `
outer:
  %x = phi i32 [ 0, %0 ], [ %x2, %next ]
  br label %inner
inner:
  %y = phi i32 [ %x, %outer ], [ %y1, %inner ]
  %y1 = add i32 %y, 3
  %c = icmp ult i32 %y1, LIMIT
  br i1 %c, label %inner, label %next
next:
  %y1.lcssa = phi i32 [ %y1, %inner ]
  %x2 = mul i32 %y1.lcssa, 5
  %d = icmp ult i32 %x2, %n
  br i1 %d, label %outer, label %end
end:
  %x2.lcssa = phi i32 [ %x2, %next ]
  store i32 %x2.lcssa, ptr addrspace(1) %out
  ret void
}
`
	some := head + `
outer:
  %x = phi i32 [ 0, %0 ], [ %x1, %next ]
  %x1 = add i32 %x, 3
  %c = icmp ult i32 SOME, 7
  br i1 %c, label %inner, label %next
inner:
  %d = icmp ult i32 %x1, %n
  br i1 %d, label %next, label %end
next:
  br label %outer
end:
  %x1.lcssa = phi i32 [ %x1, %inner ]
  store i32 %x1.lcssa, ptr addrspace(1) %out
  ret void
}
`
	for _, test := range []struct {
		name, text string
		copies     int
	}{
		{"all leave both loops at once", strings.Replace(nested, "LIMIT", "%n", 1), 0},
		{"lanes part in the inner loop, and so in the outer one", strings.Replace(nested, "LIMIT", "%tid", 1), 2},
		{"all come to the branch", strings.Replace(some, "SOME", "%x", 1), 0},
		{"some lanes come to the branch", strings.Replace(some, "SOME", "%tid", 1), 1},
	} {
		got, _ := keepLoopValues(test.text, 19, false)
		if n := strings.Count(got, `asm "", "=v,0"`); n != test.copies {
			t.Errorf("%s: %d copies, want %d in\n%s", test.name, n, test.copies, got)
		}
	}
}

// TestKeepConditions has a vector of conditions that changes in a loop: it is kept before the loop's own
// comparison, wherever that stands.
func TestKeepConditions(t *testing.T) {
	const module = `
define amdgpu_kernel void @k(ptr addrspace(3) %p, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %half = and i32 %t, 8
  %from = getelementptr i8, ptr addrspace(3) %p, i32 %half
  %seen = load i8, ptr addrspace(3) %from
  %first = trunc i8 %seen to i1
  %start = insertelement <4 x i1> zeroinitializer, i1 %first, i64 0
  br label %loop
loop:
  %index = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi <4 x i1> [ %start, %entry ], [ %x, %loop ]
  %next = add i32 %index, 4
  EARLY
  %at = getelementptr i8, ptr addrspace(3) %p, i32 %index
  %loaded = load <4 x i8>, ptr addrspace(3) %at
  %b = trunc <4 x i8> %loaded to <4 x i1>
  %x = xor <4 x i1> %v, %b
  LATE
  br i1 %end, label %exit, label %loop
exit:
  %x.lcssa = phi <4 x i1> [ %x, %loop ]
  store <4 x i1> %x.lcssa, ptr addrspace(1) %out
  ret void
}
`
	for _, place := range []string{"EARLY", "LATE"} {
		text := strings.Replace(module, place, "%end = icmp eq i32 %next, 64", 1)
		text = strings.NewReplacer("  EARLY\n", "", "  LATE\n", "").Replace(text)
		kept, ok := keepLoopValues(text, 19, false)
		loop := kept[strings.Index(kept, "loop:"):strings.Index(kept, "exit:")]
		if x, asm, end := strings.Index(loop, "%x = xor"), strings.LastIndex(loop, " asm "), strings.Index(loop, "%end = "); !ok || x > asm || asm > end || strings.Count(loop, "%end") != 2 {
			t.Errorf("%s: %t\n%s", place, ok, kept)
		}
	}
}

// What differs between lanes as it is written may be the same for all where instructions are selected.
func TestSelectedUniform(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	const code = `
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @$tid()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %n = load i32, ptr addrspace(1) %p
  %nl = and i32 %n, 3
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o1, %next ]
  %a = phi i32 [ %n, %0 ], [ %x1, %next ]
  %al = and i32 %a, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %i1, %loop ]
  %x = phi i32 [ %a, %outer ], [ %x1, %loop ]
  BODY
  %x1 = xor i32 %y, %i
  %i1 = add i32 %i, 1
  %c = icmp eq i32 %i, %al
  br i1 %c, label %next, label %loop
next:
  %o1 = add i32 %o, 1
  %d = icmp eq i32 %o, %nl
  br i1 %d, label %end, label %outer
end:
  %w = zext i32 %x1 to i64
  %h = shl i64 %w, 32
  %both = or i64 %h, %w
  %q = getelementptr i64, ptr addrspace(1) %out, i32 %tid
  store i64 %both, ptr addrspace(1) %q
  ret void
}
declare <2 x i32> @llvm.fshr.v2i32(<2 x i32>, <2 x i32>, <2 x i32>)
`
	for _, test := range []struct{ name, passes, body string }{
		{"shift and mask", "default<O0>", "%s = shl i32 %x, 8\n  %z = and i32 %s, 255\n  %y = or i32 %z, 8"},
		{"byte of a shift", "default<O0>", "%s = shl i32 %x, 8\n  %b = trunc i32 %s to i8\n  %z = zext i8 %b to i32\n  %y = or i32 %z, 8"},
		{"rotation of two", "default<O3>", `%v = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x, i64 0
  %u = insertelement <2 x i32> <i32 0, i32 poison>, i32 %x, i64 1
  %f = call <2 x i32> @llvm.fshr.v2i32(<2 x i32> %v, <2 x i32> %u, <2 x i32> <i32 2, i32 0>)
  %l = extractelement <2 x i32> %f, i32 0
  %b = trunc i32 %l to i8
  %m = mul i8 %b, 85
  %z = sext i8 %m to i32
  %y = or i32 %z, 8`},
	} {
		for _, arch := range []string{"gfx906", "gfx90a", "gfx942", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			in, out := make([]uint32, threads), make([]uint64, threads)
			for i := range in {
				in[i] = uint32(i%13 + 1)
			}
			r := request(strings.Replace(code, "BODY", test.body, 1), "k", arch)
			r.Passes = test.passes
			if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
				t.Fatalf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
			}
			for i, n := range in {
				x := n
				for range n&3 + 1 {
					x = x&3 ^ 8
				}
				if want := uint64(x)<<32 | uint64(x); out[i] != want {
					t.Errorf("LLVM %d, %s, %s, thread %d: %#x, want %#x", major, arch, test.name, i, out[i], want)
					break
				}
			}
		}
	}
}
