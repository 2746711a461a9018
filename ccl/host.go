package ccl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"heddle/launch"
)

// This file is the engine of devices on the host. The ranks of a communicator within one process share a
// world, where the requests of one operation meet. Between processes a job takes its place (mpijob.go).

// An engine is a communicator of devices on the host.
type engine interface {
	// do does a request's part, and waits for what it needs of the others.
	do(ctx context.Context, q *request, p place) error
	// divide makes the rank of a Split, nil for a color below 0.
	divide(q *request, p place) (*hostRank, error)
	// failure is why the communicator has failed, fail makes it fail for the first cause.
	failure() error
	fail(error)
	// left says that a rank has closed, with what it had called.
	left(ctx context.Context, rank int, called *counts) error
}

// A world is an engine within one process.
type world struct {
	size   int
	broken chan struct{} // closed with failed set

	mu       sync.Mutex
	failed   error
	meetings map[place]*meeting
	// gone are the ranks that have closed, with what they had called.
	gone map[int]*counts
}

// A place is where requests meet: the number of an operation that all ranks take part in (from and
// to are -1 then), or of a message from one rank to another. Splits have numbers of their own.
type place struct {
	split    bool
	from, to int
	n        uint64
}

// counts are how often a rank has called what.
type counts struct {
	all, splits uint64
	sent, got   map[int]uint64 // by the other rank
}

func newCounts() counts { return counts{sent: map[int]uint64{}, got: map[int]uint64{}} }

// A meeting is one operation, or one message.
type meeting struct {
	needs []int // ranks
	come  []*request
	n     int           // that have come
	ready chan struct{} // closed when all have come
	err   error         // why it cannot be done; set before ready
	done  sync.WaitGroup
	ranks map[int]*hostRank // of a Split: the new rank of each rank
}

// A hostRank implements port.
type hostRank struct {
	on         engine
	rank, size int

	// queueing guards what follows.
	calls  counts
	closed bool
}

// queueing is held while a call is queued. It is one for all ranks, since a group has several.
var queueing sync.Mutex

func hostAll(size int) []port {
	var all []port
	for _, r := range newWorld(size) {
		all = append(all, r)
	}
	return all
}

func newWorld(size int) []*hostRank {
	w := &world{size: size, broken: make(chan struct{}), meetings: map[place]*meeting{}, gone: map[int]*counts{}}
	var all []*hostRank
	for i := range size {
		all = append(all, newHostRank(w, i, size))
	}
	return all
}

func newHostRank(on engine, rank, size int) *hostRank {
	return &hostRank{on: on, rank: rank, size: size, calls: newCounts()}
}

// fail implements engine.
func (w *world) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failLocked(err)
}

func (w *world) failLocked(err error) {
	if w.failed == nil {
		w.failed = err
		close(w.broken)
	}
}

// failure implements engine.
func (w *world) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// left implements engine.
func (w *world) left(_ context.Context, rank int, called *counts) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone[rank] = called // which changes no more
	for p, m := range w.meetings {
		w.lacking(p, m)
	}
	return nil
}

// family implements port.
func (r *hostRank) family() any { return onHost }

// keeps implements port.
func (r *hostRank) keeps(*request) bool { return true }

