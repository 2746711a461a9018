package ccl

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// This file is the engine of devices on the host in several processes. Each rank tells the next one what it
// calls, so that ranks which call different things learn of it: of a ring of which not all are alike, two
// neighbours are not.

// A job is a communicator between processes.
type job struct {
	w      *wire
	id     uint64
	world  []int // the process of each rank
	rank   int
	broken chan struct{} // closed with failed set

	mu     sync.Mutex
	failed error
	doing  map[role]*jobOp
	early  map[role][]*letter // for operations that are not under way yet
	ended  uint64             // operations that have
	moved  chan struct{}      // closed, and made anew, when ended changes
	closed bool               // this rank has closed and its operations have ended
	gone   map[int]*counts    // what ranks that have closed had called
}

// A role is an operation as one rank has it: a Send to itself meets its Recv at one place.
type role struct {
	place
	sends bool
}

func newJob(w *wire, id uint64, world []int, rank int) *job {
	j := &job{w: w, id: id, world: world, rank: rank, broken: make(chan struct{}),
		doing: map[role]*jobOp{}, early: map[role][]*letter{}, gone: map[int]*counts{}, moved: make(chan struct{})}
	w.enter(j)
	return j
}

// mpiJoin makes the rank of a process on the host.
func mpiJoin(ctx context.Context, p *Place) (port, error) {
	w, err := beginWire(ctx, p)
	if err != nil {
		return nil, err
	}
	world := make([]int, w.size)
	for i := range world {
		world[i] = i
	}
	return newHostRank(newJob(w, 0, world, w.rank), w.rank, w.size), nil
}

// failure implements engine.
func (j *job) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failed
}

// fail implements engine: it tells the other ranks, too.
func (j *job) fail(err error) {
	if !j.failHere(err) {
		return
	}
	l := letter{letterHead: letterHead{Kind: abortLetter, Job: j.id}, text: err.Error()}
	for i, cause := range remoteCauses {
		if errors.Is(err, cause) {
			l.Causes |= 1 << i
		}
	}
	for rank, process := range j.world {
		if rank != j.rank {
			one := l
			j.w.send(process, &one, nil, nil)
		}
	}
}

// failHere fails the job in this process, and reports whether it had not failed before.
func (j *job) failHere(err error) bool {
	j.w.mu.Lock()
	j.w.broken = true
	j.w.changedLocked()
	j.w.mu.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed != nil {
		return false
	}
	j.failed = err
	close(j.broken)
	return true
}

// remoteCauses are what another rank's failure may be, by the bit of a letter.
var remoteCauses = []error{ErrAborted, ErrClosed, ErrMismatch, ErrLate, ErrLost}

// A remoteError is what another rank has said when it failed.
type remoteError struct {
	rank   int
	causes []error
	text   string
}

func (e *remoteError) Error() string   { return fmt.Sprintf("rank %d says: %s", e.rank, e.text) }
func (e *remoteError) Unwrap() []error { return e.causes }

// left implements engine.
func (j *job) left(ctx context.Context, _ int, called *counts) error {
	for rank, process := range j.world {
		if rank == j.rank {
			continue
		}
		body := binary.LittleEndian.AppendUint64(nil, called.all)
		for _, n := range []uint64{called.splits, called.sent[rank], called.got[rank]} {
			body = binary.LittleEndian.AppendUint64(body, n)
		}
		j.w.send(process, &letter{letterHead: letterHead{Kind: closeLetter, Job: j.id}, body: body}, nil, nil)
	}
	if err := j.settle(ctx, called); err != nil {
		return err
	}
	return j.w.leave(ctx)
}

// settle waits until all that this rank has called has ended, or the job has failed.
func (j *job) settle(ctx context.Context, called *counts) error {
	all := called.all + called.splits
	for _, n := range called.sent {
		all += n
	}
	for _, n := range called.got {
		all += n
	}
	for {
		j.mu.Lock()
		left, moved := all-j.ended, j.moved
		if left == 0 || j.failed != nil {
			j.closed, j.early = true, nil
			j.mu.Unlock()
			return nil
		}
		j.mu.Unlock()
		select {
		case <-moved:
		case <-j.broken:
		case <-ctx.Done():
			return fmt.Errorf("ccl: rank %d: Close: %d operations have not ended: %w", j.rank, left, context.Cause(ctx))
		}
	}
}

