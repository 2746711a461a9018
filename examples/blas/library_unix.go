//go:build unix

package main

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/launch"
)

// A vendor says what its BLAS is called.
type vendor struct {
	name                                 string
	files                                []string
	create, destroy, setStream, multiply string
	plain                                uintptr // of the operation "as it is"
}

var vendors = map[string]vendor{
	"cuda": {
		name:   "cuBLAS",
		files:  []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "/usr/local/cuda/lib64/libcublas.so"},
		create: "cublasCreate_v2", destroy: "cublasDestroy_v2", setStream: "cublasSetStream_v2", multiply: "cublasSgemm_v2",
		plain: 0, // CUBLAS_OP_N
	},
	"hip": {
		name:   "rocBLAS",
		files:  []string{"librocblas.so.5", "librocblas.so.4", "librocblas.so.0", "/opt/rocm/lib/librocblas.so"},
		create: "rocblas_create_handle", destroy: "rocblas_destroy_handle", setStream: "rocblas_set_stream", multiply: "rocblas_sgemm",
		plain: 111, // rocblas_operation_none
	},
}

// A library is a vendor's, loaded, with a handle of its own on a device.
type library struct {
	vendor
	dev    *launch.Device
	lib    uintptr
	handle uintptr
}

// open loads the library of a device's vendor.
func open(dev *launch.Device) (*library, error) {
	native, err := dev.Native()
	if err != nil {
		return nil, err // sim, cpu, emu
	}
	l := &library{vendor: vendors[native.Kind], dev: dev}
	for _, file := range l.files {
		if l.lib, err = purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			break
		}
	}
	if l.lib == 0 {
		return nil, fmt.Errorf("%s is not installed: %w", l.name, err)
	}
	// The library makes its handle for the device that is current on the thread.
	return l, dev.Do(func() error { return l.call(l.create, uintptr(unsafe.Pointer(&l.handle))) })
}

func (l *library) close() error {
	return l.dev.Do(func() error { return l.call(l.destroy, l.handle) })
}

// call calls a function whose result is a status, 0 for success.
//
//go:uintptrescapes
func (l *library) call(function string, args ...uintptr) error {
	f, err := purego.Dlsym(l.lib, function)
	if err != nil {
		return err
	}
	if status, _, _ := purego.SyscallN(f, args...); int32(status) != 0 {
		return fmt.Errorf("%s: status %d", function, int32(status))
	}
	return nil
}

// sgemm queues c = a b on a stream, all by columns: a has m rows, b n columns.
func (l *library) sgemm(stream uintptr, m, n, k int, a, b, c unsafe.Pointer) error {
	one, zero := float32(1), float32(0) // the library reads them before it returns
	return errors.Join(
		l.call(l.setStream, l.handle, stream),
		l.call(l.multiply, l.handle, l.plain, l.plain, uintptr(m), uintptr(n), uintptr(k),
			uintptr(unsafe.Pointer(&one)), uintptr(a), uintptr(m), uintptr(b), uintptr(k),
			uintptr(unsafe.Pointer(&zero)), uintptr(c), uintptr(m)))
}
