package launch

import (
	"context"
	"slices"
	"sync"
	"unsafe"
	"weak"

	"heddle/internal/errs"
)

// This file tells device memory from the host's by its address, and copies
// between the two and between devices.

// opened are the devices that are open: an address is looked for in all of them.
var opened struct {
	sync.Mutex
	devices []weak.Pointer[Device]
}

func (d *Device) register() {
	opened.Lock()
	defer opened.Unlock()
	opened.devices = slices.DeleteFunc(opened.devices, func(w weak.Pointer[Device]) bool { return w.Value() == nil })
	opened.devices = append(opened.devices, weak.Make(d))
}

func (d *Device) unregister() {
	opened.Lock()
	defer opened.Unlock()
	opened.devices = slices.DeleteFunc(opened.devices, func(w weak.Pointer[Device]) bool { return w.Value() == d })
}

// memoryOf returns the device and the block that an address lies in, nil for
// memory of the host.
func memoryOf(p unsafe.Pointer) (*Device, *block) { return memoryAt(uintptr(p)) }

// memoryAt is memoryOf for an address that may have been one of Go's heap.
func memoryAt(p uintptr) (*Device, *block) {
	if p == 0 {
		return nil, nil
	}
	opened.Lock()
	defer opened.Unlock()
	for _, w := range opened.devices {
		if d := w.Value(); d != nil {
			if b := d.mem.at(p); b != nil && b.covers(p, 1) {
				return d, b
			}
		}
	}
	return nil, nil
}

// holds reports whether the n bytes at p lie in the block.
func (b *block) holds(p unsafe.Pointer, n int) bool { return b.covers(uintptr(p), n) }

func (b *block) covers(p uintptr, n int) bool {
	at := p - uintptr(b.base)
	return at <= uintptr(b.size) && uintptr(n) <= uintptr(b.size)-at
}

// An operand is the other side of a copy from or to a buffer: memory of the host
// (dev is nil), or of a device, whose memory stays until leave.
type operand struct {
	dev *Device
	b   *block
	at  unsafe.Pointer
	// host: it is memory that the host reads and writes itself.
	host bool
}

// operandOf says whose memory the elements of v are, one at least. Where it is a
// device's, it waits for the work with it and returns the errors of that.
func operandOf(ctx context.Context, call string, v values) (operand, error) {
	d, b := memoryOf(v.at)
	if d == nil {
		return operand{}, nil
	}
	if !b.holds(v.at, v.size()) {
		return operand{}, errs.F("launch: %s: %d elements of device memory reach past the end of a %v", call, v.len, b)
	}
	if err := d.enter(); err != nil {
		return operand{}, err
	}
	if !b.pin() {
		d.leave()
		return operand{}, errs.F("launch: %s: %v is closed", call, b)
	}
	o := operand{d, b, v.at, b.host != nil}
	if err := d.waitFor(ctx, b); err != nil {
		o.leave()
		return operand{}, err
	}
	return o, nil
}

func (o operand) leave() {
	if o.dev != nil {
		o.dev.unpin(o.b)
		o.dev.leave()
	}
}

// copy copies within the operand's device, and waits for that.
func (o operand) copy(dst, src unsafe.Pointer, n int) error {
	if dst == src {
		return nil
	}
	if overlap(dst, src, n) {
		return errs.F("launch: copying within a %v: the two parts overlap", o.b)
	}
	err := o.dev.service.Copy(dst, src, n)
	if err == nil {
		err = o.dev.service.Sync()
	}
	return o.dev.vendor(err)
}

// put copies values of the host to the operand if the device may hold them.
func (o operand) put(v values) error {
	if err := v.check(o.dev); err != nil {
		return err
	}
	err := o.dev.service.CopyIn(o.at, v.at, v.size())
	if err == nil {
		err = o.dev.service.Sync()
	}
	return o.dev.vendor(err)
}

// staged is a copy in host memory of v, which is the operand.
func (o operand) staged(v values) (values, error) {
	host := v.fresh()
	err := o.dev.service.CopyOut(host.at, o.at, host.size())
	if err == nil {
		err = o.dev.service.Sync()
	}
	return host, o.dev.vendor(err)
}

// ofDevice reports whether the n bytes at p are memory of the stream's device,
// and makes the stream's next piece of work a user of them; s.mu is held. Memory
// of another device is an error.
func (s *Stream) ofDevice(call string, p unsafe.Pointer, n int) (bool, error) {
	d, b := memoryOf(p)
	switch {
	case d == nil:
		return false, nil
	case b.host != nil: // the library knows it as the host's
		return false, s.useHosted(call, d, b, p, n)
	case d != s.dev:
		return false, errs.F("launch: %s: the memory given is of %s, the stream on %s; Upload and Download copy between devices",
			call, d.Name(), s.dev.besides(d))
	case !b.holds(p, n):
		return false, errs.F("launch: %s: %d bytes of device memory reach past the end of a %v", call, n, b)
	case !b.note(s, s.seq+1):
		return false, errs.F("launch: %s: %v is closed", call, b)
	}
	return true, nil
}

// useHosted makes the stream's next piece of work a user of pinned memory of d; s.mu is held.
func (s *Stream) useHosted(call string, d *Device, b *block, p unsafe.Pointer, n int) error {
	if !b.holds(p, n) {
		return errs.F("launch: %s: %d bytes reach past the end of a %v", call, n, b)
	}
	if d != s.dev {
		d.mem.shared()
	}
	if !b.note(s, s.seq+1) {
		return errs.F("launch: %s: %v is closed", call, b)
	}
	return nil
}

// copy queues a copy within the device; s.mu is held.
func (s *Stream) copy(call string, dst, src unsafe.Pointer, n int) error {
	if overlap(dst, src, n) {
		return errs.F("launch: %s: the two overlap within a %v", call, s.dev.mem.find(src))
	}
	return s.vendor(s.drv.Copy(dst, src, n))
}

// overlap reports whether the n bytes at p and at q have some in common.
func overlap(p, q unsafe.Pointer, n int) bool {
	gap := uintptr(p) - uintptr(q)
	return gap < uintptr(n) || -gap < uintptr(n)
}
