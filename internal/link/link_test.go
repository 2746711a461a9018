package link

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"heddle/internal/llvm"
)

var linkArchs = []string{"gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1201"}

// moduleIR has what makes every kind of relocation and section: exported
// globals (through the offset table), internal ones, initialised and not, a
// table of functions called indirectly, constants, debugging lines, two kernels.
const moduleIR = `
@exported = addrspace(1) global i32 5
@sink = addrspace(1) global ptr null
@zeroed = internal addrspace(1) global [1000 x i32] zeroinitializer, align 512
@counted = internal addrspace(1) global i32 11
@names = internal unnamed_addr addrspace(4) constant [8 x i32] [i32 1, i32 2, i32 3, i32 5, i32 8, i32 13, i32 21, i32 34]
@table = internal addrspace(1) global [2 x ptr] [ptr @double, ptr @square]
@pointer = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @exported, i64 2)
@tile = internal addrspace(3) global [64 x i32] undef

define internal i32 @double(i32 %x) noinline !dbg !10 {
  %y = add i32 %x, %x, !dbg !11
  ret i32 %y, !dbg !11
}
define internal i32 @square(i32 %x) noinline {
  %y = mul i32 %x, %x
  ret i32 %y
}
define hidden i32 @helper(i32 %x) noinline {
  %v = load volatile i32, ptr addrspace(1) @counted
  %y = add i32 %x, %v
  ret i32 %y
}
define amdgpu_kernel void @first(ptr addrspace(1) %p, i32 %i) !dbg !12 {
  %a = load volatile i32, ptr addrspace(1) @exported, !dbg !13
  %n = getelementptr [8 x i32], ptr addrspace(4) @names, i32 0, i32 %i, !dbg !13
  %b = load i32, ptr addrspace(4) %n, !dbg !13
  %z = getelementptr [1000 x i32], ptr addrspace(1) @zeroed, i32 0, i32 %i
  store volatile i32 %a, ptr addrspace(1) %z
  %c = add i32 %a, %b
  %d = call i32 @helper(i32 %c), !dbg !13
  store i32 %d, ptr addrspace(1) %p, !dbg !13
  ret void, !dbg !13
}
define amdgpu_kernel void @second(ptr addrspace(1) %p, i32 %i) {
  %e = getelementptr [2 x ptr], ptr addrspace(1) @table, i32 0, i32 %i
  %f = load ptr, ptr addrspace(1) %e
  %v = call i32 %f(i32 %i)
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %i
  store volatile i32 %v, ptr addrspace(3) %s
  %w = load volatile i32, ptr addrspace(3) %s
  store i32 %w, ptr addrspace(1) %p
  %q = load volatile ptr addrspace(1), ptr addrspace(1) @pointer
  store i32 %w, ptr addrspace(1) %q
  %sink = load volatile ptr, ptr addrspace(1) @sink
  store volatile ptr %sink, ptr addrspace(1) @sink
  ret void
}
!llvm.module.flags = !{!0, !1, !2, !3}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!3 = !{i32 1, !"amdgpu_code_object_version", i32 500}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 7, !"Dwarf Version", i32 5}
!llvm.dbg.cu = !{!4}
!4 = distinct !DICompileUnit(language: DW_LANG_C99, file: !5, producer: "test", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!5 = !DIFile(filename: "first.go", directory: "/src")
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!10 = distinct !DISubprogram(name: "double", scope: !5, file: !5, line: 3, type: !6, unit: !4, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 4, column: 2, scope: !10)
!12 = distinct !DISubprogram(name: "first", scope: !5, file: !5, line: 8, type: !6, unit: !4, spFlags: DISPFlagDefinition)
!13 = !DILocation(line: 9, column: 2, scope: !12)
`

