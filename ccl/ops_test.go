package ccl_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"heddle/ccl"
	"heddle/internal/tests/attached"
	"heddle/launch"
	_ "heddle/launch/emu"
	"heddle/vector"
)

// A party is all ranks of a communicator, each with a stream.
type party struct {
	t       testing.TB
	first   int // rank of comms[0]: in this process not all may be
	devs    []*launch.Device
	comms   []*ccl.Comm
	streams []*launch.Stream
}

// devices opens n devices of a kind: of GPUs the first n.
func devices(t testing.TB, name string, n int) (devs []*launch.Device) {
	t.Helper()
	for i := range n {
		name := name
		if name == "cuda" || name == "hip" {
			name = fmt.Sprintf("%s:%d", name, i)
		}
		if why := attached.Missing(name); why != "" {
			t.Skip(name, ": ", why)
		}
		d, err := launch.Open(name)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { d.Close() })
		devs = append(devs, d)
	}
	return devs
}

func newParty(t testing.TB, name string, n int) *party {
	t.Helper()
	p := &party{t: t, devs: devices(t, name, n)}
	var err error
	if p.comms, err = ccl.All(t.Context(), p.devs...); err != nil {
		t.Fatal(err)
	}
	for _, d := range p.devs {
		s, err := d.NewStream()
		if err != nil {
			t.Fatal(err)
		}
		p.streams = append(p.streams, s)
	}
	t.Cleanup(func() {
		for _, c := range p.comms {
			c.Close()
		}
	})
	return p
}

// each calls f for all ranks at once, and requires that it has no error.
func (p *party) each(f func(rank int, c *ccl.Comm, s *launch.Stream) error) {
	p.t.Helper()
	for i, err := range p.errors(f) {
		if err != nil {
			p.t.Errorf("rank %d: %v", p.first+i, err)
		}
	}
}

func (p *party) errors(f func(rank int, c *ccl.Comm, s *launch.Stream) error) []error {
	list := make([]error, len(p.comms))
	var wait sync.WaitGroup
	for i := range p.comms {
		wait.Go(func() { list[i] = f(p.first+i, p.comms[i], p.streams[i]) })
	}
	wait.Wait()
	return list
}

// kinds are devices on the host, and the GPUs of the machine.
var kinds = []string{"sim", "cpu", "emu:gfx1100", "cuda", "hip"}

// A numbers says how whole numbers are numbers of type T.
type numbers[T ccl.Number] struct {
	of   func(int64) T
	mean func(sum int64, n int) T
}

func integers[T int8 | uint8 | int32 | uint32 | int64 | uint64 | int]() numbers[T] {
	return numbers[T]{func(v int64) T { return T(v) }, func(s int64, n int) T { return T(s) / T(n) }}
}

func floats[T float32 | float64]() numbers[T] {
	return numbers[T]{func(v int64) T { return T(v) }, func(s int64, n int) T { return T(s) / T(n) }}
}

func smalls[T interface {
	ccl.Number
	Of(float32) T
}]() numbers[T] {
	var zero T
	return numbers[T]{func(v int64) T { return zero.Of(float32(v)) }, func(s int64, n int) T { return zero.Of(float32(s) / float32(n)) }}
}

func TestReductions(t *testing.T) {
	for _, kind := range kinds {
		for ranks := 1; ranks <= 4; ranks++ {
			t.Run(fmt.Sprintf("%s/%d", kind, ranks), func(t *testing.T) {
				p := newParty(t, kind, ranks)
				reductions(p, integers[int8]())
				reductions(p, integers[uint8]())
				reductions(p, integers[int32]())
				reductions(p, integers[uint32]())
				reductions(p, integers[int64]())
				reductions(p, integers[uint64]())
				reductions(p, integers[int]())
				reductions(p, floats[float32]())
				reductions(p, floats[float64]())
				reductions(p, smalls[vector.Half]())
				reductions(p, smalls[vector.BFloat16]())
			})
		}
	}
}

// value is element i of rank r: small, so that sums and products of 16 bits are exact or round once.
func value(r, i int) int64 { return int64((i+3*r)%5 + 1) }

