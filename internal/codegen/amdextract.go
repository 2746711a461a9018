package codegen

import (
	"fmt"

	"heddle/internal/lazy"
)

// This file avoids a fault of LLVM's instruction selection for AMDGPU, seen in release 19. An element of a vector that was loaded, by an index that
// is no constant, becomes a load of the element. Whether all lanes load the same is then asked of the address that the vector had: that
// of a kernel's argument, say, is the same for all, so that each lane gets the element of the first one:
//
//	%v = load <2 x i32>, ptr addrspace(4) %table
//	%x = extractelement <2 x i32> %v, i64 %lane       one s_load_dword for all lanes
//
// So each vector is frozen before an element is taken by such an index: selection does not look through a freeze.

var elementOf = lazy.Regexp{Expr: `(?m)^( +` + valueName + ` = extractelement )(<\d+ x [^>]+>) (` + valueName + `), (i(?:32|64) %.*)$`}

// holdVectors freezes such vectors.
func holdVectors(text string) (fixed string, ok bool) {
	n := 0
	fixed = elementOf.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := elementOf.Get().FindStringSubmatch(line)
		n++
		name := fmt.Sprint("%heddle.whole.", n)
		return "  " + name + " = freeze " + m[2] + " " + m[3] + "\n" + m[1] + m[2] + " " + name + ", " + m[4]
	})
	return fixed, n > 0
}
