package ssa2ir

import (
	"strings"
	"testing"
)

// A loop that waits for what others store asks whether the launch has panicked; no other loop does.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"a flag", "for flag.Load(dsl.ScopeDevice, dsl.Relaxed) == 0 {}", true},
		{"a flag, kept", "for { if v := flag.Load(dsl.ScopeDevice, dsl.Relaxed); v > 3 { out[0] = v; break } }", true},
		{"through a variable", "var v [2]uint32; for p := &v; ; { p[1] = flag.Load(dsl.ScopeDevice, dsl.Relaxed); if p[1] != 0 { break } }; out[0] = v[n&1]", true},
		{"through a field", "var v struct{ a, b uint32 }; for p := &v; ; { p.b = flag.Load(dsl.ScopeDevice, dsl.Relaxed); if p.b != 0 { break } }; out[0] = v.b", true},
		{"a lock", "for dsl.AtomicCAS(&out[1], 0, 1) != 0 {}", true},
		{"a lock of a helper", "for !take(out) {}", true},
		{"one of two locks of helpers", "f := take; if n > 9 { f = takeOther }; for !f(out) {}", true},
		{"a number of times", "for i := 0; i < n; i++ { if dsl.AtomicCAS(&out[1], 0, 1) == 0 { out[2]++ } }", false},
		{"over a range", "for i := range out { if dsl.AtomicAdd(&out[i], 1) == 0 { out[2]++ } }", false},
		{"a count", "for n > 1 { dsl.AtomicAdd(&out[n], 1); if n&1 == 0 { n /= 2 } else { n = 3*n + 1 } }", false},
		{"without a loop", "if dsl.AtomicAdd(&out[0], 1) == 0 { out[2]++ }", false},
		{"without an atomic", "for out[n] == 0 { n++ }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc take(a []uint32) bool { return dsl.AtomicCAS(&a[1], 0, 1) == 0 }\n\nfunc takeOther(a []uint32) bool { return dsl.AtomicCAS(&a[2], 0, 1) == 0 }\n\n" +
				"func K(n int, out []uint32, flag *dsl.Atomic[uint32]) {\n\tout[n] = 1\n\t" + c.body + "\n}\n"
			for arch, want := range map[string]bool{"sm_90": c.want, "gfx942": c.want, "x86-64-v3": false} {
				ir := string(lowered(t, source, arch, Options{}).IR)
				if got := strings.Contains(ir, "load atomic i32, ptr addrspace(1) @heddle_panic_lock") || strings.Contains(ir, "[heddle_panic_lock]"); got != want {
					t.Errorf("%s: asks: %v, want %v\n%s", arch, got, want, ir)
				}
			}
			if ir := string(lowered(t, source, "sm_90", Options{NoBounds: true}).IR); strings.Contains(ir, "heddle_panic_lock") {
				t.Errorf("without checks, where nothing panics, it asks\n%s", ir)
			}
		})
	}
}
