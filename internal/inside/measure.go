package inside

import (
	"unsafe"

	"heddle/internal/driver"
)

// A Measurer is what a Func also is, for package kernel's questions. It is not among the
// functions that package launch sets, so that programs which do not ask do not link it.
type Measurer interface {
	// Measure is what the device says of the kernel, with how many threads a block of it may
	// have, and how much dynamic shared memory.
	Measure() (a *driver.FunctionAttributes, maxThreads, maxShared int, err error)
	// Occupancy is how many blocks of a launch's shape, a *launch.Config, a unit holds, and
	// how many threads of any kernel.
	Occupancy(cfg unsafe.Pointer) (blocks, threads int, err error)
	// PreferShared is driver.Measured's.
	PreferShared(percent int) error
}
