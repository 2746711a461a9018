package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// behindTests are the address %pN of an element of the local array %array, from a number %j that is not negative.
var behindTests = []struct {
	name, code string
	want       func(j, f, c uint64) uint64 // the element's index
}{
	{"sum", `%iN = mul nuw nsw i32 %j, F
  %lN = add nsw i32 %iN, -C
  %pN = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %lN`,
		func(j, f, c uint64) uint64 { return f*j - c }},
	{"difference", `%iN = mul nuw nsw i32 %j, F
  %lN = sub nsw i32 %iN, C
  %pN = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %lN`,
		func(j, f, c uint64) uint64 { return f*j - c }},
	{"sum in a sum", `%iN = mul nuw nsw i32 %j, F
  %gN = add nsw i32 %j, -C
  %lN = add nsw i32 %iN, %gN
  %pN = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %lN`,
		func(j, f, c uint64) uint64 { return f*j + j - c }},
	{"sum in a product", `%gN = add nsw i32 %j, -C
  %lN = mul nuw nsw i32 %gN, F
  %pN = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %lN`,
		func(j, f, c uint64) uint64 { return f * (j - c) }},
	{"address", `%iN = mul nuw nsw i32 %j, F
  %qN = getelementptr inbounds [64 x i32], ptr addrspace(5) %array, i32 0, i32 %iN
  %pN = getelementptr inbounds i32, ptr addrspace(5) %qN, i32 -C`,
		func(j, f, c uint64) uint64 { return f*j - c }},
	{"row", `%gN = add nsw i32 %j, -C
  %pN = getelementptr inbounds [8 x [8 x i32]], ptr addrspace(5) %array, i32 0, i32 %gN, i32 F`,
		func(j, f, c uint64) uint64 { return 8*(j-c) + f }},
}

// behind is a kernel of three such addresses, and perhaps of a slice of the array, of which LLVM finds only in its back end that it is private.
func behind(code string, slice bool) string {
	head, _, _ := strings.Cut(negativeIndex, "read:\n")
	pointer := "ptr addrspace(5)"
	if slice {
		pointer = "ptr"
		slicing, _, _ := strings.Cut(negativeSlice[strings.Index(negativeSlice, "read:\n"):], "  %j8 = ")
		head += slicing
		code = strings.NewReplacer("ptr addrspace(5) %array", "ptr %slice", "ptr addrspace(5)", "ptr", "i32 %", "i64 %", " i32 -C", " i64 -C").Replace(code)
	} else {
		head += "read:\n"
	}
	var b strings.Builder
	b.WriteString(head + "  %j7 = and i64 %a, 7\n  %large = icmp ugt i64 %j7, 3\n  %jw = select i1 %large, i64 %j7, i64 3\n")
	if slice {
		b.WriteString("  %j = add i64 %jw, 0\n")
		code = strings.NewReplacer("mul nuw nsw i32", "mul nuw nsw i64", "add nsw i32", "add nsw i64", "sub nsw i32", "sub nsw i64").Replace(code)
	} else {
		b.WriteString("  %j = trunc i64 %jw to i32\n")
	}
	sum := "0"
	for n, k := range [][2]int{{3, 3}, {4, 2}, {5, 1}} {
		fmt.Fprintf(&b, "  %s\n", strings.NewReplacer("N", fmt.Sprint(n), "F", fmt.Sprint(k[0]), "C", fmt.Sprint(k[1])).Replace(code))
		fmt.Fprintf(&b, "  %%v%[1]d = load i32, %[2]s %%p%[1]d\n  %%m%[1]d = mul i32 %[3]s, 5\n  %%s%[1]d = add i32 %%m%[1]d, %%v%[1]d\n", n, pointer, sum)
		sum = fmt.Sprintf("%%s%d", n)
	}
	return b.String() + "  %r = zext i32 " + sum + " to i64\n  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i\n  store i64 %r, ptr addrspace(1) %p\n  ret void\n}\n"
}

// No register of a scratch instruction is negative where its address is behind that of a variable.
func TestBehind(t *testing.T) {
	major := skipWithoutLLVM(t)
	in := make([][4]uint64, 64)
	for i := range in {
		in[i][0] = uint64(i)
	}
	for _, arch := range []string{"gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		for _, test := range behindTests {
			for _, slice := range []bool{false, true} {
				out := make([]uint64, len(in))
				if _, err := emulate(request(behind(test.code, slice), "k", arch), bytesOf(in), bytesOf(out), len(in)); err != nil {
					t.Errorf("LLVM %d, %s, %s, slice %v: %v", major, arch, test.name, slice, err)
					continue
				}
				for i, got := range out {
					j := max(3, uint64(i&7))
					if want := 3 * (25*test.want(j, 3, 3) + 5*test.want(j, 4, 2) + test.want(j, 5, 1)); got != want {
						t.Errorf("LLVM %d, %s, %s, slice %v, thread %d: %d, want %d", major, arch, test.name, slice, i, got, want)
						break
					}
				}
			}
		}
	}
}
