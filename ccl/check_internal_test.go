package ccl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// calls are requests of two ranks of GPUs, which the table compares before a library has them.
func callOf(what what, rank, n, root int) *request {
	return &request{operation: operation{what: what, rank: rank, size: 2, n: n, root: root, op: Sum, elem: reflect.TypeFor[float32]()}}
}

// ranksOf are ranks 0 and 1 of a communicator whose table is in this process, with what aborts them.
func ranksOf(id ID, tables ...*table) (ranks []*checked, aborted chan error) {
	aborted = make(chan error, 2)
	for rank, t := range tables {
		t.come(rank)
	}
	for rank, t := range tables {
		ranks = append(ranks, newChecked(t, id, "", rank, len(tables), func(err error) { aborted <- err }))
	}
	return ranks, aborted
}

func wantMismatch(t *testing.T, err error, text string) {
	t.Helper()
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want ErrMismatch and %q", err, text)
	}
}

// A group in which both ranks call, but not alike, is a mismatch.
func TestCompareGroup(t *testing.T) {
	id := ID{9}
	r, _ := ranksOf(id, tableOf(id, 2), tableOf(id, 2))
	err := callAll([]*request{callOf(allReduce, 0, 8, 0), callOf(allReduce, 1, 9, 0)}, func(q *request) *checked { return r[q.rank] })
	wantMismatch(t, err, "rank 1 in AllReduce of 9 float32")
}

// The calls of the ranks of one process are compared.
func TestCompareHere(t *testing.T) {
	id := ID{1}
	r, aborted := ranksOf(id, tableOf(id, 2), tableOf(id, 2))
	for i, q := range []*request{
		callOf(allReduce, 0, 8, 0), callOf(allReduce, 1, 8, 0), // alike
		callOf(send, 1, 5, 0), callOf(barrier, 0, 0, 0), callOf(recv, 0, 5, 1), callOf(barrier, 1, 0, 0),
		callOf(broadcast, 0, 4, 1), callOf(broadcast, 1, 4, 1),
	} {
		if err := r[q.rank].call(q); err != nil {
			t.Errorf("call %d, %v: %v", i, q, err)
		}
	}
	// A group that has both ranks' calls is compared, too, with those before it.
	of := func(q *request) *checked { return r[q.rank] }
	for _, group := range [][]*request{
		{callOf(allGather, 0, 3, 0), callOf(allGather, 1, 3, 0)},
		{callOf(send, 0, 3, 1), callOf(recv, 1, 3, 0)},
	} {
		if err := callAll(group, of); err != nil {
			t.Errorf("a group of %v: %v", group, err)
		}
	}
	if err := r[1].call(callOf(barrier, 1, 0, 0)); err != nil {
		t.Error(err)
	}
	// Rank 1 is one call ahead: its Gather meets nobody's yet.
	if err := callAll([]*request{callOf(barrier, 0, 0, 0), callOf(gather, 1, 2, 0)}, of); err != nil {
		t.Errorf("a group whose ranks are not in step: %v", err)
	}
	if err := r[0].call(callOf(gather, 0, 2, 0)); err != nil {
		t.Error(err)
	}
	// One that could not be queued counts for nothing, whether it was the first or the last.
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		first, last := callOf(gather, order[0], 3, 0), callOf(gather, order[1], 3, 0)
		errs := []error{r[order[0]].call(first)}
		r[order[0]].back(first)
		errs = append(errs, r[order[0]].call(first), r[order[1]].call(last))
		r[order[1]].back(last)
		if err := errors.Join(append(errs, r[order[1]].call(last))...); err != nil {
			t.Error(err)
		}
	}
	if err := r[1].call(callOf(allReduce, 1, 7, 0)); err != nil {
		t.Error(err)
	}
	wantMismatch(t, r[0].call(callOf(allReduce, 0, 8, 0)), "rank 0 is in AllReduce of 8 float32, sum, rank 1 in AllReduce of 7 float32, sum")
	for range r {
		wantMismatch(t, <-aborted, "rank 0 is in")
	}
	wantMismatch(t, r[1].call(callOf(barrier, 1, 0, 0)), "rank 0 is in")
	for _, one := range r {
		one.end()
	}
	tables.Lock()
	defer tables.Unlock()
	if tables.by[id] != nil {
		t.Error("the table is kept")
	}
}

// Ranks that call at once: no call that is alike is an error, and one that is not is found, wherever it is.
func TestCompareAtOnce(t *testing.T) {
	const calls = 400
	for seed := range uint64(40) {
		size := 1 + int(seed%5)
		id := ID{8, byte(seed)}
		all := make([]*table, size)
		for i := range all {
			all[i] = tableOf(id, size)
		}
		r, _ := ranksOf(id, all...)
		odd, wrong := -1, -1 // which call of which rank is not the others'
		random := rand.New(rand.NewPCG(seed, 0))
		if seed%2 == 1 {
			odd, wrong = random.IntN(calls), random.IntN(size)
		}
		errs := make([]error, size)
		var wait sync.WaitGroup
		for rank := range size {
			wait.Go(func() { errs[rank] = callMany(r[rank], seed, calls, odd, wrong) })
		}
		wait.Wait()
		err := errors.Join(errs...)
		if odd >= 0 && size > 1 {
			wantMismatch(t, err, " in AllReduce of 10")
			if text := fmt.Sprint(err); !strings.Contains(text, fmt.Sprintf("rank %d is in ", wrong)) && !strings.Contains(text, fmt.Sprintf(", rank %d in ", wrong)) {
				t.Error(text)
			}
		} else if err != nil {
			t.Error(err)
		}
		for _, c := range r {
			for _, l := range []*ledger{&c.ledgers[c.rank].all, &c.ledgers[c.rank].sent[0]} {
				if len(l.pages) > 3 { // of a group of 30 messages
					t.Errorf("%d pages are kept", len(l.pages))
				}
			}
			c.end()
		}
	}
}

