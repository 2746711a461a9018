package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"heddle/internal/errs"
	"heddle/internal/lazy"
)

// This file makes one branch for all lanes of those that checks take to a panic, and lets
// LLVM believe that a panic returns. A panic ends the wave (s_endpgm), so no lane goes on
// while another one panics. LLVM does not know that: it makes a branch by lanes, which sets
// EXEC, and brings all ends of a function to one, so that what is between a check and the
// end is code which the lanes that failed skip; a loop keeps, iteration by iteration, which
// lanes have left it. In a stencil's loop that was two instructions of three, and 256 checks
// took half a minute to compile. So the lanes vote, and the panic goes on where the check
// would have, had it passed:
//
//	  br i1 %good, label %ok, label %fail      %bad = icmp ... the inverse
//	                                           %votes = call i64 @llvm.amdgcn.ballot.i64(i1 %bad)
//	                                           %any = icmp ne i64 %votes, 0
//	                                           br i1 %any, label %some, label %on
//	                                         some:
//	                                           br i1 %bad, label %fail, label %on
//	fail:                                    fail:
//	  call void @heddle_panic(...) noreturn    call void @heddle_panic(...)
//	  unreachable                              br label %on
//	                                         on:
//	                                           br label %ok
//
// Checks that LLVM has given one panic get a copy each. Where lanes cannot differ in the
// condition there is no vote.

var (
	panicEnd   = lazy.Regexp{Expr: `^(  (?:tail |notail )?call [^@"]*@heddle_panic\([^"]*\))(?: #\d+)?((?:, !dbg !\d+)?)$`}
	exitDefine = lazy.Regexp{Expr: `(?m)^(define [^\n]*@heddle_panic\([^\n]*\)[^\n]*? )#(\d+)( [^\n]*\{|\{)$`}
	comparison = lazy.Regexp{Expr: `^(icmp (?:samesign )?[a-z]+ )(i32|i64) (` + valueName + `)(, .*)$`}
	numbered   = lazy.Regexp{Expr: `^\d+:|^  %\d+ = `}
	inverse    = lazy.Value[map[string]string]{Make: func() map[string]string {
		all := map[string]string{}
		for _, pair := range strings.Fields("eq:ne ult:uge ugt:ule slt:sge sgt:sle") {
			a, b, _ := strings.Cut(pair, ":")
			all[a], all[b] = b, a
		}
		return all
	}}
)

// votePanics is an optimised module's text, as LLVM prints it after nameAll, with such
// branches. ok is false if it has none. No pass may follow that finds out what calls do not
// return.
func (r *Request) votePanics(text string) (out string, ok bool, err error) {
	if r.WarpSize == 0 || !strings.Contains(text, "@heddle_panic(") {
		return text, false, nil
	}
	x, out := r.findExit(text)
	n := 0
	out = eachFunction(out, func(body string) string {
		if !strings.Contains(body, "@heddle_panic(") {
			return body
		}
		f := parseFlow(joinSwitches(body))
		voted, bad := f.votePanics(r.WarpSize, x, &n)
		if voted {
			body, ok = strings.Join(f.lines, "\n"), true
		}
		err = cmp.Or(err, bad)
		return body
	})
	if !ok || err != nil {
		return text, false, err
	}
	if x == nil {
		out = mayReturn(out)
	}
	return declareMissing(out, fmt.Sprintf("i%d @llvm.amdgcn.ballot.i%[1]d(i1)", r.WarpSize), "i32 @llvm.amdgcn.readfirstlane(i32)"), true, nil
}

// mayReturn is a module's text without LLVM's knowing that heddle_panic does not return.
func mayReturn(text string) string {
	m := exitDefine.Get().FindStringSubmatch(text)
	if m == nil {
		return text
	}
	_, attrs, found := strings.Cut(text, "\nattributes #"+m[2]+" = ")
	if !found {
		return text
	}
	attrs, _, _ = strings.Cut(attrs, "\n")
	text = exitDefine.Get().ReplaceAllString(text, "${1}#1000000${3}")
	return text + "\nattributes #1000000 = " + strings.Replace(attrs, " noreturn ", " ", 1) + "\n"
}

// joinSwitches brings every switch to one line: what is left out, or copied, is whole lines.
func joinSwitches(body string) string {
	if !strings.Contains(body, "\n  switch ") {
		return body
	}
	var out []string
	within := false
	for line := range strings.SplitSeq(body, "\n") {
		if within {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		} else {
			out = append(out, line)
			within = strings.HasPrefix(line, "  switch ")
		}
		within = within && !strings.Contains(line, "]")
	}
	return strings.Join(out, "\n")
}

