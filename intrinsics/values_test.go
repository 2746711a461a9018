package intrinsics

import (
	"fmt"
	"go/types"
	"maps"
	"math"
	"math/bits"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	gpu "heddle/dsl"
	"heddle/internal/codegen"
	"heddle/internal/target"
)

// exact are the functions whose rows give bit for bit what the Go function
// gives: one instance for each type.
var exact = func() map[string][]any {
	all := map[string][]any{
		"Abs": {math.Abs}, "Ceil": {math.Ceil}, "Copysign": {math.Copysign}, "Dim": {math.Dim},
		"FMA": {math.FMA}, "Floor": {math.Floor}, "Inf": {math.Inf}, "IsInf": {math.IsInf}, "IsNaN": {math.IsNaN},
		"Float32bits": {math.Float32bits}, "Float32frombits": {math.Float32frombits},
		"Float64bits": {math.Float64bits}, "Float64frombits": {math.Float64frombits},
		"Frexp": {math.Frexp}, "Ldexp": {math.Ldexp},
		"Max": {math.Max}, "Min": {math.Min}, "Modf": {math.Modf}, "NaN": {math.NaN}, "Round": {math.Round},
		"RoundToEven": {math.RoundToEven}, "Signbit": {math.Signbit}, "Sqrt": {math.Sqrt}, "Trunc": {math.Trunc},

		"OnesCount": {bits.OnesCount}, "LeadingZeros": {bits.LeadingZeros}, "TrailingZeros": {bits.TrailingZeros},
		"Len": {bits.Len}, "Reverse": {bits.Reverse}, "ReverseBytes": {bits.ReverseBytes}, "RotateLeft": {bits.RotateLeft},
		"Add": {bits.Add}, "Sub": {bits.Sub}, "Mul": {bits.Mul},
		"OnesCount8": {bits.OnesCount8}, "LeadingZeros8": {bits.LeadingZeros8}, "TrailingZeros8": {bits.TrailingZeros8},
		"Len8": {bits.Len8}, "Reverse8": {bits.Reverse8}, "RotateLeft8": {bits.RotateLeft8},
		"OnesCount16": {bits.OnesCount16}, "LeadingZeros16": {bits.LeadingZeros16}, "TrailingZeros16": {bits.TrailingZeros16},
		"Len16": {bits.Len16}, "Reverse16": {bits.Reverse16}, "ReverseBytes16": {bits.ReverseBytes16}, "RotateLeft16": {bits.RotateLeft16},
		"OnesCount32": {bits.OnesCount32}, "LeadingZeros32": {bits.LeadingZeros32}, "TrailingZeros32": {bits.TrailingZeros32},
		"Len32": {bits.Len32}, "Reverse32": {bits.Reverse32}, "ReverseBytes32": {bits.ReverseBytes32}, "RotateLeft32": {bits.RotateLeft32},
		"Add32": {bits.Add32}, "Sub32": {bits.Sub32}, "Mul32": {bits.Mul32},
		"OnesCount64": {bits.OnesCount64}, "LeadingZeros64": {bits.LeadingZeros64}, "TrailingZeros64": {bits.TrailingZeros64},
		"Len64": {bits.Len64}, "Reverse64": {bits.Reverse64}, "ReverseBytes64": {bits.ReverseBytes64}, "RotateLeft64": {bits.RotateLeft64},
		"Add64": {bits.Add64}, "Sub64": {bits.Sub64}, "Mul64": {bits.Mul64},
	}
	full := map[string][]any{}
	for name, fs := range all {
		pkg := goMath
		if bitsRows()[goBits+name].Lower != nil {
			pkg = goBits
		}
		full[pkg+name] = fs
	}
	for name, fs := range map[string][]any{
		"Popc": {gpu.Popc[uint], gpu.Popc[uint32], gpu.Popc[uint64]},
		"Clz":  {gpu.Clz[uint], gpu.Clz[uint32], gpu.Clz[uint64]},
		"Ctz":  {gpu.Ctz[uint], gpu.Ctz[uint32], gpu.Ctz[uint64]},
		"Ffs":  {gpu.Ffs[uint], gpu.Ffs[uint32], gpu.Ffs[uint64]},
		"Brev": {gpu.Brev[uint], gpu.Brev[uint32], gpu.Brev[uint64]},
		"Mulhi": {gpu.Mulhi[int], gpu.Mulhi[int32], gpu.Mulhi[int64],
			gpu.Mulhi[uint], gpu.Mulhi[uint32], gpu.Mulhi[uint64]},
		"Abs":  {gpu.Abs[float32], gpu.Abs[float64]},
		"Ceil": {gpu.Ceil[float32], gpu.Ceil[float64]}, "Copysign": {gpu.Copysign[float32], gpu.Copysign[float64]},
		"Floor": {gpu.Floor[float32], gpu.Floor[float64]}, "Fma": {gpu.Fma[float32], gpu.Fma[float64]},
		"IsInf": {gpu.IsInf[float32], gpu.IsInf[float64]}, "IsNaN": {gpu.IsNaN[float32], gpu.IsNaN[float64]},
		"Max": {gpu.Max[float32], gpu.Max[float64]}, "Min": {gpu.Min[float32], gpu.Min[float64]},
		"Rint": {gpu.Rint[float32], gpu.Rint[float64]}, "Round": {gpu.Round[float32], gpu.Round[float64]},
		"Sqrt": {gpu.Sqrt[float32], gpu.Sqrt[float64]}, "Trunc": {gpu.Trunc[float32], gpu.Trunc[float64]},
	} {
		full[dsl+name] = fs
	}
	return full
}()

