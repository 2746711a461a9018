package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"heddle/internal/ops"
	"heddle/kernel"
)

var scalarDir = flag.String("scalar", "", "write the code of one thread of every kernel into this `folder`")

// Every kernel of the suite becomes code of one thread that LLVM verifies and
// that has the form its vectoriser reads.
func TestScalar(t *testing.T) {
	needLLVM(t)
	all := jobs(machinesOf(t, "x86-64-v3"), func(Case) bool { return true })
	onAll(all, func(_ int, j job) {
		var b bytes.Buffer
		if err := j.k.Dump(&b, j.arch, j.warp, kernel.Scalar); needsStd(err) {
			t.Logf("not %s: %v", j.name, err)
			return
		} else if err != nil {
			t.Errorf("%s, warp %d: %v", j.name, j.warp, err)
			return
		}
		if err := isScalar(b.String()); err != nil {
			t.Errorf("%s, warp %d: %v", j.name, j.warp, err)
		}
		if *scalarDir != "" {
			name := fmt.Sprintf("%s.%d.ll", strings.NewReplacer("/", "_", " ", "_").Replace(j.name), j.warp)
			if err := os.WriteFile(filepath.Join(*scalarDir, name), b.Bytes(), 0o666); err != nil {
				t.Error(err)
			}
		}
	})
}

// isScalar checks the form: branches of two ways, one return a function, calls of known functions only.
func isScalar(text string) error {
	var defined []string
	returns, name := 0, ""
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, after, _ := strings.Cut(rest, "@")
		symbol, _, _ := strings.Cut(after, "(")
		symbol = strings.Trim(symbol, `"`)
		switch word {
		case "define":
			name, returns = symbol, 0
			defined = append(defined, symbol)
			if len(defined) > 1 && !strings.HasPrefix(rest, "internal") {
				return fmt.Errorf("%s is not internal", symbol)
			}
		case "declare":
			if !strings.HasPrefix(symbol, "llvm.") && !ops.Known(symbol) {
				return fmt.Errorf("%s is not defined", symbol)
			}
		case "switch", "indirectbr", "invoke", "callbr":
			return fmt.Errorf("%s has a %s", name, word)
		case "ret":
			if returns++; returns > 1 {
				return fmt.Errorf("%s returns in several places", name)
			}
		}
	}
	if defined == nil {
		return fmt.Errorf("nothing is defined")
	}
	return nil
}

// Kernels compile to host code for the processors that this one may not be; without -full
// the first of each row, for the oldest; the cpu device itself runs the suite at both warp sizes, and TestArm64
// compiles it for arm64.
func TestCodegenHost(t *testing.T) {
	needLLVM(t)
	archs := []string{"x86-64-v2", "x86-64-v3"}
	if !*full { // most machines' cpu device is of the other, or a later one
		archs = archs[:1]
	}
	var one []job // of each
	for _, j := range machinesOf(t, archs...) {
		if j.warp == 32 {
			one = append(one, j)
		}
	}
	cases := representatives(chosen())
	compileAll(t, jobs(one, func(c Case) bool {
		return slices.ContainsFunc(cases, func(r Case) bool { return r.Name == c.Name })
	}))
}
