package launch

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Graph is work with the order that it has to have, to be launched at once and often
// (hipGraph_t). It is made by capture ([Stream.BeginCapture]) or by hand ([Graph.Add]).
// Instantiate makes it ready. The buffers that it uses live as long as it, whether they are
// closed or not.
type Graph struct {
	dev  *Device
	pins *pins

	mu     sync.Mutex
	nodes  []graphNode
	tops   []*Node
	closed bool
}

// A Node is what one call of Add has put into a graph, or one piece of work of a captured
// graph (hipGraphNode_t).
type Node struct {
	g        *Graph
	from, to int     // its nodes
	last     []int   // those that come last
	after    []*Node // what it comes after
}

// NewGraph returns a graph without nodes (hipGraphCreate).
func NewGraph(d *Device) (*Graph, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if _, ok := d.drv.(driver.Graphs); !ok {
		return nil, errs.F("launch: %s has no graphs", d.info.Name)
	}
	g := &Graph{dev: d, pins: &pins{dev: d, blocks: map[*block]int{}}}
	runtime.AddCleanup(g, (*pins).release, g.pins)
	return g, nil
}

// Device is the graph's device.
func (g *Graph) Device() *Device {
	if g == nil {
		return nil
	}
	return g.dev
}

// enter begins a use of the graph; where it returns nil, dev.leave must follow.
func (g *Graph) enter() error {
	if g == nil {
		return errors.New("launch: nil Graph")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errors.New("launch: the graph is closed")
	}
	return g.dev.enter()
}

// Add adds what queue queues on the stream that it is given: launches of kernels, copies,
// Clear and Fill, calls of functions, records of events and waits for them, the launch of
// another graph (a child: hipGraphAddChildGraphNode), or nothing (an empty node). It comes
// after the nodes named; of several pieces of work each comes after the one before
// (hipGraphAddKernelNode, hipGraphAddMemcpyNode, hipGraphAddMemsetNode, hipGraphAddHostNode
// and so on). The stream serves no other purpose, and calls that wait for it are errors.
func (g *Graph) Add(queue func(s *Stream) error, after ...*Node) (*Node, error) {
	if err := g.enter(); err != nil {
		return nil, err
	}
	defer g.dev.leave()
	n := &Node{g: g, after: slices.Clone(after)}
	var last []int
	for _, a := range after {
		if err := g.owns(a); err != nil {
			return nil, err
		}
		last = append(last, a.last...)
	}
	g.mu.Lock()
	n.from = len(g.nodes)
	g.mu.Unlock()
	t, err := g.tape(last, queue)
	if err != nil {
		g.truncate(n.from)
		return nil, err
	}
	n.last = t.last
	g.mu.Lock()
	defer g.mu.Unlock()
	n.to = len(g.nodes)
	g.tops = append(g.tops, n)
	return n, nil
}

// tape runs queue with a stream that adds to the graph.
func (g *Graph) tape(last []int, queue func(s *Stream) error) (*tape, error) {
	s := &Stream{dev: g.dev}
	s.config.Print, s.config.Symbol = g.dev.prints.print, g.dev.address
	s.done.Store(math.MaxUint64) // nothing waits for it
	t := &tape{g: g, s: s, last: slices.Clone(last)}
	s.tape, s.drv = t, t
	s.taped.Store(true)
	g.mu.Lock()
	n := len(g.nodes)
	g.mu.Unlock()
	err := queue(s)
	s.closed.Store(true)
	if err != nil {
		return nil, err
	}
	if n == len(g.nodes) {
		err = t.add(driver.Node{})
	}
	return t, err
}

// owns is the error of a node that is not the graph's.
func (g *Graph) owns(n *Node) error {
	if n == nil {
		return errors.New("launch: nil Node")
	}
	if n.g != g {
		return errors.New("launch: the node is of another graph")
	}
	return nil
}

// truncate takes back what a call that failed has added.
func (g *Graph) truncate(n int) {
	g.mu.Lock()
	var blocks []*block
	for i := n; i < len(g.nodes); i++ {
		blocks = append(blocks, g.nodes[i].blocks...)
		g.nodes[i] = graphNode{}
	}
	g.nodes = g.nodes[:min(n, len(g.nodes))]
	g.mu.Unlock()
	g.pins.drop(blocks)
}

