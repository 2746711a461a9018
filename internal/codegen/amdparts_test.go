package codegen

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// partsHead begins a kernel k that fills out before it loads what is the same for all
// threads, so that LLVM loads it like what differs: %u is that, %d and %e differ, and %far
// decides to leave the first block.
const partsHead = `
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @$tid()
  %i = zext i32 %tid to i64
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  store i64 5, ptr addrspace(1) %p
  %pn = getelementptr i64, ptr addrspace(1) %in, i64 2
  %w = load volatile i64, ptr addrspace(1) %in
  %u = icmp eq i64 %w, 7
  %n = load i64, ptr addrspace(1) %pn
  %pd = getelementptr i64, ptr addrspace(1) %in, i64 %i
  %x = load i64, ptr addrspace(1) %pd
  %odd = and i64 %x, 1
  %d = icmp eq i64 %odd, 1
  %e = icmp ugt i64 %x, 20
  %far = icmp eq i64 %n, 9
`

// partsTests are ends of such a kernel, and what each thread stores, by its number x in in.
var partsTests = []struct {
	name, end string
	want      func(x uint64) uint64
}{
	{"two conditions", `
  %ab = insertvalue { i1, i1 } poison, i1 %e, 0
  %pair = insertvalue { i1, i1 } %ab, i1 %u, 1
  %both = select i1 %d, { i1, i1 } zeroinitializer, { i1, i1 } %pair
  br i1 %far, label %then, label %end
then:
  %v = extractvalue { i1, i1 } %both, 0
  %z = zext i1 %v to i64
  store i64 %z, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return uint64(b2i(x&1 == 0 && x > 20)) }},
	{"an array in a structure", `
  %a0 = insertvalue { i64, [3 x i1] } poison, i64 %x, 0
  %a1 = insertvalue { i64, [3 x i1] } %a0, i1 %u, 1, 0
  %a2 = insertvalue { i64, [3 x i1] } %a1, i1 %e, 1, 1
  %a3 = insertvalue { i64, [3 x i1] } %a2, i1 %u, 1, 2
  %all = select i1 %d, { i64, [3 x i1] } { i64 3, [3 x i1] [i1 false, i1 true, i1 false] }, { i64, [3 x i1] } %a3
  br i1 %far, label %then, label %end
then:
  %v = extractvalue { i64, [3 x i1] } %all, 1, 1
  %n1 = extractvalue { i64, [3 x i1] } %all, 0
  %z = zext i1 %v to i64
  %s = add i64 %z, %n1
  store i64 %s, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 {
		if x&1 == 1 {
			return 4
		}
		return x + uint64(b2i(x > 20))
	}},
	{"a loop", `
  br i1 %far, label %loop, label %end
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %pair = phi { i64, i1 } [ { i64 100, i1 true }, %entry ], [ %next, %loop ]
  %c = extractvalue { i64, i1 } %pair, 0
  %c1 = add i64 %c, %k
  %uk = icmp eq i64 %w, %k
  %p0 = insertvalue { i64, i1 } poison, i64 %c1, 0
  %p1 = insertvalue { i64, i1 } %p0, i1 %uk, 1
  %next = select i1 %d, { i64, i1 } %p1, { i64, i1 } %pair
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %x
  br i1 %more, label %loop, label %then
then:
  %v = extractvalue { i64, i1 } %next, 0
  store i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return 100 + x&1*(x*(max(x, 1)-1)/2) }},
	{"a phi alone at a loop's end", `
  br i1 %far, label %loop, label %end
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %latch ]
  %pair = phi { i64, i1 } [ { i64 100, i1 true }, %entry ], [ %next, %latch ]
  %c = extractvalue { i64, i1 } %pair, 0
  %c1 = add i64 %c, %k
  %uk = icmp eq i64 %w, %k
  %p0 = insertvalue { i64, i1 } poison, i64 %c1, 0
  %p1 = insertvalue { i64, i1 } %p0, i1 %uk, 1
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %x
  br i1 %d, label %latch, label %other
other:
  store i64 6, ptr addrspace(1) %p
  br label %latch
latch:
  %next = phi { i64, i1 } [ %p1, %loop ], [ %pair, %other ]
  br i1 %more, label %loop, label %then
then:
  %v = extractvalue { i64, i1 } %next, 0
  store i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return 100 + x&1*(x*(max(x, 1)-1)/2) }},
	{"an array taken out of a structure", `
  %both = insertvalue [2 x i1] [i1 true, i1 poison], i1 %u, 1
  %a1 = insertvalue { [2 x i1], i64, [1 x [1 x i64]] } poison, [2 x i1] %both, 0
  %a2 = insertvalue { [2 x i1], i64, [1 x [1 x i64]] } %a1, i64 %x, 2, 0, 0
  %all = select i1 %d, { [2 x i1], i64, [1 x [1 x i64]] } zeroinitializer, { [2 x i1], i64, [1 x [1 x i64]] } %a2
  br i1 %far, label %then, label %end
then:
  %v0 = extractvalue { [2 x i1], i64, [1 x [1 x i64]] } %all, 2
  %v1 = extractvalue [1 x [1 x i64]] %v0, 0
  %v = extractvalue [1 x i64] %v1, 0
  store i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return x * uint64(b2i(x&1 == 0)) }},
	{"a phi of what holds an array", `
  %s = and i1 %d, %u
  %both = insertvalue [2 x i1] [i1 true, i1 poison], i1 %s, 1
  %a0 = insertvalue { [2 x i1], [2 x i64] } poison, [2 x i1] %both, 0
  %n1 = insertvalue [2 x i64] poison, i64 %x, 1
  %all = insertvalue { [2 x i1], [2 x i64] } %a0, [2 x i64] %n1, 1
  br i1 %far, label %then, label %end
then:
  br i1 %e, label %more, label %last
more:
  store i64 6, ptr addrspace(1) %p
  br label %last
last:
  %phi = phi { [2 x i1], [2 x i64] } [ %all, %more ], [ zeroinitializer, %then ]
  %v0 = extractvalue { [2 x i1], [2 x i64] } %phi, 1
  %v = extractvalue [2 x i64] %v0, 1
  store i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return x * uint64(b2i(x > 20)) }},
	{"no choice", `
  %s = and i1 %d, %u
  %both = insertvalue [2 x i1] [i1 true, i1 poison], i1 %s, 1
  %a0 = insertvalue { [2 x i1], i64 } poison, [2 x i1] %both, 0
  %all = insertvalue { [2 x i1], i64 } %a0, i64 %x, 1
  br i1 %far, label %then, label %end
then:
  %v = extractvalue { [2 x i1], i64 } %all, 1
  store i64 %v, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return x }},
	{"a condition that nobody uses", `
  %s = xor i1 %d, %u
  br i1 %far, label %then, label %end
then:
  %z = zext i1 %s to i64
  store i64 %x, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
`, func(x uint64) uint64 { return x }},
}

// Conditions of an array or a structure of which a later block uses some, and those of which
// nobody uses any, do not end the process (LLVM 19's SIFixSGPRCopies), and are right. The
// whole runs in a process of its own.
func TestParts(t *testing.T) {
	major := skipWithoutLLVM(t)
	if os.Getenv(envChild) == "" {
		t.Run("child", func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestParts$", "-test.timeout=2m")
			cmd.Env = append(os.Environ(), envChild+"=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				text, _, _ := strings.Cut(string(out), "\n\n")
				t.Errorf("%v\n%s", err, text)
			}
		})
		return
	}
	const threads = 64
	in := make([]uint64, threads)
	for i := range in {
		in[i] = uint64(7 + i%40)
	}
	in[2] = 9
	for _, test := range partsTests {
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"} {
			for _, level := range []int{0, 1, 3} {
				if !cpus.Get()[arch].has(major) {
					continue
				}
				fmt.Fprintln(os.Stderr, test.name, arch, level) // the last line tells who ended the process
				r := request(partsHead+test.end, "k", arch)
				r.Passes = fmt.Sprintf("default<O%d>", level)
				out := make([]uint64, threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Errorf("%s, O%d: %v", test.name, level, err)
					continue
				}
				for i, x := range in {
					if want := test.want(x); out[i] != want {
						t.Errorf("%s, %s, O%d, thread %d: %d, want %d", test.name, arch, level, i, out[i], want)
						break
					}
				}
			}
		}
	}
}

// What is taken apart is put together before it is used: simplifying does not see to that always.
func TestPartsOrder(t *testing.T) {
	names := regexp.MustCompile(`%[\w.]+`)
	for _, test := range partsTests {
		lines := strings.Split(takeApart(partsHead+test.end), "\n") // each block stands behind those that lead to it; only phis use what comes later
		at := map[string]int{}
		for n, line := range lines {
			if name, _, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
				at[name] = n
			}
		}
		for n, line := range lines {
			_, text, ok := strings.Cut(line, " = ")
			if !ok || strings.HasPrefix(text, "phi ") {
				continue
			}
			for _, name := range names.FindAllString(text, -1) {
				if at[name] >= n {
					t.Errorf("%s: %s uses %s before it is there", test.name, strings.TrimSpace(line), name)
				}
			}
		}
	}
}

// A function that nothing calls is no reason to crash at O0: a kernel's panics, if all its checks are constant.
func TestUncalled(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, arch := range []string{"gfx90a", "gfx1201"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		r := request(inputsHead+"  store i64 %a, ptr addrspace(1) %out\n  ret void\n}\n\ndefine internal void @uncalled(i64 %x) noinline {\n  %y = inttoptr i64 %x to ptr addrspace(1)\n  store i64 %x, ptr addrspace(1) %y\n  ret void\n}\n", "k", arch)
		r.Passes = "default<O0>"
		if _, err := Emit(r); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
