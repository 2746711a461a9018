package abi

import (
	"fmt"
	"slices"
)

// A Place is a position in a Go source file.
type Place struct {
	File      string
	Line, Col int
}

// NoFrame is the Frame of a Site that is known in no context.
const NoFrame = -1

// A Frame is a function of a kernel, with all calls of it. The kernel's own has none.
// Its contexts are the chains of calls that lead to it: those of the functions that
// call it, one call after the other.
type Frame struct {
	Func  string // its name
	Calls []Call
	// Hidden marks what is no function to the user: the wrapper of a promoted method,
	// and what gc makes an instruction of. What happens there happens at its call.
	Hidden bool
}

// A Call is one call of a Frame.
type Call struct {
	Place
	From  int    // the frame that holds it
	First uint32 // which of the callee's contexts is the first one of From
}

// Pos is the site as file:line:col.
func (s *Site) Pos() string { return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Col) }

// Site is the site of a number that a device reports, and the calls that led there
// from the kernel's function, innermost first, as far as they are known. It is nil
// for a number that is none.
func (o *Object) Site(number uint32) (s *Site, calls []Place) {
	i, exact := slices.BinarySearchFunc(o.Sites, number, func(s Site, n uint32) int {
		return int(int64(s.First) - int64(n))
	})
	if !exact {
		i--
	}
	if i < 0 {
		return nil, nil
	}
	at := o.Sites[i]
	if number-at.First >= o.contexts(at.Frame, 0) {
		return nil, nil
	}
	own := Call{Place: Place{at.File, at.Line, at.Col}, From: at.Frame}
	all := o.chain(own, number-at.First)
	if first := all[0]; first.From != at.Frame {
		at.File, at.Line, at.Col, at.Func = first.File, first.Line, first.Col, o.Frames[first.From].Func
	}
	for _, c := range all[1:] {
		calls = append(calls, c.Place)
	}
	return &at, calls
}

// chain is a place, as a call, and the calls of a context of the frame that holds it.
func (o *Object) chain(own Call, context uint32) []Call {
	calls := []Call{own}
	frame := own.From
	for frame >= 0 && frame < len(o.Frames) && len(calls) <= len(o.Frames) {
		f := &o.Frames[frame]
		i := len(f.Calls) - 1
		for i >= 0 && f.Calls[i].First > context {
			i--
		}
		if i < 0 {
			break
		}
		if f.Hidden {
			calls = calls[:len(calls)-1]
		}
		calls = append(calls, f.Calls[i])
		context -= f.Calls[i].First
		frame = f.Calls[i].From
	}
	return calls
}

// contexts is how many contexts a frame has, at least 1.
func (o *Object) contexts(frame, depth int) uint32 {
	if frame < 0 || frame >= len(o.Frames) || len(o.Frames[frame].Calls) == 0 || depth > len(o.Frames) {
		return 1
	}
	last := o.Frames[frame].Calls[len(o.Frames[frame].Calls)-1]
	return last.First + o.contexts(last.From, depth+1)
}
