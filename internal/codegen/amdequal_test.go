package codegen

import (
	"math"
	"strings"
	"testing"
)

// unequalTests give %r of the floats %x and %y: y where x is less or greater than 2.7, else 2.7. $T is their type, $K the 2.7.
var unequalTests = []struct{ name, code string }{
	{"one comparison", "%c = fcmp one $T %x, $K\n  %r = select i1 %c, $T %y, $T $K"},
	{"the constant first", "%c = fcmp one $T $K, %x\n  %r = select i1 %c, $T %y, $T $K"},
	{"two comparisons", "%l = fcmp olt $T %x, $K\n  %g = fcmp ogt $T %x, $K\n  %c = or i1 %l, %g\n  %r = select i1 %c, $T %y, $T $K"},
	{"the opposite", "%d = fcmp ueq $T %x, $K\n  %c = xor i1 %d, true\n  %r = select i1 %c, $T %y, $T $K"},
	{"the opposite chosen", "%c = fcmp ueq $T %x, $K\n  %r = select i1 %c, $T $K, $T %y"},
	{"of two", "%x1 = insertelement <2 x $T> poison, $T %x, i32 0\n  %xx = insertelement <2 x $T> %x1, $T %x, i32 1\n  %y1 = insertelement <2 x $T> poison, $T %y, i32 0\n  %yy = insertelement <2 x $T> %y1, $T %y, i32 1\n  %c = fcmp one <2 x $T> %xx, <$T $K, $T $K>\n  %rr = select <2 x i1> %c, <2 x $T> %yy, <2 x $T> <$T $K, $T $K>\n  %r = extractelement <2 x $T> %rr, i32 1"},
}

// What is not unequal to a constant may be a NaN.
func TestUnequal(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	for _, test := range unequalTests {
		for _, typ := range []string{"float", "double"} {
			for _, arch := range []string{"gfx906", "gfx942", "gfx1100", "gfx1201"} {
				for _, uniform := range []string{"", "u"} {
					if !cpus.Get()[arch].has(major) {
						continue
					}
					in, out := make([][4]uint64, threads), make([]uint64, threads)
					const k = 0x4005BF09A0000000 // of 32 bits too
					for i := range in {
						x := [...]float64{math.NaN(), 1, math.Float64frombits(k), 3, math.Inf(1)}[i%5]
						in[i] = [4]uint64{math.Float64bits(x), math.Float64bits(float64(i)), math.Float64bits(math.NaN()), math.Float64bits(8)}
					}
					code := "  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i\n  %xd = bitcast i64 %" + uniform + "a to double\n  %yd = bitcast i64 %" + uniform + "b to double\n"
					if typ == "float" {
						code += "  %x = fptrunc double %xd to float\n  %y = fptrunc double %yd to float\n"
					} else {
						code += "  %x = fadd double %xd, 0.0\n  %y = fadd double %yd, 0.0\n"
					}
					code += "  " + strings.NewReplacer("$T", typ, "$K", "0x4005BF09A0000000").Replace(test.code) + "\n"
					if typ == "float" {
						code += "  %rd = fpext float %r to double\n"
					} else {
						code += "  %rd = fadd double %r, 0.0\n"
					}
					code += "  %o = bitcast double %rd to i64\n  store i64 %o, ptr addrspace(1) %p\n  ret void\n}\n"
					if _, err := emulate(request(inputsHead+code, "k", arch), bytesOf(in), bytesOf(out), threads); err != nil {
						t.Fatalf("LLVM %d, %s, %s: %v", major, arch, test.name, err)
					}
					for i, in := range in {
						x, y := in[0], in[1]
						if uniform != "" {
							x, y = in[2], in[3]
						}
						want := y
						if f := math.Float64frombits(x); f != f || x == k {
							want = k
						}
						if out[i] != want {
							t.Errorf("LLVM %d, %s, %s, %s, thread %d: %#x of %#x, want %#x", major, arch, test.name, typ, i, out[i], x, want)
							break
						}
					}
				}
			}
		}
	}
}
