package codegen

import (
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file has LLVM compute the square roots of what turns out to be a constant once loops are unrolled, and what is made of these. A root is an assembly on
// NVIDIA's GPUs, so that LLVM leaves it behind the condition that guards it (target.nvSqrt); of an assembly it knows nothing.
//
//	%d = call float asm "sqrt.rn.f32 $0, $1;", "=f,f"(float 4.0)   ->   %d = call float @llvm.sqrt.f32(float 4.0)   ->   2.0

var constantRoot = lazy.Regexp{Expr: `(call (float|double) )asm "sqrt\.rn\.f(32|64) \$0, \$1;", "=[fd],[fd]"(\((?:float|double) (?:\d[^ ,)]*|0x[0-7][0-9A-F]*)\))`}

// constantRoots is an optimised module without roots of constants.
func (r *Request) constantRoots(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if text := m.String(); r.level() == 0 || !strings.Contains(text, `asm "sqrt.rn.f`) || !constantRoot.Get().MatchString(text) {
		return m, nil
	}
	return r.rewritten(c, m, tm, knownRoots, "function(instcombine,early-cse,simplifycfg,instcombine,dce)")
}

// knownRoots makes roots of constants those that LLVM knows. ok is false if there are none.
func knownRoots(text string) (known string, ok bool) {
	known = constantRoot.Get().ReplaceAllString(text, `$1@llvm.sqrt.f$3$4`)
	if known == text {
		return text, false
	}
	for _, t := range [][2]string{{"32", "float"}, {"64", "double"}} {
		name := "@llvm.sqrt.f" + t[0] + "("
		if strings.Contains(known, name) && !strings.Contains(known, "declare "+t[1]+" "+name) {
			known += "\ndeclare " + t[1] + " " + name + t[1] + ")\n"
		}
	}
	return known, true
}
