package hip

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/driver/gpu"
)

// nonCoherent is hipHostMallocPortable | Mapped | NonCoherent.
const nonCoherent = 0x1 | 2 | 0x80000000

// HIP has functions for rows of 16 and 32 bits only since release 7 (hipMemsetD2D16Async);
// without them rows are filled one by one.
var extras = [gpu.NumExtras]string{
	gpu.HostUnregister: "hipHostUnregister",
	gpu.AllocManaged:   "hipMallocManaged",
	gpu.MemAdvise:      "hipMemAdvise",
	gpu.MemPrefetch:    "hipMemPrefetchAsync",
	gpu.MemInfo:        "hipMemGetInfo",
	gpu.Copy3D:         "hipMemcpy3DAsync",
	gpu.Fill16:         "hipMemsetD16Async",
	gpu.Fill32:         "hipMemsetD32Async",
	gpu.FillRows8:      "hipMemset2DAsync",
	gpu.FillRows16:     "hipMemsetD2D16Async",
	gpu.FillRows32:     "hipMemsetD2D32Async",
	gpu.PoolCreate:     "hipMemPoolCreate",
	gpu.PoolDestroy:    "hipMemPoolDestroy",
	gpu.PoolTrim:       "hipMemPoolTrimTo",
	gpu.PoolSet:        "hipMemPoolSetAttribute",
	gpu.PoolGet:        "hipMemPoolGetAttribute",
	gpu.DefaultPool:    "hipDeviceGetDefaultMemPool",
	gpu.PoolAlloc:      "hipMallocFromPoolAsync",
	gpu.PoolFree:       "hipFreeAsync",
	gpu.CanAccessPeer:  "hipDeviceCanAccessPeer",
	gpu.EnablePeer:     "hipDeviceEnablePeerAccess",
	gpu.DisablePeer:    "hipDeviceDisablePeerAccess",
	gpu.CopyPeer:       "hipMemcpyPeerAsync",
}

// memcpySide is one half of hipMemcpy3DParms: an array, a position and a hipPitchedPtr.
type memcpySide struct {
	array        uintptr
	x, y, z      uintptr
	ptr          unsafe.Pointer
	pitch        uintptr
	xsize, ysize uintptr
}

// memcpy3D is hipMemcpy3DParms.
type memcpy3D struct {
	src, dst             memcpySide
	width, height, depth uintptr
	kind                 uint32
}

// box is a copy as hipMemcpy3DAsync takes it.
func box(b *driver.Box) unsafe.Pointer {
	const hostToHost, hostToDevice, deviceToHost, deviceToDevice = 0, 1, 2, 3
	kind := map[[2]bool]uint32{
		{true, true}: hostToHost, {true, false}: hostToDevice,
		{false, true}: deviceToHost, {false, false}: deviceToDevice,
	}[[2]bool{b.SrcHost, b.DstHost}]
	side := func(p unsafe.Pointer, pitch, rows int) memcpySide {
		return memcpySide{ptr: p, pitch: uintptr(pitch), xsize: uintptr(pitch), ysize: uintptr(rows)}
	}
	return unsafe.Pointer(&memcpy3D{
		src:   side(b.Src, b.SrcPitch, b.SrcRows),
		dst:   side(b.Dst, b.DstPitch, b.DstRows),
		width: uintptr(b.Width), height: uintptr(b.Height), depth: uintptr(b.Depth), kind: kind,
	})
}
