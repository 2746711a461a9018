package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
)

// This file makes one branch of checks with stores or atomics between them, ahead of the first, where what the others compare can be computed there. ptxas moves little past a branch. If one of them fails, all is done as it was written, which tells which one it is.
//
//	@!%p1 bra $L__BB0_7;                  setp.lt.u32 %heddle_pred_0, %r2, %r9;
//	red.global.add.f32 [%rd1], %f1;       and.pred %heddle_pred_1, %p1, %heddle_pred_0;
//	setp.lt.u32 %p2, %r2, %r9;            @!%heddle_pred_1 bra $L__heddle_late0;
//	@!%p2 bra $L__BB0_8;              ->  red.global.add.f32 [%rd1], %f1;
//	red.global.add.f32 [%rd2], %f2;       setp.lt.u32 %p2, %r2, %r9;
//	                                      red.global.add.f32 [%rd2], %f2;
//	                                      ...
//	                                      $L__heddle_late0: @!%p1 bra $L__BB0_7; red.global.add.f32 [%rd1], %f1; setp.lt.u32 %p2, %r2, %r9; @!%p2 bra $L__BB0_8;

const (
	mostAhead  = 24  // checks of one branch
	mostSlice  = 32  // instructions that compute what a check compares
	mostReplay = 400 // lines of a function that stand there once more
)

var ptxWord = lazy.Regexp{Expr: `%[a-z_]+\d+\b`}

// ptxPure are the instructions that compute registers from registers and may as well be done twice, by what stands ahead of the first dot.
var ptxPure = []string{"abs", "add", "and", "bfe", "bfi", "bfind", "brev", "clz", "copysign", "cvt", "cvta", "fma", "lop3", "mad", "max", "min", "mov", "mul", "neg", "not",
	"or", "popc", "prmt", "sad", "selp", "set", "setp", "shf", "shl", "shr", "slct", "sub", "testp", "xor"}

// ptxStops are parts of instructions that checks are not made ahead of: lanes wait for others there, or a function ends or is called.
var ptxStops = []string{".sync", "bar.", "barrier", "call", "activemask", "nanosleep", "ret;", "exit;", "trap;", "bra"}

// ptxTypes are the types of registers by how their names begin.
var ptxTypes = []struct{ prefix, typ string }{
	{"%p", "pred"}, {"%rs", "b16"}, {"%r", "b32"}, {"%rd", "b64"}, {"%f", "f32"}, {"%fd", "f64"},
}

// checksAhead is a module's text in which checks are made ahead of what lies between them.
func checksAhead(text []byte) []byte {
	if !bytes.Contains(text, []byte("heddle_panic_lock;")) || bytes.Contains(text, []byte("brx.")) {
		return text
	}
	return eachPTX(text, checksAheadOf)
}

// A ptxAhead rewrites the blocks of a function.
type ptxAhead struct {
	blocks []ptxBlock // those that ptxBlocks finds, each part that a branch ends by itself
	cold   map[string]bool
	from   map[string]int // how many branches lead to a label
	late   []string       // what stands behind the function's blocks
	names  map[string]int // new registers, by type
	ends   int
}

// checksAheadOf is checksAhead for the lines of a function.
func checksAheadOf(lines []string) []string {
	a := &ptxAhead{from: map[string]int{}, names: map[string]int{}}
	a.part(ptxBlocks(lines))
	for i := 0; i < len(a.blocks); {
		n := i + 1
		for n < len(a.blocks) && a.follows(n) {
			n++
		}
		if n-i > 1 {
			a.chain(a.blocks[i:n])
		}
		i = n
	}
	if a.ends == 0 {
		return lines
	}
	var out []string
	for _, t := range ptxTypes {
		out = append(out, fmt.Sprintf("\t.reg .%s \t%%heddle_%s_<%d>;\n", t.typ, t.typ, a.names[t.typ]+1))
	}
	for _, b := range a.blocks {
		if b.label != "" {
			out = append(out, b.label+":\n")
		}
		out = append(out, b.lines...)
	}
	return append(out, a.late...)
}