// take takes a letter, on the wire's thread.
func (j *job) take(l *letter) {
	from := slices.Index(j.world, int(l.Sender))
	if from < 0 {
		return // of another communicator: ours have none but the world's processes
	}
	switch l.Kind {
	case abortLetter:
		e := &remoteError{rank: from, text: l.text}
		for i, cause := range remoteCauses {
			if l.Causes&(1<<i) != 0 {
				e.causes = append(e.causes, cause)
			}
		}
		if e.causes == nil {
			e.causes = []error{ErrAborted}
		}
		j.failHere(e)
	case closeLetter:
		j.mu.Lock()
		if len(l.body) == 4*8 {
			n := func(i int) uint64 { return binary.LittleEndian.Uint64(l.body[8*i:]) }
			j.gone[from] = &counts{all: n(0), splits: n(1), sent: map[int]uint64{j.rank: n(2)}, got: map[int]uint64{j.rank: n(3)}}
		}
		err := j.lackingLocked()
		j.mu.Unlock()
		if err != nil {
			j.fail(err)
		}
	default:
		r := role{place: l.place()}
		j.mu.Lock()
		o := j.doing[r]
		if o == nil && !j.closed {
			j.early[r] = append(j.early[r], l)
		}
		j.mu.Unlock()
		if o != nil {
			o.tell(event{from: from, letter: l})
		}
	}
}

// lackingLocked is the error of an operation that needs a rank which has closed; j.mu is held.
func (j *job) lackingLocked() error {
	for _, o := range j.doing {
		for rank, c := range j.gone {
			if o.needs(rank) && !c.include(rank, o.p) {
				return fmt.Errorf("rank %d: %w", rank, ErrClosed)
			}
		}
	}
	return nil
}

// do implements engine.
func (j *job) do(ctx context.Context, q *request, p place) error {
	o, err := j.begin(ctx, q, p)
	if err == nil {
		o.announce()
		if err = o.run(); err == nil {
			err = o.hear()
		}
		j.end(o)
	}
	return q.fail(err)
}

// begin enters an operation.
func (j *job) begin(ctx context.Context, q *request, p place) (*jobOp, error) {
	o := &jobOp{j: j, q: q, p: p, ctx: ctx, text: q.String(), bell: make(chan struct{}, 1), heard: map[int]bool{}}
	j.w.wanted.Add(1)
	j.mu.Lock()
	if j.failed != nil {
		j.endedLocked()
		j.mu.Unlock()
		j.w.wanted.Add(-1)
		return nil, j.failed
	}
	r := o.role()
	j.doing[r] = o
	for _, l := range j.early[r] {
		o.events = append(o.events, event{from: slices.Index(j.world, int(l.Sender)), letter: l})
	}
	delete(j.early, r)
	err := j.lackingLocked()
	j.mu.Unlock()
	if err != nil {
		j.fail(err)
		j.end(o)
		return nil, j.failure()
	}
	return o, nil
}

func (j *job) end(o *jobOp) {
	j.mu.Lock()
	delete(j.doing, o.role())
	j.endedLocked()
	j.mu.Unlock()
	j.w.wanted.Add(-1)
}

func (j *job) endedLocked() {
	j.ended++
	close(j.moved)
	j.moved = make(chan struct{})
}

// divide implements engine.
func (j *job) divide(q *request, p place) (*hostRank, error) {
	o, err := j.begin(context.Background(), q, p)
	if err != nil {
		return nil, q.fail(err)
	}
	mine := binary.LittleEndian.AppendUint64(nil, uint64(q.color))
	mine = binary.LittleEndian.AppendUint64(mine, uint64(q.key))
	all := make([][]byte, q.size)
	var out, in []bit
	for rank := range all {
		all[rank] = mine
		if rank != q.rank {
			all[rank] = make([]byte, len(mine))
			out, in = append(out, bit{rank, mine}), append(in, bit{rank, all[rank]})
		}
	}
	o.announce()
	if err = o.exchange(out, in); err == nil {
		err = o.hear()
	}
	j.end(o)
	if err != nil {
		return nil, q.fail(err)
	}
	if q.color < 0 {
		return nil, nil
	}
	type member struct{ rank, key int }
	var members []member
	for rank, b := range all {
		if color := int(binary.LittleEndian.Uint64(b)); color == q.color {
			members = append(members, member{rank, int(binary.LittleEndian.Uint64(b[8:]))})
		}
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	var world []int
	rank := 0
	for i, m := range members {
		world = append(world, j.world[m.rank])
		if m.rank == q.rank {
			rank = i
		}
	}
	// The same on all its ranks, and of no other communicator.
	name := sha256.Sum256(fmt.Appendf(nil, "%d %d %d", j.id, p.n, q.color))
	return newHostRank(newJob(j.w, binary.LittleEndian.Uint64(name[:]), world, rank), rank, len(world)), nil
}
