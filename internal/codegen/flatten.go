package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file makes choices of short branches. Where lanes part, both ways are gone, and masks or jumps come on top; LLVM
// makes choices of one instruction's branches, or of those that lead to where nothing else does:
//
//	br i1 %c, label %a, label %b         %n = fneg float %x
//	a: br label %j                       %d = icmp eq i8 %h, 12
//	b: switch i8 %h, label %j            %heddle.flat.1 = select i1 %d, float %n, float %x
//	     [ i8 12, label %e ]             %heddle.flat.2 = select i1 %c, float %y, float %heddle.flat.1
//	e: %n = fneg float %x            ->
//	   br label %j
//	j: %v = phi float [ %y, %a ], [ %n, %e ], [ %x, %b ]
//
// AMD's GPUs take these for few instructions. For NVIDIA's, ptxas makes most of them itself. Not all: branches that compare floats LLVM leaves, and
// ptxas makes jumps of some, and a place where lanes meet. There, too, the back end merges neighbours in memory
// within a block alone: where a branch stands between accesses to one object, more is made in vain. (A body that
// bounces off six walls, fields one behind the other, has two loads of 16 bytes so, for eight.)

// A flattening says which branches become choices.
type flattening struct {
	most  int  // instructions and choices that a branch becomes
	arms  int  // of these, instructions
	meets bool // only those between accesses to neighbours, and small ones
	small int  // instructions and choices that a small branch becomes, half of them instructions
	both  int  // instructions of a second condition that is asked for with the first (flatboth.go)
	edges int  // instructions and choices of a branch to where others lead, too (flatedge.go)
	// passes are LLVM's that follow. On AMD's GPUs no pass makes one check of several: lanes vote on each, and the first
	// panic would not be reported.
	passes string
}

var (
	flatAMD    = flattening{most: 10, arms: 5, both: 5, passes: "function(early-cse)"}
	flatNVIDIA = flattening{most: 16, arms: 16, meets: true, small: 6, both: 3, edges: 3, passes: "function(simplifycfg,early-cse)"}
)

// flattened is an optimised module with choices of short branches.
func (r *Request) flattened(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, how *flattening) (*llvm.Module, error) {
	if r.level() == 0 || !maybeFlat(m.String(), how) {
		return m, nil
	}
	return r.rewritten(c, m, tm, func(text string) (string, bool) { return flattenBranches(text, how) }, how.passes)
}

// rewritten is a module whose text a function has rewritten after nameAll, and that passes have been run on. The module is as it was if the
// function changes nothing. All values have names: a text that lacks a numbered one cannot be read.
func (r *Request) rewritten(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine, rewrite func(text string) (string, bool), passes string) (*llvm.Module, error) {
	if err := m.RunPasses(nameAll, tm); err != nil {
		return nil, err
	}
	text, ok := rewrite(equalEntries(m.String()))
	if !ok {
		return m, nil
	}
	m, err := c.ParseIR(r.Kernel+".ll", []byte(text))
	if err != nil || passes == "" {
		return m, err
	}
	return m, m.RunPasses(passes, tm)
}

var (
	cheapOp = lazy.Regexp{Expr: `^(?:add|sub|mul|and|or|xor|shl|lshr|ashr|fadd|fsub|fmul|fneg|icmp|fcmp|select|zext|sext|trunc|bitcast|getelementptr) |` +
		`^(?:tail )?call (?:[a-z]+ )*(?:float|double|i32|i64) @llvm\.(?:fma|fabs|minnum|maxnum|copysign|[su]min|[su]max)\.[fi](?:32|64)\(`}
	flatOffset = lazy.Regexp{Expr: `^getelementptr (?:inbounds )?(?:nuw )?i8, ptr(?: addrspace\(\d\))? (` + valueName + `), i64 (-?\d+)`}
	flatAccess = lazy.Regexp{Expr: `(?:^load |^ +store ).*, ptr(?: addrspace\(\d\))? (` + valueName + `), align`}
	switchCase = lazy.Regexp{Expr: `(i\d+ -?\d+), label (` + valueName + `)`}
	debugLoc   = lazy.Regexp{Expr: `, !dbg !\d+`}
)

// maybeFlat reports whether a module may have such branches.
func maybeFlat(text string, how *flattening) bool {
	return branches(text) && (how.both > 0 || strings.Contains(text, " = phi "))
}

// flattenBranches rewrites the branches of a module after nameAll.
func flattenBranches(text string, how *flattening) (flat string, ok bool) {
	names := 0
	flat = eachFunction(text, func(body string) string {
		for {
			f := &flattener{flow: parseFlow(body), how: how, names: &names}
			done := map[*flowBlock]bool{}
			for _, b := range f.blocks {
				if f.isFlat(b) && !slices.ContainsFunc(f.region(), func(b *flowBlock) bool { return done[b] }) {
					for _, b := range f.region() {
						done[b] = true
					}
					f.rewrite(b)
				} else if p := f.pairAt(b); p != nil && !slices.ContainsFunc([]*flowBlock{p.first, p.second, p.to, p.other}, func(b *flowBlock) bool { return done[b] }) {
					done[p.first], done[p.second], done[p.to], done[p.other] = true, true, true, true
					f.joinPair(p)
				} else if e := f.edgeAt(b); e != nil && !done[e.from] && !done[e.arm] && !done[e.join] {
					done[e.from], done[e.arm], done[e.join] = true, true, true
					f.joinEdge(e)
				}
			}
			if len(done) == 0 {
				return body
			}
			body, ok = strings.Join(f.lines, "\n"), true
		}
	})
	return flat, ok
}

