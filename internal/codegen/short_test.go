package codegen

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A rangeSource makes intervals and numbers in them.
type rangeSource struct{ *rand.Rand }

func (r rangeSource) end() int64 {
	switch r.IntN(5) {
	case 0:
		return int64(r.IntN(9)) - 4
	case 1:
		return int64(r.IntN(1<<17)) - 1<<16
	case 2:
		return []int64{math.MinInt32, math.MaxInt32, math.MinInt64, math.MaxInt64, math.MaxUint32, 1 << 31, 1 << 62}[r.IntN(7)]
	case 3:
		return int64(r.Int32()) - 1<<30
	}
	return int64(r.Uint64())
}

func (r rangeSource) interval(width int) interval {
	a, b := r.end(), r.end()
	a, b = wrapped(a, width), wrapped(b, width)
	return interval{min(a, b), max(a, b)}
}

// wrapped is what so many bits keep of a number.
func wrapped(n int64, width int) int64 { return n << (64 - width) >> (64 - width) }

func (r rangeSource) in(x interval) int64 {
	switch r.IntN(4) {
	case 0:
		return x.lo
	case 1:
		return x.hi
	}
	if n := uint64(x.hi) - uint64(x.lo) + 1; n != 0 {
		return int64(uint64(x.lo) + r.Uint64N(n))
	}
	return int64(r.Uint64())
}

// operate is what LLVM's operator makes of two numbers; not ok if that is nothing, or not asked for.
func operate(op string, a, b int64, width int) (r int64, ok bool) {
	ua, ub := uint64(a), uint64(b)
	ua, ub = ua<<(64-width)>>(64-width), ub<<(64-width)>>(64-width)
	switch op {
	case "add":
		return a + b, true
	case "sub":
		return a - b, true
	case "mul":
		return a * b, true
	case "and":
		return a & b, true
	case "or":
		return a | b, true
	case "xor":
		return a ^ b, true
	case "shl":
		return a << (ub & 63), ub < uint64(width)
	case "lshr":
		return int64(ua >> (ub & 63)), ub < uint64(width)
	case "ashr":
		return a >> (ub & 63), ub < uint64(width)
	}
	if b == 0 || b == -1 {
		return 0, false
	}
	switch op {
	case "udiv":
		return int64(ua / ub), true
	case "urem":
		return int64(ua % ub), true
	case "sdiv":
		return a / b, true
	}
	return a % b, true // srem
}

// The result of each operator is in the interval that result gives for it.
func TestRanges(t *testing.T) {
	r := rangeSource{rand.New(rand.NewPCG(1, 2))}
	for _, op := range []string{"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"} {
		narrow := 0
		for range 20_000 {
			width := []int{8, 16, 32, 64}[r.IntN(4)]
			x, y := r.interval(width), r.interval(width)
			if strings.Contains(op, "sh") {
				y.lo &= 63
				y.hi = y.lo
			}
			s := result(op, x, y, width, false)
			if s != full(width) {
				narrow++
			}
			for range 8 {
				a, b := r.in(x), r.in(y)
				v, ok := operate(op, a, b, width)
				if v = wrapped(v, width); ok && (v < s.lo || v > s.hi) {
					t.Fatalf("%s i%d %v, %v: %v, but of %d and %d it is %d", op, width, x, y, s, a, b, v)
				}
			}
		}
		if narrow < 500 {
			t.Errorf("%s: something is known of %d results in 20000", op, narrow)
		}
	}
}

// So is the lesser or the greater of two numbers in that of limited.
func TestLimits(t *testing.T) {
	r := rangeSource{rand.New(rand.NewPCG(3, 4))}
	for _, op := range []string{"smin", "smax", "umin", "umax"} {
		for range 20_000 {
			x, y := r.interval(64), r.interval(64)
			s := limited(op, x, y, 64)
			a, b := r.in(x), r.in(y)
			v := min(a, b)
			switch op {
			case "smax":
				v = max(a, b)
			case "umin":
				v = int64(min(uint64(a), uint64(b)))
			case "umax":
				v = int64(max(uint64(a), uint64(b)))
			}
			if v < s.lo || v > s.hi {
				t.Fatalf("%s %v, %v: %v, but of %d and %d it is %d", op, x, y, s, a, b, v)
			}
		}
	}
}

