package ssa2ir

import (
	"strings"
	"testing"

	"heddle/internal/abi"
)

// TestShortAddresses says of which slices an access is by 32 bits on AMD's GPUs, and of which lengths the condition then holds.
func TestShortAddresses(t *testing.T) {
	const bytes = 1 << 32
	for _, c := range []struct {
		name, body  string
		short, wide int   // accesses, with that of out[0]
		table, in   int64 // the lengths of which it does not hold any more; 0: of any
	}{
		{"gathered", "s += in[table[i]]", 3, 0, bytes / 8, bytes / 4},
		{"one slice", "s += float32(table[table[i]])", 3, 0, bytes / 8, 0},
		{"written", "in[table[i]] = s", 3, 0, bytes / 8, bytes / 4},
		{"rows", "s += in[table[i]*n+i]", 3, 0, bytes / 8, bytes / 4},
		{"structs", "s += float32(pairs[table[i]].b)", 3, 0, bytes / 8, 0},
		{"neighbours", "k := table[i]; s += in[k] + in[k+1] + in[k-1]", 5, 0, bytes / 8, bytes / 4},
		{"neighbours alone", "k := table[i]; s += in[k+1] + in[k-1]", 2, 2, bytes / 8, bytes / 4},
		{"one neighbour", "k := table[i]; s += in[k+1]", 3, 0, bytes / 8, bytes / 4},
		{"a neighbour on another way", "k := table[i]; if k > 3 { s += in[k] }; s += in[k+1]", 2, 2, bytes / 8, bytes / 4},
		{"a part of a slice", "s += in[i:][table[i]]", 3, 1, bytes / 8, bytes / 4},
		{"what a part begins with", "x := in[table[i]:]; s += x[0] + x[1]", 2, 3, bytes / 8, bytes / 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\ntype pair struct{ a, b int }\n\nfunc K(n int, in []float32, table []int, pairs []pair, out []float32) {\n\tvar s float32\n\ti := dsl.GlobalIdx().X\n\tif i >= n {\n\t\treturn\n\t}\n\t" +
				c.body + "\n\tdsl.AtomicAdd(&out[0], s)\n}\n"
			for _, arch := range []string{"gfx942", "gfx1100", "sm_90"} {
				res := lowered(t, source, arch, Options{Conditional: true})
				if res.Condition == nil {
					t.Fatalf("%s: there is no condition", arch)
				}
				short, wide := strings.Count(string(res.IR), "= mul nuw i32"), strings.Count(string(res.IR), "getelementptr inbounds float, ptr")
				if arch == "sm_90" {
					if short > 0 {
						t.Errorf("sm_90: %d accesses are short", short)
					}
				} else if short != c.short || wide != c.wide {
					t.Errorf("%s: %d accesses are short and %d are not, want %d and %d", arch, short, wide, c.short, c.wide)
				}
				holds := func(table, in int64) bool {
					block := argBlock(1, apart, in, in, apart, table, table, apart, 8, 8, apart, 8, 8)
					return res.Condition.Holds(&abi.Launch{Args: block, Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1}})
				}
				if !holds(8, 8) {
					t.Errorf("%s: the condition does not hold of small slices", arch)
				}
				if arch == "sm_90" {
					continue
				}
				for _, limit := range []struct{ table, in int64 }{{c.table, 8}, {8, c.in}} {
					if limit.table != 0 && limit.in != 0 && (!holds(max(limit.table-1, 8), max(limit.in-1, 8)) || holds(limit.table, limit.in)) {
						t.Errorf("%s: the condition is another one at %v", arch, limit)
					}
				}
			}
		})
	}
}
