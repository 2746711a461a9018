package driver

import "unsafe"

// This file is what a device can do with memory beyond Alloc and Free. Each interface is one
// ability, which launch asks a Device or a Stream for.

// HostOptions choose a kind of page-locked memory.
type HostOptions struct {
	NonCoherent   bool // the device may cache it
	WriteCombined bool // the host writes it past its caches
}

// A HostMemory is a Device that shares memory of the host.
type HostMemory interface {
	// AllocPinned returns n bytes of page-locked memory, and the address that the device has
	// them by. FreeHost frees them.
	AllocPinned(n int, o HostOptions) (host unsafe.Pointer, dev Ptr, err error)
	// Lock makes n bytes that the host has at p page-locked until Unlock, and returns the
	// device's address of them.
	Lock(p unsafe.Pointer, n int) (Ptr, error)
	Unlock(p unsafe.Pointer) error
	// Adopt says that n bytes of device memory at p are others' and are used from now on; Disown
	// ends that.
	Adopt(p Ptr, n int) error
	Disown(p Ptr) error
}

// Advice is what a program says of its use of managed memory, by CUDA's and HIP's number.
type Advice int

const (
	SetReadMostly Advice = 1 + iota
	UnsetReadMostly
	SetPreferredLocation
	UnsetPreferredLocation
	SetAccessedBy
	UnsetAccessedBy
)

// A ManagedAllocator is a Device with memory that moves between it and the host.
type ManagedAllocator interface {
	// AllocManaged returns n bytes; FreeManaged frees them.
	AllocManaged(n int) (Ptr, error)
	FreeManaged(p Ptr) error
	// Advise advises about n bytes at p and a device, nil for the host.
	Advise(p Ptr, n int, a Advice, at Device) error
}

// A Prefetcher is a Stream that moves managed memory to its device, or to the host.
type Prefetcher interface {
	Prefetch(p Ptr, n int, toHost bool) error
}

// MemoryInfo is a Device that says how much memory is free, in bytes.
type MemoryInfo interface {
	MemoryInfo() (free, total int64, err error)
}

// A Box is a copy of planes of rows.
type Box struct {
	Dst, Src           unsafe.Pointer
	DstHost, SrcHost   bool // which of them are memory of the host
	DstPitch, SrcPitch int  // bytes from row to row
	DstRows, SrcRows   int  // rows from plane to plane
	Width              int  // bytes
	Height, Depth      int
}

// A BoxCopier is a Stream that copies boxes, and fills rows with a pattern.
type BoxCopier interface {
	CopyBox(*Box) error
	// FillRows sets width elements of size bytes (1, 2 or 4), in each of height rows that
	// are pitch bytes apart.
	FillRows(dst Ptr, pitch int, value uint32, size, width, height int) error
}

// A Pool is device memory that streams take and give back in their order.
type Pool interface {
	// Alloc returns n bytes for work of s and later.
	Alloc(s Stream, n int) (Ptr, error)
	// Free gives them back behind the work of s so far.
	Free(s Stream, p Ptr) error
	// SetThreshold says how many bytes the pool keeps for later when streams are waited for.
	SetThreshold(n int64) error
	// Trim gives memory that nothing uses back to the device, but for keep bytes.
	Trim(keep int64) error
	Stats() (PoolStats, error)
	// Close ends a pool other than the default one.
	Close() error
}

// PoolStats are a Pool's bytes: what is allocated from it, what it holds of the device's
// memory, and the most that either was.
type PoolStats struct{ Used, UsedHigh, Reserved, ReservedHigh int64 }

// A Pooler is a Device with pools.
type Pooler interface {
	NewPool() (Pool, error)
	DefaultPool() (Pool, error)
}

// A Peer is a Device that can use another's memory.
type Peer interface {
	CanAccess(other Device) (bool, error)
	// EnablePeer lets kernels of the device use other's memory. Done again it does nothing.
	EnablePeer(other Device) error
	DisablePeer(other Device) error
}

// A PeerCopier is a Stream that copies between devices.
type PeerCopier interface {
	// CopyPeer copies n bytes; it reports false where it does not know both devices.
	CopyPeer(dst Ptr, to Device, src Ptr, from Device, n int) (bool, error)
}

// A SharedHandle names an allocation to other processes (CUipcMemHandle, hipIpcMemHandle_t).
type SharedHandle [64]byte

// A Sharer is a Device whose memory other processes can have.
type Sharer interface {
	// Share is the handle of the allocation that begins at p.
	Share(p Ptr) (SharedHandle, error)
	// OpenShared is another process's allocation, until CloseShared.
	OpenShared(SharedHandle) (Ptr, error)
	CloseShared(p Ptr) error
}