// shortCases are what makes a value, and what is to be found in its short form, "" if it has none.
var shortCases = []struct{ name, body, want string }{
	{"a square", `
  %x = zext i8 %a to i64
  %y = zext i8 %b to i64
  %d = sub i64 %x, %y
  %r = mul i64 %d, %d`, "%heddle.short.r = mul nsw i32 %heddle.short.d, %heddle.short.d"},
	{"a quotient", `
  %x = zext i16 %c to i64
  %r = udiv i64 %x, 7`, "udiv i32"},
	{"a quotient by what may be 0", `
  %x = zext i16 %c to i64
  %y = zext i8 %b to i64
  %r = udiv i64 %x, %y`, ""},
	{"too much", `
  %x = sext i32 %n to i64
  %y = add i64 %x, 1
  %r = mul i64 %y, %y`, ""},
	{"what has no sign", `
  %x = zext i32 %n to i64
  %r = add i64 %x, 1`, ""},
	{"bits", `
  %y = load i64, ptr addrspace(1) %p, align 8
  %z = and i64 %y, 255
  %r = mul i64 %z, 3`, "%heddle.short.z = trunc i64 %z to i32"},
	{"the lesser", `
  %x = zext i8 %a to i64
  %y = zext i8 %b to i64
  %r = call i64 @llvm.umin.i64(i64 %x, i64 %y)
  %u = add i64 %r, 1`, "call i32 @llvm.umin.i32"},
	{"one of two", `
  %x = zext i8 %a to i64
  %q = icmp slt i64 %x, 9
  %r = select i1 %q, i64 %x, i64 -3`, "select i1 %q, i32 %heddle.short.x, i32 -3"},
	{"an order of what has signs", `
  %x = sext i8 %a to i64
  %y = sext i8 %b to i64
  %z = add i64 %x, %y
  %q = icmp ult i64 %x, %z
  %r = select i1 %q, i64 %x, i64 %y`, "icmp ult i32 %heddle.short.x, %heddle.short.z"},
	{"the lesser of what has signs", "\n  %x = sext i8 %a to i64\n  %r = call i64 @llvm.umin.i64(i64 %x, i64 77)\n  %u = add i64 %r, 1", "@llvm.umin.i32(i32 %heddle.short.x, i32 77)"},
	{"a quotient of 16 bits", `
  %t = trunc i32 %n to i16
  %d = udiv i16 %t, 3
  %x = zext i16 %d to i64
  %r = mul i64 %x, %x`, "%heddle.short.r = mul nuw nsw i32 %heddle.short.x, %heddle.short.x"},
	{"16 bits", `
  %t = trunc i32 %n to i16
  %x = zext i16 %t to i64
  %r = mul i64 %x, %x`, ""},
	{"some of a number's bits, and more", `
  %x = zext i8 %a to i64
  %y = mul i64 %x, %x
  %r = and i64 %y, 9223372036854773760`, "%heddle.short.r = and i32 %heddle.short.y, 2147481600"},
	{"a window", `
  %x = sext i32 %n to i64
  %y = add nsw i64 %x, -1
  %q = icmp ult i64 %y, 31
  %r = select i1 %q, i64 7, i64 9`, "%heddle.short.q = add i32 %heddle.short.x, -1\n  %q = icmp ult i32 %heddle.short.q, 31"},
	{"a window of what has no sign", `
  %x = zext i32 %n to i64
  %y = add nsw i64 %x, -1
  %q = icmp ugt i64 %y, 31
  %r = select i1 %q, i64 7, i64 9`, "%heddle.short.q = add i32 %n, -1\n  %q = icmp ugt i32 %heddle.short.q, 31"},
	{"a window of what has no sign, further", `
  %x = zext i32 %n to i64
  %y = add i64 %x, 1
  %q = icmp ult i64 %y, 31
  %r = zext i1 %q to i64`, ""},
	{"a window as far as a number goes", `
  %x = sext i32 %n to i64
  %y = add i64 %x, -2147483648
  %q = icmp ult i64 %y, 31
  %r = zext i1 %q to i64`, ""},
	{"a window of vectors", `
  %v = insertelement <2 x i32> zeroinitializer, i32 %n, i64 0
  %x = sext <2 x i32> %v to <2 x i64>
  %y = add nsw <2 x i64> %x, <i64 -1, i64 -1>
  %q = icmp ult <2 x i64> %y, <i64 31, i64 31>
  %r0 = extractelement <2 x i1> %q, i64 0
  %r = zext i1 %r0 to i64`, "%q = icmp ult <2 x i32> %heddle.short.q, <i32 31, i32 31>"},
	{"windows of vectors", `
  %v = insertelement <2 x i32> zeroinitializer, i32 %n, i64 0
  %x = sext <2 x i32> %v to <2 x i64>
  %y = add nsw <2 x i64> %x, <i64 -1, i64 -2>
  %q = icmp ult <2 x i64> %y, <i64 31, i64 31>
  %r0 = extractelement <2 x i1> %q, i64 0
  %r = zext i1 %r0 to i64`, ""},
	{"a shift by much", `
  %x = zext i8 %a to i64
  %r = shl i64 %x, 40`, ""},
	{"a float", `
  %x = sext i8 %a to i64
  %y = mul i64 %x, 5
  %f = sitofp i64 %y to float
  %r = fptosi float %f to i64`, "sitofp i32 %heddle.short.y to float"},
	{"a float of what has no sign", `
  %x = sext i8 %a to i64
  %f = uitofp i64 %x to float
  %r = fptosi float %f to i64`, ""},
}

