package host

import (
	"sync"
	"time"

	"heddle/internal/driver"
)

// event implements driver.Event.
type event struct {
	dev      *device
	mu       sync.Mutex
	at       mark      // where it was recorded last
	time     time.Time // when the stream got there
	recorded bool
}

// NewEvent implements driver.Device.
func (d *device) NewEvent() (driver.Event, error) {
	if d.isClosed() {
		return nil, d.errClosed()
	}
	return &event{dev: d}, nil
}

// Record implements driver.Stream.
func (s *stream) Record(e driver.Event) error {
	ev, ok := e.(*event)
	if !ok {
		return s.dev.errorf("event of another kind of device (%T)", e)
	}
	ev.mu.Lock()
	defer ev.mu.Unlock()
	t := &stamp{ev: ev}
	at, err := s.submit(t)
	if err == nil {
		t.at = at
		ev.at, ev.recorded = at, true
	}
	return err
}

// A stamp is the task that notes when the stream has come to an event. It runs also
// where the work before it was told to end.
type stamp struct {
	ev *event
	at mark // written under the event's lock, before the task can have it
}

// Run implements Task.
func (t *stamp) Run(*Stop) error {
	now := time.Now()
	t.ev.mu.Lock()
	defer t.ev.mu.Unlock()
	if t.ev.at == t.at { // not recorded anew since
		t.ev.time = now
	}
	return nil
}

// Drop implements Task.
func (t *stamp) Drop() {}

// Wait implements driver.Stream. An event that was never recorded holds nothing up.
func (s *stream) Wait(e driver.Event) error {
	ev, ok := e.(*event)
	if !ok {
		return s.dev.errorf("event of another kind of device (%T)", e)
	}
	_, err := s.submit(action(func() error { return nil }), ev.mark())
	return err
}

func (e *event) mark() mark {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

// Sync implements driver.Event.
func (e *event) Sync() error {
	e.mark().wait()
	return nil
}

// Done implements driver.Event.
func (e *event) Done() (bool, error) { return e.mark().passed(), nil }

// Since implements driver.Event.
func (e *event) Since(start driver.Event) (time.Duration, error) {
	s, ok := start.(*event)
	if !ok {
		return 0, e.dev.errorf("event of another kind of device (%T)", start)
	}
	from, err := s.when()
	if err != nil {
		return 0, err
	}
	to, err := e.when()
	return to.Sub(from), err
}

// when returns the time of the event's last record.
func (e *event) when() (time.Time, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !e.recorded:
		return time.Time{}, e.dev.errorf("the event was never recorded")
	case !e.at.passed():
		return time.Time{}, e.dev.errorf("the event has not happened yet")
	}
	return e.time, nil
}

// Close implements driver.Event.
func (e *event) Close() error { return nil }
