// Package spmd turns the LLVM IR of one thread into that of a warp: it is the
// vectoriser of the cpu device.
//
// Values become vectors of a lane each, and conditions masks, as in ISPC
// (Pharr and Mark, "ispc: A SPMD Compiler for High-Performance CPU
// Programming", 2012). What is the same in all lanes stays scalar, addresses
// that follow each other become vector accesses, and branches that all lanes
// take alike stay branches:
//
//	package divergence      which values and branches are alike (Karrenberg and Hack, 2011)
//	fast.go                 blocks for when all lanes are active
//	mask.go                 masks, and the order of blocks (Moll and Hack, 2018)
//	inst.go, memory.go, atomic.go, call.go, memcpy.go, shuffle.go   one rule for each instruction
//	lanes.go, bytes.go      what is done lane by lane
//	together.go             atomic operations of many lanes at once
//	compare.go, usual.go    indices against lengths, by one lane; floats that are usual
//	chunk.go, record.go     addresses that differ by constants: shuffles, not gathers
//	wide.go, tile.go, step.go   gangs of many lanes, by the block's shape
//	whole.go                blocks that are one gang
//	one.go, cost.go, often.go   gangs of one lane, and when they are faster
//	switch.go               switches in them
//	runtime.go, barrier.go  blocks, barriers, panics
//	turns.go, several.go    loops that gangs go through by turns, of one block or of several
//	poll.go                 how loops, and long blocks, are ended early
//	trap.go                 checks that share the code which ends a launch
//
// A gang is the lanes that one call runs: a warp, or, where the lanes of a warp
// do nothing together, as many as suit the processor's registers, or one.
package spmd

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/spmd/divergence"

	"heddle/internal/spmd/ll"
)

// Version tells vectorisers apart: raise it when what Vectorize makes changes.
const Version = 39

// Options say what to make.
type Options struct {
	Kernel   string // the symbol of the kernel
	ISA      string // "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"
	WarpSize int    // 32 or 64
	Lanes    int    // threads that one call runs; 0: what suits kernel and ISA
}

// A vectorizer writes one module.
type vectorizer struct {
	o          Options
	n          int // lanes of a gang
	wide       int // of one where rows are long, 0: the same
	tileRows   int // rows of a wide gang where rows are short, 0: there are no such gangs
	whole      int // threads of a block that is one gang, 0: there are none; it has wholeRows rows: see whole.go
	wholeRows  int
	mod        *ll.Module
	declared   map[string]bool
	decls      bytes.Buffer
	funcs      bytes.Buffer
	gangs      map[*ll.Func]string // functions that a gang calls, and those yet to write
	lanesFuncs map[string]string   // functions that do something lane by lane, by their text
	queue      []*ll.Func
	barriers   bool
	stack      int64 // bytes of private arrays
	// waitsAnywhere: there is a loop that waits for other threads.
	waitsAnywhere bool
	takesTurns    bool // gangs do, in a loop: see turns.go
	// startsWithTurns: they do before the first barrier: see several.go.
	startsWithTurns bool
}

// Vectorize turns the module of a kernel for one thread into one that runs
// blocks: it defines what internal/abi's native.go says.
func Vectorize(text string, o Options) (out string, err error) {
	defer func() {
		if e := recover(); e != nil {
			if s, ok := e.(string); ok {
				err = fmt.Errorf("vectorising: %s", s)
				return
			}
			panic(e)
		}
	}()
	mod, err := ll.Parse(text)
	if err != nil {
		return "", fmt.Errorf("vectorising: %w", err)
	}
	kernel := mod.Func(o.Kernel)
	if kernel == nil || len(kernel.Blocks) == 0 {
		return "", fmt.Errorf("vectorising: the module does not define %s", o.Kernel)
	}
	v := &vectorizer{o: o, mod: mod, declared: map[string]bool{}, gangs: map[*ll.Func]string{}, lanesFuncs: map[string]string{}}
	v.n = o.Lanes
	if v.n == 0 {
		v.n = v.lanesFor()
		if v.oneIsBetter(kernel) {
			v.n = 1
		} else {
			v.wide = v.wideFor(kernel)
		}
	}
	v.kernel(kernel, narrowRow)
	if v.n > 1 {
		v.kernel(kernel, narrowAny)
	}
	if v.wide > 0 {
		v.kernel(kernel, wideRow)
		v.tileRows = v.tileRowsFor()
	}
	if v.tileRows > 0 {
		v.kernel(kernel, wideTile)
	}
	if v.findWhole(kernel); v.whole > 0 {
		v.kernel(kernel, block)
	}
	for len(v.queue) > 0 {
		f := v.queue[0]
		v.queue = v.queue[1:]
		v.function(f)
	}
	return v.module(kernel), nil
}

