// Package inside is what package launch does for package kernel and for heddle's tools and
// shows nobody else. Package launch sets the functions when it is initialised, as package
// log does for log/slog. It cannot be imported here, so its types are any: a device is a
// *launch.Device, a stream a *launch.Stream.
package inside

import (
	"context"
	"errors"
	"reflect"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/typed"
)

// A Func is a kernel loaded on a device, a Plan how its arguments become its argument
// block. A plan is made once and serves any number of launches at once.
type (
	Func any
	Plan any
)

// What package launch sets.
var (
	// Driver is what the driver says of a device.
	Driver func(device any) *driver.Info
	// Load loads an object on a device. It stays until nothing refers to the Func any more,
	// or the device is closed.
	Load func(device any, obj *abi.Object) (Func, error)
	// Pending is a kernel of which only the condition is known yet: launches of which that holds are ErrPending.
	Pending func(device any, obj *abi.Object) Func
	// NewPlan makes the plan of a kernel whose explicit parameters have the types in. A
	// signature that does not fit them is an error.
	NewPlan func(sig *abi.Signature, in []reflect.Type) (Plan, error)
	// SignatureOf lays out parameters of the types in, called names (nil: p1, p2, ...),
	// for a kernel that no compiler has looked at: on the simulator.
	SignatureOf func(in []reflect.Type, names []string) (*abi.Signature, error)
	// Resident is how many blocks of a launch's shape, a *launch.Config, run at once.
	Resident func(f Func, cfg unsafe.Pointer) (int, error)
	// Compiled says that the program carries kernels compiled for this machine's processor,
	// or, with a problem, why those that it carries cannot be used.
	Compiled func(problem error)
	// Enqueue is Launch, without the caller's memory being seen to stay the caller's.
	Enqueue func(ctx context.Context, stream any, f Func, p Plan, cfg unsafe.Pointer, args []any, captures []unsafe.Pointer) error
	// EnqueueWords is LaunchWords, without the stream's failure.
	EnqueueWords func(stream any, f Func, p Plan, cfg unsafe.Pointer, frame *typed.Frame, w typed.Words, captures []unsafe.Pointer) error
	// Packed is what the stream's latest launch would have passed, or the one of which Enqueue said ErrGeneral or ErrPending.
	Packed func(stream any) *abi.Launch
	// Foreign is Stream.Foreign of several streams at once. F is called with all of them locked, in this
	// order, and with the device of the first current.
	Foreign func(all []Work, f func() error) error
	// Fail makes an error the stream's.
	Fail func(stream any, err error)
)

// ErrGeneral is the error of a launch of which the condition of the kernel's code does not hold: nothing was queued, and the general
// code is what to launch.
var ErrGeneral = errors.New("launch: these arguments are for the kernel's general code")

// ErrPending is the error of a launch of which the condition holds, of code that is not there yet: nothing was queued.
var ErrPending = errors.New("launch: the kernel's code is not compiled yet")

// A Work is what another library queues on a stream, a *launch.Stream, and the buffers that it uses.
// Foreign sets Handle, the stream's.
type Work struct {
	Stream any
	Uses   []any
	Handle uintptr
}

// Launch queues f on a stream; it is what package kernel's Launch comes down to. The plan
// packs args, what the user passed, and captures, the addresses of the captured variables
// in the order of the signature's (none where f is a Go function whose source is not
// known). cfg points to a launch.Config. Everything is checked, in this order: stream,
// shape, arguments; an error names f and has queued nothing. Where the launch waits, as on
// the simulator for a closure, it does so as long as ctx lasts. On the warm path it
// allocates nothing, and nothing that it gets escapes.
func Launch(ctx context.Context, stream any, f Func, p Plan, cfg unsafe.Pointer, args []any, captures []unsafe.Pointer) error {
	a, c := (*[]any)(Hide(unsafe.Pointer(&args))), (*[]unsafe.Pointer)(Hide(unsafe.Pointer(&captures)))
	return Enqueue(ctx, stream, f, p, Hide(cfg), *a, *c)
}

// LaunchWords is Launch for arguments that are in the registers and on the stack of a call of
// the kernel's own type.
func LaunchWords(stream any, f Func, p Plan, cfg unsafe.Pointer, frame *typed.Frame, w typed.Words, captures []unsafe.Pointer) error {
	c := (*[]unsafe.Pointer)(Hide(unsafe.Pointer(&captures)))
	return EnqueueWords(stream, f, p, Hide(cfg), frame, w, *c)
}

// Hide returns p in a way that the compiler does not follow, so that it does not move what
// p points to to the heap. The result must not be kept beyond the call of whoever passed p.
// It is a pointer all the while, so a stack that grows takes it along.
//
//go:nosplit
func Hide(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}
