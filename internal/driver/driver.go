// Package driver is the small interface between launch and a vendor: one
// folder below this one per vendor implements it. All methods are safe for
// concurrent use; all errors name the vendor's function and its error text.
package driver

import (
	"context"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/symbol"
)

// Ptr is an address in device memory. On sim and cpu it is a host address.
type Ptr = unsafe.Pointer

// Dim is the three axes of a grid or a block, each at least 1.
type Dim = [3]int

// Info is what a device says of itself. Sizes in bytes, rates in kHz.
type Info struct {
	Name     string // "cuda:0", as launch.Open takes it
	Product  string // "NVIDIA H200"
	Target   string // internal/target's name: "amdgpu", "nvptx", "cpu"; "" on sim
	Arch     string // "sm_90", "gfx942"
	WarpSize int
	// MaxThreads is threads a block; MaxBlock and MaxGrid the limit of each axis.
	MaxThreads        int
	MaxBlock, MaxGrid Dim
	GridThreads       int // of a grid along an axis, 0 for as many as its blocks have
	SharedPerBlock    int // without asking
	SharedPerBlockMax int // on request (CUDA's opt-in); at least SharedPerBlock
	ComputeUnits      int
	Memory            int64
	ClockRate         int
	WallClockRate     int    // of dsl.WallClock64, 0 if unknown
	Driver            string // version text of the vendor's driver
	// CodeObject is the AMDGPU code object version the loaded runtime takes (4 or 5).
	CodeObject int
	// HostMemory: device addresses can be read and written by the host.
	HostMemory bool
	// Alone, if not nil, is held by whoever reads memory that a kernel may be writing: the
	// kernel's code is Go's, and Go's race detector looks on.
	Alone sync.Locker
}

// A Device is one opened device.
type Device interface {
	Info() *Info
	// Alloc returns n > 0 bytes of device memory, aligned to at least 256.
	Alloc(n int) (Ptr, error)
	Free(p Ptr) error
	// AllocHost returns n bytes of page-locked host memory that the device can address.
	AllocHost(n int) (unsafe.Pointer, error)
	FreeHost(p unsafe.Pointer) error
	// Register makes memory of the host page-locked, and returns the address that the device
	// has it by. It begins and ends at multiples of symbol.Page, and stays for good.
	Register(p unsafe.Pointer, n int) (Ptr, error)
	NewStream(StreamOptions) (Stream, error)
	NewEvent() (Event, error)
	// Load makes an object launchable. Its panic sink, if any, is armed.
	Load(*abi.Object) (Function, error)
	Close() error
}

// StreamOptions choose a stream's kind.
type StreamOptions struct {
	Default     bool // the device's one default stream
	NonBlocking bool
	Priority    int // 0 normal, -1 higher
}

// Config is one launch's shape, validated by launch before it gets here.
type Config struct {
	Grid, Block Dim
	Shared      int // dynamic shared memory, bytes
	// Print takes what a kernel prints, on sim; others print into a ring (SetPrints).
	Print func(text string)
	// Symbol is the instance of a device variable, on sim; others have SetSymbols.
	Symbol func(*symbol.Variable) (unsafe.Pointer, error)
	// Cooperative: all blocks run at once, and may wait for each other.
	Cooperative bool
}

// A Stream is an ordered queue of work. Copies from and to pageable host
// memory may return before they are done; the caller keeps that memory alive.
type Stream interface {
	// Launch queues f. args is the kernel-argument block (abi.Signature), which
	// the callee copies before it returns. On sim, goArgs are the arguments
	// themselves; other drivers get nil.
	Launch(f Function, c *Config, args []byte, goArgs []any) error
	CopyIn(dst Ptr, src unsafe.Pointer, n int) error
	CopyOut(dst unsafe.Pointer, src Ptr, n int) error
	Copy(dst, src Ptr, n int) error
	Fill(dst Ptr, b byte, n int) error
	Record(Event) error
	Wait(Event) error
	Sync() error
	// SyncContext is Sync for as long as ctx lasts. Once ctx is done, what is
	// submitted by then is ended, where the device can, and the error is a
	// *Stopped.
	SyncContext(ctx context.Context) error
	// Done reports whether all submitted work has finished.
	Done() (bool, error)
	Close() error
}

