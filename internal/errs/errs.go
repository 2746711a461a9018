// Package errs makes errors in less code.
package errs

import (
	"errors"
	"fmt"
	"strings"
)

// F is fmt.Errorf, which the compiler would copy to each place that calls it: heddle makes
// errors in hundreds, and each copy is a hundred bytes of the program.
//
//go:noinline
func F(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Join is errors.Join, of which a copy is 400 bytes.
//
//go:noinline
func Join(list ...error) error { return errors.Join(list...) }

// A is a noun with its article.
func A(noun string) string {
	if noun != "" && strings.Contains("aeiouA", noun[:1]) {
		return "an " + noun
	}
	return "a " + noun
}
