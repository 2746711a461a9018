package ahead

import (
	"encoding/binary"
	"fmt"
	"go/types"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/program"
	"heddle/launch"
	_ "heddle/launch/emu"
)

var (
	int8s, uint16s = types.Typ[types.Int8], types.Typ[types.Uint16]
	float32s       = types.Typ[types.Float32]
	complex128s    = types.Typ[types.Complex128]
)

// structOf is a struct type with fields a, b, c and so on.
func structOf(ts ...types.Type) types.Type {
	var fields []*types.Var
	for i, t := range ts {
		fields = append(fields, types.NewField(0, nil, string(rune('a'+i)), t, false))
	}
	return types.NewStruct(fields, nil)
}

func TestPartsOf(t *testing.T) {
	for _, c := range []struct {
		t    types.Type
		want []part
		err  string
	}{
		{t: int8s, want: []part{{0, 1, signed}}},
		{t: types.Typ[types.Bool], want: []part{{0, 1, boolean}}},
		{t: types.Typ[types.Int], want: []part{{0, 8, signed}}},
		{t: complex128s, want: []part{{0, 8, float}, {8, 8, float}}},
		{t: structOf()},
		{t: structOf(int8s, float32s, types.NewArray(uint16s, 3), structOf(int8s)),
			want: []part{{0, 1, signed}, {4, 4, float}, {8, 2, unsigned}, {10, 2, unsigned}, {12, 2, unsigned}, {14, 1, signed}}},
		{t: types.NewPointer(int8s), err: "cannot make a value of type *int8"},
		{t: types.Typ[types.String], err: "cannot make a value of type string"},
		{t: types.Typ[types.Uintptr], err: "cannot make a value of type uintptr"},
		{t: structOf(int8s, structOf(types.NewSlice(int8s))), err: "cannot make a value of type []int8 (field a) (field b)"},
		{t: types.NewArray(types.NewArray(types.Universe.Lookup("any").Type(), 2), 3), err: "cannot make a value of type any"},
		{t: types.NewArray(int8s, 1<<40), err: "too large"},
	} {
		got, err := partsOf(c.t, 0, nil)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.t, err, c.err)
			}
		} else if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.t, got, err, c.want)
		}
	}
}

func TestFills(t *testing.T) {
	parts := []part{{0, 1, unsigned}, {1, 1, boolean}, {4, 4, float}, {8, 8, float}}
	read := func(b []byte) string {
		return fmt.Sprint(b[0], b[1], math.Float32frombits(binary.LittleEndian.Uint32(b[4:])), math.Float64frombits(binary.LittleEndian.Uint64(b[8:])))
	}
	for i, want := range map[int]string{0: "0 0 0 0", 7: "7 1 7 7", 258: "2 0 258 258"} {
		b := make([]byte, 16)
		fills.Get()["zero"](b, parts, i, 1000)
		if got := read(b); got != "0 0 0 0" {
			t.Errorf("zero, element %d: %s", i, got)
		}
		fills.Get()["ramp"](b, parts, i, 1000)
		if got := read(b); got != want {
			t.Errorf("ramp, element %d: %s, want %s", i, got, want)
		}
	}
	// rand: always the same, in range, and not all equal.
	seen := map[string]bool{}
	for i := range 100 {
		b, again := make([]byte, 16), make([]byte, 16)
		fills.Get()["rand"](b, parts, i, 10)
		fills.Get()["rand"](again, parts, i, 10)
		f := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		if !slices.Equal(b, again) || b[0] >= 10 || b[1] > 1 || f < 0 || f > 1 {
			t.Errorf("rand, element %d: %s", i, read(b))
		}
		seen[read(b)] = true
	}
	if len(seen) < 90 {
		t.Errorf("rand gives %d values for 100 elements", len(seen))
	}
}

func TestLengthAndFill(t *testing.T) {
	for text, want := range map[string]string{
		"": "64 ramp", "10": "10 ramp", "10:zero": "10 zero", "rand": "64 rand", ":rand": "64 rand", "0": "0 ramp",
		"10:": "error", "ten": "error", "-1": "error", "1:2": "error", "10:Rand": "error", "99999999999999": "error",
	} {
		n, fill, err := lengthAndFill(text, 64)
		got := fmt.Sprint(n, " ", fill)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestThreads(t *testing.T) {
	d := func(x, y, z int) launch.Dim3 { return launch.Dim3{X: x, Y: y, Z: z} }
	for want, c := range map[int]launch.Config{
		1:            {},
		6 * 64:       {Grid: d(3, 0, 2), Block: d(64, 0, 0)},
		maxBytes + 1: {Grid: d(1<<31, 65535, 65535), Block: d(1024, 1024, 1)},
		5:            {Grid: d(-7, 1, 1), Block: d(5, 1, 1)}, // an error of the launch
	} {
		if got := threads(&c); got != want {
			t.Errorf("%v: %d threads, want %d", c, got, want)
		}
	}
}

// Where there is no code there is nothing to try.
func TestTryOnSim(t *testing.T) {
	d, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	k := declared(t, "..tried")
	if err := k.Try(d, Trial{}); err == nil || !strings.Contains(err.Error(), "sim runs the Go function itself") {
		t.Error(err)
	}
}

// declared is a function of this package as a kernel.
func declared(t *testing.T, name string) *Kernel {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	k, err := Declared("", name, program.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// tried tells what it got by an index out of range.
func tried(n int, a float32, x []int32, last *int32) {
	if dsl.GlobalIdx().X == 0 {
		x[n*100000+int(a)*10000+int(x[len(x)-1])*10+int(*last)] = 1
	}
}

var _ = tried // by its name

// A kernel gets the same arguments on every device.
func TestTry(t *testing.T) {
	k := declared(t, "..tried")
	for _, name := range []string{"cpu", "emu:gfx90a", "emu:gfx1100"} {
		d, err := launch.Open(name)
		if err != nil {
			t.Skip(err)
		}
		defer d.Close()
		for want, args := range map[string]map[string]string{
			"index out of range [6410630] with length 64":                     nil,
			"index out of range [-290999]":                                    {"n": "-3", "a": "1.9e0", "x": "300:zero", "last": "-0x3e7"},
			"argument b: there is no such parameter; there are n, a, x, last": {"b": "1"},
		} {
			err := k.Try(d, Trial{Config: launch.Linear(64, 64), Args: args})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	}
}
