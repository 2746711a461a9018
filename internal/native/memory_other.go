//go:build !linux

package native

import "errors"

// Supported says no before any of these is called.
var errUnsupported = errors.ErrUnsupported

func mapMemory(int) ([]byte, error) { return nil, errUnsupported }

func unmapMemory([]byte) error { return errUnsupported }

func protectMemory([]byte, bool) error { return errUnsupported }

func dlopen(string) (uintptr, error) { return 0, errUnsupported }

func dlsym(uintptr, string) (uintptr, error) { return 0, errUnsupported }