// callMany makes a rank's calls, which depend on a seed: collective operations, some of them taken back first, and groups of messages to the
// next rank and from the one before. Call number odd of rank wrong is longer.
func callMany(c *checked, seed uint64, calls, odd, wrong int) error {
	random := rand.New(rand.NewPCG(seed, 1))
	of := func(*request) *checked { return c }
	for i := range calls {
		n := 1 + random.IntN(9)
		if i == odd && c.rank == wrong {
			n += 100
		}
		group := []*request{callOf(allReduce, c.rank, n, 0)}
		messages, back := random.IntN(60)-30, random.IntN(8) == 0
		for j := range messages {
			group = append(group, callOf(send, c.rank, n+j, (c.rank+1)%c.size), callOf(recv, c.rank, n+j, (c.rank+c.size-1)%c.size))
		}
		for range 2 {
			for _, q := range group {
				q.size = c.size
			}
			if err := callAll(group, of); err != nil {
				return err
			}
			if !back {
				break
			}
			for _, q := range group {
				c.back(q)
			}
			back = false
		}
	}
	return nil
}

// Between processes rank 0 compares them.
func TestCompareAway(t *testing.T) {
	here, there := net.Pipe()
	zero, one := tableOf(ID{2}, 2), tableOf(ID{3}, 2) // two processes have one each
	zero.connect(here)
	one.connect(there)
	r, aborted := ranksOf(ID{2}, zero, one)
	for range 1000 {
		if err := errors.Join(r[0].call(callOf(allReduce, 0, 8, 0)), r[1].call(callOf(allReduce, 1, 8, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r[0].call(callOf(send, 0, 2, 1)), r[1].call(callOf(recv, 1, 3, 0))); err != nil {
		wantMismatch(t, err, "")
	}
	for range r {
		select {
		case err := <-aborted:
			wantMismatch(t, err, "rank 0 is in Send of 2 float32 to rank 1, rank 1 in Recv of 3 float32 from rank 0")
		case <-time.After(20 * time.Second):
			t.Fatal("a rank does not learn of it")
		}
	}
	zero.release(ID{2}, 1)
	one.release(ID{3}, 1)
}

// A process that ends without Close is lost to the others; one that closes is not.
func TestLost(t *testing.T) {
	for _, closes := range []bool{true, false} {
		here, there := net.Pipe()
		zero, one := tableOf(ID{5}, 2), tableOf(ID{6}, 2)
		zero.connect(here)
		one.connect(there)
		r, aborted := ranksOf(ID{5}, zero, one)
		r[1].id = ID{6}
		if err := r[1].call(callOf(barrier, 1, 0, 0)); err != nil {
			t.Fatal(err)
		}
		if closes {
			r[1].end()
			if err := r[0].call(callOf(barrier, 0, 0, 0)); err != nil {
				t.Error(err)
			}
		} else {
			for zero.calls() == 0 { // or nobody knows whose connection it is
				time.Sleep(time.Millisecond)
			}
			there.Close()
			for range r { // rank 1 does not know that it has ended
				if err := <-aborted; !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "the process of rank ") {
					t.Error(err)
				}
			}
			if err := r[0].call(callOf(barrier, 0, 0, 0)); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), "the process of rank 1 has ended without Close") {
				t.Error(err)
			}
			r[1].end()
		}
		r[0].end()
	}
}

// calls are those that wait for others.
func (t *table) calls() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.said)
}

// A comparison costs each call little.
func BenchmarkCompare(b *testing.B) {
	r, _ := ranksOf(ID{4}, tableOf(ID{4}, 2), tableOf(ID{4}, 2))
	q := []*request{callOf(allReduce, 0, 8, 0), callOf(allReduce, 1, 8, 0)}
	b.ReportAllocs()
	for b.Loop() {
		for i, one := range q {
			if err := r[i].call(one); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A batch's memory is used again only if nothing can refer to its requests any more.
func TestPile(t *testing.T) {
	queued := func(q *request, ctx context.Context, p port) *request { q.ctx, q.port = ctx, p; return q }
	late, cancel := context.WithCancel(context.Background())
	defer cancel()
	gpu := &vendorRank{}
	for _, c := range []struct {
		name string
		ctx  context.Context
		port port
		add  bool
		want bool
	}{
		{"queued", context.Background(), gpu, true, true},
		{"with a deadline to watch", late, gpu, true, false},
		{"on the host", context.Background(), &hostRank{}, true, false},
		{"given, not added", context.Background(), gpu, false, false},
	} {
		p := new(pile)
		b := &Batch{p, p.turn}
		for i := range 3 {
			q, err := b.request(&operation{})
			if err != nil {
				t.Fatal(err)
			}
			queued(q, c.ctx, c.port)
			if i > 0 || c.add {
				if err := b.add(q); err != nil {
					t.Fatal(err)
				}
			}
		}
		if p.idle() != c.want {
			t.Errorf("%s: idle is %v, want %v", c.name, p.idle(), c.want)
		}
	}
}
