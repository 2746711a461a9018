package sim

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// device implements driver.Device.
type device struct {
	info         driver.Info
	memory, host heap

	// mu orders what is submitted to different streams, and guards:
	mu      sync.Mutex
	streams []*stream // the open ones
	null    *stream   // the default stream, if open
	closed  bool
}

func newDevice(i driver.Info) *device {
	return &device{
		info:   i,
		memory: heap{what: "device memory", limit: i.Memory},
		host:   heap{what: "page-locked host memory", limit: i.Memory},
	}
}

var errClosed = errors.New("sim: the device is closed")

// Info implements driver.Device.
func (d *device) Info() *driver.Info { return &d.info }

// Alloc implements driver.Device.
func (d *device) Alloc(n int) (driver.Ptr, error) {
	if d.isClosed() {
		return nil, errClosed
	}
	return d.memory.alloc(n)
}

// Free implements driver.Device. Like hipFree it waits for the work under way,
// which may use the memory.
func (d *device) Free(p driver.Ptr) error {
	d.wait()
	return d.memory.free(p)
}

// AllocHost implements driver.Device.
func (d *device) AllocHost(n int) (unsafe.Pointer, error) {
	if d.isClosed() {
		return nil, errClosed
	}
	return d.host.alloc(n)
}

// FreeHost implements driver.Device. It waits as Free does.
func (d *device) FreeHost(p unsafe.Pointer) error {
	d.wait()
	return d.host.free(p)
}

// Load implements driver.Device.
func (d *device) Load(o *abi.Object) (driver.Function, error) {
	if d.isClosed() {
		return nil, errClosed
	}
	fn := reflect.ValueOf(o.Go)
	if o.Kind != abi.GoFunc || fn.Kind() != reflect.Func || fn.IsNil() {
		return nil, fmt.Errorf("sim: kernel %s: the simulator runs Go functions, this is %s code (%T)", o.Name, o.Kind, o.Go)
	}
	if fn.Type().NumOut() > 0 || fn.Type().IsVariadic() {
		return nil, fmt.Errorf("sim: kernel %s: %v has results or a variable number of parameters", o.Name, fn.Type())
	}
	return &function{dev: d, object: o, fn: fn}, nil
}

// Sync implements driver.Device.
func (d *device) Sync() error {
	d.wait()
	var all []error
	for _, s := range d.open() {
		all = append(all, s.takeError())
	}
	return errors.Join(all...)
}

// Close implements driver.Device. It waits for the work under way.
func (d *device) Close() error {
	d.mu.Lock()
	closed := d.closed
	d.closed = true
	d.mu.Unlock()
	if closed {
		return errClosed
	}
	var all []error
	for _, s := range d.open() {
		all = append(all, s.Close())
	}
	return errors.Join(all...)
}

func (d *device) isClosed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closed
}

// open returns the open streams.
func (d *device) open() []*stream {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]*stream(nil), d.streams...)
}

// wait returns when all that was submitted before has finished.
func (d *device) wait() {
	for _, s := range d.open() {
		s.tail().wait()
	}
}

// function implements driver.Function.
type function struct {
	dev    *device
	object *abi.Object
	fn     reflect.Value
}

// Object implements driver.Function.
func (f *function) Object() *abi.Object { return f.object }

// TakePanic implements driver.Function: a panic is the stream's error here.
func (f *function) TakePanic() *abi.PanicRecord { return nil }

// Close implements driver.Function.
func (f *function) Close() error { return nil }

// bind checks args against the function's parameters and returns a call of it.
func (f *function) bind(args []any) (func(), error) {
	t := f.fn.Type()
	if len(args) != t.NumIn() {
		return nil, fmt.Errorf("sim: kernel %s: %d arguments for %d parameters", f.object.Name, len(args), t.NumIn())
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		if in[i] = reflect.ValueOf(a); a == nil {
			in[i] = reflect.Zero(t.In(i))
		}
		if !in[i].Type().AssignableTo(t.In(i)) {
			return nil, fmt.Errorf("sim: kernel %s: argument %d is %T, want %v", f.object.Name, i, a, t.In(i))
		}
	}
	return caller(f.fn, in), nil
}
