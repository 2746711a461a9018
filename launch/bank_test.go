package launch

import (
	"testing"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/symbol"
)

var copiedOften = dsl.NewConstant([2]int32{1, 2})

// A withBank is a kernel with copies of constants.
type withBank struct {
	driver.Function
	at driver.Ptr
}

func (f withBank) Bank() (driver.Ptr, error) { return f.at, nil }

// Kernels' own copies of a constant have what it has: after a copy that waits, at once, and of others
// at the next launch.
func TestBank(t *testing.T) {
	d := openSim(t)
	const offset = 16
	var kernels [2][]copied
	var banks [2]unsafe.Pointer
	load := func(i int) {
		v := symbol.Of(copiedOften)
		b, err := d.symbols.instance(d, v)
		ok(t, err)
		banks[i], err = d.drv.Alloc(offset + 8)
		ok(t, err)
		named := []abi.Symbol{{}, {Size: 8, Banked: true, Offset: offset}}
		kernels[i], err = d.symbols.bank(d, withBank{at: banks[i]}, named, []unsafe.Pointer{nil, b.base})
		ok(t, err)
	}
	has := func(i int, want [2]int32) {
		t.Helper()
		ok(t, d.Stream().Sync())
		if got := *(*[2]int32)(unsafe.Add(banks[i], offset)); got != want {
			t.Errorf("kernel %d has %v, want %v", i, got, want)
		}
	}
	load(0)
	has(0, [2]int32{1, 2})
	v := [2]int32{3, 4}
	ok(t, CopyToSymbol(d, copiedOften, &v))
	has(0, v)
	load(1)
	has(1, v)

	d.symbols.forget(kernels[1])
	w := [2]int32{5, 6}
	ok(t, CopyToSymbol(d, copiedOften, &w))
	has(0, w)
	has(1, v)

	s := d.Stream()
	ok(t, s.refresh(kernels[1]))
	has(1, v) // nobody has written it in a stream's order
	x := [2]int32{7, 8}
	ok(t, CopyToSymbolAsync(s, copiedOften, &x))
	ok(t, s.refresh(kernels[0]))
	has(0, x)
	b, err := SymbolBuffer[int32](d, copiedOften)
	ok(t, err)
	ok(t, b.Upload([]int32{9, 10}))
	ok(t, s.refresh(kernels[0]))
	has(0, [2]int32{9, 10})
}

// Who has a constant as a Buffer may write there at any time.
func TestBankOfBuffer(t *testing.T) {
	d := openSim(t)
	b, err := SymbolBuffer[int32](d, copiedOften)
	ok(t, err)
	if !b.header.own.b.copies.loose.Load() {
		t.Error("it is taken to change by CopyToSymbol alone")
	}
}
