package codegen

import (
	"math"
	"testing"
)

// largeFrames loads from a variable 4 KB away from the first what it has just stored there.
const largeFrames = `  %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
  %first = alloca [4100 x i8], align 4, addrspace(5)
  %base = alloca [8 x i8], align 4, addrspace(5)
  %c = alloca [4100 x i8], align 4, addrspace(5)
  %last = alloca i32, align 4, addrspace(5)
  call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %last)
  %t = trunc i64 %i to i32
  %x = trunc i64 %a to i32
  %m1 = mul i32 %x, %x
  %m2 = mul i32 %m1, %x
  %m3 = mul i32 %m2, %m1
  %m4 = mul i32 %m3, %m3
  %h = trunc i32 %m4 to i16
  %h2 = xor i16 %h, 5
  %firsti = getelementptr i8, ptr addrspace(5) %first, i32 %t
  store i8 1, ptr addrspace(5) %firsti
  store i32 7, ptr addrspace(5) %base
  %c2 = getelementptr i8, ptr addrspace(5) %c, i32 2
  %c4 = getelementptr i8, ptr addrspace(5) %c, i32 4
  %c6 = getelementptr i8, ptr addrspace(5) %c, i32 6
  %far1 = getelementptr i8, ptr addrspace(5) %c, i32 4088
  %far2 = getelementptr i8, ptr addrspace(5) %c, i32 4092
  store i16 %h, ptr addrspace(5) %c
  store i16 %h2, ptr addrspace(5) %c2
  store i16 %h, ptr addrspace(5) %c4
  store i16 %h2, ptr addrspace(5) %c6
  store i32 0, ptr addrspace(5) %far1
  store i32 0, ptr addrspace(5) %far2
  %y = load i32, ptr addrspace(5) %c
  %y2 = load i32, ptr addrspace(5) %c4
  %zero = and i32 %t, 0
  %basei = getelementptr i8, ptr addrspace(5) %base, i32 %zero
  %w = load i8, ptr addrspace(5) %basei
  %z = load i8, ptr addrspace(5) %firsti
  %s = add i8 %w, %z
  %cj = getelementptr i8, ptr addrspace(5) %c, i32 %zero
  %v = load i8, ptr addrspace(5) %cj
  %s2 = add i8 %s, %v
  %s3 = zext i8 %s2 to i32
  %n1 = mul i32 %y2, %y2
  %n2 = mul i32 %n1, %y2
  %n3 = mul i32 %n2, %n1
  %n4 = mul i32 %n3, %n2
  %n5 = mul i32 %n4, %n1
  %s4 = mul i32 %n5, %y
  %s5 = xor i32 %s4, %s3
  %r = zext i32 %s5 to i64
  store i64 %r, ptr addrspace(1) %p
  call void @llvm.lifetime.end.p5(i64 4, ptr addrspace(5) %last)
  ret void
}

declare void @llvm.lifetime.start.p5(i64, ptr addrspace(5))
declare void @llvm.lifetime.end.p5(i64, ptr addrspace(5))
`

// What a thread stores in a variable of a large frame is what it loads from there, also
// where the store takes longer to begin than the load.
func TestLargeFrames(t *testing.T) {
	major := skipWithoutLLVM(t)
	const threads = 64
	in := make([][4]uint64, threads)
	for i := range in {
		in[i][0] = uint64(i + 3)
	}
	for _, arch := range []string{"gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100"} {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		r := request(inputsHead+largeFrames, "k", arch)
		r.Passes = "verify" // others would find what is loaded
		out := make([]uint64, threads)
		if _, err := emulate(r, bytesOf(in), bytesOf(out), threads); err != nil {
			t.Errorf("LLVM %d, %s: %v", major, arch, err)
			continue
		}
		for i := range in {
			x := uint32(i + 3)
			h := x * x * x * x * x // m3
			h = h * h & 0xffff
			y := h | (h^5)<<16
			want := y * y * y * y * y // n3
			want = want * y * y * y   // n4
			want = want * y * y * y   // n5, s4
			want ^= uint32(uint8(h) + 8)
			if out[i] != uint64(want) {
				t.Errorf("LLVM %d, %s, thread %d: %#x, want %#x", major, arch, i, out[i], want)
				break
			}
		}
	}
}

