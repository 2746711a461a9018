package main

import (
	"fmt"
	"slices"
	"strings"
)

// A feature is something that kernels may do besides the rest. Each kernel has
// some of those that are on: where all do everything, much hides much.
type feature uint

const (
	index   feature = 1 << iota // thread coordinates, blocks of any shape
	narrow                      // arrays of bool and of small integers
	extend                      // integers extended step by step, in every operation
	large                       // values of 100 scalars and more
	warp                        // warp operations, barriers, shared memory
	overlap                     // copy within one array
	nan                         // NaN, -0, least integers and absolute values, compared
	pack                        // numbers put together of bytes and halves of others
	bounds                      // indices that are out of range now and then
	held                        // values in interfaces: assertions and type switches
	funcs                       // funcs in fields, and chosen at run time
	planes                      // instead of all else: rows and planes of slices, in the launched function itself
	alike                       // all threads of a block have the same input
	media                       // averages, saturation and the like, and checks for overflow
	lists                       // slices of structs, read and written, in the launched function itself
	windows                     // loops over windows around a point
	every   = 1<<iota - 1
)

// features are the names, and how many of eight kernels have each.
var features = []struct {
	name  string
	is    feature
	often int
}{
	{"index", index, 5}, {"narrow", narrow, 4}, {"extend", extend, 4}, {"large", large, 1},
	{"warp", warp, 2}, {"overlap", overlap, 3}, {"nan", nan, 3},
	{"pack", pack, 3}, {"bounds", bounds, 3}, {"held", held, 3}, {"funcs", funcs, 3}, {"planes", planes, 1}, {"alike", alike, 2}, {"media", media, 3},
	{"lists", lists, 2}, {"windows", windows, 2},
}

// parseFeatures reads a list of features, "all" or "none".
func parseFeatures(list string) (feature, error) {
	switch list {
	case "all":
		return every, nil
	case "none":
		return 0, nil
	}
	var names []string
	for _, f := range features {
		names = append(names, f.name)
	}
	var on feature
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return 0, fmt.Errorf("unknown feature %q; these are: %s, all, none", name, strings.Join(names, ", "))
		}
		on |= features[i].is
	}
	return on, nil
}

// chooseFeatures gives the kernel some of those that are on.
func (g *gen) chooseFeatures(on feature) {
	for _, f := range features {
		if on&f.is != 0 && (on == f.is || g.IntN(8) < f.often) {
			g.on |= f.is
		}
	}
	if g.has(planes) { // a kernel's parameters are those of one kind
		g.on &^= lists
	}
}

func (g *gen) has(f feature) bool { return g.on&f != 0 }

// chance is true once in n times, and never without the feature.
func (g *gen) chance(f feature, n int) bool { return g.has(f) && g.IntN(n) == 0 }

// weight is a weight in a table of choices, 0 without the feature.
func (g *gen) weight(f feature, n int) int {
	if g.has(f) {
		return n
	}
	return 0
}
