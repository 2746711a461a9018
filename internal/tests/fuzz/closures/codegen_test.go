package closures

import (
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/target"
	"heddle/kernel"
)

// TestBools compiles a kernel that reads captured bools, in arrays and structs,
// for GPUs: LLVM 19 raised SIGFPE for gfx942.
func TestBools(t *testing.T) {
	t.Setenv(codegen.EnvCache, "off")
	one, flags := true, [12]bool{3: true}
	nested := struct {
		A int64
		B struct {
			C bool
			D [4]int64
		}
	}{}
	k := kernel.New(func(out []uint64) {
		h := out[1]
		all := flags
		for i := range all {
			if all[i] {
				h++
			}
			h *= 7
		}
		if one && nested.B.C {
			h++
		}
		if other := nested; other == nested {
			h++
		}
		out[0] = h
	})
	for _, arch := range []string{"gfx90a", "gfx942", "gfx1100", "sm_90"} {
		m, err := target.For(arch, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := codegen.Supports(m.Triple, m.CPU); err != nil {
			t.Logf("not %s: %v", arch, err)
			continue
		}
		if _, err := k.Object(arch, 0); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
