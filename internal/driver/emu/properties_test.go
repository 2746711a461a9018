package emu

import (
	"testing"

	"heddle/internal/driver"
)

// What LLVM 19 says of kernels of so many vector registers ("; Occupancy:" of its assembly), in
// waves of a SIMD, at the edges where it changes.
func TestWavesPerSIMD(t *testing.T) {
	vgprs := []int{24, 33, 48, 64, 65, 80, 96, 97, 112, 128, 129, 160, 192, 250, 256}
	for _, test := range []struct {
		arch string
		wave int
		want []int
	}{
		{"gfx942", 64, []int{8, 8, 8, 8, 7, 6, 5, 4, 4, 4, 3, 3, 2, 2, 2}},
		{"gfx90a", 64, []int{8, 8, 8, 8, 7, 6, 5, 4, 4, 4, 3, 3, 2, 2, 2}},
		{"gfx1030", 32, []int{16, 16, 16, 16, 12, 12, 10, 9, 9, 8, 7, 6, 5, 4, 4}},
		{"gfx1030", 64, []int{16, 12, 10, 8, 7, 6, 5, 4, 4, 4, 3, 3, 2, 2, 2}},
		{"gfx1100", 32, []int{16, 16, 16, 16, 16, 16, 16, 12, 12, 10, 10, 9, 8, 5, 5}},
		{"gfx1100", 64, []int{16, 16, 16, 10, 10, 9, 8, 7, 6, 5, 5, 4, 4, 3, 2}},
		{"gfx1201", 32, []int{16, 16, 16, 16, 16, 16, 16, 12, 12, 10, 10, 9, 8, 5, 5}},
		{"gfx1201", 64, []int{16, 16, 16, 10, 10, 9, 8, 7, 6, 5, 5, 4, 4, 3, 2}},
	} {
		for i, n := range vgprs {
			if got := chipOf(test.arch).wavesPerSIMD(test.wave, n, 20); got != test.want[i] {
				t.Errorf("%s, waves of %d, %d registers: %d waves, want %d", test.arch, test.wave, n, got, test.want[i])
			}
		}
	}
	if n := chipOf("gfx90a").wavesPerSIMD(64, 8, 102); n != 7 {
		t.Errorf("102 scalar registers: %d waves, want 7", n)
	}
}

func TestOccupancy(t *testing.T) {
	for _, test := range []struct {
		arch                            string
		wave, threads, vgprs, lds, want int
	}{
		{"gfx942", 64, 64, 24, 0, 32},
		{"gfx942", 64, 128, 24, 0, 16}, // barriers
		{"gfx942", 64, 256, 24, 0, 8},  // slots
		{"gfx942", 64, 256, 128, 0, 4}, // registers
		{"gfx942", 64, 256, 24, 20000, 3},
		{"gfx942", 64, 1000, 24, 0, 2},
		{"gfx1100", 32, 256, 24, 0, 4},
		{"gfx1100", 32, 32, 24, 65536, 1},
	} {
		if got := chipOf(test.arch).occupancy(test.wave, test.threads, test.vgprs, 20, test.lds, 64<<10); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// Each emulated processor has a chip, and the engine describes it.
func TestProperties(t *testing.T) {
	for i, c := range processors {
		if chips[i].arch != c.arch {
			t.Errorf("chip %d is %s, the processor %s", i, chips[i].arch, c.arch)
		}
	}
	var p driver.Properties
	(&engine{info: info(processors[1], 64)}).Describe(&p)
	for at, want := range map[driver.Property]int{
		driver.CapabilityMajor: 9, driver.CapabilityMinor: 0, driver.MaxThreadsPerUnit: 2048,
		driver.RegistersPerUnit: 131072, driver.SingleToDouble: 1,
	} {
		if p.Values[at] != want {
			t.Errorf("property %d is %d, want %d", at, p.Values[at], want)
		}
	}
	if n := archNumber("gfx90a"); n != 910 {
		t.Errorf("gfx90a is number %d", n)
	}
	if n := archNumber("gfx1100"); n != 1100 {
		t.Errorf("gfx1100 is number %d", n)
	}
}
