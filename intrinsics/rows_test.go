package intrinsics

import (
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/llir/llvm/ir"
	"golang.org/x/tools/go/packages"

	"heddle/internal/abi"
	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/module"
	"heddle/internal/ops"
	"heddle/internal/target"
)

// signatures are the exported functions of the packages that have rows, by full name.
var signatures = sync.OnceValues(func() (map[string]*types.Func, error) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile},
		module.DSL, module.Vector, module.Texture, module.Launch, "math", "math/bits")
	if err != nil {
		return nil, err
	}
	funcs := map[string]*types.Func{}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			return nil, e
		}
		for _, name := range p.Types.Scope().Names() {
			switch o := p.Types.Scope().Lookup(name).(type) {
			case *types.Func:
				if o.Exported() {
					funcs[o.FullName()] = o
				}
			case *types.TypeName:
				for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
					funcs[m.Obj().(*types.Func).FullName()] = m.Obj().(*types.Func)
				}
			}
		}
	}
	return funcs, nil
})

func functions(t testing.TB) map[string]*types.Func {
	funcs, err := signatures()
	if err != nil {
		t.Fatal(err)
	}
	return funcs
}

// bodies are the dsl functions without a row, lowered from their Go bodies.
var bodies = []string{
	dsl + "AtomicOf",
	dsl + "FastSincos", dsl + "Fdim", dsl + "Fdivide", dsl + "Float32Rd", dsl + "Float32Rn", dsl + "Float32Ru", dsl + "Float32Rz",
	dsl + "FloatRd", dsl + "FloatRn", dsl + "FloatRu", dsl + "FloatRz", dsl + "Frexp", dsl + "FromHighLow", dsl + "HighInt", dsl + "Ilogb",
	dsl + "IsFinite", dsl + "Jn", dsl + "Ldexp", dsl + "Llrint", dsl + "Llround",
	dsl + "Logb", dsl + "LowInt", dsl + "Lrint", dsl + "Lround", dsl + "Modf", dsl + "NaN", dsl + "Nearbyint", dsl + "Nextafter", dsl + "Norm",
	dsl + "Powi", dsl + "RcpRn", dsl + "Remquo", dsl + "Rnorm", dsl + "Scalbln", dsl + "Scalbn", dsl + "Signbit",
	dsl + "SubRd", dsl + "SubRu", dsl + "SubRz", dsl + "Yn",
	dsl + "HExp", dsl + "HExp2", dsl + "HExp10", dsl + "HLog", dsl + "HLog2", dsl + "HLog10", dsl + "HSin", dsl + "HCos",
	dsl + "HDot", dsl + "Float16Rd", dsl + "Float16Rn", dsl + "Float16Ru", dsl + "Float16Rz",
}

func TestEveryFunctionHasARow(t *testing.T) {
	funcs := functions(t)
	for name := range funcs {
		if strings.HasPrefix(name, dsl) && (table.Get()[name] == nil) != slices.Contains(bodies, name) {
			t.Errorf("%s: want either a row or a place in the list of those lowered from their Go body", name)
		}
	}
	for name := range table.Get() {
		if funcs[name] == nil {
			t.Errorf("row %s: no such function", name)
		}
	}
}

// Every row says what its function does, and shared memory is not nil.
func TestFacts(t *testing.T) {
	for name, r := range table.Get() {
		sig := functions(t)[name].Signature()
		switch {
		case r.Effect == ops.Unknown:
			t.Errorf("%s has no effect", name)
		case r.Lower == nil && !r.Body && r.Known == nil:
			t.Errorf("%s is not lowered", name)
		case r.Effect == ops.Pure && !r.Panics && sig.Results().Len() == 0:
			t.Errorf("%s has no effect and no result", name)
		case r.Together > ops.Thread && r.OfArgs:
			t.Errorf("%s depends on what other threads pass, not on the arguments alone", name)
		case r.Result > r.Together && r.Together > ops.Thread && r.Lower != nil:
			t.Errorf("%s gives to more threads the same result than take part", name)
		}
		if sig.Results().Len() == 1 {
			_, pointer := sig.Results().At(0).Type().Underlying().(*types.Pointer)
			if pointer != r.NonNil || pointer && r.Space == ops.AnySpace {
				t.Errorf("%s returns a pointer: %t; facts %+v", name, pointer, r.Facts)
			}
		}
		for _, n := range r.Const {
			params := sig.Params().Len()
			if sig.Recv() != nil {
				params++
			}
			if n >= params {
				t.Errorf("%s has no argument %d", name, n)
			}
		}
	}
}

