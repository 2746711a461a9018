package cuda

import (
	"unsafe"

	"heddle/internal/driver"
	"heddle/internal/driver/gpu"
)

var extras = [gpu.NumExtras]string{
	gpu.HostUnregister: "cuMemHostUnregister",
	gpu.AllocManaged:   "cuMemAllocManaged",
	gpu.MemAdvise:      "cuMemAdvise",
	gpu.MemPrefetch:    "cuMemPrefetchAsync",
	gpu.MemInfo:        "cuMemGetInfo_v2",
	gpu.Copy3D:         "cuMemcpy3DAsync_v2",
	gpu.Fill16:         "cuMemsetD16Async",
	gpu.Fill32:         "cuMemsetD32Async",
	gpu.FillRows8:      "cuMemsetD2D8Async",
	gpu.FillRows16:     "cuMemsetD2D16Async",
	gpu.FillRows32:     "cuMemsetD2D32Async",
	gpu.PoolCreate:     "cuMemPoolCreate",
	gpu.PoolDestroy:    "cuMemPoolDestroy",
	gpu.PoolTrim:       "cuMemPoolTrimTo",
	gpu.PoolSet:        "cuMemPoolSetAttribute",
	gpu.PoolGet:        "cuMemPoolGetAttribute",
	gpu.DefaultPool:    "cuDeviceGetDefaultMemPool",
	gpu.PoolAlloc:      "cuMemAllocFromPoolAsync",
	gpu.PoolFree:       "cuMemFreeAsync",
	gpu.CanAccessPeer:  "cuDeviceCanAccessPeer",
	gpu.EnablePeer:     "cuCtxEnablePeerAccess",
	gpu.DisablePeer:    "cuCtxDisablePeerAccess",
	gpu.CopyPeer:       "cuMemcpyPeerAsync",
}

// memcpySide is one half of CUDA_MEMCPY3D_v2.
type memcpySide struct {
	x, y, z, lod  uintptr
	memoryType    uint32
	host, device  unsafe.Pointer
	array, unused uintptr
	pitch, height uintptr
}

// memcpy3D is CUDA_MEMCPY3D_v2.
type memcpy3D struct {
	src, dst             memcpySide
	width, height, depth uintptr
}

// box is a copy as cuMemcpy3DAsync takes it.
func box(b *driver.Box) unsafe.Pointer {
	side := func(p unsafe.Pointer, host bool, pitch, rows int) memcpySide {
		const hostMemory, deviceMemory = 1, 2
		s := memcpySide{memoryType: deviceMemory, device: p, pitch: uintptr(pitch), height: uintptr(rows)}
		if host {
			s.memoryType, s.host, s.device = hostMemory, p, nil
		}
		return s
	}
	return unsafe.Pointer(&memcpy3D{
		src:   side(b.Src, b.SrcHost, b.SrcPitch, b.SrcRows),
		dst:   side(b.Dst, b.DstHost, b.DstPitch, b.DstRows),
		width: uintptr(b.Width), height: uintptr(b.Height), depth: uintptr(b.Depth),
	})
}
