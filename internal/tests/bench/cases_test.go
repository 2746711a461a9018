package main

import (
	"os"
	"os/exec"
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

// No name is there twice.
func TestNames(t *testing.T) {
	names := map[string]bool{}
	for _, b := range benchmarks(small) {
		if names[b.name] {
			t.Errorf("%s is there twice", b.name)
		}
		names[b.name] = true
	}
}

// The twins, as clang compiles them for HIP, make what the host says, too.
func TestTwins(t *testing.T) {
	const arch = "gfx942"
	dev, err := launch.Open("emu:" + arch)
	if err != nil {
		t.Skip(err)
	}
	defer dev.Close()
	dir := t.TempDir()
	make := exec.Command("../../../scripts/bench-amd.sh")
	make.Env = append(os.Environ(), "TWINS="+dir, "ARCHS="+arch)
	text, err := make.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	folder := filepath.Join(dir, arch)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("%s", text)
	}
	t.Logf("%s", text)
	for _, b := range benchmarks(small) {
		t.Run(b.name, func(t *testing.T) {
			d, in, err := b.open(dev)
			if err != nil {
				t.Fatal(err)
			}
			defer d.close()
			twin, err := b.theirs(d, in, folder)
			if err == nil {
				err = b.prove(d, in, twin)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
