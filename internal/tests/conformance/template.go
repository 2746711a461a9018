package conformance

import (
	"fmt"
	"go/token"
	"runtime"
	"slices"
	"strings"
	"sync"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// A doer is the body of a kernel that computes each output from one input. It
// is a type of no size: as a kernel's argument it chooses the code.
type doer[In, Out any] interface{ Do(in In, out *Out) }

// each is the kernel of most cases: out[i] = f(in[i]).
func each[F doer[In, Out], In, Out any](f F, in []In, out []Out) {
	if i := dsl.GlobalIdx().X; i < len(in) {
		f.Do(in[i], &out[i])
	}
}

// onEach is a case of the kernel each: the device's results must be those that
// F's method gives on the host.
func onEach[F doer[In, Out], In, Out any](name, row string, fn func(F, []In, []Out), in []In) Case {
	var f F
	return onEachWithin(name, row, fn, in, exact, f.Do)
}

// onEachWithin is onEach with a bound for floats and another truth. A result
// may agree with F's method instead: on the simulator, and where a device has
// no library of its own, that is what runs.
func onEachWithin[F doer[In, Out], In, Out any](name, row string, fn func(F, []In, []Out), in []In, b bound, truth func(In, *Out)) Case {
	k := kernel.New(fn)
	wants := sync.OnceValues(func() (want, own []Out) {
		var f F
		want, own = make([]Out, len(in)), make([]Out, len(in))
		for i := range in {
			truth(in[i], &want[i])
			f.Do(in[i], &own[i])
		}
		return want, own
	})
	return Case{name, row, []*kernel.Kernel{k}, func(t *T) {
		want, own := wants()
		var f F
		out := alloc[Out](t, len(in))
		t.run(k, launch.Linear(len(in), 64), f, upload(t, in), out)
		compare(t, download(t, out), want, own, t.library(b), func(i int) string { return fmt.Sprintf("input %v", in[i]) })
	}}
}

// A panicker panics in as many ways as it has names.
type panicker interface {
	// Do panics in the way called which, and not at all for a greater number.
	// It gets n = 5 and s = {1, 2, 3, 4} with capacity 6.
	Do(which, n int, s []int)
	Names() []string
}

// The thread that panics, and the launch it is in.
var (
	badBlock  = launch.Dim3{X: 1, Y: 2, Z: 1}
	badThread = launch.Dim3{X: 3, Y: 1, Z: 1}
	badShape  = launch.Config{Grid: launch.Dim3{X: 2, Y: 3, Z: 2}, Block: launch.Dim3{X: 5, Y: 3, Z: 2}}
)

// panicking panics in one thread.
func panicking[F panicker](f F, which, n int, s, done []int) {
	if dsl.BlockIdx() == (dsl.Dim3{X: 1, Y: 2, Z: 1}) && dsl.ThreadIdx() == (dsl.Dim3{X: 3, Y: 1, Z: 1}) {
		f.Do(which, n, s)
		done[0] = which
	}
}

// onPanic is a case of the kernel panicking: the device's panic must have the
// text and the position that Go's has on the host.
func onPanic[F panicker](name, row string, fn func(F, int, int, []int, []int)) Case {
	k := kernel.New(fn)
	return Case{name, row, []*kernel.Kernel{k}, func(t *T) {
		var f F
		const none = 1000 // greater than any that panics
		host := []int{1, 2, 3, 4, 0, 0}
		s, done := upload(t, host), alloc[int](t, 1)
		for which, what := range f.Names() {
			want := hostPanic(func() { f.Do(which, 5, host[:4]) })
			if want == nil {
				t.Fatalf("%s: the host does not panic", what)
			}
			checkPanic(t, what, t.fails(k, badShape, f, which, 5, s.Slice(0, 4), done), want)
		}
		if p := hostPanic(func() { f.Do(none, 5, host[:4]) }); p != nil {
			t.Fatalf("the host panics without a name: %s", p.text)
		}
		t.run(k, badShape, f, none, 5, s.Slice(0, 4), done) // the device is usable after all this
		same(t, download(t, done), []int{none})
	}}
}

// A truePanic is what Go did.
type truePanic struct {
	text string
	at   []string // where, and the calls that led there from f, innermost first: file:line
}

// hostPanic is f's panic, nil if there is none.
func hostPanic(f func()) (p *truePanic) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p = &truePanic{text: fmt.Sprint(v)}
		pcs := make([]uintptr, 40)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for {
			fr, more := frames.Next()
			if strings.HasSuffix(fr.Function, ".hostPanic") || !more {
				p.at = p.at[:max(len(p.at)-1, 0)] // less the call in f
				return
			}
			// a division in math/bits is reported at its call: gc makes an instruction of it on amd64, a call on arm64
			if !strings.HasPrefix(fr.Function, "runtime.") && !strings.HasPrefix(fr.Function, "math/bits.") {
				p.at = append(p.at, lineOf(fr.File, fr.Line))
			}
		}
	}()
	f()
	return nil
}

func checkPanic(t *T, what string, got *launch.KernelPanic, want *truePanic) {
	t.Helper()
	text := got.Value
	if got.Runtime {
		text = "runtime error: " + text
	}
	if text != want.text {
		t.Errorf("%s: panic is %q, want %q", what, text, want.text)
	}
	var at []string
	for i, p := range append([]token.Position{got.Pos}, got.Calls...) {
		at = append(at, lineOf(p.Filename, p.Line))
		checkColumn(t, what, p, text, i > 0)
	}
	if n := len(at) - 1; n > 0 && strings.HasPrefix(at[n], "internal/tests/conformance/template.go:") {
		at = at[:n] // the kernel's call of f
	} else {
		t.Errorf("%s: the last call is not in panicking: %q", what, at)
	}
	if !slices.Equal(at, want.at) {
		t.Errorf("%s: positions are\n\t%s\nwant\n\t%s", what, strings.Join(at, "\n\t"), strings.Join(want.at, "\n\t"))
	}
	if got.Block != badBlock || got.Thread != badThread {
		t.Errorf("%s: block %v, thread %v; want %v, %v", what, got.Block, got.Thread, badBlock, badThread)
	}
}
