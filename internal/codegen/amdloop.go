package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file keeps AMDGPU's back end from giving every lane the last value of a loop that
// the lanes leave one after another. What is the same for all lanes within the loop, as x
// is in
//
//	for range n[lane] { x = x*5 + 1 }
//	out[lane] = x
//
// is in a scalar register, and each lane needs a copy of it as it leaves. In releases to
// 20, SIFoldOperands takes the register for its copy where the copy is part of a longer
// value, after the loop (llvm-project's pull request 136003); in releases to 22 it does so
// where the copy has another use (203256). So such a value goes through an assembly of no
// instructions before the lanes part, which LLVM must not move and whose result is in a
// vector register. That is the copy that LLVM makes, too.
//
// Which values and which loops are concerned is judged with care on both sides. What
// differs between lanes within the loop is in a vector register already. What leaves a
// loop that all lanes leave at once stays in a scalar one: a copy of it would make LLVM
// take it, and the loops and branches that depend on it, for different between lanes.

// lcssa is the pass that gives a value that leaves a loop a phi there.
const lcssa = "function(lcssa)"

// keepLoopValues rewrites the phis after loops of a module after lcssa, and those of
// amdphi.go, for a release of LLVM. plain says that LLVM has not optimised the module. ok is false
// if it has none that needs it.
func keepLoopValues(text string, major int, plain bool) (kept string, ok bool) {
	names, often := 0, twice(major)
	kept = eachFunction(text, func(body string) string {
		if !branches(body) {
			return body
		}
		f := parseFlow(body)
		f.settled = major < 20 && !plain
		if f.keep(&names, often, plain) {
			body, ok = strings.Join(f.lines, "\n"), true
		}
		return body
	})
	return kept, ok
}

// branches reports whether a text has branches that part lanes.
func branches(text string) bool {
	return strings.Contains(text, " br i1 ") || strings.Contains(text, " switch ")
}