func (v *vectorizer) lanesFor() int {
	if v.warpOps() {
		return v.o.WarpSize
	}
	return registersOf(v.o.ISA).lanes
}

// declare is the name of a function of LLVM's or of the C library, declared at first use.
func (v *vectorizer) declare(signature string) string {
	i := strings.IndexByte(signature, '@')
	j := i + strings.IndexByte(signature[i:], '(')
	if name := signature[i:j]; !v.declared[name] && !strings.Contains(runtimeIR+barrierIR+haltIR, " "+signature[i:j]+"(") {
		v.declared[name] = true
		v.decls.WriteString("declare " + signature + "\n")
	}
	return signature[i:j]
}

//go:noinline
func (v *vectorizer) splatText(elem, x string) string {
	return "<" + strings.Repeat(", "+elem+" "+x, v.n)[2:] + ">"
}

// A variant is one form of the kernel.
type variant struct {
	suffix string
	rows   bool // for gangs that are complete and in one row
	wide   bool
	tile   bool // for gangs of whole rows of tileRow threads
	whole  bool // for gangs of whole blocks
}

var (
	narrowRow = variant{suffix: ".row", rows: true}
	narrowAny = variant{suffix: ".any"}
	wideRow   = variant{suffix: ".wide", rows: true, wide: true}
	wideTile  = variant{suffix: ".tile", rows: true, wide: true, tile: true}
)

// kernelName is the function that runs the kernel for a gang.
func (w variant) kernelName() string { return "@heddle.kernel" + w.suffix }

// lanes are those of a gang.
func (v *vectorizer) lanes(w variant) int {
	switch {
	case w.whole:
		return v.whole
	case w.wide:
		return v.wide
	}
	return v.n
}

// maxInlined is up to how many instructions a kernel is inlined into the loop over a
// block's gangs. What LLVM does at a loop it does for the loops around it, too, so that
// inside of that loop all loops of a kernel would take the square of their number.
const maxInlined = 1000

// kernel writes a variant of the kernel.
func (v *vectorizer) kernel(f *ll.Func, w variant) {
	narrow := v.n
	v.n = v.lanes(w)
	defer func() { v.n = narrow }()
	params := map[*ll.Param]divergence.Shape{}
	head := environment(v.n, w.rows)
	mask := v.fullMask()
	if !w.rows {
		mask = "%mask"
		head = append(head, fmt.Sprintf("<%d x i1> %%mask", v.n))
	}
	for _, p := range f.Params {
		params[p] = divergence.IsUniform
		head = append(head, p.Typ.Text+" %p."+p.Name)
	}
	tile := 0
	if w.tile || w.whole && v.wholeRows > 1 {
		tile = v.n / divergence.TileRow
	}
	stack := v.stack
	v.stack = 0
	e := v.newEmitter(divergence.Analyse(f, v.n, v.o.WarpSize, w.rows, tile, params), mask)
	e.isWhole = w.whole
	if v.n > 1 && w.rows && (w.wide || v.wide == 0) {
		e.findFast()
		if w.whole {
			e.findStreams()
		} else {
			e.findTurns()
		}
	}
	e.function()
	v.stack = max(v.stack, stack)
	inline := "alwaysinline"
	if size(f) > maxInlined {
		inline = "noinline"
	}
	v.funcs.WriteString(e.finish("define internal void " + w.kernelName() + "(" + strings.Join(head, ", ") + ") " + inline + " nounwind"))
}

