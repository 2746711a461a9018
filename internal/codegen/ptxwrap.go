package codegen

import (
	"maps"
	"strconv"
	"strings"

	"heddle/internal/lazy"
)

// This file finds near addresses (ptxnear.go) where the sums of 32 bits may wrap around for all that LLVM knows. LLVM takes what all lanes have in
// common to the front of a sum, and forgets then that neither sum wraps around:
//
//	%i = add i32 %row, %k                 %k1 = add nuw i32 %k, 1;  %j = add i32 %row, %k1
//
// Modulo 1<<32 they differ by 1. They do as they are if both are below 1<<31: the first one is where the element is loaded or stored in the block
// of its address, so that it is in range, and slices have less than 1<<31 elements; and where the second element is accessed, its index is in
// range as well. Nothing else may be made of the second address.
//
// ssa2ir says which slices have less than 1<<31 elements, as the host sees to that, and how many bytes each has:
//
//	ptr addrspace(1) "heddle.short"="4" %p

var (
	wrapShort  = lazy.Regexp{Expr: `"heddle\.short"="(\d+)" (` + valueName + `)`}
	wrapTouch  = lazy.Regexp{Expr: `^(?:` + valueName + ` = )?(?:load|atomicrmw|cmpxchg) .*?ptr(?: addrspace\(\d+\))? (` + valueName + `)`}
	wrapStore  = lazy.Regexp{Expr: `^store .*, ptr(?: addrspace\(\d+\))? (` + valueName + `)`}
	wrapLeaves = lazy.Regexp{Expr: `\bcall .*@([\w$.]+|")`}
	wrapSum    = lazy.Regexp{Expr: `^(add|sub|mul|shl) (?:nuw |nsw )*i32 (` + valueName + `|-?\d+), (` + valueName + `|-?\d+)(?:,|$)`}
)

// A wraps is what is known of a function's addresses.
type wraps struct {
	short   map[string]int      // the size of the elements of slices of less than 1<<31
	uses    map[string]int      // lines that a name is in, but where it is defined
	touched map[string][]int    // lines that load or store at an address
	leaves  map[*flowBlock]bool // the block has a call that need not come back
	lows    map[string]linear   // numbers modulo 1<<32
	made    map[string][]string // of these, those that are a product, by that
}

// findShort fills in n.wraps.
func (n *nearer) findShort() {
	w := wraps{map[string]int{}, map[string]int{}, map[string][]int{}, map[*flowBlock]bool{}, map[string]linear{}, map[string][]string{}}
	for _, m := range wrapShort.Get().FindAllStringSubmatch(n.lines[1], -1) {
		w.short[m[2]], _ = strconv.Atoi(m[1])
	}
	n.wraps = w
	if len(w.short) == 0 {
		return
	}
	for i, line := range n.lines {
		line = strings.TrimSpace(line)
		_, rest, isValue := strings.Cut(line, " = ")
		if !isValue || !strings.HasPrefix(line, "%") {
			rest = line
		}
		for _, name := range namesIn(rest) {
			w.uses[name]++
		}
		m := wrapTouch.Get().FindStringSubmatch(line)
		if m == nil {
			m = wrapStore.Get().FindStringSubmatch(line)
		}
		if m != nil {
			w.touched[m[1]] = append(w.touched[m[1]], i)
		}
	}
	for _, b := range n.blocks {
		for _, line := range n.lines[b.begin : b.end+1] {
			m := wrapLeaves.Get().FindStringSubmatch(line)
			w.leaves[b] = w.leaves[b] || m != nil && !strings.HasPrefix(m[1], "llvm.") || strings.HasPrefix(strings.TrimSpace(line), "unreachable")
		}
	}
}

// lowOf is what an extended index is modulo 1<<32, if the slice is short and nothing but loads and stores is made of the element's address.
// alone: nothing else is made of the index either.
func (n *nearer) lowOf(name, typ, base, index string) (low linear, as string, alone bool) {
	size, _ := layoutOf(typ)
	if short := n.short[base]; short == 0 || size < short || n.uses[name] != len(n.touched[name]) {
		return nil, "", false
	}
	as = nearWide.Get().FindStringSubmatch(n.values[index].text)[1]
	if low = n.low(as, nearMost); len(low) == 1 && low[as] == 1 && n.values[as] != nil { // it may be of too many terms for an operand
		if all := n.lowExpression(n.values[as], nearMost-1); all != nil {
			low = all
		}
	}
	return low, as, n.uses[index] == 1 && n.uses[as] == 1
}

