package ccl

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// This file hands the ID of rank 0 to the other ranks over TCP. Rank 0 sends a greeting with a
// random number; the other rank answers with one of its own, its rank, its size, and an HMAC of all
// that by the token; rank 0 sends a verdict, a text and the ID, with an HMAC too. So each side knows that the other
// one has the token, and nothing that is heard can be used again. Rank 0 answers when all have
// come, or when it knows that they cannot.

const greeting = "heddle ccl 1\n"

type nonce [32]byte

// A hello is what a rank tells rank 0.
type hello struct {
	Rank, Size uint32
	Nonce      nonce
	MAC        [sha256.Size]byte
}

// A verdict is what rank 0 says of it.
type verdict uint8

const (
	welcome verdict = iota
	refused         // the token
	wrongSize
	duplicate
	somebodyLate
	failed
)

var verdicts = map[verdict]error{refused: ErrToken, wrongSize: ErrSize, duplicate: ErrDuplicate, somebodyLate: ErrLate}

// A reply carries the verdict.
type reply struct {
	Verdict verdict
	Text    [256]byte
	ID      ID
	MAC     [sha256.Size]byte
}

// mac is the HMAC of values.
func (p *Place) mac(who string, values ...any) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, []byte(p.Token))
	io.WriteString(h, who)
	for _, v := range values {
		binary.Write(h, binary.BigEndian, v)
	}
	h.Sum(sum[:0])
	return sum
}

// perConnection is how long a connection may take to say hello.
const perConnection = 10 * time.Second

// A guest is a rank that has said hello.
type guest struct {
	conn      net.Conn
	hello     hello
	mine      nonce
	authentic bool // it has the token
}

// serve is rank 0's part.
func (p *Place) serve(ctx context.Context, id ID) error {
	var c net.ListenConfig
	_, port, err := net.SplitHostPort(p.Address)
	if err != nil {
		return err
	}
	l, err := c.Listen(ctx, "tcp", net.JoinHostPort("", port))
	if err != nil {
		return fmt.Errorf("rank 0 cannot listen: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	guests := make(chan *guest)
	var doors sync.WaitGroup
	doors.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			doors.Go(func() {
				if g := p.receive(conn); g != nil {
					select {
					case guests <- g:
					case <-ctx.Done():
						conn.Close()
					}
				}
			})
		}
	})
	defer doors.Wait()
	defer cancel()
	defer l.Close()
	return p.collect(ctx, id, guests)
}

// receive reads a hello. A connection that says none is closed.
func (p *Place) receive(conn net.Conn) *guest {
	conn.SetDeadline(time.Now().Add(perConnection))
	g := &guest{conn: conn}
	rand.Read(g.mine[:])
	if _, err := conn.Write(append([]byte(greeting), g.mine[:]...)); err != nil || binary.Read(conn, binary.BigEndian, &g.hello) != nil {
		conn.Close()
		return nil
	}
	want := p.mac("rank", g.mine, g.hello.Nonce, g.hello.Rank, g.hello.Size)
	g.authentic = hmac.Equal(want[:], g.hello.MAC[:])
	return g
}

// collect waits for all ranks, and answers them.
func (p *Place) collect(ctx context.Context, id ID, guests chan *guest) error {
	came := map[uint32]*guest{}
	strangers := 0
	// end tells all who have come that it ends.
	end := func(v verdict, err error) error {
		for _, g := range came {
			p.answer(g, v, err.Error(), ID{})
		}
		return err
	}
	for len(came) < p.Size-1 {
		var g *guest
		select {
		case g = <-guests:
		case <-ctx.Done():
			var missing []int
			for i := 1; i < p.Size; i++ {
				if came[uint32(i)] == nil {
					missing = append(missing, i)
				}
			}
			err := late(missing, context.Cause(ctx))
			if strangers > 0 {
				err = fmt.Errorf("%w (%d connections had another token)", err, strangers)
			}
			return end(somebodyLate, err)
		}
		switch rank := g.hello.Rank; {
		case !g.authentic:
			strangers++
			p.answer(g, refused, "", ID{})
		case int64(g.hello.Size) != int64(p.Size):
			err := fmt.Errorf("%w: %d at rank %d, %d at rank 0", ErrSize, g.hello.Size, rank, p.Size)
			p.answer(g, wrongSize, err.Error(), ID{})
			return end(failed, err)
		case rank == 0 || int64(rank) >= int64(p.Size) || came[rank] != nil:
			err := fmt.Errorf("%w, %d", ErrDuplicate, rank)
			p.answer(g, duplicate, err.Error(), ID{})
			return end(failed, err)
		default:
			came[rank] = g
		}
	}
	var err error
	for rank, g := range came {
		if e := p.answer(g, welcome, "", id); e != nil {
			err = errors.Join(err, fmt.Errorf("rank %d has gone: %w", rank, e))
		} else if p.Check {
			p.keep(g.conn)
		}
	}
	return err
}

