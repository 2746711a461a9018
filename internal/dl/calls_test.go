//go:build linux

package dl

import (
	"testing"
	"unsafe"
)

// libc has functions of C.
func libc(t *testing.T, name string) uintptr {
	lib, err := Open("libc.so.6")
	if err != nil {
		t.Skip(err)
	}
	at, err := Sym(lib, name)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestRun(t *testing.T) {
	abs := libc(t, "abs") // its argument is its result
	for _, c := range []struct {
		results []int
		always  bool
		made    int
		want    []int // results, -1 of a call that is not made
	}{
		{[]int{0}, false, 1, []int{0}},
		{[]int{7}, false, 0, []int{7}},
		{[]int{7}, true, 0, []int{7}},
		{[]int{0, 0, 0}, false, 3, []int{0, 0, 0}},
		{[]int{0, 3, 4, 5}, false, 1, []int{0, 3, -1, -1}},
		{[]int{0, 3, 4, 5}, true, 1, []int{0, 3, -1, 5}},
		{[]int{2, 0}, true, 0, []int{2, 0}},
		{[]int{0, 0, 9}, true, 2, []int{0, 0, 9}},
		{[]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0}, true, 12, nil},
	} {
		calls := NewCalls()
		for _, r := range c.results {
			calls.Add(abs, uintptr(r))
			calls.List[len(calls.List)-1].Result = ^uintptr(0)
		}
		if made := calls.Run(c.always); made != c.made {
			t.Errorf("%v, always %v: %d are made, want %d", c.results, c.always, made, c.made)
		}
		for i, want := range c.want {
			if got := int(int32(calls.List[i].Result)); got != want {
				t.Errorf("%v, always %v: result %d is %d, want %d", c.results, c.always, i, got, want)
			}
		}
		calls.Free()
	}
	if made := new(Calls).Run(true); made != 0 {
		t.Errorf("of no calls %d are made", made)
	}
}

// All arguments reach the function, and what C code keeps is kept.
func TestRunArguments(t *testing.T) {
	print, text := libc(t, "snprintf"), append([]byte("%ld %ld %ld %ld %ld %ld %ld %ld %ld"), 0)
	out := make([]byte, 200)
	calls := NewCalls()
	defer calls.Free()
	args := []uintptr{uintptr(unsafe.Pointer(&out[0])), 200, uintptr(unsafe.Pointer(&text[0]))}
	for i := range uintptr(9) {
		args = append(args, 1<<40*(i+1)+i)
	}
	calls.Add(print, args...)
	calls.Run(false)
	const want = "1099511627776 2199023255553 3298534883330 4398046511107 5497558138884 6597069766661 7696581394438 8796093022215 9895604649992"
	if got := string(out[:calls.List[0].Result]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if new(Call).Make(print, make([]uintptr, mostArgs+1)) {
		t.Error("a call takes too many arguments")
	}
}

func BenchmarkRun(b *testing.B) {
	lib, err := Open("libc.so.6")
	if err != nil {
		b.Skip(err)
	}
	abs, err := Sym(lib, "abs")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		calls := NewCalls()
		for range 5 {
			calls.Add(abs, 0)
		}
		calls.Run(true)
		calls.Free()
	}
}
