package vector

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

// All types by HIP's letters and widths, with the names that HIP gives the same one.
var types = []any{
	Char1{}, Char2{}, Char3{}, Char4{}, Uchar1{}, Uchar2{}, Uchar3{}, Uchar4{},
	Short1{}, Short2{}, Short3{}, Short4{}, Ushort1{}, Ushort2{}, Ushort3{}, Ushort4{},
	Int1{}, Int2{}, Int3{}, Int4{}, Uint1{}, Uint2{}, Uint3{}, Uint4{},
	Long1{}, Long2{}, Long3{}, Long4{}, Ulong1{}, Ulong2{}, Ulong3{}, Ulong4{},
	Float1{}, Float2{}, Float3{}, Float4{}, Double1{}, Double2{}, Double3{}, Double4{},
}

var constructors = []any{
	MakeChar3, SplatChar2, Char4From, MakeUlong2, SplatFloat4, Float3From, MakeDouble4, SplatDouble1, Double2From, MakeShort4,
	SplatUshort3, Int2From, MakeLonglong4, SplatLonglong3, Longlong2From, MakeUlonglong1, SplatUlonglong4, Ulonglong3From, Uint4From,
	MakeInt1, SplatInt3, MakeFloat2, MakeUchar4, SplatUchar4, Uchar2From, SplatLong2, Long3From, MakeLong4, Ulong4From, Ushort1From, Short2From,
}

// Constructors put what they get into X, Y, Z, W in this order.
func TestConstructors(t *testing.T) {
	for _, fn := range constructors {
		f := reflect.ValueOf(fn)
		typ := f.Type().Out(0)
		n, elem := typ.NumField(), typ.Field(0).Type
		number := func(i int) reflect.Value { return reflect.ValueOf(i + 1).Convert(elem) }
		var args []reflect.Value
		splat := false
		switch in := f.Type().In(0); {
		case in.Kind() == reflect.Array:
			args = []reflect.Value{reflect.New(in).Elem()}
			for i := range n {
				args[0].Index(i).Set(number(i))
			}
		case f.Type().NumIn() == n:
			for i := range n {
				args = append(args, number(i))
			}
		default:
			splat, args = true, []reflect.Value{number(0)}
		}
		got := f.Call(args)[0]
		for i := range n {
			want := number(i)
			if splat {
				want = number(0)
			}
			if !got.Field(i).Equal(want) {
				t.Errorf("%v%v: %v", f.Type(), args, got)
			}
		}
	}
}

// What one component of a method's result is, of integers as int64 or uint64 before it is
// made as narrow as they are, of floats as float64, which rounds to float32 as one
// operation does.
var (
	onSigned = map[string]func(a, b int64) any{
		"Add": func(a, b int64) any { return a + b }, "Sub": func(a, b int64) any { return a - b },
		"Mul": func(a, b int64) any { return a * b }, "Div": func(a, b int64) any { return a / b },
		"Rem": func(a, b int64) any { return a - a/b*b }, "Neg": func(a, b int64) any { return 0 - a },
		"And": func(a, b int64) any { return a & b }, "Or": func(a, b int64) any { return a | b },
		"Xor": func(a, b int64) any { return (a | b) - (a & b) }, "AndNot": func(a, b int64) any { return a & (-1 - b) },
		"Not": func(a, b int64) any { return -1 - a }, "Shl": func(a, b int64) any { return a << uint(b) },
		"Shr": func(a, b int64) any { return a >> uint(b) },
	}
	onUnsigned = map[string]func(a, b uint64) any{
		"Add": func(a, b uint64) any { return a + b }, "Sub": func(a, b uint64) any { return a - b },
		"Mul": func(a, b uint64) any { return a * b }, "Div": func(a, b uint64) any { return a / b },
		"Rem": func(a, b uint64) any { return a - a/b*b },
		"And": func(a, b uint64) any { return a & b }, "Or": func(a, b uint64) any { return a | b },
		"Xor": func(a, b uint64) any { return (a | b) - (a & b) }, "AndNot": func(a, b uint64) any { return a - a&b },
		"Not": func(a, b uint64) any { return math.MaxUint64 - a }, "Shl": func(a, b uint64) any { return a << b },
		"Shr": func(a, b uint64) any { return a >> b },
	}
	onFloats = map[string]func(a, b float64) any{
		"Add": func(a, b float64) any { return a + b }, "Sub": func(a, b float64) any { return a - b },
		"Mul": func(a, b float64) any { return a * b }, "Div": func(a, b float64) any { return a / b },
		"Neg": func(a, b float64) any { return -a },
	}
	comparisons = map[string]func(order int) bool{
		"Eq": func(o int) bool { return o == 0 }, "Ne": func(o int) bool { return o != 0 },
		"Lt": func(o int) bool { return o < 0 }, "Le": func(o int) bool { return o <= 0 },
		"Gt": func(o int) bool { return o > 0 }, "Ge": func(o int) bool { return o >= 0 },
	}
)

