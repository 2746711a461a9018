package spmd

import (
	"fmt"
	"strconv"
	"strings"

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
// text is that of a module that is optimised: before, it would hide what a mask is.
func HoldMasks(text string) string {
	names := 0
	return maskOfInt.Get().ReplaceAllStringFunc(text, func(line string) string {
		m := maskOfInt.Get().FindStringSubmatch(line)
		n, err := strconv.Atoi(m[3])
		if err != nil || n < 2 || m[3] != m[5] {
			return line
		}
		names++
		var w strings.Builder
		let := func(suffix, format string, args ...any) string {
			name := fmt.Sprintf("%%heddle.mask.%d.%s", names, suffix)
			fmt.Fprintf(&w, "%s%s = %s%s\n", m[1], name, fmt.Sprintf(format, args...), m[6])
			return name
		}
		x, bits := m[4], n
		if n < 8 { // the smallest mask that a register holds
			bits = 8
			x = let("wide", "zext i%d %s to i8", n, x)
		}
		x = let("int", `call i%[1]d asm "", "=r,0"(i%[1]d %[2]s) nounwind readnone`, bits, x)
		x = let("bits", "bitcast i%[1]d %[2]s to <%[1]d x i1>", bits, x)
		hold := fmt.Sprintf(`call <%[1]d x i1> asm "", "=k,0"(<%[1]d x i1> %[2]s) nounwind readnone`, bits, x)
		if n < 8 {
			lanes := make([]string, n)
			for l := range lanes {
				lanes[l] = fmt.Sprintf("i32 %d", l)
			}
			hold = fmt.Sprintf("shufflevector <8 x i1> %s, <8 x i1> poison, <%d x i32> <%s>", let("held", "%s", hold), n, strings.Join(lanes, ", "))
		}
		return w.String() + m[1] + m[2] + " = " + hold + m[6]
	})
}