// isTouched reports whether the element is loaded or stored wherever its address is computed.
func (n *nearer) isTouched(name string) bool {
	b := n.values[name].block
	for _, at := range n.touched[name] {
		if b.begin <= at && at < b.end {
			return !n.leaves[b]
		}
	}
	return false
}

// low is what a number of 32 bits is modulo 1<<32, as a sum of numbers from -1<<31 to 1<<31-1.
func (n *nearer) low(name string, depth int) linear {
	if k, err := strconv.ParseInt(name, 10, 64); err == nil {
		return linear{"": k}.modulo()
	}
	if x, ok := n.lows[name]; ok {
		return x
	}
	x := linear{name: 1}
	v := n.values[name]
	if v != nil && depth > 0 {
		if y := n.lowExpression(v, depth-1); y != nil && len(y) <= linearTerms {
			x = y
		}
		if product, k, ok := x.single(); ok && k == 1 {
			n.made[product] = append(n.made[product], name)
		}
	}
	n.lows[name] = x
	return x
}

// lowExpression is what a value's operator makes of its operands, nil if it is another operator.
func (n *nearer) lowExpression(v *flowValue, depth int) linear {
	if m := nearOr.Get().FindStringSubmatch(v.text); m != nil {
		if x := n.expression(v, depth); x == nil {
			return nil // some of the bits may be set
		}
		return n.low(m[1], depth).sum(n.low(m[2], depth), 1)
	}
	m := wrapSum.Get().FindStringSubmatch(v.text)
	if m == nil {
		return nil
	}
	x, y := n.low(m[2], depth), n.low(m[3], depth)
	switch m[1] {
	case "add":
		return x.sum(y, 1)
	case "sub":
		return x.sum(y, -1)
	case "mul":
		return x.product(y).modulo()
	}
	if k, err := strconv.Atoi(m[3]); err == nil && k < 31 { // shl
		return linear{}.sum(x, 1<<k)
	}
	return nil
}

// single is a linear's only product, and how often.
func (x linear) single() (name string, k int64, ok bool) {
	for name, k := range x {
		return name, k, len(x) == 1
	}
	return "", 0, false
}

// product is x*y, with numbers that are right modulo 1<<32.
func (x linear) product(y linear) linear {
	z := linear{}
	for a, k := range x {
		for b, l := range y {
			z[factors(a, b)] += k * l
		}
	}
	return z
}

// sum is x + k*y modulo 1<<32.
func (x linear) sum(y linear, k int64) linear {
	z := maps.Clone(x)
	for name, l := range y {
		z[name] += k * l
	}
	return z.modulo()
}

// modulo is x with numbers from -1<<31 to 1<<31-1 that are the same modulo 1<<32.
func (x linear) modulo() linear {
	for name, k := range x {
		x[name] = int64(int32(k))
	}
	return x.clean()
}

// apart is how much greater the index of a is than that of b, modulo 1<<32, where that is a number k, or k times one that is computed.
func (n *nearer) apart(a, b *nearAddress) (name string, k int64, ok bool) {
	if a.low == nil || b.low == nil {
		return "", 0, false
	}
	if name, k, ok = n.difference(a.low.sum(b.low, -1), n.values[a.name]); !ok {
		name, k, ok = n.difference(a.low.sum(linear{b.as: 1}, -1), n.values[a.name])
	}
	if b.ahead && (name != "" || k < 0) {
		return "", 0, false
	}
	return name, k, ok
}

// difference is apart of what the difference is, at a value.
func (n *nearer) difference(d linear, at *flowValue) (name string, k int64, ok bool) {
	if len(d) == 0 {
		return "", 0, true
	}
	name, k, ok = d.single()
	switch {
	case !ok:
		return "", 0, false
	case name == "":
		return "", k, -1<<20 < k && k < 1<<20
	case k != 1 && k != -1:
		return "", 0, false
	case !strings.Contains(name, " "):
		return name, k, true
	}
	for _, m := range n.made[name] {
		if v := n.values[m]; n.leads(v.block, at.block) && (v.block != at.block || v.line < at.line) {
			return m, k, true
		}
	}
	return "", 0, false
}

// leads reports whether all ways to a block lead through another one, or it is that.
func (n *nearer) leads(a, b *flowBlock) bool {
	for b != a && b.rank > 0 {
		b = n.ranked[n.idom[b.rank]]
	}
	return b == a
}