// A flattener rewrites branches of a function.
type flattener struct {
	*flow
	how   *flattening
	names *int
	// Of the branch at hand: where its ways meet, the blocks on them, that of the branch first, and what these cost.
	join  *flowBlock
	inner []*flowBlock
	arms  int
}

// region is the blocks that a branch's rewriting changes.
func (f *flattener) region() []*flowBlock { return append(slices.Clip(f.inner), f.join) }

// isFlat reports whether a block's branch becomes choices.
func (f *flattener) isFlat(b *flowBlock) bool {
	f.join, f.arms, f.inner = nil, 0, []*flowBlock{b}
	if len(b.succs) < 2 || f.labelOf(b) == "" || b.cond == "" { // LLVM leaves branches on constants here and there
		return false
	}
	for _, s := range b.succs {
		if !f.follow(s) {
			return false
		}
	}
	if f.join == nil || slices.Contains(f.inner, f.join) || slices.ContainsFunc(f.join.preds, func(p *flowBlock) bool { return !slices.Contains(f.inner, p) }) {
		return false
	}
	if f.panics(f.join) {
		return false
	}
	choices := len(f.phis()) * (len(f.join.preds) - 1)
	return f.arms <= f.how.arms && f.arms+choices <= f.how.most && (!f.how.meets || f.arms+choices <= f.how.small && f.arms <= f.how.small/2 || f.accessesMeet(b))
}

// follow goes on from a block on the ways to where they meet.
func (f *flattener) follow(b *flowBlock) bool {
	if slices.Contains(f.inner[1:], b) {
		return true // by another case of a switch
	}
	inside := !slices.ContainsFunc(b.preds, func(p *flowBlock) bool { return p != b.preds[0] })
	if b == f.join || !inside || len(b.succs) > 1 && b.cond == "" || !f.cheap(b) {
		if f.join == nil {
			f.join = b
		}
		return f.join == b
	}
	f.inner = append(f.inner, b)
	for _, s := range b.succs {
		if s == f.inner[0] || !f.follow(s) {
			return false
		}
	}
	return len(b.succs) > 0
}

// cheap counts a block's instructions, if all may be made in vain.
func (f *flattener) cheap(b *flowBlock) bool {
	n := 0
	for _, line := range f.instructions(b) {
		_, text, ok := strings.Cut(line, " = ")
		if !ok || !cheapOp.Get().MatchString(text) {
			return false
		}
		n++
	}
	f.arms += n
	return f.arms <= f.how.most && len(f.inner) <= f.how.most
}

