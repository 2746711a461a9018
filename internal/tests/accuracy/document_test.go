package accuracy

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const head = `# Accuracy of the mathematics

The errors of package dsl's mathematical functions, in units of the last place (ulp), as measured by
internal/tests/accuracy. The first number of a cell is the greatest error that was met, over samples of HIP's
range for the function and of a wider one. The number in brackets is HIP's own measure, an integer: how many floats lie
between result and correctly rounded value where the absolute error in HIP's range is greatest; "HIP" is the bound that HIP's math
API page publishes for that ("-" where it has none). A test fails where a device is outside that bound, or above the number in
"at most", which is near that of CUDA's and OpenCL's documents. On the simulator Acos, Cos, Exp10, Sin and Tan of float64 are Go's own, and may be
further off, for large arguments and beside zeros (goULPs in bounds.go).

Functions that are not here are exact or rounded correctly on every device, and a test compares them bit for bit: Abs, Ceil,
Copysign, Fdim, Fdivide, Floor, Fma, Frexp, Ilogb, Ldexp, Llrint, Llround, Logb, Lrint, Lround, Max, Min, Mod, Modf, Nearbyint, Nextafter, Remainder,
Remquo, Rint, Round, Scalbln, Scalbn, Sqrt, Trunc, RsqrtRn and all that end in Rn, Rd, Ru or Rz.

Of Bessel's functions and Lgamma, results below 0.1 count in units of the last place of 0.1: beside their zeros the error is
absolute. The fast functions are those of HIP's range alone.

The columns are the simulator, the cpu device, two of AMD's processors under the emulator with the mathematics of ROCm, and
an NVIDIA H100 with that of CUDA 13 (internal/tests/accuracy/testdata/nvidia.txt). FastSin and FastCos are
there outside HIP's numbers, which are of AMD's GPUs: CUDA bounds their absolute errors, by about 2^-21.

This file is generated: go test ./internal/tests/accuracy -update.

| function | type | HIP | at most | sim | cpu | gfx942 | gfx1100 | NVIDIA |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

func document(columns map[string]map[key]result) string {
	var b strings.Builder
	b.WriteString(head)
	number := func(x float64) string {
		if x <= 0 {
			return "-"
		}
		return fmt.Sprint(x)
	}
	for _, k := range keys() {
		l := limits[k.name]
		hip := "-"
		if h := l.hip[k.bits/32-1]; h >= 0 {
			hip = fmt.Sprint(h)
		}
		fmt.Fprintf(&b, "| `%s` | float%d | %s | %s |", k.name, k.bits, hip, number(l.most[k.bits/32-1]))
		for _, dev := range devices {
			if r, ok := columns[dev][k]; ok {
				fmt.Fprintf(&b, " %.2f (%g) |", r.most, r.hip)
			} else {
				b.WriteString(" not measured |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// The document has a line for each function, and its numbers are within the limits that stand beside them.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/math.md")
	if err != nil {
		t.Skip("it is written with -update:", err)
	}
	have := strings.Split(string(text), "\n")
	for i, line := range strings.Split(strings.TrimSuffix(document(nil), "\n"), "\n") {
		want := line
		if strings.HasPrefix(line, "| `") {
			want, _, _ = strings.Cut(line, " not measured")
		}
		if i >= len(have) || !strings.HasPrefix(have[i], want) {
			t.Errorf("docs/math.md is out of date at line %d: go test ./internal/tests/accuracy -update", i+1)
			break
		}
	}
}
