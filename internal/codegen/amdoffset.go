package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// offsetBy are addresses by what is computed in 64 bits.
var offsetBy = lazy.Regexp{Expr: `^getelementptr (?:inbounds |nuw |nusw )*i8, ptr addrspace\(1\) ` + valueName + `, i64 (` + valueName + `)(?:,|$)`}

// maskOf are masks of 64 bits.
var maskOf = lazy.Regexp{Expr: `^and i64 (` + valueName + `), (\d+)(?:,|$)`}

// shortOffsets makes offsets of 32 bits of those whose upper half a mask leaves out: AMDGPU's loads and stores add such to an address that lanes share.
// LLVM's passes make these masks of an extension, where what is extended is the lower half of what is there in 64 bits.
//
//	%wide = shl i64 %index, 2                                      %low = trunc i64 %wide to i32
//	%offset = and i64 %wide, 4294967292                      ->    %masked = and i32 %low, -4
//	%p = getelementptr i8, ptr addrspace(1) %in, i64 %offset       %p = getelementptr i8, ptr addrspace(1) %in, i64 (zext i32 %masked)
func shortOffsets(text string) (short string, ok bool) {
	n := 0
	short = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " = and i64 ") {
			return body
		}
		f := parseFlow(body)
		for _, name := range f.order {
			v := f.values[name]
			m := offsetBy.Get().FindStringSubmatch(v.text)
			if m == nil || f.values[m[1]] == nil {
				continue
			}
			mask := maskOf.Get().FindStringSubmatch(f.values[m[1]].text)
			if mask == nil {
				continue
			}
			k, err := strconv.ParseUint(mask[2], 10, 32)
			if err != nil {
				continue
			}
			n++
			h := fmt.Sprint("%heddle.offset.", n)
			f.lines[v.line] = fmt.Sprintf("  %[1]s.low = trunc i64 %[2]s to i32\n  %[1]s.masked = and i32 %[1]s.low, %[3]d\n  %[1]s = zext i32 %[1]s.masked to i64\n%[4]s",
				h, mask[1], int32(uint32(k)), replaceOperand(f.lines[v.line], m[1], h))
		}
		return strings.Join(f.lines, "\n")
	})
	return short, n > 0
}
