package launch

import (
	"errors"
	"slices"

	"heddle/internal/errs"
)

// This file makes graphs of what programs queue on streams.

// A capture is under way from BeginCapture to EndCapture.
type capture struct {
	g      *Graph
	origin *Stream
	// What follows is guarded by g.mu.
	joined []*Stream
	blocks []*block
	ended  bool
}

// A capturePoint is where in a capture an event was recorded.
type capturePoint struct {
	capture *capture
	last    []int
}

// uses takes note that a captured launch uses the block; g.mu is held.
func (c *capture) uses(b *block) {
	if !slices.Contains(c.blocks, b) {
		c.blocks = append(c.blocks, b)
		b.mu.Lock()
		b.captures++
		b.mu.Unlock()
	}
	if b.over != nil {
		c.uses(b.over)
	}
}

// errCaptured is the error of a call that would wait for work that is not queued.
func (s *Stream) errCaptured() error {
	return errs.F("launch: a stream of %s is being captured, and its work is not queued: EndCapture before a call that waits for it", s.dev.Name())
}

// now refuses a call on a stream that is being captured, or that adds to a graph, where there is
// no node for what it does; s.mu is held.
func (s *Stream) now(call string) error {
	if s.tape == nil {
		return nil
	}
	return errs.F("launch: %s: a graph has no node for it; call it outside of the capture", call)
}

// BeginCapture makes the work that is queued on the stream from now on nodes of a graph,
// instead of doing it, until EndCapture (hipStreamBeginCapture). Other streams of the device
// join where they wait for an event that was recorded in the capture, and have to come back
// in the same way. Kernels read their captured variables, and copies note their addresses,
// now; the host's memory is read and written at each launch of the graph. Calls that wait for
// the work are errors meanwhile. What a program queues by way of other libraries is not
// captured.
func (s *Stream) BeginCapture() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	g, err := NewGraph(s.dev)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	if s.tape != nil {
		return errs.F("launch: BeginCapture: the stream of %s is being captured already", s.dev.Name())
	}
	s.record(&capture{g: g, origin: s}, nil)
	return nil
}

// record makes the stream part of a capture; s.mu is held.
func (s *Stream) record(c *capture, last []int) {
	s.tape = &tape{Stream: s.real, g: c.g, s: s, capture: c, last: last}
	s.drv = s.tape
	s.taped.Store(true)
}

// join makes the stream part of the capture that e was recorded in; s.mu is held. It reports
// whether e is of a capture.
func (s *Stream) join(e *Event) (bool, error) {
	e.mu.Lock()
	point := e.point
	e.mu.Unlock()
	if point == nil {
		return false, nil
	}
	c := point.capture
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	switch {
	case c.ended:
		return true, errEventCaptured
	case s.dev != c.g.dev:
		return true, errs.F("launch: a stream of %s cannot join the capture of a stream of %s", s.dev.Name(), c.g.dev.besides(s.dev))
	}
	c.joined = append(c.joined, s)
	s.record(c, slices.Clone(point.last))
	return true, nil
}

// errEventCaptured is the error of an event that stands for a node.
var errEventCaptured = errors.New("launch: the event was last recorded in a capture, where it is no point in time: record it anew")

// Capturing reports whether the stream is part of a capture (hipStreamIsCapturing).
func (s *Stream) Capturing() bool { return s != nil && s.taped.Load() }

// EndCapture ends what BeginCapture began and returns the graph (hipStreamEndCapture). Where
// a stream that joined has work that the stream does not wait for, it is an error and the
// graph is lost.
func (s *Stream) EndCapture() (*Graph, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.dev.leave()
	s.mu.Lock()
	t := s.tape
	s.mu.Unlock()
	switch {
	case t == nil || t.capture == nil:
		return nil, errs.F("launch: EndCapture: no stream of %s is being captured here; BeginCapture comes first", s.dev.Name())
	case t.capture.origin != s:
		return nil, errors.New("launch: EndCapture of a stream that has joined a capture; the stream that began it ends it")
	}
	loose := t.capture.end()
	if loose > 0 {
		return nil, errs.Join(errs.F("launch: EndCapture: %d streams that joined have work that this stream does not wait for; Record an event there and Wait for it here", loose), t.g.Close())
	}
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	for i := range t.g.nodes {
		t.g.tops = append(t.g.tops, &Node{g: t.g, from: i, to: i + 1, last: []int{i}})
	}
	for i, n := range t.g.tops {
		for _, a := range t.g.nodes[i].After {
			n.after = append(n.after, t.g.tops[a])
		}
	}
	return t.g, nil
}

// end ends the capture, and tells how many of the streams that joined did not come back.
func (c *capture) end() (loose int) {
	c.g.mu.Lock()
	c.ended = true
	all := append([]*Stream{c.origin}, c.joined...)
	for _, b := range c.blocks {
		b.mu.Lock()
		b.captures--
		b.mu.Unlock()
	}
	c.blocks = nil
	c.g.mu.Unlock()
	var reached map[int]bool
	for i, s := range all {
		s.mu.Lock()
		if t := s.tape; t != nil && t.capture == c {
			if i == 0 {
				reached = c.g.before(t.last)
			}
			if slices.ContainsFunc(t.last, func(n int) bool { return !reached[n] }) {
				loose++
			}
			s.drv, s.tape = s.real, nil
			s.taped.Store(false)
		}
		s.mu.Unlock()
	}
	return loose
}

// before are the nodes that some nodes come after, and those themselves.
func (g *Graph) before(last []int) map[int]bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	reached := map[int]bool{}
	for len(last) > 0 {
		n := last[len(last)-1]
		last = last[:len(last)-1]
		if !reached[n] {
			reached[n] = true
			last = append(slices.Clone(last), g.nodes[n].After...)
		}
	}
	return reached
}

// Capture is BeginCapture, queue and EndCapture. An error of queue loses the graph.
func (s *Stream) Capture(queue func(s *Stream) error) (*Graph, error) {
	if err := s.BeginCapture(); err != nil {
		return nil, err
	}
	err := queue(s)
	g, end := s.EndCapture()
	if err = errs.Join(err, end); err != nil {
		if g != nil {
			_ = g.Close() // of a graph that nobody has
		}
		return nil, err
	}
	return g, nil
}

// dropCapture ends the capture that the stream is part of, if any: its graph is lost.
func (s *Stream) dropCapture() error {
	s.mu.Lock()
	t := s.tape
	s.mu.Unlock()
	switch {
	case t == nil:
		return nil
	case t.capture == nil:
		return s.errCaptured()
	}
	t.capture.end()
	return errs.Join(errs.F("launch: a stream of %s was closed while it was being captured; the graph is lost", s.dev.Name()), t.g.Close())
}