// err implements port.
func (r *hostRank) err() error {
	queueing.Lock()
	closed := r.closed
	queueing.Unlock()
	err := r.on.failure()
	if closed {
		err = ErrClosed
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("ccl: rank %d of %d: %w", r.rank, r.size, err)
}

// abort implements port.
func (r *hostRank) abort(cause error) { r.on.fail(cause) }

// close implements port.
func (r *hostRank) close(ctx context.Context) error {
	queueing.Lock()
	closed := r.closed
	r.closed = true
	queueing.Unlock()
	if closed {
		return nil
	}
	return r.on.left(ctx, r.rank, &r.calls)
}

// lacking fails the world where a meeting waits for a rank that has closed; w.mu is held.
func (w *world) lacking(p place, m *meeting) {
	for _, rank := range m.needs {
		if c := w.gone[rank]; c != nil && !c.include(rank, p) {
			w.failLocked(fmt.Errorf("rank %d: %w", rank, ErrClosed))
		}
	}
}

// include reports whether a rank that has called so much has called what meets at p.
func (c *counts) include(rank int, p place) bool {
	called := c.all
	switch {
	case p.split:
		called = c.splits
	case p.from == rank && p.to == rank:
		called = min(c.sent[rank], c.got[rank])
	case p.from == rank:
		called = c.sent[p.to]
	case p.to == rank:
		called = c.got[p.from]
	}
	return p.n < called
}

// next is where a request of a rank meets the others, and counts it.
func (c *counts) next(rank int, q *request) place {
	return c.at(rank, q, func(n uint64) (place, now uint64) { return n, n + 1 })
}

// back takes the latest call back.
func (c *counts) back(rank int, q *request) place {
	return c.at(rank, q, func(n uint64) (place, now uint64) { return n - 1, n - 1 })
}

// at is where a request meets the others; the count of its kind becomes what change says.
func (c *counts) at(rank int, q *request, change func(n uint64) (place, now uint64)) place {
	count := func(n *uint64) (at uint64) { at, *n = change(*n); return at }
	by := func(m map[int]uint64) (at uint64) { at, m[q.root] = change(m[q.root]); return at }
	switch q.what {
	case split:
		return place{true, -1, -1, count(&c.splits)}
	case send:
		return place{false, rank, q.root, by(c.sent)}
	case recv:
		return place{false, q.root, rank, by(c.got)}
	}
	return place{false, -1, -1, count(&c.all)}
}

// queue implements port: the requests of one stream are one call of it.
func (r *hostRank) queue(all []*request) error {
	queueing.Lock()
	defer queueing.Unlock()
	before := map[*hostRank]counts{}
	places := map[*request]place{}
	streams := map[*launch.Stream][]*request{}
	var order []*launch.Stream
	for _, q := range all {
		p := q.port.(*hostRank)
		if p.closed {
			return fmt.Errorf("ccl: %v: %w", q, ErrClosed)
		}
		if _, ok := before[p]; !ok {
			before[p] = p.calls
			p.calls.sent, p.calls.got = maps.Clone(p.calls.sent), maps.Clone(p.calls.got)
		}
		places[q] = p.calls.next(p.rank, q)
		if streams[q.stream] == nil {
			order = append(order, q.stream)
		}
		streams[q.stream] = append(streams[q.stream], q)
	}
	for i, s := range order {
		work := streams[s]
		var uses []any
		for _, q := range work {
			uses = append(uses, q.uses...)
		}
		err := s.CallUsing(func(ctx context.Context) error { return runAll(ctx, work, places) }, uses...)
		switch {
		case err == nil:
		case i == 0: // as if it had not been called
			for p, c := range before {
				p.calls = c
			}
			return err
		default:
			for p := range before {
				p.on.fail(fmt.Errorf("a group was queued in part: %w", err))
			}
			return err
		}
	}
	return nil
}

// runAll does requests side by side.
func runAll(ctx context.Context, work []*request, places map[*request]place) error {
	if len(work) == 1 {
		return work[0].run(ctx, places[work[0]])
	}
	list := make([]error, len(work))
	var wait sync.WaitGroup
	for i, q := range work {
		wait.Go(func() { list[i] = q.run(ctx, places[q]) })
	}
	wait.Wait()
	return errors.Join(list...)
}

// run does one request, on the stream's goroutine.
func (q *request) run(ctx context.Context, p place) error {
	on := q.port.(*hostRank).on
	for _, ctx := range []context.Context{ctx, q.ctx} {
		if ctx.Err() != nil { // before its turn: what it needs may not be there
			on.fail(fmt.Errorf("%w by rank %d: %w", ErrAborted, q.rank, context.Cause(ctx)))
		}
	}
	return on.do(ctx, q, p)
}

// do implements engine.
func (w *world) do(ctx context.Context, q *request, p place) error {
	_, err := w.meet(ctx, q, p)
	return err
}

// meet waits until all that a meeting needs have come, does this rank's part, and waits for the
// others' parts.
func (w *world) meet(ctx context.Context, q *request, p place) (*meeting, error) {
	m, mine, err := w.come(q, p)
	if err != nil {
		return nil, q.fail(err)
	}
	select {
	case <-m.ready:
	case <-w.broken:
	case <-ctx.Done():
		w.giveUp(m, ctx)
	case <-q.ctx.Done():
		w.giveUp(m, q.ctx)
	}
	w.mu.Lock()
	if m.n < len(m.needs) || m.err != nil { // who is not there will find the world broken
		err := cmp.Or(m.err, w.failed)
		w.mu.Unlock()
		return nil, q.fail(err)
	}
	w.mu.Unlock()
	func() {
		defer m.done.Done()
		m.part(mine)
	}()
	m.done.Wait()
	return m, nil
}

// come enters a request, and returns its index in the meeting.
func (w *world) come(q *request, p place) (*meeting, int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return nil, 0, w.failed
	}
	m := w.meetings[p]
	if m == nil {
		m = &meeting{ready: make(chan struct{}), needs: []int{p.from, p.to}}
		if p.from < 0 {
			m.needs = make([]int, w.size)
			for i := range m.needs {
				m.needs[i] = i
			}
		}
		m.come = make([]*request, len(m.needs))
		m.done.Add(len(m.needs))
		w.meetings[p] = m
	}
	mine := q.rank
	if q.what == send {
		mine = 0
	} else if q.what == recv {
		mine = 1
	}
	m.come[mine] = q
	m.n++
	if m.n < len(m.needs) {
		w.lacking(p, m)
		return m, mine, nil
	}
	delete(w.meetings, p)
	if m.err = m.agree(); m.err != nil {
		w.failLocked(m.err)
	} else if q.what == split {
		m.divide()
	}
	close(m.ready)
	return m, mine, nil
}

