package conformance

import (
	"runtime"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Panics: each must have the text and the line that Go gives it.

var sink = [3]int{1, 2, 3} // never written: a table

type indexPanics struct{}

func (indexPanics) Names() []string {
	names := []string{"slice", "negative", "array", "array value", "pointer to array", "string", "nil slice", "store", "empty",
		"uint8", "uint64", "int8", "table", "struct slice", "in a call", "huge",
		"array in a loop", "slice in a loop", "first of two in a loop", "range in a loop",
		"last of a run", "first of a run", "run over two", "run with stores", "run in a loop", "run that wraps", "condition that wraps",
		"below in a run", "run of a helper", "strides", "an int of a float", "one beyond 32 bits"}
	if runtime.GOARCH != "amd64" {
		return names // other hosts make another int of a float that is beyond
	}
	return append(names, "one beyond 64 bits", "one below which is the greatest")
}

func (indexPanics) Do(which, n int, s []int) {
	a := [4]int{n, 2, 3, 4}
	switch which {
	case 0:
		s[0] = s[n]
	case 1:
		s[0] = s[2-n]
	case 2:
		s[0] = a[n]
	case 3:
		s[0] = [2]int{n, 1}[n]
	case 4:
		s[0] = (&a)[n*2]
	case 5:
		s[0] = int("weft"[n])
	case 6:
		var none []int
		s[0] = none[n-5]
	case 7:
		s[n+1] = 3
	case 8:
		s[0] = s[:0][n-5]
	case 9:
		s[0] = s[uint8(n*40)]
	case 10:
		s[0] = s[uint64(n)<<61]
	case 11:
		s[0] = s[int8(-n)]
	case 12:
		s[0] = sink[n]
	case 13:
		vs := [...]vec3{{X: 1}, {X: 2}}
		s[0] = int(vs[1:][n-4].X)
	case 14:
		s[0] = third3(s, n)
	case 15:
		s[0] = s[-1<<62*n]
	case 16:
		for j := 0; j < 8; j += n - 3 {
			a[j] = s[j&1]
		}
	case 17:
		for j := 0; j < 8; j += 2 {
			a[j>>1] = s[n-3+j]
		}
	case 18:
		for j := 1; j <= 5; j++ {
			a[n-j] = s[j*2]
		}
	case 19:
		for j := range 3 {
			a[j] = s[j*n]
		}
		s[0] = a[n&3]
	default:
		runPanics(which, n, s)
	}
}

// runPanics has checks that are made together.
func runPanics(which, n int, s []int) {
	a := [4]int{n, 2, 3, 4}
	x, y := 0, 0
	switch which {
	case 20:
		x = s[n-4]
		y = s[n-3]
		x += s[n-1]
		y += s[n]
	case 21:
		x = s[n-2]
		y = s[n-6]
		x += s[n+1]
		y += s[n-3]
	case 22:
		x = a[n-2]
		y = s[n-2]
		x += a[n-2]
		y += s[n]
		x += a[n]
	case 23:
		a[0] = s[n-3]
		a[1] = s[n-2]
		a[2] = s[n*2]
		a[3] = s[n+3]
		x = a[n&3]
	case 24:
		for i := n - 3; i < n+2; i++ {
			x += s[i-2]
			y += s[i]
			x += s[i+1]
		}
	case 25:
		m := n + 1<<62
		x = s[n-4]
		y = s[n-3]
		x += s[n-4+2*m]
		y += s[n-2+2*m]
	case 26:
		if i := n + (1<<63 - 3); i < len(s) {
			x = s[i]
			y = s[i+1]
		}
	case 27:
		x = s[n-2]
		y = s[n-5]
		x += s[n-7]
		y += s[n-6]
	case 28:
		x = s[evenIndex(n-4)]
		y = s[evenIndex(n-3)]
		x += s[evenIndex(n-2)]
		y += s[evenIndex(n-1)]
	case 29:
		for d := 1; d < n; d *= 2 {
			for i := 0; i < n; i += 2 * d {
				x = s[i+d]
				s[i] += x
			}
		}
	case 30:
		x = s[int(float32(n)*-1.5)]
	case 31:
		x = a[int(float64(n)*1e9)]
	case 32:
		x = s[int(float32(n)*1e30)]
	case 33:
		if i := int(float32(n) * 1e30); i-1 >= 0 && i < len(s) {
			x = s[i]
		}
	}
	s[0] = x + y
}

func evenIndex(i int) int { return i * 2 }

//go:noinline
func third3(s []int, n int) int { return s[n*3] }

type slicePanics struct{}

func (slicePanics) Names() []string {
	return []string{"high", "low", "high of array", "both", "negative low", "negative high", "max", "high over max", "low over high of three",
		"string high", "string low", "string both", "max of array", "low alone", "nil", "to array", "to array pointer", "uint"}
}

func (slicePanics) Do(which, n int, s []int) {
	a := [4]int{n, 2, 3, 4}
	x := n
	switch which {
	case 0:
		s = s[:n+2]
	case 1:
		s = s[n:]
	case 2:
		s = a[:n]
	case 3:
		s = s[n-1 : n-3]
	case 4:
		s = s[-n:]
	case 5:
		s = s[:-n]
	case 6:
		s = s[0 : 1 : n*2]
	case 7:
		s = s[0 : n+1 : n]
	case 8:
		s = s[n:3:n]
	case 9:
		x = len("weft"[:n])
	case 10:
		x = len("weft"[n:])
	case 11:
		x = len("weft"[n-2 : n-4])
	case 12:
		s = a[0:1:n]
	case 13:
		s = s[n+2:]
	case 14:
		var none []int
		s = none[:n]
	case 15:
		b := [7]int(s)
		x = b[n]
	case 16:
		x = (*[5]int)(s)[n-1]
	case 17:
		s = s[:uint32(n)<<20]
	}
	if len(s) > 0 {
		s[0] += x
	}
}

type otherPanics struct{}

func (otherPanics) Names() []string {
	return []string{"divide", "remainder", "divide int8", "remainder uint64", "nil load", "nil store", "nil field", "nil array", "nil method",
		"shift left", "shift right", "shift int8", "constant", "constant in a call", "int", "uint8", "negative", "bool", "float64", "uint64", "percent"}
}

func (otherPanics) Do(which, n int, s []int) {
	var p *int
	var v *vec3
	var a *[4]int
	if n == 0 {
		p, v, a = new(int), new(vec3), new([4]int)
	}
	zero := n - 5
	switch which {
	case 0:
		s[0] = n / zero
	case 1:
		s[0] = n % zero
	case 2:
		s[0] = int(int8(n) / int8(zero))
	case 3:
		s[0] = int(uint64(n) % uint64(zero))
	case 4:
		s[0] = *p
	case 5:
		*p = n
	case 6:
		s[0] = int(v.Z)
	case 7:
		s[0] = a[n-4]
	case 8:
		v.flip()
	case 9:
		s[0] = n << (zero - 1)
	case 10:
		s[0] = n >> (zero - n)
	case 11:
		s[0] = int(uint8(n) << int8(-n))
	case 12:
		panic("out of yarn")
	case 13:
		s[0] = strict(-n)
	case 14:
		panic(n * 100)
	case 15:
		panic(uint8(n - 6))
	case 16:
		panic(int16(-n))
	case 17:
		panic(n == 5)
	case 18:
		panic(float64(n) / 4)
	case 19:
		panic(uint64(n) << 61)
	case 20:
		panic("100% wool: %d of %s")
	}
}

func strict(n int) int {
	if n < 0 {
		panic("strict: negative")
	}
	return n
}

// grow appends past the capacity, which Go could serve and a device cannot.
func grow(n int, out []int) {
	var a [4]int
	s := a[:2]
	for i := range n {
		s = append(s, i)
	}
	out[dsl.GlobalIdx().X] = len(s)
}

func growCase() Case {
	k := kernel.New(grow)
	return Case{"panic/append", "panics", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 3)
		t.run(k, launch.Linear(3, 3), 2, out)
		same(t, download(t, out), []int{4, 4, 4})
		if t.omits() {
			return
		}
		p := t.fails(k, launch.Linear(3, 3), 3, out)
		if want := "append of a slice to length 5 exceeds its capacity 4: the device cannot grow it"; p.Value != want {
			t.Errorf("panic is %q, want %q", p.Value, want)
		}
		t.run(k, launch.Linear(3, 3), 1, out)
		same(t, download(t, out), []int{3, 3, 3})
	}}
}

