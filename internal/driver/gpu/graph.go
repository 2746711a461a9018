package gpu

import (
	"bytes"
	"runtime"
	"sync"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// graph implements driver.Graph (CUgraphExec, hipGraphExec_t). The library's own graph stays,
// since its nodes name those of the executable one.
type graph struct {
	dev   *Device
	graph uintptr
	exec  uintptr
	calls []uintptr // numbers of the functions of the host nodes, 0 for others
	nodes []uintptr

	mu     sync.Mutex
	closed bool
}

// NewGraph implements driver.Graphs.
func (d *Device) NewGraph(nodes []driver.Node) (driver.Graph, error) {
	out := new(uintptr)
	if err := d.callBoth("GraphCreate", uintptr(unsafe.Pointer(out)), 0); err != nil {
		return nil, err
	}
	g := &graph{dev: d, graph: *out, calls: make([]uintptr, len(nodes))}
	for i := range nodes {
		if err := g.add(i, &nodes[i]); err != nil {
			return nil, errs.Join(errs.F("node %d, %v: %w", i, nodes[i].Kind, err), g.Close())
		}
	}
	instantiate := []string{"cuGraphInstantiateWithFlags", "hipGraphInstantiate"}
	if err := d.Named(instantiate, uintptr(unsafe.Pointer(out)), g.graph, 0, 0, 0); err != nil {
		return nil, errs.Join(err, g.Close())
	}
	g.exec = *out
	return g, nil
}

// add adds a node to the library's graph.
func (g *graph) add(i int, n *driver.Node) error {
	d, out := g.dev, new(uintptr)
	after := make([]uintptr, len(n.After)+1)
	for k, a := range n.After {
		after[k] = g.nodes[a]
	}
	p := g.params(i, n)
	defer runtime.KeepAlive(p)
	if p.err != nil {
		return p.err
	}
	p.keep = append(p.keep, out, &after[0]) // which has them in the heap
	args := append([]uintptr{uintptr(unsafe.Pointer(out)), g.graph, uintptr(unsafe.Pointer(&after[0])), uintptr(len(n.After))}, p.args...)
	err := d.Named(d.vendorName("GraphAdd"+p.name+"Node"+p.suffix), args...)
	if err != nil {
		return err
	}
	g.nodes = append(g.nodes, *out)
	if n.Kind == driver.KernelNode && n.Config.Cooperative {
		const cooperative = 2 // CU_LAUNCH_ATTRIBUTE_COOPERATIVE, hipLaunchAttributeCooperative
		value := new([16]int32)
		value[0] = 1
		return d.callBoth("GraphKernelNodeSetAttribute", *out, cooperative, uintptr(unsafe.Pointer(&value[0])))
	}
	return nil
}

// params are the arguments of the calls that add and change a node, from the fifth on.
type params struct {
	name, suffix string // of the functions: Kernel, Memcpy, ...
	args         []uintptr
	keep         []any // what they point to
	err          error
}

// point adds the address of a struct, which is on the heap.
func point[T any](p *params, v *T) {
	p.keep = append(p.keep, v)
	p.args = append(p.args, uintptr(unsafe.Pointer(v)))
}

// params are a node's. A node that calls the host gets a number.
func (g *graph) params(i int, n *driver.Node) *params {
	p := new(params)
	d := g.dev
	switch n.Kind {
	case driver.EmptyNode:
		p.name = "Empty"
	case driver.KernelNode:
		p.name = "Kernel"
		p.err = d.kernelParams(p, n)
	case driver.CopyInNode, driver.CopyOutNode, driver.CopyNode:
		p.name = "Memcpy"
		d.copyParams(p, n)
	case driver.FillNode:
		p.name = "Memset"
		d.fillParams(p, n)
	case driver.CallNode:
		p.name = "Host"
		g.calls[i] = hostCalls.add(&hostFunc{f: n.Call, open: true})
		point(p, &struct{ function, data uintptr }{hostCall.Get(), g.calls[i]})
	case driver.RecordNode, driver.WaitNode:
		p.name = "EventRecord"
		if n.Kind == driver.WaitNode {
			p.name = "EventWait"
		}
		e, ok := n.Event.(*Event)
		if !ok || e.dev.lib != d.lib {
			p.err = errs.F("the event is of another kind of device")
			return p
		}
		p.args = append(p.args, e.handle)
	}
	return p
}

// kernelParams are CUDA_KERNEL_NODE_PARAMS or hipKernelNodeParams.
func (d *Device) kernelParams(p *params, n *driver.Node) error {
	f, ok := n.Function.(*Function)
	if !ok || f.dev != d {
		return errs.F("the kernel was loaded on another device")
	}
	c := &n.Config
	if c.Shared > f.dynamicMax {
		if err := f.allowShared(); err != nil {
			return err
		}
	}
	var extra unsafe.Pointer
	if len(n.Args) > 0 {
		args := bytes.Clone(n.Args)
		frame := newFrame(d.spec.ParamEnd)
		frame.buffer, frame.bytes = unsafe.Pointer(&args[0]), uintptr(len(args))
		extra = unsafe.Pointer(frame)
	}
	grid, block := dims(c.Grid), dims(c.Block)
	if d.spec.Vendor == "hip" {
		point(p, &struct {
			block  [3]uint32
			extra  unsafe.Pointer
			f      uintptr
			grid   [3]uint32
			params unsafe.Pointer
			shared uint32
		}{block, extra, f.handle, grid, nil, uint32(c.Shared)})
		return nil
	}
	point(p, &struct {
		f             uintptr
		grid, block   [3]uint32
		shared        uint32
		params, extra unsafe.Pointer
		kernel, ctx   uintptr // of version 2
	}{f: f.handle, grid: grid, block: block, shared: uint32(c.Shared), extra: extra})
	return nil
}

func dims(d driver.Dim) [3]uint32 { return [3]uint32{uint32(d[0]), uint32(d[1]), uint32(d[2])} }

// A place is one side of CUDA_MEMCPY3D.
type place struct {
	_      [4]uintptr // x in bytes, y, z, level
	kind   uint32
	host   unsafe.Pointer
	device uintptr
	_      [4]uintptr // array, reserved, pitch, height
}

// copyParams are CUDA_MEMCPY3D and the context, or HIP's addresses, number and kind.
func (d *Device) copyParams(p *params, n *driver.Node) {
	if d.spec.Vendor == "hip" {
		kind := map[driver.NodeKind]uintptr{driver.CopyInNode: 1, driver.CopyOutNode: 2, driver.CopyNode: 3}[n.Kind]
		p.suffix = "1D"
		p.keep = append(p.keep, n.Dst, n.Src)
		p.args = append(p.args, uintptr(n.Dst), uintptr(n.Src), uintptr(n.N), kind)
		return
	}
	const host, unified = 1, 4 // CU_MEMORYTYPE_*
	side := func(at unsafe.Pointer, kind uint32) place {
		if kind == host {
			return place{kind: kind, host: at}
		}
		return place{kind: kind, device: uintptr(at)}
	}
	from, to := uint32(unified), uint32(unified)
	switch n.Kind {
	case driver.CopyInNode:
		from = host
	case driver.CopyOutNode:
		to = host
	}
	point(p, &struct {
		src, dst             place
		width, height, depth uintptr
	}{side(n.Src, from), side(n.Dst, to), uintptr(n.N), 1, 1})
	p.args = append(p.args, d.current[0])
}

// fillParams are CUDA_MEMSET_NODE_PARAMS and the context, or hipMemsetParams.
func (d *Device) fillParams(p *params, n *driver.Node) {
	if d.spec.Vendor == "hip" {
		point(p, &struct {
			dst           uintptr
			size          uint32
			height, pitch uintptr
			value         uint32
			width         uintptr
		}{uintptr(n.Dst), 1, 1, uintptr(n.N), uint32(n.Byte), uintptr(n.N)})
		return
	}
	point(p, &struct {
		dst, pitch    uintptr
		value, size   uint32
		width, height uintptr
	}{uintptr(n.Dst), uintptr(n.N), uint32(n.Byte), 1, uintptr(n.N), 1})
	p.args = append(p.args, d.current[0])
}

// Launch implements driver.Graph.
func (g *graph) Launch(ds driver.Stream) error {
	s, ok := ds.(*Stream)
	if !ok || s.dev != g.dev {
		return errs.F("%s: the graph is of another device", g.dev.info.Name)
	}
	g.count(1)
	err := g.dev.Named(g.dev.vendorName("GraphLaunch"), g.exec, s.handle)
	if err != nil {
		g.count(-1)
	}
	return err
}

// count takes note that each host node will be called once more.
func (g *graph) count(by int) {
	for _, number := range g.calls {
		if number != 0 {
			hostCalls.change(number, func(f *hostFunc) { f.queued += by })
		}
	}
}

// Set implements driver.Graph.
func (g *graph) Set(i int, n *driver.Node) error {
	if n.Kind == driver.EmptyNode {
		return nil
	}
	old := g.calls[i]
	p := g.params(i, n)
	defer runtime.KeepAlive(p)
	if p.err != nil {
		return p.err
	}
	set := "NodeSetParams" + p.suffix
	if n.Kind == driver.RecordNode || n.Kind == driver.WaitNode {
		set = "NodeSetEvent"
	}
	err := g.dev.Named(g.dev.vendorName("GraphExec"+p.name+set), append([]uintptr{g.exec, g.nodes[i]}, p.args...)...)
	if n.Kind == driver.CallNode {
		drop := old
		if err != nil {
			drop, g.calls[i] = g.calls[i], old
		}
		hostCalls.change(drop, func(f *hostFunc) { f.open = false })
	}
	return err
}

// Close implements driver.Graph.
func (g *graph) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil
	}
	g.closed = true
	var err error
	if g.exec != 0 {
		err = g.dev.Named(g.dev.vendorName("GraphExecDestroy"), g.exec)
	}
	for _, number := range g.calls {
		if number != 0 {
			hostCalls.change(number, func(f *hostFunc) { f.open = false })
		}
	}
	return errs.Join(err, g.dev.Named(g.dev.vendorName("GraphDestroy"), g.graph))
}