func reductions[T ccl.Number](p *party, of numbers[T]) {
	p.t.Helper()
	ranks := p.comms[0].Size()
	ops := []struct {
		op   ccl.Op
		want func(i int) T
	}{
		{ccl.Sum, func(i int) T { return of.of(fold(ranks, i, func(a, b int64) int64 { return a + b })) }},
		{ccl.Prod, func(i int) T { return of.of(fold(ranks, i, func(a, b int64) int64 { return a * b })) }},
		{ccl.Min, func(i int) T { return of.of(fold(ranks, i, func(a, b int64) int64 { return min(a, b) })) }},
		{ccl.Max, func(i int) T { return of.of(fold(ranks, i, func(a, b int64) int64 { return max(a, b) })) }},
		{ccl.Avg, func(i int) T { return of.mean(fold(ranks, i, func(a, b int64) int64 { return a + b }), ranks) }},
		{ccl.ScaledSum(of.of(3)), func(i int) T { return of.of(3 * fold(ranks, i, func(a, b int64) int64 { return a + b })) }},
	}
	for _, n := range []int{0, 1, 37, 4099} {
		for k, o := range ops {
			if n == 4099 && k > 0 && k != 4 {
				continue
			}
			what := fmt.Sprintf("%T, %d, %v", *new(T), n, o.op)
			root := n % ranks
			p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				src, want := make([]T, n*ranks), make([]T, n*ranks)
				for i := range src {
					src[i], want[i] = of.of(value(rank, i)), o.want(i)
				}
				return errors.Join(
					compare(what+": AllReduce", s, src[:n], n, want[:n], func(d, b *launch.Buffer[T]) error { return ccl.AllReduce(c, s, o.op, d, b) }),
					compare(what+": AllReduce in place", s, src[:n], 0, want[:n], func(_, b *launch.Buffer[T]) error { return ccl.AllReduce(c, s, o.op, b, b) }),
					compare(what+": ReduceScatter", s, src, n, want[rank*n:][:n], func(d, b *launch.Buffer[T]) error { return ccl.ReduceScatter(c, s, o.op, d, b) }),
					compare(what+": Reduce", s, src[:n], n, only(rank == root, want[:n], make([]T, n)), func(d, b *launch.Buffer[T]) error { return ccl.Reduce(c, s, o.op, root, d, b) }),
				)
			})
		}
	}
}

func only[T any](is bool, a, b T) T {
	if is {
		return a
	}
	return b
}

// fold joins element i of all ranks.
func fold(ranks, i int, join func(a, b int64) int64) int64 {
	acc := value(0, i)
	for r := 1; r < ranks; r++ {
		acc = join(acc, value(r, i))
	}
	return acc
}

// compare calls f with dst, a new buffer of n zeros, and a buffer that holds src, and compares dst with
// want. Where n is 0, both are the one buffer: f works in place.
func compare[T ccl.Number](what string, s *launch.Stream, src []T, n int, want []T, f func(dst, src *launch.Buffer[T]) error) error {
	d := s.Device()
	b, err := launch.Upload(d, src)
	if err != nil {
		return err
	}
	defer b.Close()
	dst := b
	if n > 0 {
		if dst, err = launch.Alloc[T](d, n); err != nil {
			return err
		}
		defer dst.Close()
	}
	if len(want) == 0 && len(src) == 0 && n == 0 {
		if dst, err = launch.Alloc[T](d, 0); err != nil {
			return err
		}
		defer dst.Close()
	}
	if err := f(dst, b); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	got := make([]T, dst.Len())
	if err := dst.Download(got); err != nil { // waits for the operation
		return fmt.Errorf("%s: %w", what, err)
	}
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d elements, want %d", what, len(got), len(want))
	}
	if !slices.Equal(got, want) {
		for i := range want {
			if got[i] != want[i] {
				return fmt.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	return nil
}

// A pair is a type that no library of a vendor knows.
type pair struct {
	A int16
	B [3]uint8
}

func TestMoves(t *testing.T) {
	for _, kind := range kinds {
		for ranks := 1; ranks <= 4; ranks++ {
			t.Run(fmt.Sprintf("%s/%d", kind, ranks), func(t *testing.T) {
				p := newParty(t, kind, ranks)
				for _, n := range []int{0, 1, 37, 4099} {
					p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
						return moves(c, s, n, func(v int) float64 { return float64(v) })
					})
					p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
						return moves(c, s, n, func(v int) pair { return pair{int16(v), [3]uint8{uint8(v), 1, 2}} })
					})
				}
			})
		}
	}
}