// gang is the name of a function for a gang: it has a mask and vector parameters.
func (v *vectorizer) gang(f *ll.Func) string {
	if v.gangs[f] == "" {
		v.gangs[f] = "@" + quoted(f.Name+".gang")
		v.queue = append(v.queue, f)
	}
	return v.gangs[f]
}

func (v *vectorizer) function(f *ll.Func) {
	if v.n == 1 {
		v.functionOfOne(f)
		return
	}
	params := map[*ll.Param]divergence.Shape{}
	head := append(environment(v.n, false), fmt.Sprintf("<%d x i1> %%mask", v.n))
	for _, p := range f.Params {
		params[p] = divergence.IsVarying
		head = append(head, v.vec(p.Typ)+" %p."+p.Name)
	}
	e := v.newEmitter(divergence.Analyse(f, v.n, v.o.WarpSize, false, 0, params), "%mask")
	e.function()
	v.funcs.WriteString(e.finish("define internal " + v.vec(f.Ret) + " " + v.gangs[f] + "(" + strings.Join(head, ", ") + ") noinline nounwind"))
}

//go:noinline
func quoted(name string) string {
	plain := func(r rune) bool {
		return !(r == '_' || r == '.' || r == '$' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}
	if strings.ContainsFunc(name, plain) {
		return `"` + name + `"`
	}
	return name
}

// leading is the number that a text begins with, and whether it does.
func leading(text string) (n int64, ok bool) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	return n, err == nil
}

// module puts the parts together.
func (v *vectorizer) module(kernel *ll.Func) string {
	var b bytes.Buffer
	shared := v.sharedSize()
	for _, g := range v.mod.Globals {
		switch {
		case g.Name == "heddle_shared_size":
		case strings.HasPrefix(g.Name, "heddle_warp"), strings.HasPrefix(g.Name, "llvm."):
		default:
			b.WriteString(g.Line + "\n")
		}
	}
	how, barriers := "loop", 0
	if v.barriers {
		how, barriers = "fibers", 1
	}
	arrive, reopen, open := "", "", ""
	if v.takesTurns {
		arrive, reopen, open = arriveIR, strings.ReplaceAll(reopenIR, "$AGAIN", pick(v.atOnce() > 1, severalAgainIR, "")), openIR
		b.WriteString(strings.ReplaceAll(turnIR, "$MANY", fmt.Sprint(manyBlocks)))
		if !v.barriers {
			how, barriers, v.barriers = "turns", 1, true
		}
		barriers = v.atOnce()
	}
	b.WriteString(v.severalFuncs())
	waits, count := 0, ""
	if v.waitsAnywhere {
		waits, count = 1, countIR
	}
	fmt.Fprintf(&b, "@heddle_info = constant { i32, i32, i64, i64, i64 } { i32 %d, i32 %d, i64 %d, i64 %d, i64 %d }, align 8\n", v.n, barriers, shared, v.stack, waits)
	a := asmFor(v.o.ISA)
	num := func(n int) string { return fmt.Sprint(n) }
	b.WriteString(runtimeText(append(append(v.severalIR(), v.wholeShape()...), "$SWAP", asmText(a.swap), "$START", asmText(a.start), "$FRAME", num(a.frame), "$FN", num(a.fn),
		"$ARG0", num(a.arg0), "$ARG1", num(a.arg1), "$BACK", num(a.back), "$LANES", num(v.n), "$WIDE", num(max(v.n, v.wide)), "$ROWS", num(max(1, v.tileRows)), "$TILE", num(min(1, v.tileRows)*divergence.TileRow), "$HOW", how, "$COUNT", count,
		"$ARRIVE", arrive, "$REOPEN", reopen, "$OPEN", open)...))
	b.WriteString(v.gangText(kernel, (shared+15)&^15))
	b.WriteString(v.wideGangText(kernel, (shared+15)&^15))
	b.WriteString(v.wholeGangText(kernel, (shared+15)&^15))
	b.WriteString(v.funcs.String())
	b.WriteString(v.decls.String())
	b.WriteString("\n!0 = !{}\n" + likelyIR())
	if v.takesTurns {
		b.WriteString(unrollIR())
	}
	return b.String()
}

