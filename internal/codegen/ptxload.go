package codegen

import (
	"strconv"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

var byteVector = lazy.Regexp{Expr: `(?m)^( +)(%(?:"[^"\n]*"|[-\w$.]+)) = load (volatile )?<16 x i8>, (ptr[^\n]*?), align ([1248])\b(.*)$`}

// fixNVPTX rewrites what NVPTX's back end would make wrong code of, in an optimised
// module's text: LLVM 19 loads 16 bytes at once, whatever their alignment, which the GPU
// refuses (CUDA_ERROR_MISALIGNED_ADDRESS). It does not do so with four words.
//
//	%v = load <16 x i8>, ptr %p, align 4
//	-> %heddle.words.1 = load <4 x i32>, ptr %p, align 4
//	   %v = bitcast <4 x i32> %heddle.words.1 to <16 x i8>
//
// It computes addresses from others (ptxnear.go), says which lanes take part in operations of a warp (ptxmask.go), and keeps ptxas from
// rotating, and LLVM from losing signs (ptxshift.go). What is left out of a structure is loaded with it (ptxwhole.go). Memory of a known size it sets and copies by wide loads and stores (ptxmem.go).
func (r *Request) fixNVPTX(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, _ int) (*llvm.Module, error) {
	text := equalEntries(m.String())
	masked := false
	if strings.Contains(text, "activemask.b32") {
		if err := m.RunPasses(lcssa, tm); err != nil {
			return nil, err
		}
		text, masked = placeMasks(equalEntries(m.String()))
	}
	text, split := splitByteVectors(text)
	text, parted := partShifts(text)
	text, alone := partDifferences(text)
	text, signed := shiftWhole(text)
	text, widened := widenMemory(text)
	text, whole := wholeLoads(text)
	if split || masked || parted || alone || signed || widened || whole {
		var err error
		if m, err = c.ParseIR(r.Kernel+".ll", []byte(text)); err != nil {
			return nil, err
		}
	}
	m, err := r.later(c, m, tm)
	if err != nil {
		return nil, err
	}
	return r.nearer(c, m, tm)
}

// splitByteVectors rewrites the loads of a module's text for fixNVPTX.
func splitByteVectors(text string) (fixed string, ok bool) {
	if !strings.Contains(text, "<16 x i8>, ptr") {
		return text, false
	}
	n := 0
	fixed = byteVector.Get().ReplaceAllStringFunc(text, func(line string) string {
		n++
		words := "%heddle.words." + strconv.Itoa(n)
		return byteVector.Get().ReplaceAllString(line,
			"${1}"+words+" = load ${3}<4 x i32>, ${4}, align ${5}${6}\n${1}${2} = bitcast <4 x i32> "+words+" to <16 x i8>")
	})
	return fixed, n > 0
}
