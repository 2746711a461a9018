package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// A right shift is written as one of halves where its number is shifted to the left by
// the rest of 64, and else stays.
func TestPartShifts(t *testing.T) {
	for _, c := range []struct {
		left  string
		right int
		op, y string
		want  string // in the text
	}{
		{"shl nuw i64 %x, 32", 32, "ashr", "%x", "shr.s32 l, h, 0; shr.s32 h, h, 32;"},
		{"shl i64 %x, 24", 40, "lshr", "%x", "shr.u32 l, h, 8; shr.u32 h, h, 32;"},
		{"mul nsw i64 %x, -72057594037927936", 8, "ashr exact", "%x", "shf.r.wrap.b32 l, l, h, 8; shr.s32 h, h, 8;"},
		{"mul i64 %x, 2", 63, "lshr", "%x", "shr.u32 l, h, 31; shr.u32 h, h, 32;"},
		{"mul i64 %x, -9223372036854775808", 1, "ashr", "%x", "shf.r.wrap.b32 l, l, h, 1;"},
		{"mul i64 %x, 6", 63, "lshr", "%x", ""},
		{"shl i64 %x, 32", 31, "ashr", "%x", ""},
		{"shl i64 %x, 32", 32, "ashr", "%y", ""},
	} {
		line := fmt.Sprintf("  %%b = %s i64 %s, %d, !dbg !7\n", c.op, c.y, c.right)
		text := fmt.Sprintf("\ndefine i64 @f(i64 %%x, i64 %%y) {\n  %%a = %s\n%s  %%c = add i64 %%a, %%b\n  ret i64 %%c\n}\n", c.left, line)
		fixed, ok := partShifts(text)
		if ok != (c.want != "") || !strings.Contains(fixed, c.want) || ok == strings.Contains(fixed, line) || ok && !strings.Contains(fixed, `}", "=l,l"(i64 %x) nounwind readnone, !dbg !7`) {
			t.Errorf("%s by %d of %s, beside %s: %s", c.op, c.right, c.y, c.left, fixed)
		}
	}
}

// A rewriting of %b, a right shift of %a, which is a number made before.
type rewritten struct{ number, shift, want string }

// checkRewritten shows that the shift becomes what is wanted, or stays if that is nothing.
func checkRewritten(t *testing.T, rewrite func(string) (string, bool), cases []rewritten) {
	t.Helper()
	for _, c := range cases {
		text := fmt.Sprintf("\ndefine i32 @f(i32 %%x, i32 %%y, i64 %%u, i64 %%v) {\n  %%a = %s\n  %%b = %s, !dbg !7\n  ret i32 %%x\n}\n", c.number, c.shift)
		fixed, ok := rewrite(text)
		if ok != (c.want != "") || !strings.Contains(fixed, c.want) || !ok && fixed != text || ok && strings.Contains(fixed, c.shift) {
			t.Errorf("%s of %s: %s", c.shift, c.number, fixed)
		}
	}
}

// A right shift with the sign is of the number whose low bits were masked off, where it shifts all of these out.
func TestShiftWhole(t *testing.T) {
	checkRewritten(t, shiftWhole, []rewritten{
		{"and i32 %x, -65536", "ashr exact i32 %a, 16", "%b = ashr i32 %x, 16, !dbg !7"},
		{"and i32 %x, -65536, !dbg !6", "ashr exact i32 %a, 16", "%b = ashr i32 %x, 16, !dbg !7"},
		{"and i32 %x, -256", "ashr i32 %a, 16", "%b = ashr i32 %x, 16, !dbg !7"},
		{"and i64 %u, -4294967296", "ashr i64 %a, 35", "%b = ashr i64 %u, 35, !dbg !7"},
		{"and i32 %x, -65536", "ashr i32 %a, 15", ""},
		{"and i32 %x, -65535", "ashr i32 %a, 16", ""},
		{"and i32 %x, 65535", "ashr i32 %a, 16", ""},
		{"and i32 %x, -65536", "lshr i32 %a, 16", ""},
		{"or i32 %x, -65536", "ashr i32 %a, 16", ""},
	})
}

// A right shift of a difference of 32 bits is an extract of bits; others stay.
func TestPartDifferences(t *testing.T) {
	checkRewritten(t, partDifferences, []rewritten{
		{"sub nsw i32 %x, %y", "ashr i32 %a, 19", `call i32 asm "bfe.s32 $0, $1, 19, 13;", "=r,r"(i32 %a) nounwind readnone, !dbg !7`},
		{"sub i32 0, %y", "lshr exact i32 %a, 1", `asm "bfe.u32 $0, $1, 1, 31;"`},
		{"sub i32 %x, %y", "ashr i32 %a, 31", ""},
		{"sub i32 %x, %y", "ashr i32 %x, 19", ""},
		{"add i32 %x, %y", "ashr i32 %a, 19", ""},
		{"sub i64 %u, %v", "ashr i64 %a, 19", ""},
	})
}