// eachFunction rewrites the functions of a module, each from the newline before it to its
// last instruction.
func eachFunction(text string, rewrite func(body string) string) string {
	var b bytes.Buffer
	for {
		begin := strings.Index(text, "\ndefine ")
		if begin < 0 {
			break
		}
		end := strings.Index(text[begin:], "\n}")
		if end < 0 {
			break
		}
		end += begin
		b.WriteString(text[:begin])
		b.WriteString(rewrite(text[begin:end]))
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

// keep sends the values through assemblies; it reports whether there were any. Phis by
// which lanes differ have theirs kept that come to them or their web so often.
func (f *flow) keep(names *int, often int, plain bool) bool {
	f.nest(f.blocks, nil)
	f.findDiffering()
	f.findVectors()
	again := f.again()
	before := map[int][]string{} // new lines, by that which they precede
	done := map[[3]string]string{}
	for _, name := range f.order {
		v := f.values[name]
		typ, in, ok := v.phi()
		if !ok {
			continue
		}
		for _, pair := range in {
			x, from := f.values[pair[0]], f.label[pair[1]]
			if from == nil || f.staysVector(pair[0], plain) || !(x != nil && f.part(x.block, from, v.block) || f.differs[name] && again[[2]string{f.web(name), pair[0]}] >= often) {
				continue
			}
			key := [3]string{typ, pair[0], pair[1]}
			kept, ok := done[key]
			if !ok {
				var lines []string
				if lines, kept = copyToVector(typ, pair[0], names); lines == nil {
					continue
				}
				at := from.end
				if cond := f.values[from.cond]; (typ == "i1" || strings.HasSuffix(typ, " x i1>")) && cond != nil && cond.block == from && !strings.HasPrefix(cond.text, "phi ") {
					// SILowerI1Copies merges it with other lanes' before what compares for
					// the branch, wherever it is computed (llvm-project's pull request 179267).
					if x != nil && x.block == from && x.line > cond.line {
						f.moveDown(cond)
					}
					at = cond.line
				}
				before[at] = append(before[at], lines...)
				done[key] = kept
			}
			f.lines[v.line] = strings.Replace(f.lines[v.line], "[ "+pair[0]+", "+pair[1]+" ]", "[ "+kept+", "+pair[1]+" ]", 1)
		}
	}
	if len(before) == 0 {
		return false
	}
	var all []string
	for i, line := range f.lines {
		all = append(append(all, before[i]...), line)
	}
	f.lines = all
	return true
}

// moveDown moves a condition to the end of its block, if nothing there but its branch has a use for it.
func (f *flow) moveDown(cond *flowValue) {
	end := cond.block.end
	line := f.lines[cond.line]
	name := strings.TrimSpace(line[:strings.Index(line, " = ")])
	for _, l := range f.lines[cond.line+1 : end] {
		if slices.Contains(namesIn(l), name) {
			return
		}
	}
	for at := cond.line; at < end-1; at++ {
		f.lines[at] = f.lines[at+1]
	}
	f.lines[end-1] = line
	for _, v := range f.values {
		if v.block == cond.block && v.line > cond.line && v.line < end {
			v.line--
		}
	}
	cond.line = end - 1
}

// copyToVector is a copy of a value in vector registers, made by assemblies that LLVM
// knows nothing of, where it stands. lines is nil for what no register holds, and for a
// condition that is no constant, which LLVM keeps lane by lane.
func copyToVector(typ, value string, names *int) (lines []string, copied string) {
	n := typeBits(typ)
	if n == 0 || n == 1 && value[0] == '%' {
		return nil, ""
	}
	w := &irLines{names: names}
	if (n == 32 || n == 64) && typ[0] != '<' {
		return w.done(w.assembly(typ, value))
	}
	if n == 1 {
		return w.done(w.let("icmp ne i32 %s, 0", w.assembly("i32", strconv.Itoa(b2i(value == "true")))))
	}
	number, x := fmt.Sprintf("i%d", n), value
	if typ != number {
		x = w.let("bitcast %s %s to %s", typ, x, number)
	}
	words := (n + 31) / 32
	wide := fmt.Sprintf("i%d", words*32)
	if wide != number {
		x = w.let("zext %s %s to %s", number, x, wide)
	}
	if words <= 2 {
		x = w.assembly(wide, x)
	} else {
		vector := fmt.Sprintf("<%d x i32>", words)
		all, v := w.let("bitcast %s %s to %s", wide, x, vector), "poison"
		for i := range words {
			word := w.assembly("i32", w.let("extractelement %s %s, i32 %d", vector, all, i))
			v = w.let("insertelement %s %s, i32 %s, i32 %d", vector, v, word, i)
		}
		x = w.let("bitcast %s %s to %s", vector, v, wide)
	}
	if wide != number {
		x = w.let("trunc %s %s to %s", wide, x, number)
	}
	if typ != number {
		x = w.let("bitcast %s %s to %s", number, x, typ)
	}
	return w.lines, x
}

// irLines are instructions that are being written.
type irLines struct {
	lines []string
	names *int
}

// let writes one and returns its name.
//
//go:noinline
func (w *irLines) let(format string, args ...any) string {
	*w.names++
	name := "%heddle.kept." + strconv.Itoa(*w.names)
	w.lines = append(w.lines, "  "+name+" = "+fmt.Sprintf(format, args...))
	return name
}

// assembly writes one of no instructions, whose result is in a vector register.
//
//go:noinline
func (w *irLines) assembly(typ, x string) string {
	return w.let(`call %s asm "", "=v,0"(%s %s) convergent nounwind readnone`, typ, typ, x)
}

// done are the instructions, with the name of the last one.
func (w *irLines) done(name string) ([]string, string) { return w.lines, name }

// typeBits is the size of a number, a pointer or a vector of numbers, in AMDGPU's data
// layout; 0 for any other type.
func typeBits(typ string) int {
	if list, ok := strings.CutPrefix(typ, "<"); ok {
		count, elem, _ := strings.Cut(strings.TrimSuffix(list, ">"), " x ")
		n, err := strconv.Atoi(count)
		if err != nil || strings.HasPrefix(elem, "ptr") {
			return 0
		}
		return n * typeBits(elem)
	}
	switch typ {
	case "half", "bfloat":
		return 16
	case "float", "ptr addrspace(3)", "ptr addrspace(5)":
		return 32
	case "double", "ptr", "ptr addrspace(1)", "ptr addrspace(4)":
		return 64
	}
	if typ[0] != 'i' {
		return 0
	}
	n, err := strconv.Atoi(typ[1:])
	if err != nil {
		return 0
	}
	return n
}

// part reports whether the lanes may leave a loop one after another, on the edge between
// two blocks or together with others that come to the same place, in which a value is made.
func (f *flow) part(made, from, to *flowBlock) bool {
	return slices.ContainsFunc(from.loops, func(l *flowLoop) bool {
		return !l.blocks[to] && l.blocks[made] && slices.ContainsFunc(l.exits, func(s *flowBlock) bool { return s == to || len(s.succs) > 0 })
	})
}

// findDiffering finds all values that LLVM may take for different between lanes that are
// together, and others of which none of the rules says that they are the same. It
// finds the exits of loops by which the lanes may leave one after another.
func (f *flow) findDiffering() {
	f.differs = map[string]bool{}
	f.number()
	users := f.users()
	deciding := map[string][]*flowBlock{}
	phis := map[*flowBlock][]string{}
	for _, b := range f.blocks {
		if b.cond != "" {
			deciding[b.cond] = append(deciding[b.cond], b)
		}
	}
	var work []string
	mark := func(name string) {
		if !f.differs[name] {
			f.differs[name] = true
			work = append(work, name)
		}
	}
	for _, name := range f.order {
		v := f.values[name]
		if strings.HasPrefix(v.text, "phi ") {
			phis[v.block] = append(phis[v.block], name)
		}
		if !f.follows(v) {
			mark(name)
		}
	}
	if !f.kernel {
		for name := range users {
			if f.values[name] == nil {
				mark(name) // a parameter
			}
		}
	}
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range users[name] {
			if !alwaysUniform.Get().MatchString(f.values[u].text) {
				mark(u)
			}
		}
		for _, b := range deciding[name] {
			for _, met := range f.split(b) {
				for _, phi := range phis[met] {
					mark(phi)
				}
			}
		}
	}
}

// split follows the lanes that a branch parts, to where they meet. It returns the blocks
// whose phis differ for that: those where ways from the branch meet, and those after a
// loop that the lanes leave one after another, which it adds to the loop's exits.
func (f *flow) split(b *flowBlock) (differ []*flowBlock) {
	way := map[*flowBlock]*flowBlock{} // the block where a way to this one begins
	heads := map[*flowBlock]bool{}
	for _, l := range b.loops {
		heads[l.head] = true
	}
	head := map[*flowBlock]*flowBlock{} // likewise, of a loop that b is in, round again
	arrive := func(at, from *flowBlock, on map[*flowBlock]*flowBlock) {
		switch old := on[at]; {
		case old == nil:
			on[at] = from
		case old != from && old != at:
			on[at] = at
			differ = append(differ, at)
		}
	}
	step := func(s, from *flowBlock) {
		switch {
		case heads[s]:
			arrive(s, from, head)
		case s.rank > b.rank: // else round a loop that b is not in
			arrive(s, from, way)
		}
	}
	for _, s := range b.succs {
		step(s, s)
	}
	for _, next := range f.ranked[b.rank+1:] {
		if from := way[next]; from != nil {
			for _, s := range next.succs {
				if s.rank > next.rank || heads[s] {
					step(s, from)
				}
			}
		}
	}
	for _, l := range b.loops {
		for e := range l.blocks {
			if e != b && (way[e] == nil || way[e] == head[l.head]) {
				continue // does not depend on b
			}
			for _, s := range e.succs {
				if !l.blocks[s] && !slices.Contains(l.exits, s) {
					l.exits = append(l.exits, s)
				}
			}
		}
		if len(l.exits) > 0 {
			differ = append(differ, l.after()...)
		}
	}
	return differ
}

var (
	// follow are instructions whose result is the same where their operands are.
	follow = lazy.Words{Text: `add sub mul udiv sdiv urem srem shl lshr ashr and or xor
		fadd fsub fmul fdiv frem fneg icmp fcmp select trunc zext sext fptrunc fpext
		fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast getelementptr
		extractelement insertelement shufflevector extractvalue insertvalue freeze`}
	alwaysUniform = lazy.Regexp{Expr: `^(tail )?call .*@llvm\.(amdgcn\.(readfirstlane|readlane|ballot|workgroup\.id|implicitarg\.ptr|kernarg\.segment\.ptr|dispatch\.ptr|dispatch\.id)|nvvm\.(read\.ptx\.sreg\.(n?ctaid|ntid|warpsize)|vote\.))`}
	pureCall      = lazy.Regexp{Expr: `^(tail )?call .*@llvm\.(umin|umax|smin|smax|abs|fabs|sqrt|fma|floor|ceil|trunc|rint|ctpop|ctlz|cttz|bswap|bitreverse|fshl|fshr|minnum|maxnum|copysign|[us](add|sub|mul)\.(sat|with\.overflow))\b`}
	sharedLoad    = lazy.Regexp{Expr: `^load [^,]+, ptr addrspace\([134]\) `}
)

// follows reports whether a value is the same for all lanes where its operands are, and
// the lanes come to it together.
func (f *flow) follows(v *flowValue) bool {
	op, _, _ := strings.Cut(v.text, " ")
	switch {
	case op == "load" && f.nvidia:
		return f.argument(v)
	case follow.Has(op), sharedLoad.Get().MatchString(v.text), pureCall.Get().MatchString(v.text), alwaysUniform.Get().MatchString(v.text):
		return true
	case op == "phi":
		return !slices.ContainsFunc(v.block.loops, func(l *flowLoop) bool { return l.entries > 1 })
	}
	return false
}

// staysVector reports whether a value is in vector registers whatever instruction selection, which
// looks at a block at a time, makes of it. LLVM takes what is made of a value that differs between lanes for different, but
// (x<<8)&0xff is 0, which selection finds out where LLVM has not: in a module that is not optimised, and
// with lanes of vectors. Up to release 19 only the former has been met, and to copy vectors is dear: an insertion sort of 16
// numbers executes 1.9 of the instructions.
func (f *flow) staysVector(name string, plain bool) bool {
	v := f.values[name]
	if v == nil || !f.vector[name] || f.settled {
		return f.vector[name]
	}
	if op, _, _ := strings.Cut(v.text, " "); op == "phi" || !follow.Has(op) && !pureCall.Get().MatchString(v.text) {
		return true
	}
	if plain || movesLanes.Get().MatchString(v.text) {
		return false
	}
	stays, known := f.stays[name]
	if !known {
		stays = slices.ContainsFunc(v.uses, func(u string) bool {
			x := f.values[u]
			return f.vector[u] && (x == nil || x.block != v.block || f.staysVector(u, plain))
		})
		f.stays[name] = stays
	}
	return stays
}

var (
	movesLanes = lazy.Regexp{Expr: `^(extractelement|insertelement|shufflevector|bitcast) <`}
	laneSource = lazy.Regexp{Expr: `^((tail )?call .*@llvm\.amdgcn\.(workitem\.id|mbcnt)|atomicrmw|cmpxchg)`}
	laneOfWave = lazy.Regexp{Expr: `^(and|lshr) `}
)

// findVectors finds values that LLVM takes for different between lanes, in vector
// registers for that: not all of them, but no others.
func (f *flow) findVectors() {
	f.vector, f.stays = map[string]bool{}, map[string]bool{}
	users := f.users()
	var work []string
	for name, v := range f.values {
		if laneSource.Get().MatchString(v.text) {
			f.vector[name] = true
			work = append(work, name)
		}
	}
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		ofThread := strings.Contains(f.values[name].text, "@llvm.amdgcn.workitem.id")
		for _, u := range users[name] {
			text := f.values[u].text
			op, _, _ := strings.Cut(text, " ")
			passes := follow.Has(op) || op == "phi" || op == "load" || pureCall.Get().MatchString(text)
			// The number of the wavefront in its block is uniform.
			if passes && !(ofThread && laneOfWave.Get().MatchString(text)) && !f.vector[u] {
				f.vector[u] = true
				work = append(work, u)
			}
		}
	}
}
