package simt

import (
	"runtime"
	"slices"
	"testing"

	"heddle/internal/module"
)

// chain returns the functions on the call chain, out to the test's own.
func chain(pcs stack) (names []string) {
	for _, f := range newSite("", pcs).frames {
		if names = append(names, f.Function); f.Function == "testing.tRunner" {
			break
		}
	}
	return names
}

type chains struct{ byFrames, byCallers stack }

//go:noinline
func (c *chains) take() {
	frames(&c.byFrames)
	runtime.Callers(2, c.byCallers[:])
}

func inlined(c *chains) { outOfLine(c) }

//go:noinline
func outOfLine(c *chains) { func() { c.take() }() }

// Both ways to walk the stack see the same functions, inlined ones and all.
func TestFrames(t *testing.T) {
	if useFrames != haveFrames {
		t.Errorf("frame pointers work: %v, want %v", useFrames, haveFrames)
	}
	if !useFrames {
		t.Skip("no frame pointers on " + runtime.GOARCH)
	}
	own := ownPackages
	ownPackages = nil // the functions here are in this package
	defer func() { ownPackages = own }()
	var c chains
	inlined(&c)
	a, b := chain(c.byFrames), chain(c.byCallers)
	if !slices.Equal(a, b) || !slices.Contains(a, module.Internal+"simt.inlined") {
		t.Errorf("frame pointers: %q\nruntime.Callers: %q", a, b)
	}
}
