package ssa2ir

import (
	"testing"

	"heddle/internal/abi"
)

// TestDynamicShared says how many bytes of dynamic shared memory a launch needs so that the condition holds, and how many checks are left.
func TestDynamicShared(t *testing.T) {
	const own, rest = "t := dsl.ThreadIdx().X; s := dsl.DynamicShared[float32](); ", "; out[0] = s[t]"
	for _, c := range []struct {
		name, body string
		n, threads int64
		least      int // bytes
		checks     int
	}{
		{"a thread's own", own + "s[t] = 1" + rest, 1, 32, 128, 0},
		{"not of all of an element", own + "s[t] = 1" + rest, 1, 33, 132, 0},
		{"a part", own + "p := s[n:]; p[t] = 1" + rest, 8, 32, 160, 0},
		{"parts of parts", own + "p := s[n+1:]; q := p[n+1:]; r := q[n+1:]; p[t], q[t], r[t] = 1, 2, 3" + rest, 8, 32, 4 * (27 + 32), 0},
		{"a part with an end", own + "p := s[n : 3*n]; p[t%n] = 1" + rest, 32, 32, 4 * 96, 0},
		{"an end as far as a number", own + "p := s[n : 2*n]; p[t] = 1" + rest, 32, 32, 4 * 64, 0},
		{"two types", own + "d := dsl.DynamicShared[float64]()[dsl.BlockDim().X:]; d[t] = 1; s[t] = 2" + rest, 1, 32, 8 * 64, 0},
		{"what the host does not know", own + "s[int(out[0])&(len(out)*8-1)] = 1; s[int(out[0])] = 2" + rest, 1, 32, 128, 1},
		{"its length", own + "if t < len(s) { s[t] = 1 }; out[0] = 1", 1, 32, 0, 0},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, out []float32) {\n\t" + c.body + "\n}\n"
		for _, arch := range []string{"gfx942", "gfx1100", "sm_90"} {
			res := lowered(t, source, arch, Options{Conditional: true})
			if got := checks(res.IR); got != c.checks {
				t.Errorf("%s on %s: %d checks are left, want %d", c.name, arch, got, c.checks)
			}
			for _, bytes := range []int{0, max(c.least-1, 0), c.least, c.least + 9} {
				l := &abi.Launch{Args: argBlock(c.n, apart, 4, 4), Grid: [3]int{1, 1, 1}, Block: [3]int{int(c.threads), 1, 1}, Shared: bytes}
				if got := res.Condition.Holds(l); got != (bytes >= c.least) {
					t.Errorf("%s on %s: %d bytes: it holds: %v", c.name, arch, bytes, got)
				}
				if tailored := lowered(t, source, arch, Options{Conditional: true, Launch: l}); tailored.Condition != nil && !tailored.Condition.Holds(l) {
					t.Errorf("%s on %s: %d bytes: the condition does not hold of the launch that it is made for", c.name, arch, bytes)
				} else if bytes < c.least && c.checks == 0 && checks(tailored.IR) == 0 {
					t.Errorf("%s on %s: %d bytes: no check is left", c.name, arch, bytes)
				}
			}
		}
	}
}

// TestPartsOfPassed has indices of what is cut off a slice that is passed be within all of it.
func TestPartsOfPassed(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, in, out []float32) {\n\tt := dsl.ThreadIdx().X\n\ta := in[n:]\n\tb := a[n+2:]\n\tout[t] = a[t] + b[t]\n}\n"
	for _, arch := range []string{"gfx942", "sm_90"} {
		res := lowered(t, source, arch, Options{Conditional: true})
		if got := checks(res.IR); got != 0 {
			t.Errorf("%s: %d checks are left", arch, got)
		}
		for length, want := range map[int64]bool{49: false, 50: true, 51: true} {
			l := &abi.Launch{Args: argBlock(8, apart, length, length, apart, 100, 100), Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}
			if got := res.Condition.Holds(l); got != want {
				t.Errorf("%s: %d elements: it holds: %v", arch, length, got)
			}
		}
	}
}