// part parts blocks at branches.
func (a *ptxAhead) part(blocks []ptxBlock) {
	a.cold = coldPTX(blocks)
	for _, b := range blocks {
		begin, label := 0, b.label
		for n, line := range b.lines {
			m := ptxBranch.Get().FindStringSubmatch(line)
			if m != nil {
				a.from[m[1]]++
			}
			if rest := b.lines[n+1:]; m != nil && !a.cold[b.label] && slices.ContainsFunc(rest, isPTX) {
				a.blocks = append(a.blocks, ptxBlock{label, b.lines[begin : n+1 : n+1]})
				begin, label = n+1, ""
			}
		}
		a.blocks = append(a.blocks, ptxBlock{label, b.lines[begin:]})
	}
}

// isPTX reports whether a line has an instruction.
func isPTX(line string) bool {
	t := strings.TrimSpace(line)
	return t != "" && !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, ".") && !strings.HasPrefix(t, "$L__")
}

// follows reports whether a block is come to only past a check at the end of the one ahead of it.
func (a *ptxAhead) follows(n int) bool {
	from, to := a.blocks[n-1], a.blocks[n]
	return a.from[to.label] == 0 && !a.cold[from.label] && !a.cold[to.label] && a.check(from.lines) >= 0
}

// check is the line of the check that ends a block, -1 if none does.
func (a *ptxAhead) check(lines []string) int {
	for n, line := range slices.Backward(lines) {
		if isPTX(line) {
			if m := ptxBranch.Get().FindStringSubmatch(line); m != nil && a.cold[m[1]] && strings.Contains(line, "@") {
				return n
			}
			return -1
		}
	}
	return -1
}

// chain makes checks of blocks that follow each other ahead of others. What is made ahead of one cannot be made ahead of the next.
func (a *ptxAhead) chain(blocks []ptxBlock) {
	was := make([][]string, len(blocks))
	for i, b := range blocks {
		was[i] = b.lines
	}
	made := map[int]bool{}
	for i := range len(blocks) - 1 {
		if made[i] {
			continue
		}
		g := &ptxGroup{ptxAhead: a, was: was, first: i, last: i, pass: passesPTX(was[i][a.check(was[i])])}
		g.find(made)
		between := slices.Concat(was[i+1 : g.last+1]...)
		if len(g.all) == 0 || len(a.late)+len(between) > mostReplay || !slices.ContainsFunc(between, isEffect) {
			continue
		}
		g.make(blocks)
		for _, k := range g.all {
			made[k] = true
		}
	}
}

// A ptxGroup is a check and others that are made with it.
type ptxGroup struct {
	*ptxAhead
	was   [][]string // the chain's blocks
	first int        // the one that ends with the check
	last  int        // the one that ends with the last of the others
	all   []int      // those that end with the others
	ahead []string   // what computes the others
	pass  string     // the predicate on which all of them pass
}

// find finds the other checks.
func (g *ptxGroup) find(made map[int]bool) {
	for k := g.first + 1; k < len(g.was) && len(g.all) < mostAhead; k++ {
		at := g.check(g.was[k])
		if at < 0 || slices.ContainsFunc(g.was[k][:at], stopsPTX) {
			return
		}
		if made[k] {
			continue
		}
		parts, ok := g.slice(k, at)
		if !ok {
			continue
		}
		g.both(g.again(parts, passesPTX(g.was[k][at])))
		g.all, g.last = append(g.all, k), k
	}
}

// make replaces the first check by one of all.
func (g *ptxGroup) make(blocks []ptxBlock) {
	late := fmt.Sprint("$L__heddle_late", g.ends)
	g.ends++
	lines := blocks[g.first].lines
	blocks[g.first].lines = slices.Concat(lines[:g.check(lines)], g.ahead, []string{fmt.Sprintf("\t@!%s bra \t%s;\n", g.pass, late)})
	for _, k := range g.all {
		lines := blocks[k].lines
		at := g.check(lines)
		blocks[k].lines = slices.Concat(lines[:at], lines[at+1:])
	}
	first := g.was[g.first]
	g.late = append(g.late, late+":\n", first[g.check(first)])
	for _, lines := range g.was[g.first+1 : g.last+1] {
		for _, line := range lines {
			if t := strings.TrimSpace(line); !strings.HasPrefix(t, "$L__") && !strings.HasPrefix(t, ".loc") && !strings.HasPrefix(t, ".pragma") {
				g.late = append(g.late, line)
			}
		}
	}
	g.late = append(g.late, "\texit;\n")
}

// passesPTX is the predicate on which a check passes, with an exclamation mark if it is to be false.
func passesPTX(line string) string {
	fails := strings.TrimPrefix(strings.Fields(line)[0], "@")
	if fails[0] == '!' {
		return fails[1:]
	}
	return "!" + fails
}

