package codegen

import (
	"bytes"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file avoids a fault of ptxas (CUDA 11.8, 12.4 and 13.0, and the driver's), at O2 and above. Where it unrolls a loop that counts down to
// a number's opposite, it forgets the minus in the bounds of the unrolled part: for i := n; i >= -n; i-- makes too few rounds. Of 3,968
// such loops that were tried on an H200 (two widths, four steps, eight starts, 31 limits) 458 were wrong. In all of them the limit is a
// neg, or what ptxas makes one of, such as 0-x and x*-1. -x+1, max(-x, c) and ^x+1 are right, and so the limit is written as the last:
//
//	neg.s64 %rd4, %rd3;  ->  not.b64 %rd4, %rd3;
//	                         add.s64 %rd4, %rd4, 1;

var (
	ptxNeg     = lazy.Regexp{Expr: `^\s*neg\.s(32|64)(\s+)(%\w+), ([^;]+);`}
	ptxCopy    = lazy.Regexp{Expr: `^\s*(?:mov\.[bsu](?:32|64)|cvt\.[su](?:32|64)\.[su](?:32|64))\s+(%\w+), (%\w+);`}
	ptxOrdered = lazy.Regexp{Expr: `^\s*setp\.(?:l[teos]|g[te]|h[is])(?:\.\w+)?\.[su](?:32|64)\s+[^,]+, ([^,]+), ([^,;]+)`}
)

// hideNegations is a module's text in which nothing is compared with a neg.
func hideNegations(text []byte) []byte {
	if !bytes.Contains(text, []byte("neg.s")) {
		return text
	}
	return eachPTX(text, hideNegationsOf)
}

// hideNegationsOf is hideNegations for the lines of a function.
func hideNegationsOf(lines []string) []string {
	if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, "neg.s") }) {
		return lines
	}
	copies := map[string][]string{} // the registers that a register is moved to
	compared := map[string]bool{}
	for _, line := range lines {
		if m := ptxCopy.Get().FindStringSubmatch(line); m != nil {
			copies[m[2]] = append(copies[m[2]], m[1])
		} else if m := ptxOrdered.Get().FindStringSubmatch(line); m != nil {
			compared[m[1]], compared[m[2]] = true, true
		}
	}
	out := slices.Clone(lines)
	for i, line := range lines {
		if m := ptxNeg.Get().FindStringSubmatch(line); m != nil && reaches(m[3], copies, compared) {
			out[i] = ptxNeg.Get().ReplaceAllString(line, "\tnot.b$1$2$3, $4;\n\tadd.s$1$2$3, $3, 1;")
		}
	}
	return out
}

// reaches reports whether a register, or one that it is moved to, is in a set.
func reaches(register string, copies map[string][]string, set map[string]bool) bool {
	todo := []string{register}
	for i := 0; i < len(todo); i++ {
		if set[todo[i]] {
			return true
		}
		for _, to := range copies[todo[i]] {
			if !slices.Contains(todo, to) {
				todo = append(todo, to)
			}
		}
	}
	return false
}
