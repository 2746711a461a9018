package conformance

import (
	"fmt"
	"math"
	"reflect"
	"slices"
)

// maxReported is how many differences of one comparison are printed.
const maxReported = 8

// A bound is how far, in units of the last place, a float may be from the
// truth: by the name of the struct field that holds it and its width in bits.
type bound func(field string, bits int) float64

// exact allows no difference but between NaNs.
func exact(string, int) float64 { return 0 }

// compare reports where two slices differ. input describes element i. Where
// there is an alternative, a value may agree with that instead.
func compare[E any](t *T, got, want, alternative []E, b bound, input func(i int) string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d results, want %d", len(got), len(want))
	}
	reported := 0
	for i := range got {
		ds := differences(reflect.ValueOf(&got[i]).Elem(), reflect.ValueOf(&want[i]).Elem(), "", "", b)
		if len(ds) > 0 && alternative != nil {
			both := differences(reflect.ValueOf(&got[i]).Elem(), reflect.ValueOf(&alternative[i]).Elem(), "", "", b)
			ds = slices.DeleteFunc(ds, func(d difference) bool {
				return !slices.ContainsFunc(both, func(o difference) bool { return o.path == d.path })
			})
		}
		for _, d := range ds {
			if reported++; reported > maxReported {
				t.Fatalf("and more")
			}
			t.Errorf("[%d] %s: %s %s", i, input(i), d.path, d.text)
		}
	}
}

// same compares without inputs to print.
func same[E any](t *T, got, want []E) {
	t.Helper()
	compare(t, got, want, nil, exact, func(int) string { return "" })
}

// A difference is where in a value, and what.
type difference struct{ path, text string }

// differences lists where two values of one type differ.
func differences(got, want reflect.Value, path, field string, b bound) []difference {
	var all []difference
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			if name := got.Type().Field(i).Name; name != "_" {
				all = append(all, differences(got.Field(i), want.Field(i), path+"."+name, name, b)...)
			}
		}
		return all
	case reflect.Array:
		for i := range got.Len() {
			all = append(all, differences(got.Index(i), want.Index(i), fmt.Sprintf("%s[%d]", path, i), field, b)...)
		}
		return all
	case reflect.Complex64, reflect.Complex128:
		g, w, bits := got.Complex(), want.Complex(), got.Type().Bits()/2
		if near(real(g), real(w), bits, b(field, bits)) && near(imag(g), imag(w), bits, b(field, bits)) {
			return nil
		}
		return []difference{{path, fmt.Sprintf("is %v, want %v", g, w)}}
	case reflect.Float32, reflect.Float64:
		g, w, bits := got.Float(), want.Float(), got.Type().Bits()
		if near(g, w, bits, b(field, bits)) {
			return nil
		}
		return []difference{{path, fmt.Sprintf("is %g, want %g (%g ulp, at most %g)", g, w, distance(g, w, bits), b(field, bits))}}
	}
	if got.Equal(want) {
		return nil
	}
	return []difference{{path, fmt.Sprintf("is %#v, want %#v", got, want)}}
}

// near reports whether got is at most ulps units of the last place from want.
// With 0 even the signs of zeros must agree. NaNs are all alike.
func near(got, want float64, bits int, ulps float64) bool {
	if math.IsNaN(got) || math.IsNaN(want) {
		return math.IsNaN(got) && math.IsNaN(want)
	}
	if ulps == 0 {
		return math.Float64bits(got) == math.Float64bits(want)
	}
	return distance(got, want, bits) <= ulps
}

// distance is how many floats of that width lie from a to b.
func distance(a, b float64, bits int) float64 {
	if bits == 32 {
		return math.Abs(float64(order32(float32(a))) - float64(order32(float32(b))))
	}
	x, y := order64(a), order64(b)
	if x < y {
		x, y = y, x
	}
	return float64(uint64(x) - uint64(y))
}

// order32 numbers the floats in their order, both zeros 0.
func order32(f float32) int32 {
	n := int32(math.Float32bits(f))
	if n < 0 {
		return math.MinInt32 - n
	}
	return n
}

func order64(f float64) int64 {
	n := int64(math.Float64bits(f))
	if n < 0 {
		return math.MinInt64 - n
	}
	return n
}
