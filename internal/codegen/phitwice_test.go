package codegen

import "testing"

// Entries of a phi of addresses for one block are those of the first; all others stay.
func TestEqualEntries(t *testing.T) {
	for text, want := range map[string]string{
		"  %p = phi ptr [ %a, %b1 ], [ %b, %b2 ], [ %c, %b1 ], !dbg !1": "  %p = phi ptr [ %a, %b1 ], [ %b, %b2 ], [ %a, %b1 ], !dbg !1",
		"  %p = phi ptr [ null, %\"x y\" ], [ %b, %\"x y\" ]":           "  %p = phi ptr [ null, %\"x y\" ], [ null, %\"x y\" ]",
		"  %p = phi ptr [ @g, %1 ], [ %b, %2 ]":                         "",
		"  %p = phi i32 [ 1, %1 ], [ 2, %1 ]":                           "",
	} {
		if want == "" {
			want = text
		}
		if got := equalEntries(text); got != want {
			t.Errorf("%s becomes %s, want %s", text, got, want)
		}
	}
}
