package codegen

import (
	"slices"
	"strings"
)

// This file reads a function of a module's text as blocks, loops and values. What is
// asked of them stands where it is asked (amdloop.go, amdphi.go, ptxmask.go).

// A flow is a function of a module's text as blocks and values.
type flow struct {
	lines  []string
	kernel bool // its parameters are the same for all lanes
	nvidia bool
	blocks []*flowBlock
	ranked []*flowBlock          // in reverse postorder
	label  map[string]*flowBlock // "%12"
	values map[string]*flowValue // "%13"
	order  []string              // the values' names as they stand

	differs map[string]bool   // see findDiffering
	vector  map[string]bool   // see findVectors
	stays   map[string]bool   // what staysVector has found
	settled bool              // what LLVM has not found the same for all lanes, instruction selection does not either
	webs    map[string]string // see again
}

// A flowBlock is a basic block.
type flowBlock struct {
	n            int // in flow.blocks
	rank         int // in flow.ranked
	begin        int // the line behind its label
	end          int // the line that begins its last instruction
	cond         string
	succs, preds []*flowBlock
	loops        []*flowLoop // that it is in, outer ones first
}

// A flowLoop is a set of blocks that can reach each other, with those of inner loops.
type flowLoop struct {
	blocks map[*flowBlock]bool
	head   *flowBlock

	entries int
	exits   []*flowBlock // to which some of its lanes may leave without the others
}

// A flowValue is the result of an instruction.
type flowValue struct {
	block *flowBlock
	line  int
	text  string   // behind "="
	uses  []string // the names in it, of blocks too
}

// parseFlow reads a function that begins with a newline and "define".
func parseFlow(text string) *flow {
	f := &flow{lines: strings.Split(text, "\n"), label: map[string]*flowBlock{}, values: map[string]*flowValue{}}
	f.nvidia = strings.Contains(f.lines[1], " ptx_kernel ")
	f.kernel = f.nvidia || strings.Contains(f.lines[1], "amdgpu_kernel")
	targets := map[*flowBlock][]string{}
	var b *flowBlock
	begin := func(label string, line int) {
		b = &flowBlock{n: len(f.blocks), begin: line}
		f.blocks = append(f.blocks, b)
		f.label[label] = b
	}
	for i := 2; i < len(f.lines); i++ {
		line := f.lines[i]
		if line != "" && line[0] != ' ' {
			if label, _, ok := strings.Cut(line, ":"); ok && line[0] != ';' {
				begin("%"+label, i+1)
			}
			continue
		}
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if b == nil {
			begin("", i) // the first, which no branch names
		}
		if line[0] == '%' {
			name, rest, ok := strings.Cut(line, " = ")
			if !ok {
				continue
			}
			f.values[name] = &flowValue{block: b, line: i, text: rest, uses: namesIn(rest)}
			f.order = append(f.order, name)
			continue
		}
		op, rest, _ := strings.Cut(line, " ")
		switch strings.TrimSuffix(op, ",") { // "unreachable, !dbg !1"
		case "switch", "br":
			b.end = i
			for op == "switch" && i+1 < len(f.lines) && !strings.Contains(f.lines[i], "]") {
				i++
				rest += f.lines[i]
			}
			typ, _, _ := strings.Cut(rest, " ")
			for n, name := range namesIn(rest) {
				if n == 0 && typ != "label" && strings.HasPrefix(rest, typ+" "+name) {
					b.cond = name
				} else {
					targets[b] = append(targets[b], name)
				}
			}
		case "ret", "unreachable":
			b.end = i
		}
	}
	for _, b := range f.blocks {
		for _, t := range targets[b] {
			if s := f.label[t]; s != nil {
				b.succs = append(b.succs, s)
				s.preds = append(s.preds, b)
			}
		}
	}
	return f
}

// namesIn are the local names in an instruction.
func namesIn(s string) (names []string) {
	for {
		at := strings.IndexByte(s, '%')
		if at < 0 {
			return names
		}
		s = s[at:]
		n := 1
		if strings.HasPrefix(s, `%"`) {
			n = 2
			for n < len(s) && s[n] != '"' {
				n++
			}
			n++
		} else {
			for n < len(s) && (s[n] == '-' || s[n] == '$' || s[n] == '.' || s[n] == '_' || '0' <= s[n] && s[n] <= '9' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
				n++
			}
		}
		n = min(n, len(s))
		names = append(names, s[:n])
		s = s[n:]
	}
}

// phi is the value's type and its incoming values with their blocks' labels, if it is
// a phi.
func (v *flowValue) phi() (typ string, in [][2]string, ok bool) {
	rest, ok := strings.CutPrefix(v.text, "phi ")
	if !ok {
		return "", nil, false
	}
	typ, rest, ok = strings.Cut(rest, " [ ")
	for { // without what a floating-point phi may say of its values
		flag, after, more := strings.Cut(typ, " ")
		if !more || !strings.Contains(" nnan ninf nsz arcp contract afn reassoc fast ", " "+flag+" ") {
			break
		}
		typ = after
	}
	for _, o := range splitOperands("[ " + rest) {
		if pair, is := strings.CutPrefix(o, "[ "); is {
			both := splitOperands(strings.TrimSuffix(pair, " ]"))
			in = append(in, [2]string{both[0], both[1]})
		}
	}
	return typ, in, ok
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
