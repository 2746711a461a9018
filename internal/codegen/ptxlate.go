package codegen

import (
	"slices"
	"strings"

	"heddle/internal/llvm"
)

// This file computes addresses that one store each uses where these stores stand. What a helper is handed as `&out[i]`, to store a result there when all is computed, has
// its address ahead of all that, and ptxas keeps each in two registers.
//
//	%q = getelementptr float, ptr addrspace(1) %out, i64 %i        ...
//	...                                                       ->   %q = getelementptr float, ptr addrspace(1) %out, i64 %i
//	store float %x, ptr addrspace(1) %q                            store float %x, ptr addrspace(1) %q

const (
	lateLines = 64 // how far behind its address a store stands
	lateMost  = 4  // from how many such addresses on a function has them later
)

// later is a module with such addresses. Where there are few it is left as it is.
func (r *Request) later(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if r.level() == 0 || strings.Count(m.String(), "store ") < lateMost {
		return m, nil
	}
	return r.rewritten(c, m, tm, lateAddresses, "")
}

// lateAddresses moves the addresses of a module after nameAll.
func lateAddresses(text string) (late string, ok bool) {
	late = eachFunction(text, func(body string) string {
		f := parseFlow(body)
		moved := f.lateStores()
		if len(moved) < lateMost {
			return body
		}
		ok = true
		for at, line := range moved {
			f.lines[at] = f.lines[line] + "\n" + f.lines[at]
		}
		for _, line := range moved {
			f.lines[line] = ""
		}
		return strings.Join(f.lines, "\n")
	})
	return late, ok
}

// lateStores are the lines of stores whose addresses are computed far ahead of them, with the lines of these.
func (f *flow) lateStores() map[int]int {
	used := map[string][]int{} // the lines that use a value
	block := make([]*flowBlock, len(f.lines))
	for n, b := range f.blocks {
		end := len(f.lines)
		if n+1 < len(f.blocks) {
			end = f.blocks[n+1].begin
		}
		for i := b.begin; i < end; i++ {
			block[i] = b
			for _, name := range namesIn(f.lines[i]) {
				if v := f.values[name]; v != nil && v.line != i {
					used[name] = append(used[name], i)
				}
			}
		}
	}
	f.nest(f.blocks, nil)
	moved := map[int]int{}
	for _, name := range f.order {
		v, at := f.values[name], used[name]
		if !strings.HasPrefix(v.text, "getelementptr ") || len(at) != 1 || at[0]-v.line < lateLines {
			continue
		}
		store := strings.TrimSpace(f.lines[at[0]])
		inside := !slices.ContainsFunc(block[at[0]].loops, func(l *flowLoop) bool { return !l.blocks[v.block] })
		if strings.HasPrefix(store, "store ") && strings.Contains(store, ", ptr addrspace(1) "+name+",") && inside {
			moved[at[0]] = v.line
		}
	}
	return moved
}
