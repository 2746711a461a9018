package source

import (
	"go/types"
	"testing"
)

// What a file of heddle's own packages declares is the same whether it is asked for alone or
// with everything else, and all of it is known.
func TestOwnDeclarations(t *testing.T) {
	shared.Lock()
	defer shared.Unlock()
	defer forget("")
	universe := func() *universe {
		forget("")
		return currentUniverse()
	}
	whole := universe()
	for _, p := range ownPackages {
		whole.declareAll(whole.own(p))
	}
	names := 0
	for _, p := range ownPackages {
		alone, last := universe(), ""
		for name, file := range ownParts[p].Get().files {
			if file != last {
				alone, last = universe(), file
			}
			names++
			alone.declare(alone.own(p), name)
			got, want := describe(alone, p, name), describe(whole, p, name)
			if got == "" || got != want {
				t.Errorf("%s.%s alone is\n%s\nwant\n%s", p, name, got, want)
			}
			if o := alone.types[p].Scope().Lookup(name); o != nil && alone.unknown(o.Type()) {
				t.Errorf("%s.%s: its type is not known", p, name)
			}
		}
	}
	if names < 400 {
		t.Errorf("%d names", names)
	}
}

// describe is what a name stands for, with a type's methods.
func describe(w *universe, p, name string) string {
	o := w.types[p].Scope().Lookup(name)
	if o == nil {
		return ""
	}
	text := types.ObjectString(o, nil)
	if t, ok := o.Type().(*types.Named); ok {
		for m := range t.Methods() {
			text += "\n" + types.ObjectString(m, nil)
		}
	}
	return text
}
