// Package logs is how heddle logs what HEDDLE_LOG asks for: records of a message with
// keys and values, written as log/slog's default logger writes them, by package log.
//
// log/slog itself, with the encoding/json that it uses, would be 350 KB of every
// program; one that handles slog's records imports package launch/slog, which sets
// Handle.
package logs

import (
	"fmt"
	"log"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Level is how serious a record is: one of log/slog's.
type Level int

const (
	LevelInfo Level = 0
	LevelWarn Level = 4
)

func (l Level) String() string {
	if l == LevelWarn {
		return "WARN"
	}
	return "INFO"
}

// Handle takes records in place of package log, if it is not nil. It is set while the
// program's packages are initialised. args are keys and values, one after the other.
var Handle func(level Level, msg string, args ...any)

// Info logs what was asked for.
func Info(msg string, args ...any) { write(LevelInfo, msg, args) }

// Warn logs what may be a mistake of the program's.
func Warn(msg string, args ...any) { write(LevelWarn, msg, args) }

// callDepth is how far above write's call of package log the code is that logs.
const callDepth = 3

func write(level Level, msg string, args []any) {
	if Handle != nil {
		Handle(level, msg, args...)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s", level, msg)
	for i := 0; i+1 < len(args); i += 2 {
		fmt.Fprintf(&b, " %v=%s", args[i], quoted(fmt.Sprintf("%+v", args[i+1])))
	}
	log.Output(callDepth, b.String())
}

// quoted is a value as slog's text has it: in quotes only if it could be taken for
// something else without.
func quoted(s string) string {
	plain := func(r rune) bool {
		if r < utf8.RuneSelf {
			return r > ' ' && r != '"' && r != '='
		}
		return r != utf8.RuneError && unicode.IsPrint(r) && !unicode.IsSpace(r)
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return strconv.Quote(s)
	}
	return s
}
