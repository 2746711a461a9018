package codegen

import (
	"regexp"
	"sync"
)

// The driver's assembler (seen: 580.159, on sm_90) negates 16 bits in 32 and
// does not wrap: where the result is widened, divided, shifted or compared,
// neg.s16 and abs.s16 of -32768 are +32768. Unsigned subtraction is right.
var ptxFixes = []struct {
	wrong func() *regexp.Regexp
	right string
}{
	{lazyRegexp(`\bneg\.s16(\s+)([^,;]+), ([^,;]+);`), "sub.u16${1}$2, 0, $3;"},
	{lazyRegexp(`\bsub\.s16(\s+[^,;]+, 0, [^,;]+;)`), "sub.u16$1"},
	{lazyRegexp(`\babs\.s16(\s+)([^,;]+), ([^,;]+);`), "{ .reg .b16 %negated; sub.u16${1}%negated, 0, $3; max.s16${1}$2, $3, %negated; }"},
}

// fixPTX replaces instructions that are assembled wrongly.
func fixPTX(text []byte) []byte {
	for _, f := range ptxFixes {
		text = f.wrong().ReplaceAll(text, []byte(f.right))
	}
	return text
}

// lazyRegexp is an expression that is compiled when it is first used: most
// programs find their kernels in the cache and need none.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
