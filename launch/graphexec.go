package launch

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A GraphExec is a Graph that is ready to be launched (hipGraphExec_t). Launches of one
// follow each other, on whatever streams they are.
type GraphExec struct {
	dev  *Device
	pins *pins
	by   *atomic.Pointer[Stream] // that it was launched on last

	mu     sync.Mutex
	drv    driver.Graph
	nodes  []graphNode // in an order that they can be done in
	place  []int       // where in it a node of the graph is
	of     *Graph
	closed bool
	// What launches look after, each once.
	kernels []*function
	blocks  []*block
	prints  bool
	waits   bool
}

// Instantiate makes the graph ready to be launched (hipGraphInstantiate). The result does not
// depend on the graph any more.
func (g *Graph) Instantiate() (*GraphExec, error) {
	if err := g.enter(); err != nil {
		return nil, err
	}
	defer g.dev.leave()
	x := &GraphExec{dev: g.dev, of: g, by: new(atomic.Pointer[Stream]), pins: &pins{dev: g.dev, blocks: map[*block]int{}}}
	g.mu.Lock()
	x.nodes, x.place = g.sorted()
	for i := range x.nodes {
		for _, b := range x.nodes[i].blocks {
			x.pins.again(b)
		}
	}
	g.mu.Unlock()
	drv, err := g.dev.drv.(driver.Graphs).NewGraph(x.driverNodes())
	if err != nil {
		x.pins.release()
		return nil, errs.F("launch: Instantiate: %w", g.dev.vendor(err))
	}
	x.drv, x.pins.drv = drv, drv
	g.dev.all.Lock()
	if g.dev.all.graphs == nil {
		g.dev.all.graphs = map[driver.Graph]bool{}
	}
	g.dev.all.graphs[drv] = true
	g.dev.all.Unlock()
	runtime.AddCleanup(x, (*pins).release, x.pins)
	x.count()
	return x, nil
}

// sorted are the nodes, each behind those that it comes after, and where each one is; g.mu is
// held.
func (g *Graph) sorted() (nodes []graphNode, place []int) {
	place = make([]int, len(g.nodes))
	for i := range place {
		place[i] = -1
	}
	var visit func(i int)
	visit = func(i int) {
		if place[i] >= 0 {
			return
		}
		n := g.nodes[i]
		var after []int
		for _, a := range n.After {
			visit(a)
			if !slices.Contains(after, place[a]) {
				after = append(after, place[a])
			}
		}
		slices.Sort(after)
		n.After = after
		place[i] = len(nodes)
		nodes = append(nodes, n)
	}
	for i := range g.nodes {
		visit(i)
	}
	return nodes, place
}

// driverNodes are the nodes as the driver takes them.
func (x *GraphExec) driverNodes() []driver.Node {
	all := make([]driver.Node, len(x.nodes))
	for i := range x.nodes {
		all[i] = x.driverNode(&x.nodes[i])
	}
	return all
}

// driverNode is a node whose host call reports a panic to the stream of the launch.
func (x *GraphExec) driverNode(n *graphNode) driver.Node {
	d := n.Node
	if f, by := n.Call, x.by; f != nil {
		d.Call = func() { by.Load().guarded(func() error { f(); return nil }) }
	}
	return d
}

// count lists what launches look after; x.mu is held, or nobody else has x.
func (x *GraphExec) count() {
	x.kernels, x.blocks, x.prints, x.waits = nil, nil, false, false
	kernels, blocks := map[*function]bool{}, map[*block]bool{}
	for i := range x.nodes {
		n := &x.nodes[i]
		if f := n.f; f != nil && !kernels[f] {
			kernels[f] = true
			x.kernels = append(x.kernels, f)
			x.prints = x.prints || len(f.obj.Prints) > 0
			x.waits = x.waits || f.obj.Wait
		}
		for _, b := range n.blocks {
			if !blocks[b] {
				blocks[b] = true
				x.blocks = append(x.blocks, b)
			}
		}
	}
}

// enter begins a use; where it returns nil, dev.leave must follow.
func (x *GraphExec) enter() error {
	if x == nil {
		return errors.New("launch: nil GraphExec")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return errors.New("launch: the executable graph is closed")
	}
	return x.dev.enter()
}

// Launch queues the graph's work on a stream (hipGraphLaunch): it begins when the work
// queued before has ended, and what is queued later waits for all of it. A kernel's panic is
// the stream's error, as of a launch. On a stream that is being captured, and in [Graph.Add],
// the graph becomes a part of the graph that is made.
func (x *GraphExec) Launch(s *Stream) error {
	if err := x.enter(); err != nil {
		return err
	}
	defer x.dev.leave()
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if s.dev != x.dev {
		return errs.F("launch: the graph is of %s, the stream of %s", x.dev.Name(), s.dev.besides(x.dev))
	}
	wait, err := x.launch(s)
	if err == nil && wait {
		s.rest()
	}
	return err
}

