package codegen

import (
	"regexp"
	"strings"
	"testing"
)

// flatCases are branches and whether they become choices on AMD's and NVIDIA's GPUs.
var flatCases = []struct {
	name, body  string
	amd, nvidia bool
}{
	{"a triangle of two instructions", `
  br i1 %c, label %then, label %join
then:
  %a = fadd float %x, 1.0
  %b = fmul float %a, %x
  br label %join
join:
  %v = phi float [ %b, %then ], [ %x, %entry ]`, true, true},
	{"a switch within a branch", `
  br i1 %c, label %join, label %else
else:
  switch i8 %h, label %join [
    i8 12, label %then
    i8 14, label %then
    i8 3, label %last
  ]
then:
  %n = fneg float %x
  br label %join
last:
  br label %join
join:
  %v = phi float [ %y, %entry ], [ %x, %else ], [ %n, %then ], [ 0.0, %last ]`, true, true},
	{"between neighbours", `
  br i1 %c, label %then, label %join
then:
  %n = fneg float %x
  %m = fsub float 2.0, %n
  %s = fadd float %m, %y
  %t = fmul float %s, %m
  %u = fadd float %t, %n
  %q = fmul float %u, %s
  br label %join
join:
  %v = phi float [ %q, %then ], [ %x, %entry ]
  %second = getelementptr inbounds i8, ptr addrspace(1) %p, i64 4
  store float %y, ptr addrspace(1) %second, align 4`, false, true},
	{"behind which others come", `
  br i1 %c, label %then, label %loop
then:
  %n = fneg float %x
  %m = fsub float 2.0, %n
  br label %loop
loop:
  %v = phi float [ %m, %then ], [ %x, %entry ], [ %w, %loop ]
  %w = fadd float %v, 1.0
  %more = fcmp olt float %w, %y
  br i1 %more, label %loop, label %out
out:`, false, false},
	{"on the way to a panic", `
  br i1 %c, label %fail, label %out
fail:
  %small = fcmp olt float %x, 0.0
  br i1 %small, label %more, label %report
more:
  %n = fadd float %x, %y
  %m = fmul float %n, %y
  br label %report
report:
  %told = phi float [ %x, %fail ], [ %m, %more ]
  store float %told, ptr addrspace(1) %o, align 4
  unreachable
out:
  %v = fadd float %x, %y`, false, false},
	{"a division", `
  br i1 %c, label %then, label %join
then:
  %a = fdiv float %x, %y
  %b = fadd float %a, %x
  br label %join
join:
  %v = phi float [ %b, %then ], [ %x, %entry ]`, false, false},
	{"a load", `
  br i1 %c, label %then, label %join
then:
  %a = load float, ptr addrspace(1) %o, align 4
  %b = fadd float %a, %x
  br label %join
join:
  %v = phi float [ %b, %then ], [ %x, %entry ]`, false, false},
	{"two conditions", bothBody("%x", ""), true, true},
	{"two conditions, the second one longer", bothBody("%x", "  %e = fcmp une float %m, %x\n  %k = and i1 %d, %e\n"), true, false},
	{"poison", `
  br i1 poison, label %then, label %join
then:
  %n = fneg float %x
  br label %join
join:
  %v = phi float [ %n, %then ], [ %x, %entry ]`, false, false},
	{"two conditions, of which one is known", strings.Replace(bothBody("%x", ""), "i1 %d,", "i1 false,", 1), false, false},
	{"two conditions, the first one poison", strings.Replace(bothBody("%x", ""), "i1 %c,", "i1 poison,", 1), false, false},
	{"two conditions that lead to two values", bothBody("%y", ""), false, false},
	{"a branch within, on a constant", `
  br i1 %c, label %then, label %join
then:
  %n = fneg float %x
  br i1 poison, label %join, label %more
more:
  %m = fneg float %y
  br label %join
join:
  %v = phi float [ %n, %then ], [ %m, %more ], [ %x, %entry ]`, false, false},
	{"much", `
  br i1 %c, label %then, label %join
then:
  %a = fadd float %x, 1.0
  %b = fmul float %a, %x
  %d = fmul float %b, %a
  %e = fmul float %d, %b
  %f = fmul float %e, %d
  %g = fmul float %f, %e
  br label %join
join:
  %v = phi float [ %g, %then ], [ %x, %entry ]`, false, false},
}

