package codegen

import (
	"debug/elf"
	"errors"
	"fmt"
	"strings"
	"testing"

	"heddle/internal/abi"
	"heddle/internal/link"
	"heddle/internal/llvm"
)

var hostArchs = []string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"}

func hostRequest(text, arch string) *Request {
	triple := "x86_64-unknown-linux-gnu"
	if arch == "aarch64" {
		triple = "aarch64-unknown-linux-gnu"
	}
	return &Request{IR: []byte(text), Triple: triple, CPU: arch, Kind: abi.Native, Kernel: "k", WarpSize: 32}
}

const threadIR = `
declare i64 @heddle.ballot(i1) convergent nofree nounwind willreturn readnone
declare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone
@heddle_shared_size = constant i64 0
define internal i64 @kept(i64 %n) noinline {
  %m = mul i64 %n, 3
  ret i64 %m
}
define internal i64 @inlined(ptr %p, i64 %n) inlinehint {
  switch i64 %n, label %other [ i64 1, label %one
                                i64 7, label %seven
                                i64 9, label %nine ]
one:
  ret i64 5
seven:
  store i64 1, ptr %p
  ret i64 6
nine:
  store i64 2, ptr %p
  ret i64 8
other:
  %m = call i64 @kept(i64 %n)
  ret i64 %m
}
define void @k(ptr %p, i1 %c, i1 %d) {
  %slot = alloca i64, align 16
  %a = call i64 @heddle.ballot(i1 %c)
  store i64 %a, ptr %slot
  br i1 %d, label %more, label %done
more:
  %b = call i64 @heddle.ballot(i1 %c)
  store i64 %b, ptr %slot
  br label %done
done:
  %v = load i64, ptr %slot
  %i = call i32 @heddle.thread.x()
  %w = zext i32 %i to i64
  %r = call i64 @inlined(ptr %p, i64 %w)
  %s = add i64 %r, %v
  store i64 %s, ptr %p
  ret void
}`