func TestNoRowNamesATarget(t *testing.T) {
	words := []string{"amdgcn", "amdgpu", "nvvm", "nvptx", "ocml", "__nv", "gfx", "sm_", "ptx", "x86", "aarch"}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if strings.Contains(strings.ToLower(string(text)), w) {
				t.Errorf("%s names a target: %q", f.Name(), w)
			}
		}
	}
}

// machines are those every row is compiled for.
var machines = []struct {
	cpu  string
	warp int
	math bool // compile the math library's functions too
}{
	{"gfx803", 64, false},
	{"gfx906", 64, true},
	{"gfx942", 64, false},
	{"gfx1100", 32, true},
	{"gfx1100", 64, false},
	{"gfx1201", 32, false},
	{"sm_70", 32, true},
	{"sm_90", 32, false},
	{"x86-64-v3", 32, false},
	{"x86-64-v4", 64, true},
	{"aarch64", 32, false},
}

// machine skips a test if LLVM is not here or does not know the processor.
func machine(t *testing.T, cpu string, warp int) *target.Machine {
	t.Helper()
	m, err := target.For(cpu, warp)
	if err != nil {
		t.Fatal(err)
	}
	if len(llvm.Candidates()) == 0 {
		t.Skip("no libLLVM on this machine")
	}
	lib, err := llvm.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := codegen.Supports(m.Triple, cpu); err != nil {
		t.Skip(err)
	}
	if lib.Major < 18 && m.CodeObject > 4 { // which cannot tell versions apart by module
		m.CodeObject = 4
	}
	return m
}

// Every row gives code that LLVM verifies and compiles, for every type it takes.
func TestRowsCompile(t *testing.T) {
	for _, m := range machines {
		t.Run(fmt.Sprintf("%s/%d", m.cpu, m.warp), func(t *testing.T) {
			mach := machine(t, m.cpu, m.warp)
			if _, ok := codegen.HasMathLib(mach.Kind); ok {
				mach.MathLib = m.math
			}
			families := map[string]map[string]Row{
				"geometry": geometryRows(), "shared": sharedRows(), "sync": syncRows(), "warp": warpRows(), "together": togetherRows(), "copy": copyRows(), "atomic": atomicRows(),
				"library": libraryRows(), "math": mathRows(), "whole": wholeRows(), "stdmath": stdMathRows(), "integer": integerRows(), "bits": bitsRows(),
			}
			for family, rows := range families {
				k := newKernel(mach, family)
				for _, name := range slices.Sorted(maps.Keys(rows)) {
					r := rows[name]
					if r.Known != nil {
						if r.Known(mach) == nil || r.Lower != nil {
							t.Errorf("%s is not known", name)
						}
						continue
					}
					if r.Needs != nil && r.Needs(mach) != "" {
						continue
					}
					k.everyType(t, name, functions(t)[name], &r)
				}
				k.compile(t)
			}
		})
	}
}

// With FastAtomics a float addition is one instruction where the processor has it.
func TestFastAtomics(t *testing.T) {
	k := newKernel(machine(t, "gfx90a", 0), "fast")
	k.M.FastAtomics = true
	k.everyType(t, dsl+"AtomicAdd", functions(t)[dsl+"AtomicAdd"], table.Get()[dsl+"AtomicAdd"])
	k.Ret(nil)
	k.M.T.Finish(k.M, k.F, target.KernelInfo{})
	text, err := codegen.Assembly(k.request())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"global_atomic_add_f32", "global_atomic_add_f64"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, "global_atomic_cmpswap") {
		t.Error("a loop of compare and swap")
	}
}

// A kernel calls rows one after another: arguments come from memory, results go there.
type kernel struct {
	*target.Builder
	in, out target.Value
	n       int64
	dynamic bool
}

