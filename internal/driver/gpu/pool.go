package gpu

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/errs"
)

// A pool implements driver.Pool.
type pool struct {
	dev    *Device
	handle uintptr
	own    bool // not the device's default pool
}

// poolProps is CUmemPoolProps, hipMemPoolProps: both zero what follows.
type poolProps struct {
	allocType, handleTypes   int32
	locationType, locationID int32
	security, maxSize        uintptr
	reserved                 [56]byte
	_                        [24]byte // of later releases
}

// NewPool implements driver.Pooler (cuMemPoolCreate, hipMemPoolCreate).
func (d *Device) NewPool() (driver.Pool, error) {
	const pinned, onDevice = 1, 1
	out := new(uintptr)
	p := &poolProps{allocType: pinned, locationType: onDevice, locationID: int32(d.handle)}
	if err := d.also(PoolCreate, uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(p))); err != nil {
		return nil, err
	}
	return &pool{d, *out, true}, nil
}

// DefaultPool implements driver.Pooler (cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool).
func (d *Device) DefaultPool() (driver.Pool, error) {
	out := new(uintptr)
	if err := d.also(DefaultPool, uintptr(unsafe.Pointer(out)), d.handle); err != nil {
		return nil, err
	}
	return &pool{d, *out, false}, nil
}

// stream is s as a stream of the pool's device.
func (p *pool) stream(s driver.Stream) (*Stream, error) {
	own, ok := s.(*Stream)
	if !ok || own.dev != p.dev {
		return nil, errs.F("%s: the stream is of another device", p.dev.info.Name)
	}
	return own, nil
}

// Alloc implements driver.Pool (cuMemAllocFromPoolAsync, hipMallocFromPoolAsync).
func (p *pool) Alloc(s driver.Stream, n int) (driver.Ptr, error) {
	own, err := p.stream(s)
	if err != nil {
		return nil, err
	}
	out := new(uintptr)
	err = p.dev.also(PoolAlloc, uintptr(unsafe.Pointer(out)), uintptr(n), p.handle, own.handle)
	return pointer(*out), err
}

// Free implements driver.Pool (cuMemFreeAsync, hipFreeAsync).
func (p *pool) Free(s driver.Stream, at driver.Ptr) error {
	own, err := p.stream(s)
	if err != nil {
		return err
	}
	return p.dev.also(PoolFree, uintptr(at), own.handle)
}

// Attributes of a pool (CU_MEMPOOL_ATTR_*, hipMemPoolAttr*).
const (
	poolThreshold    = 4
	poolReserved     = 5
	poolReservedHigh = 6
	poolUsed         = 7
	poolUsedHigh     = 8
)

// SetThreshold implements driver.Pool.
func (p *pool) SetThreshold(n int64) error {
	value := &n
	return p.dev.also(PoolSet, p.handle, poolThreshold, uintptr(unsafe.Pointer(value)))
}

// Trim implements driver.Pool (cuMemPoolTrimTo, hipMemPoolTrimTo).
func (p *pool) Trim(keep int64) error { return p.dev.also(PoolTrim, p.handle, uintptr(keep)) }

// Stats implements driver.Pool.
func (p *pool) Stats() (driver.PoolStats, error) {
	out := new([4]int64)
	for i, attr := range []uintptr{poolUsed, poolUsedHigh, poolReserved, poolReservedHigh} {
		if err := p.dev.also(PoolGet, p.handle, attr, uintptr(unsafe.Pointer(&out[i]))); err != nil {
			return driver.PoolStats{}, err
		}
	}
	return driver.PoolStats{Used: out[0], UsedHigh: out[1], Reserved: out[2], ReservedHigh: out[3]}, nil
}

// Close implements driver.Pool (cuMemPoolDestroy, hipMemPoolDestroy).
func (p *pool) Close() error {
	if !p.own {
		return nil
	}
	return p.dev.also(PoolDestroy, p.handle)
}
