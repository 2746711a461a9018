package codegen

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file has indices of local variables extended in one way. Addresses of local memory have 32 bits, so that it is the same whether an index has a
// sign; LLVM extends a[i] without one, where it knows i, and a[i+1] with one, since the sum may be split. ptxas takes these for different, and then keeps each
// store ahead of the loads behind it.
//
//	mul.wide.s32 %rd2, %r1, 4;   ->  mul.wide.u32 %rd2, %r1, 4;  (as of a shl by 2 of a cvt of %r1)
//	add.s64 %rd3, %rd1, %rd2;        // %rd1 is a local variable's
//	st.local.u32 [%rd3+4], %r2;

var (
	localBase  = lazy.Regexp{Expr: `^\s*(?:add\.[us]64|mov\.[ub]64)\s+(%rd\d+), %SPL[,;]`}
	localIndex = lazy.Regexp{Expr: `^\s*mul\.wide\.s32\s+(%rd\d+), %r\d+, \d+;`}
	localWide  = lazy.Regexp{Expr: `^\s*cvt\.(?:u64\.u32|s64\.s32)\s+(%rd\d+), (%r\d+);`}
	localShift = lazy.Regexp{Expr: `^\s*shl\.b64\s+(%rd\d+), (%rd\d+), (\d+);`}
	localSet   = lazy.Regexp{Expr: `^\s*(?:@!?%p\d+ )?[a-z][\w.]*\s+\{?(%rd?\d+)`}
	localPlace = lazy.Regexp{Expr: `^\s*add\.s64\s+(%rd\d+), (%rd\d+), (%rd\d+);`}
	localWord  = lazy.Regexp{Expr: `%rd\d+`}
)

// unsignedLocals is a module's text with such indices.
func unsignedLocals(text []byte) []byte {
	if !bytes.Contains(text, []byte("%SPL")) {
		return text
	}
	return eachPTX(text, unsignedLocalsOf)
}

// unsignedLocalsOf is unsignedLocals for the lines of a function.
func unsignedLocalsOf(lines []string) []string {
	bases, other := map[string]bool{}, map[string]bool{} // registers; those used for something else than an address of local memory
	places := map[string]string{}                        // the index, by the address
	for _, line := range lines {
		if m := localBase.Get().FindStringSubmatch(line); m != nil {
			bases[m[1]] = true
		}
	}
	for _, line := range lines {
		if m := localPlace.Get().FindStringSubmatch(line); m != nil && bases[m[2]] && !bases[m[3]] {
			if first := places[m[1]]; first != "" { // set more than once
				other[first], other[m[3]] = true, true
			}
			places[m[1]] = m[3]
			continue
		}
		all := localWord.Get().FindAllString(line, -1)
		switch i := strings.IndexByte(line, '['); {
		case strings.Contains(line, "ld.local.") || strings.Contains(line, "st.local."):
			for _, r := range localWord.Get().FindAllString(line[:i]+line[strings.IndexByte(line, ']'):], -1) {
				other[r] = true
			}
		case localIndex.Get().MatchString(line):
		case localShift.Get().MatchString(line):
			other[localShift.Get().FindStringSubmatch(line)[2]] = true
		default:
			for _, r := range all {
				other[r] = true
			}
		}
	}
	indexes := map[string]bool{}
	for place, index := range places {
		indexes[index] = true
		if other[place] {
			other[index] = true
		}
	}
	wide := map[string]string{} // what a register was extended from, in this block
	for i, line := range lines {
		if m := localIndex.Get().FindStringSubmatch(line); m != nil && indexes[m[1]] && !other[m[1]] {
			lines[i] = strings.Replace(line, "mul.wide.s32", "mul.wide.u32", 1)
		} else if m := localShift.Get().FindStringSubmatch(line); m != nil && indexes[m[1]] && !other[m[1]] && wide[m[2]] != "" {
			by, _ := strconv.Atoi(m[3])
			lines[i] = fmt.Sprintf("\tmul.wide.u32 \t%s, %s, %d;\n", m[1], wide[m[2]], uint32(1)<<by)
		}
		if strings.Contains(line, ":") {
			clear(wide)
		} else if m := localSet.Get().FindStringSubmatch(line); m != nil {
			maps.DeleteFunc(wide, func(_, from string) bool { return from == m[1] })
			delete(wide, m[1])
		}
		if m := localWide.Get().FindStringSubmatch(line); m != nil {
			wide[m[1]] = m[2]
		}
	}
	return lines
}
