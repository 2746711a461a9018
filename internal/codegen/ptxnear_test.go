package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// What is further than an address before it is made of that, and nothing else is.
func TestNearAddresses(t *testing.T) {
	skipWithoutLLVM(t)
	const element = "getelementptr float, ptr addrspace(1) %p, i64 "
	for _, c := range []struct{ name, body, want string }{
		{"a sum", `
  %i = add nuw i32 %a, %b
  %j = add nuw i32 %i, 5`, "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{"bits that are not set", `
  %k = shl i32 %a, 3
  %i = add nuw i32 %k, %b
  %l = or i32 %k, 5
  %j = add nuw i32 %l, %b`, "getelementptr float, ptr addrspace(1) %at.i, i64 5"},
		{"bits that may be set", `
  %k = shl i32 %a, 2
  %i = add nuw i32 %k, %b
  %l = or i32 %k, 5
  %j = add nuw i32 %l, %b`, ""},
		{"a row", `
  %i = mul nuw i32 %a, %b
  %l = add nuw i32 %a, 2
  %j = mul nuw i32 %l, %b`, "mul nuw nsw i64 %heddle.step.2.one, 2"},
		{"twice as much", `
  %i = add nuw nsw i32 %a, %b
  %j = shl nuw nsw i32 %i, 1`, ""},
		{"nearer", `
  %i = add nuw i32 %a, 5
  %j = add nuw i32 %a, %zero`, ""},
		{"before", `
  %i = add nuw i32 %a, 5
  %j = add nuw i32 %a, 3`, ""},
		{"what may wrap around", `
  %i = add nuw i32 %a, %b
  %j = add i32 %i, 5`, ""},
		{"what wraps around with its sign", `
  %i = add nuw i32 %a, %b
  %j = add nsw i32 %i, 5`, ""},
		{"the same", `
  %i = add nuw i32 %a, %b
  %j = add nuw i32 %b, %a`, "getelementptr float, ptr addrspace(1) %at.i, i64 0"},
		{"a product of products", `
  %i = mul nuw i32 %a, %b
  %l = add nuw i32 %b, 1
  %j = mul nuw i32 %l, %i`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "\ndefine ptx_kernel void @k(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %zero) {\nentry:" + c.body + `
  %wide.i = zext i32 %i to i64
  %at.i = ` + element + `%wide.i
  %x = load float, ptr addrspace(1) %at.i, align 4
  %wide.j = zext i32 %j to i64
  %at.j = ` + element + `%wide.j
  store float %x, ptr addrspace(1) %at.j, align 4
  ret void
}
`
			near, ok := nearAddresses(text)
			if ok != (c.want != "") || !strings.Contains(near, c.want) {
				t.Errorf("want %q:\n%s", c.want, near)
			}
			if _, err := Assembly(request(strings.Replace(near, "ptx_kernel", "KERNEL", 1), "k", "sm_90")); err != nil {
				t.Errorf("%v\n%s", err, near)
			}
		})
	}
}

// Fields are behind the element's address, also those that another block has, but not those of a block beside.
func TestNearFields(t *testing.T) {
	near, ok := nearAddresses(`
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %a, i1 %c) {
entry:
  %wide = zext i32 %a to i64
  br i1 %c, label %then, label %else

then:
  %x = getelementptr inbounds { float, float }, ptr addrspace(1) %p, i64 %wide, i32 1
  store float 1.0, ptr addrspace(1) %x, align 4
  br label %more

more:
  %y = getelementptr inbounds { float, float }, ptr addrspace(1) %p, i64 %wide, i32 0
  store float 1.0, ptr addrspace(1) %y, align 4
  br label %join

else:
  %z = getelementptr inbounds { float, float }, ptr addrspace(1) %p, i64 %wide, i32 1
  store float 1.0, ptr addrspace(1) %z, align 4
  br label %join

join:
  %w = getelementptr inbounds { float, double }, ptr addrspace(1) %p, i64 %wide, i32 1
  store double 1.0, ptr addrspace(1) %w, align 8
  ret void
}
`)
	for _, want := range []string{
		"%heddle.step.2 = getelementptr { float, float }, ptr addrspace(1) %p, i64 %wide\n  %x = getelementptr { float, float }, ptr addrspace(1) %heddle.step.2, i64 0, i32 1",
		"%y = getelementptr { float, float }, ptr addrspace(1) %heddle.step.2, i64 0, i32 0",
		"%z = getelementptr { float, float }, ptr addrspace(1) %heddle.step.1, i64 0, i32 1",
		"%w = getelementptr { float, double }, ptr addrspace(1) %heddle.step.4, i64 0, i32 1",
	} {
		if !ok || !strings.Contains(near, want) {
			t.Errorf("not there: %s\n%s", want, near)
		}
	}
}

// A sum of as many terms as count, and bits that are not set in it, is one number.
func TestNearTerms(t *testing.T) {
	var w strings.Builder
	w.WriteString("\ndefine ptx_kernel void @k(ptr addrspace(1) %p) {\nentry:\n")
	for i := range linearTerms {
		fmt.Fprintf(&w, "  %%s%d = load i32, ptr addrspace(1) %%p, align 4\n", linearTerms+i)
	}
	for i := linearTerms - 1; i > 0; i-- { // a tree, which is not deep
		fmt.Fprintf(&w, "  %%s%d = add nuw i32 %%s%d, %%s%d\n", i, 2*i, 2*i+1)
	}
	w.WriteString("  %t = shl nuw i32 %s1, 3\n  %i = or i32 %t, 5\n  %j = add nuw i32 %i, 1\n")
	w.WriteString(`  %wide.i = zext i32 %i to i64
  %x = getelementptr float, ptr addrspace(1) %p, i64 %wide.i
  %wide.j = zext i32 %j to i64
  %y = getelementptr float, ptr addrspace(1) %p, i64 %wide.j
  ret void
}
`)
	if near, _ := nearAddresses(w.String()); !strings.Contains(near, "%y = getelementptr float, ptr addrspace(1) %x, i64 1") {
		t.Error(near)
	}
}

// Bits that are set where none are become a sum, so that LLVM has one address with constants in a loop whose variable is of 32 bits elsewhere.
func TestSums(t *testing.T) {
	skipWithoutLLVM(t)
	for _, c := range []struct {
		name, first, next, bits string
		want                    bool
	}{
		{"by four", "0", "4", "3", true},
		{"by two", "0", "2", "3", false},
		{"by two, one bit", "0", "2", "1", true},
		{"what begins with a bit", "2", "4", "3", false},
		{"a bit further up", "0", "4", "4", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := `
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %row) {
entry:
  br label %loop

loop:
  %k = phi i64 [ ` + c.first + `, %entry ], [ %next, %loop ]
  %short = trunc i64 %k to i32
  %sum = add nuw nsw i64 %k, %row
  %at = getelementptr inbounds float, ptr addrspace(1) %p, i64 %sum
  %x = load float, ptr addrspace(1) %at, align 4
  %k1 = or i64 %k, ` + c.bits + `
  %sum1 = add nuw nsw i64 %k1, %row
  %at1 = getelementptr inbounds float, ptr addrspace(1) %p, i64 %sum1
  store float %x, ptr addrspace(1) %at1, align 4
  %short1 = add nuw nsw i32 %short, ` + c.next + `
  %next = zext i32 %short1 to i64
  %again = icmp ult i32 %short1, 96
  br i1 %again, label %loop, label %end

end:
  ret void
}
`
			near, ok := nearAddresses(text)
			if ok != c.want || strings.Contains(near, "%k1 = add nuw nsw i64 %k, "+c.bits) != c.want {
				t.Errorf("want %v:\n%s", c.want, near)
			}
			if _, err := Assembly(request(strings.Replace(near, "ptx_kernel", "KERNEL", 1), "k", "sm_90")); err != nil {
				t.Errorf("%v\n%s", err, near)
			}
		})
	}
}

// An address that LLVM counts in bytes is that of an element.
func TestNearBytes(t *testing.T) {
	skipWithoutLLVM(t)
	for shift, want := range map[string]string{
		"shl nuw nsw i64 %wide, 2": "%bytes = getelementptr i32, ptr addrspace(1) %at, i64 0",
		"shl i64 %wide, 2":         "%bytes = getelementptr i8, ptr addrspace(1) %p, i64 %n",
		"shl nuw nsw i64 %wide, 3": "%bytes = getelementptr i8, ptr addrspace(1) %p, i64 %n",
	} {
		text := "\ndefine ptx_kernel void @k(ptr addrspace(1) %p, i32 %a) {\nentry:\n  %wide = zext i32 %a to i64\n" +
			"  %at = getelementptr float, ptr addrspace(1) %p, i64 %wide\n  %x = load float, ptr addrspace(1) %at, align 4\n  %n = " + shift +
			"\n  %bytes = getelementptr i8, ptr addrspace(1) %p, i64 %n\n  %next = getelementptr i8, ptr addrspace(1) %bytes, i64 4\n" +
			"  store float %x, ptr addrspace(1) %next, align 4\n  ret void\n}\n"
		near, ok := nearAddresses(text)
		if !ok {
			near = text
		}
		if !strings.Contains(near, want) {
			t.Errorf("%s: there is no %q in %s", shift, want, near)
		}
	}
}
