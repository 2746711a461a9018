package gpu

import (
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/driver"
	"heddle/internal/lazy"
)

// The libraries call a C function with a pointer. A process can make few of those from Go
// functions, so there is one for all: the pointer is a number, of a function in a table.

// hostCall is the C function.
var hostCall = lazy.Value[uintptr]{Make: func() uintptr {
	return purego.NewCallback(func(number uintptr) uintptr {
		hostCalls.call(number)
		return 0
	})
}}

// hostCalls are the functions that the libraries may call.
var hostCalls hostTable

type hostTable struct {
	mu   sync.Mutex
	all  map[uintptr]*hostFunc
	last uintptr
}

// A hostFunc is called once for each time that it was queued.
type hostFunc struct {
	f      func()
	queued int
	open   bool // it may be queued again
}

// add gives a function its number.
func (t *hostTable) add(f *hostFunc) uintptr {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[uintptr]*hostFunc{}
	}
	t.last++
	t.all[t.last] = f
	return t.last
}

func (t *hostTable) call(number uintptr) {
	t.mu.Lock()
	f := t.all[number]
	t.mu.Unlock()
	if f == nil {
		return
	}
	f.f()
	t.change(number, func(f *hostFunc) { f.queued-- })
}

// change changes a function's entry, and forgets it where nothing will call it.
func (t *hostTable) change(number uintptr, do func(*hostFunc)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.all[number]
	if f == nil {
		return
	}
	if do(f); !f.open && f.queued <= 0 {
		delete(t.all, number)
	}
}

// Call implements driver.Caller (cuLaunchHostFunc, hipLaunchHostFunc).
func (s *Stream) Call(f func()) error {
	number := hostCalls.add(&hostFunc{f: f, queued: 1})
	err := s.dev.callBoth("LaunchHostFunc", s.handle, hostCall.Get(), number)
	if err != nil {
		hostCalls.change(number, func(f *hostFunc) { f.queued-- })
	}
	return err
}

// Priorities implements driver.Prioritized.
func (d *Device) Priorities() (least, greatest int, err error) {
	name := []string{"cuCtxGetStreamPriorityRange", "hipDeviceGetStreamPriorityRange"}
	both := new([2]int32)
	err = d.Named(name, uintptr(unsafe.Pointer(&both[0])), uintptr(unsafe.Pointer(&both[1])))
	return int(both[0]), int(both[1]), err
}

// NewEventWith implements driver.EventMaker.
func (d *Device) NewEventWith(o driver.EventOptions) (driver.Event, error) {
	const blocking, noTiming = 1, 2
	flags := uintptr(0)
	if o.Blocking {
		flags |= blocking
	}
	if o.NoTiming {
		flags |= noTiming
	}
	out := new(uintptr)
	if err := d.do(EventCreate, uintptr(unsafe.Pointer(out)), flags); err != nil {
		return nil, err
	}
	return &Event{d, *out}, nil
}
