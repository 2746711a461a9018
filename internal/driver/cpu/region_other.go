//go:build !linux

package cpu

import (
	"errors"
	"os"
)

var pageSize = os.Getpagesize()

// A region is memory of the system's own. No device opens here to want any.
type region []byte

func (r *region) grow(int) error { return errors.ErrUnsupported }

func (r region) forbid(_, _ int) error { return errors.ErrUnsupported }

func (r region) address() uintptr { return 0 }

func (r *region) free() error { return nil }
