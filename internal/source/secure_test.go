//go:build unix

package source

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"heddle/internal/env/envtest"
)

// A setuid program takes no source from where its environment says: neither GOROOT nor
// PATH name an installation of Go.
func TestSecureGOROOT(t *testing.T) {
	if os.Getenv(envtest.Child) != "" {
		fmt.Printf("goroot=%q go=%q\n", goroot.Get(), goCommand.Get())
		return
	}
	p := envtest.NewProgram(t)
	for _, name := range []string{"go", "gofmt"} {
		p.Add(name, []byte("#!/bin/sh\n"))
	}
	run := func(env ...string) string { return p.Run("TestSecureGOROOT", append(env, "PATH="+p.Dir)...) }
	if out := run("GOROOT=/evil"); !strings.Contains(out, `goroot="/evil"`) {
		t.Errorf("without setuid: %s", out)
	}
	p.Setuid()
	for _, env := range [][]string{{"GOROOT=/evil"}, {}} {
		if out := run(env...); !strings.Contains(out, `goroot="" go=""`) {
			t.Errorf("setuid, %q: %s", env, out)
		}
	}
}