// both has the group pass only if another predicate holds, too.
func (g *ptxGroup) both(other string) {
	plain := func(p string) string {
		if !strings.HasPrefix(p, "!") {
			return p
		}
		n := g.name("pred")
		g.ahead = append(g.ahead, fmt.Sprintf("\tnot.pred \t%s, %s;\n", n, p[1:]))
		return n
	}
	x, y := plain(g.pass), plain(other)
	g.pass = g.name("pred")
	g.ahead = append(g.ahead, fmt.Sprintf("\tand.pred \t%s, %s, %s;\n", g.pass, x, y))
}

// name is a new register's.
func (a *ptxAhead) name(t string) string {
	a.names[t]++
	return fmt.Sprintf("%%heddle_%s_%d", t, a.names[t]-1)
}

// ptxTypeOf is a register's type, "" of what has no name of LLVM's.
func ptxTypeOf(r string) string {
	prefix := strings.TrimRight(r, "0123456789")
	for _, t := range ptxTypes {
		if t.prefix == prefix {
			return t.typ
		}
	}
	return ""
}

// slice is what computes the predicate of the check in line at of block k behind the first check, in reverse order; ok is false where that cannot be done there.
func (g *ptxGroup) slice(k, at int) (parts []string, ok bool) {
	need := map[string]bool{strings.TrimPrefix(passesPTX(g.was[k][at]), "!"): true}
	needs := func(r string) bool { return need[r] }
	lines := slices.Concat(slices.Concat(g.was[g.first+1:k]...), g.was[k][:at])
	deep := 0
	for _, line := range slices.Backward(lines) {
		t := strings.TrimSpace(line)
		deep += strings.Count(t, "}") - strings.Count(t, "{")
		if deep != 0 || strings.HasPrefix(t, "{") { // an assembly with names of its own
			if slices.ContainsFunc(ptxWord.Get().FindAllString(t, -1), needs) {
				return nil, false
			}
			continue
		}
		if !isPTX(line) {
			continue
		}
		for _, part := range slices.Backward(strings.Split(strings.TrimSuffix(t, ";"), ";")) {
			part = strings.TrimSpace(part)
			defs := ptxWord.Get().FindAllString(definedBy(part), -1)
			if !slices.ContainsFunc(defs, needs) {
				continue
			}
			if len(defs) != 1 || ptxTypeOf(defs[0]) == "" || !isPurePTX(part) || len(parts) == mostSlice {
				return nil, false
			}
			delete(need, defs[0])
			for _, r := range ptxWord.Get().FindAllString(part, -1)[1:] {
				need[r] = true
			}
			parts = append(parts, part)
		}
	}
	return parts, true
}

// again computes a predicate once more, in new registers.
func (g *ptxGroup) again(parts []string, pass string) string {
	renamed := map[string]string{}
	rename := func(r string) string {
		if n := renamed[r]; n != "" {
			return n
		}
		return r
	}
	for _, part := range slices.Backward(parts) {
		def := ptxWord.Get().FindString(definedBy(part))
		before, rest, _ := strings.Cut(part, def)
		rest = ptxWord.Get().ReplaceAllStringFunc(rest, rename)
		renamed[def] = g.name(ptxTypeOf(def))
		g.ahead = append(g.ahead, "\t"+before+renamed[def]+rest+";\n")
	}
	return ptxWord.Get().ReplaceAllStringFunc(pass, rename)
}

// isPurePTX reports whether an instruction only computes a register from registers, at little cost.
func isPurePTX(text string) bool {
	op, _, _ := strings.Cut(strings.Fields(text)[0], ".")
	return slices.Contains(ptxPure, op) && !strings.Contains(text, "%clock") && !strings.Contains(text, "globaltimer") && !strings.Contains(text, ".cc") || strings.HasPrefix(text, "ld.param")
}

// isEffect reports whether an instruction stores, or is an atomic. Between loads alone checks stay where they are: ptxas has more registers of the indices then.
func isEffect(line string) bool {
	t := strings.TrimSpace(line)
	return strings.HasPrefix(t, "st.") || strings.HasPrefix(t, "red.") || strings.HasPrefix(t, "atom.")
}

// stopsPTX reports whether checks are not made ahead of a line.
func stopsPTX(line string) bool {
	return isPTX(line) && slices.ContainsFunc(ptxStops, func(s string) bool { return strings.Contains(line, s) })
}
