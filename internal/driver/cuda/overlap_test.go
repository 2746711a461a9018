package cuda

import (
	"strings"
	"testing"
)

func TestWaits(t *testing.T) {
	const one = ".visible .entry a(\n\t.param .u64 a_param_0\n)\n.maxntid 32, 1, 1\n{\n\t.reg .b32 \t%r<2>;\n\tret;\n}\n"
	const function = ".func helper(\n)\n{\n\tret;\n}\n"
	head := func(target string) string { return "//\n.version 7.8\n.target " + target + "\n.address_size 64\n\n" }
	for _, c := range []struct {
		ptx   string
		waits int
	}{
		{head("sm_90") + one, 1},
		{head("sm_90a") + function + one + function + one, 2},
		{head("sm_120, debug") + one, 1},
		{head("sm_89") + one, 0},
		{head("sm_90") + function, 0},
		{head("sm_90") + ".entry a()", 0},
		{one, 0},
		{"", 0},
	} {
		got := string(waits([]byte(c.ptx)))
		if n := strings.Count(got, "griddepcontrol.wait;"); n != c.waits {
			t.Errorf("%d kernels wait, want %d:\n%s", n, c.waits, got)
		}
		if c.waits > 0 && strings.ReplaceAll(got, "\n\tgriddepcontrol.wait;", "") != c.ptx {
			t.Errorf("the rest has changed:\n%s", got)
		}
	}
}
