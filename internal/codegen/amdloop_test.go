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
			got, _ = keepLoopValues(got, major)
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
		got, _ := keepLoopValues(test.text, 19)
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
		kept, ok := keepLoopValues(text, 19)
		loop := kept[strings.Index(kept, "loop:"):strings.Index(kept, "exit:")]
		if x, asm, end := strings.Index(loop, "%x = xor"), strings.LastIndex(loop, " asm "), strings.Index(loop, "%end = "); !ok || x > asm || asm > end || strings.Count(loop, "%end") != 2 {
			t.Errorf("%s: %t\n%s", place, ok, kept)
		}
	}
}
