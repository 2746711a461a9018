package codegen

import (
	"fmt"

	"heddle/internal/lazy"
)

// This file keeps LLVM from a wrong "has it been exchanged". AMD's GPUs compare and exchange
// 32 bits and more. For 8 and 16 AtomicExpand, in the code generator, makes a loop that tries
// again where other bits of the word have changed, and whose last comparison is the cmpxchg's
// second result. Lanes leave that loop one after the other, but LLVM (19, in the form that
// the pipelines before O3 leave) keeps the comparison in a scalar register, which each
// iteration writes for all lanes: those that had left find 0, and try again what they have
// done. The old value is in a vector register and right, so
//
//	%x = cmpxchg ptr %p, i16 %old, i16 %new monotonic monotonic
//	%ok = extractvalue { i16, i1 } %x, 1
//
// becomes a comparison after the loop:
//
//	%heddle.seen.1 = extractvalue { i16, i1 } %x, 0
//	%ok = icmp eq i16 %heddle.seen.1, %old

var (
	narrowExchange = lazy.Regexp{Expr: `(?m)^ +(` + valueName + `) = cmpxchg [^\n]*?, (?:i8|i16) ([^,\n]+), (?:i8|i16) `}
	narrowSuccess  = lazy.Regexp{Expr: `(?m)^( +)(` + valueName + `) = extractvalue \{ (i8|i16), i1 \} (` + valueName + `), 1(.*)$`}
)

// compareSeen replaces the second results of narrow cmpxchgs.
func compareSeen(text string) (fixed string, ok bool) {
	expected := map[string]string{}
	for _, m := range narrowExchange.Get().FindAllStringSubmatch(text, -1) {
		expected[m[1]] = m[2]
	}
	if len(expected) == 0 {
		return text, false
	}
	n := 0
	fixed = narrowSuccess.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := narrowSuccess.Get().FindStringSubmatch(line)
		old, known := expected[m[4]]
		if !known {
			return line
		}
		n++
		seen := fmt.Sprintf("%%heddle.seen.%d", n)
		return fmt.Sprintf("%s%s = extractvalue { %s, i1 } %s, 0%s\n%s%s = icmp eq %s %s, %s", m[1], seen, m[3], m[4], m[5], m[1], m[2], m[3], seen, old)
	})
	return fixed, n > 0
}