// votePanics does it in one function.
func (f *flow) votePanics(warp int, x *panicExit, n *int) (voted bool, err error) {
	v := voter{flow: f, doomed: f.doomed(), labels: map[*flowBlock]string{}, warp: warp, exit: x, n: n}
	if len(v.doomed) == 0 {
		return false, nil
	}
	f.nest(f.blocks, nil)
	f.findDiffering()
	for label, b := range f.label {
		v.labels[b] = label
	}
	if v.labels[f.blocks[0]] == "" {
		v.labels[f.blocks[0]] = "%" + f.entry()
	}
	for _, b := range f.blocks {
		if b.cond == "" || len(b.succs) != 2 || v.doomed[b] || v.doomed[b.succs[0]] == v.doomed[b.succs[1]] {
			continue
		}
		if fail := b.succs[b2i(v.doomed[b.succs[1]])]; v.copies(fail) {
			v.vote(b)
		}
	}
	if err := v.drop(); err != nil {
		return false, err
	}
	left := v.leaveByJump()
	f.lines = append(f.lines, v.tail...)
	return left || v.tail != nil, nil
}

// A voter rewrites the checks of a function.
type voter struct {
	*flow
	doomed map[*flowBlock]bool
	labels map[*flowBlock]string
	warp   int
	exit   *panicExit
	n      *int // of the module
	tail   []string
}

// vote lets the lanes vote at the end of block b, of which one successor is doomed.
func (v *voter) vote(b *flowBlock) {
	*v.n++
	n := *v.n
	fail, next, onTrue := b.succs[0], b.succs[1], true
	if !v.doomed[fail] {
		fail, next, onTrue = next, fail, false
	}
	on := fmt.Sprintf("%%heddle.on.%d", n)
	loc := ""
	if _, at, ok := strings.Cut(v.lines[b.end], ", !dbg "); ok {
		at, _, _ = strings.Cut(at, ",")
		loc = ", !dbg " + at
	}
	copied := v.copyRegion(b, fail, n, on)
	var lines []string
	if onTrue {
		b.cond, lines = v.fewer(b.cond, n)
	}
	if !v.differs[b.cond] {
		first, second := copied, on
		if !onTrue {
			first, second = second, first
		}
		lines = append(lines, fmt.Sprintf("  br i1 %s, label %s, label %s%s", b.cond, first, second, loc))
	} else {
		guard := fmt.Sprintf("heddle.some.%d", n)
		vote, any := fmt.Sprintf("%%heddle.votes.%d", n), fmt.Sprintf("%%heddle.any.%d", n)
		bad, against := b.cond, "0"
		if !onTrue {
			bad, lines, against = v.inverse(b.cond, v.warp, n)
		}
		lines = append(lines,
			fmt.Sprintf("  %s = call i%d @llvm.amdgcn.ballot.i%d(i1 %s)", vote, v.warp, v.warp, bad),
			fmt.Sprintf("  %s = icmp ne i%d %s, %s", any, v.warp, vote, against),
			fmt.Sprintf("  br i1 %s, label %%%s, label %s%s", any, guard, on, loc))
		first, second := copied, on
		if bad == b.cond && !onTrue { // not turned round
			first, second = second, first
		}
		v.tail = append(v.tail, "", guard+":", coldHere, fmt.Sprintf("  br i1 %s, label %s, label %s%s", bad, first, second, loc))
	}
	v.lines[b.end] = strings.Join(lines, "\n")
	v.tail = append(v.tail, "", on[1:]+":", "  br label "+v.labels[next])
	for at := next.begin; strings.Contains(v.lines[at], " = phi "); at++ {
		v.lines[at] = strings.Replace(v.lines[at], ", "+v.labels[b]+" ]", ", "+on+" ]", 1)
	}
	b.succs = []*flowBlock{next}
	fail.preds = slices.DeleteFunc(slices.Clone(fail.preds), func(p *flowBlock) bool { return p == b })
	v.leave(fail, b)
}

