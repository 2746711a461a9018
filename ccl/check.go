package ccl

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// This file compares what the ranks of GPUs call: NCCL and RCCL hang, or write rubbish, where the calls are not alike. The ranks
// of one process have ledgers (ledger.go). Between processes, if HEDDLE_CCL_CHECK asks for it, each rank tells rank 0 of
// each call over the connection by which they met (link.go), and waits for nothing.

// A spot is where the calls of ranks in several processes meet.
type spot struct {
	comm string // "" and, of a Split, the number and the color of each
	place
}

// A said is what a rank has told.
type said struct {
	rank        int
	left        int // ranks that have yet to call
	text, doing string
}

// A form is what of a request has to be the same on all ranks.
type form struct {
	what what
	elem reflect.Type
	op   opKind
	n    int
	root int // 0 for a message, whose ranks are the spot's
}

func (o *operation) form() form {
	c := form{o.what, o.elem, o.op.kind, o.n, o.root}
	if o.what == send || o.what == recv {
		c.what, c.root = send, 0
	}
	return c
}

// A table is where the calls of ranks are compared.
type table struct {
	mu    sync.Mutex
	said  map[spot]said
	comms map[string]*shared // by name
	links []*link            // to the other processes: at rank 0 all, elsewhere rank 0
	zero  bool               // rank 0 is here
	size  int
	here  int // ranks that have come here
	users int // and those of Splits, that have not ended
}

// A shared is what the ranks here of one communicator have in common.
type shared struct {
	aborts  map[int]func(error) // by rank; guarded by the table's mu
	failed  atomic.Pointer[error]
	ledgers []ledgers // of all ranks, if all are in this process
}

// of is what the ranks here of a communicator have in common; t.mu is held.
func (t *table) of(comm string) *shared {
	s := t.comms[comm]
	if s == nil {
		s = &shared{aborts: map[int]func(error){}}
		t.comms[comm] = s
	}
	return s
}

// err is why the communicator has failed.
func (s *shared) err() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// tables are those of this process.
var tables = struct {
	sync.Mutex
	by map[ID]*table
}{by: map[ID]*table{}}

// tableOf is the table of the communicator of an ID.
func tableOf(id ID, size int) *table {
	tables.Lock()
	defer tables.Unlock()
	t := tables.by[id]
	if t == nil {
		t = &table{said: map[spot]said{}, comms: map[string]*shared{}, size: size}
		tables.by[id] = t
	}
	return t
}

// come says that a rank is in this process.
func (t *table) come(rank int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.here++
	t.zero = t.zero || rank == 0
}

// release takes users away, and forgets a table that has none.
func (t *table) release(id ID, users int) {
	tables.Lock()
	t.mu.Lock()
	var links []*link
	if t.users -= users; t.users == 0 {
		delete(tables.by, id)
		links = t.links
	}
	t.mu.Unlock()
	tables.Unlock()
	tell(links, message{Bye: true})
	for _, l := range links {
		l.conn.Close()
	}
}

// A checked is a rank that uses a table.
type checked struct {
	*table
	*shared
	id         ID
	comm       string
	rank, size int
	alone      bool // all ranks are in this process

	calling sync.Mutex // guards the counts and the rank's own ledgers
	calls   counts
}

func newChecked(t *table, id ID, comm string, rank, size int, abort func(error)) *checked {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.of(comm)
	s.aborts[rank] = abort
	alone := t.links == nil && t.here == t.size // all come before any of them is made
	if alone && s.ledgers == nil {
		s.ledgers = newLedgers(size)
	}
	t.users++
	return &checked{table: t, shared: s, id: id, comm: comm, rank: rank, size: size, alone: alone, calls: newCounts()}
}

// end says that the rank calls nothing any more.
func (c *checked) end() {
	c.mu.Lock()
	delete(c.aborts, c.rank)
	c.mu.Unlock()
	c.release(c.id, 1)
}

// call compares a request with what other ranks have called. An error has ended the communicator.
func (c *checked) call(q *request) error {
	c.calling.Lock()
	p := c.next(q)
	if !c.alone {
		c.calling.Unlock()
		return c.tell(q, p, false)
	}
	other, rank := c.write(q, p)
	c.calling.Unlock()
	return c.compare(q, p, other, rank)
}

// next is where the next call of the rank meets the others'; c.calling is held. What it has called before is not taken back.
func (c *checked) next(q *request) place {
	if c.alone {
		c.ledgers[c.rank].of(q).settle()
	}
	return c.calls.next(c.rank, q)
}

// callAll is call for the requests of one group. Where they are one operation, called by all ranks alike, that is
// all there is to compare.
func callAll(all []*request, of func(*request) *checked) error {
	first := of(all[0])
	whole := len(all) == first.size && first.alone
	for _, q := range all {
		whole = whole && q.what != send && q.what != recv && of(q).shared == first.shared && q.form() == all[0].form()
	}
	if !whole {
		for _, q := range all {
			if err := of(q).call(q); err != nil {
				return q.fail(err)
			}
		}
		return nil
	}
	var room [8]place
	places := room[:0]
	for i, q := range all {
		c := of(q)
		c.calling.Lock()
		places = append(places, c.next(q))
		c.calling.Unlock()
		whole = whole && places[i] == places[0]
	}
	if whole && first.err() == nil {
		return nil
	}
	for i, q := range all {
		c := of(q)
		c.calling.Lock()
		other, rank := c.write(q, places[i])
		c.calling.Unlock()
		if err := c.compare(q, places[i], other, rank); err != nil {
			return q.fail(err)
		}
	}
	return nil
}