// An Event is a point in a stream.
type Event interface {
	Sync() error
	// SyncContext is to Sync as a stream's is: what is ended is the stream's work
	// up to the event. It leaves that work's errors to the stream.
	SyncContext(ctx context.Context) error
	Done() (bool, error)
	// Since is the device time from start to this event, both recorded and finished.
	Since(start Event) (time.Duration, error)
	Close() error
}

// A Function is a loaded kernel.
type Function interface {
	// Object is what was loaded, its Res completed with what the driver knows.
	Object() *abi.Object
	// TakePanic returns the record of a panic since the last call and re-arms the
	// sink; nil if there was none. Call it when a launch is known to have ended.
	// It costs one load of host memory where nothing happened.
	TakePanic() *abi.PanicRecord
	// SetPrints says where the kernel prints to, before its first launch. Ring is the
	// host's address, as AllocHost returned it. Only for objects with Prints.
	SetPrints(s abi.PrintSink) error
	// SetSymbols says where the device variables are that the object names (Symbols), before
	// its first launch.
	SetSymbols(at []Ptr) error
	// Bank is where the kernel's own copies of constants are (abi.BankSymbol).
	Bank() (Ptr, error)
	// Resident is how many blocks of a launch's shape the device runs at once.
	Resident(c *Config) (int, error)
	Close() error
}

// Error is a failed call of a vendor's library.
type Error struct {
	Call string // "cuLaunchKernel"
	Code int
	Text string // "CUDA_ERROR_INVALID_VALUE: invalid argument"
	// Lost: the process has lost the device's context, and every later call fails.
	Lost bool
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Call, e.Text, e.Code) }

// A Stopped is the error of work that was ended before it was done, or that is
// waited for no longer.
type Stopped struct {
	Kernel string // what ran, "" if that is not known
	// File is where in the source the thread was, "" if that is not known.
	File          string
	Line, Col     int
	Block, Thread Dim
	// Running: the work could not be ended and goes on.
	Running bool
	Cause   error // why
}

func (e *Stopped) Error() string {
	what := "was stopped"
	if e.Running {
		what = "is still running"
	}
	at := ""
	if e.File != "" {
		at = fmt.Sprintf("%s:%d: ", e.File, e.Line)
	}
	return fmt.Sprintf("%skernel %s %s: %v", at, e.Kernel, what, e.Cause)
}

func (e *Stopped) Unwrap() error { return e.Cause }

// A Vendor finds and opens the devices of one kind.
type Vendor interface {
	// Name is the prefix of its device names: "cuda".
	Name() string
	// Probe looks for the vendor's library and devices without failing: found
	// says what is there in one line, missing what is not and the fix.
	Probe() Probe
	// Open opens a device by what follows the colon ("" is the first).
	Open(id string) (Device, error)
}

// A Probe is what a vendor found on this machine.
type Probe struct {
	Library string // path of what was loaded, "" if nothing
	Version string
	Devices []Info
	Problem string // one line, "" if all is well
	Fix     string // what to do about it: one command where there is one
}

// SimPanic is the error a simulated launch fails with: the sim driver's
// counterpart of PanicRecord. Value is what the kernel's goroutine panicked with.
type SimPanic struct {
	Kernel        string
	File          string
	Line          int
	Calls         []abi.Place // that led there, innermost first, without columns
	Block, Thread Dim
	Value         any
	Shared        bool // the block has shared memory
	NoShared      bool // the kernel uses dynamic shared memory, and the launch gave it none
}

func (e *SimPanic) Error() string {
	return fmt.Sprintf("%s:%d: kernel %s: panic: %v (block %v, thread %v)", e.File, e.Line, e.Kernel, e.Value, e.Block, e.Thread)
}