// moves makes each operation that moves data, with blocks of n.
func moves[T comparable](c *ccl.Comm, s *launch.Stream, n int, of func(int) T) error {
	size, rank := c.Size(), c.Rank()
	root := n % size
	var err error
	buffer := func(len int, v func(i int) int) *launch.Buffer[T] {
		host := make([]T, len)
		for i := range host {
			host[i] = of(v(i))
		}
		b, e := launch.Upload(s.Device(), host)
		err = errors.Join(err, e)
		return b
	}
	none := func(int) int { return -1 }
	check := func(what string, b *launch.Buffer[T], v func(i int) int) {
		got := make([]T, b.Len())
		if e := b.Download(got); e != nil {
			err = errors.Join(err, fmt.Errorf("%s of %d: %w", what, n, e))
			return
		}
		for i := range got {
			if got[i] != of(v(i)) {
				err = errors.Join(err, fmt.Errorf("%s of %d: element %d is %v, want %v", what, n, i, got[i], of(v(i))))
				return
			}
		}
	}
	name := func(from, to, i int) int { return from*1000 + to*100 + i%97 }
	mine := buffer(n, func(i int) int { return name(rank, 0, i) })
	forAll := buffer(n*size, func(i int) int { return name(rank, i/max(n, 1), i%max(n, 1)) })
	if err != nil {
		return err
	}
	b := buffer(n, func(i int) int { return name(rank, 9, i) })
	err = errors.Join(err, ccl.Broadcast(c, s, root, b))
	check("Broadcast", b, func(i int) int { return name(root, 9, i) })

	all := buffer(n*size, none)
	err = errors.Join(err, ccl.AllGather(c, s, all, mine))
	check("AllGather", all, func(i int) int { return name(i/n, 0, i%n) })

	own := buffer(n*size, func(i int) int { return only(i/max(n, 1) == rank, name(rank, 0, i%max(n, 1)), -1) })
	err = errors.Join(err, ccl.AllGather(c, s, own, own.Slice(rank*n, (rank+1)*n)))
	check("AllGather in place", own, func(i int) int { return name(i/n, 0, i%n) })

	to := buffer(n*size, none)
	err = errors.Join(err, ccl.AllToAll(c, s, to, forAll))
	check("AllToAll", to, func(i int) int { return name(i/n, rank, i%n) })

	var whole, from *launch.Buffer[T]
	if rank == root {
		whole, from = buffer(n*size, none), forAll
	}
	err = errors.Join(err, ccl.Gather(c, s, root, whole, mine))
	if rank == root {
		check("Gather", whole, func(i int) int { return name(i/n, 0, i%n) })
	}
	got := buffer(n, none)
	err = errors.Join(err, ccl.Scatter(c, s, root, got, from))
	check("Scatter", got, func(i int) int { return name(root, rank, i) })

	left, right := (rank+size-1)%size, (rank+1)%size
	in := buffer(n, none)
	err = errors.Join(err, ccl.Group(func(g *ccl.Batch) error {
		return errors.Join(ccl.Send(c.In(g), s, right, mine), ccl.Recv(c.In(g), s, left, in))
	}))
	check("Send and Recv", in, func(i int) int { return name(left, 0, i) })
	return errors.Join(err, ccl.Barrier(c, s), s.Sync())
}

// One goroutine drives all ranks of two communicators at once.
func TestGroups(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			p := newParty(t, kind, 2)
			second, err := ccl.All(context.Background(), p.devs[1], p.devs[0])
			if err != nil {
				t.Fatal(err)
			}
			var a, b []*launch.Buffer[int32]
			for i, d := range p.devs {
				x, err1 := launch.Upload(d, []int32{int32(i + 1), 10})
				y, err2 := launch.Upload(d, []int32{int32(i + 5)})
				if err := errors.Join(err1, err2); err != nil {
					t.Fatal(err)
				}
				a, b = append(a, x), append(b, y)
			}
			err = ccl.Group(func(g *ccl.Batch) error {
				return errors.Join(
					ccl.AllReduce(p.comms[0].In(g), p.streams[0], ccl.Sum, a[0], a[0]),
					ccl.Broadcast(second[1].In(g), p.streams[0], 1, b[0]),
					ccl.Broadcast(second[0].In(g), p.streams[1], 1, b[1]),
					ccl.AllReduce(p.comms[1].In(g), p.streams[1], ccl.Sum, a[1], a[1]),
				)
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.devs {
				x, y := make([]int32, 2), make([]int32, 1)
				if err := errors.Join(a[i].Download(x), b[i].Download(y)); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(x, []int32{3, 20}) || y[0] != 5 {
					t.Errorf("device %d: %v %v", i, x, y)
				}
			}
			for _, c := range second {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Operations with memory that the library has allocated.
func TestAlloc(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			p := newParty(t, kind, 2)
			p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				b, err := ccl.Alloc[int32](c, 1000)
				if err != nil {
					return err
				}
				got := make([]int32, 1000)
				if err := b.Download(got); err != nil || slices.Max(got) != 0 || slices.Min(got) != 0 {
					return fmt.Errorf("it is not zero: %w", err)
				}
				err = errors.Join(b.Fill(s, int32(rank+1)), ccl.AllReduce(c, s, ccl.Sum, b, b), b.Download(got))
				if got[0] != 3 || got[999] != 3 {
					t.Errorf("the sum is %d", got[0])
				}
				return errors.Join(err, b.Close())
			})
		})
	}
	if _, err := ccl.Alloc[int32](nil, 1); err == nil {
		t.Error("a nil Comm")
	}
	if _, err := ccl.Alloc[int32](newParty(t, "sim", 1).comms[0], -1); err == nil {
		t.Error("a negative length")
	}
}
