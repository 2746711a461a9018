package source

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
)

// An Error is a fault of the user's program, or a limit of finding its source:
// where it is, what is wrong, and what to do about it.
type Error struct {
	Pos  token.Position // zero when there is no place to point to
	Msg  string
	Hint string // what to change; may be empty
	// Refused says that no source could change it: the func value is none that can
	// be compiled.
	Refused bool
}

// Error formats e as "file:line:col: msg (hint)".
func (e *Error) Error() string {
	var b strings.Builder
	if e.Pos.IsValid() {
		fmt.Fprintf(&b, "%s: ", e.Pos)
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		fmt.Fprintf(&b, " (%s)", e.Hint)
	}
	return b.String()
}

// typeError is a type checker's complaint as an Error.
//
//go:noinline
func typeError(e types.Error) *Error {
	return &Error{Pos: e.Fset.Position(e.Pos), Msg: e.Msg}
}