// bothBody asks for a second condition where a first one does not hold, with more behind it. Where the second one holds, v is other.
func bothBody(other, more string) string {
	return `
  br i1 %c, label %other, label %second
second:
  %n = fadd float %x, 1.0
  %m = fmul float %n, %y
  %d = fcmp olt float %m, %y
` + more + `  br i1 %d, label %other, label %then
then:
  store volatile float %m, ptr addrspace(1) %p, align 4
  br label %other
other:
  %v = phi float [ %x, %entry ], [ ` + other + `, %second ], [ %m, %then ]`
}

// One branch asks for both conditions, and what follows knows it as the first one.
func TestFlatBoth(t *testing.T) {
	flat, ok := flattenBranches("\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c, float %y) {\nentry:\n  %x = load float, ptr addrspace(1) %p, align 4"+
		bothBody("%x", "")+"\n  store float %v, ptr addrspace(1) %p, align 4\n  ret void\n}\n", &flatAMD)
	for _, want := range []string{
		"%heddle.flat.1 = xor i1 %c, true", "%heddle.flat.2 = xor i1 %d, true",
		"%heddle.flat.3 = select i1 %heddle.flat.1, i1 %heddle.flat.2, i1 false",
		"br i1 %heddle.flat.3, label %then, label %other", "%v = phi float [ %x, %entry ], [ %m, %then ]",
	} {
		if !ok || !strings.Contains(flat, want) {
			t.Errorf("not there: %s\n%s", want, flat)
		}
	}
}

// Which branches become choices, and that LLVM takes what comes of it.
func TestFlatten(t *testing.T) {
	skipWithoutLLVM(t)
	for _, c := range flatCases {
		t.Run(c.name, func(t *testing.T) {
			text := "\ndefine KERNEL void @k(ptr addrspace(1) %p, ptr addrspace(1) %o, i1 %c, i8 %h, float %y) {\nentry:\n" +
				"  %x = load float, ptr addrspace(1) %p, align 4" + c.body + "\n  store float %v, ptr addrspace(1) %p, align 4\n  ret void\n}\n"
			for arch, want := range map[string]bool{"gfx942": c.amd, "sm_90": c.nvidia} {
				how, conv := &flatNVIDIA, "ptx_kernel"
				if arch == "gfx942" {
					how, conv = &flatAMD, "amdgpu_kernel"
				}
				flat, ok := flattenBranches(strings.Replace(text, "KERNEL", conv, 1), how)
				if ok != want {
					t.Errorf("%s: choices: %v, want %v\n%s", arch, ok, want, flat)
				}
				if strings.Contains(flat, " switch ") && want {
					t.Errorf("%s: a switch is left\n%s", arch, flat)
				}
				if _, err := Assembly(request(strings.Replace(flat, conv, "KERNEL", 1), "k", arch)); err != nil {
					t.Errorf("%s: %v\n%s", arch, err, flat)
				}
			}
		})
	}
}

