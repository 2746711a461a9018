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
// So such a vector is frozen before an element is taken: selection does not look through a freeze. It does look through a bitcast, for it
// makes one of a load a load of the other type. Others are left as they are: a freeze hides what selection knows of a value, and
// LLVM 19 cannot select some code with one (TestOddLanes).

var (
	elementOf = lazy.Regexp{Expr: `(?m)^( +` + valueName + ` = extractelement )(<\d+ x [^>]+>) (` + valueName + `), (i(?:32|64) %.*)$`}
	wholeLoad = lazy.Regexp{Expr: `(?m)^ +(` + valueName + `) = load [^\n]*$|^ +(` + valueName + `) = bitcast [^\n]*? (` + valueName + `) to <[^\n]*$`}
)

// holdVectors freezes such vectors.
func holdVectors(text string) (fixed string, ok bool) {
	if !elementOf.Get().MatchString(text) {
		return text, false
	}
	loaded := map[string]bool{} // in some function: a name may be another's value, too
	for _, m := range wholeLoad.Get().FindAllStringSubmatch(text, -1) {
		if m[1] != "" || loaded[m[3]] {
			loaded[m[1]+m[2]] = true
		}
	}
	n := 0
	fixed = elementOf.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := elementOf.Get().FindStringSubmatch(line)
		if !loaded[m[3]] {
			return line
		}
		n++
		name := fmt.Sprint("%heddle.whole.", n)
		return "  " + name + " = freeze " + m[2] + " " + m[3] + "\n" + m[1] + m[2] + " " + name + ", " + m[4]
	})
	return fixed, n > 0
}
