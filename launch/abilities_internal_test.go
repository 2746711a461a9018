package launch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"heddle/internal/driver"
)

// abilities are the interfaces of package driver that a Device may implement beside Device.
var abilities = map[string]func(driver.Device) bool{
	"Graphs":           has[driver.Graphs],
	"Prioritized":      has[driver.Prioritized],
	"EventMaker":       has[driver.EventMaker],
	"Images":           has[driver.Images],
	"HostMemory":       has[driver.HostMemory],
	"ManagedAllocator": has[driver.ManagedAllocator],
	"MemoryInfo":       has[driver.MemoryInfo],
	"Pooler":           has[driver.Pooler],
	"Peer":             has[driver.Peer],
	"Modules":          has[driver.Modules],
	"Limited":          has[driver.Limited],
	"Handled":          has[driver.Handled],
	"Current":          has[driver.Current],
	"Describer":        has[driver.Describer],
	"Sharer":           has[driver.Sharer],
}

func has[I any](d driver.Device) bool {
	_, ok := d.(I)
	return ok
}

// onHostWithout are those that devices on the host lack, which docs/devices.md shows by the
// functions that need them: those of a vendor's library.
var onHostWithout = []string{"Current", "Handled", "Images", "Limited", "Sharer"}

// TestAbilities: devices on the host lack what the list says, so that the document's table
// (internal/tests/badcalls) leaves out no function for want of a driver's.
func TestAbilities(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		dev, err := Open(name)
		if err != nil {
			t.Log(name, err)
			continue
		}
		for ability, implements := range abilities {
			if want := !slices.Contains(onHostWithout, ability); implements(dev.drv) != want {
				t.Errorf("%s: driver.%s is implemented: %v, want %v", name, ability, !want, want)
			}
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAbilitiesListed: the list has every interface whose comment says that a Device may have it.
func TestAbilitiesListed(t *testing.T) {
	files, err := filepath.Glob("../internal/driver/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE || !strings.Contains(g.Doc.Text(), " is a Device") {
				continue
			}
			found++
			if typ := g.Specs[0].(*ast.TypeSpec).Name.Name; abilities[typ] == nil {
				t.Errorf("%s: abilities has no %s", name, typ)
			}
		}
	}
	if found != len(abilities) {
		t.Errorf("%d interfaces in package driver, %d in the list", found, len(abilities))
	}
}
