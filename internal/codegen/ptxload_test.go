package codegen

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

var ptxAccess = regexp.MustCompile(`(?m)^\s*((?:ld|st)(?:\.\w+)*?(?:\.v(\d+))?\.[bsuf](\d+))\s`)

// No load or store of a vector is wider than its address is aligned: the GPU ends the
// kernel at one that is.
func TestVectorAlignment(t *testing.T) {
	skipWithoutLLVM(t)
	wide := 0
	for _, elem := range []string{"i8", "i16", "i32", "i64", "half", "float", "double"} {
		for _, lanes := range []int{2, 3, 4, 5, 8, 16, 32} {
			for align := 1; align <= 16; align *= 2 {
				for _, volatile := range []string{"", "volatile "} {
					v := fmt.Sprintf("<%d x %s>", lanes, elem)
					asm, err := Assembly(request(fmt.Sprintf(`define KERNEL void @k(ptr addrspace(1) %%p, ptr addrspace(1) %%o) {
  %%v = load %[2]s%[1]s, ptr addrspace(1) %%p, align %[3]d
  store %[2]s%[1]s %%v, ptr addrspace(1) %%o, align %[3]d
  ret void
}`, v, volatile, align), "k", "sm_80"))
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range ptxAccess.FindAllStringSubmatch(asm, -1) {
						n, bits := 1, 0
						if m[2] != "" {
							n, _ = strconv.Atoi(m[2])
						}
						bits, _ = strconv.Atoi(m[3])
						if m[1][2:8] == ".param" {
							continue
						}
						wide = max(wide, n*bits/8)
						if n*bits/8 > align {
							t.Errorf("%s%s, align %d: %s", volatile, v, align, m[1])
						}
					}
				}
			}
		}
	}
	if wide != 16 {
		t.Errorf("the widest access is of %d bytes: is the test looking at them?", wide)
	}
}
