package amdemu_test

import (
	"path/filepath"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/amdemu"
	"heddle/internal/llvm"
	"heddle/kernel"
)

func scaled(x float32) float32 {
	return x * 3 // line 15
}

func scale(v []float32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] = scaled(v[i]) // line 20
	}
}

// Kernels in Go are found in their source, inlined functions too.
func TestPlacesInGo(t *testing.T) {
	lib, err := llvm.Open()
	if err != nil {
		t.Skip(err)
	}
	k := kernel.New(scale)
	for _, arch := range []string{"gfx90a", "gfx1030", "gfx1100"} {
		object, err := k.Object(arch, 0)
		if err != nil {
			t.Fatal(err)
		}
		all, loaded, err := amdemu.SourcePlaces(object.Code, object.Symbol, lib.Disassemble)
		if err != nil || loaded != arch {
			t.Fatal(loaded, err)
		}
		multiplied, stored := false, false
		for text, places := range all {
			at := func(i, line int, function string) bool {
				return i < len(places) && places[i].Line == line && filepath.Base(places[i].File) == "heddle_test.go" && strings.HasSuffix(places[i].Function, function)
			}
			switch {
			case strings.HasPrefix(text, "v_mul_f32"):
				multiplied = at(0, 15, "scaled") && at(1, 20, "scale")
			case strings.HasPrefix(text, "global_store"):
				stored = at(0, 20, "scale")
			}
		}
		if !multiplied || !stored {
			t.Errorf("%s: %v", arch, all)
		}
	}
}
