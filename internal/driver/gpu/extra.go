package gpu

// An Extra is a function for memory of the host's side. A library may lack it: the call that
// needs it then says so.
type Extra int

// The functions under CUDA's names. Where the two differ in parameters, the methods that call
// them say so.
const (
	HostUnregister Extra = iota
	AllocManaged
	MemAdvise
	MemPrefetch
	MemInfo
	Copy3D
	Fill16
	Fill32
	FillRows8
	FillRows16
	FillRows32
	PoolCreate
	PoolDestroy
	PoolTrim
	PoolSet
	PoolGet
	DefaultPool
	PoolAlloc
	PoolFree
	CanAccessPeer
	EnablePeer
	DisablePeer
	CopyPeer
	NumExtras
)

// has reports whether the library has the function.
func (l *Lib) has(e Extra) bool {
	_, at := l.address(l.spec.Extras[e])
	return at != 0
}

// also is Device.do for an Extra.
//
//go:uintptrescapes
func (d *Device) also(e Extra, args ...uintptr) error { return d.named(d.spec.Extras[e], args...) }
