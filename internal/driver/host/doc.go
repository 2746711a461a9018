// Package host is what the devices that run on the host have in common: a
// driver adds how a kernel gets ready and runs (an Engine), and has the rest of
// driver.Device from here.
//
// A stream is a queue that a goroutine works through while there is something
// in it: launches and copies return at once, and streams are ordered as in HIP,
// by events and by the default stream. An idle device has no goroutine.
//
// A call that cannot work (an address outside every allocation) fails at once
// and queues nothing. Work that fails later leaves its error with its stream,
// which works on; Stream.Sync and Device.Sync return the first such error and
// forget it.
package host

import (
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
)

// An Engine loads and runs kernels.
type Engine interface {
	// Load makes an object launchable.
	Load(*abi.Object) (driver.Function, error)
	// Launch checks a launch and returns what the stream does when it comes to it.
	Launch(f driver.Function, c *driver.Config, args []byte, goArgs []any) (Task, error)
	// Stop is told that the device is being closed: kernels may end early, and
	// those that have not begun need not run. Tasks still come to their Run.
	Stop()
	// Close ends the engine, after the last task.
	Close() error
}

// A Watcher is an Engine that is told what happens to the device's memory by
// other ways than kernels. Copied and Written come when the stream has done it.
type Watcher interface {
	// Allocated says that n bytes at p are memory of the device; pinned, that the
	// host reads and writes them itself.
	Allocated(p unsafe.Pointer, n int, pinned bool) error
	Freed(p unsafe.Pointer) error
	Written(p unsafe.Pointer, n int)
	Copied(dst, src unsafe.Pointer, n int)
}

// watch is the engine as a Watcher, one that does nothing if it is none.
func watch(e Engine) Watcher {
	if w, ok := e.(Watcher); ok {
		return w
	}
	return blind{}
}

type blind struct{}

func (blind) Allocated(unsafe.Pointer, int, bool) error  { return nil }
func (blind) Freed(unsafe.Pointer) error                 { return nil }
func (blind) Written(unsafe.Pointer, int)                {}
func (blind) Copied(unsafe.Pointer, unsafe.Pointer, int) {}

// A Task is one piece of work of a stream. It has either Run called once or Drop.
type Task interface {
	// Run does the work. What takes long watches stop.
	Run(stop *Stop) error
	Drop() // the stream did not take it, or was told to end before its turn
}

// action is a Task that is a function.
type action func() error

func (a action) Run(*Stop) error { return a() }

func (a action) Drop() {}
