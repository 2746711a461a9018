package ssa2ir

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"

	"heddle/internal/diag"
)

// Errors are all that the check found, in source order, one a line; the calls that
// lead to one have lines of their own below it.
type Errors []*diag.Error

func (l Errors) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each error to errors.As.
func (l Errors) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// errorList collects errors, once each.
type errorList struct {
	list Errors
	seen map[string]bool
}

func (l *errorList) add(pos token.Position, hint, format string, args ...any) *diag.Error {
	e := &diag.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Hint: hint, Refused: true}
	if key := e.Error(); !l.seen[key] {
		if l.seen == nil {
			l.seen = map[string]bool{}
		}
		l.seen[key] = true
		l.list = append(l.list, e)
	}
	return e
}

func (l *errorList) err() error {
	if len(l.list) == 0 {
		return nil
	}
	sort.SliceStable(l.list, func(i, j int) bool {
		a, b := l.list[i].Pos, l.list[j].Pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	type onLine struct {
		file string
		line int
		msg  string
	}
	said := map[onLine]bool{} // what is said twice of a line has one cause
	l.list = slices.DeleteFunc(l.list, func(e *diag.Error) bool {
		key := onLine{e.Pos.Filename, e.Pos.Line, e.Msg}
		again := said[key]
		said[key] = true
		return again
	})
	return l.list
}

// IsBug reports whether an error is a failure of this package's own.
func IsBug(err error) bool {
	var b *bug
	return errors.As(err, &b)
}

// A bug is a failure of this package's own: it panics with one, and the
// package edge turns it into an error.
type bug struct {
	pos token.Position
	msg string
}

func (b *bug) Error() string {
	return fmt.Sprintf("%s: internal compiler error: %s (a bug in heddle: please report it with the kernel)", b.pos, b.msg)
}
