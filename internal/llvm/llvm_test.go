package llvm

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

func mustOpen(t testing.TB) *Library {
	t.Helper()
	if len(Candidates()) == 0 && os.Getenv(EnvLLVM) == "" {
		t.Skip("no libLLVM on this machine")
	}
	lib, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

const addIR = `
define amdgpu_kernel void @add(ptr addrspace(1) %p, i32 %v) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %y = add i32 %x, %v
  store i32 %y, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
`

// emit runs the whole pipeline.
func emit(lib *Library, text, triple, cpu string, kind FileType) (out []byte, err error) {
	err = lib.Do(func(c *Context) error {
		m, err := c.ParseIR("k.ll", []byte(text))
		if err != nil {
			return err
		}
		tm, err := lib.NewTargetMachine(Target{Triple: triple, CPU: cpu, Level: 3})
		if err != nil {
			return err
		}
		defer tm.Close()
		m.SetTarget(tm)
		if err := m.Verify(); err != nil {
			return err
		}
		if err := m.RunPasses("default<O3>", tm); err != nil {
			return err
		}
		out, err = m.Emit(tm, kind)
		return err
	})
	return out, err
}

const amd, nv = "amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda"

func TestEmit(t *testing.T) {
	lib := mustOpen(t)
	t.Logf("%s LLVM %s, %v", lib.Path, lib.Version, lib.Targets)
	if len(lib.Targets) == 0 || lib.Major < MinMajor || !strings.HasPrefix(lib.Version, fmt.Sprint(lib.Major)) {
		t.Errorf("%+v", lib)
	}
	obj, err := emit(lib, addIR, amd, "gfx90a", Object)
	if err != nil || !strings.HasPrefix(string(obj), "\x7fELF") {
		t.Fatalf("object of %d bytes, %v", len(obj), err)
	}
	asm, err := emit(lib, addIR, amd, "gfx90a", Assembly)
	if err != nil || !strings.Contains(string(asm), "global_store_dword") {
		t.Fatalf("%v\n%s", err, asm)
	}
}

func TestErrors(t *testing.T) {
	lib := mustOpen(t)
	tests := []struct{ name, ir, triple, cpu, want string }{
		{"syntax", "define void @f() {\n  ret i32 i32\n}", amd, "gfx90a", "k.ll:2:11: error: expected value token"},
		{"empty", "define", amd, "gfx90a", "k.ll:1:7: error: expected type"},
		{"verify", "define void @f() {\n  %x = call i32 @f2()\n  ret void\n}\ndeclare i32 @f2(...)\n@g = alias i32, ptr @h\n@h = external global i32", amd, "gfx90a", "llvm: verify: Alias must point to a definition"},
		{"triple", addIR, "vax-dec-ultrix", "", "No available targets"},
		{"diagnostic", "@l = internal addrspace(3) global [70000 x i8] poison\ndefine amdgpu_kernel void @k(i32 %i) {\n  %p = getelementptr i8, ptr addrspace(3) @l, i32 %i\n  store volatile i8 1, ptr addrspace(3) %p\n  ret void\n}", amd, "gfx90a", "local memory"},
		{"fatal", fatalIR, nv, "sm_70", "fatal error: Cannot select"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := emit(lib, test.ir, test.triple, test.cpu, Object-btof(test.triple == nv))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func btof(b bool) FileType {
	if b {
		return 1
	}
	return 0
}

// NVPTX has no cosine of a double.
const fatalIR = `
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load double, ptr addrspace(1) %p
  %y = call double @llvm.cos.f64(double %x)
  store double %y, ptr addrspace(1) %p
  ret void
}
declare double @llvm.cos.f64(double)
`

// After a fatal error, with others at work meanwhile, compiles go on.
func TestConcurrent(t *testing.T) {
	lib := mustOpen(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			if i%4 == 0 {
				_, err := emit(lib, fatalIR, nv, "sm_70", Assembly)
				if fatal := new(FatalError); !errors.As(err, &fatal) {
					t.Errorf("got %v, want a FatalError", err)
				}
				return
			}
			name := fmt.Sprintf("kernel%d", i)
			asm, err := emit(lib, strings.ReplaceAll(addIR, "@add", "@"+name), amd, "gfx90a", Assembly)
			if err != nil || !strings.Contains(string(asm), name+":") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	wg.Wait()
}

func TestDoPanic(t *testing.T) {
	lib := mustOpen(t)
	defer func() {
		if r := recover(); r != "ours" {
			t.Errorf("recovered %v", r)
		}
	}()
	lib.Do(func(*Context) error { panic("ours") })
}

func TestFlags(t *testing.T) {
	lib := mustOpen(t)
	err := lib.Do(func(c *Context) error {
		m, err := c.ParseIR("k.ll", []byte("!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"old\", i32 7}"))
		if err != nil {
			return err
		}
		m.SetFlag("old", 8)
		m.SetFlag("new", 9)
		text := m.String()
		if !strings.Contains(text, `!{i32 1, !"old", i32 7}`) || !strings.Contains(text, `!{i32 4, !"new", i32 9}`) {
			t.Error(text)
		}
		return m.Verify()
	})
	if err != nil {
		t.Error(err)
	}
}

// Only what is called comes out of a lazily loaded library.
func TestLink(t *testing.T) {
	lib := mustOpen(t)
	err := lib.Do(func(c *Context) error {
		m, err := c.ParseIR("a.ll", []byte("declare void @f()\ndefine void @k() {\n  call void @f()\n  ret void\n}"))
		if err != nil {
			return err
		}
		src, err := c.ParseIR("b.ll", []byte("@v = global i32 0\ndefine void @f() {\n  ret void\n}\ndefine void @unused() {\n  ret void\n}"))
		if err != nil {
			return err
		}
		for g := range src.Functions() {
			g.SetLinkage(LinkOnceODR)
		}
		if err := m.Link(src); err != nil {
			return err
		}
		var names []string
		for g := range m.Functions() {
			if g.IsDeclaration() {
				t.Errorf("%s is still a declaration", g.Name())
			}
			names = append(names, g.Name())
		}
		for g := range m.Variables() {
			names = append(names, g.Name())
		}
		if fmt.Sprint(names) != "[k f v]" {
			t.Errorf("got %v", names)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	err = lib.Do(func(c *Context) error {
		_, err := c.LoadBitcode("x.bc", []byte("not bitcode"))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "x.bc") {
		t.Errorf("bad bitcode: %v", err)
	}
}
