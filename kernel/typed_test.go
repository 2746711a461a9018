package kernel_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func typedSaxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

// typedMany has arguments in registers and on the stack.
func typedMany(a, b, c, d, e []int32, n int16, f float64, at *int32, g [2]int32, z struct{ V []int32 }) {
	if i := dsl.GlobalIdx().X; i < len(e) {
		e[i] = a[i] + b[i]*10 + c[i]*100 + d[i]*1000 + int32(n) + int32(f) + *at + g[1] + z.V[i]
	}
}

func typedDevices(t *testing.T, do func(t *testing.T, dev *launch.Device)) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			defer dev.Close()
			do(t, dev)
		})
	}
}

func uploaded[T any](t testing.TB, dev *launch.Device, v ...T) *launch.Buffer[T] {
	b, err := launch.Upload(dev, v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func wants[T comparable](t *testing.T, b *launch.Buffer[T], want ...T) {
	t.Helper()
	got := make([]T, len(want))
	if err := b.Download(got); err != nil || !slices.Equal(got, want) {
		t.Error(got, err, "want", want)
	}
}

func TestGo(t *testing.T) {
	typedDevices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		x, y := uploaded[float32](t, dev, 1, 2, 3), uploaded[float32](t, dev, 10, 20, 30)
		kernel.Go(s, launch.Linear(3, 32), typedSaxpy)(2, x.Device(), y.Device())
		wants(t, y, 12, 24, 36)
		bound := kernel.Go(s, launch.Linear(3, 32), typedSaxpy)
		bound(1, x.Device(), y.Device())
		bound(1, x.Device()[:2], y.Device()[1:])
		wants(t, y, 13, 27, 41)
		none := uploaded[float32](t, dev)
		kernel.Go(s, launch.Linear(1, 32), typedSaxpy)(1, none.Device(), none.Device())
		if err := s.Sync(); err != nil {
			t.Error(err)
		}

		v := uploaded[int32](t, dev, 1, 2, 3)
		out := uploaded[int32](t, dev, 0, 0, 0)
		a := v.Device()
		kernel.Go(s, launch.Linear(3, 32), typedMany)(a, a, a, a, out.Device(), 1e4, 2e4, &a[2], [2]int32{7, 5}, struct{ V []int32 }{a})
		wants(t, out, 31120, 32232, 33344)

		twice := kernel.TypedWith(func(v []int32) { v[dsl.GlobalIdx().X] *= 2 }, kernel.Options{MaxThreads: 64})
		twice.Go(s, launch.Linear(3, 3))(v.Device())
		wants(t, v, 2, 4, 6)
		if err := twice.Launch(s, launch.Linear(3, 3), v); err != nil {
			t.Error(err)
		}
		wants(t, v, 4, 8, 12)
		twice.Go(s, launch.Linear(128, 128))(v.Device())
		if err := s.Sync(); err == nil || !strings.Contains(err.Error(), "128 threads") {
			t.Error(err)
		}
	})
}

// TestGoCaptures: a closure's variables are read at the call.
func TestGoCaptures(t *testing.T) {
	typedDevices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		v := uploaded[int32](t, dev, 1, 2, 3)
		for i := range int32(3) {
			kernel.Go(s, launch.Linear(3, 3), func(v []int32) { v[dsl.GlobalIdx().X] += i })(v.Device())
		}
		wants(t, v, 4, 5, 6)
		n := int32(1)
		add := kernel.Go(s, launch.Linear(3, 3), func(v []int32) { v[dsl.GlobalIdx().X] += n })
		add(v.Device())
		n = 10
		add(v.Device())
		wants(t, v, 15, 16, 17)
	})
}

