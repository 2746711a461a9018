package codegen

import (
	"strconv"

	"heddle/internal/lazy"
)

const valueName = `%(?:"[^"\n]*"|[-\w$.]+)`

var (
	ballotOf = lazy.Regexp{Expr: `(?m)^( +)(` + valueName + ` = (?:[a-z]+ )*call (?:[a-z]+ )*i\d+ @llvm\.amdgcn\.ballot\.i\d+\(i1 )(` + valueName + `)(\).*)$`}
	differ   = lazy.Regexp{Expr: `(?m)^ +(` + valueName + `) = (?:fcmp (?:[a-z]+ )*one|xor i1) `}
)

// holdBallots keeps the comparison of a ballot as it is, which AMDGPU's instruction
// selection takes into the ballot: of "ordered and not equal" it makes v_cmp_neq, which
// holds for a NaN too, in place of v_cmp_lg (seen in 19 and 22; LLVM makes such of 0 < |x-y|,
// also under a not). The condition goes through an assembly of no instructions.
func holdBallots(text string) (fixed string, ok bool) {
	held := map[string]bool{}
	for _, m := range differ.Get().FindAllStringSubmatch(text, -1) {
		held[m[1]] = true // in whichever function
	}
	n := 0
	if len(held) == 0 {
		return text, false
	}
	fixed = ballotOf.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := ballotOf.Get().FindStringSubmatch(line)
		if !held[m[3]] {
			return line
		}
		n++
		k := strconv.Itoa(n)
		return m[1] + "%heddle.bit." + k + " = zext i1 " + m[3] + " to i32\n" +
			m[1] + "%heddle.held." + k + " = " + opaque(inVector, "i32", "%heddle.bit."+k) + "\n" +
			m[1] + "%heddle.vote." + k + " = icmp ne i32 %heddle.held." + k + ", 0\n" +
			m[1] + m[2] + "%heddle.vote." + k + m[4]
	})
	return fixed, n > 0
}
