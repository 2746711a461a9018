package main

import (
	"path/filepath"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
)

// Every kernel makes what the host says, on small inputs.
func TestKernels(t *testing.T) {
	for _, name := range []string{"cpu", "emu:gfx942"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Logf("not on %s: %v", name, err)
			continue
		}
		defer dev.Close()
		for _, b := range benchmarks(small) {
			t.Run(name+"/"+b.name, func(t *testing.T) {
				d, in, err := b.open(dev)
				if err != nil {
					t.Fatal(err)
				}
				defer d.close()
				if err := b.prove(d, in, b.ours(d, in, variants[0])); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Every class of kernels has its twins, and no name is there twice.
func TestTwins(t *testing.T) {
	names := map[string]bool{}
	for _, b := range benchmarks(small) {
		if names[b.name] {
			t.Errorf("%s is there twice", b.name)
		}
		names[b.name] = true
		sources, err := filepath.Glob("testdata/" + b.class + ".cu")
		if err != nil || len(sources) != 1 {
			t.Errorf("no twin of class %s: %v", b.class, err)
		}
	}
}
