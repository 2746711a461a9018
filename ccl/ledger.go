package ccl

import (
	"sync/atomic"
	"unsafe"
)

// This file compares what the ranks of one process call. Each rank writes its calls into ledgers that only it
// writes, and then looks into its neighbours': the later of two ranks sees the other's call, and nobody waits.

// A page has some calls of a ledger. The processors that the ranks run on hand its digests to and fro, as long as
// nothing differs, and nothing else of it.
type page struct {
	digests [pageLen]atomic.Uint64 // of the calls, 0 for no call yet, and for one that was taken back
	base    uint64                 // the number of the first one
	next    atomic.Pointer[page]
	calls   [pageLen]atomic.Pointer[form] // set before the digest
	forms   [pageLen]form                 // what calls point to, as far as no call has been taken back
	used    [pageLen]bool
}

const pageLen = 16

// A ledger is where a rank writes its calls of one kind. The pages that no reader needs any more go with the last
// reference to them.
type ledger struct {
	pages   []*page // the last one, and those whose calls may be taken back
	readers []reader
}

// A reader reads what another rank writes.
type reader struct {
	rank int // that rank
	at   *page
	base uint64 // at's
}

// settle says that no call so far is taken back. Where two goroutines call for one rank, another may be taken back: it
// stays if its page is not the last one.
func (l *ledger) settle() {
	if n := len(l.pages); n > 1 {
		l.pages[0] = l.pages[n-1]
		clear(l.pages[1:])
		l.pages = l.pages[:1]
	}
}

// write stores call number n, which is the latest one that is not taken back.
func (l *ledger) write(n uint64, f form) {
	base := n / pageLen * pageLen
	i := len(l.pages) - 1
	if l.pages[i].base < base {
		p := &page{base: base}
		l.pages[i].next.Store(p)
		l.pages = append(l.pages, p)
		i++
	}
	for i > 0 && l.pages[i].base > base {
		i--
	}
	if p := l.pages[i]; p.base == base { // if not, another goroutine has called for the same rank since
		at := &p.forms[n%pageLen]
		if p.used[n%pageLen] {
			at = new(form) // others may read the one that was taken back
		}
		*at, p.used[n%pageLen] = f, true
		p.calls[n%pageLen].Store(at)
		p.digests[n%pageLen].Store(f.digest())
	}
}

// back takes call number n back, if no other goroutine has called for the same rank since.
func (l *ledger) back(n uint64) {
	for _, p := range l.pages {
		if p.base == n/pageLen*pageLen {
			p.digests[n%pageLen].Store(0)
		}
	}
}

// differs is call number n of the other rank, nil if it has not come to it, or has called what mine is the digest of. N never
// falls by more than a page.
func (r *reader) differs(n, mine uint64) *form {
	base := n / pageLen * pageLen
	for r.base < base {
		next := r.at.next.Load()
		if next == nil || next.base > base {
			return nil
		}
		r.at, r.base = next, next.base
	}
	if r.base > base {
		return nil
	}
	if d := r.at.digests[n%pageLen].Load(); d == 0 || d == mine {
		return nil
	}
	return r.at.calls[n%pageLen].Load()
}

// digest is a number that is not 0, and another one for another form.
func (f *form) digest() uint64 {
	elem := (*[2]uintptr)(unsafe.Pointer(&f.elem))[1] // the type's address
	h := uint64(f.what) | uint64(f.op)<<8 | uint64(f.root)<<16
	for _, x := range [...]uint64{uint64(f.n), uint64(elem)} {
		h = (h ^ h>>32) * 0x9e3779b97f4a7c15
		h ^= x
	}
	h = (h ^ h>>32) * 0x9e3779b97f4a7c15
	return (h ^ h>>29) | 1
}

// ledgers are those of one rank of a communicator.
type ledgers struct {
	all, splits ledger
	sent, got   []ledger // by the other rank
}

// newLedgers are those of all ranks of a communicator.
func newLedgers(size int) []ledgers {
	all := make([]ledgers, size)
	begin := func(l *ledger) { l.pages = []*page{new(page)} }
	for i := range all {
		l := &all[i]
		l.sent, l.got = make([]ledger, size), make([]ledger, size)
		begin(&l.all)
		begin(&l.splits)
		for j := range size {
			begin(&l.sent[j])
			begin(&l.got[j])
		}
	}
	reads := func(l *ledger, rank int, other *ledger) {
		l.readers = append(l.readers, reader{rank: rank, at: other.pages[0]})
	}
	for i := range all {
		l := &all[i]
		neighbours := []int{(i + 1) % size, (i + size - 1) % size} // where all are as their neighbours, all are alike
		for _, k := range neighbours[:min(2, size-1)] {
			reads(&l.all, k, &all[k].all)
			reads(&l.splits, k, &all[k].splits)
		}
		for j := range size {
			reads(&l.sent[j], j, &all[j].got[i])
			reads(&l.got[j], j, &all[j].sent[i])
		}
	}
	return all
}

// of is the ledger of a call.
func (l *ledgers) of(q *request) *ledger {
	switch q.what {
	case split:
		return &l.splits
	case send:
		return &l.sent[q.root]
	case recv:
		return &l.got[q.root]
	}
	return &l.all
}
