package gpu

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// This file implements the abilities of package driver's memory.go, but for pools.

// AllocPinned implements driver.HostMemory (cuMemHostAlloc, hipHostMalloc).
func (d *Device) AllocPinned(n int, o driver.HostOptions) (unsafe.Pointer, driver.Ptr, error) {
	const writeCombined = 4
	flags := d.spec.HostFlags
	if o.NonCoherent {
		flags = d.spec.NonCoherent
	}
	if o.WriteCombined {
		flags |= writeCombined
	}
	out := new(uintptr)
	if err := d.do(HostAlloc, uintptr(unsafe.Pointer(out)), uintptr(n), flags); err != nil {
		return nil, nil, err
	}
	host, dev := pointer(*out), new(uintptr)
	if err := d.do(HostDeviceAddress, uintptr(unsafe.Pointer(dev)), *out, 0); err != nil {
		return nil, nil, errs.Join(err, d.FreeHost(host))
	}
	return host, pointer(*dev), nil
}

// Lock implements driver.HostMemory (cuMemHostRegister, hipHostRegister).
func (d *Device) Lock(p unsafe.Pointer, n int) (driver.Ptr, error) {
	const portable, mapped = 1, 2
	if err := d.do(HostRegister, uintptr(p), uintptr(n), portable|mapped); err != nil {
		return nil, err
	}
	out := new(uintptr)
	if err := d.do(HostDeviceAddress, uintptr(unsafe.Pointer(out)), uintptr(p), 0); err != nil {
		return nil, errs.Join(err, d.Unlock(p))
	}
	return pointer(*out), nil
}

// Unlock implements driver.HostMemory (cuMemHostUnregister, hipHostUnregister).
func (d *Device) Unlock(p unsafe.Pointer) error { return d.also(HostUnregister, uintptr(p)) }

// Adopt implements driver.HostMemory: the libraries know all memory.
func (d *Device) Adopt(driver.Ptr, int) error { return nil }

// Disown implements driver.HostMemory.
func (d *Device) Disown(driver.Ptr) error { return nil }

// AllocManaged implements driver.ManagedAllocator (cuMemAllocManaged, hipMallocManaged).
func (d *Device) AllocManaged(n int) (driver.Ptr, error) {
	const attachGlobal = 1
	out := new(uintptr)
	err := d.also(AllocManaged, uintptr(unsafe.Pointer(out)), uintptr(n), attachGlobal)
	return pointer(*out), err
}

// FreeManaged implements driver.ManagedAllocator.
func (d *Device) FreeManaged(p driver.Ptr) error { return d.Free(p) }

// hostDevice is CU_DEVICE_CPU, hipCpuDeviceId.
const hostDevice = ^uintptr(0)

// Advise implements driver.ManagedAllocator (cuMemAdvise, hipMemAdvise).
func (d *Device) Advise(p driver.Ptr, n int, a driver.Advice, at driver.Device) error {
	device := hostDevice
	if at != nil {
		other, err := d.alike(at)
		if err != nil {
			return err
		}
		device = other.handle
	}
	return d.also(MemAdvise, uintptr(p), uintptr(n), uintptr(a), device)
}

// alike is another device of the same library.
func (d *Device) alike(other driver.Device) (*Device, error) {
	o, ok := other.(*Device)
	if !ok || o.lib != d.lib {
		return nil, errs.F("%s and %s are of different vendors", d.info.Name, other.Info().Name)
	}
	return o, nil
}

// Prefetch implements driver.Prefetcher (cuMemPrefetchAsync, hipMemPrefetchAsync).
func (s *Stream) Prefetch(p driver.Ptr, n int, toHost bool) error {
	device := s.dev.handle
	if toHost {
		device = hostDevice
	}
	return s.dev.also(MemPrefetch, uintptr(p), uintptr(n), device, s.handle)
}

