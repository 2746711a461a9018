package launch

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
	"heddle/internal/inside"
)

// A tape takes the place of the driver's stream while a stream is recorded: what is queued
// becomes nodes of a graph. Since it is a driver.Stream, whatever queues work can be recorded,
// or is refused.
type tape struct {
	driver.Stream // of the stream; nil by hand
	g             *Graph
	s             *Stream
	capture       *capture // nil by hand
	last          []int    // the nodes that the next one comes after
}

// A graphNode is one node of a graph, with what has to live as long.
type graphNode struct {
	driver.Node
	f        *function
	blocks   []*block // pinned, each once
	event    *Event
	captured []capturedValue
}

// A capturedValue is what a closure's variable held when its launch was recorded. The
// simulator runs the closure itself, which sees what the variable holds later.
type capturedValue struct {
	q     *param
	at    unsafe.Pointer
	value []byte
}

// add appends a node that uses the memory at the addresses.
func (t *tape) add(n driver.Node, memory ...unsafe.Pointer) error {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	if t.g.closed {
		return errors.New("launch: the graph is closed")
	}
	node := graphNode{Node: n}
	for _, p := range memory {
		b := t.g.dev.mem.find(p)
		if p == nil || b == nil || slices.Contains(node.blocks, b) {
			continue
		}
		if !t.g.pins.add(b) {
			return errs.F("launch: %v is closed", b)
		}
		node.blocks = append(node.blocks, b)
		if t.capture != nil {
			t.capture.uses(b)
		}
	}
	node.After = slices.Clone(t.last)
	t.g.nodes = append(t.g.nodes, node)
	t.last = []int{len(t.g.nodes) - 1}
	return nil
}

// Launch implements driver.Stream.
func (t *tape) Launch(f driver.Function, c *driver.Config, args []byte, goArgs []any) error {
	n := driver.Node{Kind: driver.KernelNode, Function: f, Config: *c, Args: bytes.Clone(args), GoArgs: goArgs}
	return t.add(n, addresses(&f.Object().Sig, t.s.args)...)
}

// addresses are the device addresses in a block of arguments.
func addresses(sig *abi.Signature, args []byte) (at []unsafe.Pointer) {
	for i := range sig.Params {
		q := &sig.Params[i]
		places := q.Pointers
		if q.Class == abi.Slice || q.Class == abi.Pointer {
			places = []int{0}
		}
		for _, o := range places {
			at = append(at, *(*unsafe.Pointer)(unsafe.Pointer(&args[q.Offset+o])))
		}
	}
	return at
}

// launched completes the node of a kernel that was just recorded.
func (t *tape) launched(f *function, p *plan, g *given) {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	n := &t.g.nodes[len(t.g.nodes)-1]
	n.f = f
	if !f.obj.Wait {
		return
	}
	for i, at := range g.captures {
		q := &p.captures[i]
		n.captured = append(n.captured, capturedValue{q, inside.Hide(at), bytes.Clone(variable(q, at))})
	}
}

// variable is the memory of a captured variable.
func variable(q *param, at unsafe.Pointer) []byte {
	size := q.Size
	if q.Buffer {
		size = pointerSize
	}
	return unsafe.Slice((*byte)(inside.Hide(at)), size)
}

// changed is the error of a kernel whose captured variables are not what they were.
func (n *graphNode) changed() error {
	for _, c := range n.captured {
		if !bytes.Equal(variable(c.q, c.at), c.value) {
			return errs.F("%s: %s has changed since the launch was recorded, and the simulator's graph would see that; make it an argument", n.f.obj.Name, c.q.what)
		}
	}
	return nil
}

// CopyIn implements driver.Stream.
func (t *tape) CopyIn(dst driver.Ptr, src unsafe.Pointer, n int) error {
	return t.add(driver.Node{Kind: driver.CopyInNode, Dst: dst, Src: src, N: n}, dst)
}

// CopyOut implements driver.Stream.
func (t *tape) CopyOut(dst unsafe.Pointer, src driver.Ptr, n int) error {
	return t.add(driver.Node{Kind: driver.CopyOutNode, Dst: dst, Src: src, N: n}, src)
}

// Copy implements driver.Stream.
func (t *tape) Copy(dst, src driver.Ptr, n int) error {
	return t.add(driver.Node{Kind: driver.CopyNode, Dst: dst, Src: src, N: n}, dst, src)
}

// Fill implements driver.Stream.
func (t *tape) Fill(dst driver.Ptr, b byte, n int) error {
	return t.add(driver.Node{Kind: driver.FillNode, Dst: dst, N: n, Byte: b}, dst)
}

// Call implements driver.Caller.
func (t *tape) Call(f func()) error { return t.add(driver.Node{Kind: driver.CallNode, Call: f}) }

// errTape is the error of what a tape does not take.
var errTape = errors.New("launch: a stream that is being recorded does not wait")

// Record and Wait are not called: see record and wait.
func (t *tape) Record(driver.Event) error { return errTape }

// Wait implements driver.Stream.
func (t *tape) Wait(driver.Event) error { return errTape }

// Sync implements driver.Stream.
func (t *tape) Sync() error { return errTape }

// SyncContext implements driver.Stream.
func (t *tape) SyncContext(context.Context) error { return errTape }

// record records e: in a capture it is where another stream can join; by hand it is a node.
func (t *tape) record(e *Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.capture != nil {
		e.point = &capturePoint{t.capture, slices.Clone(t.last)}
		return nil
	}
	e.kept = true
	return t.eventNode(driver.RecordNode, e)
}

// wait makes what follows wait for e.
func (t *tape) wait(e *Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case t.capture == nil && e.point == nil:
		e.kept = true
		return t.eventNode(driver.WaitNode, e)
	case t.capture == nil:
		return errors.New("launch: Wait of a graph's node for an event that was recorded in a capture; name the node that it is after")
	case e.point == nil:
		return errors.New("launch: Wait in a capture for an event that was recorded outside of it; the graph would not wait for it: wait before BeginCapture")
	case e.point.capture != t.capture:
		return errors.New("launch: Wait in a capture for an event of another capture")
	}
	for _, n := range e.point.last {
		if !slices.Contains(t.last, n) {
			t.last = append(t.last, n)
		}
	}
	return nil
}

func (t *tape) eventNode(kind driver.NodeKind, e *Event) error {
	if err := t.add(driver.Node{Kind: kind, Event: e.drv}); err != nil {
		return err
	}
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	t.g.nodes[len(t.g.nodes)-1].event = e
	return nil
}

// splice appends all nodes of another graph.
func (t *tape) splice(nodes []graphNode) error {
	if len(nodes) == 0 {
		return t.add(driver.Node{})
	}
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	if t.g.closed {
		return errors.New("launch: the graph is closed")
	}
	base := len(t.g.nodes)
	ends := map[int]bool{}
	for i := range nodes {
		n := nodes[i]
		n.After = nil
		for _, a := range nodes[i].After {
			n.After = append(n.After, base+a)
			delete(ends, base+a)
		}
		if len(n.After) == 0 {
			n.After = slices.Clone(t.last)
		}
		for _, b := range n.blocks {
			t.g.pins.again(b)
		}
		ends[base+i] = true
		t.g.nodes = append(t.g.nodes, n)
	}
	t.last = nil
	for i := range nodes {
		if ends[base+i] {
			t.last = append(t.last, base+i)
		}
	}
	return nil
}
