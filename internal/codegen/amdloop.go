package codegen

import (
	"slices"
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

// keepLoopValues rewrites the phis after loops of a module after lcssa. ok is false if
// it has none that needs it.
func keepLoopValues(text string) (kept string, ok bool) {
	var b strings.Builder
	names := 0
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
		body := text[begin:end]
		text = text[end:]
		if strings.Contains(body, " = phi ") {
			f := parseFlow(body)
			if f.keep(&names) {
				body, ok = strings.Join(f.lines, "\n"), true
			}
		}
		b.WriteString(body)
	}
	b.WriteString(text)
	return b.String(), ok
}

// keep sends the values through assemblies; it reports whether there were any.
func (f *flow) keep(names *int) bool {
	f.nest(f.blocks, nil)
	f.findDiffering()
	f.findVectors()
	before := map[int][]string{} // new lines, by that which they precede
	done := map[[2]string]string{}
	for _, name := range f.order {
		v := f.values[name]
		typ, in, ok := v.phi()
		if !ok {
			continue
		}
		for _, pair := range in {
			x, from := f.values[pair[0]], f.label[pair[1]]
			if x == nil || from == nil || f.vector[pair[0]] || !f.part(x.block, from, v.block) {
				continue
			}
			key := [2]string{pair[0], pair[1]}
			kept, ok := done[key]
			if !ok {
				var lines []string
				if lines, kept = copyToVector(typ, pair[0], names); lines == nil {
					continue
				}
				before[from.end] = append(before[from.end], lines...)
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

// part reports whether the lanes may leave a loop one after another, on the edge between
// two blocks or together with others that come to the same place, in which a value is made.
func (f *flow) part(made, from, to *flowBlock) bool {
	return slices.ContainsFunc(from.loops, func(l *flowLoop) bool {
		return !l.blocks[to] && l.blocks[made] && slices.ContainsFunc(l.exits, func(s *flowBlock) bool { return s == to || len(s.succs) > 0 })
	})
}

// nest finds the loops among blocks: sets of blocks that can reach each other, and within
// each of them those that can without its head.
func (f *flow) nest(blocks []*flowBlock, without *flowBlock) {
	in := map[*flowBlock]bool{}
	for _, b := range blocks {
		in[b] = b != without
	}
	for _, set := range components(blocks, in) {
		l := &flowLoop{blocks: map[*flowBlock]bool{}}
		for _, b := range set {
			l.blocks[b] = true
		}
		if len(set) == 1 && !slices.Contains(set[0].succs, set[0]) {
			continue
		}
		slices.SortFunc(set, func(a, b *flowBlock) int { return a.n - b.n })
		for _, b := range set {
			b.loops = append(b.loops, l)
			if slices.ContainsFunc(b.preds, func(p *flowBlock) bool { return !l.blocks[p] }) {
				if l.entries++; l.head == nil {
					l.head = b
				}
			}
		}
		if l.head == nil {
			l.head = set[0]
		}
		if len(set) > 1 {
			f.nest(set, l.head)
		}
	}
}

// components are the strongly connected components of some of a function's blocks
// (Tarjan's algorithm).
func components(blocks []*flowBlock, in map[*flowBlock]bool) (sets [][]*flowBlock) {
	index, low := map[*flowBlock]int{}, map[*flowBlock]int{}
	on := map[*flowBlock]bool{}
	var stack []*flowBlock
	var visit func(b *flowBlock)
	visit = func(b *flowBlock) {
		index[b] = len(index) + 1
		low[b] = index[b]
		stack, on[b] = append(stack, b), true
		for _, s := range b.succs {
			switch {
			case !in[s]:
			case index[s] == 0:
				visit(s)
				low[b] = min(low[b], low[s])
			case on[s]:
				low[b] = min(low[b], index[s])
			}
		}
		if low[b] == index[b] {
			at := slices.Index(stack, b)
			sets = append(sets, slices.Clone(stack[at:]))
			for _, s := range stack[at:] {
				on[s] = false
			}
			stack = stack[:at]
		}
	}
	for _, b := range blocks {
		if in[b] && index[b] == 0 {
			visit(b)
		}
	}
	return sets
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
		if !v.follows() {
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

// after are the blocks that follow a loop.
func (l *flowLoop) after() (blocks []*flowBlock) {
	for b := range l.blocks {
		for _, s := range b.succs {
			if !l.blocks[s] {
				blocks = append(blocks, s)
			}
		}
	}
	return blocks
}

// number ranks the blocks in reverse postorder.
func (f *flow) number() {
	seen := map[*flowBlock]bool{}
	var visit func(b *flowBlock)
	visit = func(b *flowBlock) {
		seen[b] = true
		for _, s := range b.succs {
			if !seen[s] {
				visit(s)
			}
		}
		f.ranked = append(f.ranked, b)
	}
	visit(f.blocks[0])
	slices.Reverse(f.ranked)
	for i, b := range f.ranked {
		b.rank = i
	}
}

var (
	// follow are instructions whose result is the same where their operands are.
	follow = lazy.Words{Text: `add sub mul udiv sdiv urem srem shl lshr ashr and or xor
		fadd fsub fmul fdiv frem fneg icmp fcmp select trunc zext sext fptrunc fpext
		fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast getelementptr
		extractelement insertelement shufflevector extractvalue insertvalue freeze`}
	alwaysUniform = lazy.Regexp{Expr: `^(tail )?call .*@llvm\.amdgcn\.(readfirstlane|readlane|ballot|workgroup\.id|implicitarg\.ptr|kernarg\.segment\.ptr|dispatch\.ptr|dispatch\.id)`}
	pureCall      = lazy.Regexp{Expr: `^(tail )?call .*@llvm\.(umin|umax|smin|smax|abs|fabs|sqrt|fma|floor|ceil|trunc|rint|ctpop|ctlz|cttz|bswap|bitreverse|fshl|fshr|minnum|maxnum|copysign|[us](add|sub|mul)\.(sat|with\.overflow))\b`}
	sharedLoad    = lazy.Regexp{Expr: `^load [^,]+, ptr addrspace\([134]\) `}
)

// follows reports whether a value is the same for all lanes where its operands are, and
// the lanes come to it together.
func (v *flowValue) follows() bool {
	op, _, _ := strings.Cut(v.text, " ")
	switch {
	case follow.Has(op), sharedLoad.Get().MatchString(v.text), pureCall.Get().MatchString(v.text), alwaysUniform.Get().MatchString(v.text):
		return true
	case op == "phi":
		return !slices.ContainsFunc(v.block.loops, func(l *flowLoop) bool { return l.entries > 1 })
	}
	return false
}

var (
	laneSource = lazy.Regexp{Expr: `^((tail )?call .*@llvm\.amdgcn\.(workitem\.id|mbcnt)|atomicrmw|cmpxchg)`}
	laneOfWave = lazy.Regexp{Expr: `^(and|lshr) `}
)

// findVectors finds values that LLVM takes for different between lanes, in vector
// registers for that: not all of them, but no others.
func (f *flow) findVectors() {
	f.vector = map[string]bool{}
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

// users are the values made from each name.
//
//go:noinline
func (f *flow) users() map[string][]string {
	users := map[string][]string{}
	for _, name := range f.order {
		for _, used := range f.values[name].uses {
			users[used] = append(users[used], name)
		}
	}
	return users
}
