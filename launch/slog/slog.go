// Package slog makes what HEDDLE_LOG asks for records of log/slog in a program that
// imports it:
//
//	import _ "heddle/launch/slog"
//
// Without it they are lines of package log, the very lines that log/slog's default
// logger writes; a handler that the program gives to log/slog's SetDefault gets each
// line as a message. With it the handler gets the message, its level, and keys and
// values.
//
// It is a package of its own because log/slog is 350 KB of a program, with what it uses.
package slog

import (
	"context"
	"log/slog"

	"heddle/internal/logs"
)

func init() {
	logs.Handle = func(level logs.Level, msg string, args ...any) {
		slog.Log(context.Background(), slog.Level(level), msg, args...)
	}
}
