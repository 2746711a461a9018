package driver

import (
	"context"
	"unsafe"
)

// Graphs is a Device that has graphs of work.
type Graphs interface {
	// NewGraph makes a graph of nodes that is ready to be launched.
	NewGraph(nodes []Node) (Graph, error)
}

// A NodeKind is what a Node does.
type NodeKind uint8

const (
	EmptyNode NodeKind = iota
	KernelNode
	CopyInNode
	CopyOutNode
	CopyNode
	FillNode
	CallNode
	RecordNode
	WaitNode
)

func (k NodeKind) String() string {
	return [...]string{"empty", "kernel", "copy from the host", "copy to the host", "copy", "memset", "host call", "event record", "event wait"}[k]
}

// A Node is a piece of work of a graph: the arguments of the Stream's method of that name.
type Node struct {
	Kind     NodeKind
	After    []int // nodes before it in the list
	Function Function
	Config   Config
	Args     []byte
	GoArgs   []any
	Dst, Src unsafe.Pointer
	N        int
	Byte     byte
	Call     func()
	Event    Event
}

// A Graph is ready to be launched. Two launches of one graph follow each other.
type Graph interface {
	Launch(s Stream) error
	// Set replaces a node, whose kind and After stay, in later launches.
	Set(i int, n *Node) error
	// Close does not wait for launches under way.
	Close() error
}

// A Caller is a Stream that calls functions of the host.
type Caller interface {
	// Call queues a call of f, which does not panic.
	Call(f func()) error
}

// A Span is a piece of device memory.
type Span struct {
	At Ptr
	N  int // bytes
}

// A UsingCaller is a Caller whose calls may wait for those of other streams.
type UsingCaller interface {
	// CallUsing queues a call of f, which does not panic and writes the spans. It is called
	// also where the stream is told to stop before its turn, with a context that is done.
	CallUsing(f func(context.Context), writes []Span) error
}

// Prioritized is a Device whose streams have priorities.
type Prioritized interface {
	// Priorities are the lowest priority and the highest, which is the smaller number.
	Priorities() (least, greatest int, err error)
}

// EventOptions choose an event's kind.
type EventOptions struct {
	NoTiming bool // it is not for Since
	Blocking bool // a thread that waits for it sleeps
}

// EventMaker is a Device that has events of several kinds.
type EventMaker interface {
	NewEventWith(EventOptions) (Event, error)
}
