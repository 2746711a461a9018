package main

import (
	"bytes"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"
)

// A shared buffer is one that two goroutines use.
type sharedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *sharedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *sharedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestProgress(t *testing.T) {
	p := &progress{what: "compiling kernels", total: 3, stop: make(chan struct{})}
	var out sharedBuffer
	p.ended.Go(func() { p.show(&out, time.Millisecond, time.Millisecond) })
	p.step()
	p.step()
	want := regexp.MustCompile(`compiling kernels: 2 of 3, [0-9.]+m?s`)
	for deadline := time.Now().Add(5 * time.Minute); !want.MatchString(out.String()); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%q", out.String())
		}
	}
	p.end()
	if s := out.String(); !regexp.MustCompile("\\r\x1b\\[K$").MatchString(s) {
		t.Errorf("the line is not erased: %q", s)
	}
	// what is done soon shows nothing
	p = &progress{what: "x", stop: make(chan struct{})}
	var none sharedBuffer
	p.ended.Go(func() { p.show(&none, time.Hour, time.Hour) })
	p.end()
	if none.String() != "" {
		t.Errorf("%q", none.String())
	}
}

func TestIsTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	check(t, err)
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	check(t, err)
	defer file.Close()
	if isTerminal(null) || isTerminal(file) || isTerminal(new(bytes.Buffer)) {
		t.Error("a file, or no file, is taken for a terminal")
	}
}
