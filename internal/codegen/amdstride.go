package codegen

import (
	"strings"

	"heddle/internal/lazy"
)

var (
	orDisjoint = lazy.Regexp{Expr: `^(\s+(` + valueName + `) = )or disjoint ((?:i32|i64) ` + valueName + `, \d+.*)$`}
	mulOf      = lazy.Regexp{Expr: `^\s+` + valueName + ` = mul (?:nuw |nsw )*(?:i32|i64) (` + valueName + `), (` + valueName + `)`}
)

// addForOr makes additions of or where no bit is in both operands, one is a number, and the
// result is a factor: LLVM's straight-line strength reduction makes (x+8)*n of x*n, but it
// knows (x|8)*n only if it finds out again that x has no such bit, and where that follows from
// a check it does not.
func addForOr(text string) (fixed string, ok bool) {
	if !strings.Contains(text, " = or disjoint i") {
		return text, false
	}
	fixed = eachFunction(text, func(body string) string {
		lines := strings.Split(body, "\n")
		factors := map[string]bool{}
		for _, line := range lines {
			if m := mulOf.Get().FindStringSubmatch(line); m != nil {
				factors[m[1]], factors[m[2]] = true, true
			}
		}
		for i, line := range lines {
			if m := orDisjoint.Get().FindStringSubmatch(line); m != nil && factors[m[2]] {
				lines[i], ok = m[1]+"add nuw nsw "+m[3], true
			}
		}
		return strings.Join(lines, "\n")
	})
	return fixed, ok
}
