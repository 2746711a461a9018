package codegen

import (
	"regexp"
	"sync"
)

// A ptxFix replaces what NVIDIA's assembler, the driver's and ptxas of CUDA 13
// alike (seen: 580.159, on sm_90), takes wrongly.
type ptxFix struct {
	where func() *regexp.Regexp // only in code in which this is found; nil for any
	wrong func() *regexp.Regexp
	right string
}

var ptxFixes = []ptxFix{
	// It negates 16 bits in 32 and does not wrap: where the result is widened,
	// divided, shifted or compared, neg.s16 and abs.s16 of -32768 are +32768.
	// Unsigned subtraction is right.
	{nil, lazyRegexp(`\bneg\.s16(\s+)([^,;]+), ([^,;]+);`), "sub.u16${1}$2, 0, $3;"},
	{nil, lazyRegexp(`\bsub\.s16(\s+[^,;]+, 0, [^,;]+;)`), "sub.u16$1"},
	{nil, lazyRegexp(`\babs\.s16(\s+)([^,;]+), ([^,;]+);`), "{ .reg .b16 %negated; sub.u16${1}%negated, 0, $3; max.s16${1}$2, $3, %negated; }"},

	// It takes |x| > -1, |x| >= 0 and -|x| < 1 for true where the f32 x is a NaN. The
	// opposite of the comparison that holds for a NaN is right, and no slower.
	// What it knows of a register it may know of others, so these comparisons are
	// replaced wherever there is an absolute value.
	orderedF32("gt", "leu", `%\w+|0f[89A-F]\w+`),
	orderedF32("ge", "ltu", `%\w+|0f[89A-F]\w+|0f00000000`),
	orderedF32("lt", "geu", `%\w+|0f[0-7]\w+`),
	orderedF32("le", "gtu", `%\w+|0f[0-7]\w+|0f80000000`),
}

var absF32 = lazyRegexp(`\babs(\.ftz)?\.f32\b`)

// orderedF32 is the fix of a comparison with what right matches, which does not
// hold for a NaN, by its opposite.
func orderedF32(op, opposite, right string) ptxFix {
	return ptxFix{absF32, lazyRegexp(`\bsetp\.` + op + `(\.ftz)?\.f32(\s+)(%\w+), ([^,;]+), (` + right + `);`),
		"setp." + opposite + "${1}.f32${2}$3, $4, $5; not.pred${2}$3, $3;"}
}

// fixPTX replaces instructions that are assembled wrongly.
func fixPTX(text []byte) []byte {
	for _, f := range ptxFixes {
		if f.where == nil || f.where().Match(text) {
			text = f.wrong().ReplaceAll(text, []byte(f.right))
		}
	}
	return text
}

// lazyRegexp is an expression that is compiled when it is first used: most
// programs find their kernels in the cache and need none.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
