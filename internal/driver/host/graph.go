package host

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
	"unsafe"

	"heddle/internal/driver"
)

// graph implements driver.Graph. A launch is one entry of a stream, which does the nodes one
// after the other: a kernel uses all processors by itself, and the order is one that the
// graph allows.
type graph struct {
	dev *device

	mu    sync.Mutex
	nodes []driver.Node // not written to: a launch under way has them
	last  mark          // of the latest launch
}

// NewGraph implements driver.Graphs.
func (d *device) NewGraph(nodes []driver.Node) (driver.Graph, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	for i := range nodes {
		if err := d.checkNode(&nodes[i]); err != nil {
			return nil, err
		}
	}
	return &graph{dev: d, nodes: slices.Clone(nodes)}, nil
}

// checkNode says what of a node can be known before it runs.
func (d *device) checkNode(n *driver.Node) error {
	check := func(p unsafe.Pointer) error {
		_, err := d.view(p, n.N)
		return err
	}
	switch n.Kind {
	case driver.KernelNode:
		t, err := d.engine.Launch(n.Function, &n.Config, n.Args, n.GoArgs)
		if err == nil {
			t.Drop()
		}
		return err
	case driver.CopyInNode, driver.FillNode:
		return check(n.Dst)
	case driver.CopyOutNode:
		return check(n.Src)
	case driver.CopyNode:
		return errors.Join(check(n.Dst), check(n.Src))
	case driver.RecordNode, driver.WaitNode:
		if _, ok := n.Event.(*event); !ok {
			return d.errorf("event of another kind of device (%T)", n.Event)
		}
	}
	return nil
}

// Set implements driver.Graph.
func (g *graph) Set(i int, n *driver.Node) error {
	if err := g.dev.checkNode(n); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	after := g.nodes[i].After
	g.nodes = slices.Clone(g.nodes)
	g.nodes[i] = *n
	g.nodes[i].After = after
	return nil
}

// Close implements driver.Graph.
func (g *graph) Close() error { return nil }

// Launch implements driver.Graph. Whoever waits for an event of the graph waits for its end.
func (g *graph) Launch(ds driver.Stream) error {
	s, ok := ds.(*stream)
	if !ok || s.dev != g.dev {
		return g.dev.errorf("the graph is of another device")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &graphRun{dev: g.dev, nodes: g.nodes}
	after := []mark{g.last}
	var recorded []*event
	for i := range g.nodes {
		switch n := &g.nodes[i]; n.Kind {
		case driver.WaitNode:
			after = append(after, n.Event.(*event).mark())
		case driver.RecordNode:
			recorded = append(recorded, n.Event.(*event))
		}
	}
	slices.SortFunc(recorded, func(a, b *event) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	})
	recorded = slices.Compact(recorded)
	for _, e := range recorded { // all have them in one order
		e.mu.Lock()
		defer e.mu.Unlock()
	}
	at, err := s.submit(t, after...)
	if err != nil {
		return err
	}
	t.at, g.last = at, at
	for _, e := range recorded {
		e.at, e.recorded = at, true
	}
	return nil
}

// A graphRun is the task that is one launch of a graph.
type graphRun struct {
	dev   *device
	nodes []driver.Node
	at    mark // written before the task needs it: whoever stamps an event has its lock
}

// Run implements Task.
func (t *graphRun) Run(stop *Stop) error {
	var first error
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.Kind == driver.RecordNode {
			t.stamp(n)
			continue
		}
		if first != nil && stop.raised() != nil {
			continue
		}
		if cause := stop.raised(); cause != nil {
			first = &driver.Stopped{Cause: cause}
			continue
		}
		if err := t.do(n, stop); first == nil {
			first = err
		}
	}
	return first
}

// do does one node.
func (t *graphRun) do(n *driver.Node, stop *Stop) error {
	d := t.dev
	switch n.Kind {
	case driver.KernelNode:
		k, err := d.engine.Launch(n.Function, &n.Config, n.Args, n.GoArgs)
		if err != nil {
			return err
		}
		return k.Run(stop)
	case driver.CallNode:
		n.Call()
	case driver.FillNode:
		to, err := d.view(n.Dst, n.N)
		if err != nil {
			return err
		}
		fill(to, n.Byte)
		d.watcher.Written(n.Dst, n.N)
	case driver.CopyInNode:
		to, err := d.view(n.Dst, n.N)
		if err != nil {
			return err
		}
		copy(to, unsafe.Slice((*byte)(n.Src), n.N))
		d.watcher.Written(n.Dst, n.N)
	case driver.CopyOutNode:
		from, err := d.view(n.Src, n.N)
		if err != nil {
			return err
		}
		copy(unsafe.Slice((*byte)(n.Dst), n.N), from)
	case driver.CopyNode:
		to, err := d.view(n.Dst, n.N)
		if err != nil {
			return err
		}
		from, err := d.view(n.Src, n.N)
		if err != nil {
			return err
		}
		copy(to, from)
		d.watcher.Copied(n.Dst, n.Src, n.N)
	}
	return nil
}

// stamp notes when the graph has come to an event, unless that was recorded anew since.
func (t *graphRun) stamp(n *driver.Node) {
	e, now := n.Event.(*event), time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.at == t.at {
		e.time = now
	}
}

// Drop implements Task: events happen nevertheless.
func (t *graphRun) Drop() {
	for i := range t.nodes {
		if n := &t.nodes[i]; n.Kind == driver.RecordNode {
			t.stamp(n)
		}
	}
}

// raised is why the task is to end, nil if it is not.
func (s *Stop) raised() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// Call implements driver.Caller.
func (s *stream) Call(f func()) error {
	_, err := s.submit(action(func() error { f(); return nil }))
	return err
}

// CallUsing implements driver.UsingCaller.
func (s *stream) CallUsing(f func(context.Context), writes []driver.Span) error {
	_, err := s.submit(&usingCall{s.dev, f, writes})
	return err
}

// A usingCall is the task of CallUsing.
type usingCall struct {
	dev    *device
	call   func(context.Context)
	writes []driver.Span
}

// Run implements Task.
func (c *usingCall) Run(stop *Stop) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	stop.Watch(stopCall(cancel))
	defer stop.Unwatch()
	c.call(ctx)
	for _, w := range c.writes {
		c.dev.watcher.Written(w.At, w.N)
	}
	return nil
}

// Drop implements Task.
func (c *usingCall) Drop() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errDropped)
	c.call(ctx)
}

var errDropped = errors.New("the stream was told to stop before this work")

// stopCall implements Runner.
type stopCall context.CancelCauseFunc

func (c stopCall) Stop(cause error)        { c(cause) }
func (c stopCall) Running() driver.Stopped { return driver.Stopped{} }

// Priorities implements driver.Prioritized: goroutines have none.
func (d *device) Priorities() (least, greatest int, err error) { return 0, 0, nil }

// NewEventWith implements driver.EventMaker: whoever waits sleeps.
func (d *device) NewEventWith(driver.EventOptions) (driver.Event, error) { return d.NewEvent() }
