package ccl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"heddle/ccl"
	"heddle/launch"
)

// host are the devices on the host, which find what GPUs do not.
var host = []string{"sim", "cpu", "emu:gfx1100"}

// once is a context that is done when n requests of the communicator wait for others.
func once(t *testing.T, c *ccl.Comm, n int) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for ccl.Waiting(c) < n && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel(context.DeadlineExceeded)
	}()
	return ctx
}

// numbersOn are n float32 on each rank's device.
func numbersOn(t *testing.T, p *party, n int) (all []*launch.Buffer[float32]) {
	for _, d := range p.devs {
		b, err := launch.Alloc[float32](d, n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}

// is requires that an error is one of a rank, wraps want and mentions texts.
func is(t *testing.T, err, want error, texts ...string) {
	t.Helper()
	var e *ccl.Error
	if !errors.Is(err, want) || !errors.As(err, &e) {
		t.Errorf("got %v, want a *ccl.Error of %v", err, want)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("got %q, want %q in it", err, text)
		}
	}
}

// A rank that never comes ends the others' operation, by the deadline of one of them.
func TestNeverComes(t *testing.T) {
	for _, kind := range host {
		t.Run(kind, func(t *testing.T) {
			p := newParty(t, kind, 3)
			b := numbersOn(t, p, 8)
			all := p.errors(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				if rank == 1 {
					return nil
				}
				if rank == 0 {
					c = c.With(once(t, c, 2))
				}
				if err := ccl.AllReduce(c, s, ccl.Sum, b[rank], b[rank]); err != nil {
					t.Error(err)
				}
				return b[rank].Download(make([]float32, 8))
			})
			is(t, all[0], ccl.ErrLate, "rank 0 of 3: AllReduce of 8 float32, sum: ", "rank 1 has not come", "deadline exceeded")
			is(t, all[2], ccl.ErrAborted, "rank 2 of 3")
			if err := ccl.Barrier(p.comms[1], p.streams[1]); !errors.Is(err, ccl.ErrAborted) {
				t.Error("the rank that came too late: ", err)
			}
			if err := p.comms[1].Err(); !errors.Is(err, ccl.ErrLate) {
				t.Error(err)
			}
			if err := b[0].Clear(p.streams[0]); err != nil { // the stream is as good as new
				t.Error(err)
			}
		})
	}
}

// SyncContext of one stream ends the operation for all.
func TestSyncContext(t *testing.T) {
	p := newParty(t, "sim", 3)
	b := numbersOn(t, p, 8)
	all := p.errors(func(rank int, c *ccl.Comm, s *launch.Stream) error {
		if rank == 2 {
			return nil
		}
		if err := ccl.AllReduce(c, s, ccl.Sum, b[rank], b[rank]); err != nil {
			t.Error(err)
		}
		if rank == 0 {
			return s.SyncContext(once(t, c, 2))
		}
		return s.Sync()
	})
	is(t, all[0], ccl.ErrLate, "rank 2 has not come")
	is(t, all[1], ccl.ErrAborted)
}

func TestAbort(t *testing.T) {
	p := newParty(t, "cpu", 2)
	b := numbersOn(t, p, 8)
	if err := ccl.Recv(p.comms[0], p.streams[0], 1, b[0]); err != nil {
		t.Fatal(err)
	}
	p.comms[1].Abort()
	is(t, p.streams[0].Sync(), ccl.ErrAborted, "rank 0 of 2: Recv of 8 float32 from rank 1", "by rank 1")
	for _, c := range p.comms {
		if err := c.Err(); !errors.Is(err, ccl.ErrAborted) {
			t.Error(err)
		}
	}
}

// A rank that has closed: what it had queued is done, and what needs it later is an error.
func TestClosed(t *testing.T) {
	p := newParty(t, "cpu", 2)
	b := numbersOn(t, p, 8)
	p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error {
		err := ccl.AllReduce(c, s, ccl.Sum, b[rank], b[rank])
		if rank == 1 {
			err = errors.Join(err, c.Close())
		}
		return err
	})
	if err := p.streams[0].Sync(); err != nil {
		t.Fatal(err)
	}
	if err := ccl.Send(p.comms[0], p.streams[0], 1, b[0]); err != nil {
		t.Fatal(err)
	}
	is(t, p.streams[0].Sync(), ccl.ErrClosed, "rank 0 of 2: Send of 8 float32 to rank 1: rank 1: ")
	if err := ccl.Barrier(p.comms[1], p.streams[1]); !errors.Is(err, ccl.ErrClosed) {
		t.Error(err)
	}
	if err := p.comms[1].Close(); err != nil {
		t.Error(err)
	}
}

