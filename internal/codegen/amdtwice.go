package codegen

import (
	"strings"

	"heddle/internal/lazy"
)

// doubled is a sum of a value and itself that may be contracted, as may those of vectors.
var doubled = lazy.Regexp{Expr: `(?m)^( +%(?:"[^"\n]*"|[-\w$.]+) = fadd (?:[a-z]+ )*?)contract ((?:[a-z]+ )*?(?:float|double|half|<\d+ x (?:float|double|half)>) (%(?:"[^"\n]*"|[-\w$.]+)), (%(?:"[^"\n]*"|[-\w$.]+))(?:,.*)?)$`}

// keepDoubles keeps AMDGPU's instruction selection from taking x + x + y, and x + x - y, for the
// one operation 2x + y (SITargetLowering::performFAddCombine): no product is written there. Where x + x is infinite, 2x + y may be finite, and
// x + x - trunc(x + x), the fraction of math.Modf, is not a NaN.
func keepDoubles(text string) (kept string, ok bool) {
	kept = doubled.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := doubled.Get().FindStringSubmatch(line)
		if m[3] != m[4] || strings.Contains(m[1]+m[2], "ninf ") {
			return line
		}
		ok = true
		return m[1] + m[2]
	})
	return kept, ok
}