// back takes the latest call back, which could not be queued.
func (c *checked) back(q *request) {
	c.calling.Lock()
	p := c.calls.back(c.rank, q)
	if c.alone {
		c.ledgers[c.rank].of(q).back(p.n)
	}
	c.calling.Unlock()
	if !c.alone {
		_ = c.tell(q, p, true) // it finds nothing
	}
}

// write writes a call into the rank's ledger, and returns another rank's that differs, nil if there is none;
// c.calling is held. All ranks are in this process.
func (c *checked) write(q *request, p place) (other *form, rank int) {
	mine := q.form()
	l := c.ledgers[c.rank].of(q)
	l.write(p.n, mine)
	digest := mine.digest()
	for i := range l.readers {
		r := &l.readers[i]
		if f := r.differs(p.n, digest); f != nil && *f != mine {
			other, rank = f, r.rank
		}
	}
	return other, rank
}

// compare is the error of a call whose ledger another rank's call differs from, if any does.
func (c *checked) compare(q *request, p place, other *form, rank int) error {
	if err := c.err(); err != nil || other == nil {
		return err
	}
	at := spot{c.comm, p}
	return c.differ(c.comm, said{rank: c.rank, doing: q.String()}, said{rank: rank, doing: other.describe(at, rank)})
}

// tell has rank 0 compare a call; if it is here, the result is what it finds.
func (c *checked) tell(q *request, p place, back bool) error {
	c.mu.Lock()
	links, zero := c.links, c.zero
	c.mu.Unlock()
	switch err := c.err(); {
	case err != nil:
		return err
	case links == nil:
	case zero:
		return c.hear(spot{c.comm, p}, c.size, said{rank: c.rank, text: q.common(), doing: q.String()}, back)
	default:
		links[0].send(&message{Comm: c.comm, Split: p.split, From: p.from, To: p.to, N: p.n, Rank: c.rank, Size: c.size, Back: back,
			Text: q.common(), Doing: q.String()})
	}
	return nil
}

// splits is the name of the communicator that a Split has made, which is the same on all its ranks.
func (c *checked) splits(color int) string {
	c.calling.Lock()
	defer c.calling.Unlock()
	return fmt.Sprintf("%s/%d.%d", c.comm, c.calls.splits, color)
}

// common is what the request and those that it meets have in common: Recv has what its Send has.
func (q *request) common() string {
	if q.what == recv {
		return fmt.Sprintf("Send of %d %v to rank %d", q.n, q.elem, q.rank)
	}
	return q.String()
}

// hear takes what a rank of a communicator of some size calls.
func (t *table) hear(at spot, size int, mine said, back bool) error {
	all := size
	if at.from >= 0 {
		all = 2
	}
	t.mu.Lock()
	if err := t.of(at.comm).err(); err != nil {
		t.mu.Unlock()
		return err
	}
	first, ok := t.said[at]
	if !ok {
		first = mine
		if first.left = all; back { // it was the last one
			first.left = 0
		}
	}
	first.left--
	if back {
		first.left += 2
	}
	if first.left == 0 || first.left == all {
		delete(t.said, at)
	} else {
		t.said[at] = first
	}
	t.mu.Unlock()
	if back || first.text == mine.text {
		return nil
	}
	return t.differ(at.comm, first, mine)
}

// differ ends a communicator because two ranks do not call the same.
func (t *table) differ(comm string, a, b said) error {
	if a.rank > b.rank {
		a, b = b, a
	}
	err := fmt.Errorf("%w: rank %d is in %s, rank %d in %s", ErrMismatch, a.rank, a.doing, b.rank, b.doing)
	t.fail(comm, err)
	return err
}

// describe says what a rank has called.
func (c form) describe(at spot, rank int) string {
	q := operation{what: c.what, elem: c.elem, op: Op{kind: c.op}, n: c.n, root: c.root}
	switch {
	case c.what == send && rank == at.from:
		q.root = at.to
	case c.what == send:
		q.what, q.root = recv, at.from
	}
	return q.String()
}

// fail aborts the ranks here, and those of other processes.
func (t *table) fail(comm string, err error) {
	t.mu.Lock()
	s := t.of(comm)
	if s.err() != nil {
		t.mu.Unlock()
		return
	}
	s.failed.Store(&err)
	aborts := slices.Collect(maps.Values(s.aborts))
	links := slices.Clone(t.links)
	t.mu.Unlock()
	tell(links, message{Comm: comm, Wrong: err.Error(), Lost: errors.Is(err, ErrLost)})
	for _, f := range aborts {
		go f(err) // it may wait for a call that has brought us here
	}
}

// errCheckFile: a file hands nothing over later.
var errCheckFile = errors.New("HEDDLE_CCL_CHECK needs ranks that meet over TCP, and HEDDLE_CCL_FILE is set")
