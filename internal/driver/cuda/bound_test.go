package cuda

import "testing"

func TestBound(t *testing.T) {
	const of = ".entry A(\n\t.param .u64 a\n)\n{\n\tret;\n}\n.func f()\n{\n\tret;\n}\n.visible .entry B()\n.maxntid 256, 1, 1\n{\n\tret;\n}\n.entry C()\n{\n\tgriddepcontrol.wait;\n\tret;\n}\n"
	const want = ".entry A(\n\t.param .u64 a\n)\n.maxntid 1024, 1, 1\n{\n\tret;\n}\n.func f()\n{\n\tret;\n}\n.visible .entry B()\n.maxntid 256, 1, 1\n{\n\tret;\n}\n.entry C()\n.maxntid 1024, 1, 1\n{\n\tgriddepcontrol.wait;\n\tret;\n}\n"
	if got := string(bound([]byte(of), 1024)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(bound([]byte("no kernel"), 1024)); got != "no kernel" {
		t.Errorf("got %q", got)
	}
}
