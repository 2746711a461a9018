package abi

import (
	"errors"
	"fmt"
)

// A Shared is a variable in static shared memory, and where the kernel has it; no Size, no variable.
type Shared struct {
	Place
	Size int64
}

// A SharedError is that a kernel has more static shared memory than a block may have.
type SharedError struct {
	Need, Limit string // bytes
	Of          string // the device or architecture
}

func (e *SharedError) Error() string {
	return fmt.Sprintf("%s bytes of static shared memory; the limit of %s is %s a block", e.Need, e.Of, e.Limit)
}

// Explain is a SharedError of a kernel at the place of s, the largest of its variables. Another error, and one of
// which no place is known, it returns nil for.
func (s Shared) Explain(kernel string, err error) error {
	var e *SharedError
	if s.Size == 0 || !errors.As(err, &e) {
		return nil
	}
	return fmt.Errorf("%s:%d:%d: kernel %s has %w: this variable has %d (give a block less, or keep part of it in global memory)",
		s.File, s.Line, s.Col, kernel, e, s.Size)
}
