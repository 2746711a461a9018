package divergence

import (
	"slices"

	"heddle/internal/spmd/ll"
)

// Exits are the blocks that a loop leaves to.
func (l *Loop) Exits() []*ll.Block {
	var out []*ll.Block
	for b := range l.blocks {
		for _, s := range b.Succs() {
			if !l.Has(s) && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}
