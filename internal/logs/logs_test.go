package logs

import (
	"bytes"
	"errors"
	"log"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"heddle/internal/abi"
)

// values are some that records may have.
var values = []any{
	"", "plain", "two words", "a=b", `a"b`, `a\b`, "tab\t", "nul\x00", "del\x7f", "café", "zero\u200bwidth", "no\u00a0break", "\xff", "\ufffd", "<&>", "a/b.go:1:2", "[]float32",
	0, -1, uint8(7), uint64(1 << 63), true, 1500 * time.Microsecond, time.Duration(0), abi.PTX, errors.New("it failed"), errors.New("failed"), []string{"a"}, nil,
}

// Lines are what log/slog writes before anyone tells it another way, wherever log
// writes.
func TestAsSlog(t *testing.T) {
	var out bytes.Buffer
	oldOut, oldFlags, oldPrefix := log.Writer(), log.Flags(), log.Prefix()
	t.Cleanup(func() {
		log.SetOutput(oldOut)
		log.SetFlags(oldFlags)
		log.SetPrefix(oldPrefix)
	})
	log.SetOutput(&out)
	log.SetPrefix("prefix ")
	line := func(print func(msg string, args ...any), args ...any) string {
		out.Reset()
		print("a message", args...)
		return out.String()
	}
	for _, flags := range []int{0, log.Lshortfile, log.Lmsgprefix | log.Llongfile} {
		log.SetFlags(flags)
		for _, v := range values {
			for _, p := range [][2]func(string, ...any){{Info, slog.Info}, {Warn, slog.Warn}} {
				var lines [2]string
				for i := range p {
					lines[i] = line(p[i], "key", v, "n", 1)
				}
				if lines[0] != lines[1] {
					t.Errorf("of %#v: %q, slog writes %q", v, lines[0], lines[1])
				}
			}
		}
	}
}

// Who handles records gets them as they are, and nothing is printed.
func TestHandle(t *testing.T) {
	var out bytes.Buffer
	old := log.Writer()
	t.Cleanup(func() { Handle = nil; log.SetOutput(old) })
	log.SetOutput(&out)
	var got []any
	Handle = func(level Level, msg string, args ...any) { got = append([]any{level, msg}, args...) }
	Warn("a message", "key", 5)
	if want := []any{LevelWarn, "a message", "key", 5}; !reflect.DeepEqual(got, want) || out.Len() > 0 {
		t.Errorf("handled %v, want %v; printed %q", got, want, out.String())
	}
}
