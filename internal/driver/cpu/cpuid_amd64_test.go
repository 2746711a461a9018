package cpu

import (
	"testing"

	"golang.org/x/sys/cpu"
)

func TestX86Level(t *testing.T) {
	x := &cpu.X86
	want := 1
	if x.HasSSE3 && x.HasSSSE3 && x.HasSSE41 && x.HasSSE42 && x.HasPOPCNT && x.HasCX16 && x.HasLAHF {
		want = 2
		if x.HasAVX && x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasF16C && x.HasFMA && x.HasLZCNT && x.HasMOVBE && x.HasOSXSAVE {
			want = 3
			if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL {
				want = 4
			}
		}
	}
	if got := x86Level(); got != want {
		t.Errorf("x86-64-v%d, want %d", got, want)
	}
}
