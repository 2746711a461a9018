package ccl

import (
	"context"
	"fmt"
	"slices"
)

// A jobOp is one operation of this rank, between processes.
type jobOp struct {
	j    *job
	q    *request
	p    place
	ctx  context.Context // the stream's
	text string          // what this rank calls
	bell chan struct{}   // rung with events
	step uint32

	events []event // guarded by j.mu
	later  []event // letters of later steps
	heard  map[int]bool
	told   bool // hear has heard
}

// An event is a letter, or the end of something that was begun.
type event struct {
	from   int
	letter *letter
	done   func() // of what was begun
	err    error
}

// A bit is what goes to a rank, or comes from one.
type bit struct {
	rank int
	b    []byte
}

// A flow is a bit on its way.
type flow struct {
	bit
	at       int // bytes begun
	underway int
}

const (
	// parcel is the greatest length of a parcel, window how many of them a rank has on their way to another.
	parcel = 1 << 20
	window = 4
)

func (o *jobOp) role() role { return role{o.p, o.q.what == send} }

// needs reports whether a rank takes part.
func (o *jobOp) needs(rank int) bool {
	return rank != o.j.rank && (o.p.from < 0 || rank == o.p.from || rank == o.p.to)
}

// tell adds an event.
func (o *jobOp) tell(e event) {
	o.j.mu.Lock()
	o.events = append(o.events, e)
	o.j.mu.Unlock()
	select {
	case o.bell <- struct{}{}:
	default:
	}
}

// next waits for an event.
func (o *jobOp) next() (event, error) {
	for {
		o.j.mu.Lock()
		failed := o.j.failed
		var e event
		some := len(o.events) > 0
		if some {
			e = o.events[0]
			o.events = o.events[1:]
		}
		o.j.mu.Unlock()
		switch {
		case failed != nil:
			return e, failed
		case some:
			return e, nil
		}
		select {
		case <-o.bell:
		case <-o.j.broken:
		case <-o.ctx.Done():
			return e, o.giveUp(o.ctx)
		case <-o.q.ctx.Done():
			return e, o.giveUp(o.q.ctx)
		}
	}
}

// giveUp fails the job for a context that is done.
func (o *jobOp) giveUp(ctx context.Context) error {
	var missing []int
	for rank := range o.q.size {
		if o.needs(rank) && !o.heard[rank] && o.expects(rank) {
			missing = append(missing, rank)
		}
	}
	if missing == nil {
		o.j.fail(fmt.Errorf("%w: %w: its other ranks do not go on: %w", ErrAborted, ErrLate, context.Cause(ctx)))
	} else {
		o.j.fail(fmt.Errorf("%w: %w", ErrAborted, late(missing, context.Cause(ctx))))
	}
	return o.j.failure()
}

// expects reports whether a rank says something in this operation.
func (o *jobOp) expects(rank int) bool {
	switch o.q.what {
	case send:
		return true // that it does not receive is all that is known
	case broadcast, scatter:
		return rank == o.before() || rank == o.q.root
	case gather, reduce:
		return rank == o.before() || o.q.root == o.q.rank
	}
	return true
}

// before is the rank that tells this one what it calls, after the rank that this one tells.
func (o *jobOp) before() int { return (o.q.rank + o.q.size - 1) % o.q.size }
func (o *jobOp) after() int  { return (o.q.rank + 1) % o.q.size }

// letter begins a letter of the operation.
func (o *jobOp) letter(kind letterKind) *letter {
	l := &letter{letterHead: letterHead{Kind: kind, Job: o.j.id, Step: o.step}, text: o.text}
	l.set(o.p)
	return l
}

