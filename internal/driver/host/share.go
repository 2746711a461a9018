package host

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file is memory that the device shares with the host and with other devices.

// OnHost says that the device's memory is the host's: other devices copy from it and to it so.
func (d *device) OnHost() bool { return true }

// AllocPinned implements driver.HostMemory.
func (d *device) AllocPinned(n int, _ driver.HostOptions) (unsafe.Pointer, driver.Ptr, error) {
	p, err := d.AllocHost(n)
	return p, p, err
}

// Lock implements driver.HostMemory.
func (d *device) Lock(p unsafe.Pointer, n int) (driver.Ptr, error) { return d.Register(p, n) }

// Unlock implements driver.HostMemory.
func (d *device) Unlock(p unsafe.Pointer) error {
	d.sharing.RLock()
	defer d.sharing.RUnlock()
	if err := d.memory.check(p); err != nil {
		return err
	}
	err := d.freed(p)
	d.memory.unregister(p)
	return err
}

// Adopt implements driver.HostMemory.
func (d *device) Adopt(p driver.Ptr, n int) error {
	_, err := d.Register(p, n)
	return err
}

// Disown implements driver.HostMemory.
func (d *device) Disown(p driver.Ptr) error { return d.Unlock(p) }

// unregister removes memory that is not the heap's own.
func (h *heap) unregister(p unsafe.Pointer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, ok := h.search(uintptr(p)); ok {
		h.slabs = slices.Delete(h.slabs, i, i+1)
	}
}

// AllocManaged implements driver.ManagedAllocator: all memory is the host's.
func (d *device) AllocManaged(n int) (driver.Ptr, error) { return d.AllocHost(n) }

// FreeManaged implements driver.ManagedAllocator.
func (d *device) FreeManaged(p driver.Ptr) error { return d.FreeHost(p) }

// Advise implements driver.ManagedAllocator: the memory moves nowhere.
func (d *device) Advise(p driver.Ptr, n int, _ driver.Advice, _ driver.Device) error {
	_, err := d.view(p, n)
	return err
}

// Prefetch implements driver.Prefetcher.
func (s *stream) Prefetch(p driver.Ptr, n int, _ bool) error {
	if _, err := s.dev.view(p, n); err != nil {
		return err
	}
	_, err := s.submit(action(func() error { return nil }))
	return err
}

// MemoryInfo implements driver.MemoryInfo.
func (d *device) MemoryInfo() (free, total int64, err error) {
	d.memory.mu.Lock()
	defer d.memory.mu.Unlock()
	return d.memory.limit - d.memory.used, d.memory.limit, nil
}

// span is how many bytes lie between the first and the last of a box's one side.
func span(pitch, rows int, b *driver.Box) int {
	return ((b.Depth-1)*rows+b.Height-1)*pitch + b.Width
}

// CopyBox implements driver.BoxCopier.
func (s *stream) CopyBox(b *driver.Box) error {
	side := func(p unsafe.Pointer, host bool, n int) ([]byte, error) {
		if host {
			return unsafe.Slice((*byte)(p), n), nil
		}
		return s.dev.view(p, n)
	}
	box := *b
	to, err := side(b.Dst, b.DstHost, span(b.DstPitch, b.DstRows, b))
	if err != nil {
		return err
	}
	from, err := side(b.Src, b.SrcHost, span(b.SrcPitch, b.SrcRows, b))
	if err != nil {
		return err
	}
	_, err = s.submit(action(func() error {
		for z := range box.Depth {
			for y := range box.Height {
				at, of := (z*box.DstRows+y)*box.DstPitch, (z*box.SrcRows+y)*box.SrcPitch
				copy(to[at:at+box.Width], from[of:])
				switch {
				case box.DstHost:
				case box.SrcHost:
					s.dev.watcher.Written(unsafe.Add(box.Dst, at), box.Width)
				default:
					s.dev.watcher.Copied(unsafe.Add(box.Dst, at), unsafe.Add(box.Src, of), box.Width)
				}
			}
		}
		return nil
	}))
	return err
}

// FillRows implements driver.BoxCopier.
func (s *stream) FillRows(dst driver.Ptr, pitch int, value uint32, size, width, height int) error {
	row := width * size
	to, err := s.dev.view(dst, (height-1)*pitch+row)
	if err != nil || row == 0 {
		return err
	}
	var pattern [4]byte
	binary.LittleEndian.PutUint32(pattern[:], value)
	_, err = s.submit(action(func() error {
		for y := range height {
			line := to[y*pitch:][:row]
			for n := copy(line, pattern[:size]); n < row; n *= 2 {
				copy(line[n:], line[:n])
			}
			s.dev.watcher.Written(unsafe.Add(dst, y*pitch), row)
		}
		return nil
	}))
	return err
}

