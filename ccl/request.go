package ccl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"heddle/internal/inside"
	"heddle/launch"
)

// A what is an operation's kind.
type what int

const (
	allReduce what = iota
	broadcast
	reduce
	allGather
	reduceScatter
	allToAll
	gather
	scatter
	send
	recv
	barrier
	split // not on a stream
)

var whatNames = [...]string{"AllReduce", "Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllToAll", "Gather",
	"Scatter", "Send", "Recv", "Barrier", "Split"}

// An operation is what one rank calls.
type operation struct {
	what what
	rank int
	size int // ranks
	op   Op
	elem reflect.Type
	n    int // elements of a block
	root int // or the other rank of a Send or a Recv
}

// A request is an operation with all that the engine needs.
type request struct {
	operation
	ctx    context.Context
	port   port
	stream *launch.Stream
	// The addresses are nil for no buffer, and for an empty one.
	dst, src unsafe.Pointer
	uses     []any
	room
	// Of a Split.
	color, key int
}

// A room is memory that a request's call needs, so that nothing else is allocated.
type room struct {
	buffers [2]any         // what uses is made of
	one     [1]*request    // a queue of this request alone
	work    [1]inside.Work // a queue of one stream
}

// String says what is done, with all that has to be the same on all ranks.
func (o *operation) String() string {
	name := whatNames[o.what]
	switch o.what {
	case barrier, split:
		return name
	case send:
		return fmt.Sprintf("Send of %d %v to rank %d", o.n, o.elem, o.root)
	case recv:
		return fmt.Sprintf("Recv of %d %v from rank %d", o.n, o.elem, o.root)
	}
	text := fmt.Sprintf("%s of %d %v", name, o.n, o.elem)
	if r := rules[o.what]; r.reduces {
		text += ", " + o.op.String()
	}
	if rules[o.what].rooted {
		text += fmt.Sprintf(", root %d", o.root)
	}
	return text
}

// bytes is the size of a block.
func (o *operation) bytes() int { return o.n * int(o.elem.Size()) }

// fail is the error of the operation.
func (o *operation) fail(err error) error {
	if err == nil {
		return nil
	}
	return &Error{o.rank, o.size, o.String(), err}
}

// A buffer is a *launch.Buffer of any type, as a request needs it.
type buffer struct {
	name string
	any  any
	on   *launch.Device
	at   unsafe.Pointer
	len  int
	none bool
}

func bufferOf[T any](name string, b *launch.Buffer[T]) buffer {
	if b == nil {
		return buffer{name: name, none: true}
	}
	return buffer{name: name, any: b, on: b.On(), at: b.Pointer(), len: b.Len()}
}

// check says what is wrong with a buffer that is needed.
func (b *buffer) check(dev *launch.Device) error {
	switch {
	case b.none:
		return fmt.Errorf("%s is nil", b.name)
	case b.on == nil:
		return fmt.Errorf("%s is a zero Buffer, or a slice out of range", b.name)
	case b.on != dev:
		return fmt.Errorf("%s, a %v, is on %s", b.name, b.any, besides(b.on, dev))
	case b.at == nil && b.len > 0:
		return fmt.Errorf("%s, a %v, is closed", b.name, b.any)
	}
	return nil
}

// besides is a device's name beside the rank's own.
func besides(other, dev *launch.Device) string {
	if dev.Name() == other.Name() {
		return "another " + dev.Name()
	}
	return other.Name()
}

// overlap reports whether two pieces of memory have bytes in common.
func overlap(a unsafe.Pointer, n int, b unsafe.Pointer, m int) bool {
	return n > 0 && m > 0 && uintptr(a) < uintptr(b)+uintptr(m) && uintptr(b) < uintptr(a)+uintptr(n)
}

// A rule says of an operation which buffers it has, how long they are, and where they may overlap.
type rule struct {
	dst, src             bool // all ranks have them, unless:
	dstAtRoot, srcAtRoot bool // only the root needs it
	dstBlocks, srcBlocks bool // one block for each rank
	reduces, rooted      bool
	apart                bool // the two never overlap
}

var rules = [...]rule{
	allReduce:     {dst: true, src: true, reduces: true},
	broadcast:     {dst: true, src: true, rooted: true},
	reduce:        {dst: true, src: true, dstAtRoot: true, reduces: true, rooted: true},
	allGather:     {dst: true, src: true, dstBlocks: true},
	reduceScatter: {dst: true, src: true, srcBlocks: true, reduces: true},
	allToAll:      {dst: true, src: true, dstBlocks: true, srcBlocks: true, apart: true},
	gather:        {dst: true, src: true, dstAtRoot: true, dstBlocks: true, rooted: true},
	scatter:       {dst: true, src: true, srcAtRoot: true, srcBlocks: true, rooted: true},
	send:          {src: true, rooted: true},
	recv:          {dst: true, rooted: true},
	barrier:       {},
	split:         {},
}

// take checks the buffers against the operation's rule, and takes them over.
func (q *request) take(c *Comm, dst, src buffer) error {
	r := rules[q.what]
	if q.stream == nil {
		return errors.New("nil Stream")
	}
	if on := q.stream.Device(); on != c.dev {
		return fmt.Errorf("the stream is on %s", besides(on, c.dev))
	}
	if r.rooted && (q.root < 0 || q.root >= q.size) {
		return fmt.Errorf("there is no rank %d: they are 0 to %d", q.root, q.size-1)
	}
	if hasPointers(q.elem) {
		return fmt.Errorf("%v holds addresses, which mean nothing on another device", q.elem)
	}
	if q.op.kind == opScaled && reflect.TypeOf(q.op.factor) != q.elem {
		return fmt.Errorf("ScaledSum by a %T of buffers of %v", q.op.factor, q.elem)
	}
	atRoot := q.root == q.rank
	sides := [2]side{
		{&dst, &q.dst, r.dst && (!r.dstAtRoot || atRoot), 1},
		{&src, &q.src, r.src && (!r.srcAtRoot || atRoot), 1},
	}
	if r.dstBlocks {
		sides[0].blocks = q.size
	}
	if r.srcBlocks {
		sides[1].blocks = q.size
	}
	q.uses = q.buffers[:0]
	for i := range sides {
		s := &sides[i]
		if !s.has {
			continue
		}
		if err := s.check(c.dev); err != nil {
			return err
		}
		if s.len%s.blocks != 0 {
			return fmt.Errorf("%s has %d elements, no multiple of the %d ranks", s.name, s.len, s.blocks)
		}
		q.n = s.len / s.blocks
		*s.to = s.at
		q.uses = append(q.uses, s.any)
	}
	if sides[0].has && sides[1].has {
		return q.compare(&r, &sides[0], &sides[1])
	}
	return nil
}

// A side is one of a request's two buffers.
type side struct {
	*buffer
	to     *unsafe.Pointer
	has    bool
	blocks int
}

// compare compares the lengths and the memory of the two buffers.
func (q *request) compare(r *rule, dst, src *side) error {
	if dst.len/dst.blocks != src.len/src.blocks {
		return fmt.Errorf("dst has %d elements and src %d, which does not fit %d ranks", dst.len, src.len, q.size)
	}
	size := int(q.elem.Size())
	if !overlap(dst.at, dst.len*size, src.at, src.len*size) {
		return nil
	}
	to, from := uintptr(dst.at), uintptr(src.at)
	if dst.blocks > 1 {
		to += uintptr(q.rank * q.bytes())
	}
	if src.blocks > 1 {
		from += uintptr(q.rank * q.bytes())
	}
	if r.apart || to != from {
		return errors.New("dst and src overlap")
	}
	return nil
}