func TestAtMost(t *testing.T) {
	for typ, want := range map[string]int{
		"i1": 1, "i8": 1, "i24": 4, "i64": 8, "half": 2, "float": 4, "ptr": 8, "ptr addrspace(3)": 8,
		"[123 x i64]": 984, "[2 x [3 x i8]]": 6, "<3 x float>": 12, "[36 x { ptr, i64 }]": 36 * 32,
		"{ i8, [2 x <2 x i16>], { ptr addrspace(5) } }": 48, "<{ [16 x i8], i32 }>": 32, "{}": 0, "[0 x i8]": 0,
		"%T": math.MaxInt32, `%"a b"`: math.MaxInt32, "[9 x %T]": math.MaxInt32, "": math.MaxInt32, "[4294967296 x i64]": math.MaxInt32,
	} {
		if got, rest := atMost(typ); got != want || rest != "" {
			t.Errorf("%s has %d bytes at most, then %q; want %d", typ, got, rest, want)
		}
	}
	for _, typ := range []string{"i32, i32 4", "[2 x i8], i64 %n"} {
		if _, rest := atMost(typ); rest == "" {
			t.Errorf("nothing follows the type in %s", typ)
		}
	}
	for _, typ := range []string{"]", "{", "{ ]", "[", "[3 x", "<{", "{ ,,"} { // nonsense
		atMost(typ)
	}
}

func TestPadFrames(t *testing.T) {
	const small = "\ndefine void @f() {\n  %x = alloca [4 x i8], align 4, addrspace(5)\n  ret void\n}\n"
	const large = "\ndefine void @f() {\n" +
		"  %\"x.1\" = alloca [4000 x i8], align 4, addrspace(5), !dbg !1\n" +
		"  %2 = alloca <4 x double>, align 32, addrspace(5)\n" +
		"  call void @llvm.lifetime.start.p5(i64 4000, ptr addrspace(5) nonnull %\"x.1\")\n" +
		"  call void @llvm.lifetime.end.p5(ptr addrspace(5) %2)\n" +
		"  call void @llvm.lifetime.end.p5(i64 8, ptr addrspace(5) %arg)\n" +
		"  ret void\n}\n"
	const want = "\ndefine void @f() {\n" +
		"  %\"heddle.whole.x.1\" = alloca <{ [16 x i8], [4000 x i8] }>, align 16, addrspace(5), !dbg !1\n" +
		"  %\"x.1\" = getelementptr inbounds <{ [16 x i8], [4000 x i8] }>, ptr addrspace(5) %\"heddle.whole.x.1\", i32 0, i32 1, !dbg !1\n" +
		"  %\"heddle.whole.2\" = alloca <{ [32 x i8], <4 x double> }>, align 32, addrspace(5)\n" +
		"  %2 = getelementptr inbounds <{ [32 x i8], <4 x double> }>, ptr addrspace(5) %\"heddle.whole.2\", i32 0, i32 1\n" +
		"  call void @llvm.lifetime.start.p5(i64 -1, ptr addrspace(5) nonnull %\"heddle.whole.x.1\")\n" +
		"  call void @llvm.lifetime.end.p5(ptr addrspace(5) %\"heddle.whole.2\")\n" +
		"  call void @llvm.lifetime.end.p5(i64 8, ptr addrspace(5) %arg)\n" +
		"  ret void\n}\n"
	if got, ok := padFrames(small); ok || got != small {
		t.Errorf("a small frame is padded:\n%s", got)
	}
	if got, ok := padFrames(large); !ok || got != want {
		t.Errorf("is now\n%s\nwant\n%s", got, want)
	}
}
