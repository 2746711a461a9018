package driver

import "heddle/internal/abi"

// FunctionAttributes are what a device says of a loaded kernel beside its abi.Resources.
type FunctionAttributes struct {
	Res abi.Resources
	// Constant is bytes of constant memory; PTX and Binary are versions, 90 of 9.0; CacheAll
	// says that global loads are kept in the first level's cache. 0 where a device has none.
	Constant, PTX, Binary int
	CacheAll              bool
	// Carveout is the preferred part of shared memory in percent, -1 for the driver's choice.
	Carveout int
}

// A Measured is a Function that tells more of itself.
type Measured interface {
	Attributes() (*FunctionAttributes, error)
	// Occupancy is how many blocks of threads threads and with shared bytes of dynamic shared
	// memory one compute unit holds at once.
	Occupancy(threads, shared int) (int, error)
	// PreferShared asks for a part, in percent, of the memory that is both a unit's first
	// level cache and its shared memory; -1 leaves it to the driver. A hint.
	PreferShared(percent int) error
}

// A Limited is a Device that has limits which can be set: their numbers are CUDA's and HIP's.
type Limited interface {
	Limit(number int) (int, error)
	SetLimit(number, value int) error
}

// A Handled is a Device, a Stream or an Event of a vendor's library, which tells its handle.
type Handled interface {
	Handle() uintptr
}

// A Current is a Device of a library that keeps a current device or context for each thread.
type Current interface {
	Handled
	// Context is the device's context, 0 where the library has none.
	Context() uintptr
	// Locked calls f on a thread of its own on which the device is current.
	Locked(f func() error) error
}
