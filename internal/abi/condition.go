package abi

import (
	"errors"
	"unsafe"
)

// A Condition is what an object's code takes for granted of a launch: that lengths and sizes are small, and that indices
// which are known to go no further than some of them are within others. It is computed of what is passed, by steps of integer arithmetic.
// Launches of which it does not hold are for the kernel's general code.
type Condition []Step // first what is passed, and the last one's value is 0 if it holds

// A Step computes a number, of others that are named by their places in the Condition. Numbers have 64 bits and no sign; those
// of 32 are below 1<<32, and so are results of operators of 32 bits.
type Step struct {
	Op   StepOp
	X, Y int    `json:",omitempty"`
	K    uint64 `json:",omitempty"`
}

// A StepOp is what a step does.
type StepOp uint8

const (
	StepArg    StepOp = iota // the argument of Y bytes at X
	StepSigned               // likewise, with its sign
	StepGrid                 // blocks along axis X
	StepBlock                // threads of a block along axis X
	StepShared               // bytes of dynamic shared memory
	StepConst                // K
	StepLow                  // the lower 32 bits of X
	StepOr                   // X | Y, and so on
	StepShr
	StepAdd
	StepSub
	StepAdd32
	StepSub32
	StepMul
	StepDiv // not by 0
)

// MaxSteps is how many steps a condition may have: 100 take 0.2 us or so. Few have more than fewSteps.
const (
	MaxSteps = 1024
	fewSteps = 256
)

// Check reports what is wrong with a condition for a block of that many bytes of arguments.
func (c Condition) Check(size int) error {
	ok := len(c) <= MaxSteps
	for i, s := range c {
		switch {
		case s.Op == StepConst || s.Op == StepShared:
		case s.Op == StepArg || s.Op == StepSigned:
			ok = ok && s.X >= 0 && s.X <= size-s.Y && (s.Y == 1 || s.Y == 2 || s.Y == 4 || s.Y == 8)
		case s.Op == StepGrid || s.Op == StepBlock:
			ok = ok && s.X >= 0 && s.X < 3
		default:
			ok = ok && s.Op <= StepDiv && s.X >= 0 && s.X < i && s.Y >= 0 && s.Y < i
		}
	}
	if !ok {
		return errors.New("abi: a condition of a kernel's code that cannot be computed")
	}
	return nil
}

// A Launch is what conditions are about: the argument block, and the launch's shape.
type Launch struct {
	Args        []byte
	Grid, Block [3]int
	Shared      int // bytes of dynamic shared memory
}

// Holds reports whether a launch may run the code. Check has passed.
func (c Condition) Holds(l *Launch) bool {
	return c.Value(l) == 0
}

// Inputs are what the first steps take from a launch: where these are what they were, the condition holds as it did. n is how many
// there are; those that all has no room for are not there.
func (c Condition) Inputs(all []uint64, l *Launch) (n int) {
	for i := range c {
		s := &c[i]
		if s.Op >= StepConst {
			return i
		}
		if i < len(all) {
			all[i] = s.input(l)
		}
	}
	return len(c)
}

// input is what a step takes from a launch.
func (s *Step) input(l *Launch) uint64 {
	switch s.Op {
	case StepGrid:
		return uint64(l.Grid[s.X])
	case StepBlock:
		return uint64(l.Block[s.X])
	case StepShared:
		return uint64(l.Shared)
	}
	return argument(l.Args[s.X:s.X+s.Y], s.Op == StepSigned)
}

// Value is the last step's.
func (c Condition) Value(l *Launch) uint64 {
	if len(c) > fewSteps {
		return c.longValue(l)
	}
	var all [fewSteps]uint64
	return c.value(all[:], l)
}

// longValue is Value, which has no room for all steps.
//
//go:noinline
func (c Condition) longValue(l *Launch) uint64 {
	var all [MaxSteps]uint64
	return c.value(all[:], l)
}

// value computes the steps into all, which has room for them.
func (c Condition) value(all []uint64, l *Launch) uint64 {
	last := uint64(0)
	for i := range c {
		s := &c[i]
		x, y := uint64(0), uint64(0)
		if s.Op > StepConst { // those before it have no operands
			x, y = all[s.X], all[s.Y]
		}
		switch s.Op {
		case StepArg, StepSigned, StepGrid, StepBlock, StepShared:
			x = s.input(l)
		case StepConst:
			x = s.K
		case StepLow:
			x = uint64(uint32(x))
		case StepOr:
			x |= y
		case StepShr:
			x >>= y & 63
		case StepAdd:
			x += y
		case StepSub:
			x -= y
		case StepAdd32:
			x = uint64(uint32(x + y))
		case StepSub32:
			x = uint64(uint32(x - y))
		case StepMul:
			x *= y
		case StepDiv:
			x /= max(y, 1)
		}
		all[i], last = x, x
	}
	return last
}

// argument is an integer.
func argument(at []byte, signed bool) uint64 {
	p := unsafe.Pointer(&at[0])
	switch {
	case len(at) == 8:
		return *(*uint64)(p)
	case len(at) == 4 && signed:
		return uint64(*(*int32)(p))
	case len(at) == 4:
		return uint64(*(*uint32)(p))
	case len(at) == 2 && signed:
		return uint64(*(*int16)(p))
	case len(at) == 2:
		return uint64(*(*uint16)(p))
	case signed:
		return uint64(*(*int8)(p))
	}
	return uint64(*(*uint8)(p))
}
