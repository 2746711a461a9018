package ccl

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// This file hands the ID of rank 0 to the other ranks through files. Rank 0 writes a call with a
// random number; each other rank answers it in a file of its own; when all have, rank 0 writes
// the ID, with the numbers that it answers to. So what an earlier job has left is known for that.

// A call is what rank 0 writes to the file.
type call struct {
	Nonce  nonce
	Size   int
	Ended  bool          // ID or Error is set
	ID     []byte        `json:",omitempty"`
	To     map[int]nonce `json:",omitempty"` // of each rank
	Error  string        `json:",omitempty"`
	Reason verdict       `json:",omitempty"`
}

// An answer is what another rank writes to its file.
type answer struct {
	To, Nonce nonce
	Size      int
}

func (p *Place) answerFile(rank int) string { return fmt.Sprintf("%s.%d", p.File, rank) }

// exchangeFile is exchange through the file.
func (p *Place) exchangeFile(ctx context.Context, id ID) (ID, error) {
	if p.Rank == 0 {
		return id, p.callAll(ctx, id)
	}
	return p.answerCall(ctx)
}

// callAll is rank 0's part.
func (p *Place) callAll(ctx context.Context, id ID) error {
	c := call{Size: p.Size}
	rand.Read(c.Nonce[:])
	if err := writeJSON(p.File, &c); err != nil {
		return err
	}
	end := func(v verdict, err error) error {
		c.Ended, c.Reason, c.Error = true, v, err.Error()
		return errors.Join(err, writeJSON(p.File, &c))
	}
	c.To = map[int]nonce{}
	for {
		var missing []int
		for rank := 1; rank < p.Size; rank++ {
			var a answer
			if readJSON(p.answerFile(rank), &a) != nil || a.To != c.Nonce {
				missing = append(missing, rank)
				continue
			}
			c.To[rank] = a.Nonce
			if a.Size != p.Size {
				return end(wrongSize, fmt.Errorf("%w: %d at rank %d, %d at rank 0", ErrSize, a.Size, rank, p.Size))
			}
		}
		if missing == nil {
			c.Ended, c.ID = true, id[:]
			return writeJSON(p.File, &c)
		}
		if err := pause(ctx); err != nil {
			return end(somebodyLate, late(missing, err))
		}
	}
}

// answerCall is another rank's part.
func (p *Place) answerCall(ctx context.Context) (ID, error) {
	var a answer
	rand.Read(a.Nonce[:])
	for extra := 0; ; {
		var c call
		if err := readJSON(p.File, &c); err == nil {
			switch {
			case !c.Ended && a.To != c.Nonce:
				a.To, a.Size = c.Nonce, p.Size
				if p.Rank >= c.Size {
					return ID{}, fmt.Errorf("%w: %d here, %d at rank 0", ErrSize, p.Size, c.Size)
				}
				if err := writeJSON(p.answerFile(p.Rank), &a); err != nil {
					return ID{}, err
				}
			case c.Ended && a.To == c.Nonce && c.Error != "":
				return ID{}, &told{verdicts[c.Reason], c.Error}
			case c.Ended && a.To == c.Nonce && c.To[p.Rank] != a.Nonce:
				return ID{}, fmt.Errorf("%w, %d", ErrDuplicate, p.Rank)
			case c.Ended && a.To == c.Nonce && len(c.ID) != len(ID{}):
				return ID{}, fmt.Errorf("%s holds an ID of %d bytes, want %d: are all ranks of one version of heddle?", p.File, len(c.ID), len(ID{}))
			case c.Ended && a.To == c.Nonce:
				return ID(c.ID), os.Remove(p.answerFile(p.Rank))
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return ID{}, err
		}
		// A little longer than the context, for rank 0 says who is late.
		if err := pause(ctx); err != nil {
			if extra++; extra > 50 {
				return ID{}, fmt.Errorf("%w: %w", ErrLate, err)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// pause waits a little; the error is the context's.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(20 * time.Millisecond):
		return nil
	}
}

// writeJSON writes a file that others see whole or not at all.
func writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".ccl-*") // for the user only
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func readJSON(name string, v any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
