package codegen

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"heddle/internal/abi"
)

// turning is a kernel that takes a sine and a cosine of what it loads: SIN and COS stand for the
// functions. What calls the second is a function of its own, and a branch, which most threads
// take, is in between.
const turning = `
declare float @SIN(float)
declare float @COS(float)
define internal float @other(float %x) {
  %y = call float @COS(float %x)
  ret float %y
}
define KERNEL void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @TID()
  %p = getelementptr float, ptr addrspace(1) %in, i32 %t
  %q = getelementptr [2 x float], ptr addrspace(1) %out, i32 %t
  %x = load float, ptr addrspace(1) %p
  %s = call float @SIN(float %x)
  store float %s, ptr addrspace(1) %q
  %large = fcmp ogt float %s, -0.875
  br i1 %large, label %more, label %end
more:
  %c = call float @other(float %x)
  %q1 = getelementptr float, ptr addrspace(1) %q, i32 1
  store float %c, ptr addrspace(1) %q1
  br label %end
end:
  ret void
}
`

// A sine and a cosine of one argument take little more code than one of them, whichever comes
// first, and give what they did.
func TestJoinSines(t *testing.T) {
	skipWithoutLLVM(t)
	for _, c := range []struct{ arch, sin, cos string }{
		{"gfx942", "__ocml_sin_f32", "__ocml_cos_f32"},
		{"gfx1100", "__ocml_cos_f32", "__ocml_sin_f32"},
		{"sm_80", "__nv_sinf", "__nv_cosf"},
	} {
		tid := "llvm.amdgcn.workitem.id.x" // which request declares
		if c.arch[0] == 's' {
			tid = "llvm.nvvm.read.ptx.sreg.tid.x"
		}
		text := strings.NewReplacer("SIN", c.sin, "COS", c.cos, "TID", tid).Replace(turning)
		r := request(text, "k", c.arch)
		if _, ok := HasMathLib(r.Kind); !ok {
			continue
		}
		both := linesOf(t, r)
		r.IR = []byte(strings.NewReplacer("call float @"+c.cos, "call float @"+c.sin, "%c = call float @other(float %x)", "%c = call float @other(float %s)").Replace(string(r.IR))) // two of one argument would be one
		twice := linesOf(t, r)
		t.Logf("%s: %d lines of code for both, %d for one of them twice", c.arch, both, twice)
		if both*4 > twice*3 {
			t.Errorf("%s: they are two calls", c.arch)
		}
		if r.Kind == abi.HSACO {
			runTurning(t, request(text, "k", c.arch), strings.Contains(c.sin, "cos"))
		}
	}
}

func linesOf(t *testing.T, r *Request) int {
	text, err := Assembly(r)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(text, "\n\t")
}

// runTurning executes a kernel, which gives the cosine first if it is turned.
func runTurning(t *testing.T, r *Request, turned bool) {
	const threads = 64
	in, out := make([]byte, 4*threads), make([]byte, 8*threads)
	at := func(i int) float32 {
		x := float32(i-9) * 0.37
		if i > 40 {
			x *= 1e7
		}
		return x
	}
	for i := range threads {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(at(i)))
	}
	if _, err := emulate(r, in, out, threads); err != nil {
		t.Fatal(err)
	}
	for i := range threads {
		first, second := math.Sincos(float64(at(i)))
		if turned {
			first, second = second, first
		}
		for k, want := range []float64{first, second} {
			got := float64(math.Float32frombits(binary.LittleEndian.Uint32(out[8*i+4*k:])))
			if k == 1 && first <= -0.875 {
				want = 0
			}
			if math.Abs(got-want) > 3e-7 {
				t.Errorf("%s: thread %d: %v of %v is %v, want %v", r.CPU, i, k, at(i), got, want)
			}
		}
	}
}
