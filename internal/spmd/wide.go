package spmd

import (
	"slices"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/ops"
	"heddle/internal/spmd/ll"
)

// This file chooses how many lanes a gang has where a block's rows are long.
// Wide gangs share addresses, checks and barriers, and each of their accesses
// is to several lines of memory at once; but their values need more registers.

// vectorRegisters are those of an instruction set.
type vectorRegisters struct {
	isa   string
	count int
	bytes int // of one
	// lanes are those of a gang where the lanes of a warp do nothing together.
	lanes int
}

// bits are those of all registers.
func (r vectorRegisters) bits() int { return r.count * r.bytes * 8 }

// registersOf are the vector registers of an instruction set, none of one that is not known.
//
//go:noinline
func registersOf(isa string) vectorRegisters {
	for _, r := range [...]vectorRegisters{{"x86-64-v4", 32, 64, 16}, {"x86-64-v3", 16, 32, 8}, {"x86-64-v2", 16, 16, 8}, {"aarch64", 32, 16, 8}} {
		if r.isa == isa {
			return r
		}
	}
	return vectorRegisters{}
}

const (
	widest = 64 // lanes: a mask is an i64
	// largest is up to how many instructions a kernel is compiled for wide gangs, too.
	largest = 3000
	// maxLaneAccesses is up to how many accesses of single lanes a kernel is compiled for wide
	// gangs, too.
	maxLaneAccesses = 4096
	// nearby are bytes of private arrays that the cache next to the processor holds.
	nearby = 32 << 10
)

// wideFor is how many lanes suit the kernel where rows are long, 0 if no more than elsewhere.
func (v *vectorizer) wideFor(f *ll.Func) int {
	if v.warpOps() || v.calls(f) {
		return 0
	}
	params := map[*ll.Param]divergence.Shape{}
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
	}
	most := widest
	if v.mayWait() {
		most = min(most, v.o.WarpSize)
	}
	for n := most; n > v.n; n /= 2 {
		a := divergence.Analyse(f, n, v.o.WarpSize, true, 0, params)
		arrays := 0
		for _, p := range a.Private {
			arrays += p.Size
		}
		if n*scattered(a, v.o.ISA) > maxLaneAccesses {
			continue
		}
		if n*a.Pressure() <= registersOf(v.o.ISA).bits()*3/4 && n*arrays <= nearby {
			return n
		}
	}
	return 0
}

// tileRowsFor is of how many rows wide gangs consist where rows are short, 0 if the
// kernel does not ask for rows.
func (v *vectorizer) tileRowsFor() int {
	if v.wide > divergence.TileRow && v.asksForRows() {
		return v.wide / divergence.TileRow
	}
	return 0
}

// gathers reports whether a processor has gathers and scatters of a type.
func gathers(isa string, t *ll.Type) bool { return isa == "x86-64-v4" && t.Size() >= 4 }

// scattered counts the gathers and scatters that become accesses of each lane.
func scattered(a *divergence.Analysis, isa string) (n int) {
	for _, b := range a.Order {
		for _, i := range b.Insts {
			var p ll.Value
			var t *ll.Type
			switch i.Op {
			case "load":
				p, t = i.Args[0], i.Typ
			case "store":
				p, t = i.Args[1], i.Args[0].Type()
			default:
				continue
			}
			if s := a.ShapeOf(p); !gathers(isa, t) && (s.Kind == divergence.Varying && !s.Rows || s.Kind == divergence.Linear && s.Stride != int64(t.Size())) {
				n++
			}
		}
	}
	return n
}

// calls reports whether f calls functions of the module, or is too large to be compiled more often.
func (v *vectorizer) calls(f *ll.Func) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Insts {
			if g := v.mod.Func(i.Callee); i.Op == "call" && g != nil && len(g.Blocks) > 0 {
				return true
			}
		}
	}
	return size(f) > largest
}

// size is the number of f's instructions.
func size(f *ll.Func) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Insts)
	}
	return n
}

// warpOps reports whether the lanes of a warp do something together.
func (v *vectorizer) warpOps() bool {
	return v.some(func(i *ll.Inst) bool { return strings.HasPrefix(i.Callee, ops.Prefix) && ops.Of(i.Callee).ByWarp() })
}

// some reports whether is holds for an instruction of the module, and asks no further.
//
//go:noinline
func (v *vectorizer) some(is func(i *ll.Inst) bool) bool {
	for _, f := range v.mod.Funcs {
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Insts, is) {
				return true
			}
		}
	}
	return false
}

// mayWait reports whether a thread may wait for another by looking at memory
// again and again: then those of different warps must not run in lockstep.
func (v *vectorizer) mayWait() bool {
	used := map[ll.Value]bool{}
	v.some(func(i *ll.Inst) bool {
		for _, x := range i.Args {
			used[x] = true
		}
		return false
	})
	return v.some(func(i *ll.Inst) bool {
		switch i.Op {
		case "load":
			return i.Ordering != "" || i.Volatile
		case "atomicrmw", "cmpxchg":
			return used[i]
		}
		return false
	})
}
