package source_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"heddle/internal/module"
	"heddle/internal/source"
)

// TestDamagedBundle carries a bundle that is none: an error, for every kernel.
func TestDamagedBundle(t *testing.T) {
	for _, bad := range []string{"", "PK\x05\x06", "no zip"} {
		source.Reset(true)
		source.RegisterCaller(fstest.MapFS{source.BundleName: {Data: []byte(bad)}}, 0)
		_, err := source.Find(declared, source.Options{})
		if err == nil || !strings.Contains(err.Error(), "heddle.zip of package "+module.Internal+"source") || !strings.Contains(err.Error(), "run heddle generate") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	source.Reset(true)
}

// TestNeeds looks at what a program's kernels need.
func TestNeeds(t *testing.T) {
	source.Reset(true)
	defer source.Reset(true)
	made, err := source.Discover("", []string{module.Path + "/examples/quickstart"}, func(name string) bool { return name == module.Kernel+".New" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	var needs source.Needs
	for _, m := range made {
		if m.Err != nil {
			t.Fatal(m.Err)
		}
		needs.Add(m.Func)
	}
	cs := needs.Carriers("")
	if len(made) == 0 || len(cs) != 1 || cs[0].Path != module.Path+"/examples/quickstart" || cs[0].Name != "main" || !cs[0].Registers {
		t.Errorf("%d kernels, carriers %+v", len(made), cs)
	}
	var files [2][]byte
	for i := range files {
		b, err := needs.Bundle()
		if err == nil {
			files[i], err = b.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) || !source.SameBundle(files[0], files[1]) {
		t.Error("two bundles of the same needs differ")
	}
	if other, err := new(source.Bundle).Bytes(); err != nil || len(files[0]) > len(other) && source.SameBundle(files[0], other) {
		t.Errorf("bundles of different needs are the same (%v)", err)
	}
}
