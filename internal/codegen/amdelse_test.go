package codegen

import (
	"math"
	"strings"
	"testing"
)

// elseModule is a kernel that comes to its end with %x by way of %other, to which two branches lead.
const elseModule = `  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %v = load volatile i64, ptr addrspace(1) %pa
  %h = load volatile i32, ptr addrspace(1) %pa
  %s = load volatile i16, ptr addrspace(1) %pa
  %vv = load volatile <2 x i32>, ptr addrspace(1) %pa
  BEFORE
  br label %begin
FIRST
SECOND
THIRD
end:
  %r = phi TYPE [ %x, %other ], [ 7, %then ]
  RESULT
  store i64 %o, ptr addrspace(1) %p
  ret void
}
`

const (
	beginBlock = "begin:\n  %c = icmp ult i64 %a, 50\n  br i1 %c, label %other, label %then"
	elseBlock  = "other:\n  VALUE\n  br label %end"
	thenBlock  = "then:\n  store volatile i64 5, ptr addrspace(1) %p\n  %d = icmp ult i64 %b, 9\n  br i1 %d, label %other, label %end"
)

var elseTests = []struct {
	name, value, typ, result string
	want                     func(v uint64) uint64
	other                    uint64 // of those that do not come by %other
}{
	{"lower half", "%x = trunc i64 %v to i32", "i32", "%n = mul i32 %r, 3\n  %o = zext i32 %n to i64", func(v uint64) uint64 { return uint64(uint32(v) * 3) }, 21},
	{"element", "%x = extractelement <2 x i32> %vv, i32 1", "i32", "%n = mul i32 %r, 3\n  %o = zext i32 %n to i64", func(v uint64) uint64 { return uint64(uint32(v>>32) * 3) }, 21},
	{"extended", "%x = zext i32 %h to i64", "i64", "%o = mul i64 %r, 3", func(v uint64) uint64 { return uint64(uint32(v)) * 3 }, 21},
	{"float", "%x = bitcast i32 %h to float", "float", "%n = fmul float %r, 3.0\n  %m = bitcast float %n to i32\n  %o = zext i32 %m to i64",
		func(v uint64) uint64 { return uint64(math.Float32bits(math.Float32frombits(uint32(v)) * 3)) }, uint64(math.Float32bits(21))},
	{"half", "%x = bitcast i16 %s to half", "half", "%m = bitcast half %r to i16\n  %o = zext i16 %m to i64", func(v uint64) uint64 { return uint64(uint16(v)) }, 0x4700},
	{"condition", "%x = trunc i64 %v to i1", "i1", "%o = select i1 %r, i64 33, i64 44", func(v uint64) uint64 { return 44 - v&1*11 }, 33},
}

// Lanes bring what costs nothing to the end from where they come, whichever branch they come by.
func TestElse(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(i) * 0x100000001, uint64(i)*7%18 | 0x3f8000<<24}
		if i%2 == 0 {
			in[i][0], in[i][1] = uint64(i), uint64(i)*7%18
		}
	}
	for _, test := range elseTests {
		for _, order := range []*strings.Replacer{ // LLVM looks at the last branch in the text first
			strings.NewReplacer("FIRST", beginBlock, "SECOND", elseBlock, "THIRD", thenBlock),
			strings.NewReplacer("FIRST", thenBlock, "SECOND", elseBlock, "THIRD", beginBlock),
			strings.NewReplacer("FIRST", elseBlock, "SECOND", thenBlock, "THIRD", beginBlock),
		} {
			for _, where := range []string{"BEFORE", "VALUE"} {
				text := order.Replace(elseModule)
				text = strings.NewReplacer(where, test.value, "BEFORE", "", "VALUE", "", "TYPE", test.typ, "RESULT", test.result).Replace(text)
				switch test.typ {
				case "float", "half":
					text = strings.Replace(text, "[ 7, ", "[ 7.0, ", 1)
				case "i1":
					text = strings.Replace(text, "[ 7, ", "[ true, ", 1)
				}
				for _, arch := range []string{"gfx906", "gfx942", "gfx1030", "gfx1201"} {
					for _, passes := range []string{"default<O0>", "default<O3>"} {
						if !cpus.Get()[arch].has(major) {
							continue
						}
						r, out := request(inputsHead+text, "k", arch), make([]uint64, threads)
						r.Passes = passes
						if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
							t.Fatalf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
						}
						for i, in := range in {
							want := test.other
							if in[0] < 50 || in[1] < 9 {
								want = test.want(in[0])
							}
							if out[i] != want {
								t.Errorf("LLVM %d, %s, %s, %s: %#x of %#x, want %#x", major, arch, passes, test.name, out[i], in[:2], want)
								break
							}
						}
					}
				}
			}
		}
	}
}
