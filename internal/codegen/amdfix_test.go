package codegen

import "testing"

func TestExchangeStores(t *testing.T) {
	for in, want := range map[string]string{
		"  store atomic i32 %1, ptr addrspace(3) @x syncscope(\"agent\") monotonic, align 4, !dbg !5\n":                                         "  %heddle.old.1 = atomicrmw xchg ptr addrspace(3) @x, i32 %1 syncscope(\"agent\") monotonic, align 4, !dbg !5\n",
		"  store atomic float 1.000000e+00, ptr addrspace(3) getelementptr inbounds (%T, ptr addrspace(3) @x, i32 0, i32 5) monotonic, align 4": "  %heddle.old.1 = atomicrmw xchg ptr addrspace(3) getelementptr inbounds (%T, ptr addrspace(3) @x, i32 0, i32 5), float 1.000000e+00 monotonic, align 4",
		"  store i32 %1, ptr %p, align 4":                           "",
		"  store atomic volatile i32 %1, ptr %p monotonic, align 4": "",
		"  store atomic i32 %1, ptr %p seq_cst, align 4":            "",
	} {
		got, ok := exchangeStores(in)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s\nis now %s", in, got)
		}
	}
}
