package ccl

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Batch is what one call of [Group] collects.
type Batch struct {
	pile *pile
	turn uint64 // the pile's
}

// A pile is the requests of a batch. It is used again for another batch.
type pile struct {
	mu    sync.Mutex
	turn  uint64 // how many batches have used it
	all   []*request
	given int // requests that request has returned
	// The memory of all and of the requests, if they are few.
	list [4]*request
	room [2]request
}

// piles are the ones that no batch uses. All their fields are zero, except turn.
var piles = sync.Pool{New: func() any { return new(pile) }}

// Group calls f, and then queues all operations of ranks in its batch at once ([Comm.In];
// ncclGroupStart, ncclGroupEnd). So ranks send to each other, and one goroutine drives several
// ranks. Where f returns an error, nothing is queued.
//
//	err := ccl.Group(func(b *ccl.Batch) error {
//		return errors.Join(ccl.Send(c.In(b), s, right, out), ccl.Recv(c.In(b), s, left, in))
//	})
//
// The operations of a batch do not wait for each other: none may read what another one writes.
func Group(f func(b *Batch) error) error {
	if f == nil {
		return errors.New("ccl: Group of a nil func")
	}
	p := piles.Get().(*pile)
	p.all = p.list[:0]
	err := f(&Batch{p, p.turn})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn++
	if err != nil || len(p.all) == 0 {
		return err
	}
	if err := queueAll(p.all); err != nil {
		return err
	}
	if p.idle() {
		p.clear()
		piles.Put(p)
	}
	return nil
}

// queueAll queues a batch's requests, those of each family at once.
func queueAll(all []*request) (err error) {
	first := all[0].port
	if family := first.family(); !slices.ContainsFunc(all, func(q *request) bool { return q.port.family() != family }) {
		return first.queue(all)
	}
	families := map[any][]*request{}
	var order []any
	for _, q := range all {
		k := q.port.family()
		if families[k] == nil {
			order = append(order, k)
		}
		families[k] = append(families[k], q)
	}
	for _, k := range order {
		err = errors.Join(err, families[k][0].port.queue(families[k]))
	}
	return err
}

// idle reports whether nothing refers to the requests. A goroutine that f has left behind may be about to add one: then
// fewer are in the batch than were given.
func (p *pile) idle() bool {
	return p.given == len(p.all) && !slices.ContainsFunc(p.all, func(q *request) bool { return q.port.keeps(q) })
}

func (p *pile) clear() {
	clear(p.room[:])
	clear(p.list[:])
	p.all, p.given = nil, 0
}

// In is the same rank, whose operations the batch collects.
func (c *Comm) In(b *Batch) *Comm {
	d := *c
	d.batch = b
	return &d
}

// request is memory for a request.
func (b *Batch) request(o *operation) (*request, error) {
	p := b.pile
	if p == nil {
		return nil, fmt.Errorf("ccl: %s: its Batch is not of a Group", whatNames[o.what])
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.turn != p.turn {
		return nil, b.ended(o)
	}
	p.given++
	if p.given > len(p.room) {
		return new(request), nil
	}
	return &p.room[p.given-1], nil
}

func (b *Batch) add(q *request) error {
	p := b.pile
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.turn != p.turn {
		return b.ended(&q.operation)
	}
	p.all = append(p.all, q)
	return nil
}

// ended is the error of a call that comes too late.
func (b *Batch) ended(o *operation) error {
	return fmt.Errorf("ccl: %s: its Group has ended", whatNames[o.what])
}