// launch queues the graph, and reports whether the caller has to wait for it: as a launch, on
// the simulator, of a closure.
func (x *GraphExec) launch(s *Stream) (wait bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := s.ready(); err != nil {
		return false, err
	}
	if x.closed {
		return false, errors.New("launch: the executable graph is closed")
	}
	if s.tape != nil {
		return false, s.tape.splice(x.nodes)
	}
	if x.waits {
		for i := range x.nodes {
			if err := x.nodes[i].changed(); err != nil {
				return false, err
			}
		}
	}
	for _, b := range x.blocks {
		b.mu.Lock()
		b.noteLocked(s, s.seq+1)
		b.mu.Unlock()
	}
	x.by.Store(s)
	if x.prints {
		s.dev.prints.begin(s, s.seq+1)
	}
	err = x.drv.Launch(s.real)
	if x.prints {
		s.dev.prints.begun()
	}
	s.seq++
	for _, f := range x.kernels {
		s.runs(f)
	}
	for i := range x.nodes {
		if n := &x.nodes[i]; n.Kind == driver.RecordNode {
			n.event.mu.Lock()
			n.event.stream, n.event.point = s, nil
			n.event.mu.Unlock()
		}
	}
	return x.waits, s.vendor(err)
}

// Set replaces a node of the graph that x was instantiated from by what queue queues, in
// later launches (hipGraphExecKernelNodeSetParams and so on): other arguments, another shape,
// other addresses. It has to be as many pieces of work of the same kinds. The graph itself
// stays as it is.
func (x *GraphExec) Set(n *Node, queue func(s *Stream) error) error {
	if err := x.enter(); err != nil {
		return err
	}
	defer x.dev.leave()
	if n == nil || n.g != x.of {
		return errors.New("launch: Set of a node that is not of the graph that this was instantiated from")
	}
	g, err := NewGraph(x.dev)
	if err != nil {
		return err
	}
	defer g.Close()
	if _, err := g.tape(nil, queue); err != nil {
		return err
	}
	have := n.to - n.from
	if len(g.nodes) != have {
		return errs.F("launch: Set: %d pieces of work for a node of %d", len(g.nodes), have)
	}
	x.mu.Lock()
	places := make([]int, have)
	for i := range places {
		places[i] = x.place[n.from+i]
	}
	old, err := x.replace(places, g.nodes)
	x.mu.Unlock()
	x.pins.drop(old)
	return err
}

// Update replaces all nodes by those of another graph with as many of the same kinds and in
// the same order (hipGraphExecUpdate).
func (x *GraphExec) Update(g *Graph) error {
	if err := x.enter(); err != nil {
		return err
	}
	defer x.dev.leave()
	if err := g.enter(); err != nil {
		return err
	}
	defer g.dev.leave()
	if g.dev != x.dev {
		return errs.F("launch: Update: the graph is of %s, the executable one of %s", g.dev.Name(), x.dev.besides(g.dev))
	}
	old, err := x.update(g)
	x.pins.drop(old)
	return err
}

func (x *GraphExec) update(g *Graph) (old []*block, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	nodes, place := g.sorted()
	if len(nodes) != len(x.nodes) {
		return nil, errs.F("launch: Update: the graph has %d pieces of work, the executable one %d", len(nodes), len(x.nodes))
	}
	places := make([]int, len(nodes))
	for i := range nodes {
		if !slices.Equal(nodes[i].After, x.nodes[i].After) {
			return nil, errs.F("launch: Update: piece of work %d (%v) comes after others than in the executable graph", i, &nodes[i])
		}
		places[i] = i
	}
	if old, err = x.replace(places, nodes); err == nil {
		x.of, x.place = g, place
	}
	return old, err
}

// replace replaces the nodes at places, and returns the blocks to be dropped; x.mu is held.
func (x *GraphExec) replace(places []int, nodes []graphNode) (dropped []*block, err error) {
	for i, at := range places {
		if old := &x.nodes[at]; nodes[i].Kind != old.Kind {
			return nil, errs.F("launch: a node that is a %v cannot become a %v", old, &nodes[i])
		} else if old.Kind == driver.KernelNode && old.Config.Cooperative != nodes[i].Config.Cooperative {
			return nil, errs.F("launch: a cooperative launch cannot replace another, nor another it: %v", old)
		}
	}
	for i, at := range places {
		n := nodes[i]
		n.After = x.nodes[at].After
		d := x.driverNode(&n)
		if err := x.drv.Set(at, &d); err != nil {
			x.count()
			return dropped, x.dev.vendor(err)
		}
		for _, b := range n.blocks {
			x.pins.again(b)
		}
		dropped = append(dropped, x.nodes[at].blocks...)
		x.nodes[at] = n
	}
	x.count()
	return dropped, nil
}

// Close gives the executable graph up; launches that are queued are not affected
// (hipGraphExecDestroy). Closing twice is fine.
func (x *GraphExec) Close() error {
	if x == nil || x.dev.enter() != nil {
		return nil
	}
	defer x.dev.leave()
	x.mu.Lock()
	was := x.closed
	x.closed = true
	x.mu.Unlock()
	if !was {
		x.pins.release()
	}
	return nil
}