// giveUp breaks the world for a meeting that not all have come to when a context was done.
func (w *world) giveUp(m *meeting, ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.n == len(m.needs) {
		return
	}
	var missing []int
	for i, q := range m.come {
		if q == nil {
			missing = append(missing, m.needs[i])
		}
	}
	w.failLocked(fmt.Errorf("%w: %w", ErrAborted, late(missing, context.Cause(ctx))))
}

// agree says whether all do the same.
func (m *meeting) agree() error {
	first := m.come[0]
	for i, q := range m.come[1:] {
		var same bool
		if first.what == send {
			same = q.elem == first.elem && q.n == first.n
		} else {
			same = q.what == first.what && q.elem == first.elem && q.n == first.n && q.root == first.root && q.op.kind == first.op.kind
		}
		if !same {
			return fmt.Errorf("%w: rank %d is in %v, rank %d in %v", ErrMismatch, m.needs[0], first, m.needs[i+1], q)
		}
	}
	return nil
}

// split implements port.
func (r *hostRank) split(q *request) (port, int, int, error) {
	queueing.Lock()
	if r.closed {
		queueing.Unlock()
		return nil, 0, 0, q.fail(ErrClosed)
	}
	p := r.calls.next(r.rank, q)
	queueing.Unlock()
	if q.ctx.Err() != nil {
		r.on.fail(fmt.Errorf("%w by rank %d: %w", ErrAborted, q.rank, context.Cause(q.ctx)))
	}
	mine, err := r.on.divide(q, p)
	if err != nil || mine == nil {
		return nil, 0, 0, err
	}
	return mine, mine.rank, mine.size, nil
}

// divide implements engine.
func (w *world) divide(q *request, p place) (*hostRank, error) {
	m, err := w.meet(context.Background(), q, p)
	if err != nil {
		return nil, err
	}
	return m.ranks[q.rank], nil
}

// divide makes the new worlds of a Split.
func (m *meeting) divide() {
	m.ranks = map[int]*hostRank{}
	colors := map[int][]*request{}
	for _, q := range m.come {
		if q.color >= 0 {
			colors[q.color] = append(colors[q.color], q)
		}
	}
	for _, list := range colors {
		slices.SortStableFunc(list, func(a, b *request) int { return cmp.Compare(a.key, b.key) })
		for i, r := range newWorld(len(list)) {
			m.ranks[list[i].rank] = r
		}
	}
}
