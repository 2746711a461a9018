package ccl

import (
	"fmt"
	"reflect"
	"sync"

	"heddle/launch"
)

// AllReduce queues on s: dst of every rank becomes the reduction of the src of all ranks
// (ncclAllReduce). Dst may be src.
func AllReduce[T Number](c *Comm, s *launch.Stream, op Op, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: allReduce, op: op, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// Reduce queues on s: dst of rank root becomes the reduction of the src of all ranks (ncclReduce). The
// other ranks' dst may be nil. Dst may be src.
func Reduce[T Number](c *Comm, s *launch.Stream, op Op, root int, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: reduce, op: op, root: root, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// ReduceScatter queues on s: dst of rank i becomes block i of the reduction of the src of all
// ranks, which are size times as long (ncclReduceScatter). Dst may be the rank's own block of src.
func ReduceScatter[T Number](c *Comm, s *launch.Stream, op Op, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: reduceScatter, op: op, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// Broadcast queues on s: buf of every rank becomes buf of rank root (ncclBroadcast).
func Broadcast[T any](c *Comm, s *launch.Stream, root int, buf *launch.Buffer[T]) error {
	b := bufferOf("buf", buf)
	return c.do(s, operation{what: broadcast, root: root, elem: reflect.TypeFor[T]()}, b, b)
}

// AllGather queues on s: block i of dst of every rank becomes src of rank i; dst is size times as
// long (ncclAllGather). Src may be the rank's own block of dst.
func AllGather[T any](c *Comm, s *launch.Stream, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: allGather, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// AllToAll queues on s: block i of dst of rank j becomes block j of src of rank i (ncclSend and
// ncclRecv in a group). Both are as long, a multiple of size, and do not overlap.
func AllToAll[T any](c *Comm, s *launch.Stream, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: allToAll, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// Gather queues on s: block i of dst of rank root becomes src of rank i; dst is size times as long
// (ncclSend and ncclRecv in a group). The other ranks' dst may be nil. Src of the root may be its own block
// of dst.
func Gather[T any](c *Comm, s *launch.Stream, root int, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: gather, root: root, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// Scatter queues on s: dst of rank i becomes block i of src of rank root; src is size times as
// long (ncclSend and ncclRecv in a group). The other ranks' src may be nil. Dst of the root may be its own
// block of src.
func Scatter[T any](c *Comm, s *launch.Stream, root int, dst, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: scatter, root: root, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), bufferOf("src", src))
}

// Send queues on s the sending of src to rank to, which receives it by [Recv] (ncclSend). It may end only
// when the other rank receives: ranks that send to each other do so in a [Group].
func Send[T any](c *Comm, s *launch.Stream, to int, src *launch.Buffer[T]) error {
	return c.do(s, operation{what: send, root: to, elem: reflect.TypeFor[T]()}, buffer{}, bufferOf("src", src))
}

// Recv queues on s: dst becomes what rank from sends by [Send], which is as long (ncclRecv).
func Recv[T any](c *Comm, s *launch.Stream, from int, dst *launch.Buffer[T]) error {
	return c.do(s, operation{what: recv, root: from, elem: reflect.TypeFor[T]()}, bufferOf("dst", dst), buffer{})
}

// Barrier queues on s: the work after it begins when all ranks have come to it (ncclAllReduce of one
// number).
func Barrier(c *Comm, s *launch.Stream) error {
	return c.do(s, operation{what: barrier, elem: reflect.TypeFor[uint8]()}, buffer{}, buffer{})
}

// do checks a call and queues it, or leaves it to the batch.
func (c *Comm) do(s *launch.Stream, o operation, dst, src buffer) error {
	if c == nil {
		return fmt.Errorf("ccl: %s: nil Comm", whatNames[o.what])
	}
	o.rank, o.size = c.rank, c.size
	q, err := c.request(&o)
	if err != nil {
		return err
	}
	q.operation, q.ctx, q.port, q.stream = o, c.ctx, c.port, s
	if err := q.take(c, dst, src); err != nil {
		return fmt.Errorf("ccl: %s of %v: %w", whatNames[o.what], c, err)
	}
	if err := c.port.err(); err != nil {
		return err
	}
	if c.batch != nil {
		return c.batch.add(q)
	}
	q.one[0] = q
	if err := c.port.queue(q.one[:]); err != nil {
		return err
	}
	if !c.port.keeps(q) {
		*q = request{}
		requests.Put(q)
	}
	return nil
}

// request is memory for a request, all zero.
func (c *Comm) request(o *operation) (*request, error) {
	if c.batch != nil {
		return c.batch.request(o)
	}
	return requests.Get().(*request), nil
}

// requests are requests that nothing refers to any more, all zero: the garbage of a call would cost more than
// half of what the call does here.
var requests = sync.Pool{New: func() any { return new(request) }}
