package intrinsics

import (
	"go/types"
	"reflect"
	"strings"
	"testing"

	gpu "heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/target"
)

// intModes are one function of dsl.IntRn's family, of some types.
func intModes[I gpu.AnyInteger, T gpu.Float]() map[string]any {
	return map[string]any{"IntRn": gpu.IntRn[I, T], "IntRd": gpu.IntRd[I, T], "IntRu": gpu.IntRu[I, T], "IntRz": gpu.IntRz[I, T]}
}

// Integers of floats are what the Go bodies make of them, where comparisons limit them.
func TestRoundInt(t *testing.T) {
	m := machine(t, "sm_70", 32)
	own := *m.Target
	m.Target, own.RoundInt = &own, nil
	for _, fns := range []map[string]any{
		intModes[int8, float32](), intModes[int16, float64](), intModes[int32, float32](), intModes[int32, float64](), intModes[int64, float32](), intModes[int, float64](),
		intModes[uint8, float64](), intModes[uint16, float32](), intModes[uint32, float32](), intModes[uint32, float64](), intModes[uint64, float32](), intModes[uint, float64](),
	} {
		for name, fn := range fns {
			compareRounded(t, m, name, reflect.ValueOf(fn))
		}
	}
}

func compareRounded(t *testing.T, m *target.Machine, name string, fn reflect.Value) {
	k := newKernel(m, "rounded")
	var args, wants []reflect.Value
	into, edge := types.Universe.Lookup(fn.Type().Out(0).Name()).Type(), float64(uint64(1)<<(fn.Type().Out(0).Bits()-1))
	for _, f := range append([]float64{edge, -edge, 2 * edge, edge - 0.5, -edge - 0.5, 2*edge - 0.5, -0.75, 127.5, 128.5}, someFloats...) {
		x := reflect.ValueOf(f).Convert(fn.Type().In(0))
		c := &Call{B: k.Builder, Args: []target.Value{target.Float(lower(types.Universe.Lookup(x.Type().Name()).Type()), x.Float())}, TypeArgs: []types.Type{into}, Lower: lower}
		v := table.Get()[dsl+name].Lower(c)
		k.Emit(target.Void, "store volatile ", target.T(k.IntCast(v, target.I64, false)), ", ", target.T(k.out))
		args, wants = append(args, x), append(wants, fn.Call([]reflect.Value{x})[0])
	}
	k.finish()
	text, err := codegen.OptimisedIR(k.request())
	if err != nil {
		t.Fatal(err)
	}
	found := stored.FindAllStringSubmatch(text, -1)
	if len(found) != len(wants) {
		t.Fatalf("%s: %d results of %d", name, len(found), len(wants))
	}
	for i, want := range wants {
		if !agree(name, found[i][1], want) {
			t.Errorf("%s[%v](%v) = %s, want %v", name, into, args[i], found[i][1], want)
		}
	}
}

// On NVIDIA's GPUs they are one instruction, but where that makes another number of NaN, or the integer is shorter.
func TestRoundIntOnce(t *testing.T) {
	m := machine(t, "sm_70", 32)
	for _, c := range []struct {
		name     string
		from, to types.Type
		want     string
		exact    bool
	}{
		{"IntRn", types.Typ[types.Float32], types.Typ[types.Int32], "cvt.rni.s32.f32", true},
		{"IntRd", types.Typ[types.Float32], types.Typ[types.Uint32], "cvt.rmi.u32.f32", true},
		{"IntRu", types.Typ[types.Float64], types.Typ[types.Int], "cvt.rpi.s64.f64", false},
		{"IntRz", types.Typ[types.Float32], types.Typ[types.Uint64], "cvt.rzi.u64.f32", false},
		{"IntRz", types.Typ[types.Float32], types.Typ[types.Int8], "cvt.rzi.s32.f32", false},
	} {
		k := newKernel(m, "once")
		bits := map[bool]target.Type{true: target.I32, false: target.I64}[lower(c.from).Equal(target.F32)]
		x := k.Cast("bitcast", k.Load(bits, k.in, 4), lower(c.from))
		v := table.Get()[dsl+c.name].Lower(&Call{B: k.Builder, Args: []target.Value{x}, TypeArgs: []types.Type{c.to}, Lower: lower})
		k.Emit(target.Void, "store volatile ", target.T(v), ", ", target.T(k.out))
		k.finish()
		text, err := codegen.OptimisedIR(k.request())
		if err != nil {
			t.Fatal(err)
		}
		plain := !strings.Contains(text, "select") && !strings.Contains(text, "smin")
		if !strings.Contains(text, c.want) || plain != c.exact {
			t.Errorf("%s[%v](%v):\n%s", c.name, c.to, c.from, text)
		}
	}
}
