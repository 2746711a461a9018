package ssa2ir

import (
	"regexp"
	"strings"
	"testing"
)

// An index that is the sum of an integer of 32 bits from memory and another one is compared in 32 bits. One whose lower half may be in range where it
// is not itself is compared in 64.
func TestLowIndices(t *testing.T) {
	for _, c := range []struct {
		name, index  string
		short, whole int // checks in 32 bits, and in 64
	}{
		{"loaded", "int(c[i])", 1, 0},
		{"and a place", "int(c[i])+i", 1, 0},
		{"and a whole part", "int(c[i])+i/n*n", 1, 0},
		{"twice", "int(c[i])+int(c[i+1])", 0, 1},
		{"and one less", "int(c[i])-i", 0, 1},
		{"twice, and a place", "int(c[i])+int(c[i+1])+i", 0, 1},
		{"a product", "int(c[i])*n", 0, 1},
		{"of 64 bits", "d[i]", 0, 1},
		{"without sign", "int(uint32(c[i]))", 1, 0},
		{"without sign, and a place", "int(uint32(c[i]))+i", 0, 1},
		{"a greater one behind another, one check", "k]*a[k+more", 0, 2}, // and one on the way to the panic,
		{"together", "i/n*n+i%n", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32, c []int32, d []int) {\n\ti := dsl.GlobalIdx().X\n\tif i+1 < min(len(c), len(d), len(a)) {\n\t\tk, more := int(uint64(d[i])>>24), int(uint16(c[i]))\n\t\ta[0] = float32(k+more)\n\t\ta[0] = a[" + c.index + "]\n\t}\n}\n"
			for _, arch := range []string{"sm_90", "gfx942"} {
				ir := string(lowered(t, source, arch, Options{Conditional: true}).IR)
				count := func(bits string) int {
					return len(regexp.MustCompile(`icmp uge i`+bits+` %`).FindAllString(ir, -1))
				}
				if s, w := count("32"), count("64"); s != c.short || w != c.whole {
					t.Errorf("%s: %d checks of 32 bits and %d of 64, want %d and %d\n%s", arch, s, w, c.short, c.whole, ir)
				}
			}
		})
	}
}

// On AMD's GPUs an index of 32 bits or fewer is compared as it is. NVIDIA's compare it in 64, and so do others where a slice may have 1<<31 elements.
func TestNarrowIndices(t *testing.T) {
	for _, c := range []struct{ arch, typ, index string }{
		{"gfx942", "int32", "32"}, {"gfx1100", "int32", "32"}, {"gfx942", "uint32", "32"}, {"gfx942", "int16", "32"},
		{"gfx942", "uint64", "64"}, {"sm_90", "int32", "64"}, {"gfx942 whole", "int32", "64"},
	} {
		arch, whole, _ := strings.Cut(c.arch, " ")
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32, c []" + c.typ + ") {\n\tif i := dsl.GlobalIdx().X; i < len(c) {\n\t\ta[c[i]] = 1\n\t}\n}\n"
		ir := string(lowered(t, source, arch, Options{Conditional: whole == ""}).IR)
		for _, bits := range []string{"32", "64"} {
			if n := len(regexp.MustCompile(`icmp uge i`+bits+` %`).FindAllString(ir, -1)); (n > 0) != (bits == c.index) {
				t.Errorf("%s, %s: %d checks of %s bits\n%s", c.arch, c.typ, n, bits, ir)
			}
		}
	}
}

// Where a part of a slice ends is compared with a capacity below 1<<31 in 32 bits, on AMD's GPUs, if it is of 32 bits itself.
func TestNarrowParts(t *testing.T) {
	for _, c := range []struct {
		arch, part string
		bits       string
	}{
		{"gfx942", "a[c[i]:c[i+1]]", "32"}, {"sm_90", "a[c[i]:c[i+1]]", "64"}, {"gfx942", "a[c[i]:d[i]]", "64"},
		{"gfx942", "a[c[i]:c[i+1]:d[i]]", "64"}, {"gfx942 whole", "a[c[i]:c[i+1]]", "64"},
	} {
		arch, whole, _ := strings.Cut(c.arch, " ")
		source := "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32, c []int32, d []int) {\n\tif i := dsl.GlobalIdx().X; i+1 < min(len(c), len(d)) {\n\t\tpart := " + c.part + "\n\t\tpart[i] = part[n]\n\t}\n}\n"
		ir := string(lowered(t, source, arch, Options{Conditional: whole == ""}).IR)
		m := regexp.MustCompile(`icmp ugt i(32|64) %`).FindStringSubmatch(ir)
		if m == nil || m[1] != c.bits {
			t.Errorf("%s: %s is compared in %v\n%s", c.arch, c.part, m, ir)
		}
	}
}

// On NVIDIA's GPUs the address of an index that was compared in 64 bits is made of its lower half, where the slice has less than 1<<31 elements.
func TestShortenedIndices(t *testing.T) {
	const source = "package p\n\nimport \"heddle/dsl\"\n\nfunc K(n int, a []float32, d []int) {\n\tif i := dsl.GlobalIdx().X; i < len(d) {\n\t\ta[d[i]] = 1\n\t}\n}\n"
	address := regexp.MustCompile(`%(\d+) = trunc i64 %\d+ to i32.*\n\s*%(\d+) = zext i32 %(\d+) to i64.*\n\s*%\d+ = getelementptr inbounds float, ptr %\d+, i64 %(\d+)`)
	for _, c := range []struct {
		arch        string
		conditional bool
		want        bool
	}{{"sm_90", true, true}, {"sm_90", false, false}, {"gfx942", true, false}} {
		ir := string(lowered(t, source, c.arch, Options{Conditional: c.conditional}).IR)
		m := address.FindStringSubmatch(ir)
		if got := m != nil && m[1] == m[3] && m[2] == m[4]; got != c.want {
			t.Errorf("%s, conditional %v: made of the lower half: %v, want %v\n%s", c.arch, c.conditional, got, c.want, ir)
		}
	}
}
