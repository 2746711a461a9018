package launch

import (
	"context"
	"slices"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file lets devices use each other's memory.

// CanAccessPeer reports whether kernels of d could use memory of other: GPUs of one vendor with a
// link between them, and any two devices on the host (hipDeviceCanAccessPeer).
func (d *Device) CanAccessPeer(other *Device) (bool, error) {
	leave, err := d.withPeer("CanAccessPeer", other)
	if err != nil {
		return false, err
	}
	defer leave()
	can, ok := d.drv.(driver.Peer)
	if !ok {
		return false, nil
	}
	is, err := can.CanAccess(other.drv)
	return is, d.vendor(err)
}

// EnablePeer lets kernels of d use memory of other: Buffers of other are arguments of launches on
// d from now on (hipDeviceEnablePeerAccess), but for those of a pool. The other direction is a call of its own, and calling
// twice is fine. Streams of the two devices are ordered by events, as any are. A Buffer of other that is
// closed stays until the work of d with it has ended.
func (d *Device) EnablePeer(other *Device) error {
	leave, err := d.withPeer("EnablePeer", other)
	if err != nil {
		return err
	}
	defer leave()
	can, ok := d.drv.(driver.Peer)
	is := false
	if ok {
		if is, err = can.CanAccess(other.drv); err != nil {
			return d.vendor(err)
		}
	}
	if !is {
		return errs.F("launch: EnablePeer: %s cannot use memory of %s; copy it: Buffer.CopyPeer, or launch.Upload(dev, b.Device())", d.info.Name, other.info.Name)
	}
	if err := can.EnablePeer(other.drv); err != nil {
		return d.vendor(err)
	}
	other.mem.shared()
	d.changePeers(func(peers []*Device) []*Device {
		if slices.Contains(peers, other) {
			return peers
		}
		return append(peers, other)
	})
	return nil
}

// DisablePeer undoes [Device.EnablePeer], when the work of d so far has ended; it returns the
// errors of that (hipDeviceDisablePeerAccess).
func (d *Device) DisablePeer(other *Device) error {
	leave, err := d.withPeer("DisablePeer", other)
	if err != nil {
		return err
	}
	defer leave()
	if !d.sees(other) {
		return errs.F("launch: DisablePeer: %s has no access to memory of %s", d.info.Name, other.info.Name)
	}
	d.changePeers(func(peers []*Device) []*Device {
		return slices.DeleteFunc(peers, func(p *Device) bool { return p == other })
	})
	var found faults
	for _, s := range d.streams() {
		found.add(s.wait())
	}
	found.add(d.vendor(d.drv.(driver.Peer).DisablePeer(other.drv)))
	return found.err()
}

// withPeer enters both devices.
func (d *Device) withPeer(call string, other *Device) (leave func(), err error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	if other == d {
		d.leave()
		return nil, errs.F("launch: %s: %s is no peer of itself", call, d.info.Name)
	}
	if err := other.enter(); err != nil {
		d.leave()
		return nil, err
	}
	return func() { other.leave(); d.leave() }, nil
}

// changePeers puts a new list in the place of the present one.
func (d *Device) changePeers(change func([]*Device) []*Device) {
	d.all.Lock()
	defer d.all.Unlock()
	var peers []*Device
	if now := d.peers.Load(); now != nil {
		peers = slices.Clone(*now)
	}
	peers = change(peers)
	d.peers.Store(&peers)
}

// sees reports whether kernels of d may use memory of other.
func (d *Device) sees(other *Device) bool {
	peers := d.peers.Load()
	return peers != nil && slices.Contains(*peers, other)
}

// seesBlock is sees for a block: a pool's memory is for its own device, which is the rule
// of the GPUs' libraries.
func (d *Device) seesBlock(other *Device, b *block) bool { return b.pool == nil && d.sees(other) }

// visible is the live block of d or of a peer that p points into, nil if none.
func (d *Device) visible(p uintptr) *block {
	if b := d.mem.at(p); b != nil {
		return b
	}
	if peers := d.peers.Load(); peers != nil {
		for _, o := range *peers {
			if b := o.mem.at(p); b != nil && b.pool == nil {
				return b
			}
		}
	}
	return nil
}

// shared notes that streams of other devices may use the memory.
func (m *memory) shared() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.foreign = true
}

// waitForeign waits, as long as ctx lasts, for what streams of other devices do with d's memory.
func (d *Device) waitForeign(ctx context.Context) error {
	d.mem.mu.Lock()
	if !d.mem.foreign {
		d.mem.mu.Unlock()
		return nil
	}
	blocks := slices.Concat(d.mem.live, d.mem.waiting)
	d.mem.mu.Unlock()
	var found faults
	for _, b := range blocks {
		b.mu.Lock()
		uses := slices.Clone(b.uses)
		b.mu.Unlock()
		for _, u := range uses {
			if u.s.dev != d && !u.s.past(u.seq) && u.s.dev.enter() == nil {
				found.add(u.s.restContext(ctx))
				u.s.dev.leave()
			}
		}
	}
	return found.err()
}

// CopyPeer queues on s a copy of from, a Buffer of another device and as long, to b
// (hipMemcpyPeerAsync). s is a stream of either device. It works between GPUs of one vendor, with
// or without access to each other's memory, between devices on the host, and, on a stream of the
// GPU, between a GPU and a device on the host. The copy waits for the work of s so far; for that of
// other streams, wait with events. Within a device it is [Buffer.CopyFrom].
func (b *Buffer[T]) CopyPeer(s *Stream, from *Buffer[T]) error {
	if err := b.head().usable(); err != nil {
		return errs.F("launch: CopyPeer: %w", err)
	}
	if err := from.head().usable(); err != nil {
		return errs.F("launch: CopyPeer: the source: %w", err)
	}
	if b.header.dev == from.header.dev {
		return b.CopyFrom(s, from)
	}
	return copyPeer(s, b.head(), from.head())
}

func copyPeer(s *Stream, to, from *header) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.dev.leave()
	near, far := to, from
	if s.dev == from.dev {
		near, far = from, to
	}
	if near.dev != s.dev {
		return errs.F("launch: CopyPeer from %s to %s on a stream of %s; take one of either device", from.dev.Name(), to.dev.Name(), s.dev.Name())
	}
	if err := far.enter("CopyPeer"); err != nil {
		return err
	}
	defer far.leave()
	if err := to.sameLen("CopyPeer", "the source", from.len); err != nil {
		return err
	}
	if len(pointerOffsets(to.own.b.elem, 0, nil)) > 0 {
		return errs.F("launch: CopyPeer of %s: addresses of %s mean nothing on %s", to.own.b.elem, from.dev.Name(), to.dev.Name())
	}
	far.dev.mem.shared()
	return s.queue("CopyPeer", near, func() error {
		if err := s.now("CopyPeer"); err != nil {
			return err
		}
		n := to.len * int(to.own.b.elem.Size())
		if n == 0 {
			return nil
		}
		if !far.own.b.note(s, s.seq+1) {
			return errs.F("launch: CopyPeer: %v is closed", far.own.b)
		}
		done := false
		if can, ok := s.drv.(driver.PeerCopier); ok {
			var err error
			if done, err = can.CopyPeer(to.ptr, to.dev.drv, from.ptr, from.dev.drv, n); err != nil {
				return s.vendor(err)
			}
		}
		if !done {
			return errs.F("launch: CopyPeer: a stream of %s cannot copy between %s and %s; take a stream of the GPU, or launch.Upload(dev, b.Device())",
				s.dev.Name(), from.dev.Name(), to.dev.Name())
		}
		return nil
	})
}