// allocated tells those who watch the device's memory of an allocation; with viewers,
// others than the device may write it.
func (d *device) allocated(p unsafe.Pointer, n int, pinned bool) error {
	if err := d.watcher.Allocated(p, n, pinned || len(d.viewing()) > 0); err != nil {
		return err
	}
	return d.show(p, n)
}

// freed is the reverse.
func (d *device) freed(p unsafe.Pointer) error { return errs.Join(d.watcher.Freed(p), d.hide(p)) }

func (d *device) viewing() []*device {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.viewers)
}

// show tells the viewers of an allocation.
func (d *device) show(p unsafe.Pointer, n int) error {
	var all []error
	for _, v := range d.viewing() {
		all = append(all, v.watcher.Allocated(p, n, true))
	}
	return errs.Join(all...)
}

// hide is the reverse.
func (d *device) hide(p unsafe.Pointer) error {
	var all []error
	for _, v := range d.viewing() {
		all = append(all, v.watcher.Freed(p))
	}
	return errs.Join(all...)
}

// CanAccess implements driver.Peer: every device on the host can.
func (d *device) CanAccess(other driver.Device) (bool, error) {
	_, ok := other.(*device)
	return ok, nil
}

// EnablePeer implements driver.Peer.
func (d *device) EnablePeer(other driver.Device) error {
	o, ok := other.(*device)
	if !ok {
		return d.errorf("%s is no device on the host", other.Info().Name)
	}
	if o == d {
		return nil
	}
	if d.isClosed() || o.isClosed() {
		return d.errClosed()
	}
	o.sharing.Lock() // what is allocated stays as it is
	defer o.sharing.Unlock()
	d.mu.Lock()
	already := slices.Contains(d.peers, o)
	if !already {
		d.peers = append(d.peers, o)
	}
	d.mu.Unlock()
	if already {
		return nil
	}
	o.mu.Lock()
	o.viewers = append(o.viewers, d)
	o.mu.Unlock()
	var all []error
	o.each(func(p unsafe.Pointer, n int) {
		o.watcher.Written(p, n)
		all = append(all, d.watcher.Allocated(p, n, true))
	})
	return errs.Join(all...)
}

// DisablePeer implements driver.Peer.
func (d *device) DisablePeer(other driver.Device) error {
	o, ok := other.(*device)
	if !ok {
		return nil
	}
	o.sharing.Lock()
	defer o.sharing.Unlock()
	d.mu.Lock()
	was := slices.Contains(d.peers, o)
	d.peers = slices.DeleteFunc(slices.Clone(d.peers), func(p *device) bool { return p == o })
	d.mu.Unlock()
	if !was {
		return nil
	}
	o.mu.Lock()
	o.viewers = slices.DeleteFunc(o.viewers, func(p *device) bool { return p == d })
	o.mu.Unlock()
	var all []error
	o.each(func(p unsafe.Pointer, _ int) { all = append(all, d.watcher.Freed(p)) })
	return errs.Join(all...)
}

// leave ends all that the device shares; it is being closed.
func (d *device) leave() error {
	d.mu.Lock()
	peers, viewers := slices.Clone(d.peers), slices.Clone(d.viewers)
	d.mu.Unlock()
	var all []error
	for _, o := range peers {
		all = append(all, d.DisablePeer(o))
	}
	for _, v := range viewers {
		all = append(all, v.DisablePeer(d))
	}
	return errs.Join(all...)
}

// each calls f for what is allocated.
func (d *device) each(f func(p unsafe.Pointer, n int)) {
	for _, h := range []*heap{&d.memory, &d.host} {
		h.mu.Lock()
		slabs := slices.Clone(h.slabs)
		h.mu.Unlock()
		for _, s := range slabs {
			f(unsafe.Pointer(&s.bytes[0]), len(s.bytes))
		}
	}
}

// CopyPeer implements driver.PeerCopier between devices on the host.
func (s *stream) CopyPeer(dst driver.Ptr, to driver.Device, src driver.Ptr, from driver.Device, n int) (bool, error) {
	t, ok := to.(*device)
	f, ok2 := from.(*device)
	if !ok || !ok2 {
		return false, nil
	}
	into, err := t.view(dst, n)
	if err != nil {
		return true, err
	}
	out, err := f.view(src, n)
	if err != nil {
		return true, err
	}
	return true, s.move(into, out, func() { t.watcher.Written(dst, n) })
}