// keep keeps a connection for the comparison of calls.
func (p *Place) keep(conn net.Conn) {
	conn.SetDeadline(time.Time{})
	if p.kept == nil {
		p.kept = new(kept)
	}
	p.kept.all = append(p.kept.all, conn)
}

// answer tells a guest the verdict, and lets it go.
func (p *Place) answer(g *guest, v verdict, text string, id ID) error {
	if v != welcome || !p.Check {
		defer g.conn.Close()
	}
	r := reply{Verdict: v, ID: id}
	copy(r.Text[:], text)
	if v != refused {
		r.MAC = p.mac("rank 0", g.hello.Nonce, g.mine, r.Verdict, r.Text, r.ID)
	}
	g.conn.SetDeadline(time.Now().Add(perConnection))
	return binary.Write(g.conn, binary.BigEndian, &r)
}

// ask is another rank's part. It tries until rank 0 listens.
func (p *Place) ask(ctx context.Context) (ID, error) {
	var d net.Dialer
	for {
		conn, err := d.DialContext(ctx, "tcp", p.Address)
		if err == nil {
			return p.greet(ctx, conn)
		}
		select {
		case <-ctx.Done():
			return ID{}, fmt.Errorf("%w: rank 0 has not come to %s (%v)", late([]int{0}, context.Cause(ctx)), p.Address, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// greet says hello to rank 0, and waits for its verdict.
func (p *Place) greet(ctx context.Context, conn net.Conn) (ID, error) {
	keeps := false
	defer func() {
		if !keeps {
			conn.Close()
		}
	}()
	// A little longer than the context, for rank 0 has the same deadline and says who is late.
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Now().Add(time.Second)) })
	defer stop()
	lost := func(err error) error {
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", ErrLate, context.Cause(ctx))
		}
		return fmt.Errorf("rank 0 at %s has gone: %w", p.Address, err)
	}
	head := make([]byte, len(greeting)+len(nonce{}))
	if _, err := io.ReadFull(conn, head); err != nil {
		return ID{}, lost(err)
	}
	if string(head[:len(greeting)]) != greeting {
		return ID{}, fmt.Errorf("at %s something else listens than rank 0: it says %q", p.Address, head[:len(greeting)])
	}
	theirs := nonce(head[len(greeting):])
	h := hello{Rank: uint32(p.Rank), Size: uint32(p.Size)}
	rand.Read(h.Nonce[:])
	h.MAC = p.mac("rank", theirs, h.Nonce, h.Rank, h.Size)
	if err := binary.Write(conn, binary.BigEndian, &h); err != nil {
		return ID{}, lost(err)
	}
	var r reply
	if err := binary.Read(conn, binary.BigEndian, &r); err != nil {
		return ID{}, lost(err)
	}
	if want := p.mac("rank 0", h.Nonce, theirs, r.Verdict, r.Text, r.ID); !hmac.Equal(want[:], r.MAC[:]) {
		return ID{}, fmt.Errorf("%w at %s", ErrToken, p.Address)
	}
	if r.Verdict == welcome {
		if keeps = p.Check; keeps {
			stop()
			p.keep(conn)
		}
		return r.ID, nil
	}
	text := string(r.Text[:clen(r.Text[:])])
	if cause := verdicts[r.Verdict]; cause != nil {
		return ID{}, &told{cause, text}
	}
	return ID{}, &told{errors.New("the ranks do not meet"), text}
}

func clen(b []byte) int {
	for i, c := range b {
		if c == 0 {
			return i
		}
	}
	return len(b)
}

// told is an error that rank 0 has told.
type told struct {
	cause error
	text  string
}

func (e *told) Error() string { return "rank 0 says: " + e.text }
func (e *told) Unwrap() error { return e.cause }
