package ssa2ir

import (
	"regexp"
	"slices"
	"testing"
)

// An aggregate that is passed is parameters on GPUs, at the places that the signature tells: as many, and with what fills its end. One whose
// first part has not its alignment, or that is large, is in argument memory.
func TestPartParams(t *testing.T) {
	for _, c := range []struct {
		name, params string
		want         []string // the types of LLVM's parameters
		places       []int
	}{
		{"padding at the end", "a struct { X []float32; N int32 }, b int32", []string{"ptr", "i64", "i64", "i32", "i32", "i32"}, []int{0, 8, 16, 24, 28, 32}},
		{"padding of seven bytes", "a struct { X int; B bool }, b uint8", []string{"i64", "i8", "i8", "i16", "i32", "i8"}, []int{0, 8, 9, 10, 12, 16}},
		{"padding within", "a struct { X int32; Y struct { A int32; B int16; C complex64 } }", []string{"i32", "i32", "i16", "float", "float"}, []int{0, 4, 8, 12, 16}},
		{"behind another", "b int8, a struct { X [2]int16; P *float64 }", []string{"i8", "ptr"}, []int{0, 8}},
		{"less aligned", "b int8, a struct { X int32; N int }", []string{"i8", "ptr"}, []int{0, 8}},
		{"empty parts", "a struct { _ struct{}; X float64; Y [0]int }", []string{"double", "i64"}, []int{0, 8}},
		{"seven slices", "a struct { A, B, C, D, E, F, G []int }", slices.Repeat([]string{"ptr", "i64", "i64"}, 7), nil},
		{"slices in an array", "a [9][]int", slices.Repeat([]string{"ptr", "i64", "i64"}, 9), nil},
		{"many slices in an array", "a [17][]int", []string{"ptr"}, []int{0}},
		{"large", "a [40]float32", []string{"ptr"}, []int{0}},
	} {
		source := "package p\n\nfunc K(out []int8, " + c.params + ") { out[0] = 1 }\n"
		for _, arch := range []string{"sm_90", "gfx942"} {
			res := lowered(t, source, arch, Options{})
			head := regexp.MustCompile(`define \w+ void @p_K\((.*?)\) convergent`).FindSubmatch(res.IR)
			if head == nil {
				t.Fatalf("%s: %s", c.name, res.IR)
			}
			var got []string
			for _, m := range regexp.MustCompile(`(?:^|, )(ptr|i\d+|float|double)\b[^%]* %`).FindAllSubmatch(head[1], -1) {
				got = append(got, string(m[1]))
			}
			if got = got[3:]; !slices.Equal(got, c.want) { // less those of out
				t.Errorf("%s, %s: parameters are %v, want %v", c.name, arch, got, c.want)
			}
		}
		prog, err := Check(kernelOf(t, buildSource(t, "k.go", source), "K"))
		if err != nil {
			t.Fatal(err)
		}
		places := prog.Sig.Places()[3:]
		for i := range places {
			places[i] -= 24
		}
		if c.places != nil && !slices.Equal(places, c.places) || len(places) != len(c.want) {
			t.Errorf("%s: places are %v, want %v", c.name, places, c.places)
		}
	}
}
