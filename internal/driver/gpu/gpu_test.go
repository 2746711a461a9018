package gpu

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// null is a library all of whose functions are C's labs: they take a number
// and, where it is 0, say that all is well. It shows what a call costs on Go's
// side without any GPU.
func null() *Spec {
	s := &Spec{Vendor: "null", Libraries: []string{"libno-such-library.so", "libc.so.6"}}
	for c := range s.Symbols {
		s.Symbols[c] = "labs"
	}
	return s
}

func nullDevice(t testing.TB) *Device {
	l, err := open(null())
	if err != nil {
		t.Skip(err)
	}
	return &Device{lib: l, spec: l.spec, current: []uintptr{0}, info: driver.Info{Name: "null:0"}}
}

func nullLaunch(t testing.TB) func() {
	d := nullDevice(t)
	s, err := d.newStream(driver.StreamOptions{Default: true})
	if err != nil {
		t.Fatal(err)
	}
	f := &Function{dev: d, obj: &abi.Object{}}
	c := &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{1, 1, 1}}
	args := make([]byte, 64)
	return func() {
		if err := s.Launch(f, c, args, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLaunchAllocs(t *testing.T) {
	if n := testing.AllocsPerRun(100, nullLaunch(t)); n != 0 {
		t.Errorf("a launch allocates %v times", n)
	}
}

func BenchmarkNullLaunch(b *testing.B) {
	launch := nullLaunch(b)
	b.ReportAllocs()
	for b.Loop() {
		launch()
	}
}

func TestResults(t *testing.T) {
	d := nullDevice(t)
	if err := d.do(StreamSync, 0); err != nil {
		t.Error(err)
	}
	for code, lost := range map[int]bool{1: false, 700: true, 719: true} {
		var e *driver.Error
		err := d.do(StreamSync, uintptr(code))
		if !errors.As(err, &e) || e.Code != code || e.Lost != lost || e.Call != "labs" {
			t.Errorf("result %d: %#v", code, err)
		}
	}
	if done, err := d.ask(StreamQuery, codeNotReady); done || err != nil {
		t.Errorf("not ready: %v, %v", done, err)
	}
}

func TestMissing(t *testing.T) {
	s := null()
	s.Libraries = []string{"libno-such-library.so", "/no/such/place*/lib.so"}
	s.MissingFix = "find it"
	v := New(s)
	if p := v.Probe(); p.Library != "" || !strings.Contains(p.Problem, "libno-such-library.so") || p.Fix != "find it" {
		t.Errorf("%+v", p)
	}
	if _, err := v.Open(""); err == nil || !strings.Contains(err.Error(), "find it") {
		t.Errorf("Open: %v", err)
	}
	s = null()
	s.Symbols[LaunchKernel] = "no_such_function"
	if p := New(s).Probe(); !strings.Contains(p.Problem, "lacks no_such_function") {
		t.Errorf("%+v", p)
	}
}

// TestAwait waits for work that ends, and for work that does not.
func TestAwait(t *testing.T) {
	asked := 0
	done := func() (bool, error) { asked++; return asked == 5, nil }
	failed := errors.New("failed")
	if err := await(t.Context(), func() error { return failed }, done); err != failed || asked != 5 {
		t.Errorf("%v after %d questions", err, asked)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
	defer cancel()
	err := await(ctx, func() error { t.Error("waited for what does not end"); return nil }, func() (bool, error) { return false, nil })
	var stopped *driver.Stopped
	if !errors.As(err, &stopped) || !stopped.Running || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want work that is still running", err)
	}
}
