package launch

import (
	"testing"

	"heddle/dsl"
)

var (
	numbers    = dsl.NewGlobal([3]int32{1, 2, 3})
	ofHost     = dsl.NewGlobal(struct{ P *int32 }{new(int32)})
	onTwo, two = dsl.NewGlobal(1), dsl.NewGlobal(2)
	ofMaps     = dsl.NewConstant(map[int]int{})
	zero       dsl.Constant[float32]
	everyones  = dsl.NewManaged([2]float64{0.5})
)

// Each device has an instance of its own, a managed variable is one for all.
func TestSymbols(t *testing.T) {
	a, b := openSim(t), openSim(t)
	five := [3]int32{5, 5, 5}
	if err := CopyToSymbol(a, numbers, &five); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		d    *Device
		want [3]int32
	}{{a, five}, {b, [3]int32{1, 2, 3}}} {
		var got [3]int32
		if err := CopyFromSymbol(c.d, &got, numbers); err != nil || got != c.want {
			t.Errorf("%v: %v, %v", c.d, got, err)
		}
		v := [2]float64{everyones.Ptr()[0], 4}
		if err := CopyToSymbol(c.d, everyones, &v); err != nil || *everyones.Ptr() != v {
			t.Errorf("%v: %v, %v", c.d, *everyones.Ptr(), err)
		}
		everyones.Ptr()[1]--
	}
	buffer, err := SymbolBuffer[int32](a, numbers)
	if err != nil || buffer.Len() != 3 {
		t.Fatal(buffer, err)
	}
	if err := buffer.Close(); err != nil {
		t.Error(err)
	}
	var got [3]int32
	if err := CopyFromSymbol(a, &got, numbers); err != nil || got != five {
		t.Errorf("after its buffer was closed: %v, %v", got, err)
	}
	if all := a.Allocations(); len(all) != 0 {
		t.Errorf("device variables are in the list of allocations: %v", all)
	}
}

func TestSymbolErrors(t *testing.T) {
	d := openSim(t)
	n, f := 0, float32(0)
	fails(t, CopyToSymbol(d, onTwo, &n), "symbol_test.go:12: two device variables are made in this line; give each a line of its own")
	fails(t, CopyFromSymbol(d, &n, two), "symbol_test.go:12: two device variables")
	fails(t, CopyToSymbol(d, zero, &f), "CopyToSymbol of a device variable that was not made: declare it as var v = dsl.NewGlobal(initial)")
	fails(t, CopyToSymbolAsync(nil, numbers, nil), "CopyToSymbolAsync: nil Stream")
	fails(t, CopyFromSymbol(nil, nil, numbers), "nil Device")
	fails(t, CopyFromSymbol(d, nil, numbers), "CopyFromSymbol: nil")
	fails(t, CopyToSymbolAsync(d.Stream(), numbers, nil), "CopyToSymbolAsync: nil")
	_, err := SymbolBuffer[int64](d, numbers)
	fails(t, err, "SymbolBuffer of int64 elements of a variable of type [3]int32")
	_, err = SymbolBuffer[map[int]int](d, ofMaps)
	fails(t, err, "map[int]int")
	_, err = SymbolBuffer[struct{ P *int32 }](d, ofHost)
	fails(t, err, "device variable dsl.Global[struct { P *int32 }] (symbol_test.go:11): its initial value holds an address of the host.P; store the Device() of a Buffer there")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	fails(t, CopyToSymbol(d, onTwo, &n), "is closed")
}