// The code of one thread is one function, apart from those that stay, without
// stack slots and switches; a vote among other lanes is another vote.
func TestScalar(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, arch := range hostArchs {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		text, err := ScalarIR(hostRequest(threadIR, arch))
		if err != nil {
			t.Fatal(err)
		}
		for part, want := range map[string]int{
			"call i64 @heddle.ballot": 2, "call i32 @heddle.thread.x()": 1, "alloca": 0, "switch": 0, "@inlined(": 0, "@kept(": 2,
			"define ": 2, "define internal": 1, "ret void": 1, "@heddle_shared_size = constant i64 0": 1,
		} {
			if n := strings.Count(text, part); n != want {
				t.Errorf("%s: %d times %q, want %d:\n%s", arch, n, part, want, text)
			}
		}
	}
	_, err := ScalarIR(request(plainIR, "k", "gfx90a"))
	if err == nil || !strings.Contains(err.Error(), "kernel k for gfx90a: only host code has a stage scalar") {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"define internal void @k() {\n  ret void\n}": "does not define this kernel",
		"declare float @heddle.math.yarn.f32(float)\ndefine void @k(ptr %p) {\n  %x = call float @heddle.math.yarn.f32(float 1.0)\n  store float %x, ptr %p\n  ret void\n}": "undefined symbol heddle.math.yarn.f32",
	} {
		if _, err := ScalarIR(hostRequest(text, "x86-64-v3")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// warpIR is what a vectoriser might make: eight lanes, 48 bytes of shared memory.
const warpIR = `
@heddle_info = constant { i32, i32, i64, i64, i64 } { i32 8, i32 0, i64 48, i64 1024, i64 0 }
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
define i32 @heddle_run(ptr %launch, ptr %worker) "prefer-vector-width"="512" "min-legal-vector-width"="256" {
  %v = load <8 x float>, ptr %worker
  %w = call <8 x float> @llvm.fma.v8f32(<8 x float> %v, <8 x float> %v, <8 x float> %v)
  store <8 x float> %w, ptr %worker
  ret i32 0
}`

// build is Emit from the code of a warp on.
func (r *Request) build(text string) (*abi.Object, error) {
	r, err := r.normal()
	if err != nil {
		return nil, err
	}
	code, err := r.host(text, llvm.Object, nil)
	if err != nil {
		return nil, err
	}
	obj := &abi.Object{Kind: r.Kind, Arch: r.CPU, WarpSize: r.WarpSize, Kernel: r.Kernel, Code: code}
	return obj, r.checkNative(obj)
}

func TestHost(t *testing.T) {
	major := skipWithoutLLVM(t)
	for _, arch := range hostArchs {
		if !cpus.Get()[arch].has(major) {
			continue
		}
		obj, err := hostRequest(warpIR, arch).build(warpIR)
		if err != nil {
			t.Errorf("%s: %v", arch, err)
			continue
		}
		if obj.Res.LDS != 48 || obj.Res.Scratch != 32 || obj.Res.CodeBytes == 0 {
			t.Errorf("%s: %+v", arch, obj.Res)
		}
		f, err := elf.NewFile(strings.NewReader(string(obj.Code)))
		if want := map[string]elf.Machine{"aarch64": elf.EM_AARCH64}[arch]; err != nil || f.Type != elf.ET_REL || f.Machine != max(want, elf.EM_X86_64) {
			t.Errorf("%s: %v, %v", arch, f, err)
		}
		var ir string
		r, _ := hostRequest(warpIR, arch).normal()
		if _, err := r.host(warpIR, llvm.Object, &ir); err != nil || !strings.Contains(ir, `"min-legal-vector-width"="256"`) {
			t.Errorf("%s: the optimised code lacks an attribute: %v\n%s", arch, err, ir)
		}
		asm, err := r.host(warpIR, llvm.Assembly, nil)
		if want := map[string]string{"x86-64-v2": "fmaf", "aarch64": "fmla"}[arch]; err != nil || !strings.Contains(string(asm), want) || want == "" && !strings.Contains(string(asm), "vfmadd") {
			t.Errorf("%s: %v\n%s", arch, err, asm)
		}
	}
}

func TestHostErrors(t *testing.T) {
	skipWithoutLLVM(t)
	for _, c := range []struct{ old, new, want string }{
		{"@heddle_run", "@run", "LLVM dropped heddle_run or heddle_info"},
		{"@heddle_info = constant", "@heddle_info = internal constant", "LLVM dropped heddle_run or heddle_info"},
		{"i32 8, i32 0", "i32 12, i32 0", "heddle_info: 12 lanes in a warp of 32"},
		{"i32 8, i32 0", "i32 64, i32 0", "heddle_info: 64 lanes in a warp of 32"},
		{"{ i32, i32, i64, i64, i64 } { i32 8, i32 0, i64 48, i64 1024, i64 0 }", "i32 8", "heddle_info is cut short"},
		{"ret i32 0", "call void @yarn()\n  ret i32 0\n}\ndeclare void @yarn()\ndefine internal void @unused() {\n  ret void", "undefined symbol yarn"},
		{"ret i32 0", "ret i64 0", "value doesn't match function result type"},
	} {
		text := strings.Replace(warpIR, c.old, c.new, 1)
		if _, err := hostRequest(text, "x86-64-v3").build(text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.new, err, c.want)
		}
	}
	text := strings.Replace(warpIR, "ret i32 0", "call void @yarn()\n  ret i32 0\n}\ndeclare void @yarn()\ndefine internal void @unused() {\n  ret void", 1)
	_, err := hostRequest(text, "x86-64-v3").build(text)
	if undefined := new(link.UndefinedError); !errors.As(err, &undefined) {
		t.Errorf("not an UndefinedError: %v", err)
	}
}

// manyLive is a kernel of n values that all live at once: it reads them before it
// writes what it makes of them to where they were.
func manyLive(n int) string {
	var b strings.Builder
	b.WriteString("@heddle_shared_size = constant i64 0\ndeclare i32 @heddle.thread.x() nofree nosync nounwind speculatable willreturn readnone\n")
	b.WriteString("define void @k(ptr %p) {\n%x = call i32 @heddle.thread.x()\n%at = zext i32 %x to i64\n%q = getelementptr i64, ptr %p, i64 %at\n")
	for i := range n {
		fmt.Fprintf(&b, "%%p%d = getelementptr i8, ptr %%q, i64 %d\n%%v%d = load i64, ptr %%p%d\n", i, 8*64*i, i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "%%w%d = add i64 %%v%d, %%v%d\nstore i64 %%w%d, ptr %%p%d\n", i, i, n-1-i, i, i)
	}
	return b.String() + "ret void\n}\n"
}

// What LLVM spills is part of the stack that an object asks for.
func TestStack(t *testing.T) {
	skipWithoutLLVM(t)
	const n = 200
	r := hostRequest(manyLive(n), "x86-64-v3")
	r.WarpSize = 64
	r, err := r.normal()
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.vector()
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	frames := 0
	err = r.withModule([]byte(text), func(_ *llvm.Library, _ *llvm.Context, m *llvm.Module, tm *llvm.TargetMachine) (err error) {
		code, frames, err = m.EmitWithFrames(tm, llvm.Object)
		return err
	})
	if err != nil || frames < n*8*16 {
		t.Errorf("%d values of 16 lanes or more: %d bytes of frames: %v", n, frames, err)
	}
	for _, c := range []struct{ frames, stack int }{
		{frames, 0},
		{abi.NativeStack - libraryStack, 0},
		{abi.NativeStack, libraryStack},
		{5 << 20, 5<<20 + libraryStack - abi.NativeStack},
	} {
		if err := reserveStack(code, c.frames); err != nil {
			t.Fatal(err)
		}
		obj := &abi.Object{Kind: abi.Native, Arch: r.CPU, WarpSize: 64, Kernel: "k", Name: "k", Code: code}
		if err := r.checkNative(obj); err != nil || obj.Res.Scratch != c.stack/64 {
			t.Errorf("frames of %d bytes: the object asks for %d bytes, want %d: %v", c.frames, 64*obj.Res.Scratch, c.stack, err)
		}
	}
}