func newKernel(m *target.Machine, name string) *kernel {
	mod := target.NewModule(m, "test.go")
	var params []*ir.Param
	for _, p := range []string{"in", "out"} {
		params = append(params, ir.NewParam(p, target.Ptr(m.Global)))
	}
	f := mod.LL.NewFunc("k_"+name, target.Void, params...)
	f.CallingConv = m.KernelConv
	return &kernel{Builder: &target.Builder{M: mod, F: f, Cur: f.NewBlock("")}, in: params[0], out: params[1]}
}

func (k *kernel) finish() {
	k.Ret(nil)
	k.M.T.Finish(k.M, k.F, target.KernelInfo{})
}

func (k *kernel) request() *codegen.Request {
	m := k.M.T
	return &codegen.Request{
		IR: []byte(k.M.LL.String()), Triple: m.Triple, CPU: m.CPU, Features: m.Features, Kind: m.Kind,
		Kernel: k.F.Name(), WarpSize: m.WarpSize, CodeObject: m.CodeObject,
	}
}

func (k *kernel) compile(t *testing.T) {
	k.finish()
	r := k.request()
	var err error
	if r.Kind == abi.Native {
		_, err = codegen.ScalarIR(r)
	} else {
		_, err = codegen.Emit(r)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, r.IR)
	}
}

// everyType calls a row for every type that its function can have.
func (k *kernel) everyType(t *testing.T, name string, f *types.Func, row *Row) {
	if f == nil {
		t.Errorf("row %s: no such function", name)
		return
	}
	sig := f.Signature()
	if row.Lower == nil {
		return
	}
	if sig.TypeParams().Len() == 0 {
		k.everySpace(t, name, sig, nil, row)
		return
	}
	for _, typ := range terms(sig.TypeParams().At(0).Constraint()) {
		inst, err := types.Instantiate(nil, sig, []types.Type{typ}, true)
		if err != nil {
			t.Errorf("%s[%s]: %v", name, typ, err)
			continue
		}
		site := &Site{TypeArgs: []types.Type{typ}, Consts: make([]constant.Value, sig.Params().Len())}
		if row.Check != nil {
			if msg, _ := row.Check(site); msg != "" {
				continue
			}
		}
		k.everySpace(t, name, inst.(*types.Signature), []types.Type{typ}, row)
	}
}

// anyTypes are what a type parameter without a constraint is tried with.
var anyTypes = []types.Type{
	types.NewArray(types.NewArray(types.Typ[types.Float32], 16), 16),
	types.NewArray(types.Typ[types.Bool], 4), types.Typ[types.Int64], types.NewStruct(nil, nil),
	types.Typ[types.Bool], types.Typ[types.Int8], types.Typ[types.Uint16], types.Typ[types.Int32], types.Typ[types.Float32],
	types.Typ[types.Float64], types.NewArray(types.Typ[types.Float64], 4), types.NewStruct([]*types.Var{
		types.NewField(0, nil, "A", types.Typ[types.Int8], false), types.NewField(0, nil, "B", types.Typ[types.Uint64], false),
		types.NewField(0, nil, "C", types.NewArray(types.Typ[types.Bool], 3), false),
	}, nil),
}

// terms lists the types of a constraint.
func terms(t types.Type) []types.Type {
	var list []types.Type
	switch t := t.(type) {
	case *types.Union:
		for term := range t.Terms() {
			list = append(list, terms(term.Type())...)
		}
		return list
	case *types.Basic:
		return []types.Type{t}
	}
	iface := t.Underlying().(*types.Interface)
	if iface.NumEmbeddeds() == 0 {
		return anyTypes
	}
	for e := range iface.EmbeddedTypes() {
		list = append(list, terms(e)...)
	}
	return list
}

// everySpace calls a row that takes a pointer once for every kind of memory.
func (k *kernel) everySpace(t *testing.T, name string, sig *types.Signature, typeArgs []types.Type, row *Row) {
	if sig.Params().Len() > 0 {
		if ptr, ok := sig.Params().At(0).Type().(*types.Pointer); ok {
			local := k.M.Var(fmt.Sprintf("local%d", k.n), lower(ptr.Elem()), k.M.T.Shared, 8, target.Poison(lower(ptr.Elem())))
			global, shared := k.Generic(k.out), k.Generic(local)
			either := k.Select(k.Load(target.I1, k.in, 1), global, shared)
			for _, p := range []target.Value{global, shared, either} {
				k.call(t, name, sig, typeArgs, row, []target.Value{p})
			}
			return
		}
	}
	k.call(t, name, sig, typeArgs, row, nil)
}

