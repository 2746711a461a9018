package ccl

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"heddle/launch"
)

// Alloc returns a Buffer of n elements, all zero, in memory that the library knows to be for operations of c: it may leave out
// copies of its own (ncclMemAlloc, ncclCommRegister). All ranks had better use such memory. It is for this
// communicator: close it before c. On the host, and with a library that has no such functions, it is [launch.Alloc].
func Alloc[T any](c *Comm, n int) (*launch.Buffer[T], error) {
	if c == nil {
		return nil, errors.New("ccl: Alloc: nil Comm")
	}
	if err := c.port.err(); err != nil {
		return nil, err
	}
	one := int(unsafe.Sizeof(*new(T)))
	own, ok := c.port.(interface {
		alloc(n int) (p unsafe.Pointer, free func() error, err error)
	})
	if !ok || n <= 0 || one == 0 || n > math.MaxInt/one {
		return launch.Alloc[T](c.dev, n) // or says what is wrong
	}
	p, free, err := own.alloc(n * one)
	if err != nil {
		return nil, fmt.Errorf("ccl: Alloc of %d elements on %v: %w", n, c, err)
	}
	if p == nil {
		return launch.Alloc[T](c.dev, n)
	}
	b, err := launch.Wrap[T](c.dev, p, n, free)
	if err != nil {
		return nil, errors.Join(err, free())
	}
	if err := b.Clear(c.dev.Stream()); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, c.dev.Stream().Sync()
}

// alloc is memory that is registered; p is nil where the library has none.
func (r *vendorRank) alloc(n int) (p unsafe.Pointer, free func() error, err error) {
	for _, f := range []function{ncclMemAlloc, ncclMemFree, ncclCommRegister, ncclCommDeregister} {
		if r.lib.at[f] == 0 {
			return nil, nil, nil
		}
	}
	out := new([2]uintptr) // the address, and the handle of the registration
	comm := r.comm.Load()
	if comm == 0 {
		return nil, nil, ErrClosed
	}
	err = r.dev.Do(func() error {
		if err := r.lib.call(ncclMemAlloc, uintptr(unsafe.Pointer(&out[0])), uintptr(n)); err != nil {
			return err
		}
		err := r.lib.call(ncclCommRegister, comm, out[0], uintptr(n), uintptr(unsafe.Pointer(&out[1])))
		if err != nil {
			return errors.Join(err, r.lib.call(ncclMemFree, out[0]))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	free = func() error {
		// Not in Do: Device.Close, which has waited for all work, may be what frees the memory.
		var err error
		if r.comm.Load() == comm {
			err = r.lib.call(ncclCommDeregister, comm, out[1])
		}
		return errors.Join(err, r.lib.call(ncclMemFree, out[0]))
	}
	return *(*unsafe.Pointer)(unsafe.Pointer(&out[0])), free, nil
}
