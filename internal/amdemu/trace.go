package amdemu

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// A Trace asks for what one wave does, instruction by instruction.
type Trace struct {
	Block [3]int
	Wave  int // of the block
	// Step is called after each instruction, and returns whether there is to be
	// another call. Of an instruction that fails it is called as well.
	Step func(*Step) bool

	positions map[uint64][]Position // by program counter
}

// A Step is one instruction that was executed.
type Step struct {
	PC   uint64 // from the kernel's entry
	Text string // the instruction
	Exec uint64 // the lanes that were active
	// Positions is the Go code: the innermost function's first, then the calls that
	// it is inlined by. It is empty without debug information.
	Positions []Position
	// Written are the registers of its result, of the lanes that were active, and
	// all others that have another value than before.
	Written []Register
}

// A Position is a line of a source file.
type Position struct {
	Function     string // "main.Saxpy"
	File         string
	Line, Column int
}

// A Register is one that an instruction wrote.
type Register struct {
	Name string
	// Values are those of the lanes in Lanes, lowest first; of a scalar register
	// it is one value and no lanes.
	Values []uint32
	Lanes  uint64
	Float  bool // the instruction's result is a float32
}

// String is "s4=0x10", or of a vector register "v2[0-31]=0x0,0x4..0x7c": the
// lanes that were written, and their values. Equal values are "0x1*8", and "0x0,0x4..0x7c"
// go on as they begin.
func (r Register) String() string {
	if r.Lanes == 0 {
		return fmt.Sprintf("%s=%s", r.Name, r.text(r.Values[0]))
	}
	var all []string
	for v := r.Values; len(v) > 0; {
		n, text := r.run(v)
		all, v = append(all, text), v[n:]
	}
	return fmt.Sprintf("%s[%s]=%s", r.Name, lanesText(r.Lanes), strings.Join(all, ","))
}

// text is one value.
func (r Register) text(v uint32) string {
	if r.Float {
		return fmt.Sprint(math.Float32frombits(v))
	}
	return fmt.Sprintf("%#x", v)
}

// run is how many of the first values are written together, and how.
func (r Register) run(v []uint32) (n int, text string) {
	if len(v) == 1 {
		return 1, r.text(v[0])
	}
	for n = 2; n < len(v) && r.even(v[n-2:]); n++ {
	}
	switch {
	case v[0] == v[1]:
		return n, fmt.Sprintf("%s*%d", r.text(v[0]), n)
	case n > 3:
		return n, fmt.Sprintf("%s,%s..%s", r.text(v[0]), r.text(v[1]), r.text(v[n-1]))
	}
	return 1, r.text(v[0])
}

// even is whether the second value is as far from the first as the third from
// the second.
func (r Register) even(v []uint32) bool {
	if r.Float && v[0] != v[1] {
		f := math.Float32frombits
		return float64(f(v[1]))-float64(f(v[0])) == float64(f(v[2]))-float64(f(v[1]))
	}
	return v[1]-v[0] == v[2]-v[1]
}

// lanesText lists a mask's lanes: "0-31,40".
func lanesText(m uint64) string {
	var all []string
	for m != 0 {
		first := bits.TrailingZeros64(m)
		n := bits.TrailingZeros64(^(m >> first))
		text := fmt.Sprint(first)
		if n > 1 {
			text = fmt.Sprintf("%d-%d", first, first+n-1)
		}
		all = append(all, text)
		m &^= (1<<n - 1) << first
	}
	return strings.Join(all, ",")
}

// traced runs an instruction and tells the trace of it.
func (w *wave) traced(in *inst) {
	t, k := w.trace, w.group.launch.kernel
	step := &Step{PC: in.addr - k.entry, Text: in.text, Exec: w.exec(), Positions: t.position(k.program, in.addr)}
	s, scc := w.s, w.scc
	v, a := append([]vector(nil), w.v...), append([]vector(nil), w.a...)
	var results map[register]bool
	defer func() { // whether or not the instruction fails
		for i := range s {
			if w.s[i] != s[i] || results[register{sgpr, i}] {
				step.Written = append(step.Written, Register{Name: scalarName(i), Values: []uint32{w.s[i]}})
			}
		}
		if w.scc != scc {
			step.Written = append(step.Written, Register{Name: "scc", Values: []uint32{uint32(flag(w.scc))}})
		}
		isFloat := in.sig.result == f32 && in.dual == nil
		for _, f := range []struct {
			file          file
			prefix        string
			before, after []vector
		}{{vgpr, "v", v, w.v}, {agpr, "a", a, w.a}} {
			for i := range f.after {
				active := uint64(0)
				if results[register{f.file, i}] {
					active = step.Exec
				}
				if r := written(&f.before[i], &f.after[i], active); r.Lanes != 0 {
					r.Name, r.Float = fmt.Sprintf("%s%d", f.prefix, i), isFloat
					step.Written = append(step.Written, r)
				}
			}
		}
		if !t.Step(step) {
			w.trace = nil
		}
	}()
	indexed := w.indexMode != 0 // then it writes other registers than its text has
	in.run(w)
	if !indexed {
		results = in.results()
	}
}

// register is one of a file.
type register struct {
	file file
	i    int
}

// results are the registers that the instruction's text says it writes.
func (in *inst) results() map[register]bool {
	all := map[register]bool{}
	for _, half := range append([]*inst{in}, in.dual...) {
		outs := []*operand{half.dst, half.mask}
		if isLoad := strings.Contains(half.name, "_load") || strings.Contains(half.name, "_read"); isLoad && half.dst == nil && len(half.operands) > 0 {
			outs[0] = &half.operands[0]
		}
		for _, o := range outs {
			for i := 0; o != nil && i < o.n; i++ {
				all[register{o.file, o.reg + i}] = true
			}
		}
	}
	return all
}

// written is what lanes have that are active or another value than before.
func written(before, after *vector, active uint64) (r Register) {
	for l := range lanes {
		if active>>l&1 == 1 || before[l] != after[l] {
			r.Lanes |= 1 << l
			r.Values = append(r.Values, after[l])
		}
	}
	return r
}

// position is where an instruction comes from.
func (t *Trace) position(p *Program, pc uint64) []Position {
	if all, ok := t.positions[pc]; ok {
		return all
	}
	var all []Position
	for _, f := range p.where(pc) {
		if f.line != 0 {
			all = append(all, Position{f.function, f.file, f.line, f.column})
		}
	}
	if t.positions == nil {
		t.positions = map[uint64][]Position{}
	}
	t.positions[pc] = all
	return all
}

// scalarNames are the names of numbers in the scalar file that are not "s" and
// the number.
var scalarNames = map[int]string{
	regVCC: "vcc_lo", regVCC + 1: "vcc_hi", regM0: "m0", regExec: "exec_lo", regExec + 1: "exec_hi",
}

// scalarName is the name of a number in the scalar file.
func scalarName(i int) string {
	if name, ok := scalarNames[i]; ok {
		return name
	}
	if i >= regTTMP && i < regTTMP+16 {
		return fmt.Sprintf("ttmp%d", i-regTTMP)
	}
	return fmt.Sprintf("s%d", i)
}
