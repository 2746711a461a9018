package amdemu

import (
	"fmt"
	"math/bits"
)

// lanes is the width of a vector register's row, whatever the wave size.
const lanes = 64

// A row of lanes: one 32-bit register.
type vector = [lanes]uint32

// A wave is one wavefront and its registers. What a wave is part of:
//
//	launch > group (the workgroup: LDS, barrier) > wave
type wave struct {
	group *group
	id    int // in its group
	size  int // lanes: 32 or 64

	pc   uint64
	code *code // the section that pc is in
	in   *inst // what is executed, or was last
	s    [scalarRegs]uint32
	v, a []vector // allocated by the kernel descriptor
	scc  bool
	mode mode

	tmp   [3]vector        // of row and wideRow, for scalars
	high  [3]vector        // of wideRow, their upper halves
	spare vector           // written where nothing is to be
	wide  [4][lanes]uint64 // of general, for sources

	scratch scratch
	mem     memState // see memory.go
	// indexMode is GFX9's s_set_gpr_idx: which operands M0 is added to.
	indexMode uint32
	slow      bool // modes are on that only the general path of an instruction knows

	all       uint64 // the lanes that have a thread
	done      bool
	waiting   bool   // at the barrier
	arrivedIn uint32 // the phase of the group's barrier in which it arrived last
	yield     bool   // the scheduler should turn to another wave
	count     uint64 // instructions so far, now and then
	classes   [classes]uint64
	began     uint64 // the clock when the wave did
	trace     *Trace // nil: none
}

// exec is the mask of active lanes.
func (w *wave) exec() uint64 { return w.mask(regExec) }

// mask is a lane mask in the scalar file: a pair, or one register in wave32.
func (w *wave) mask(reg int) uint64 {
	if w.size == 32 {
		return uint64(w.s[reg])
	}
	return uint64(w.s[reg]) | uint64(w.s[reg+1])<<32
}

func (w *wave) setMask(reg int, m uint64) {
	if reg == regNull {
		return
	}
	w.s[reg] = uint32(m)
	if w.size == 64 {
		w.s[reg+1] = uint32(m >> 32)
	}
}

// scalar32 and scalar64 read an operand as a scalar of a type that has 32 or 64
// bits; VGPRs give the first active lane's value.
func (w *wave) scalar32(o *operand, t typ) uint32 {
	switch o.file {
	case sgpr:
		return w.s[o.reg]
	case literal:
		v, _ := o.value(t)
		return uint32(v)
	case special:
		return uint32(w.special(o))
	case vgpr:
		return w.v[o.reg][w.firstLane()]
	case agpr:
		return w.a[o.reg][w.firstLane()]
	}
	return 0
}

func (w *wave) scalar64(o *operand, t typ) uint64 {
	switch o.file {
	case sgpr:
		if o.reg == regNull {
			return 0
		}
		return uint64(w.s[o.reg]) | uint64(w.s[o.reg+1])<<32
	case literal:
		v, _ := o.value(t)
		return v
	case special:
		return w.special(o)
	}
	return 0
}

func (w *wave) setScalar32(o *operand, v uint32) {
	if o.file == sgpr && o.reg != regNull {
		w.s[o.reg] = v
	}
}

func (w *wave) setScalar64(o *operand, v uint64) {
	if o.file == sgpr && o.reg != regNull {
		w.s[o.reg], w.s[o.reg+1] = uint32(v), uint32(v>>32)
	}
}

// firstLane is the lowest active lane, 0 if none is.
func (w *wave) firstLane() int {
	if m := w.exec(); m != 0 {
		return bits.TrailingZeros64(m)
	}
	return 0
}

// Apertures of the flat address space: the upper halves of generic pointers to
// LDS and to scratch. No host address lies there.
const (
	sharedBase  = 0x0001_0000_0000_0000
	privateBase = 0x0002_0000_0000_0000
)

// special is the value of a source that is no register.
func (w *wave) special(o *operand) uint64 {
	switch o.text {
	case "scc", "src_scc":
		return flag(w.scc)
	case "vccz", "src_vccz":
		return flag(w.mask(regVCC) == 0)
	case "execz", "src_execz":
		return flag(w.exec() == 0)
	case "src_shared_base":
		return sharedBase
	case "src_shared_limit":
		return sharedBase | 0xffffffff
	case "src_private_base":
		return privateBase
	case "src_private_limit":
		return privateBase | 0xffffffff
	}
	return 0
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// mode is the MODE register: rounding in bits 0-3, denormals in bits 4-7 (4-5:
// f32; 6-7: f64 and f16; a pair's low bit allows denormal sources, its high
// bit results), DX10 clamp in 8, IEEE in 9.
type mode uint32

func (m mode) flush32() bool { return m>>4&3 != 3 }
func (m mode) flush64() bool { return m>>6&3 != 3 }

// check says what the emulator does not have of a mode.
func (m mode) check() error {
	if m&15 != 0 {
		return fmt.Errorf("rounding mode %#x: the emulator rounds to nearest even only", uint32(m&15))
	}
	return nil
}

// A class of instructions, counted apart.
type class uint8

const (
	classVALU class = iota
	classSALU
	classVMEM    // global, buffer, flat
	classScratch // private memory
	classLDS
	classSMEM
	classBranch
	classOther // waits, barriers, hints
	classes
)

var classNames = [classes]string{"valu", "salu", "vmem", "scratch", "lds", "smem", "branch", "other"}

// A fault ends a launch: the wave panics with one and run recovers it.
type fault struct {
	text string
	lane int // -1: of no lane in particular
}

// fail ends the launch with an error at the current instruction.
func (w *wave) fail(lane int, text string) { panic(fault{text, lane}) }
