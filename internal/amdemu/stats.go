package amdemu

import (
	"fmt"
	"strings"
)

// Stats are counts of a whole launch. Those of memory are kept where
// Options.Counters is set.
type Stats struct {
	Blocks, Waves int // that have begun
	// Instructions that waves executed, by class; see Classes.
	Instructions [classes]uint64
	// Conflicts are the cycles by which LDS instructions take longer than one for
	// each group of lanes that LDS serves at once (32 of 4 bytes a lane), because
	// lanes want different dwords of one of the 32 banks.
	Conflicts uint64
	// Transactions are lines of 128 bytes of global memory, once for each
	// instruction of a wave that touches them; Bytes is what the lanes asked for.
	Transactions, Bytes uint64
}

// Classes names the classes of instructions: vector and scalar arithmetic, global
// memory, private memory, LDS, scalar loads, branches, and waits, barriers and
// hints.
func Classes() []string { return append([]string(nil), classNames[:]...) }

// Total is the number of instructions.
func (s *Stats) Total() uint64 {
	n := uint64(0)
	for _, c := range s.Instructions {
		n += c
	}
	return n
}

// String is one line. Of the classes it has those that are not 0.
func (s *Stats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, %s (", count(s.Waves, "wave"), count(s.Blocks, "block"), count(s.Total(), "instruction"))
	sep := ""
	for i, n := range s.Instructions {
		if n > 0 {
			fmt.Fprintf(&b, "%s%s %d", sep, classNames[i], n)
			sep = ", "
		}
	}
	fmt.Fprintf(&b, "), %s, %s for %s", count(s.Conflicts, "LDS bank conflict"), count(s.Transactions, "memory transaction"), count(s.Bytes, "byte"))
	return b.String()
}

// count is "1 wave", "2 waves".
func count[T int | uint64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// merge adds other counts.
func (s *Stats) merge(o *Stats) {
	s.Blocks += o.Blocks
	s.Waves += o.Waves
	for i, n := range o.Instructions {
		s.Instructions[i] += n
	}
	s.Conflicts += o.Conflicts
	s.Transactions += o.Transactions
	s.Bytes += o.Bytes
}

// collect adds what a wave counted to its group's and begins anew.
func (w *wave) collect() {
	if w.mem.memory == nil {
		return // before the first block
	}
	m := &w.mem.stats
	w.group.stats.merge(&Stats{Waves: 1, Instructions: w.classes, Conflicts: m.Conflicts, Transactions: m.Transactions, Bytes: m.Bytes})
	w.classes = [classes]uint64{}
}

// add adds a group's counts.
func (s *Stats) add(g *group) {
	for _, w := range g.waves {
		w.collect()
	}
	g.stats.Blocks = g.stats.Waves / len(g.waves)
	s.merge(&g.stats)
}
