package codegen

import "heddle/internal/lazy"

// A ptxFix replaces what NVIDIA's assembler, the driver's and ptxas of CUDA 13
// alike (seen: 580.159, on sm_90), takes wrongly.
type ptxFix struct {
	where *lazy.Regexp // only in code in which this is found; nil for any
	wrong lazy.Regexp
	right string
}

var ptxFixes = [...]ptxFix{
	// It negates 16 bits in 32 and does not wrap: where the result is widened,
	// divided, shifted or compared, neg.s16 and abs.s16 of -32768 are +32768.
	// Unsigned subtraction is right.
	{nil, lazy.Regexp{Expr: `\bneg\.s16(\s+)([^,;]+), ([^,;]+);`}, "sub.u16${1}$2, 0, $3;"},
	{nil, lazy.Regexp{Expr: `\bsub\.s16(\s+[^,;]+, 0, [^,;]+;)`}, "sub.u16$1"},
	{nil, lazy.Regexp{Expr: `\babs\.s16(\s+)([^,;]+), ([^,;]+);`}, "{ .reg .b16 %negated; sub.u16${1}%negated, 0, $3; max.s16${1}$2, $3, %negated; }"},

	// It takes abs.s64 for a number that is not negative, and abs.s64 of the least number is.
	// The greater of x and -x is right.
	{nil, lazy.Regexp{Expr: `\babs\.s(32|64)(\s+)([^,;]+), ([^,;]+);`}, "{ .reg .b$1 %negated; sub.u$1${2}%negated, 0, $4; max.s$1${2}$3, $4, %negated; }"},

	// It takes |x| > -1, |x| >= 0 and -|x| < 1 for true where the f32 x is a NaN. The
	// opposite of the comparison that holds for a NaN is right, and no slower.
	// What it knows of a register it may know of others, so these comparisons are
	// replaced wherever there is an absolute value.
	{&absF32, lazy.Regexp{Expr: `\bsetp\.gt` + ordered + `(%\w+|0f[89A-F]\w+);`}, "setp.leu" + opposite},
	{&absF32, lazy.Regexp{Expr: `\bsetp\.ge` + ordered + `(%\w+|0f[89A-F]\w+|0f00000000);`}, "setp.ltu" + opposite},
	{&absF32, lazy.Regexp{Expr: `\bsetp\.lt` + ordered + `(%\w+|0f[0-7]\w+);`}, "setp.geu" + opposite},
	{&absF32, lazy.Regexp{Expr: `\bsetp\.le` + ordered + `(%\w+|0f[0-7]\w+|0f80000000);`}, "setp.gtu" + opposite},

	// It takes |x| for x, and -|x|, where it sees that an f32 x is one of two constants
	// with that sign; but of a zero it looks at the value, not at the sign. It does not
	// see that where the choice is one of integers. (In 11.8 of CUDA, too; of f64, and of
	// square roots, minima and products it concludes nothing.)
	{&absF32, lazy.Regexp{Expr: `\bselp\.f32(\s+%\w+), 0f(\w+), 0f(\w+), `}, "selp.b32${1}, 0x$2, 0x$3, "},
}

var absF32 = lazy.Regexp{Expr: `\babs(\.ftz)?\.f32\b`}

// A comparison that does not hold for a NaN, except in its last operand, and what
// stands behind the name of its opposite, which is negated.
const (
	ordered  = `(\.ftz)?\.f32(\s+)(%\w+), ([^,;]+), `
	opposite = "${1}.f32${2}$3, $4, $5; not.pred${2}$3, $3;"
)

// fixPTX replaces instructions that are assembled wrongly.
func fixPTX(text []byte) []byte {
	for i := range ptxFixes {
		f := &ptxFixes[i]
		if f.where == nil || f.where.Get().Match(text) {
			text = f.wrong.Get().ReplaceAll(text, []byte(f.right))
		}
	}
	for i := range ptxNeeds {
		n := &ptxNeeds[i]
		if n.what.Get().Match(text) {
			text = n.before.Get().ReplaceAll(text, []byte(".version "+n.version))
		}
	}
	return text
}

// ptxNeeds are what LLVM sees in assembly only, where it asks for the version that its own instructions need: the version
// that this came with.
var ptxNeeds = [...]struct {
	what    lazy.Regexp
	version string
	before  lazy.Regexp // older versions
}{
	{lazy.Regexp{Expr: `\.L1::evict_`}, "7.4", lazy.Regexp{Expr: `(?m)^\.version ([0-6]\.\d|7\.[0-3])$`}},
	{lazy.Regexp{Expr: `\.reg \.b128\b`}, "8.3", lazy.Regexp{Expr: `(?m)^\.version ([0-7]\.\d|8\.[0-2])$`}},
}
