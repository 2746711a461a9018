package ssa2ir

import (
	"strings"
	"testing"
)

// What a loop indexes may be found in the loop only: a slice that an array or a field of it holds. Ahead of the loop
// nothing is made of it, with and without checks.
func TestIndexesWhatLoopFinds(t *testing.T) {
	for _, c := range []struct{ name, params, body string }{
		{"array of slices", "a [9][]float32", "for k := range 9 { a[k][i] = 1 }"},
		{"copied element", "a [3][]float32", "for _, row := range a { row[i] = 1 }"},
		{"index of the variable", "a [3][]float32", "for k, row := range a { row[k*n+i] = float32(k) }"},
		{"constant index", "a [3][]float32", "for k := range a { a[k][5] = 1 }"},
		{"field", "a struct{ Rows [3][]float32 }", "for k := range a.Rows { a.Rows[k][i] = 1 }"},
		{"struct", "a [3]struct { V []float32; N int }", "for k := range a { a[k].V[i] = 1 }"},
		{"struct in a struct", "a [3]struct { In struct { V [2][]float32 }; N int }", "for k := range a { for j := range 2 { a[k].In.V[j][i+k*n] = 1 } }"},
		{"pointer to an array", "a [3]*[8]float32", "for k := range a { a[k][n*k&7] = 1 }"},
		{"literal", "a, b []float32", "for _, row := range [2][]float32{a, b} { row[i] = 1 }"},
		{"table of indices", "a []float32, b [4][]int32", "for k := range b { a[b[k][i]+int32(k*n)] = 1 }"},
		{"slice of a slice", "a []float32", "for k := range 4 { a[k:][n*k] = 1 }"},
		{"slice of slices", "a [][]float32", "for k := range 4 { a[k][n*k] = 1 }"},
		{"field behind a pointer", "a *struct { V []float32 }", "for k := range 4 { a.V[n*k] = 1 }"},
		{"choice", "a, b []float32", "for k := range 4 { c := a; if i > k { c = b }; c[n*k] = 1 }"},
		{"slices swapped", "a, b []float32", "for k := range 4 { a[n*k] = b[n*k+1]; a, b = b, a }"},
		{"result", "a, b []float32", "for k := range 4 { either(a, b, i+k)[n*k] = 1 }"},
		{"slice of an array", "a []float32", "var l [8]float32; for k := range 4 { s := l[k:]; s[n] = 1; a[k] = s[i&3] }"},
		{"nested", "a [3][]float32", "for k := range 3 { for j := range 3 { a[k][j*n+i] = 1 } }"},
		{"nested, of the outer", "a [3][]float32", "for k := range 3 { row := a[k]; for j := 1; j >= -1; j-- { row[j*n+k] = 1 } }"},
		{"at the end", "a [3][]float32", "k := 0; again: a[k][i+n*k] = 1; k++; if k < 3 { goto again }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc either(a, b []float32, n int) []float32 {\n\tif n > 3 {\n\t\treturn a\n\t}\n\treturn b\n}\n\n" +
				"func K(n int, " + c.params + ") {\n\ti := dsl.GlobalIdx().X\n\t_ = i\n\t" + c.body + "\n}\n"
			for _, arch := range []string{"sm_90", "gfx942", "gfx1100", "x86-64-v3"} {
				for _, unchecked := range []bool{false, true} {
					lowered(t, source, arch, Options{NoBounds: unchecked}) // it fails if a value is not there
				}
			}
		})
	}
}

// Indices that a loop loads are loaded ahead of it: at once where they are in range by themselves, and behind the checks of the loads
// where they are not. They are not where the loop stores to what may be the same memory.
func TestLoadsAhead(t *testing.T) {
	const inLoop, inSearch, each = 1, 1, 8 // the search is for the first check that fails
	for _, c := range []struct {
		name, body string
		loads      int // of bytes
	}{
		{"in range", "for _, q := range query[:8] { s += row[q] }", each + inLoop + inSearch},
		{"behind their checks, unrolled", "for k := range 8 { s += row[query[k]] }", 2 * each},
		{"behind their checks", "for k := range 12 { s += row[query[k]] }", 12 + inLoop + 2*inSearch},
		{"stored to", "for k, q := range query[:8] { s += row[q]; query[k] = 0 }", inLoop},
		{"a variable is stored to", "var own [8]int32; for k, q := range query[:8] { own[k] = row[q] }; s = own[n&7]", each + inLoop + inSearch},
	} {
		source := "package p\n\nfunc K(n int, row []int32, query []uint8, out []int32) {\n\tvar s int32\n\t" + c.body + "\n\tout[0] = s\n}\n"
		if got := strings.Count(string(lowered(t, source, "sm_90", Options{}).IR), "= load i8"); got != c.loads {
			t.Errorf("%s: %d loads, want %d", c.name, got, c.loads)
		}
	}
}

// A place that goes on by steps of its own is looked at ahead of the loop, as one that is computed of the loop's variable is: the loop has no
// panic in it.
func TestGoesByItself(t *testing.T) {
	for _, c := range []struct {
		name, body string
		in         bool // the loop has checks
	}{
		{"by the loop's variable", "for k := range 8 { s += in[i+k*n] }", false},
		{"before", "at := i - n; for range 8 { at += n; s += in[at] }", false},
		{"behind", "at := i; for range 8 { s += in[at]; at += n }", false},
		{"down", "at := i; for k := 7; k >= 0; k-- { at -= n; s += in[at] * float32(k) }", false},
		{"by two steps", "at := i; for range 8 { at += n; s += in[at]; at -= m; s += in[at] }", false},
		{"by what grows", "at, by := i, n; for range 8 { at += by; s += in[at]; by += m }", true},
		{"now and then", "at := i; for k := range 8 { if k != m { at += n }; s += in[at] }", true},
		{"32 bits", "at := int32(i); for range 8 { at += int32(n); s += in[at] }", true},
	} {
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n, m int, in, out []float32) {\n\ti := dsl.GlobalIdx().X\n\tvar s float32\n\t" + c.body + "\n\tout[0] = s\n}\n"
		ir := string(lowered(t, source, "sm_90", Options{}).IR)
		ahead, _, _ := strings.Cut(ir, "!llvm.loop")
		if got := strings.Contains(ahead[strings.LastIndex(ahead, " = phi float "):], "icmp uge i64"); got != c.in {
			t.Errorf("%s: checks in the loop: %v, want %v, in\n%s", c.name, got, c.in, ir)
		}
	}
}
