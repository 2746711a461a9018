package codegen

import (
	"bytes"
	"strings"

	"heddle/internal/lazy"
)

// This file leaves out what LLVM asks before an approximate square root: whether the number is 0. It does so for processors that multiply by a reciprocal
// root. sqrt.approx.ftz of 0 is 0 (PTX ISA, "sqrt"), and signs of 0 do not count where roots are approximate.
//
//	setp.eq.ftz.f32 %p1, %f1, 0f00000000;
//	sqrt.approx.ftz.f32 %f2, %f1;
//	selp.f32 %f3, 0f00000000, %f2, %p1;    ->  mov.f32 %f3, %f2;

var (
	ptxZero   = lazy.Regexp{Expr: `^\s*setp\.eq\.ftz\.f32\s+(%\w+), (%\w+), 0f00000000;`}
	ptxRoot   = lazy.Regexp{Expr: `^\s*sqrt\.approx\.ftz\.f32\s+(%\w+), (%\w+);`}
	ptxUnless = lazy.Regexp{Expr: `^\s*selp\.f32\s+(%\w+), 0f00000000, (%\w+), (%\w+);`}
)

// plainRoots is a module's text without that question.
func plainRoots(text []byte) []byte {
	if !bytes.Contains(text, []byte("sqrt.approx.ftz.f32")) {
		return text
	}
	return eachPTX(text, func(lines []string) []string {
		var zero, root []string // the last two lines, where they are of this kind
		for i, line := range lines {
			if m := ptxZero.Get().FindStringSubmatch(line); m != nil {
				zero, root = m, nil
				continue
			}
			if m := ptxRoot.Get().FindStringSubmatch(line); m != nil && zero != nil && m[2] == zero[2] {
				root = m
				continue
			}
			if m := ptxUnless.Get().FindStringSubmatch(line); m != nil && root != nil && m[2] == root[1] && m[3] == zero[1] {
				lines[i] = "\tmov.f32 \t" + m[1] + ", " + m[2] + ";\n"
			}
			if !strings.Contains(line, ".loc") {
				zero, root = nil, nil
			}
		}
		return lines
	})
}