// What is made in 32 bits, and what is not.
func TestShortValues(t *testing.T) {
	skipWithoutLLVM(t)
	for _, c := range shortCases {
		t.Run(c.name, func(t *testing.T) {
			text := "\ndefine KERNEL void @k(ptr addrspace(1) %p, i8 %a, i8 %b, i16 %c, i32 %n) {\nentry:" + c.body + "\n  store i64 %r, ptr addrspace(1) %p, align 8\n  ret void\n}\n"
			if strings.Contains(c.body, "umin") {
				text += "declare i64 @llvm.umin.i64(i64, i64)\n"
			}
			for arch, conv := range map[string]string{"gfx942": "amdgpu_kernel", "sm_90": "ptx_kernel"} {
				short, ok := shortenValues(strings.Replace(text, "KERNEL", conv, 1))
				if ok != (c.want != "") || !strings.Contains(short, c.want) {
					t.Errorf("want %q:\n%s", c.want, short)
				}
				if _, err := Assembly(request(strings.Replace(short, conv, "KERNEL", 1), "k", arch)); err != nil {
					t.Errorf("%s: %v\n%s", arch, err, short)
				}
			}
		})
	}
}

// TestSameWindow holds comparisons of sums in 32 bits to those in 64.
func TestSameWindow(t *testing.T) {
	r, same := rangeSource{rand.New(rand.NewPCG(3, 4))}, 0
	for range 200_000 {
		x, by, most := r.interval(32), wrapped(r.end(), 33), r.end()
		if r.IntN(2) == 0 {
			x = interval{0, x.hi + math.MaxInt32 + 1}
		}
		if x.lo > x.hi || !sameWindow(x, by, most) {
			continue
		}
		same++
		for range 8 {
			n := r.in(x) + by
			if (uint64(n) < uint64(most)) != (uint32(n) < uint32(most)) || (uint64(n) <= uint64(most)) != (uint32(n) <= uint32(most)) {
				t.Fatalf("%v and %d, compared with %d: not so of %d", x, by, most, n-by)
			}
		}
	}
	if same < 1000 {
		t.Errorf("of %d only", same)
	}
}

// The operand of zext nneg is not negative, so it has 31 bits.
func TestShortWithoutSign(t *testing.T) {
	short, ok := shortenValues(`
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %x = zext nneg i32 %n to i64
  %y = lshr i64 %x, 1
  store i64 %y, ptr addrspace(1) %p, align 8
  ret void
}
`)
	if want := "%heddle.short.y = lshr i32 %heddle.short.x, 1"; !ok || !strings.Contains(short, want) {
		t.Errorf("not there: %s\n%s", want, short)
	}
}

// A loop's phi is short if what comes to it is, and one that counts is not.
func TestShortPhis(t *testing.T) {
	short, ok := shortenValues(`
define amdgpu_kernel void @k(ptr addrspace(1) %p, i8 %a, i1 %c, i64 %n) {
entry:
  %x = zext i8 %a to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ], !dbg !5
  %least = phi i64 [ 200, %entry ], [ %less, %loop ]
  %q = icmp slt i64 %x, %least
  %less = select i1 %q, i64 %x, i64 %least
  %j = add i64 %i, 1
  %done = icmp eq i64 %j, %n
  br i1 %done, label %end, label %loop

end:
  store i64 %less, ptr addrspace(1) %p, align 8
  ret void
}
`)
	for _, want := range []string{"%heddle.short.least = phi i32 [ 200, %entry ], [ %heddle.short.less, %loop ]\n", "%i = phi i64 [ 0, %entry ], [ %j, %loop ], !dbg !5", "icmp slt i32 %heddle.short.x, %heddle.short.least", "%least = zext i32 %heddle.short.least to i64"} {
		if !ok || !strings.Contains(short, want) {
			t.Errorf("not there: %s\n%s", want, short)
		}
	}
}
