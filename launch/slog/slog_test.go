package slog

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"heddle/internal/logs"
	"heddle/launch"
)

// A handler gets records, of the levels that slog has.
func TestRecords(t *testing.T) {
	t.Setenv("HEDDLE_LOG", "leaks")
	var out bytes.Buffer
	old := slog.Default()
	t.Cleanup(func() { slog.SetDefault(old) })
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, nil)))
	d, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := launch.Alloc[int32](d, 3); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	logs.Info("compiled", "bytes", 7)
	for _, want := range []string{`"level":"WARN","msg":"launch: buffer not closed","device":"sim","site":"slog_test.go:`, `"level":"INFO","msg":"compiled","bytes":7}`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, out.String())
		}
	}
}
