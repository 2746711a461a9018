// Package diag has the errors that are about the user's code.
package diag

import (
	"fmt"
	"go/token"
	"strings"
)

// An Error is a fault of the user's program, or a limit of finding its source: where it is,
// what is wrong, and what to do about it.
type Error struct {
	Pos  token.Position // zero when there is no place to point to
	Msg  string
	Hint string // what to do instead; may be empty
	// Calls are the calls that lead to Pos from the kernel's function, innermost first:
	// of the ways there are, the first one met.
	Calls []token.Position
	// Refused says that it is about the kernel, and not about its source, which may not be
	// here, or not be the one that runs.
	Refused bool
	// NeedsBody says that no device function serves a call on the machine asked for, and
	// that the Go body is not in the program: with it there it may compile.
	NeedsBody bool
}

// Error formats e as "file:line:col: msg (hint)", with a line for each of the calls.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos.IsValid() {
		fmt.Fprintf(&b, "%s: ", e.Pos)
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		fmt.Fprintf(&b, " (%s)", e.Hint)
	}
	for _, c := range e.Calls {
		fmt.Fprintf(&b, "\n\tcalled from %s", c)
	}
	return b.String()
}
