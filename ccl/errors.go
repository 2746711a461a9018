package ccl

import (
	"errors"
	"fmt"
	"strings"
)

// What an [*Error] may wrap: test with [errors.Is].
var (
	// ErrAborted: some rank called Abort, or its context was done.
	ErrAborted = errors.New("the communicator was aborted")
	// ErrClosed: the rank, or one that an operation needs, is closed.
	ErrClosed = errors.New("the rank is closed")
	// ErrMismatch: the ranks called different operations, types, sizes or roots.
	ErrMismatch = errors.New("the ranks do not call the same operation")
	// ErrLate: some rank had not come when the context was done.
	ErrLate = errors.New("not all ranks came in time")
	// ErrLost: the process of some rank cannot be reached any more.
	ErrLost = errors.New("a rank was lost")
	// ErrSize: the ranks do not agree on how many they are.
	ErrSize = errors.New("the ranks do not agree on how many they are")
	// ErrDuplicate: two ranks have one number.
	ErrDuplicate = errors.New("two ranks have one number")
	// ErrToken: the token of a rank is not that of rank 0.
	ErrToken = errors.New("the token is not that of rank 0")
)

// An Error is what went wrong in an operation under way, or while ranks met.
type Error struct {
	Rank, Size int
	Op         string // what the rank did: "AllReduce of 8 float32, sum"
	Err        error
}

// Error says who did what, and what happened.
func (e *Error) Error() string {
	return fmt.Sprintf("ccl: rank %d of %d: %s: %v", e.Rank, e.Size, e.Op, e.Err)
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// late is the error of ranks that have not come; cause is the context's.
func late(missing []int, cause error) error {
	return fmt.Errorf("%w: %s not come: %w", ErrLate, have(missing), cause)
}

// have is "ranks 1 and 3 have".
func have(ranks []int) string {
	switch len(ranks) {
	case 0:
		return "no rank has"
	case 1:
		return fmt.Sprintf("rank %d has", ranks[0])
	}
	const most = 8
	var text []string
	for i, r := range ranks {
		if i == most {
			return fmt.Sprintf("ranks %s and %d more have", strings.Join(text, ", "), len(ranks)-most)
		}
		text = append(text, fmt.Sprint(r))
	}
	last := len(text) - 1
	return fmt.Sprintf("ranks %s and %s have", strings.Join(text[:last], ", "), text[last])
}