func TestGoErrors(t *testing.T) {
	typedDevices(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		x := uploaded[float32](t, dev, 1, 2, 3)
		other, err := launch.Open("sim:64")
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		elsewhere := uploaded[float32](t, other, 1, 2, 3)
		closed := uploaded[float32](t, dev, 1, 2, 3)
		gone := closed.Device()
		cfg := launch.Linear(3, 32)
		for _, c := range []struct {
			do   func()
			want string
		}{
			{func() { kernel.Go(s, cfg, typedSaxpy)(2, make([]float32, 3), x.Device()) }, "argument 2 (x) is host memory"},
			{func() { kernel.Go(s, cfg, typedSaxpy)(2, x.Device(), elsewhere.Device()) }, "argument 3 (y) is memory of sim:64"},
			{func() { kernel.Go(s, launch.Linear(-1, 32), typedSaxpy)(2, x.Device(), x.Device()) }, "Linear(-1, 32)"},
			{func() {
				if err := closed.Close(); err != nil {
					t.Error(err)
				}
				kernel.Go(s, cfg, typedSaxpy)(2, gone, x.Device())
			}, "argument 2 (x) is"},
			//lint:ignore heddle what is wrong with it is the test
			{func() { kernel.Go(s, cfg, func(s string) {})("x") }, "string"},
			{func() { kernel.Go(s, launch.Linear(4, 4), func(v []float32) { v[dsl.GlobalIdx().X] = 0 })(x.Device()) }, "index out of range [3] with length 3"},
		} {
			c.do()
			c.do()
			if err := s.Sync(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err := s.Sync(); err != nil {
				t.Error(err)
			}
		}
		kernel.Go(s, launch.Linear(4, 4), func(v []float32) { v[dsl.GlobalIdx().X] = 0 })(x.Device())
		var p *launch.KernelPanic
		if err := x.Download(make([]float32, 3)); !errors.As(err, &p) {
			t.Error(err)
		}
	})
	for _, do := range []func(){
		//lint:ignore heddle likewise
		func() { kernel.Go[any](nil, launch.Linear(1, 1), 1) },
		func() { kernel.Go[func()](nil, launch.Linear(1, 1), nil) },
		func() { kernel.Go(nil, launch.Linear(1, 1), func() {}) },
		//lint:ignore heddle likewise
		func() { kernel.Typed(func() int { return 1 }) },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "kernel.") {
					t.Error(r)
				}
			}()
			do()
		}()
	}
}

// TestGoTogether calls one func value from many goroutines while the collector runs.
func TestGoTogether(t *testing.T) {
	typedDevices(t, func(t *testing.T, dev *launch.Device) {
		x := uploaded[float32](t, dev, 1, 1, 1)
		y := uploaded[float32](t, dev, 0, 0, 0)
		f := kernel.Go(dev.Stream(), launch.Linear(3, 3), typedSaxpy)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					f(1, x.Device(), y.Device())
					runtime.Gosched()
				}
			})
		}
		runtime.GC()
		all.Wait()
		wants(t, y, 400, 400, 400)
	})
}

func TestGoAllocs(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	dev, err := launch.Open("cpu")
	if err != nil {
		t.Skip(err)
	}
	defer dev.Close()
	s := dev.Stream()
	x := uploaded[float32](t, dev, 1, 1, 1)
	k := kernel.New(typedSaxpy)
	cfg := launch.Linear(3, 3)
	if err := k.Launch(s, cfg, float32(1), x, x); err != nil {
		t.Fatal(err)
	}
	each := func(do func()) float64 {
		return testing.AllocsPerRun(100, func() {
			do()
			if err := s.Sync(); err != nil {
				t.Error(err)
			}
		})
	}
	base := each(func() { _ = k.Launch(s, cfg, float32(1), x, x) })
	if n := each(func() { kernel.Go(s, cfg, typedSaxpy)(1, x.Device(), x.Device()) }); n > base+2 {
		t.Errorf("Go allocates %v times, Launch %v", n, base)
	}
	bound := kernel.Go(s, cfg, typedSaxpy)
	if n := each(func() { bound(1, x.Device(), x.Device()) }); n > base {
		t.Errorf("a bound call allocates %v times, Launch %v", n, base)
	}
}

// BenchmarkTyped is what a launch costs the host: by Launch, by Go, by a bound func, and of a
// literal that captures a variable.
func BenchmarkTyped(b *testing.B) {
	for _, name := range []string{"sim", "cpu", "cuda:0"} {
		dev, err := launch.Open(name)
		if err != nil {
			continue
		}
		s := dev.Stream()
		x := uploaded(b, dev, make([]float32, 32)...)
		cfg := launch.Linear(32, 32)
		k := kernel.New(typedSaxpy)
		bound := kernel.Go(s, cfg, typedSaxpy)
		a := float32(2)
		if err := k.Launch(s, cfg, a, x, x); err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name string
			do   func()
		}{
			{"Launch", func() { _ = k.Launch(s, cfg, float32(2), x, x) }},
			{"Go", func() { kernel.Go(s, cfg, typedSaxpy)(2, x.Device(), x.Device()) }},
			{"bound", func() { bound(2, x.Device(), x.Device()) }},
			{"literal", func() {
				kernel.Go(s, cfg, func(x []float32) { x[dsl.GlobalIdx().X] *= a })(x.Device())
			}},
		} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if c.do(); i%512 == 511 {
						b.StopTimer()
						if err := s.Sync(); err != nil {
							b.Fatal(err)
						}
						b.StartTimer()
					}
				}
				if err := s.Sync(); err != nil {
					b.Fatal(err)
				}
			})
		}
		_ = dev.Close()
	}
}
