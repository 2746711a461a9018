package launch

import (
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A Limit is one of a device that a program can set (hipLimit_t). They are of the whole
// device, for kernels of other libraries too: heddle's own print into a buffer of their own
// and have no heap.
type Limit int

const (
	LimitStack     Limit = iota // bytes of stack a thread has (hipLimitStackSize)
	LimitPrintFIFO              // bytes that C's printf keeps (hipLimitPrintfFifoSize)
	LimitHeap                   // bytes of C's malloc on the device (hipLimitMallocHeapSize)
	limits
)

// String is the limit in words.
func (l Limit) String() string {
	if l < 0 || l >= limits {
		return "unknown limit"
	}
	return [limits]string{"stack of a thread", "buffer of printf", "heap of the device"}[l]
}

// Limit asks for a limit, in bytes (hipDeviceGetLimit). Devices that run on the host have none,
// and not all of HIP's have all: that is an error.
func (d *Device) Limit(l Limit) (bytes int, err error) {
	err = d.limited(l, func(drv driver.Limited) error {
		bytes, err = drv.Limit(int(l))
		return err
	})
	return bytes, err
}

// SetLimit sets a limit, in bytes (hipDeviceSetLimit); the device may round it. CUDA takes
// that of printf and of the heap only before the first kernel that uses them.
func (d *Device) SetLimit(l Limit, bytes int) error {
	if bytes < 0 {
		return errs.F("launch: SetLimit: the %v is %d bytes; it is at least 0", l, bytes)
	}
	return d.limited(l, func(drv driver.Limited) error { return drv.SetLimit(int(l), bytes) })
}

func (d *Device) limited(l Limit, do func(driver.Limited) error) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if l < 0 || l >= limits {
		return errs.F("launch: there is no limit %d: want LimitStack, LimitPrintFIFO or LimitHeap", int(l))
	}
	drv, ok := d.drv.(driver.Limited)
	if !ok {
		return errs.F("launch: %s has no limit for the %v: it is a device on the host", d.info.Name, l)
	}
	return d.vendor(do(drv))
}
