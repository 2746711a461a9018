package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/dom"
	"heddle/internal/lazy"
)

// This file says which lanes take part in NVIDIA's operations of a warp. Without a mask,
// HIP's are for the active lanes, and heddle first asks the GPU which those are
// (activemask). But lanes that parted need not have met again there: ptxas lets them meet
// where all ways lead, and of a loop with a check in it, one way leads to a panic; so
// after such a loop each lane may come by alone. So the mask is computed where control
// flow tells it: all lanes where no lane can have gone another way, and below a branch
// that parts them a ballot of its condition, taken before the branch by the lanes that
// come to it:
//
//	%heddle.lanes.1 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
//	br i1 %c, label %then, label %else
//
// A loop that lanes leave one after another has them as a phi, with a ballot at each exit.
// The lanes of a mask wait for each other. Those that have ended, by a return or a panic,
// are not waited for.

var (
	activeMask = lazy.Regexp{Expr: `^(?:tail )?call i32 asm sideeffect "activemask\.b32 \$0;"`}
	maskUse    = lazy.Regexp{Expr: `^(?:tail )?call [^@]*@llvm\.nvvm\.(?:vote|shfl|match)\.[\w.]+\(i32 (%[-\w$.]+)[,)]`}
	byval      = lazy.Regexp{Expr: `ptr [^,%]*\breadonly\b[^,%]*byval\([^%]*(%(?:"[^"]*"|[-\w$.]+))`}
)

// placeMasks gives the operations of a warp in a module after lcssa their masks. Where
// control flow does not tell, activemask stays.
func placeMasks(text string) (placed string, ok bool) {
	names := 0
	placed = eachFunction(text, func(body string) string {
		if !branches(body) || !strings.Contains(body, "activemask.b32") {
			return body
		}
		m := newMasks(body, &names)
		if m == nil || !m.place() {
			return body
		}
		ok = true
		return strings.Join(m.f.lines, "\n")
	})
	if ok && !strings.Contains(placed, "declare i32 @llvm.nvvm.vote.ballot.sync(") {
		placed += "\ndeclare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
	}
	return placed, ok
}

// masks are those of a kernel's blocks.
type masks struct {
	f       *flow
	names   *int
	idom    []int // by rank
	regions map[*flowLoop]*region

	// What is known of masks so far, and the lines that compute them.
	blocks map[*flowBlock]string // "" while it is being found
	edges  map[flowEdge]string
	loops  map[*flowLoop]string
	before map[int][]string // new lines, by that which they precede
}

// A flowEdge is a way from a block to one of those that may follow it.
type flowEdge struct{ from, to *flowBlock }

// A region is a loop that lanes leave one after another, in one iteration, or a whole
// function (nil), without the branches on which a block in it depends only because of
// iterations before.
type region struct {
	loop *flowLoop
	// parents are the branches that decide whether a block is come to.
	parents map[*flowBlock][]flowEdge
}

// newMasks is nil for what is no kernel, and for a kernel with a block from which nothing
// leads to its end, not even a panic.
func newMasks(body string, names *int) *masks {
	f := parseFlow(body)
	if !f.nvidia || !f.leavePanics() {
		return nil
	}
	f.nest(f.blocks, nil)
	f.findDiffering()
	m := &masks{f: f, names: names, regions: map[*flowLoop]*region{}}
	m.idom = dom.Immediate(len(f.ranked), func(b int, have func(int)) {
		for _, p := range f.ranked[b].preds {
			have(p.rank)
		}
	})
	return m
}

// leavePanics takes the ways to panics out of a function: who goes there never comes back.
func (f *flow) leavePanics() (ok bool) {
	returns, ends := map[*flowBlock]bool{}, map[*flowBlock]bool{}
	var back func(b *flowBlock, seen map[*flowBlock]bool)
	back = func(b *flowBlock, seen map[*flowBlock]bool) {
		if seen[b] {
			return
		}
		seen[b] = true
		for _, p := range b.preds {
			back(p, seen)
		}
	}
	for _, b := range f.blocks {
		if len(b.succs) > 0 {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(f.lines[b.end]), "ret") {
			back(b, returns)
		}
		back(b, ends)
	}
	panics := func(b *flowBlock) bool { return !returns[b] }
	if panics(f.blocks[0]) || slices.ContainsFunc(f.blocks, func(b *flowBlock) bool { return !ends[b] }) {
		return false
	}
	for _, b := range f.blocks {
		if panics(b) {
			continue
		}
		if slices.ContainsFunc(b.succs, panics) {
			b.succs = slices.DeleteFunc(b.succs, panics)
			if len(b.succs) == 1 {
				b.cond = ""
			}
		}
	}
	f.blocks = slices.DeleteFunc(f.blocks, panics)
	return true
}

