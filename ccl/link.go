package ccl

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"time"
)

// This file has the connections over which the processes of a job tell what their ranks of GPUs call.

// A message is a call, or what rank 0 says of it.
type message struct {
	Comm       string `json:",omitempty"`
	Split      bool   `json:",omitempty"`
	From, To   int
	N          uint64
	Rank, Size int
	Text       string // what has to be the same
	Doing      string // what the rank calls
	Back       bool   `json:",omitempty"` // the call is taken back
	Wrong      string `json:",omitempty"` // it ends the communicator,
	Lost       bool   `json:",omitempty"` // which has lost a rank; if not, calls are not alike
	Bye        bool   `json:",omitempty"` // the last message: all ranks of the process have ended

	written chan struct{} // closed when the other process can read it, if it is not nil
}

// A link is a connection to another process's table.
type link struct {
	conn  net.Conn
	out   chan *message
	ended chan struct{} // closed when no message is written any more
}

// connect begins to hear and to tell another process.
func (t *table) connect(conn net.Conn) {
	l := &link{conn: conn, out: make(chan *message, 1024), ended: make(chan struct{})}
	t.mu.Lock()
	t.links = append(t.links, l)
	t.mu.Unlock()
	go l.write()
	go t.read(l)
}

func (l *link) write() {
	defer close(l.ended)
	for out := json.NewEncoder(l.conn); ; {
		m := <-l.out
		if out.Encode(m) != nil {
			return // the other process has ended; whoever reads sees it
		}
		if m.written != nil {
			close(m.written)
		}
		if m.Bye {
			return
		}
	}
}

// read hears what another process says. If that ends without a last word, the process has ended.
func (t *table) read(l *link) {
	who, comms := "", map[string]bool{"": true} // all ranks are in the first communicator
	for in := json.NewDecoder(l.conn); ; {
		var m message
		if err := in.Decode(&m); err != nil {
			t.lost(who, err, comms)
			return
		}
		switch {
		case m.Bye:
			return
		case m.Wrong != "":
			cause := ErrMismatch
			if m.Lost {
				cause = ErrLost
			}
			t.fail(m.Comm, &told{cause, m.Wrong})
		default:
			who, comms[m.Comm] = fmt.Sprint("rank ", m.Rank), true
			at := spot{m.Comm, place{m.Split, m.From, m.To, m.N}}
			_ = t.hear(at, m.Size, said{rank: m.Rank, text: m.Text, doing: m.Doing}, m.Back) // it has told all
		}
	}
}

// lost ends communicators because the connection to a rank's process has ended, unless all ranks here have.
func (t *table) lost(who string, err error, comms map[string]bool) {
	t.mu.Lock()
	over, zero := t.users == 0, t.zero
	t.mu.Unlock()
	if over {
		return
	}
	if who == "" {
		who = "rank 0"
		if zero {
			who = "a rank that has called nothing"
		}
	}
	for comm := range comms {
		t.fail(comm, fmt.Errorf("%w: the process of %s has ended without Close: %w", ErrLost, who, err))
	}
}

// send queues a message; where the other process does not take any, it is left out.
func (l *link) send(m *message) {
	select {
	case l.out <- m:
	default:
	}
}

// tell sends a message that must not be left out, and returns when all processes that take messages have it: this one
// may end at once.
func tell(links []*link, m message) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var all []*message
	for _, l := range links {
		one := m
		one.written = make(chan struct{})
		all = append(all, &one)
		select {
		case l.out <- &one:
		case <-l.ended:
		case <-ctx.Done():
		}
	}
	for i, l := range links {
		select {
		case <-all[i].written:
		case <-l.ended:
		case <-ctx.Done():
		}
	}
}