// instructions are the lines of a block's instructions but the last one.
func (f *flattener) instructions(b *flowBlock) (lines []string) {
	for _, line := range f.lines[b.begin:b.end] {
		if s := strings.TrimSpace(line); s != "" && s[0] != ';' && s[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// accessesMeet reports whether a block and that where its ways meet access neighbours of one object.
func (f *flattener) accessesMeet(b *flowBlock) bool {
	const widest = 16 // bytes that an instruction loads
	before := f.places(b)
	for base, offsets := range f.places(f.join) {
		for _, x := range offsets {
			if slices.ContainsFunc(before[base], func(y int) bool { return x != y && -widest < x-y && x-y < widest }) {
				return true
			}
		}
	}
	return false
}

// places says how far behind which address a block's plain loads and stores are.
func (f *flattener) places(b *flowBlock) map[string][]int {
	all := map[string][]int{}
	for _, line := range f.instructions(b) {
		if _, load, ok := strings.Cut(line, " = load "); ok {
			line = "load " + load
		}
		m := flatAccess.Get().FindStringSubmatch(line)
		if m == nil || strings.Contains(line, " volatile ") || strings.Contains(line, " atomic ") {
			continue
		}
		base, off := m[1], 0
		for v := f.values[base]; v != nil; v = f.values[base] {
			g := flatOffset.Get().FindStringSubmatch(v.text)
			if g == nil {
				break
			}
			n, _ := strconv.Atoi(g[2])
			base, off = g[1], off+n
		}
		all[base] = append(all[base], off)
	}
	return all
}

// phis are the names of the values that tell by which way they came.
func (f *flattener) phis() []string { return f.phisOf(f.join) }

// phisOf are those of a block.
func (f *flattener) phisOf(b *flowBlock) (names []string) {
	for n := b.begin; n < b.end; n++ {
		name, text, _ := strings.Cut(strings.TrimSpace(f.lines[n]), " = ")
		if !strings.HasPrefix(text, "phi ") {
			break
		}
		names = append(names, name)
	}
	return names
}

// labelOf is a block's name, "" for the first without one.
func (f *flattener) labelOf(b *flowBlock) string {
	if b.begin == 0 {
		return ""
	}
	label, _, ok := strings.Cut(f.lines[b.begin-1], ":")
	if !ok {
		return ""
	}
	return "%" + label
}

// lastLine is where a block's last instruction ends.
func (f *flattener) lastLine(b *flowBlock) int {
	n := b.end
	for strings.HasPrefix(strings.TrimSpace(f.lines[b.end]), "switch ") && !strings.Contains(f.lines[n], "]") {
		n++
	}
	return n
}

// rewrite makes choices of a block's branch.
func (f *flattener) rewrite(b *flowBlock) {
	var out []string
	loc := debugLoc.Get().FindString(f.lines[f.lastLine(b)])
	values := f.emit(b, loc, &out)
	out = append(out, "  br label "+f.labelOf(f.join)+loc)
	for n, name := range f.phis() {
		typ, _, _ := f.values[name].phi()
		f.lines[f.values[name].line] = fmt.Sprintf("  %s = phi %s [ %s, %s ]", name, typ, values[n], f.labelOf(b))
	}
	clearLines := func(from, to int) {
		for n := from; n <= to; n++ {
			f.lines[n] = ""
		}
	}
	for _, i := range f.inner[1:] {
		clearLines(i.begin-1, f.lastLine(i))
	}
	end := f.lastLine(b)
	clearLines(b.end, end)
	f.lines[end] = strings.Join(out, "\n")
}

// A way is where a branch leads to where one of the conditions holds; without conditions, else.
type way struct {
	conds []string
	to    *flowBlock
}

// ways are a branch's, the last one without conditions. out takes comparisons.
func (f *flattener) ways(b *flowBlock, loc string, out *[]string) (ways []way) {
	if len(b.succs) == 1 {
		return []way{{nil, b.succs[0]}}
	}
	first := strings.TrimSpace(f.lines[b.end])
	if !strings.HasPrefix(first, "switch ") {
		return []way{{[]string{b.cond}, b.succs[0]}, {nil, b.succs[1]}}
	}
	for _, m := range switchCase.Get().FindAllStringSubmatch(strings.Join(f.lines[b.end:f.lastLine(b)+1], " "), -1) {
		typ, k, _ := strings.Cut(m[1], " ")
		cond := f.fresh()
		*out = append(*out, fmt.Sprintf("  %s = icmp eq %s %s, %s%s", cond, typ, b.cond, k, loc))
		to := f.label[m[2]]
		if i := slices.IndexFunc(ways, func(w way) bool { return w.to == to }); i >= 0 {
			ways[i].conds = append(ways[i].conds, cond)
		} else {
			ways = append(ways, way{[]string{cond}, to})
		}
	}
	return append(ways, way{nil, b.succs[0]})
}

func (f *flattener) fresh() string {
	*f.names++
	return fmt.Sprintf("%%heddle.flat.%d", *f.names)
}

// emit writes what is behind a block's branch, and returns the values of the phis by that way.
func (f *flattener) emit(b *flowBlock, loc string, out *[]string) (values []string) {
	ways := f.ways(b, loc, out)
	made := map[*flowBlock][]string{f.join: f.incoming(b)}
	for i := len(ways) - 1; i >= 0; i-- {
		w := ways[i]
		if made[w.to] == nil {
			*out = append(*out, f.instructions(w.to)...)
			made[w.to] = f.emit(w.to, loc, out)
		}
		if len(w.conds) == 0 {
			values = slices.Clone(made[w.to])
			continue
		}
		cond := w.conds[0]
		for _, other := range w.conds[1:] {
			both := f.fresh()
			*out = append(*out, fmt.Sprintf("  %s = or i1 %s, %s%s", both, cond, other, loc))
			cond = both
		}
		for n, name := range f.phis() {
			if values[n] == made[w.to][n] {
				continue
			}
			typ, _, _ := f.values[name].phi()
			chosen := f.fresh()
			*out = append(*out, fmt.Sprintf("  %s = select i1 %s, %s %s, %s %s%s", chosen, cond, typ, made[w.to][n], typ, values[n], loc))
			values[n] = chosen
		}
	}
	return values
}

// incoming are the values of the phis that come from a block; empty if the block does not lead there.
func (f *flattener) incoming(b *flowBlock) []string { return f.incomingOf(f.join, b) }

// incomingOf are those of the phis of a block.
func (f *flattener) incomingOf(join, b *flowBlock) []string {
	values := []string{}
	for _, name := range f.phisOf(join) {
		_, in, _ := f.values[name].phi()
		if i := slices.IndexFunc(in, func(pair [2]string) bool { return pair[1] == f.labelOf(b) }); i >= 0 {
			values = append(values, in[i][0])
		}
	}
	return values
}