// A lineFunc writes a line of a function's text.
type lineFunc = func(format string, args ...any)

// gangFunc is the text of a function that runs a gang, whose body begins with
// what every gang needs: the fields of the launch and the kernel's arguments.
func (v *vectorizer) gangFunc(name string, kernel *ll.Func, static int64, body func(line lineFunc, label func(string), args []string)) string {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	attrs := "alwaysinline nounwind"
	if v.barriers {
		attrs = "nounwind"
	}
	if name == "@heddle.gang.block" && v.atOnce() > 1 {
		attrs = "noinline nounwind" // for the frames of others, which are many
	}
	fmt.Fprintf(&b, "define internal void %s(ptr %%launch, ptr %%worker, i32 %%block.x, i32 %%block.y, i32 %%block.z, i32 %%lin, i32 %%threads) %s {\n", name, attrs)
	field := func(name, typ, of string, at int64) {
		line("%%%s.p = getelementptr i8, ptr %%%s, i64 %d", name, of, at)
		line("%%%s = load %s, ptr %%%s.p, !invariant.load !0", name, typ, name)
	}
	field("args", "ptr", "launch", 56)
	field("dynsize", "i32", "launch", 28)
	v.sharedText(line)
	line("%%dynamic = getelementptr i8, ptr %%shared, i64 %d", static)
	for i, axis := range []string{"x", "y", "z"} {
		field("grid."+axis, "i32", "launch", 32+4*int64(i))
		field("dim."+axis, "i32", "launch", 44+4*int64(i))
	}
	body(line, func(name string) { b.WriteString(name + ":\n") }, v.arguments(kernel, line))
	b.WriteString("}\n\n")
	return b.String()
}

// threadText finds the place in the block of the gang's first thread, %lin.
func threadText(line lineFunc, label func(string)) {
	line("%%flat.yz = mul i32 %%dim.y, %%dim.z")
	line("%%flat = icmp eq i32 %%flat.yz, 1")
	line("br i1 %%flat, label %%line, label %%box")
	label("box")
	line("%%box.x = urem i32 %%lin, %%dim.x")
	line("%%box.r = udiv i32 %%lin, %%dim.x")
	line("%%box.y = urem i32 %%box.r, %%dim.y")
	line("%%box.z = udiv i32 %%box.r, %%dim.y")
	line("br label %%line")
	label("line")
	line("%%thread.x = phi i32 [ %%lin, %%0 ], [ %%box.x, %%box ]")
	line("%%thread.y = phi i32 [ 0, %%0 ], [ %%box.y, %%box ]")
	line("%%thread.z = phi i32 [ 0, %%0 ], [ %%box.z, %%box ]")
}

// gangText is the function that runs the gang whose first thread is %lin: it
// finds the threads' places in the block, and brings the arguments.
func (v *vectorizer) gangText(kernel *ll.Func, static int64) string {
	n := v.n
	return v.gangFunc("@heddle.gang", kernel, static, func(line lineFunc, label func(string), args []string) {
		line("%%left = sub i32 %%threads, %%lin")
		line("%%part = icmp ult i32 %%left, %d", n)
		line("%%left64 = zext i32 %%left to i64")
		line("%%bit = shl i64 1, %%left64")
		line("%%low = sub i64 %%bit, 1")
		line("%%full = select i1 %%part, i64 %%low, i64 %d", allOnes(n))
		threadText(line, label)
		if n == 1 {
			line("call void %s(%s)", narrowRow.kernelName(), strings.Join(append(environment(n, true), args...), ", "))
			line("ret void")
			return
		}
		line("%%end = add i32 %%thread.x, %d", n)
		line("%%fits = icmp ule i32 %%end, %%dim.x")
		line("%%skew = and i32 %%thread.x, %d", n-1)
		line("%%straight = icmp eq i32 %%skew, 0")
		line("%%row = and i1 %%fits, %%straight")
		line("br i1 %%row, label %%rows, label %%any")
		label("rows")
		line("call void %s(%s)", narrowRow.kernelName(), strings.Join(append(environment(n, true), args...), ", "))
		line("ret void")
		label("any")
		v.places(line)
		line("%%ids = icmp ult <%d x i32> %%lins, %%all", n)
		rest := append(environment(n, false), fmt.Sprintf("<%d x i1> %%ids", n))
		line("call void %s(%s)", narrowAny.kernelName(), strings.Join(append(rest, args...), ", "))
		line("ret void")
	})
}

