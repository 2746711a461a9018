package conformance

import (
	"cmp"
	"slices"
)

// Sorts of package slices by one thread each: their code calls itself, which a kernel's may not, so
// it is compiled with a stack of its own (internal/source/sorts.go, whose test has SortFunc, too).

const sortedItems = 90

type sortedItem struct {
	Key, Place int16
}

// shape is an element of slices that a sort takes different ways for: random, sorted, reversed, equal, few
// keys, an organ pipe, sorted but for a few.
func shape(n, i int) int16 {
	random := int16((i*7919 + n*104729 + i*i*31) % 1009)
	switch n % 7 {
	case 1:
		return int16(i)
	case 2:
		return int16(-i)
	case 3:
		return 7
	case 4:
		return random % 5
	case 5:
		return int16(min(i, sortedItems-i))
	case 6:
		if i%29 != 3 {
			return int16(i)
		}
	}
	return random
}

func shaped(n int) (all [sortedItems]sortedItem) {
	for i := range all {
		all[i] = sortedItem{shape(n, i), int16(i)}
	}
	return all
}

type sortOrdered struct{}

func (sortOrdered) Do(n int, out *[sortedItems]int16) {
	for i := range out {
		out[i] = shape(n, i)
	}
	slices.Sort(out[n%11:])
}

type sortStable struct{}

func (sortStable) Do(n int, out *[sortedItems]sortedItem) {
	*out = shaped(n)
	slices.SortStableFunc(out[n%11:], func(a, b sortedItem) int { return cmp.Compare(a.Key%8, b.Key%8) })
}

func sortCases() []Case {
	const row = rowFunctions + ", sorts of package slices"
	return []Case{
		onEach("call/sort", row, each[sortOrdered], upTo(16)).std(),
		onEach("call/sort-stable", row, each[sortStable], upTo(16)).std(),
	}
}
