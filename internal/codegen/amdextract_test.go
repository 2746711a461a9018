package codegen

import (
	"strings"
	"testing"
)

// A vector is frozen where an element is taken out by an index that is no constant.
func TestHoldVectors(t *testing.T) {
	const text = "  %v = load <2 x i32>, ptr addrspace(4) %p\n  %x = extractelement <2 x i32> %v, i64 %lane, !dbg !7\n  %y = extractelement <2 x i32> %v, i64 1\n"
	const want = "  %v = load <2 x i32>, ptr addrspace(4) %p\n  %heddle.whole.1 = freeze <2 x i32> %v\n  %x = extractelement <2 x i32> %heddle.whole.1, i64 %lane, !dbg !7\n  %y = extractelement <2 x i32> %v, i64 1\n"
	if got, ok := holdVectors(text); !ok || got != want {
		t.Errorf("%v\n%s", ok, got)
	}
	if got, ok := holdVectors(strings.Replace(text, "%lane", "0", 1)); ok {
		t.Errorf("constants alone:\n%s", got)
	}
}
