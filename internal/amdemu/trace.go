package amdemu

import (
	"fmt"
	"strings"
)

// A Trace asks for what one wave does, instruction by instruction.
type Trace struct {
	Block [3]int
	Wave  int
	// Step is called after each instruction.
	Step func(*Step)
}

// A Step is one instruction that was executed.
type Step struct {
	PC      uint64 // from the kernel's entry
	Text    string // the instruction
	Exec    uint64 // the lanes that were active
	Place   string // the Go code, "file.go:12:3"; empty without debug information
	Changed []Register
}

// A Register is one whose value an instruction changed.
type Register struct {
	Name string
	// Values are those of the lanes in Lanes, lowest first; of a scalar register
	// it is one value and no lanes.
	Values []uint32
	Lanes  uint64
}

// String is "s4=0x10", or "v2=[0x0 0x1]".
func (r Register) String() string {
	if r.Lanes == 0 {
		return fmt.Sprintf("%s=%#x", r.Name, r.Values[0])
	}
	var all []string
	for _, v := range r.Values {
		all = append(all, fmt.Sprintf("%#x", v))
	}
	return fmt.Sprintf("%s=[%s]", r.Name, strings.Join(all, " "))
}

// traced runs an instruction and tells the trace of it.
func (w *wave) traced(in *inst) {
	s, scc, exec := w.s, w.scc, w.exec()
	v, a := append([]vector(nil), w.v...), append([]vector(nil), w.a...)
	in.run(w)
	k := w.group.launch.kernel
	step := &Step{PC: in.addr - k.entry, Text: in.text, Exec: exec}
	step.Place, _ = k.program.position(in.addr)
	for i := range s {
		if w.s[i] != s[i] {
			step.Changed = append(step.Changed, Register{Name: scalarName(i), Values: []uint32{w.s[i]}})
		}
	}
	if w.scc != scc {
		step.Changed = append(step.Changed, Register{Name: "scc", Values: []uint32{uint32(flag(w.scc))}})
	}
	step.Changed = append(step.Changed, changed("v", v, w.v)...)
	step.Changed = append(step.Changed, changed("a", a, w.a)...)
	w.trace.Step(step)
}

// changed lists the vector registers that differ.
func changed(prefix string, before, after []vector) (all []Register) {
	for i := range after {
		if before[i] == after[i] {
			continue
		}
		r := Register{Name: fmt.Sprintf("%s%d", prefix, i)}
		for l := range lanes {
			if before[i][l] != after[i][l] {
				r.Lanes |= 1 << l
				r.Values = append(r.Values, after[i][l])
			}
		}
		all = append(all, r)
	}
	return all
}

// scalarName is the name of a number in the scalar file.
func scalarName(i int) string {
	switch {
	case i == regVCC, i == regExec:
		return map[int]string{regVCC: "vcc_lo", regExec: "exec_lo"}[i]
	case i == regVCC+1, i == regExec+1:
		return map[int]string{regVCC + 1: "vcc_hi", regExec + 1: "exec_hi"}[i]
	case i == regM0:
		return "m0"
	case i >= regTTMP && i < regTTMP+16:
		return fmt.Sprintf("ttmp%d", i-regTTMP)
	}
	return fmt.Sprintf("s%d", i)
}

// Stats are counts of a whole launch.
type Stats struct {
	Blocks, Waves int
	// Instructions that waves executed, by class; see Classes.
	Instructions [classes]uint64
	Conflicts    uint64 // extra cycles of LDS instructions for bank conflicts
	Transactions uint64 // lines of global memory touched, by each instruction
	Bytes        uint64 // of global memory that lanes asked for
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

// String is a line of the counts that are not 0.
func (s *Stats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d instructions in %d waves:", s.Total(), s.Waves)
	for i, n := range s.Instructions {
		if n > 0 {
			fmt.Fprintf(&b, " %s %d", classNames[i], n)
		}
	}
	fmt.Fprintf(&b, "; LDS bank conflicts %d, memory transactions %d of %d bytes", s.Conflicts, s.Transactions, s.Bytes)
	return b.String()
}

// collect adds what a wave counted to its group's and begins anew.
func (w *wave) collect() {
	s := &w.group.stats
	if w.mem.memory == nil {
		return // the first block
	}
	for i, n := range w.classes {
		s.Instructions[i] += n
	}
	s.Waves++
	s.Conflicts += w.mem.stats.Conflicts
	s.Transactions += w.mem.stats.Transactions
	s.Bytes += w.mem.stats.Bytes
	w.classes = [classes]uint64{}
}

// add adds a group's counts.
func (s *Stats) add(g *group) {
	for _, w := range g.waves {
		w.collect()
	}
	for i, n := range g.stats.Instructions {
		s.Instructions[i] += n
	}
	s.Waves += g.stats.Waves
	s.Conflicts += g.stats.Conflicts
	s.Transactions += g.stats.Transactions
	s.Bytes += g.stats.Bytes
	if len(g.waves) > 0 {
		s.Blocks += g.stats.Waves / len(g.waves)
	}
}