// MemoryInfo implements driver.MemoryInfo (cuMemGetInfo, hipMemGetInfo).
func (d *Device) MemoryInfo() (free, total int64, err error) {
	out := new([2]uintptr)
	err = d.also(MemInfo, uintptr(unsafe.Pointer(&out[0])), uintptr(unsafe.Pointer(&out[1])))
	return int64(out[0]), int64(out[1]), err
}

// CopyBox implements driver.BoxCopier (cuMemcpy3DAsync, hipMemcpy3DAsync).
func (s *Stream) CopyBox(b *driver.Box) error {
	p := s.dev.spec.Box(b)
	return s.dev.also(Copy3D, uintptr(p), s.handle)
}

// FillRows implements driver.BoxCopier (cuMemsetD32Async, cuMemsetD2D32Async and their like).
// A library without the two-dimensional ones fills row by row.
func (s *Stream) FillRows(dst driver.Ptr, pitch int, value uint32, size, width, height int) error {
	which := size / 2 // 0, 1, 2
	at := uintptr(dst)
	if rows := FillRows8 + Extra(which); height > 1 && s.dev.spec.Extras[rows] != "" && s.dev.lib.has(rows) {
		return s.dev.also(rows, at, uintptr(pitch), uintptr(value), uintptr(width), uintptr(height), s.handle)
	}
	for range height {
		var err error
		if size == 1 {
			err = s.dev.do(Fill, at, uintptr(value), uintptr(width), s.handle)
		} else {
			err = s.dev.also(Fill16+Extra(which-1), at, uintptr(value), uintptr(width), s.handle)
		}
		if err != nil {
			return err
		}
		at += uintptr(pitch)
	}
	return nil
}

// CanAccess implements driver.Peer (cuDeviceCanAccessPeer, hipDeviceCanAccessPeer).
func (d *Device) CanAccess(other driver.Device) (bool, error) {
	o, err := d.alike(other)
	if err != nil {
		return false, nil
	}
	if o.handle == d.handle {
		return true, nil
	}
	out := new(int32)
	err = d.also(CanAccessPeer, uintptr(unsafe.Pointer(out)), d.handle, o.handle)
	return *out != 0, err
}

// peerAlready is the result of enabling what is enabled, peerNot of disabling what is not.
const peerAlready, peerNot = 704, 705

// EnablePeer implements driver.Peer (cuCtxEnablePeerAccess, hipDeviceEnablePeerAccess).
func (d *Device) EnablePeer(other driver.Device) error { return d.peer(EnablePeer, other) }

// DisablePeer implements driver.Peer (cuCtxDisablePeerAccess, hipDeviceDisablePeerAccess).
func (d *Device) DisablePeer(other driver.Device) error { return d.peer(DisablePeer, other) }

func (d *Device) peer(e Extra, other driver.Device) error {
	o, err := d.alike(other)
	if err != nil || o.handle == d.handle {
		return err
	}
	err = d.also(e, o.current[0], 0)
	if v, ok := err.(*driver.Error); ok && (v.Code == peerAlready || v.Code == peerNot) {
		return nil
	}
	return err
}

// CopyPeer implements driver.PeerCopier (cuMemcpyPeerAsync, hipMemcpyPeerAsync).
func (s *Stream) CopyPeer(dst driver.Ptr, to driver.Device, src driver.Ptr, from driver.Device, n int) (bool, error) {
	t, toErr := s.dev.alike(to)
	f, fromErr := s.dev.alike(from)
	switch {
	case toErr == nil && fromErr == nil:
		return true, s.dev.also(CopyPeer, uintptr(dst), t.current[0], uintptr(src), f.current[0], uintptr(n), s.handle)
	case toErr == nil && onHost(from):
		return true, s.CopyIn(dst, src, n)
	case fromErr == nil && onHost(to):
		return true, s.CopyOut(dst, src, n)
	}
	return false, nil
}

// onHost reports whether a device's memory is the host's.
func onHost(d driver.Device) bool {
	h, ok := d.(interface{ OnHost() bool })
	return ok && h.OnHost()
}
