package codegen

import (
	"strings"
	"testing"
)

// A vector that was loaded is frozen where an element is taken out by an index that is no constant.
func TestHoldVectors(t *testing.T) {
	const text = "  %v = load <2 x i32>, ptr addrspace(4) %p\n  %x = extractelement <2 x i32> %v, i64 %lane, !dbg !7\n  %y = extractelement <2 x i32> %v, i64 1\n"
	const want = "  %v = load <2 x i32>, ptr addrspace(4) %p\n  %heddle.whole.1 = freeze <2 x i32> %v\n  %x = extractelement <2 x i32> %heddle.whole.1, i64 %lane, !dbg !7\n  %y = extractelement <2 x i32> %v, i64 1\n"
	if got, ok := holdVectors(text); !ok || got != want {
		t.Errorf("%v\n%s", ok, got)
	}
	for _, other := range []string{strings.Replace(text, "%lane", "0", 1), strings.Replace(text, "load <2 x i32>, ptr addrspace(4) %p", "add <2 x i32> %p, %q", 1)} {
		if got, ok := holdVectors(other); ok {
			t.Errorf("a constant, or no load:\n%s", got)
		}
	}
	const cast = "  %w = load i64, ptr addrspace(4) %p\n  %v = bitcast i64 %w to <2 x i32>\n  %x = extractelement <2 x i32> %v, i64 %lane\n"
	if got, ok := holdVectors(cast); !ok || !strings.Contains(got, "freeze <2 x i32> %v\n") {
		t.Errorf("a bitcast: %v\n%s", ok, got)
	}
}
