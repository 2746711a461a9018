package ssa2ir

import (
	"testing"

	"heddle/internal/abi"
)

// TestAccessors says whether the host is asked for indices by what arrays of passed structures hold, which are int64s.
func TestAccessors(t *testing.T) {
	const accessor = "package p\n\nimport \"heddle/dsl\"\n\ntype accessor struct { data []float32; sizes, strides [2]int64 }\n\n" +
		"func (t *accessor) at(y, x int) *float32 { return &t.data[y*int(t.strides[0])+x*int(t.strides[1])] }\n\n"
	for _, c := range []struct {
		name, source string
		known        bool
	}{
		{"strides", accessor + "func K(in, out accessor) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x < int(out.sizes[1]) && y < int(out.sizes[0]) {\n\t\t*out.at(y, x) = *in.at(y, x)\n\t}\n}\n", true},
		{"of a variable", accessor + "func K(in, out accessor, d int) {\n\tx := dsl.GlobalIdx().X\n\tif x < int(out.sizes[0]) {\n\t\tout.data[x*int(out.strides[d])] = in.data[0]\n\t}\n}\n", false},
		{"int64", "package p\n\nimport \"heddle/dsl\"\n\nfunc K(w, h int64, out []float32) {\n\tx, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y\n\tif x < int(w) && y < int(h) {\n\t\tout[y*int(w)+x] = 1\n\t}\n}\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := lowered(t, c.source, "sm_90", Options{Conditional: true})
			if got := checks(res.IR) == 0; got != c.known {
				t.Errorf("%d checks, known: %v\n%s", checks(res.IR), c.known, res.IR)
			}
		})
	}
}

// TestDataStay says that an int64 that no index is made of may be any.
func TestDataStay(t *testing.T) {
	source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(key int64, out []int64) {\n\tif x := dsl.GlobalIdx().X; x < len(out) {\n\t\tout[x] = key ^ out[x]\n\t}\n}\n"
	res := lowered(t, source, "sm_90", Options{Conditional: true})
	for _, s := range res.Condition {
		if (s.Op == abi.StepArg || s.Op == abi.StepSigned) && s.X == 0 {
			t.Errorf("the host is asked for the key: %v", res.Condition)
			break
		}
	}
}
