package slog_test

import (
	"log/slog"
	"os"

	"heddle/launch"
	_ "heddle/launch/slog"
)

// A buffer that is not closed is a record with the handler's keys, where HEDDLE_LOG asks
// for leaks.
func Example() {
	os.Setenv("HEDDLE_LOG", "leaks")
	old := slog.Default()
	defer slog.SetDefault(old)
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "time" || a.Key == "site" {
			return slog.Attr{}
		}
		return a
	}})))
	dev, err := launch.Open("sim")
	if err != nil {
		panic(err)
	}
	if _, err := launch.Alloc[int32](dev, 3); err != nil {
		panic(err)
	}
	dev.Close()
	// Output: level=WARN msg="launch: buffer not closed" device=sim elem=int32 len=3
}