// oneOfMany lets every thread of a large grid panic: one is reported.
func oneOfMany(out []int) {
	i := dsl.GlobalIdx().X
	if i%2 == 1 {
		out[len(out)+i]++
	}
}

func manyCase() Case {
	k := kernel.New(oneOfMany)
	return Case{"panic/many", "panics", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 5)
		for range 3 {
			p := t.fails(k, launch.Linear(64*50, 64), out)
			i := p.Block.X*64 + p.Thread.X
			want := runtimeIndex(5+i, 5)
			if i%2 != 1 || p.Value != want || !p.Runtime {
				t.Errorf("panic is %v, want %q of an odd thread", p, want)
			}
		}
		if err := t.Dev.Stream().Sync(); err != nil {
			t.Errorf("after the panic was returned: %v", err)
		}
	}}
}

// runtimeIndex is Go's text for an index that is out of range.
func runtimeIndex(i, n int) string {
	p := hostPanic(func() { _ = make([]int, n)[i] })
	return p.text[len("runtime error: "):]
}

// oneWayOrAnother panics whatever x holds, and how depends on it.
func oneWayOrAnother(x []int, out []int) {
	i := dsl.GlobalIdx().X
	if i >= len(x) {
		return
	}
	out[i] = x[i]
	if x[i] > 2 {
		for j := range x[i] {
			if x[i]+j > 6 {
				panic("large")
			}
		}
		panic("middling")
	}
	panic("small")
}

