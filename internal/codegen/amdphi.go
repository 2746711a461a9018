package codegen

import (
	"slices"
	"strings"
)

// This file keeps AMDGPU's back end from losing a value that some lanes bring to a phi
// past code that other lanes run.
//
// A phi to which lanes of one wavefront come with the same value, and others with none,
// is in a scalar register. Where those with the value skip the code of the others, the
// register must be kept for them: AMDGPURewriteUndefForPHI, in releases 17 to 19 at least,
// puts the value in the phi's place. It judges all phis before it changes the first: one that
// becomes such a phi by its changes stays as it is, and the code of the other lanes may
// overwrite the register. As the pass stands in LLVM's sources of 2026, none has repaired
// that. There are two ways to become one:
//
//   - What a loop's phi brings out of the loop differs between the lanes, which leave
//     it one after another; the constant that takes the phi's place does not. So loops get
//     their one exit, as they do later, while LLVM can still take what is a constant out.
//   - A phi of two values, of which the first takes the second's place, becomes one of
//     one value. They were the same in a phi that the pass for structured control flow
//     took into pieces, or in one that is a value of it. So a value that comes to such
//     phis comes as a copy: with the releases that the fault is known in each, as that pass
//     also writes twice what comes once; with others, one that comes twice.

// oneExit gives each loop one exit, as AMDGPU's back end does, and takes constants, and
// what is made before the loop, from the phis that this makes. A pass was renamed.
func oneExit(major int) string {
	lower := "lower-switch"
	if major < 19 {
		lower = "lowerswitch"
	}
	return "function(" + lower + ",fix-irreducible,unify-loop-exits,instsimplify,lcssa)"
}

// leaveTwoWays reports whether a module has a loop that lanes leave one after another, to
// several blocks, or that has several heads.
func leaveTwoWays(text string) bool {
	found := false
	eachFunction(text, func(body string) string {
		if !found && branches(body) {
			f := parseFlow(body)
			f.nest(f.blocks, nil)
			f.findDiffering()
			found = slices.ContainsFunc(f.blocks, func(b *flowBlock) bool {
				return slices.ContainsFunc(b.loops, func(l *flowLoop) bool {
					after := l.after()
					return l.entries > 1 || len(l.exits) > 0 && slices.ContainsFunc(after, func(s *flowBlock) bool { return s != after[0] })
				})
			})
		}
		return body
	})
	return found
}

// twice is how often a value comes to phis that are values of each other to be copied, for
// a release of LLVM.
func twice(major int) int {
	if 17 <= major && major <= 19 {
		return 1
	}
	return 2
}

// again counts how often phis that are values of each other have a value, by one of their
// names and the value's. It joins these phis to webs.
func (f *flow) again() map[[2]string]int {
	f.webs = map[string]string{}
	count := map[[2]string]int{}
	for _, join := range []bool{true, false} {
		for _, name := range f.order {
			_, in, _ := f.values[name].phi()
			for _, pair := range in {
				x := f.values[pair[0]]
				switch isPhi := x != nil && strings.HasPrefix(x.text, "phi "); {
				case isPhi && join:
					f.webs[f.web(pair[0])] = f.web(name)
				case !isPhi && !join && pair[0] != "undef" && pair[0] != "poison":
					count[[2]string{f.web(name), pair[0]}]++
				}
			}
		}
	}
	return count
}

// web is the name that stands for a phi and those joined with it.
func (f *flow) web(name string) string {
	for f.webs[name] != "" && f.webs[name] != name {
		name = f.webs[name]
	}
	return name
}
