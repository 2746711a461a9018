package ssa2ir

import (
	"strings"
	"testing"
)

// Of what is indexed alike and is part of one another the shortest is compared alone.
func TestPartsJoined(t *testing.T) {
	for body, want := range map[string]int{
		"b := a[n:]; c := b[n:]; out[i] = a[k] + b[k] + c[k]":     0,
		"b := a[n:]; c := b[n:]; out[i] = c[k] + a[k] + b[k]":     0,
		"b := a[n:]; c := b[n:]; out[i] = a[k] + b[k] + c[k+n]":   1, // c[k+n] says nothing of k
		"b := a[n:]; c := a[n+1:]; out[i] = b[k] + c[k]":          0,
		"b := a[n:]; c := a[int(t[1]):]; out[i] = b[k] + c[k]":    1,
		"b := a[n:]; c := u[n:]; out[i] = b[k] + c[k] + a[k]":     1,
		"b := a[:n]; c := b[:len(b)-n/2]; out[i] = c[k] + a[k+1]": 1,
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, t []int32, a, u, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tif i >= len(out) || n < 1 {\n\t\treturn\n\t}\n\tk := int(t[0])\n\t" +
			body + "\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{}).IR)
		if got := strings.Count(ir, " = or i1 "); got != want {
			t.Errorf("%s: %d checks are joined to others, want %d", body, got, want)
		}
	}
}

// Indices that are loaded are loaded ahead of the checks of a run where they are in range for all that is known there, so that
// there is one branch for all.
func TestGathersJoined(t *testing.T) {
	for body, want := range map[string]int{
		"s += a[t[i]] + a[u[i]]":                                  1,
		"s += a[t[i]] + a[u[i]] + a[int(t[i])+n] + a[rows[i].at]": 3,
		"s += a[t[i]] + a[u[t[i]]]":                               1, // of a and u; there is no index of the second a before
		"s += a[t[i]]; out[i] = s; s += a[u[i]]":                  0,
		"s += a[t[i]]; dsl.SyncThreads(); s += a[u[i]]":           0,
		"j := int(t[i]); s += a[j] + b[u[j]]":                     0, // the check of a[j] has u[j] be in range
		"j := i / 2; s += a[t[i]] + b[u[j]]":                      1,
		"s += a[t[i]] + a[p.at]":                                  0, // p may be nil
		"s += a[t[i]]; if s > 1 { s += a[u[i]] }":                 0,
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nvar _ = dsl.SyncThreads\n\ntype row struct{ at, more int32 }\n\nfunc K(n int, p *row, rows []row, t, u []int32, a, b, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tif i >= len(out) {\n\t\treturn\n\t}\n\tvar s float32\n\t" +
			body + "\n\tout[i] = s\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{Conditional: true}).IR)
		if got := strings.Count(ir, " = or i1 "); got != want {
			t.Errorf("%s: %d checks are joined to others, want %d", body, got, want)
		}
	}
}

// An index that is in a shared variable is loaded ahead of what is stored in others in between, and no check waits for that.
func TestJoinedPastOthers(t *testing.T) {
	for body, want := range map[string]int{
		"x[k] = a[at.first+i]; y[k] = b[at.first+i]":                                  1,
		"x[k] = a[at.first+i]; y[k] = b[at.second+i]; x[k+1] = c[at.first+at.second]": 2,
		"x[k] = a[at.first+i]; at.second = 5; y[k] = b[at.first+i]":                   0,
		"x[k] = a[int(x[5])+i]; y[k] = b[int(x[5])+i]":                                0,
		"x[k] = a[at.first+i]; u[0] = 1; y[k] = b[at.first+i]":                        1, // of a and u; the host may look at u
		"x[k] = a[at.first+i]; dsl.SyncThreads(); y[k] = b[at.first+i]":               0,
		"other(5)[k] = a[int(other(4)[0])+i]; y[k] = b[int(other(4)[0])+i]":           0, // one variable
		"z[k] = a[at.first+i]; y[k] = b[at.first+i]":                                  0, // z has what the launch says, and no address of its own
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc other(n int) *[256]float32 {\n\tt := dsl.Shared[[256]float32]()\n\tt[n] = 0\n\treturn t\n}\n\nfunc K(u, a, b, c []float32) {\n\ti, k := dsl.GlobalIdx().X, dsl.ThreadIdx().X&127\n\t" +
			"x, y, z := dsl.Shared[[256]float32](), dsl.Shared[[256]float32](), dsl.DynamicShared[float32]()[:128]\n\tat := dsl.Shared[struct{ first, second int }]()\n\tx[5], y[6], z[7] = 1, 2, 3\n\tdsl.SyncThreads()\n\t_ = at\n\t" +
			body + "\n\tdsl.SyncThreads()\n\tu[i] = x[k] + y[k] + z[k]\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{}).IR)
		if got := strings.Count(ir, " = or i1 "); got != want {
			t.Errorf("%s: %d checks are joined to others, want %d", body, got, want)
		}
	}
}
