package kernel_test

import (
	"bytes"
	"log"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// HEDDLE_LOG=launch logs each launch with its shape.
func TestLogLaunch(t *testing.T) {
	t.Setenv("HEDDLE_LOG", "launch")
	var b bytes.Buffer
	old := log.Writer()
	log.SetOutput(&b)
	defer log.SetOutput(old)
	dev, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	k := kernel.New(func() { dsl.SyncThreads() })
	for _, cfg := range []launch.Config{launch.Linear(300, 128), {Grid: launch.Dim3{Y: 2}, Shared: 64}} {
		if err := k.Launch(dev.Stream(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{`device=sim`, `grid="[3 1 1]" block="[128 1 1]" shared=0`, `grid="[1 2 1]" block="[1 1 1]" shared=64`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, b.String())
		}
	}
}