// wideGangText is the same for wide gangs, which are always complete and in one row.
func (v *vectorizer) wideGangText(kernel *ll.Func, static int64) string {
	return v.gangFunc("@heddle.gang.wide", kernel, static, func(line lineFunc, label func(string), args []string) {
		if v.wide == 0 {
			line("unreachable")
			return
		}
		line("%%full = add i64 %d, 0", allOnes(v.wide))
		threadText(line, label)
		all := strings.Join(append(environment(v.wide, true), args...), ", ")
		if v.tileRows > 0 {
			line("%%short = icmp eq i32 %%dim.x, %d", divergence.TileRow)
			line("br i1 %%short, label %%tile, label %%row")
			label("tile")
			line("call void %s(%s)", wideTile.kernelName(), all)
			line("ret void")
			label("row")
		}
		line("call void %s(%s)", wideRow.kernelName(), all)
		line("ret void")
	})
}

func allOnes(n int) int64 {
	if n == 64 {
		return -1
	}
	return 1<<n - 1
}

// places computes each lane's place in the block. Quotients of numbers below
// 2^12 by single-precision division are exact once a half is added.
func (v *vectorizer) places(line lineFunc) {
	n := v.n
	i, f := fmt.Sprintf("<%d x i32>", n), fmt.Sprintf("<%d x float>", n)
	splat := func(name, x string) {
		line("%%%s.1 = insertelement %s poison, i32 %s, i64 0", name, i, x)
		line("%%%s = shufflevector %s %%%s.1, %s poison, %s zeroinitializer", name, i, name, i, i)
	}
	splat("lins0", "%lin")
	var iota bytes.Buffer
	for l := range n {
		fmt.Fprintf(&iota, ", i32 %d", l)
	}
	line("%%lins = add %s %%lins0, <%s>", i, iota.String()[2:])
	splat("all", "%threads")
	divide := func(q, r, x, by string) {
		line("%%%s.f = uitofp %s %%%s to %s", q, i, x, f)
		line("%%%s.h = fadd %s %%%s.f, %s", q, f, q, v.splatText("float", "5.000000e-01"))
		line("%%%s.d = uitofp %s %%%s to %s", q, i, by, f)
		line("%%%s.q = fdiv %s %%%s.h, %%%s.d", q, f, q, q)
		line("%%%s = fptoui %s %%%s.q to %s", q, f, q, i)
		line("%%%s.m = mul %s %%%s, %%%s", q, i, q, by)
		line("%%%s = sub %s %%%s, %%%s.m", r, i, x, q)
	}
	splat("dims.x", "%dim.x")
	splat("dims.y", "%dim.y")
	divide("above", "thread.x.v", "lins", "dims.x")
	divide("thread.z.v", "thread.y.v", "above", "dims.y")
}

// arguments loads the kernel's arguments from their block, and returns them
// with their types.
func (v *vectorizer) arguments(kernel *ll.Func, line lineFunc) []string {
	var out []string
	at := 0
	for n, p := range kernel.Params {
		size, align := p.Typ.Size(), p.Typ.Align()
		if p.ByRef != nil {
			size, align = p.ByRef.Size(), p.ByRef.Align()
			for f := range strings.SplitSeq(p.Attrs, "align ") {
				if a, ok := leading(f); ok {
					align = int(a)
				}
			}
		}
		at = (at + align - 1) / align * align
		if p.ByRef != nil {
			line("%%arg%d = getelementptr i8, ptr %%args, i64 %d", n, at)
		} else {
			line("%%arg%d.p = getelementptr i8, ptr %%args, i64 %d", n, at)
			line("%%arg%d = load %s, ptr %%arg%d.p, !invariant.load !0", n, p.Typ.Text, n)
		}
		out = append(out, fmt.Sprintf("%s %%arg%d", p.Typ.Text, n))
		at += size
	}
	return slices.Clip(out)
}