// object compiles IR with the libLLVM of this machine.
func object(t testing.TB, ir, cpu, passes string) []byte {
	t.Helper()
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine to compile with")
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	if first := map[string]int{"gfx942": 17, "gfx1200": 18, "gfx1201": 18}[cpu]; lib.Major < first {
		t.Skipf("LLVM %d does not know %s", lib.Major, cpu)
	}
	if err := lib.CodeObject(5); err != nil {
		t.Fatal(err)
	}
	var obj []byte
	err = lib.Do(func(c *llvm.Context) error {
		m, err := c.ParseIR("module.ll", []byte(ir))
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(llvm.Target{Triple: "amdgcn-amd-amdhsa", CPU: cpu, Level: 2})
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if err := m.RunPasses(passes, tm); err != nil {
			return err
		}
		obj, err = m.Emit(tm, llvm.Object)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func TestUndefined(t *testing.T) {
	obj := object(t, `
declare void @missing()
@gone = external addrspace(1) global i32
define amdgpu_kernel void @k() {
  call void @missing()
  store i32 1, ptr addrspace(1) @gone
  ret void
}`, "gfx90a", "default<O1>")
	_, err := Link(obj)
	var undefined *UndefinedError
	if !errors.As(err, &undefined) || !slices.Equal(undefined.Symbols, []string{"gone", "missing"}) {
		t.Errorf("got %v", err)
	}
	info, err := Inspect(obj)
	if err != nil || !slices.Equal(info.Undefined, []string{"gone", "missing"}) {
		t.Errorf("inspected %+v, %v", info, err)
	}
}

func TestInspect(t *testing.T) {
	code, err := Link(object(t, moduleIR, "gfx90a", "default<O0>"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := Inspect(code)
	if err != nil {
		t.Fatal(err)
	}
	if info.Arch != "gfx90a" || info.Target != "amdgcn-amd-amdhsa--gfx90a" || info.CodeObject != 5 {
		t.Errorf("%+v", info)
	}
	k := info.Kernel("second")
	if k == nil || k.Symbol != "second.kd" || k.WarpSize != 64 || k.LDS != 256 || k.VGPR == 0 || k.SGPR == 0 || k.CodeBytes == 0 || !k.DynamicStack {
		t.Fatalf("%+v", k)
	}
	if k.Args[0].Size != 8 || k.Args[0].Kind != "global_buffer" || k.Args[1].Offset != 8 || k.Args[1].Kind != "by_value" {
		t.Errorf("%+v", k.Args)
	}
	if info.Kernel("helper") != nil {
		t.Error("helper is not a kernel")
	}
}

func TestMalformed(t *testing.T) {
	obj := object(t, moduleIR, "gfx90a", "default<O0>")
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("hello, this is not an object at all, but long enough to hold a header"),
		"header": obj[:64], "half": obj[:len(obj)/2],
	} {
		if _, err := Link(data); err == nil || !strings.Contains(err.Error(), "link: ") {
			t.Errorf("%s: Link: %v", name, err)
		}
		if _, err := Inspect(data); err == nil {
			t.Errorf("%s: Inspect: no error", name)
		}
	}
	code, err := Link(obj)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Link(code); err == nil || !strings.Contains(err.Error(), "not relocatable") {
		t.Errorf("linked twice: %v", err)
	}
	changed := bytes.Clone(obj)
	f, err := elf.NewFile(bytes.NewReader(obj))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Sections {
		if s.Type == elf.SHT_RELA {
			changed[s.Offset+8] = relocRelative64
		}
	}
	if _, err := Link(changed); err == nil || !strings.Contains(err.Error(), "unknown type 13") {
		t.Errorf("a relocation that is the loader's: %v", err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Link(host); err == nil || !strings.Contains(err.Error(), "not AMDGPU") {
		t.Errorf("host program: %v", err)
	}
}

func BenchmarkLink(b *testing.B) {
	obj := object(b, moduleIR, "gfx90a", "default<O0>")
	for b.Loop() {
		if _, err := Link(obj); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInspect(b *testing.B) {
	code, err := Link(object(b, moduleIR, "gfx90a", "default<O0>"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Inspect(code); err != nil {
			b.Fatal(err)
		}
	}
}
