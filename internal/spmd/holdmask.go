package spmd

import (
	"fmt"

	"heddle/internal/lazy"
)

var maskOfInt = lazy.Regexp{Expr: `(?m)^( +)(%(?:"[^"\n]*"|[-\w$.]+)) = bitcast i(\d+) (\S+) to <(\d+) x i1>(.*)$`}

// HasIntMasks reports whether code of a warp may have masks that HoldMasks is to hold, on a
// processor and with an LLVM release that need it.
func HasIntMasks(text, isa string, major int) bool {
	return isa == "x86-64-v4" && major == 19 && maskOfInt.Get().MatchString(text)
}

// HoldMasks keeps LLVM 19 from combining masks without end, on processors with mask
// registers (AVX-512). An "or" or "xor" of two masks made of integers, or the mask of
// an "or" or "xor" of such integers, is made one of integers by DAGCombiner
// (hoistLogicOpWithSameOpcodeHands) and one of masks again by X86's
// combineBitcastToBoolVector, if the masks have other uses (LLVM's issue 123333). So each
// such mask comes out of an assembly of no instructions, and the integer that it is made
// of, too.
//
// text is that of a module that is optimised: before, it would hide what a mask is. Masks of
// less than 8 lanes, which Vectorize makes for no processor with mask registers if it is not
// told to, stay as they are.
func HoldMasks(text string) string {
	names := 0
	return maskOfInt.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := maskOfInt.Get().FindStringSubmatch(line)
		if m[3] != m[5] || len(m[3]) == 1 && m[3] != "8" || len(m[3]) > 2 {
			return line // a mask of fewer lanes is part of a register, one of more than 64 several
		}
		names++
		return fmt.Sprintf(`%[1]s%%heddle.mask.%[2]d.int = call i%[3]s asm "", "=r,0"(i%[3]s %[4]s) nounwind readnone%[5]s
%[1]s%%heddle.mask.%[2]d.bits = bitcast i%[3]s %%heddle.mask.%[2]d.int to <%[3]s x i1>%[5]s
%[1]s%[6]s = call <%[3]s x i1> asm "", "=k,0"(<%[3]s x i1> %%heddle.mask.%[2]d.bits) nounwind readnone%[5]s`, m[1], names, m[3], m[4], m[6], m[2])
	})
}
