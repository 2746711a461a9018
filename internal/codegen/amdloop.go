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
// Which values and which loops are concerned is judged with care on both sides: what
// differs between lanes within the loop is in a vector register already, and what leaves
// a loop that all lanes leave at once may stay in a scalar one.

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
		return !l.blocks[to] && l.blocks[made] && slices.ContainsFunc(f.exits(l), func(s *flowBlock) bool { return s == to || len(s.succs) > 0 })
	})
}

// exits are the blocks to which some of the lanes in a loop may leave it without the
// others.
func (f *flow) exits(l *flowLoop) []*flowBlock {
	if !l.judged {
		l.judged = true
		for b := range l.blocks {
			if b.cond == "" || !f.differs[b.cond] {
				continue
			}
			for _, s := range b.succs {
				if !l.blocks[s] && !slices.Contains(l.exits, s) {
					l.exits = append(l.exits, s)
				}
			}
		}
	}
	return l.exits
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
			if l.head == nil && slices.ContainsFunc(b.preds, func(p *flowBlock) bool { return !l.blocks[p] }) {
				l.head = b
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
// together, and others of which none of the rules says that they are the same.
func (f *flow) findDiffering() {
	f.differs = map[string]bool{}
	users := f.users()
	var work []string
	mark := func(name string) {
		if !f.differs[name] {
			f.differs[name] = true
			work = append(work, name)
		}
	}
	for name, v := range f.values {
		if !v.follows(f) {
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

// follows reports whether a value is the same for all lanes where its operands are.
func (v *flowValue) follows(f *flow) bool {
	op, _, _ := strings.Cut(v.text, " ")
	switch {
	case follow.Has(op), sharedLoad.Get().MatchString(v.text), pureCall.Get().MatchString(v.text), alwaysUniform.Get().MatchString(v.text):
		return true
	case op == "phi": // of a loop that is entered, and repeated, in one way
		return len(v.block.preds) == 2 && slices.ContainsFunc(v.block.loops, func(l *flowLoop) bool { return l.head == v.block })
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
func (f *flow) users() map[string][]string {
	users := map[string][]string{}
	for _, name := range f.order {
		for _, used := range f.values[name].uses {
			users[used] = append(users[used], name)
		}
	}
	return users
}