func TestMismatch(t *testing.T) {
	for _, m := range []struct {
		name string
		do   func(c *ccl.Comm, s *launch.Stream, b *launch.Buffer[float32]) error
		want string
	}{
		{"size", func(c *ccl.Comm, s *launch.Stream, b *launch.Buffer[float32]) error {
			return ccl.AllReduce(c, s, ccl.Sum, b.Slice(0, 7), b.Slice(0, 7))
		}, "rank 0 is in AllReduce of 8 float32, sum, rank 1 in AllReduce of 7 float32, sum"},
		{"operation", func(c *ccl.Comm, s *launch.Stream, b *launch.Buffer[float32]) error {
			return ccl.AllReduce(c, s, ccl.Max, b, b)
		}, "rank 1 in AllReduce of 8 float32, maximum"},
		{"collective", func(c *ccl.Comm, s *launch.Stream, b *launch.Buffer[float32]) error {
			return ccl.Broadcast(c, s, 1, b)
		}, "rank 1 in Broadcast of 8 float32, root 1"},
	} {
		t.Run(m.name, func(t *testing.T) {
			p := newParty(t, "sim", 2)
			b := numbersOn(t, p, 8)
			all := p.errors(func(rank int, c *ccl.Comm, s *launch.Stream) error {
				if rank == 1 {
					return errors.Join(m.do(c, s, b[rank]), s.Sync())
				}
				return errors.Join(ccl.AllReduce(c, s, ccl.Sum, b[rank], b[rank]), s.Sync())
			})
			for _, err := range all {
				is(t, err, ccl.ErrMismatch, m.want)
			}
		})
	}
	t.Run("message", func(t *testing.T) {
		p := newParty(t, "sim", 2)
		b := numbersOn(t, p, 8)
		all := p.errors(func(rank int, c *ccl.Comm, s *launch.Stream) error {
			if rank == 1 {
				return errors.Join(ccl.Recv(c, s, 0, b[1].Slice(0, 3)), s.Sync())
			}
			return errors.Join(ccl.Send(c, s, 1, b[0]), s.Sync())
		})
		is(t, all[1], ccl.ErrMismatch, "rank 0 is in Send of 8 float32 to rank 1, rank 1 in Recv of 3 float32 from rank 0")
	})
}

func TestSplit(t *testing.T) {
	for _, kind := range kinds {
		for _, n := range []int{2, 4} {
			t.Run(fmt.Sprint(kind, "/", n), func(t *testing.T) {
				p := newParty(t, kind, n)
				p.each(splits)
				p.each(func(rank int, c *ccl.Comm, s *launch.Stream) error { return errors.Join(ccl.Barrier(c, s), s.Sync()) })
			})
		}
	}
}

// splits splits a communicator of four ranks, one of which takes part in none, or turns one of two round.
func splits(rank int, c *ccl.Comm, s *launch.Stream) error {
	color, want, sum := 0, 1-rank, int32(3)
	if c.Size() == 4 {
		color, want, sum = []int{0, 1, 0, -1}[rank], []int{1, 0, 0, 0}[rank], []int32{4, 2, 4, 0}[rank]
	}
	part, err := c.Split(context.Background(), color, -rank)
	if err != nil || part == nil {
		if color >= 0 {
			return errors.Join(err, errors.New("no rank"))
		}
		return err
	}
	defer part.Close()
	if part.Rank() != want || part.Size() != 2-color || part.Device() != c.Device() {
		return fmt.Errorf("rank %d is %v", rank, part)
	}
	b, err := launch.Upload(s.Device(), []int32{int32(rank + 1)})
	if err != nil {
		return err
	}
	got := make([]int32, 1)
	err = errors.Join(ccl.AllReduce(part, s, ccl.Sum, b, b), b.Download(got))
	if got[0] != sum {
		err = errors.Join(err, fmt.Errorf("rank %d has %d, want %d", rank, got[0], sum))
	}
	return err
}

// A Split that some rank does not call ends, too.
func TestSplitLate(t *testing.T) {
	p := newParty(t, "sim", 2)
	_, err := p.comms[0].Split(once(t, p.comms[0], 1), 0, 0)
	is(t, err, ccl.ErrLate, "rank 0 of 2: Split: ", "rank 1 has not come")
}

// Init makes a rank in each goroutine.
func TestInit(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			devs := devices(t, kind, 2)
			id, err := ccl.NewID(devs[0])
			if err != nil {
				t.Fatal(err)
			}
			var wait sync.WaitGroup
			for i, d := range devs {
				wait.Go(func() {
					c, err := ccl.Init(t.Context(), d, id, i, 2)
					if err != nil {
						t.Error(err)
						return
					}
					if err := errors.Join(ccl.Barrier(c, d.Stream()), d.Sync(), c.Close()); err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
		})
	}
}

func TestInitWrong(t *testing.T) {
	devs := devices(t, "sim", 3)
	id, err := ccl.NewID(devs[0])
	if err != nil {
		t.Fatal(err)
	}
	came := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	for _, d := range devs[:2] { // one of them is too many
		go func() {
			_, err := ccl.Init(ctx, d, id, 0, 3)
			came <- err
		}()
	}
	is(t, <-came, ccl.ErrDuplicate, "rank 0 of 3")
	is(t, second(ccl.Init(ctx, devs[1], id, 1, 2)), ccl.ErrSize, "rank 1 of 2")
	cancel()
	is(t, <-came, ccl.ErrLate, "ranks 1 and 2 have not come", "canceled")
	for _, c := range []struct {
		want string
		err  error
	}{
		{"rank 4: want one of 0 to 1", second(ccl.Init(ctx, devs[0], id, 4, 2))},
		{"Init of 0 ranks", second(ccl.Init(ctx, devs[0], id, 0, 0))},
		{"nil Device", second(ccl.Init(ctx, nil, id, 0, 1))},
		{"the ID is zero", second(ccl.Init(ctx, devs[0], ccl.ID{}, 0, 1))},
		{"the ID is that of GPUs", second(ccl.Init(ctx, devs[0], ccl.ID{7}, 0, 1))},
		{"All of no devices", second(ccl.All(ctx))},
		{"device 1 is nil", second(ccl.All(ctx, devs[0], nil))},
		{"ranks 0 and 1 are both on one sim", second(ccl.All(ctx, devs[0], devs[0]))},
		{"nil Device", second(ccl.NewID(nil))},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
