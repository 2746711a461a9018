package host

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
)

// TestMain checks that devices leave no goroutine behind.
func TestMain(m *testing.M) { drivertest.Main(m) }

// funcs is an engine whose kernels are functions.
type funcs struct{ stopped, closed bool }

type function struct {
	driver.Function
	run func() error
}

func (e *funcs) Load(o *abi.Object) (driver.Function, error) {
	return function{run: o.Go.(func() error)}, nil
}

func (e *funcs) Launch(f driver.Function, _ *driver.Config, _ []byte, _ []any) (Task, error) {
	return action(f.(function).run), nil
}
func (e *funcs) Stop()        { e.stopped = true }
func (e *funcs) Close() error { e.closed = true; return nil }

func open(t testing.TB, poison bool) (*device, *funcs) {
	e := new(funcs)
	return New(driver.Info{Name: "test:1", Memory: 1 << 30}, e, poison).(*device), e
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func load(d driver.Device, run func() error) driver.Function {
	return must(d.Load(&abi.Object{Go: run}))
}

func TestMemory(t *testing.T) {
	for _, poison := range []bool{true, false} {
		d, _ := open(t, poison)
		s := must(d.NewStream(driver.StreamOptions{}))
		for _, n := range []int{1, 7, 255, 256, 1000, 1 << 20, mapMin + 1} {
			p, h := must(d.Alloc(n)), must(d.AllocHost(n))
			if uintptr(p)%256 != 0 || uintptr(h)%256 != 0 {
				t.Errorf("%d bytes at %p, %p", n, p, h)
			}
			mem, pinned := unsafe.Slice((*byte)(p), n), unsafe.Slice((*byte)(h), n)
			if zero := mem[0] == 0 && mem[n-1] == 0; zero == poison {
				t.Errorf("poison %v: new memory holds %#x...%#x", poison, mem[0], mem[n-1])
			}
			sum := byte(0)
			for _, b := range unsafe.Slice((*byte)(p), n+slack)[n:] {
				sum += b // it can be read
			}
			if err := errors.Join(s.Fill(p, 7, n), s.Copy(h, p, n), s.Sync()); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(pinned, bytes.Repeat([]byte{7}, n)) {
				t.Error("fill and copy of", n, sum)
			}
			if err := errors.Join(s.Fill(p, 0, n), s.Sync()); err != nil || mem[n-1] != 0 {
				t.Error("fill with zeros", err)
			}
			if err := errors.Join(d.Free(p), d.FreeHost(h)); err != nil {
				t.Error(err)
			}
			if poison && (pinned[0] == 7 || pinned[n-1] == 7) {
				t.Error("freed memory is not poisoned")
			}
			if d.Free(p) == nil {
				t.Error("freed twice")
			}
		}
		if d.memory.used != 0 || len(d.memory.slabs) != 0 {
			t.Errorf("%d bytes left in %d allocations", d.memory.used, len(d.memory.slabs))
		}
		for _, n := range []int{0, -1, 1<<30 + 1, math.MaxInt} {
			if _, err := d.Alloc(n); err == nil || !strings.HasPrefix(err.Error(), "test: ") {
				t.Errorf("Alloc(%d): %v", n, err)
			}
		}
		must(d.Alloc(mapMin)) // left to Close
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestClose(t *testing.T) {
	d, e := open(t, false)
	s := must(d.NewStream(driver.StreamOptions{}))
	bad, n := errors.New("bad"), 0
	k := load(d, func() error { n++; time.Sleep(time.Millisecond); return bad })
	if err := errors.Join(s.Launch(k, nil, nil, nil), s.Launch(k, nil, nil, nil)); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); !errors.Is(err, bad) || n != 2 || !e.stopped || !e.closed {
		t.Error(err, n, e)
	}
	if err := s.Launch(k, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "test: the stream is closed") {
		t.Error(err)
	}
	_, e1 := d.Alloc(1)
	_, e2 := d.AllocHost(1)
	_, e3 := d.NewStream(driver.StreamOptions{})
	_, e4 := d.NewEvent()
	_, e5 := d.Load(nil)
	for i, err := range []error{e1, e2, e3, e4, e5, d.Close()} {
		if !errors.Is(err, ErrClosed) {
			t.Error(i, err)
		}
	}
}

// Work of a stream is done in order, whatever the load.
func TestOrder(t *testing.T) {
	d, _ := open(t, false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s := must(d.NewStream(driver.StreamOptions{NonBlocking: true}))
			var got []int
			for i := range 1000 {
				k := load(d, func() error { got = append(got, i); return nil })
				if err := s.Launch(k, nil, nil, nil); err != nil {
					t.Error(err)
				}
				if i%100 == 7 {
					if err := s.Sync(); err != nil || len(got) != i+1 {
						t.Error(err, len(got), i)
					}
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			for i, v := range got {
				if i != v {
					t.Fatal(i, v)
				}
			}
		})
	}
	all.Wait()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// A kernel that a Stop ends.
type stoppable struct{ told chan error }

func (k *stoppable) Stop(cause error)        { k.told <- cause }
func (k *stoppable) Running() driver.Stopped { return driver.Stopped{Kernel: "stoppable"} }
func (k *stoppable) Drop()                   {}
func (k *stoppable) Run(stop *Stop) error {
	stop.Watch(k)
	defer stop.Unwatch()
	return &driver.Stopped{Kernel: "stoppable", Cause: <-k.told}
}

// TestSyncContext has two wait for a kernel that only one of them stops: both are
// told, and what is queued behind it is dropped.
func TestSyncContext(t *testing.T) {
	d, _ := open(t, false)
	s := must(d.NewStream(driver.StreamOptions{})).(*stream)
	must(s.submit(&stoppable{make(chan error, 1)}))
	ran := false
	must(s.submit(action(func() error { ran = true; return nil })))
	e := must(d.NewEvent())
	if err := s.Record(e); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	time.AfterFunc(5*time.Millisecond, func() { cancel(enough) })
	errs := make(chan error, 2)
	go func() { errs <- s.SyncContext(t.Context()) }()
	go func() { errs <- s.SyncContext(ctx) }()
	named := 0
	for range 2 {
		var stopped *driver.Stopped
		err := <-errs
		if err == nil { // the patient one, where the other was told first
			continue
		}
		if !errors.As(err, &stopped) || !errors.Is(err, enough) {
			t.Errorf("%v, want what was stopped because of %v", err, enough)
		}
		if stopped != nil && stopped.Kernel != "" {
			named++
		}
	}
	if named != 1 || ran {
		t.Errorf("%d errors name the kernel; what was behind it ran: %v", named, ran)
	}
	if done, err := e.Done(); !done || err != nil {
		t.Error("the event behind it has not happened", err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func BenchmarkLaunchSync(b *testing.B) {
	d, _ := open(b, false)
	s := must(d.NewStream(driver.StreamOptions{}))
	k := load(d, func() error { return nil })
	b.ReportAllocs()
	for b.Loop() {
		if err := errors.Join(s.Launch(k, nil, nil, nil), s.Sync()); err != nil {
			b.Fatal(err)
		}
	}
}