var (
	someFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 1.5, 2.5, -2.5, 3.7, 0.49999999999999994, -0.3,
		1<<52 + 0.5, 1e300, -1e38, 5e-324, -1e-310, 1e-40, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.Pi}
	someInts = []uint64{0, 1, 2, 3, 7, 0x80, 0xff, 0x8000, 0xff00, 0x12345678, 0x80000000, 0xffffffff,
		0x123456789abcdef0, 1 << 63, math.MaxInt64, ^uint64(0), ^uint64(6)}
)

// samples are values of a type to try.
func samples(t reflect.Type, few bool) []reflect.Value {
	var list []reflect.Value
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		for _, f := range someFloats {
			list = append(list, reflect.ValueOf(f).Convert(t))
		}
	default:
		for _, n := range someInts {
			list = append(list, reflect.ValueOf(n).Convert(t))
		}
	}
	if few {
		list = slices.DeleteFunc(list, func(v reflect.Value) bool { return (v.Interface() == list[3].Interface()) })
		return list[len(list)-8:]
	}
	return list
}

// Rows on constants, folded by LLVM, give what the Go function gives.
func TestRowsCompute(t *testing.T) {
	m := machine(t, "sm_70", 32)
	for name := range merge(mathRows(), stdMathRows(), integerRows(), bitsRows()) {
		if exact[name] == nil {
			t.Errorf("%s: not compared with the Go function", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(exact)) {
		for _, fn := range exact[name] {
			compare(t, m, name, reflect.ValueOf(fn))
		}
	}
}

var stored = regexp.MustCompile(`store volatile i64 (\S+), `)

// compare runs one function on all combinations of samples.
func compare(t *testing.T, m *target.Machine, name string, fn reflect.Value) {
	k := newKernel(m, "compare")
	type outcome struct {
		args []reflect.Value
		want reflect.Value
	}
	var wants []outcome
	args := make([]reflect.Value, fn.Type().NumIn())
	var each func(i int)
	each = func(i int) {
		if i < len(args) {
			list := samples(fn.Type().In(i), len(args) > 2)
			if i == 2 && fn.Type().In(i).Kind() != reflect.Float32 && fn.Type().In(i).Kind() != reflect.Float64 {
				list = []reflect.Value{reflect.Zero(args[0].Type()), reflect.ValueOf(1).Convert(args[0].Type())} // a carry
			}
			for _, v := range list {
				args[i] = v
				each(i + 1)
			}
			return
		}
		var got []target.Value
		switch r := table.Get()[name].Lower(k.constCall(t, name, args)).(type) {
		case *target.Agg:
			got = r.Elems
		default:
			got = []target.Value{r}
		}
		for i, want := range fn.Call(args) {
			v := asInt(k.Builder, got[i])
			k.Emit(target.Void, "store volatile ", target.T(k.IntCast(v, target.I64, false)), ", ", target.T(k.out))
			wants = append(wants, outcome{slices.Clone(args), want})
		}
	}
	each(0)
	k.finish()
	text, err := codegen.OptimisedIR(k.request())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found := stored.FindAllStringSubmatch(text, -1)
	if len(found) != len(wants) {
		t.Fatalf("%s: %d results of %d", name, len(found), len(wants))
	}
	bad := 0
	for i, w := range wants {
		if bad < 5 && !agree(name, found[i][1], w.want) {
			bad++
			t.Errorf("%s%v = %s, want %v (%#x)", name, interfaces(w.args), found[i][1], w.want, bitsOf(w.want))
		}
	}
}

// agree compares a constant in LLVM's text with a Go value: NaNs are alike, and so are
// zeros where the function may return either of two.
func agree(name, got string, want reflect.Value) bool {
	var n uint64
	var signed int64
	if _, err := fmt.Sscan(got, &signed); err != nil {
		// LLVM does not fold square roots that are not finite.
		return strings.HasSuffix(name, ".Sqrt") && (math.IsNaN(want.Float()) || math.IsInf(want.Float(), 1))
	}
	n = uint64(signed)
	if want.CanFloat() {
		f := math.Float64frombits(n)
		if want.Kind() == reflect.Float32 {
			f = float64(math.Float32frombits(uint32(n)))
		}
		if math.IsNaN(f) && math.IsNaN(want.Float()) || f == 0 && want.Float() == 0 && (name == dsl+"Max" || name == dsl+"Min") {
			return true
		}
	}
	return n == bitsOf(want)
}

func interfaces(vs []reflect.Value) (list []any) {
	for _, v := range vs {
		list = append(list, v.Interface())
	}
	return list
}

func bitsOf(v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Float32:
		return uint64(math.Float32bits(float32(v.Float())))
	case v.CanFloat():
		return math.Float64bits(v.Float())
	case v.Kind() == reflect.Bool && v.Bool():
		return 1
	case v.Kind() == reflect.Bool:
		return 0
	case v.CanInt():
		return uint64(v.Int()) & (^uint64(0) >> (64 - v.Type().Bits()))
	}
	return v.Uint()
}

// constCall is a call with constant arguments.
func (k *kernel) constCall(t *testing.T, name string, args []reflect.Value) *Call {
	sig := functions(t)[name].Signature()
	var typeArgs []types.Type
	if sig.TypeParams().Len() > 0 {
		typed := args[0]
		if _, generic := sig.Params().At(0).Type().(*types.TypeParam); !generic { // a mask comes first
			typed = args[1]
		}
		typeArgs = []types.Type{types.Universe.Lookup(typed.Type().Name()).Type()}
		inst, err := types.Instantiate(nil, sig, typeArgs, true)
		if err != nil {
			t.Fatal(err)
		}
		sig = inst.(*types.Signature)
	}
	c := k.newCall(name, sig, typeArgs)
	for i, a := range args {
		lt := lower(c.ArgTypes[i])
		switch {
		case a.CanFloat():
			c.Args = append(c.Args, target.Float(lt, a.Float()))
		case a.CanInt():
			c.Args = append(c.Args, target.Int(lt, a.Int()))
		default:
			c.Args = append(c.Args, target.Int(lt, int64(a.Uint())<<(64-a.Type().Bits())>>(64-a.Type().Bits())))
		}
	}
	return c
}