// Depend makes a node come after others, too (hipGraphAddDependencies). What would be a cycle is an error.
func (g *Graph) Depend(n *Node, after ...*Node) error {
	if err := g.enter(); err != nil {
		return err
	}
	defer g.dev.leave()
	for _, m := range append([]*Node{n}, after...) {
		if err := g.owns(m); err != nil {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range after {
		if m.comesAfter(n, map[*Node]bool{}) {
			return errs.F("launch: Depend makes a cycle: node %d comes after node %d already", slices.Index(g.tops, m), slices.Index(g.tops, n))
		}
	}
	for _, m := range after {
		n.after = append(n.after, m)
		for i := n.from; i < n.to; i++ {
			if !slices.ContainsFunc(g.nodes[i].After, func(a int) bool { return a >= n.from && a < n.to }) {
				g.nodes[i].After = append(slices.Clone(g.nodes[i].After), m.last...)
			}
		}
	}
	return nil
}

func (n *Node) comesAfter(m *Node, seen map[*Node]bool) bool {
	if n == m {
		return true
	}
	if seen[n] {
		return false
	}
	seen[n] = true
	return slices.ContainsFunc(n.after, func(a *Node) bool { return a.comesAfter(m, seen) })
}

// Nodes are the graph's nodes in the order in which they were added (hipGraphGetNodes).
func (g *Graph) Nodes() []*Node {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.tops)
}

// After are the nodes that the node comes after (hipGraphNodeGetDependencies).
func (n *Node) After() []*Node {
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	return slices.Clone(n.after)
}

// String says what the node does: "kernel main.Saxpy", "copy", "host call".
func (n *Node) String() string {
	if n == nil {
		return "nil Node"
	}
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	text := ""
	for i := n.from; i < n.to && i < len(n.g.nodes); i++ {
		if text != "" {
			text += ", "
		}
		text += n.g.nodes[i].String()
	}
	return text
}

func (n *graphNode) String() string {
	if n.f != nil {
		return "kernel " + n.f.obj.Name
	}
	return n.Kind.String()
}

// Close gives up the graph (hipGraphDestroy). What was instantiated from it goes on. Closing
// twice is fine.
func (g *Graph) Close() error {
	if g == nil || g.dev.enter() != nil {
		return nil
	}
	defer g.dev.leave()
	g.mu.Lock()
	g.closed = true
	g.nodes = nil
	g.mu.Unlock()
	g.pins.release()
	return nil
}

// pins keep the buffers of a graph.
type pins struct {
	dev    *Device
	mu     sync.Mutex
	blocks map[*block]int
	drv    driver.Graph // of a GraphExec
}

// add pins a block, and reports whether it is open.
func (p *pins) add(b *block) bool {
	if !b.pin() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blocks[b]++
	return true
}

// again pins a block that is pinned.
func (p *pins) again(b *block) {
	b.mu.Lock()
	b.pins++
	b.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blocks[b]++
}

// drop undoes add or again of each block.
func (p *pins) drop(blocks []*block) {
	for _, b := range blocks {
		p.mu.Lock()
		n := p.blocks[b]
		if n > 0 {
			p.blocks[b]--
		}
		p.mu.Unlock()
		if n > 0 {
			p.dev.unpin(b)
		}
	}
}

// release drops all.
func (p *pins) release() {
	if p.dev.enter() != nil {
		return // closed, and so freed
	}
	defer p.dev.leave()
	p.mu.Lock()
	blocks, drv := p.blocks, p.drv
	p.blocks, p.drv = map[*block]int{}, nil
	p.mu.Unlock()
	if drv != nil {
		_ = p.dev.dropGraph(drv) // an error of it comes back from the next call
	}
	for b, n := range blocks {
		for range n {
			p.dev.unpin(b)
		}
	}
}

func (d *Device) dropGraph(g driver.Graph) error {
	d.all.Lock()
	delete(d.all.graphs, g)
	d.all.Unlock()
	return g.Close()
}
