package codegen

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"heddle/internal/dom"
	"heddle/internal/lazy"
	"heddle/internal/llvm"
)

// This file computes addresses from others, where an index of 32 bits is known to be greater than another one by a constant, or by a multiple
// of one number, as in loops that are unrolled. LLVM computes each address on its own, by three or four instructions. ptxas does not know that
// sums of 32 bits do not wrap around, and leaves them.
//
//	%i = add nuw i32 %row, %k                                   %i = add nuw i32 %row, %k
//	%wide = zext i32 %i to i64                                  %wide = zext i32 %i to i64
//	%p = getelementptr float, ptr %in, i64 %wide                %p = getelementptr float, ptr %in, i64 %wide
//	%k1 = or i32 %k, 1                                     ->
//	%i1 = add nuw i32 %row, %k1
//	%wide1 = zext i32 %i1 to i64
//	%p1 = getelementptr float, ptr %in, i64 %wide1              %p1 = getelementptr float, ptr %p, i64 1
//
// The other index has to be the lesser one: where that wraps around, this one does, too, and is used for nothing. LLVM forgets of sums of three
// terms that they do not wrap around, though. ptxwrap.go does without that where both are known to be below 1<<31.
//
// The address of a structure's field is computed from the structure's: else LLVM computes the latter again in each block.

var (
	nearElement = lazy.Regexp{Expr: `^getelementptr (?:(?:inbounds|nuw|nusw) )*(.+), (ptr(?: addrspace\(\d\))?) ([%@](?:"[^"]*"|[-\w$.]+)), i64 (` + valueName + `)((?:, i(?:32|64) \d+)*)((?:, !.*)?)$`}
	nearWide    = lazy.Regexp{Expr: `^zext (?:nneg )?i32 (` + valueName + `) to i64`}
	nearSum     = lazy.Regexp{Expr: `^(add|mul|shl) nuw (?:nsw )?i32 (` + valueName + `), (` + valueName + `|\d+)(?:,|$)`}
	nearOr      = lazy.Regexp{Expr: `^or (?:disjoint )?i32 (` + valueName + `), (\d+)(?:,|$)`}
	nearOr64    = lazy.Regexp{Expr: `^or (?:disjoint )?i64 (` + valueName + `), (\d+)((?:, !.*)?)$`}
	nearResized = lazy.Regexp{Expr: `^(?:zext (?:nneg )?i32|trunc (?:nuw |nsw )*i64) (` + valueName + `) to i(?:32|64)(?:,|$)`}
	nearAligned = lazy.Regexp{Expr: `^(add|mul|shl|and) (?:nuw |nsw )*i(?:32|64) (` + valueName + `), (-?\d+)(?:,|$)`}
)

// A linear is a sum of products of names, each times a number that is not 0. The name of a product is its factors', with spaces; that of a number is "".
type linear map[string]int64

const (
	nearMost    = 6       // operators that an index is followed through
	nearMany    = 8       // addresses of one object that are compared with one
	linearTerms = 8       // of a sum
	linearMost  = 1 << 31 // each number is below
)

