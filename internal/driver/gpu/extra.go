package gpu

import (
	"runtime"
	"sync"

	"github.com/ebitengine/purego"

	"heddle/internal/errs"
)

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

// extras are the addresses of a library's Extra functions.
type extras struct {
	once sync.Once
	addr [NumExtras]uintptr
}

func (l *Lib) extra(e Extra) (uintptr, error) {
	l.extras.once.Do(func() {
		for i, name := range l.spec.Extras {
			if name != "" {
				l.extras.addr[i] = l.Symbol(name)
			}
		}
	})
	if a := l.extras.addr[e]; a != 0 {
		return a, nil
	}
	return 0, errs.F("%s has no function %s; install a newer driver", l.Path, l.spec.Extras[e])
}

// has reports whether the library has the function.
func (l *Lib) has(e Extra) bool { a, _ := l.extra(e); return a != 0 }

// also is Device.do for an Extra.
//
//go:uintptrescapes
func (d *Device) also(e Extra, args ...uintptr) error {
	addr, err := d.lib.extra(e)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, _, _ := purego.SyscallN(d.lib.addr[SetCurrent], d.current...)
	if err := d.lib.check(d.spec.Symbols[SetCurrent], r); err != nil {
		return err
	}
	r, _, _ = purego.SyscallN(addr, args...)
	return d.lib.check(d.spec.Extras[e], r)
}
