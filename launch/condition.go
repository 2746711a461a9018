package launch

import (
	"slices"

	"heddle/internal/abi"
)

// A holding is a launch of which the condition of a kernel's code held.
type holding struct {
	f      *function
	inputs [16]uint64 // abi.Condition.Inputs
}

// holds reports whether the condition of f's code holds of the launch that is packed. To compute it takes 0.1 us or so, and launches
// with numbers that were there before are most of all.
func (s *Stream) holds(f *function) bool {
	c, now := f.obj.Condition, holding{f: f}
	l := s.shaped()
	known := c.Inputs(now.inputs[:], &l) <= len(now.inputs)
	if known && slices.Contains(s.held[:], now) {
		return true
	}
	if !c.Holds(&l) {
		return false
	}
	if known {
		s.held[s.nextHeld%len(s.held)] = now
		s.nextHeld++
	}
	return true
}

// shaped is the launch that is packed. Its arguments are the stream's own.
func (s *Stream) shaped() abi.Launch {
	return abi.Launch{Args: s.args, Grid: s.config.Grid, Block: s.config.Block, Shared: s.config.Shared}
}