// nearer is an optimised module with such addresses.
func (r *Request) nearer(c *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (*llvm.Module, error) {
	if r.level() == 0 || !strings.Contains(m.String(), " = zext ") {
		return m, nil
	}
	return r.rewritten(c, m, tm, nearAddresses, "")
}

// nearAddresses rewrites the addresses of a module after nameAll.
func nearAddresses(text string) (near string, ok bool) {
	names := 0
	near = eachFunction(text, func(body string) string {
		if !strings.Contains(body, " = zext ") {
			return body
		}
		n := &nearer{flow: parseFlow(body), names: &names, before: map[*flowBlock][]*nearAddress{}, linears: map[string]linear{}, aligned: map[string]int{}}
		n.findShort()
		if !n.rewrite() {
			return body
		}
		ok = true
		return strings.Join(n.lines, "\n")
	})
	return near, ok
}

// A nearer rewrites the addresses of a function.
type nearer struct {
	*flow
	names   *int
	idom    []int                         // by rank
	before  map[*flowBlock][]*nearAddress // in it, or in one that all ways to it lead through
	linears map[string]linear
	aligned map[string]int // what zeros has found; 0 while it looks
	wraps
}

// A nearAddress is that of an element: what it is of, and the index.
type nearAddress struct {
	name, of string
	at       linear
	low      linear // see wraps; nil if the element is not known to be there
	as       string // the index, for low
	alone    bool   // the index is for this address only
	ahead    bool   // see ptxahead.go: nothing less is computed of it
}

func (n *nearer) rewrite() (ok bool) {
	n.number()
	n.idom = dom.Immediate(len(n.ranked), func(b int, have func(int)) {
		for _, p := range n.ranked[b].preds {
			have(p.rank)
		}
	})
	n.nest(n.blocks, nil)
	ahead := n.placesAhead()
	values := map[*flowBlock][]string{}
	for _, name := range n.order {
		b := n.values[name].block
		values[b] = append(values[b], name)
	}
	for i, b := range n.ranked {
		if i > 0 {
			n.before[b] = slices.Clip(n.before[n.ranked[n.idom[i]]])
		}
		for _, name := range values[b] {
			if n.address(b, name) || n.sum(name) {
				ok = true
			}
		}
		n.before[b] = append(n.before[b], ahead[b]...)
	}
	return ok
}

// address rewrites one, if it is further than another.
func (n *nearer) address(b *flowBlock, name string) bool {
	v := n.values[name]
	m := nearElement.Get().FindStringSubmatch(v.text)
	if m == nil {
		return false
	}
	typ, ptr, base, index, fields, tail := m[1], m[2], m[3], m[4], m[5], m[6]
	typ, index = n.counted(typ, index, fields)
	at := n.indexOf(index)
	if at == nil {
		return false
	}
	all := n.before[b]
	a := &nearAddress{name: name, of: sizedAs(typ) + ", " + base, at: at}
	a.low, a.as, a.alone = n.lowOf(name, typ, base, index)
	from, by, times, signed := n.nearest(all, a)
	var w strings.Builder
	line := func(name, base, index, fields string) {
		fmt.Fprintf(&w, "  %s = getelementptr %s, %s %s, i64 %s%s%s\n", name, typ, ptr, base, index, fields, tail)
	}
	*n.names++
	step := fmt.Sprint("%heddle.step.", *n.names)
	switch {
	case from == nil && fields == "":
	case from == nil: // the element is for others
		a.name = step
		line(step, base, index, "")
		line(name, step, "0", fields)
	case by == "":
		line(name, from.name, strconv.FormatInt(times, 10), fields)
	default:
		how := [...]string{"zext", "nuw nsw"}
		if signed {
			how = [...]string{"sext", "nsw"}
		}
		fmt.Fprintf(&w, "  %[1]s.one = %[4]s i32 %[2]s to i64\n  %[1]s = mul %[5]s i64 %[1]s.one, %[3]d\n", step, by, times, how[0], how[1])
		line(name, from.name, step, fields)
	}
	if fields == "" || from == nil {
		if !n.isTouched(name) {
			a.low = nil
		}
		n.before[b] = append(all, a)
	}
	if w.Len() == 0 {
		return false
	}
	n.lines[v.line] = strings.TrimSuffix(w.String(), "\n")
	return true
}

// sum makes a sum of bits that are set where none are: LLVM, which has made the bits of a sum, computes an address of them on its own once it
// does not see any more that none are.
//
//	%k1 = or i64 %k, 1    ->   %k1 = add nuw nsw i64 %k, 1      where %k goes on by 2, as a number of 32 bits
func (n *nearer) sum(name string) bool {
	v := n.values[name]
	m := nearOr64.Get().FindStringSubmatch(v.text)
	if m == nil {
		return false
	}
	k, err := strconv.ParseUint(m[2], 10, 31)
	if err != nil || bits.Len64(k) > n.zeros(m[1]) {
		return false
	}
	n.lines[v.line] = fmt.Sprintf("  %s = add nuw nsw i64 %s, %s%s", name, m[1], m[2], m[3])
	return true
}

// nearest is an address to compute another one from, and how much greater the latter's index is: times as much as by is, or as 1 where by is "".
// by may have a sign.
func (n *nearer) nearest(all []*nearAddress, a *nearAddress) (from *nearAddress, by string, times int64, signed bool) {
	seen := 0
	for _, b := range slices.Backward(all) {
		if b.of != a.of {
			continue
		}
		if seen++; seen > nearMany {
			break
		}
		name, k, ok := a.at.less(b.at)
		if ok && (from == nil || by != "" && name == "") {
			from, by, times, signed = b, name, k, false
		}
		if ok {
			continue
		}
		name, k, ok = n.apart(a, b)
		if ok && (name == "" && (from == nil || by != "") || from == nil && a.alone) {
			from, by, times, signed = b, name, k, true
		}
	}
	return from, by, times, signed
}

// less is x - y where that is k times one name, or k.
func (x linear) less(y linear) (name string, k int64, ok bool) {
	d := maps.Clone(x)
	for name, k := range y {
		if d[name] -= k; d[name] == 0 {
			delete(d, name)
		}
	}
	if len(d) > 1 {
		return "", 0, false
	}
	for name, k := range d {
		return name, k, k > 0 && k < 1<<20 && !strings.Contains(name, " ")
	}
	return "", 0, true
}

// indexOf is what an extended index is, nil if it is not known.
func (n *nearer) indexOf(name string) linear {
	v := n.values[name]
	if v == nil {
		return nil
	}
	m := nearWide.Get().FindStringSubmatch(v.text)
	if m == nil {
		return nil
	}
	return n.linear(m[1], nearMost)
}

// linear is what a number of 32 bits is, as a sum; if that does not wrap around.
func (n *nearer) linear(name string, depth int) linear {
	if x, ok := n.linears[name]; ok {
		return x
	}
	x := n.expand(name, depth)
	n.linears[name] = x
	return x
}

// expand is linear for what has not been asked for.
func (n *nearer) expand(name string, depth int) linear {
	if k, err := strconv.ParseUint(name, 10, 31); err == nil {
		return linear{"": int64(k)}.clean()
	}
	if v := n.values[name]; v != nil && depth > 0 {
		if x := n.expression(v, depth-1); x != nil {
			return x
		}
	}
	return linear{name: 1}
}

// expression is what a value's operator makes of its operands, nil if that may wrap around, is another operator or too long.
func (n *nearer) expression(v *flowValue, depth int) linear {
	if m := nearOr.Get().FindStringSubmatch(v.text); m != nil {
		k, err := strconv.ParseUint(m[2], 10, 31)
		if err != nil || bits.Len64(k) > n.zeros(m[1]) {
			return nil
		}
		return n.linear(m[1], depth).plus(linear{"": int64(k)})
	}
	m := nearSum.Get().FindStringSubmatch(v.text)
	if m == nil {
		return nil
	}
	x, y := n.linear(m[2], depth), n.linear(m[3], depth)
	switch m[1] {
	case "add":
		return x.plus(y)
	case "mul":
		return x.times(y)
	}
	if k, err := strconv.Atoi(m[3]); err == nil && k < 31 { // shl
		return x.times(linear{"": 1 << k})
	}
	return nil
}

// clean is x without what is 0.
func (x linear) clean() linear {
	maps.DeleteFunc(x, func(_ string, k int64) bool { return k == 0 })
	return x
}

// plus is x + y, nil of what is too long.
func (x linear) plus(y linear) linear {
	z := maps.Clone(x)
	for name, k := range y {
		z[name] += k
	}
	return z.short()
}

// times is x * y, nil of what is too long.
func (x linear) times(y linear) linear {
	z := linear{}
	for a, k := range x {
		for b, l := range y {
			name := factors(a, b)
			if z[name] += k * l; z[name] >= linearMost {
				return nil
			}
		}
	}
	return z.short()
}

// factors is the name of a product of products.
func factors(a, b string) string {
	names := append(strings.Fields(a), strings.Fields(b)...)
	slices.Sort(names)
	return strings.Join(names, " ")
}

func (x linear) short() linear {
	if len(x) > linearTerms {
		return nil
	}
	for _, k := range x {
		if k >= linearMost {
			return nil
		}
	}
	return x.clean()
}

// zeros is how many bits of a number of 32 or 64 bits are known to be 0, from the lowest one; 32 at most.
func (n *nearer) zeros(name string) int {
	if k, err := strconv.ParseInt(name, 10, 64); err == nil {
		return min(bits.TrailingZeros64(uint64(k)), 32)
	}
	if z, ok := n.aligned[name]; ok || n.values[name] == nil {
		return z
	}
	n.aligned[name] = 0
	n.aligned[name] = n.zerosOf(name, n.values[name])
	return n.aligned[name]
}

func (n *nearer) zerosOf(name string, v *flowValue) int {
	if _, in, ok := v.phi(); ok {
		least := 32
		for _, edge := range in {
			if edge[0] != name {
				least = min(least, n.zeros(n.step(edge[0], name)))
			}
		}
		return least
	}
	if m := nearResized.Get().FindStringSubmatch(v.text); m != nil {
		return n.zeros(m[1])
	}
	m := nearAligned.Get().FindStringSubmatch(v.text)
	if m == nil {
		return 0
	}
	x, y := n.zeros(m[2]), n.zeros(m[3])
	switch m[1] {
	case "add":
		return min(x, y)
	case "mul":
		return min(x+y, 32)
	case "and":
		return max(x, y)
	}
	if k, err := strconv.Atoi(m[3]); err == nil && k >= 0 { // shl
		return min(x+k, 32)
	}
	return 0
}

// step is what is added to a phi for its next value, be it in 32 bits of 64; the value, if that is another one.
func (n *nearer) step(next, phi string) string {
	if v := n.values[n.resized(next)]; v != nil {
		if m := nearAligned.Get().FindStringSubmatch(v.text); m != nil && m[1] == "add" && n.resized(m[2]) == n.resized(phi) {
			return m[3]
		}
	}
	return next
}

// resized is what a number is extended of, or cut off from.
func (n *nearer) resized(name string) string {
	for range nearMost {
		v := n.values[name]
		if v == nil {
			break
		}
		m := nearResized.Get().FindStringSubmatch(v.text)
		if m == nil {
			break
		}
		name = m[1]
	}
	return name
}