// leave takes a predecessor out of a block's phis.
func (v *voter) leave(b, from *flowBlock) {
	for at := b.begin; strings.Contains(v.lines[at], " = phi "); at++ {
		text := v.lines[at]
		end := strings.Index(text, ", "+v.labels[from]+" ]")
		if end < 0 {
			continue
		}
		begin := strings.LastIndex(text[:end], "[ ")
		rest := text[end+len(", "+v.labels[from]+" ]"):]
		if r, ok := strings.CutPrefix(rest, ", ["); ok {
			rest = "[" + r
		} else {
			text = text[:begin]
			text = strings.TrimSuffix(text, ", ")
			begin = len(text)
		}
		v.lines[at] = text[:begin] + rest
	}
}

// drop takes out the doomed blocks that nobody comes to any more.
func (v *voter) drop() error {
	for again := true; again; {
		again = false
		for _, b := range v.blocks {
			if !v.doomed[b] || len(b.preds) > 0 || b.begin < 0 {
				continue
			}
			for _, s := range b.succs {
				s.preds = slices.DeleteFunc(slices.Clone(s.preds), func(p *flowBlock) bool { return p == b })
				v.leave(s, b)
			}
			for at := b.begin - 1; at <= b.end; at++ {
				if numbered.Get().MatchString(v.lines[at]) {
					return errs.F("codegen: %q is left out, and has no name", v.lines[at]) // LLVM 18 could not read the rest
				}
				v.lines[at] = ""
			}
			b.begin, again = -1, true
		}
	}
	return nil
}

// maxCopied is how many lines are copied for each of the checks that share a panic.
const maxCopied = 32