// A region that panics on all its ways still panics the right way.
func certainCase() Case {
	k := kernel.New(oneWayOrAnother)
	return Case{"panic/certain", "panics", []*kernel.Kernel{k}, func(t *T) {
		for v, want := range map[int]string{1: "small", 3: "middling", 4: "large", 9: "large"} {
			p := t.fails(k, launch.Linear(1, 64), upload(t, []int{v}), alloc[int](t, 1))
			if p.Value != want || p.Thread.X != 0 {
				t.Errorf("%d: panic is %v, want %q of thread 0", v, p, want)
			}
		}
		p := t.fails(k, launch.Linear(3, 64), upload(t, []int{1, 3, 9}), alloc[int](t, 3))
		if want := []string{"small", "middling", "large"}[p.Thread.X]; p.Value != want {
			t.Errorf("thread %d panicked with %q, want %q", p.Thread.X, p.Value, want)
		}
	}}
}

// A panic is returned by the next call that waits, whichever it is.
func surfaceCase() Case {
	k := kernel.New(oneOfMany)
	return Case{"panic/surfaces", "panics", []*kernel.Kernel{k}, func(t *T) {
		out := alloc[int](t, 5)
		waits := map[string]func(s *launch.Stream) error{
			"Stream.Sync": func(s *launch.Stream) error { return s.Sync() },
			"Device.Sync": func(*launch.Stream) error { return t.Dev.Sync() },
			"Download":    func(*launch.Stream) error { return out.Download(make([]int, 5)) },
			"Close":       func(s *launch.Stream) error { return s.Close() },
		}
		for name, wait := range waits {
			t.Run(name, func(test *testing.T) {
				s, err := t.Dev.NewStream()
				if err != nil {
					test.Fatal(err)
				}
				if err := k.Launch(s, launch.Linear(2, 2), out); err != nil {
					test.Fatal(err)
				}
				if err := wait(s); err == nil {
					test.Error("the panic is lost")
				}
				if err := t.Dev.Sync(); err != nil {
					test.Errorf("the panic came twice: %v", err)
				}
				if err := s.Close(); err != nil {
					test.Error(err)
				}
			})
		}
	}}
}

func panicCases() []Case {
	row := "panics"
	return []Case{
		onPanic("panic/index", row, panicking[indexPanics]),
		onPanic("panic/slice", row, panicking[slicePanics]),
		onPanic("panic/other", row, panicking[otherPanics]),
		onPanic("panic/call", row, panicking[callPanics]),
		onPanic("panic/loop", row, panicking[loopPanics]),
		onPanic("panic/joined", row, panicking[joinedPanics]),
		onPanic("panic/wrapped", row, panicking[wrappedPanics]),
		onPanic("panic/rounded", row, panicking[roundedPanics]),
		onPanic("panic/loaded", row, panicking[loadedPanics]),
		growCase(), manyCase(), surfaceCase(), certainCase(), partedPanicCase(), waitCase(),
	}
}
