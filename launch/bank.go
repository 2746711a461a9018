package launch

import (
	"sync/atomic"
	"unsafe"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file keeps the copies of constants (dsl.Constant) up to date that kernels have of their own.
// CopyToSymbol, which waits for the device, writes to all of them. What is written in the order of a
// stream, or through a Buffer, has no moment that the host knows: of such a constant, each
// launch begins with a copy.

// A copied is a kernel's own copy of a constant.
type copied struct {
	of *block
	at unsafe.Pointer
}

// copies are all that kernels on a device have of a constant.
type copies struct {
	all   map[unsafe.Pointer]bool // guarded by symbols' mu
	loose atomic.Bool             // its value may change in a stream's order
}

// bank fills the copies that a kernel has of constants, given their instances' addresses.
func (all *symbols) bank(d *Device, f driver.Function, named []abi.Symbol, at []unsafe.Pointer) (own []copied, err error) {
	var base driver.Ptr
	all.mu.Lock()
	defer all.mu.Unlock()
	for i := range named {
		n := &named[i]
		if !n.Banked {
			continue
		}
		if base == nil {
			if base, err = f.Bank(); err != nil {
				return own, err
			}
		}
		for _, b := range all.all {
			if b.base != at[i] {
				continue
			}
			c := copied{b, unsafe.Add(base, n.Offset)}
			if err := d.service.Copy(c.at, b.base, n.Size); err != nil {
				return own, err
			}
			if b.copies.all == nil {
				b.copies.all = map[unsafe.Pointer]bool{}
			}
			b.copies.all[c.at] = true
			own = append(own, c)
		}
	}
	if len(own) > 0 {
		err = d.service.Sync()
	}
	return own, err
}

// forget takes note that a kernel's copies are gone.
func (all *symbols) forget(own []copied) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, c := range own {
		delete(c.of.copies.all, c.at)
	}
}

// spread copies a constant's value to its copies.
func (all *symbols) spread(d *Device, b *block) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	all.mu.Lock()
	defer all.mu.Unlock()
	var err error
	for at := range b.copies.all {
		err = errs.Join(err, d.service.Copy(at, b.base, int(b.variable.Type.Size())))
	}
	if len(b.copies.all) > 0 {
		err = errs.Join(err, d.service.Sync())
	}
	return d.vendor(err)
}

// refresh queues copies of the constants that a kernel reads and whose values may have changed.
func (s *Stream) refresh(own []copied) error {
	for _, c := range own {
		if !c.of.copies.loose.Load() && s.tape == nil { // a graph may be launched when it is
			continue
		}
		if err := s.drv.Copy(c.at, c.of.base, int(c.of.variable.Type.Size())); err != nil {
			return err
		}
	}
	return nil
}
