package codegen

import (
	"fmt"
	"slices"
	"strings"

	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file makes one sum of those of words whose carries go from one to the next, as bits.Add64 and bits.Sub64 make them. LLVM makes a
// comparison and a choice of each carry; of a sum of 128 bits or more it makes the processor's additions with carry.
//
//	%p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a0, i64 %b0)
//	%s0 = extractvalue { i64, i1 } %p, 0                                       %w = add i128 (%a1 << 64 | %a0), zext i64 %b0
//	%c = extractvalue { i64, i1 } %p, 1                                   ->   %s0 = trunc i128 %w to i64
//	%z = zext i1 %c to i64                                                     %s1 = trunc i128 (lshr i128 %w, 64) to i64
//	%s1 = add i64 %a1, %z
//
// It is made of an optimised module: loops over words are unrolled by then.

var (
	wordSum    = lazy.Regexp{Expr: `^(?:tail )?call \{ i64, i1 \} @llvm\.u(add|sub)\.with\.overflow\.i64\(i64 ([^ ,]+), i64 ([^ ,)]+)\)`}
	wordPart   = lazy.Regexp{Expr: `^extractvalue \{ i64, i1 \} (` + valueName + `), ([01])\b`}
	wordLast   = lazy.Regexp{Expr: `^(add|sub) (?:nuw |nsw )*i64 ([^ ,]+), ([^ ,]+)(?:, !.*)?$`}
	wordCarry  = lazy.Regexp{Expr: `^zext i1 (` + valueName + `) to i64\b`}
	wordEither = lazy.Regexp{Expr: `^or (?:disjoint )?i1 (` + valueName + `), (` + valueName + `)(?:, !.*)?$`}
)

// carries is an optimised module with sums of several words.
func (r *Request) carries(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if r.level() == 0 || !strings.Contains(m.String(), ".with.overflow.i64") {
		return m, nil
	}
	return r.rewritten(c, m, tm, joinWords, "function(dce)")
}

// joinWords rewrites the sums of a module after nameAll.
func joinWords(text string) (joined string, ok bool) {
	n := 0
	joined = eachFunction(text, func(body string) string {
		if !strings.Contains(body, "call { i64, i1 } @llvm.u") {
			return body
		}
		f := &wordJoiner{flow: parseFlow(body), names: &n, taken: map[string]bool{}}
		f.users, f.parts = f.flow.users(), map[string][2]string{}
		for _, name := range f.order {
			if m := wordPart.Get().FindStringSubmatch(f.values[name].text); m != nil {
				p := f.parts[m[1]]
				p[m[2][0]-'0'] = name
				f.parts[m[1]] = p
			}
		}
		for _, name := range f.order {
			if c := f.chain(name); c != nil {
				f.join(c)
			}
		}
		return strings.Join(f.lines, "\n")
	})
	return joined, n > 0
}

// A wordJoiner rewrites one function.
type wordJoiner struct {
	*flow
	names *int
	users map[string][]string
	parts map[string][2]string // of a sum and its carry, by the call
	taken map[string]bool      // by a chain that is made
	used  map[string]int       // how often each name stands in the function
}

// A wordChain is sums of which each takes the carry of the one before it.
type wordChain struct {
	op    string
	words []word
}

// A word is one of its sums.
type word struct {
	x, y    string   // what is added or subtracted
	sum     string   // which is that
	carry   string   // the one that comes out, "" if none is asked for
	members []string // the values that make it
}

// chain is the longest chain that begins with a value and can be made at once, nil if that is none or of one word.
func (f *wordJoiner) chain(name string) *wordChain {
	m := wordSum.Get().FindStringSubmatch(f.values[name].text)
	if m == nil || f.taken[name] {
		return nil
	}
	block := f.values[name].block
	c := &wordChain{op: m[1], words: []word{f.first(name, m[2], m[3])}}
	for {
		w, ok := f.next(c)
		if !ok || slices.ContainsFunc(w.members, func(m string) bool { return f.taken[m] || f.values[m].block != block }) {
			break
		}
		c.words = append(c.words, w)
	}
	for ; len(c.words) > 1; c.words = c.words[:len(c.words)-1] {
		if f.isLate(c) {
			return c
		}
	}
	return nil
}

// first is a word that takes no carry.
func (f *wordJoiner) first(call, x, y string) word {
	p := f.parts[call]
	w := word{x: x, y: y, sum: p[0], carry: p[1], members: []string{call}}
	for _, part := range p {
		if part != "" {
			w.members = append(w.members, part)
		}
	}
	return w
}

// next is the word that takes a chain's carry.
func (f *wordJoiner) next(c *wordChain) (w word, ok bool) {
	z, ok := f.onlyUser(c.words[len(c.words)-1].carry)
	if !ok || !wordCarry.Get().MatchString(f.values[z].text) {
		return w, false
	}
	name, ok := f.onlyUser(z)
	if !ok {
		return w, false
	}
	text := f.values[name].text
	if m := wordLast.Get().FindStringSubmatch(text); m != nil && m[1] == c.op {
		if x, ok := c.otherThan(z, m[2], m[3]); ok {
			return word{x: x, y: "0", sum: name, members: []string{z, name}}, true
		}
		return w, false
	}
	m := wordSum.Get().FindStringSubmatch(text)
	if m == nil || m[1] != c.op {
		return w, false
	}
	x, ok := c.otherThan(z, m[2], m[3])
	if !ok {
		return w, false
	}
	w = f.first(name, x, "0")
	w.members = append(w.members, z)
	return f.ofThree(c, w), true
}

// ofThree is a word that adds a carry to x, or the word that adds that to the sum of two others, if x is this sum and nothing else is made of it.
//
//	%p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
//	%q = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %sum.p, i64 %z)
//	%carry = or i1 %carry.p, %carry.q
func (f *wordJoiner) ofThree(c *wordChain, w word) word {
	v := f.values[w.x]
	if v == nil {
		return w
	}
	part := wordPart.Get().FindStringSubmatch(v.text)
	if part == nil || part[2] != "0" {
		return w
	}
	m := wordSum.Get().FindStringSubmatch(f.values[part[1]].text)
	only, ok := f.onlyUser(w.x)
	if m == nil || m[1] != c.op || !ok || only != w.members[0] {
		return w
	}
	p := f.first(part[1], m[2], m[3])
	if p.carry == "" && w.carry == "" {
		return word{x: p.x, y: p.y, sum: w.sum, members: slices.Concat(p.members, w.members)}
	}
	either, ok := f.onlyUser(p.carry)
	either2, ok2 := f.onlyUser(w.carry)
	if !ok || !ok2 || either != either2 || !wordEither.Get().MatchString(f.values[either].text) {
		return w
	}
	return word{x: p.x, y: p.y, sum: w.sum, carry: either, members: slices.Concat(p.members, w.members, []string{either})}
}

// otherThan is the operand that is not the carry z, where z may be that of the chain.
func (c *wordChain) otherThan(z, x, y string) (string, bool) {
	switch {
	case x == y:
		return "", false
	case y == z:
		return x, true
	}
	return y, x == z && c.op == "add"
}

// onlyUser is the value that another one is used for, if it is used for nothing else.
func (f *wordJoiner) onlyUser(name string) (string, bool) {
	if name == "" || len(f.users[name]) != 1 || f.uses(name) != 1 {
		return "", false
	}
	return f.users[name][0], true
}

// uses is how often a value stands in an instruction.
func (f *wordJoiner) uses(name string) (n int) {
	if f.used == nil {
		f.used = map[string]int{}
		for _, line := range f.lines {
			for _, u := range namesIn(line) {
				f.used[u]++
			}
		}
	}
	return f.used[name] - 1 // without what defines it
}

// isLate reports whether nothing of a chain is used before its end, nor for the chain itself, but that carries go on.
func (f *wordJoiner) isLate(c *wordChain) bool {
	at, own := f.end(c), map[int]bool{}
	results := map[string]bool{}
	for i, w := range c.words {
		for _, m := range w.members {
			own[f.values[m].line] = true
		}
		results[w.sum] = true
		if i == len(c.words)-1 {
			results[w.carry] = true
		}
	}
	for _, w := range c.words {
		if results[w.x] || results[w.y] {
			return false
		}
	}
	begin := at
	for line := range own {
		begin = min(begin, line)
	}
	for line := begin; line < at; line++ {
		if !own[line] && slices.ContainsFunc(namesIn(f.lines[line]), func(u string) bool { return results[u] }) {
			return false
		}
	}
	return true
}

// end is the last line of a chain.
func (f *wordJoiner) end(c *wordChain) (at int) {
	for _, w := range c.words {
		for _, m := range w.members {
			at = max(at, f.values[m].line)
		}
	}
	return at
}

// join makes a chain one sum.
func (f *wordJoiner) join(c *wordChain) {
	at := f.end(c)
	last := c.words[len(c.words)-1]
	width := 64 * len(c.words)
	if last.carry != "" && f.uses(last.carry) > 0 {
		width += 64
	}
	*f.names++
	h, typ := fmt.Sprint("%heddle.sum.", *f.names), fmt.Sprint("i", width)
	var made []string
	let := func(name, format string, args ...any) string {
		made = append(made, "  "+name+" = "+fmt.Sprintf(format, args...))
		return name
	}
	operand := func(side string, of func(w word) string) (all string) {
		for i, w := range c.words {
			if i > 0 && of(w) == "0" {
				continue
			}
			name := fmt.Sprint(h, ".", side, i)
			x := let(name, "zext i64 %s to %s", of(w), typ)
			if i > 0 {
				x = let(name+".at", "shl nuw %s %s, %d", typ, x, 64*i)
				x = let(name+".with", "or %s %s, %s", typ, all, x)
			}
			all = x
		}
		return all
	}
	x := operand("x", func(w word) string { return w.x })
	y := operand("y", func(w word) string { return w.y })
	let(h, "%s %s %s, %s", c.op, typ, x, y)
	part := func(name, to string, i int) {
		if name == "" || f.uses(name) == 0 {
			return
		}
		from := h
		if i > 0 {
			from = let(fmt.Sprint(h, ".", i), "lshr %s %s, %d", typ, h, 64*i)
		}
		let(name, "trunc %s %s to %s", typ, from, to)
	}
	for i, w := range c.words {
		part(w.sum, "i64", i)
		for _, m := range w.members {
			f.taken[m] = true
			f.lines[f.values[m].line] = ""
		}
	}
	if width > 64*len(c.words) {
		part(last.carry, "i1", len(c.words))
	}
	f.lines[at] = strings.Join(made, "\n")
}
