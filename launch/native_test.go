package launch_test

import (
	"errors"
	"strings"
	"testing"

	"heddle/launch"
)

// On devices of the host there are no handles, and on GPUs all of them.
func TestNative(t *testing.T) {
	for _, i := range launch.Devices() {
		t.Run(i.Name, func(t *testing.T) {
			dev, err := launch.Open(i.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			s, err := dev.NewStream()
			if err != nil {
				t.Fatal(err)
			}
			e, err := s.Record()
			if err != nil {
				t.Fatal(err)
			}
			b, err := launch.Upload(dev, []int32{1, 2, 3})
			if err != nil {
				t.Fatal(err)
			}
			if b.Pointer() == nil || b.Slice(1, 2).Pointer() == b.Pointer() {
				t.Error("no address of a buffer, or one of all its parts")
			}
			n, err := dev.Native()
			stream, err2 := s.Native()
			event, err3 := e.Native()
			if kind, _, _ := strings.Cut(i.Name, ":"); kind == "cuda" || kind == "hip" {
				if err := errors.Join(err, err2, err3); err != nil || n.Kind != kind || stream == 0 || event == 0 || (n.Context != 0) != (kind == "cuda") {
					t.Errorf("%+v, stream %x, event %x, %v", n, stream, event, err)
				}
				called := false
				if err := s.Foreign(func(h uintptr) error { called = h == stream; return nil }, b); err != nil || !called {
					t.Errorf("called with the stream: %v, %v", called, err)
				}
			} else {
				for _, err := range []error{err, err2, err3, s.Foreign(func(uintptr) error { return nil }, b)} {
					if err == nil || !strings.Contains(err.Error(), " on "+i.Name+": it has no handles") {
						t.Errorf("%v", err)
					}
				}
			}
			failed := errors.New("failed")
			if err := dev.Do(func() error { return failed }); err != failed {
				t.Errorf("%v of Do", err)
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if b.Pointer() != nil {
				t.Error("a closed buffer has an address")
			}
		})
	}
}

func TestLimits(t *testing.T) {
	for _, i := range launch.Devices() {
		dev, err := launch.Open(i.Name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := dev.Limit(launch.LimitStack)
		if kind, _, _ := strings.Cut(i.Name, ":"); kind == "cuda" || kind == "hip" {
			if err != nil || n == 0 {
				t.Errorf("%s: stack of %d, %v", i.Name, n, err)
			}
			if err := dev.SetLimit(launch.LimitStack, 2*n); err != nil {
				t.Errorf("%s: %v", i.Name, err)
			}
			if m, err := dev.Limit(launch.LimitStack); err != nil || m < 2*n {
				t.Errorf("%s: a stack of %d, set to %d, %v", i.Name, m, 2*n, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), i.Name+" has no limit for the stack of a thread") {
			t.Errorf("%v", err)
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}
