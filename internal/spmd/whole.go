package spmd

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/ops"
	"heddle/internal/spmd/divergence"
	"heddle/internal/spmd/ll"
)

// This file lets one gang be a whole block, where blocks have barriers and most of their
// values fit the registers. Then a barrier is nothing: no gang waits for another, no stacks
// are changed, and nothing is spilled there. As many sums as the block has rows are under way at once,
// and what its rows share is read once.
//
// Such gangs are for blocks of one size and shape: 256 threads, in rows of 16 if the kernel
// asks for rows, and in one row if not.

// usualBlock is how many threads such a block has.
const usualBlock = 256

// blocksOf is what Blocks says, 0 if it was not called.
var blocksOf int

// Blocks makes gangs of whole blocks of so many threads for all kernels that may have them: for tests, as Always.
func Blocks(threads int) { blocksOf = threads }

// block is the variant that has a whole block in a gang. It is a tile where blocks have rows.
var block = variant{suffix: ".block", rows: true, wide: true, whole: true}

// findWhole finds whether the kernel has that variant, and whether it is a tile.
func (v *vectorizer) findWhole(f *ll.Func) {
	if v.n == 1 || v.o.Lanes > 0 || v.calls(f) || v.mayWait() {
		return
	}
	threads, rows := usualBlock, v.asksForRows()
	if blocksOf > 0 {
		threads, rows = blocksOf, rows != (len(f.Blocks)%2 > 0)
	} else if !v.hasBarriers() {
		return
	}
	params := map[*ll.Param]divergence.Shape{}
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
	}
	tile := pick(rows, threads/divergence.TileRow, 0)
	a := divergence.Analyse(f, threads, v.o.WarpSize, true, tile, params)
	if exchangesByLane(a) || blocksOf == 0 && (len(a.Private) > 0 || threads*a.Pressure() > registersOf(v.o.ISA).bits() || goesByLane(a, v.o.ISA)) {
		return
	}
	v.whole, v.wholeRows = threads, max(1, tile)
	v.barriers = true // such blocks run as those with barriers
}

// asksForRows reports whether the kernel asks for a thread's row.
func (v *vectorizer) asksForRows() bool {
	return v.some(func(i *ll.Inst) bool { return i.Callee == "heddle.thread.y" })
}

// exchangesByLane reports whether lanes of a warp do more together than to shuffle by constants.
func exchangesByLane(a *divergence.Analysis) bool {
	return anyInst(a, func(i *ll.Inst) bool {
		if i.Op != "call" || !strings.HasPrefix(i.Callee, ops.Prefix) || !ops.Of(i.Callee).ByWarp() {
			return false
		}
		n := pick(strings.HasPrefix(i.Callee, "heddle.shuffle."), len(i.Args), 0)
		return n != 3 || divergence.Constant(i.Args[1]) == nil || divergence.Constant(i.Args[2]) == nil
	})
}

func anyInst(a *divergence.Analysis, is func(i *ll.Inst) bool) bool {
	return slices.ContainsFunc(a.Order, func(b *ll.Block) bool { return slices.ContainsFunc(b.Insts, is) })
}

// goesByLane reports whether there is something that is done lane by lane, or as slowly: where a processor
// has gathers and scatters, some outside of loops are none.
func goesByLane(a *divergence.Analysis, isa string) bool {
	const few = 2
	n := 0
	byLane := func(i *ll.Inst, p ll.Value, t *ll.Type) bool {
		if i.Ordering != "" || i.Volatile {
			return true
		}
		if !a.InRegisters(p, t) {
			n++
			return !gathers(isa, t) || a.Loops[i.Block.Index] != nil || n > few
		}
		return false
	}
	return anyInst(a, func(i *ll.Inst) bool {
		switch i.Op {
		case "load":
			return byLane(i, i.Args[0], i.Typ)
		case "store":
			return byLane(i, i.Args[1], i.Args[0].Type())
		case "atomicrmw", "cmpxchg", "fence", "frem":
			return true
		case "call":
			return i.Callee != "heddle.panic" && !strings.HasPrefix(i.Callee, "heddle.barrier") && !isSilent(i.Callee)
		}
		return isDividedByLane(a, i)
	})
}

// barrierOfOne is a barrier in a block of one gang: all lanes reach it, or it is an error.
func (e *emitter) barrierOfOne(i *ll.Inst) {
	m := e.mask()
	if !e.isFull(m) {
		name, bits := e.fresh("whole"), e.bits(m)
		e.line("br i1 %s, label %%%s.all, label %%%s.some", e.let("icmp eq i%d %s, -1", e.n, bits), name, name)
		e.label(name + ".some")
		f := e.declare(fmt.Sprintf("i%d @llvm.ctpop.i%d(i%d)", e.n, e.n, e.n))
		some := e.let("trunc i%d %s to i32", e.n, e.let("call i%d %s(i%d %s)", e.n, f, e.n, bits))
		site := e.scalar(i.Args[len(i.Args)-1])
		e.line("call void @heddle.stuck(ptr %%launch, ptr %%worker, %s, i64 %s, i32 %s)", site, e.let("zext i32 %s to i64", some), e.firstLane(bits))
		e.line("unreachable")
		e.label(name + ".all")
	}
	e.line("fence syncscope(\"singlethread\") seq_cst")
	if i.Callee == "heddle.barrier.count" {
		f := e.declare(fmt.Sprintf("i%d @llvm.ctpop.i%d(i%d)", e.n, e.n, e.n))
		bits := e.bits(e.vector(i.Args[0]))
		e.set(i, e.let("trunc i%d %s to i32", e.n, e.let("call i%d %s(i%d %s)", e.n, f, e.n, bits)))
	}
}

// wholeGangText is the function that runs a gang that is a whole block.
func (v *vectorizer) wholeGangText(kernel *ll.Func, static int64) string {
	return v.gangFunc("@heddle.gang.block", kernel, static, func(line lineFunc, _ func(string), args []string) {
		if v.whole == 0 {
			line("unreachable")
			return
		}
		line("%%full = add i64 -1, 0")
		for _, axis := range []string{"x", "y", "z"} {
			line("%%thread.%s = add i32 0, 0", axis)
		}
		line("call void %s(%s)", block.kernelName(), strings.Join(append(environment(v.whole, true), args...), ", "))
		line("ret void")
	})
}

// wholeShape are the runtime's figures of such blocks: the threads, and the shape.
func (v *vectorizer) wholeShape() []string {
	rows := max(1, v.wholeRows)
	return []string{"$WHOLE", fmt.Sprint(v.whole), "$DOWN", fmt.Sprint(rows), "$ACROSS", fmt.Sprint(v.whole / rows)}
}