// argument reports whether a value is loaded from an argument of the kernel or from
// constants, through a pointer that is the same for all lanes. Other memory may change
// between lanes that are not together.
func (f *flow) argument(v *flowValue) bool {
	m := plainLoad.Get().FindStringSubmatch(v.text)
	if m == nil || m[1] != "" {
		return m != nil
	}
	name := m[2]
	for !slices.Contains(f.arguments(), name) {
		v := f.values[name]
		if v == nil || !strings.HasPrefix(v.text, "getelementptr ") {
			return false
		}
		_, base, _ := strings.Cut(v.text, ", ptr ")
		name, _, _ = strings.Cut(base, ",")
	}
	return true
}

// plainLoad is a load of no special kind, with its address space and pointer.
var plainLoad = lazy.Regexp{Expr: `^load (?:i\d+|half|float|double|ptr|ptr addrspace\(1\)|<[^>]*>), ptr (addrspace\((?:4|101)\) )?(%(?:"[^"]*"|[-\w$.]+)|@)`}

// arguments are the kernel's parameters that stand in its memory of arguments.
func (f *flow) arguments() (names []string) {
	for _, m := range byval.Get().FindAllStringSubmatch(f.lines[1], -1) {
		names = append(names, m[1])
	}
	return names
}

// place gives each activemask of the kernel a mask, if that can be told.
func (m *masks) place() (any bool) {
	var told []string
	names := *m.names
	for _, name := range m.f.order {
		v := m.f.values[name]
		if activeMask.Get().MatchString(v.text) && m.f.ranked[v.block.rank] == v.block {
			m.forget()
			if _, ok := m.at(v.block); ok {
				told = append(told, name)
			}
		}
	}
	if told == nil {
		return false
	}
	m.forget()
	*m.names = names
	users := m.f.users()
	for _, name := range told {
		v := m.f.values[name]
		mask, _ := m.at(v.block)
		value := "bitcast i32 " + mask + " to i32"
		for _, u := range users[name] {
			if !m.f.values[u].isMask(name) { // somebody needs the number
				value = "call i32 @llvm.nvvm.vote.ballot.sync(i32 " + mask + ", i1 true)"
			}
		}
		line := m.f.lines[v.line]
		m.f.lines[v.line] = line[:strings.Index(line, " = ")+3] + value
	}
	var all []string
	for i, line := range m.f.lines {
		all = append(append(all, m.before[i]...), line)
	}
	m.f.lines = all
	return true
}

// forget forgets all masks.
func (m *masks) forget() {
	m.blocks, m.edges, m.loops, m.before = map[*flowBlock]string{}, map[flowEdge]string{}, map[*flowLoop]string{}, map[int][]string{}
}

// isMask reports whether a value is used as the mask of an operation and no more.
func (v *flowValue) isMask(name string) bool {
	use := maskUse.Get().FindStringSubmatch(v.text)
	return use != nil && use[1] == name && !slices.Contains(v.uses[1:], name)
}

// at is the mask of the lanes that come to a block together.
func (m *masks) at(b *flowBlock) (mask string, ok bool) {
	if mask, found := m.blocks[b]; found {
		return mask, mask != ""
	}
	r := m.region(m.f.parting(b))
	mask, ok = m.all(r.loop)
	e, parted, one := m.parent(r, b, map[*flowBlock]bool{})
	switch {
	case !ok || !one:
		return "", false
	case !parted:
	case m.f.parting(e.from) == r.loop && m.dominates(e.from, b):
		m.blocks[b] = ""
		mask, ok = m.along(e)
	default:
		return "", false
	}
	m.blocks[b] = mask
	return mask, ok
}

// parting is the innermost loop around a block that lanes leave one after another, nil
// if there is none.
func (f *flow) parting(b *flowBlock) *flowLoop {
	for i := len(b.loops) - 1; i >= 0; i-- {
		if len(b.loops[i].exits) > 0 {
			return b.loops[i]
		}
	}
	return nil
}

// parent is the branch that parts the lanes that come to a block of a region from those
// that do not, which is the same one whichever way leads to it.
func (m *masks) parent(r *region, b *flowBlock, seen map[*flowBlock]bool) (e flowEdge, parted, ok bool) {
	seen[b] = true
	first := true
	for _, p := range r.parents[b] {
		pe, pparted := p, true
		if !m.f.differs[p.from.cond] {
			if seen[p.from] {
				continue
			}
			if pe, pparted, ok = m.parent(r, p.from, seen); !ok {
				return e, false, false
			}
		}
		if !first && (pparted != parted || pe != e) {
			return e, false, false
		}
		first, e, parted = false, pe, pparted
	}
	return e, parted, true
}