// apply is an operation's result for one component, and whether there is one.
func apply(name string, a, b reflect.Value) (v reflect.Value, ok bool) {
	order := -1
	var r any
	switch {
	case a.CanInt():
		if f := onSigned[name]; f != nil {
			r = f(a.Int(), b.Int())
		}
		order = min(max(0, btoi(a.Int() > b.Int())), 1) - btoi(a.Int() < b.Int())
	case a.CanUint():
		if f := onUnsigned[name]; f != nil {
			r = f(a.Uint(), b.Uint())
		}
		order = btoi(a.Uint() > b.Uint()) - btoi(a.Uint() < b.Uint())
	default:
		if f := onFloats[name]; f != nil {
			r = f(a.Float(), b.Float())
		}
		order = btoi(a.Float() > b.Float()) - btoi(a.Float() < b.Float())
	}
	switch {
	case r != nil:
		return reflect.ValueOf(r).Convert(a.Type()), true
	case comparisons[name] != nil:
		return reflect.ValueOf(comparisons[name](order)), true
	case name == "Min" && order > 0 || name == "Max" && order <= 0:
		return b, true
	case name == "Min" || name == "Max":
		return a, true
	}
	return a, false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// parts are the components of a vector or an array.
func parts(v reflect.Value) (all []reflect.Value) {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			all = append(all, v.Index(i))
		}
		return all
	}
	for i := range v.NumField() {
		all = append(all, v.Field(i))
	}
	return all
}

// operands are two vectors of a type, the b of numbers that integers can be shifted and divided by.
func operands(typ reflect.Type, seed int) (a, b reflect.Value) {
	a, b = reflect.New(typ).Elem(), reflect.New(typ).Elem()
	for i := range typ.NumField() {
		x := (seed*2654435761 + i*40503) >> (seed % 5)
		switch elem := a.Field(i).Type(); {
		case a.Field(i).CanFloat():
			a.Field(i).SetFloat(float64(float32(x%1000) / 8))
			b.Field(i).SetFloat(float64(float32((seed+i*7)%13)-6.5) / 4)
		default:
			a.Field(i).Set(reflect.ValueOf(x).Convert(elem))
			b.Field(i).Set(reflect.ValueOf(1 + (seed+5*i)%70).Convert(elem))
			if seed%4 == 0 {
				a.Field(i).Set(b.Field(i))
			}
		}
	}
	return a, b
}

// Every method of every type does to each component what its name says; every type has
// those of its kind.
func TestMethods(t *testing.T) {
	byName := map[string]reflect.Type{}
	for _, v := range types {
		byName[reflect.TypeOf(v).Name()] = reflect.TypeOf(v)
	}
	for _, v := range types {
		typ := reflect.TypeOf(v)
		kindMethods := len(onSigned)
		switch elem := typ.Field(0).Type.Kind(); elem {
		case reflect.Float32, reflect.Float64:
			kindMethods = len(onFloats)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			kindMethods = len(onUnsigned)
		}
		// and Min, Max, Dot, Array, and conversions to the nine other types of the width
		if have, want := typ.NumMethod(), kindMethods+len(comparisons)+2+2+9; have != want {
			t.Errorf("%v has %d methods, want %d", typ, have, want)
		}
		for m := range typ.NumMethod() {
			for seed := range 40 {
				a, b := operands(typ, seed)
				if err := checkMethod(typ.Method(m), a, b, byName); err != nil {
					t.Fatalf("%v.%s, of %v and %v: %v", typ, typ.Method(m).Name, a, b, err)
				}
			}
		}
	}
}

// checkMethod compares a method's result with the definition.
func checkMethod(m reflect.Method, a, b reflect.Value, byName map[string]reflect.Type) error {
	args := []reflect.Value{a, b}[:m.Type.NumIn()]
	got := m.Func.Call(args)[0]
	as, bs := parts(a), parts(b)
	if m.Name == "Dot" {
		want := reflect.New(as[0].Type()).Elem()
		for i := range as {
			p, _ := apply("Mul", as[i], bs[i])
			want, _ = apply("Add", want, p)
		}
		if !got.Equal(want) {
			return fmt.Errorf("%v, want %v", got, want)
		}
		return nil
	}
	for i, g := range parts(got) {
		want, ok := apply(m.Name, as[i], bs[i])
		if to := byName[m.Name]; to != nil && got.Type() == to {
			want, ok = as[i].Convert(to.Field(0).Type), true
		}
		if !ok && m.Name != "Array" {
			return fmt.Errorf("the test does not know this method")
		}
		if !g.Equal(want) {
			return fmt.Errorf("component %d is %v, want %v", i, g, want)
		}
	}
	return nil
}
