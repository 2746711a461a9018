package codegen

import (
	"fmt"
	"testing"
)

// Five, nine and ten int16, of which some lanes are those of a vector that is computed, and
// the others anything, are the right ones: taken by index and by number, and all stored.
func TestOddLanes(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i] = [4]uint64{uint64(3*i + 1), uint64(1000 - 7*i), uint64(i % 3), 5}
	}
	for _, lanes := range []int{5, 9, 10} {
		mask := "i32 0, i32 poison, i32 1, i32 3, i32 poison"
		for range lanes - 5 {
			mask += ", i32 poison"
		}
		for _, arch := range []string{"gfx90a", "gfx942", "gfx1030", "gfx1100"} {
			if !cpus.Get()[arch].has(major) {
				continue
			}
			for _, use := range []string{"%twice", "0", "2", "3"} {
				r := request(inputsHead+fmt.Sprintf(`  %%p = getelementptr i64, ptr addrspace(1) %%out, i64 %%i
  %%odd = and i64 %%i, 1
  %%twice = mul i64 %%odd, 2
  %%x = trunc i64 %%a to i16
  %%y = trunc i64 %%b to i16
  %%v0 = insertelement <2 x i16> poison, i16 %%x, i64 0
  %%v = insertelement <2 x i16> %%v0, i16 %%y, i64 1
  %%m = mul <2 x i16> %%v, %%v
  %%s = shufflevector <2 x i16> %%m, <2 x i16> <i16 7, i16 8>, <%[1]d x i32> <%[2]s>
  %%e = extractelement <%[1]d x i16> %%s, i64 %[3]s
  %%r = zext i16 %%e to i64
  store i64 %%r, ptr addrspace(1) %%p
  ret void
}
`, lanes, mask, use), "k", arch)
				r.Passes = "default<O0>"
				out := make([]uint64, threads)
				if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
					t.Errorf("LLVM %d, %s, %d lanes, lane %s: %v", major, arch, lanes, use, err)
					continue
				}
				for i := range in {
					want := uint64(uint16(in[i][0] * in[i][0]))
					switch {
					case use == "2" || use == "%twice" && i&1 == 1:
						want = uint64(uint16(in[i][1] * in[i][1]))
					case use == "3":
						want = 8
					}
					if out[i] != want {
						t.Errorf("LLVM %d, %s, %d lanes, lane %s, thread %d: %d, want %d", major, arch, lanes, use, i, out[i], want)
						break
					}
				}
			}
		}
	}
}

func TestPlaceLanes(t *testing.T) {
	for in, want := range map[string]string{
		"  %1 = shufflevector <2 x i16> %m, <2 x i16> <i16 7, i16 8>, <5 x i32> <i32 1, i32 poison, i32 3, i32 poison, i32 poison>, !dbg !5": `  %heddle.odd.1 = extractelement <2 x i16> %m, i64 1, !dbg !5
  %heddle.odds.1 = insertelement <5 x i16> poison, i16 %heddle.odd.1, i64 0, !dbg !5
  %heddle.odd.2 = extractelement <2 x i16> <i16 7, i16 8>, i64 1, !dbg !5
  %heddle.odds.2 = insertelement <5 x i16> %heddle.odds.1, i16 %heddle.odd.2, i64 2, !dbg !5
  %1 = bitcast <5 x i16> %heddle.odds.2 to <5 x i16>, !dbg !5`,
		"  %1 = shufflevector <2 x i16> %m, <2 x i16> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>": "",
		"  %1 = shufflevector <2 x i16> %m, <2 x i16> poison, <3 x i32> zeroinitializer":                        "",
		"  %1 = shufflevector <2 x i32> %m, <2 x i32> poison, <5 x i32> zeroinitializer":                        "",
		"  %1 = shufflevector <2 x i16> %m, <2 x i16> poison, <5 x i32> poison":                                 "",
	} {
		got, ok := placeLanes(in)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s\nis now\n%s", in, got)
		}
	}
}