// dominates reports whether every way to b leads through a.
func (m *masks) dominates(a, b *flowBlock) bool {
	n := b.rank
	for n > a.rank {
		n = m.idom[n]
	}
	return n == a.rank
}

// along is the mask of the lanes that go from a block to another.
func (m *masks) along(e flowEdge) (mask string, ok bool) {
	if mask, found := m.edges[e]; found {
		return mask, true
	}
	mask, ok = m.at(e.from)
	if !ok || len(e.from.succs) == 1 || !m.f.differs[e.from.cond] {
		return mask, ok
	}
	cond := e.from.cond
	if to := e.from.succs; to[0] == to[1] || !strings.HasPrefix(m.f.lines[e.from.end], "  br i1 ") {
		return "", false // a switch
	}
	if e.to == e.from.succs[1] {
		cond = m.let(e.from.end, "xor i1 %s, true", cond)
	}
	mask = m.let(e.from.end, "call i32 @llvm.nvvm.vote.ballot.sync(i32 %s, i1 %s)", mask, cond)
	m.edges[e] = mask
	return mask, true
}

// let computes a value before a line.
func (m *masks) let(line int, format string, args ...any) string {
	name := m.name()
	m.before[line] = append(m.before[line], "  "+name+" = "+fmt.Sprintf(format, args...))
	return name
}

func (m *masks) name() string {
	*m.names++
	return "%heddle.lanes." + strconv.Itoa(*m.names)
}

// all is the mask of the lanes that are in a loop in the same iteration, and of all lanes
// outside of loops that lanes leave one after another.
func (m *masks) all(l *flowLoop) (mask string, ok bool) {
	if l == nil {
		return "-1", true
	}
	if mask, found := m.loops[l]; found {
		return mask, true
	}
	if l.entries != 1 {
		return "", false
	}
	mask = m.name()
	m.loops[l] = mask
	var in []string
	for _, label := range m.f.labels(l.head) {
		pred := m.f.label[label]
		if pred == nil {
			pred = m.f.blocks[0]
		}
		from, ok := m.along(flowEdge{pred, l.head})
		if !ok {
			return "", false
		}
		in = append(in, "[ "+from+", "+label+" ]")
	}
	m.before[l.head.begin] = append([]string{"  " + mask + " = phi i32 " + strings.Join(in, ", ")}, m.before[l.head.begin]...)
	return mask, true
}

// labels are those of the blocks before a block, as LLVM writes them behind its label.
func (f *flow) labels(b *flowBlock) []string {
	_, preds, _ := strings.Cut(f.lines[b.begin-1], "; preds = ")
	return namesIn(preds)
}

// region finds the branches on which the blocks of a region depend: where one of the ways
// leads to a block for certain, and another one need not.
func (m *masks) region(l *flowLoop) *region {
	if r := m.regions[l]; r != nil {
		return r
	}
	r := &region{loop: l, parents: map[*flowBlock][]flowEdge{}}
	m.regions[l] = r
	in := func(b *flowBlock) bool { return l == nil || l.blocks[b] && b != l.head }
	preds := map[*flowBlock][]*flowBlock{}
	leaves := map[*flowBlock]bool{}
	for _, b := range m.f.blocks {
		if l != nil && !l.blocks[b] {
			continue
		}
		for _, s := range b.succs {
			if in(s) {
				preds[s] = append(preds[s], b)
			} else {
				leaves[b] = true
			}
		}
		if len(b.succs) == 0 {
			leaves[b] = true
		}
	}
	// Blocks in reverse postorder of the reversed flow, from its end, which is nil.
	place := map[*flowBlock]int{}
	var order []*flowBlock
	var visit func(b *flowBlock)
	visit = func(b *flowBlock) {
		place[b] = -1
		for _, p := range preds[b] {
			if _, seen := place[p]; !seen {
				visit(p)
			}
		}
		order = append(order, b)
	}
	for _, b := range m.f.blocks {
		if _, seen := place[b]; leaves[b] && !seen {
			visit(b)
		}
	}
	order = append(order, nil)
	slices.Reverse(order)
	for i, b := range order {
		place[b] = i
	}
	idom := dom.Immediate(len(order), func(n int, have func(int)) {
		if leaves[order[n]] {
			have(0)
		}
		for _, s := range order[n].succs {
			if in(s) {
				have(place[s])
			}
		}
	})
	for n, b := range order[1:] {
		if len(b.succs) < 2 {
			continue
		}
		for _, s := range b.succs {
			if !in(s) {
				continue
			}
			for at := place[s]; at != idom[n+1] && at > 0; at = idom[at] {
				r.parents[order[at]] = append(r.parents[order[at]], flowEdge{b, s})
			}
		}
	}
	return r
}
