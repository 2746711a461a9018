package gpu

import (
	"runtime"
	"unsafe"

	"heddle/internal/driver"
)

// This file implements driver.Sharer.

var _ driver.Sharer = (*Device)(nil)

// Share implements driver.Sharer (cuIpcGetMemHandle, hipIpcGetMemHandle).
func (d *Device) Share(p driver.Ptr) (driver.SharedHandle, error) {
	h := new(driver.SharedHandle)
	err := d.callBoth("IpcGetMemHandle", uintptr(unsafe.Pointer(h)), uintptr(p))
	return *h, err
}

// OpenShared implements driver.Sharer (cuIpcOpenMemHandle, hipIpcOpenMemHandle).
func (d *Device) OpenShared(h driver.SharedHandle) (driver.Ptr, error) {
	const lazyPeerAccess = 1
	names := d.vendorName("IpcOpenMemHandle")
	if d.spec.Vendor == "cuda" { // the older one has another struct of flags
		names = []string{"cuIpcOpenMemHandle_v2"}
	}
	out, in := new(uintptr), new(driver.SharedHandle)
	*in = h
	err := d.Named(names, openSharedArgs(out, in, lazyPeerAccess)...)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	return pointer(*out), err
}

// openSharedArgs are the arguments of IpcOpenMemHandle, whose handle is passed by value. By the ABI of amd64 but
// Windows' it lies on the stack, behind the arguments that are in registers; elsewhere it is behind a pointer.
func openSharedArgs(out *uintptr, h *driver.SharedHandle, flags uintptr) []uintptr {
	if runtime.GOARCH != "amd64" || runtime.GOOS == "windows" {
		return []uintptr{uintptr(unsafe.Pointer(out)), uintptr(unsafe.Pointer(h)), flags}
	}
	const registers, words = 6, len(driver.SharedHandle{}) / 8
	args := make([]uintptr, registers, registers+words)
	args[0], args[1] = uintptr(unsafe.Pointer(out)), flags
	return append(args, (*[words]uintptr)(unsafe.Pointer(h))[:]...)
}

// CloseShared implements driver.Sharer (cuIpcCloseMemHandle, hipIpcCloseMemHandle).
func (d *Device) CloseShared(p driver.Ptr) error {
	return d.callBoth("IpcCloseMemHandle", uintptr(p))
}
