package codegen

import (
	"strings"

	"heddle/internal/abi"
	"heddle/internal/lazy"
)

// This file has the version of a kernel's section that is run as a rule (ssa2ir, bounded.go) come before the other one.
// AMDGPU makes one way of both where some lanes have left the kernel before, and puts first what a branch
// goes to if its condition does not hold. What is loaded behind the stores of the version that comes first may have changed, for all LLVM
// knows. So it would not be loaded once for all lanes:
//
//	%ok = icmp eq i32 %n, 0                    %ok = icmp ne i32 %n, 0
//	br i1 %ok, label %first, label %other  ->  br i1 %ok, label %other, label %first
//
// LLVM's passes turn it the other way, as it is here on the left.

var (
	decision = lazy.Regexp{Expr: `(?m)^  br i1 (` + valueName + `), label (` + valueName + `), label (` + valueName + `)(.*, !` + strings.ReplaceAll(abi.Decision, ".", `\.`) + ` .*)$`}
	weights  = lazy.Regexp{Expr: `, !prof !\d+`}
)

// turnDecisions turns such branches round.
func turnDecisions(text string) (turned string, ok bool) {
	if !strings.Contains(text, abi.Decision) {
		return text, false
	}
	funcs := strings.SplitAfter(text, "\n}\n")
	for i, f := range funcs {
		for _, m := range decision.Get().FindAllStringSubmatch(f, -1) {
			made := "  " + m[1] + " = icmp eq "
			if !strings.Contains(f, made) || uses(f, m[1]) != 2 {
				continue
			}
			f = strings.Replace(f, made, "  "+m[1]+" = icmp ne ", 1)
			f = strings.Replace(f, m[0], "  br i1 "+m[1]+", label "+m[3]+", label "+m[2]+weights.Get().ReplaceAllString(m[4], ""), 1)
			funcs[i], ok = f, true
		}
	}
	return strings.Join(funcs, ""), ok
}

// uses is how often a value's name stands in a text.
func uses(text, name string) (n int) {
	for rest := text; ; n++ {
		i := strings.Index(rest, name)
		if i < 0 {
			return n
		}
		rest = rest[i+len(name):]
		if rest != "" && strings.ContainsRune("-_.$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", rune(rest[0])) {
			n--
		}
	}
}
