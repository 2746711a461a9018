//go:build !unix

package main

import (
	"errors"
	"unsafe"

	"heddle/launch"
)

type library struct{ name string }

func open(*launch.Device) (*library, error) {
	return nil, errors.New("this example loads libraries on Unix only")
}

func (*library) close() error { return nil }

func (*library) sgemm(stream uintptr, m, n, k int, a, b, c unsafe.Pointer) error { return nil }
