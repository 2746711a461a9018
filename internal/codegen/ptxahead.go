package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file computes an address ahead of branches, where three or more blocks that do not lead to one another compute addresses beside it.
// Rounds of an unrolled loop that test each place on its own are such blocks. LLVM computes each address on its own, by up to four instructions.
//
//	br i1 %c, label %load, label %next                      %base = sext i32 %i to i64
//	                                                        %ahead = getelementptr float, ptr %in, i64 %base
//	load:                                                   br i1 %c, label %load, label %next
//	%wide = zext i32 %i to i64
//	%p = getelementptr float, ptr %in, i64 %wide            load:
//	...                                              ->     %p = getelementptr float, ptr %ahead, i64 0
//	load1:                                                  ...
//	%wide1 = zext i32 %i1 to i64  ; %i + 1                  load1:
//	%p1 = getelementptr float, ptr %in, i64 %wide1          %p1 = getelementptr float, ptr %ahead, i64 1
//
// The address is that of the least index. Where it is not known that sums do not wrap around (ptxwrap.go), that index is extended by its sign: the others
// are from 0 to 1<<31-1 where they are used, so that the least is only a little below 0.

const (
	aheadBlocks = 3       // so many have to compute addresses
	aheadChain  = 4       // instructions of the index at most
	aheadFar    = 1 << 20 // one index is from another one at most
)

// An aheadKey is what addresses have in common: what they are of, their index without its constant, and the innermost loop.
type aheadKey struct {
	of, terms string
	low       bool // the terms are modulo 1<<32
	loop      *flowLoop
}

// An aheadPlace is one of these addresses.
type aheadPlace struct {
	*nearAddress
	block                 *flowBlock
	typ, ptr, base, index string
	k                     int64 // the constant
}

// placesAhead computes addresses ahead of branches. It returns them by the block at whose end they are computed.
func (n *nearer) placesAhead() map[*flowBlock][]*nearAddress {
	groups, keys := map[aheadKey][]*aheadPlace{}, []aheadKey(nil)
	for _, name := range n.order {
		p, key := n.aheadPlace(name)
		if p == nil {
			continue
		}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	ahead := map[*flowBlock][]*nearAddress{}
	for _, key := range keys {
		if b, a := n.computeAhead(key, groups[key]); a != nil {
			ahead[b] = append(ahead[b], a)
		}
	}
	return ahead
}

// aheadPlace is an address and its key, nil of what is none.
func (n *nearer) aheadPlace(name string) (*aheadPlace, aheadKey) {
	v := n.values[name]
	m := nearElement.Get().FindStringSubmatch(v.text)
	if m == nil || n.ranked[v.block.rank] != v.block {
		return nil, aheadKey{}
	}
	typ, index := n.counted(m[1], m[4], m[5])
	at := n.indexOf(index)
	if at == nil {
		return nil, aheadKey{}
	}
	a := &nearAddress{of: sizedAs(typ) + ", " + m[3], at: at}
	a.low, a.as, _ = n.lowOf(name, typ, m[3], index)
	key := aheadKey{of: a.of, low: a.low != nil}
	if key.low {
		at = a.low
	}
	for _, term := range slices.Sorted(maps.Keys(at)) {
		if term != "" {
			key.terms += fmt.Sprint(term, " ", at[term], ";")
		}
	}
	if loops := v.block.loops; len(loops) > 0 {
		key.loop = loops[len(loops)-1]
	}
	return &aheadPlace{a, v.block, typ, m[2], m[3], index, at[""]}, key
}

// computeAhead computes the least of some addresses at the end of a block that leads to all of them; nil if that is not worth while.
func (n *nearer) computeAhead(key aheadKey, places []*aheadPlace) (*flowBlock, *nearAddress) {
	least, most := places[0], places[0]
	to := places[0].block
	for _, p := range places {
		if p.k < least.k {
			least = p
		}
		if p.k > most.k {
			most = p
		}
		to = n.commonBlock(to, p.block)
	}
	if key.terms == "" || most.k-least.k >= aheadFar || n.apartBlocks(to, places) < aheadBlocks || !sameLoop(to, key.loop) {
		return nil, nil
	}
	if ptr := n.values[least.base]; ptr != nil && !n.leads(ptr.block, to) {
		return nil, nil
	}
	var w strings.Builder
	copied := 0
	index := n.copyTo(&w, nearWide.Get().FindStringSubmatch(n.values[least.index].text)[1], to, &copied)
	if index == "" {
		return nil, nil
	}
	*n.names++
	a := &nearAddress{name: fmt.Sprint("%heddle.ahead.", *n.names), of: key.of, at: least.at, ahead: true}
	how := "zext"
	if key.low {
		how, a.at, a.low, a.as = "sext", linear{a.name: 1}, least.low, a.name
	}
	fmt.Fprintf(&w, "  %[1]s.wide = %[2]s i32 %[3]s to i64\n  %[1]s = getelementptr %[4]s, %[5]s %[6]s, i64 %[1]s.wide\n", a.name, how, index, least.typ, least.ptr, least.base)
	n.lines[to.end] = w.String() + n.lines[to.end]
	return to, a
}

// sameLoop reports whether a block's innermost loop is this one.
func sameLoop(b *flowBlock, l *flowLoop) bool {
	if len(b.loops) == 0 {
		return l == nil
	}
	return b.loops[len(b.loops)-1] == l
}

// commonBlock is the last block through which all ways to both lead.
func (n *nearer) commonBlock(a, b *flowBlock) *flowBlock {
	for a != b {
		if a.rank < b.rank {
			a, b = b, a
		}
		a = n.ranked[n.idom[a.rank]]
	}
	return a
}

// apartBlocks is how many blocks of places there are that no other one of them leads to; 0 if to is one.
func (n *nearer) apartBlocks(to *flowBlock, places []*aheadPlace) int {
	all := map[*flowBlock]bool{}
	for _, p := range places {
		all[p.block] = true
	}
	if all[to] {
		return 0
	}
	for b := range all {
		for a := range all {
			if a != b && n.leads(a, b) {
				delete(all, b)
				break
			}
		}
	}
	return len(all)
}

// copyTo computes a number of 32 bits once more at the end of a block, as far as it is not known there; "" of what is too long.
func (n *nearer) copyTo(w *strings.Builder, name string, to *flowBlock, copied *int) string {
	v := n.values[name]
	if v == nil || n.leads(v.block, to) {
		return name
	}
	op, x, y := "or", "", ""
	if m := nearOr.Get().FindStringSubmatch(v.text); m != nil {
		x, y = m[1], m[2]
	} else if m := wrapSum.Get().FindStringSubmatch(v.text); m != nil {
		op, x, y = m[1], m[2], m[3]
	}
	if *copied++; x == "" || *copied > aheadChain {
		return ""
	}
	for _, operand := range []*string{&x, &y} {
		if _, err := strconv.ParseInt(*operand, 10, 64); err == nil {
			continue
		}
		if *operand = n.copyTo(w, *operand, to, copied); *operand == "" {
			return ""
		}
	}
	*n.names++
	as := fmt.Sprint("%heddle.ahead.", *n.names)
	fmt.Fprintf(w, "  %s = %s i32 %s, %s\n", as, op, x, y)
	return as
}