// A branch that compares floats, to where another one leads, too, becomes choices, but of bits, of many values, and where an arm loads.
func TestFlatEdges(t *testing.T) {
	skipWithoutLLVM(t)
	const last = "br i1 %d, label %arm, label %join\narm:\n  ARM\n  br label %join\njoin:\n"
	for _, c := range []struct{ name, arm, join, want string }{
		{"two values", "", "%v = phi float [ %x, %entry ], [ %y, %arm ], [ %x, %far ]\n  %w = phi i32 [ 0, %entry ], [ 1, %arm ], [ 2, %far ]", "%v = phi float [ %x, %entry ], [ %heddle.flat.1, %far ]"},
		{"the second", "", "%v = phi float [ %x, %entry ], [ %y, %arm ], [ %x, %far ]\n  %w = phi i32 [ 0, %entry ], [ 1, %arm ], [ 2, %far ]", "%heddle.flat.2 = select i1 %d, i32 1, i32 2"},
		{"an instruction", "%m = fneg float %y", "%v = phi float [ %x, %entry ], [ %m, %arm ], [ %x, %far ]", "select i1 %d, float %m, float %x"},
		{"one that stays", "", "%v = phi float [ %x, %entry ], [ %y, %arm ], [ %x, %far ]\n  %w = phi i32 [ 0, %entry ], [ 1, %arm ], [ 1, %far ]", "%w = phi i32 [ 0, %entry ], [ 1, %far ]"},
		{"a bit", "", "%v = phi float [ %x, %entry ], [ %y, %arm ], [ %x, %far ]\n  %w = phi i1 [ 0, %entry ], [ 1, %arm ], [ 0, %far ]", ""},
		{"a load", "%m = load float, ptr addrspace(1) %o, align 4", "%v = phi float [ %x, %entry ], [ %m, %arm ], [ %x, %far ]", ""},
		{"many values", "%m = fneg float %y\n  %n = fadd float %m, %y\n  %q = fadd float %n, %y", "%v = phi float [ %x, %entry ], [ %q, %arm ], [ %x, %far ]", ""},
	} {
		text := "\ndefine ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %o, i1 %c, float %y) {\nentry:\n  %x = load float, ptr addrspace(1) %p, align 4\n" +
			"  br i1 %c, label %join, label %far\nfar:\n  store float %y, ptr addrspace(1) %p, align 4\n  %d = fcmp ogt float %x, %y\n  " + strings.Replace(last, "ARM", c.arm, 1) + "  " + c.join +
			"\n  store float %v, ptr addrspace(1) %p, align 4\n  ret void\n}\n"
		flat, ok := flattenBranches(text, &flatNVIDIA)
		if ok != (c.want != "") || !strings.Contains(flat, c.want) {
			t.Errorf("%s: choices: %v, want %q\n%s", c.name, ok, c.want, flat)
		}
		if _, err := Assembly(request(strings.Replace(flat, "ptx_kernel", "KERNEL", 1), "k", "sm_90")); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, flat)
		}
	}
}

// Each way of a branch, and of a switch in it, leads to the value that it led to before.
func TestFlatValues(t *testing.T) {
	body := "\ndefine amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c, i8 %h, float %y) {\nentry:\n  %x = load float, ptr addrspace(1) %p, align 4" +
		flatCases[1].body + "\n  store float %v, ptr addrspace(1) %p, align 4\n  ret void\n}\n"
	flat, ok := flattenBranches(body, &flatAMD)
	if !ok {
		t.Fatal("no choices")
	}
	line := regexp.MustCompile(`(%\S+) = (select i1|icmp eq i8|or i1|phi float|fneg float) (.*)`)
	for _, c := range []struct {
		c, h, want string
	}{{"true", "12", "%y"}, {"true", "7", "%y"}, {"false", "12", "%n"}, {"false", "14", "%n"}, {"false", "3", "0.0"}, {"false", "4", "%x"}} {
		env := map[string]string{"%c": c.c}
		value := func(s string) string {
			f := strings.Fields(strings.TrimSpace(s))
			last := f[len(f)-1]
			if v, ok := env[last]; ok {
				return v
			}
			return last
		}
		for _, m := range line.FindAllStringSubmatch(flat, -1) {
			args := strings.Split(m[3], ",")
			switch m[2] {
			case "icmp eq i8":
				env[m[1]] = map[bool]string{true: "true", false: "false"}[value(args[1]) == c.h]
			case "or i1":
				env[m[1]] = map[bool]string{true: "true", false: "false"}[value(args[0]) == "true" || value(args[1]) == "true"]
			case "select i1":
				env[m[1]] = map[bool]string{true: value(args[1]), false: value(args[2])}[value(args[0]) == "true"]
			case "phi float":
				env[m[1]] = value(strings.TrimPrefix(strings.TrimSpace(args[0]), "["))
			}
		}
		if env["%v"] != c.want {
			t.Errorf("c %s, h %s: %s, want %s\n%s", c.c, c.h, env["%v"], c.want, flat)
		}
	}
}