// exchange sends and receives bits, at most one to and one from each rank, and waits for that.
func (o *jobOp) exchange(out, in []bit) error {
	o.step++
	left := 0
	for _, b := range out {
		if len(b.b) > 0 {
			left++
			f := &flow{bit: b}
			for f.underway < window && f.at < len(f.b) {
				o.push(f, &left)
			}
		}
	}
	coming := map[int]*flow{}
	for _, b := range in {
		if len(b.b) > 0 {
			left++
			coming[b.rank] = &flow{bit: b}
		}
	}
	early := o.later
	o.later = nil
	for _, e := range early {
		if err := o.accept(e, coming, &left); err != nil {
			return err
		}
	}
	for left > 0 {
		e, err := o.next()
		if err == nil && e.letter == nil {
			if err = e.err; err == nil {
				e.done()
			} else {
				err = o.lost(e.from, err)
			}
		} else if err == nil {
			err = o.accept(e, coming, &left)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lost fails the job for an error of MPI about a rank.
func (o *jobOp) lost(rank int, err error) error {
	o.j.fail(fmt.Errorf("%w: rank %d: %w", ErrLost, rank, err))
	return o.j.failure()
}

// announce tells the next rank what this one calls, and a receiver what is sent if that is nothing.
func (o *jobOp) announce() {
	switch {
	case o.p.from < 0 && o.q.size > 1:
		o.j.w.send(o.j.world[o.after()], o.letter(tellLetter), nil, nil)
	case o.q.what == send && o.q.n == 0:
		o.j.w.send(o.j.world[o.q.root], o.letter(tellLetter), nil, nil)
	}
}

// hear waits until it is known what the rank before this one calls, or what a sender sends.
func (o *jobOp) hear() error {
	for !o.told && o.q.what != send && (o.p.from >= 0 || o.q.size > 1) {
		e, err := o.next()
		if err == nil && e.letter != nil {
			err = o.accept(e, nil, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// push sends the next part of a flow.
func (o *jobOp) push(f *flow, left *int) {
	n := min(len(f.b)-f.at, parcel)
	l := o.letter(dataLetter)
	l.Total, l.At, l.Len = uint64(len(f.b)), uint64(f.at), uint32(n)
	var b []byte
	var whole *[parcel]byte
	if len(f.b) <= bodyMax {
		l.body = slices.Clone(f.b)
	} else {
		whole = parcels.Get().(*[parcel]byte)
		b = whole[:copy(whole[:n], f.b[f.at:])]
	}
	f.at += n
	f.underway++
	o.j.w.send(o.j.world[f.rank], l, b, func(err error) {
		if whole != nil && err == nil {
			parcels.Put(whole)
		}
		o.tell(event{from: f.rank, err: err, done: func() {
			f.underway--
			switch {
			case f.at < len(f.b):
				o.push(f, left)
			case f.underway == 0:
				*left--
			}
		}})
	})
}

// accept takes a letter.
func (o *jobOp) accept(e event, coming map[int]*flow, left *int) error {
	l := e.letter
	o.heard[e.from] = true
	mismatch := func() error {
		err := fmt.Errorf("%w: rank %d is in %s, rank %d in %s", ErrMismatch, o.q.rank, o.text, e.from, l.text)
		if e.from < o.q.rank {
			err = fmt.Errorf("%w: rank %d is in %s, rank %d in %s", ErrMismatch, e.from, l.text, o.q.rank, o.text)
		}
		o.j.fail(err)
		return o.j.failure()
	}
	if !o.alike(l.text) {
		return mismatch()
	}
	o.told = o.told || l.Kind == tellLetter || o.p.from >= 0
	if l.Kind == tellLetter {
		return nil
	}
	if l.Step > o.step {
		o.later = append(o.later, e)
		return nil
	}
	f := coming[e.from]
	if f == nil || l.Step < o.step || l.Total != uint64(len(f.b)) || l.At+uint64(l.Len) > l.Total {
		return mismatch()
	}
	to := f.b[l.At:][:l.Len]
	arrived := func(b []byte) {
		copy(to, b)
		if f.at += len(b); f.at == len(f.b) {
			*left--
		}
	}
	if l.Tag == 0 {
		arrived(l.body)
		return nil
	}
	if l.Len > parcel {
		return mismatch()
	}
	whole := parcels.Get().(*[parcel]byte)
	o.j.w.receive(l, whole[:l.Len], func(err error) {
		o.tell(event{from: e.from, err: err, done: func() {
			arrived(whole[:l.Len])
			parcels.Put(whole)
		}})
	})
	return nil
}

// alike reports whether another rank's call is this one's.
func (o *jobOp) alike(text string) bool {
	mine := o.text[:min(len(o.text), textMax)]
	if o.p.from < 0 {
		return text == mine
	}
	theirs := fmt.Sprintf("Send of %d %v to rank %d", o.q.n, o.q.elem, o.q.rank)
	return text == theirs[:min(len(theirs), textMax)]
}