// lacking are the functions that some machines have no code of their own for, whatever the
// mathematical library.
var lacking = func() map[string]bool {
	all := map[string]bool{}
	for name, r := range merge(togetherRows(), copyRows(), wholeRows()) {
		all[name] = r.Body
	}
	return all
}()

// call emits one call; args are the first arguments, the rest are loaded.
func (k *kernel) call(t *testing.T, name string, sig *types.Signature, typeArgs []types.Type, row *Row, args []target.Value) {
	c := k.newCall(name, sig, typeArgs)
	for i, typ := range c.ArgTypes {
		if i >= len(args) {
			lt := lower(typ)
			if slices.Contains(row.Const, i) {
				args = append(args, target.Int(lt, 5))
				continue
			}
			args = append(args, k.Load(lt, k.GEP(target.I64, k.in, target.Int(target.I64, k.n)), 1))
			k.n++
		}
	}
	c.Args = args
	r := row.Lower(c)
	switch want := lowerResult(resultOf(sig)); {
	case r == nil:
		if k.M.T.MathLib && !lacking[name] || Always(name) {
			t.Errorf("%s%v: declined", name, typeArgs)
		}
	case r == None:
		if want != nil {
			t.Errorf("%s%v: no result, want %v", name, typeArgs, want)
		}
	case want == nil || !r.Type().Equal(want):
		t.Errorf("%s%v: result %v, want %v", name, typeArgs, r.Type(), want)
	default:
		k.Store(k.Flat(r), k.GEP(target.I64, k.out, target.Int(target.I64, k.n)), 1)
		k.n += 3
	}
}

func (k *kernel) newCall(name string, sig *types.Signature, typeArgs []types.Type) *Call {
	c := &Call{
		B: k.Builder, TypeArgs: typeArgs, Site: fmt.Sprintf("test.go:%d:1", k.n), Lower: lower,
		Size: func(t types.Type) (int64, int64) {
			s := types.SizesFor("gc", "amd64")
			return s.Sizeof(t), s.Alignof(t)
		},
		UsesShared:        func(int64) {},
		UsesDynamicShared: func() { k.dynamic = true },
	}
	for p := range sig.Params().Variables() {
		c.ArgTypes = append(c.ArgTypes, p.Type())
	}
	return c
}

// resultOf is a function's result: nil for none, a tuple for several.
func resultOf(sig *types.Signature) types.Type {
	switch sig.Results().Len() {
	case 0:
		return nil
	case 1:
		return sig.Results().At(0).Type()
	}
	return sig.Results()
}

// lower is the type lowering that rows rely on.
func lower(t types.Type) target.Type {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.Bool:
			return target.I1
		case types.Float32:
			return target.F32
		case types.Float64:
			return target.F64
		case types.Int8, types.Uint8:
			return target.I8
		case types.Int16, types.Uint16:
			return target.I16
		case types.Int32, types.Uint32:
			return target.I32
		case types.Int, types.Uint, types.Int64, types.Uint64:
			return target.I64
		}
	case *types.Pointer:
		return target.Ptr(0)
	case *types.Slice:
		return target.Struct(target.Ptr(0), target.I64, target.I64)
	case *types.Array:
		return target.Array(t.Len(), lower(t.Elem()))
	case *types.Struct:
		var fields []target.Type
		for f := range t.Fields() {
			fields = append(fields, lower(f.Type()))
		}
		return target.Struct(fields...)
	case *types.Tuple:
		var fields []target.Type
		for v := range t.Variables() {
			fields = append(fields, lower(v.Type()))
		}
		return target.Struct(fields...)
	}
	panic(fmt.Sprintf("no lowering for %v", t))
}

func lowerResult(t types.Type) target.Type {
	if t == nil {
		return nil
	}
	return lower(t)
}
