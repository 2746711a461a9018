package launch

import (
	"errors"

	"heddle/internal/driver"
)

// ErrOutOfMemory is what an error is, as errors.Is sees it, that says that a device has no
// memory left, or the host none that it can page-lock: Alloc's and Upload's, a launch's. Free
// something and try again, or do with less.
var ErrOutOfMemory = driver.ErrOutOfMemory

// An Error is a failed call of HIP's or CUDA's library. Errors of this package and of package
// kernel wrap it:
//
//	var e *launch.Error
//	if errors.As(err, &e) && e.Name == "CUDA_ERROR_NOT_PERMITTED" {
type Error struct {
	Device string // its name: "cuda:0"; "" of an error before there is a device
	Call   string // the library's function: "cuLaunchKernel"
	Code   int    // hipError_t, CUresult
	Name   string // of the code: "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue" (hipGetErrorName)
	Text   string // what the library says of it: "invalid argument" (hipGetErrorString)
	// Lost: the device's context is lost to this process, and every later call fails.
	Lost bool

	err error // with its place
}

// Error is the whole text, with what went before it.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns what the error was made of.
func (e *Error) Unwrap() error { return e.err }

// told makes an error of a vendor's library one that programs can look into.
func told(device string, err error) error {
	var v *driver.Error
	var already *Error
	if !errors.As(err, &v) || errors.As(err, &already) {
		return err
	}
	return &Error{Device: device, Call: v.Call, Code: v.Code, Name: v.Name(), Text: v.Description(), Lost: v.Lost, err: err}
}

// ErrorName is the name of a result code of CUDA's (kind "cuda") or HIP's ("hip") library, as
// hipGetErrorName tells it, and ErrorText says it in words (hipGetErrorString). They need no
// library. A code that is not known has the name "" and the text "unknown error".
func ErrorName(kind string, code int) string { return driver.ErrorName(kind, code) }

// ErrorText is ErrorName in words.
func ErrorText(kind string, code int) string { return driver.ErrorText(kind, code) }
