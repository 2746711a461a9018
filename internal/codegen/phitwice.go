package codegen

import (
	"strings"

	"heddle/internal/lazy"
)

// This file makes entries of a phi for one block equal. LLVM 17's infer-address-spaces replaces some entries for a block that has several ways to the phi's, and not
// the others, by the same address made otherwise; its parser then ends the compilation.
//
//	phi ptr [ %a, %1 ], [ %b, %1 ]   ->   phi ptr [ %a, %1 ], [ %a, %1 ]

var phiEntry = lazy.Regexp{Expr: `\[ ((?:%"[^"]*"|[^ ,\]]+)), (%(?:"[^"]*"|[-\w$.]+)) \]`}

// equalEntries is a module's text with such entries equal.
func equalEntries(text string) string {
	if !strings.Contains(text, " = phi ptr ") {
		return text
	}
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		if !strings.Contains(line, " = phi ptr ") {
			continue
		}
		from := map[string]string{}
		lines[n] = phiEntry.Get().ReplaceAllStringFunc(line, func(entry string) string {
			m := phiEntry.Get().FindStringSubmatch(entry)
			if v, ok := from[m[2]]; ok {
				return "[ " + v + ", " + m[2] + " ]"
			}
			from[m[2]] = m[1]
			return entry
		})
	}
	return strings.Join(lines, "\n")
}