// region are the blocks that a doomed block leads to, itself first.
func (v *voter) region(head *flowBlock) []*flowBlock {
	all := []*flowBlock{head}
	for i := 0; i < len(all); i++ {
		for _, s := range all[i].succs {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// copies reports whether copyRegion can copy what a doomed block leads to.
func (v *voter) copies(head *flowBlock) bool {
	lines := 0
	for _, r := range v.region(head) {
		lines += r.end - r.begin
		if slices.Contains(r.succs, head) {
			return false // a loop's
		}
	}
	return len(head.preds) == 1 || lines <= maxCopied
}

// copyRegion copies what leads from a doomed block to the panics, for the lanes that come from
// block b, and goes on to a label where it would end. It returns the label of the copy.
func (v *voter) copyRegion(b, head *flowBlock, n int, on string) string {
	region, seen, names := v.region(head), map[*flowBlock]bool{}, map[string]string{}
	for i, r := range region {
		seen[r] = true
		names[v.labels[r]] = fmt.Sprintf("%%heddle.fail.%d.%d", n, i)
	}
	for _, name := range v.order {
		if seen[v.values[name].block] {
			names[name] = fmt.Sprintf("%%heddle.fail.%d.v%d", n, len(names))
		}
	}
	for at := head.begin; strings.Contains(v.lines[at], " = phi "); at++ {
		name, _, _ := strings.Cut(strings.TrimSpace(v.lines[at]), " = ")
		_, in, _ := (&flowValue{text: v.lines[at][strings.Index(v.lines[at], "phi "):]}).phi()
		for _, pair := range in {
			if pair[1] == v.labels[b] {
				names[name] = pair[0]
			}
		}
	}
	again := v.again(region, seen, names, n)
	for _, r := range region {
		v.tail = append(v.tail, "", names[v.labels[r]][1:]+":")
		if r == head {
			v.tail = append(append(v.tail, coldHere), again...)
		}
		for at := r.begin; at <= r.end; at++ {
			line := v.lines[at]
			switch {
			case strings.Contains(line, " = phi "):
				if r == head {
					continue
				}
				line = v.phiWithin(line, seen)
			case at == r.end && len(r.succs) == 0:
				line = "  br label " + on
			default:
				line = v.goOn(line)
			}
			v.tail = append(v.tail, renamed(line, names))
		}
	}
	return names[v.labels[head]]
}

// goOn is a line of a block that leads to a panic, where LLVM is to believe that it goes on.
func (v *voter) goOn(line string) string {
	m := panicEnd.Get().FindStringSubmatch(line)
	switch {
	case m == nil:
		return line
	case v.exit == nil:
		return m[1] + m[2] // without noreturn
	}
	*v.n++
	return v.exit.jump(m[1], m[2], *v.n)
}

// leaveByJump makes jumps of the calls that are left, and claims the registers of them all.
func (v *voter) leaveByJump() bool {
	if v.exit == nil {
		return false
	}
	some := v.tail != nil
	for i, line := range v.lines {
		if panicEnd.Get().MatchString(line) {
			v.lines[i], some = v.goOn(line), true
		}
	}
	if some {
		first := v.blocks[0].begin
		v.lines[first] = v.exit.claimed + "\n" + v.lines[first]
	}
	return some
}

// again is the comparisons that a copy of blocks needs of those made before, once more: they
// would be made where all lanes come by, and be alive up to here. LLVM is not to see that they
// are the same ones.
func (v *voter) again(region []*flowBlock, inside map[*flowBlock]bool, names map[string]string, n int) (lines []string) {
	for _, r := range region {
		for at := r.begin; at <= r.end; at++ {
			if strings.Contains(v.lines[at], " = phi ") {
				continue
			}
			for _, name := range namesIn(v.lines[at]) {
				made := v.values[name]
				if made == nil || inside[made.block] || names[name] != "" {
					continue
				}
				m := comparison.Get().FindStringSubmatch(made.text)
				if m == nil {
					continue
				}
				hidden := fmt.Sprintf("%%heddle.fail.%d.v%d", n, len(names))
				names[name] = hidden + ".again"
				lines = append(lines, "  "+hidden+" = "+opaque(inVector, m[2], m[3]), fmt.Sprintf("  %s = %s%s %s%s", names[name], m[1], m[2], hidden, m[4]))
			}
		}
	}
	return lines
}

// phiWithin is a phi of what comes from some blocks alone.
func (v *voter) phiWithin(line string, blocks map[*flowBlock]bool) string {
	name, rest, _ := strings.Cut(line, " = ")
	typ, in, _ := (&flowValue{text: rest}).phi()
	var kept []string
	for _, pair := range in {
		if blocks[v.label[pair[1]]] {
			kept = append(kept, "[ "+pair[0]+", "+pair[1]+" ]")
		}
	}
	return name + " = phi " + typ + " " + strings.Join(kept, ", ")
}

// renamed is a line with other local names.
func renamed(line string, names map[string]string) string {
	var b strings.Builder
	for _, name := range namesIn(line) {
		before, after, _ := strings.Cut(line, name)
		b.WriteString(before)
		if to := names[name]; to != "" {
			name = to
		}
		b.WriteString(name)
		line = after
	}
	b.WriteString(line)
	return b.String()
}

// doomed are the blocks from which every way leads to a panic.
func (f *flow) doomed() map[*flowBlock]bool {
	all := map[*flowBlock]bool{}
	panics := false
	for _, b := range f.blocks {
		if len(b.succs) > 0 || !strings.HasPrefix(f.lines[b.end], "  unreachable") {
			continue
		}
		if panicEnd.Get().MatchString(f.lines[b.end-1]) {
			all[b], panics = true, true
		} else if !strings.Contains(f.lines[b.end-1], "call ") {
			all[b] = true // no way at all, as behind the last of several checks of which one fails
		}
	}
	for grown := panics; grown; {
		grown = false
		for _, b := range f.blocks {
			if all[b] || len(b.succs) == 0 {
				continue
			}
			whole := true
			for _, s := range b.succs {
				whole = whole && all[s]
			}
			if whole {
				all[b], grown = true, true
			}
		}
	}
	if !panics {
		return nil
	}
	return all
}

// inverse is what holds where a condition does not, with the lines that make it; or the
// condition itself, with what the votes for it are if it holds in all lanes.
func (f *flow) inverse(cond string, warp, n int) (bad string, lines []string, against string) {
	if v := f.values[cond]; v != nil {
		if text, ok := strings.CutPrefix(v.text, "icmp "); ok {
			how, operands, _ := strings.Cut(strings.TrimPrefix(text, "samesign "), " ")
			operands, _, _ = strings.Cut(operands, ", !dbg")
			bad = fmt.Sprintf("%%heddle.bad.%d", n)
			return bad, []string{fmt.Sprintf("  %s = icmp %s %s", bad, inverse.Get()[how], operands)}, "0"
		}
	}
	all := fmt.Sprintf("%%heddle.all.%d", n)
	return cond, []string{fmt.Sprintf("  %s = call i%d @llvm.amdgcn.ballot.i%d(i1 true)", all, warp, warp)}, all
}

// entry is what phis call the first block.
func (f *flow) entry() string {
	for _, v := range f.values {
		if _, in, ok := v.phi(); ok {
			for _, pair := range in {
				if f.label[pair[1]] == nil {
					return pair[1][1:]
				}
			}
		}
	}
	return ""
}
