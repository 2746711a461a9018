package launch

import (
	"errors"
	"runtime"
	"sync"
	"time"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// An Event is a point in a stream (hipEvent_t): it can be waited for, by the
// host or by another stream, and the time between two can be asked. Make one
// with [Stream.Record], or once with [Device.NewEvent] and Record it often.
type Event struct {
	dev *Device
	drv driver.Event

	mu     sync.Mutex
	stream *Stream       // where it was last recorded
	point  *capturePoint // not nil if that was in a capture
	kept   bool          // by a graph, or one of its own kind
	opts   EventOptions
	forget runtime.Cleanup
	closed bool
}

// EventOptions choose an event's kind; the zero value is an ordinary one.
type EventOptions struct {
	// NoTiming events cost less to record, and Since of them is an error
	// (hipEventDisableTiming).
	NoTiming bool
	// Blocking has a thread that waits for the event sleep instead of asking again and again
	// (hipEventBlockingSync).
	Blocking bool
}

// NewEvent returns an event that is not recorded yet (hipEventCreateWithFlags). Of several
// options the last counts.
func (d *Device) NewEvent(options ...EventOptions) (*Event, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	if len(options) == 0 || options[len(options)-1] == (EventOptions{}) {
		return d.newEvent()
	}
	return d.newEventWith(options[len(options)-1])
}

// newEventWith makes an event of a kind of its own, which is not used again before the device
// is closed.
func (d *Device) newEventWith(o EventOptions) (*Event, error) {
	m, ok := d.drv.(driver.EventMaker)
	if !ok {
		return nil, errs.F("launch: %s has one kind of events", d.info.Name)
	}
	drv, err := m.NewEventWith(driver.EventOptions(o))
	if err != nil {
		return nil, d.vendor(err)
	}
	d.all.Lock()
	defer d.all.Unlock()
	d.all.events = append(d.all.events, drv)
	return &Event{dev: d, drv: drv, opts: o, kept: true}, nil
}

// newEvent takes a closed event, or a new one. An event that is forgotten
// counts as closed.
func (d *Device) newEvent() (*Event, error) {
	drv, err := d.takeEvent()
	if err != nil {
		return nil, d.vendor(err)
	}
	e := &Event{dev: d, drv: drv}
	e.forget = runtime.AddCleanup(e, d.giveEvent, drv)
	return e, nil
}

func (d *Device) takeEvent() (driver.Event, error) {
	d.all.Lock()
	defer d.all.Unlock()
	if n := len(d.all.spareEvents); n > 0 {
		e := d.all.spareEvents[n-1]
		d.all.spareEvents = d.all.spareEvents[:n-1]
		return e, nil
	}
	e, err := d.drv.NewEvent()
	if err == nil {
		d.all.events = append(d.all.events, e)
	}
	return e, err
}

// giveEvent keeps an event for the next one who wants one, rather than destroy
// it: another goroutine may be waiting for it this very moment.
func (d *Device) giveEvent(e driver.Event) {
	d.all.Lock()
	defer d.all.Unlock()
	d.all.spareEvents = append(d.all.spareEvents, e)
}

// usable says whether the event can be used.
func (e *Event) usable() error {
	if e == nil {
		return errors.New("launch: nil Event")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errs.F("launch: event of %s is closed", e.dev.Name())
	}
	return nil
}

// Record marks the present end of s with the event, which moves there if it
// was recorded before (hipEventRecord).
func (e *Event) Record(s *Stream) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	if err := e.usable(); err != nil {
		return err
	}
	if e.dev != s.dev {
		return errs.F("launch: event of %s recorded on a stream of %s", e.dev.Name(), s.dev.besides(e.dev))
	}
	return e.record(s)
}

func (e *Event) record(s *Stream) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return err
	}
	if s.tape != nil {
		return s.tape.record(e)
	}
	if err := s.vendor(s.drv.Record(e.drv)); err != nil {
		return err
	}
	s.seq++
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stream, e.point = s, nil
	return nil
}

// enter begins a call that needs a recorded event; where it returns nil,
// dev.leave must follow.
func (e *Event) enter() (*Stream, error) {
	if err := e.usable(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	s, point := e.stream, e.point
	e.mu.Unlock()
	if point != nil {
		return nil, errEventCaptured
	}
	if s == nil {
		return nil, errors.New("launch: the event is not recorded")
	}
	return s, e.dev.enter()
}

// Sync waits until the stream has come to the event (hipEventSynchronize) and
// returns, and so clears, the stream's error as far as it is known by then; on
// some devices that of work in the middle of a stream is known only at its end.
func (e *Event) Sync() error {
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer e.dev.leave()
	e.settle(s, e.drv.Sync())
	return s.take()
}

// settle is called when the stream has come to the event, with err.
func (e *Event) settle(s *Stream, err error) {
	if err == nil && s.poll() {
		return
	}
	s.mu.Lock()
	panics := s.settle(s.seq, false, err)
	s.mu.Unlock()
	s.tellOthers(panics)
	s.dev.prints.flush()
}

// Done reports whether the stream has come to the event, well or badly
// (hipEventQuery).
func (e *Event) Done() bool {
	s, err := e.enter()
	if err != nil {
		return true
	}
	defer e.dev.leave()
	done, err := e.drv.Done()
	if done || err != nil {
		e.settle(s, err)
		return true
	}
	return false
}

// Since is the time the device took from start to e, both of one device
// (hipEventElapsedTime). It waits for e.
func (e *Event) Since(start *Event) (time.Duration, error) {
	if _, err := e.enter(); err != nil {
		return 0, err
	}
	defer e.dev.leave()
	if err := start.usable(); err != nil {
		return 0, err
	}
	if start.dev != e.dev {
		return 0, errs.F("launch: time between an event of %s and one of %s", start.dev.Name(), e.dev.besides(start.dev))
	}
	if err := e.drv.Sync(); err != nil {
		return 0, e.dev.vendor(err)
	}
	if e.opts.NoTiming || start.opts.NoTiming {
		return 0, errs.F("launch: time between events of %s of which one was made without timing (EventOptions.NoTiming)", e.dev.Name())
	}
	t, err := e.drv.Since(start.drv)
	return t, e.dev.vendor(err)
}

// Close gives the event back (hipEventDestroy). Closing twice is fine.
func (e *Event) Close() error {
	if e == nil || e.dev.enter() != nil {
		return nil
	}
	defer e.dev.leave()
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		e.closed = true
		e.forget.Stop()
		if !e.kept { // a graph may record it still
			e.dev.giveEvent(e.drv)
		}
	}
	return nil
}
