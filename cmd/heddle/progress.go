package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long work may take before a terminal shows how far it is.
const patience = 2 * time.Second

// A progress shows on a terminal how far some work is. Elsewhere, and where the
// work is done soon, nothing is shown.
type progress struct {
	what  string
	total int // 0 if it is not known
	count atomic.Int64
	stop  chan struct{}
	ended sync.WaitGroup
}

// progress begins some work; end must follow. What the command prints meanwhile
// has to wait for it.
func (c *call) progress(what string, total int) *progress {
	p := &progress{what: what, total: total, stop: make(chan struct{})}
	if isTerminal(c.stderr) {
		p.ended.Go(func() { p.show(c.stderr, patience, time.Second/4) })
	}
	return p
}

// step counts one of the total.
func (p *progress) step() { p.count.Add(1) }

func (p *progress) end() {
	close(p.stop)
	p.ended.Wait()
}

// show writes a line over and over, after a time, and erases it in the end.
func (p *progress) show(w io.Writer, after, every time.Duration) {
	start := time.Now()
	wait, shown := after, false
	const erase = "\r\x1b[K"
	for {
		select {
		case <-p.stop:
			if shown {
				io.WriteString(w, erase)
			}
			return
		case <-time.After(wait):
			wait, shown = every, true
		}
		count := ""
		if p.total > 0 {
			count = fmt.Sprintf(" %d of %d,", p.count.Load(), p.total)
		}
		fmt.Fprintf(w, "%s%s:%s %s", erase, p.what, count, time.Since(start).Round(time.Second/10))
	}
}

// isTerminal reports whether people see at once what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0 && st.Mode()&os.ModeDevice != 0 && f.Name() != os.DevNull
}
