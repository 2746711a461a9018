package codegen

import (
	"strconv"

	"heddle/internal/llvm"
)

// fixAMD rewrites what AMDGPU's back end would make wrong code of, in an
// optimised module's text.
func (r *Request) fixAMD(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	text, divided := expandDivisions(m.String())
	text, exchanged := exchangeStores(text)
	if !divided && !exchanged {
		return m, nil
	}
	m, err := c.ParseIR(r.Kernel+".ll", []byte(text))
	if err != nil {
		return nil, err
	}
	return m, m.RunPasses(divisionPasses(r.level()), tm)
}

var atomicStore = lazyRegexp(`(?m)^( +)store atomic ([^ ]+ [^ ,]+), (ptr.*?)( syncscope\("[^"]*"\))? (monotonic|release), (align \d+.*)$`)

// exchangeStores makes exchanges again of what LLVM before release 16 takes for
// stores, as nobody wants the old value. A store of LDS has no mark that it is
// atomic, so that the emulator would take two of them for a race.
func exchangeStores(text string) (fixed string, ok bool) {
	n := 0
	fixed = atomicStore().ReplaceAllStringFunc(text, func(line string) string {
		n++
		return atomicStore().ReplaceAllString(line, "${1}%heddle.old."+strconv.Itoa(n)+" = atomicrmw xchg ${3}, ${2}${4} ${5}, ${6}")
	})
	return fixed, n > 0
}
