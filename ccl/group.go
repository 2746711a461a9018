package ccl

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Batch is what one call of [Group] collects.
type Batch struct {
	mu   sync.Mutex
	all  []*request
	end  bool
	room [4]*request // of most batches
}

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
	b := new(Batch)
	b.all = b.room[:0]
	err := f(b)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end = true
	if err != nil {
		return err
	}
	if len(b.all) == 0 {
		return nil
	}
	first := b.all[0].port
	if family := first.family(); !slices.ContainsFunc(b.all, func(q *request) bool { return q.port.family() != family }) {
		return first.queue(b.all)
	}
	families := map[any][]*request{}
	var order []any
	for _, q := range b.all {
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

// In is the same rank, whose operations the batch collects.
func (c *Comm) In(b *Batch) *Comm {
	d := *c
	d.batch = b
	return &d
}

func (b *Batch) add(q *request) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.end {
		return fmt.Errorf("ccl: %v: its Group has ended", q)
	}
	b.all = append(b.all, q)
	return nil
}
