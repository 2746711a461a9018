package rand

import (
	"fmt"

	"heddle/launch"
)

// An ArgumentError says which argument of which function is wrong, and what would be right. The function has queued
// nothing, and the generator is where it was.
type ArgumentError struct {
	Func, Arg string // of this package, as they are declared
	Problem   string // what the argument is, and what it must be
}

// Error returns the function, the argument and the problem.
func (e *ArgumentError) Error() string { return "rand." + e.Func + ": " + e.Arg + " " + e.Problem }

func wrong(name, arg, format string, args ...any) error {
	return &ArgumentError{name, arg, fmt.Sprintf(format, args...)}
}

// present refuses what is nil.
func present[T, S any](name string, s *launch.Stream, out *launch.Buffer[T], g *S) error {
	switch {
	case s == nil:
		return wrong(name, "s", "is nil: take Stream or NewStream of a device")
	case out == nil:
		return wrong(name, "out", "is nil: take launch.Alloc")
	case g == nil:
		return wrong(name, "g", "is nil: take the address of a generator, as that of NewPhilox(seed, 0, 0)")
	}
	return nil
}
