package codegen

import (
	"fmt"
	"strings"
	"testing"
)

// Addresses that a store each uses, far behind them, are computed where it stands, and others stay.
func TestLateAddresses(t *testing.T) {
	const far = lateLines + 8
	for _, c := range []struct {
		name      string
		addresses int
		between   int    // instructions from there to the stores
		use       string // of the first address ahead of these
		loop      bool   // the stores are in one
		want      int    // addresses behind what is between
	}{
		{"far", 6, far, "", false, 6},
		{"near", 6, 8, "", false, 0},
		{"few", lateMost - 1, far, "", false, 0},
		{"one is loaded from", 6, far, "  %l = load float, ptr addrspace(1) %q0, align 4\n", false, 5},
		{"one is handed on", 6, far, "  %l = ptrtoint ptr addrspace(1) %q0 to i64\n", false, 5},
		{"in a loop", 6, far, "", true, 0},
	} {
		var b strings.Builder
		b.WriteString("\ndefine ptx_kernel void @k(ptr addrspace(1) %out, i64 %i, float %x0) {\nentry:\n")
		for k := range c.addresses {
			fmt.Fprintf(&b, "  %%q%d = getelementptr float, ptr addrspace(1) %%out, i64 %%i\n", k)
		}
		b.WriteString(c.use)
		for k := range c.between {
			fmt.Fprintf(&b, "  %%x%d = fadd float %%x%d, 1.0\n", k+1, k)
		}
		b.WriteString("  br label %stores\n\nstores:\n")
		for k := range c.addresses {
			fmt.Fprintf(&b, "  store float %%x%d, ptr addrspace(1) %%q%d, align 4\n", c.between, k)
		}
		if c.loop {
			b.WriteString("  br i1 undef, label %stores, label %end\n\nend:\n")
		}
		b.WriteString("  ret void\n}\n")
		text, ok := lateAddresses(b.String())
		if ok != (c.want > 0) {
			t.Errorf("%s: changed: %v", c.name, ok)
		}
		_, behind, _ := strings.Cut(text, "\nstores:\n")
		if got := strings.Count(behind, "getelementptr"); got != c.want {
			t.Errorf("%s: %d addresses with the stores, want %d:\n%s", c.name, got, c.want, text)
		}
		if got := strings.Count(text, "getelementptr"); got != c.addresses {
			t.Errorf("%s: %d addresses of %d", c.name, got, c.addresses)
		}
	}
}
