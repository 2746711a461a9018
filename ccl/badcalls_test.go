package ccl_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"heddle/ccl"
	"heddle/launch"
)

// A bench is what wrong calls are made with: rank 1 of 2, its stream, a buffer of 8 numbers, and
// the same of rank 0.
type bench struct {
	c, other     *ccl.Comm
	s, far       *launch.Stream
	b, elsewhere *launch.Buffer[float32]
}

var wrongCalls = []struct {
	name string
	do   func(x *bench) error
	want string
}{
	{"nil rank", func(x *bench) error { return ccl.Barrier(nil, x.s) }, "ccl: Barrier: nil Comm"},
	{"nil stream", func(x *bench) error { return ccl.Barrier(x.c, nil) }, "ccl: Barrier of rank 1 of 2 on sim: nil Stream"},
	{"stream of another rank", func(x *bench) error { return ccl.Barrier(x.c, x.far) }, "the stream is on another sim"},
	{"nil source", func(x *bench) error { return ccl.AllReduce(x.c, x.s, ccl.Sum, x.b, nil) }, "src is nil"},
	{"nil destination", func(x *bench) error { return ccl.AllGather(x.c, x.s, nil, x.b) }, "dst is nil"},
	{"buffer of another rank", func(x *bench) error { return ccl.Broadcast(x.c, x.s, 0, x.elsewhere) }, "buf, a buffer of 8 float32"},
	{"closed buffer", func(x *bench) error {
		b, err := launch.Alloc[float32](x.s.Device(), 8)
		if err != nil {
			return err
		}
		return errors.Join(b.Close(), ccl.Broadcast(x.c, x.s, 0, b))
	}, "is closed"},
	{"slice out of range", func(x *bench) error { return ccl.Send(x.c, x.s, 0, x.b.Slice(3, 20)) }, "slice [3:20] of a buffer of 8 float32"},
	{"lengths that differ", func(x *bench) error { return ccl.AllReduce(x.c, x.s, ccl.Sum, x.b.Slice(0, 3), x.b.Slice(4, 8)) }, "dst has 3 elements and src 4"},
	{"gather of another length", func(x *bench) error { return ccl.AllGather(x.c, x.s, x.b.Slice(0, 4), x.b.Slice(5, 8)) }, "dst has 4 elements and src 3, which does not fit 2 ranks"},
	{"no multiple of the ranks", func(x *bench) error { return ccl.AllToAll(x.c, x.s, x.b.Slice(0, 3), x.b.Slice(4, 7)) }, "dst has 3 elements, no multiple of the 2 ranks"},
	{"overlap", func(x *bench) error { return ccl.AllReduce(x.c, x.s, ccl.Sum, x.b.Slice(0, 4), x.b.Slice(1, 5)) }, "AllReduce of rank 1 of 2 on sim: dst and src overlap"},
	{"block of another rank", func(x *bench) error { return ccl.AllGather(x.c, x.s, x.b, x.b.Slice(0, 4)) }, "AllGather of rank 1 of 2 on sim: dst and src overlap"},
	{"exchange in place", func(x *bench) error { return ccl.AllToAll(x.c, x.s, x.b, x.b) }, "AllToAll of rank 1 of 2 on sim: dst and src overlap"},
	{"root that is not there", func(x *bench) error { return ccl.Reduce(x.c, x.s, ccl.Sum, 2, x.b, x.b) }, "there is no rank 2: they are 0 to 1"},
	{"negative rank", func(x *bench) error { return ccl.Recv(x.c, x.s, -1, x.b) }, "there is no rank -1"},
	{"factor of another type", func(x *bench) error { return ccl.AllReduce(x.c, x.s, ccl.ScaledSum(2), x.b, x.b) }, "ScaledSum by a int of buffers of float32"},
	{"addresses", func(x *bench) error {
		b, err := launch.Alloc[[]float32](x.s.Device(), 2)
		if err != nil {
			return err
		}
		defer b.Close()
		return ccl.Broadcast(x.c, x.s, 0, b)
	}, "[]float32 holds addresses"},
	{"split in a group", func(x *bench) error {
		return ccl.Group(func(g *ccl.Batch) error {
			_, err := x.c.In(g).Split(context.Background(), 0, 0)
			return err
		})
	}, "ccl: Split inside Group"},
	{"group that has ended", func(x *bench) error {
		var late *ccl.Batch
		err := ccl.Group(func(g *ccl.Batch) error { late = g; return nil })
		return errors.Join(err, ccl.Barrier(x.c.In(late), x.s))
	}, "ccl: Barrier: its Group has ended"},
	{"batch of a Group since", func(x *bench) error {
		var late *ccl.Comm
		err := ccl.Group(func(g *ccl.Batch) error { late = x.c.In(g); return nil })
		return errors.Join(err, ccl.Group(func(*ccl.Batch) error { return ccl.Send(late, x.s, 1, x.b) }))
	}, "ccl: Send: its Group has ended"},
	{"batch of no group", func(x *bench) error { return ccl.Barrier(x.c.In(new(ccl.Batch)), x.s) }, "ccl: Barrier: its Batch is not of a Group"},
	{"group of nothing", func(*bench) error { return ccl.Group(nil) }, "Group of a nil func"},
	{"nil rank's split", func(*bench) error { return second((*ccl.Comm)(nil).Split(context.Background(), 0, 0)) }, "ccl: Split: nil Comm"},
	{"capture", func(x *bench) error {
		if err := x.s.BeginCapture(); err != nil {
			return err
		}
		err := ccl.Barrier(x.c, x.s)
		g, end := x.s.EndCapture()
		return errors.Join(err, end, g.Close())
	}, "launch: CallUsing: a graph has no node for it"},
}

// Each wrong call is an error that says what is wrong, and queues nothing: the ranks work afterwards.
func TestWrongCalls(t *testing.T) {
	p := newParty(t, "sim", 2)
	b := numbersOn(t, p, 8)
	x := &bench{p.comms[1], p.comms[0], p.streams[1], p.streams[0], b[1], b[0]}
	seen := map[string]string{}
	for _, call := range wrongCalls {
		t.Run(call.name, func(t *testing.T) {
			if err := call.do(x); err == nil || !strings.Contains(err.Error(), call.want) {
				t.Errorf("got %v, want %q in it", err, call.want)
			}
			if other := seen[call.want]; other != "" {
				t.Errorf("the error of %s, too", other)
			}
			seen[call.want] = call.name
			p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				return errors.Join(ccl.AllReduce(c, s, ccl.Max, b[rank], b[rank]), s.Sync())
			})
		})
	}
}
