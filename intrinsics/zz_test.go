package intrinsics

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"heddle/internal/codegen"
	"heddle/internal/target"
)

func TestZZ(t *testing.T) {
	row := os.Getenv("ROW")
	if row == "" {
		t.Skip()
	}
	for _, cpu := range strings.Fields(os.Getenv("CPU")) {
		w := 0
		if c, ok := strings.CutSuffix(cpu, "w64"); ok {
			cpu, w = c, 64
		}
		m, err := target.For(cpu, w)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("CO") != "" {
			m.CodeObject = 4
		}
		m.MathLib = os.Getenv("MATHLIB") != ""
		k := newKernel(m, "zz")
		for _, r := range strings.Fields(row) {
			k.everyType(t, r, functions(t)[r], table[r])
		}
		k.Ret(nil)
		k.M.T.Finish(k.M, k.F, target.KernelInfo{FastAtomics: os.Getenv("FAST") != ""})
		r := k.request()
		if os.Getenv("IR") != "" {
			s, err := codegen.OptimisedIR(r)
			fmt.Println(s, err)
			continue
		}
		s, err := codegen.Assembly(r)
		if err != nil {
			t.Error(err)
		}
		a, b := strings.Index(s, "k_zz:"), strings.Index(s, "s_endpgm")
		if a > 0 && b > a {
			s = s[a:b]
		}
		fmt.Println("=====", cpu)
		fmt.Println(s)
	}
}
