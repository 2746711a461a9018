package streams

import (
	"context"
	"embed"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"heddle/dsl"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

//go:embed *.go
var sources embed.FS
var _ = kernel.Source(sources)

var deviceNames = []string{"sim", "sim:64", "cpu", "emu:gfx942", "emu:gfx1100", "cuda:0", "hip:0"}

// devices runs a test on each device of the machine.
func devices(t *testing.T, do func(t *testing.T, dev *launch.Device)) {
	for _, name := range deviceNames {
		t.Run(name, func(t *testing.T) {
			if why := attached.Missing(name); why != "" {
				t.Skip(why)
			}
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			dev.SetOutput(io.Discard)
			do(t, dev)
			if err := dev.Close(); err != nil {
				t.Error("closing:", err)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

func fails(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q in it", err, want)
	}
}

func holds(t *testing.T, b *launch.Buffer[int32], want ...int32) {
	t.Helper()
	got := make([]int32, len(want))
	if err := b.Download(got); err != nil || !slices.Equal(got, want) {
		t.Error(got, err, "want", want)
	}
}

// add adds n to the elements.
func add(v []int32, n int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] += n
	}
}

func times(v []int32, n int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= n
	}
}

func sum(to, a, b []int32) {
	if i := dsl.GlobalIdx().X; i < len(to) {
		to[i] = a[i] + b[i]
	}
}

func speak(n int32) { dsl.Printf("n is %d\n", n) }

var (
	adds, timeses, sums, speaks = kernel.New(add), kernel.New(times), kernel.New(sum), kernel.New(speak)
	one                         = launch.Linear(3, 32)
)

func TestCaptureGraph(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s, side := must(dev.NewStream()), must(dev.NewStream())
		host, back := []int32{1, 2, 3}, make([]int32, 3)
		v, w, out := must(launch.Alloc[int32](dev, 3)), must(launch.Alloc[int32](dev, 3)), must(launch.Alloc[int32](dev, 3))
		calls := 0
		g, err := s.Capture(func(s *launch.Stream) error {
			fork, join := must(dev.NewEvent()), must(dev.NewEvent())
			ok(t, v.UploadAsync(s, host))
			ok(t, fork.Record(s))
			ok(t, side.Wait(fork))
			if !side.Capturing() {
				t.Error("the other stream has not joined")
			}
			ok(t, w.CopyFrom(side, v))
			kernel.Go(side, one, times)(w.Device(), 10)
			kernel.Go(s, one, add)(v.Device(), 1)
			ok(t, join.Record(side))
			ok(t, s.Wait(join))
			ok(t, out.Clear(s))
			ok(t, sums.Launch(s, one, out, v, w))
			ok(t, s.Call(func() { calls++ }))
			return out.DownloadAsync(s, back)
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(g.Nodes()); n != 8 || calls != 0 || side.Capturing() {
			t.Error(n, "nodes,", calls, "calls", g.Nodes())
		}
		x := must(g.Instantiate())
		ok(t, v.Close()) // the graph has it
		for i := range 3 {
			host[0] = int32(i)
			ok(t, x.Launch(s))
			ok(t, s.Sync())
			if want := []int32{int32(i)*11 + 1, 23, 34}; !slices.Equal(back, want) || calls != i+1 {
				t.Error(back, calls, "want", want)
			}
		}
		ok(t, g.Close())
		ok(t, x.Launch(dev.Stream()))
		ok(t, x.Close())
		holds(t, out, 23, 23, 34)
		fails(t, x.Launch(s), "the executable graph is closed")
	})
}

func TestGraphByHand(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := must(dev.NewStream())
		v, w := must(launch.Upload(dev, []int32{1, 2, 3})), must(launch.Alloc[int32](dev, 3))
		g := must(launch.NewGraph(dev))
		if g.Device() != dev {
			t.Error(g.Device())
		}
		start, end := must(dev.NewEvent()), must(dev.NewEvent())
		began := must(g.Add(func(s *launch.Stream) error { return start.Record(s) }))
		n := must(g.Add(func(s *launch.Stream) error { return adds.Launch(s, one, v, int32(5)) }, began))
		empty := must(g.Add(func(s *launch.Stream) error { return nil }))
		fill := must(g.Add(func(s *launch.Stream) error { return w.Fill(s, 7) }, empty))
		both := must(g.Add(func(s *launch.Stream) error { return sums.Launch(s, one, v, v, w) }, n, fill))
		must(g.Add(func(s *launch.Stream) error { return end.Record(s) }, both))
		ok(t, g.Depend(fill, began))
		fails(t, g.Depend(began, both), "cycle: node 4 comes after node 0 already")
		fails(t, g.Depend(empty, empty), "cycle")
		x := must(g.Instantiate())
		ok(t, x.Launch(s))
		holds(t, v, 13, 14, 15)
		if d, err := end.Since(start); err != nil || d < 0 {
			t.Error(d, err)
		}
		ok(t, x.Set(n, func(s *launch.Stream) error { return adds.Launch(s, one, v.Slice(0, 1), int32(-13)) }))
		ok(t, x.Set(fill, func(s *launch.Stream) error { return w.Fill(s, 1) }))
		ok(t, x.Launch(s))
		holds(t, v, 1, 15, 16)
		fails(t, x.Set(n, func(s *launch.Stream) error { return v.Clear(s) }), "streams.add cannot become a memset")
		fails(t, x.Set(fill, func(s *launch.Stream) error { return nil }), "cannot become a empty")
		fails(t, x.Set(n, func(s *launch.Stream) error { return w.Fill(s, 1) }), "cannot become a copy from the host")
		if !strings.HasSuffix(n.String(), "streams.add") || len(both.After()) != 2 {
			t.Error(n, both.After())
		}

		// The whole of another graph, and a child.
		other := must(launch.NewGraph(dev))
		began = must(other.Add(func(s *launch.Stream) error { return start.Record(s) }))
		n = must(other.Add(func(s *launch.Stream) error { return timeses.Launch(s, one, v, int32(2)) }, began))
		fill = must(other.Add(func(s *launch.Stream) error { return nil }))
		fails(t, x.Update(other), "the graph has 3 pieces of work, the executable one 6")
		fill = must(other.Add(func(s *launch.Stream) error { return w.Fill(s, 100) }, fill, began))
		both = must(other.Add(func(s *launch.Stream) error { return sums.Launch(s, one, v, v, w) }, fill))
		must(other.Add(func(s *launch.Stream) error { return end.Record(s) }, both))
		fails(t, x.Update(other), "comes after others")
		ok(t, other.Depend(both, n))
		ok(t, x.Update(other))
		ok(t, x.Launch(s))
		holds(t, v, 102, 130, 132)
		parent := must(launch.NewGraph(dev))
		child := must(parent.Add(x.Launch))
		must(parent.Add(func(s *launch.Stream) error { return adds.Launch(s, one, v, int32(-1)) }, child))
		px := must(parent.Instantiate())
		ok(t, px.Launch(s))
		holds(t, v, 303, 359, 363)
	})
}

func TestGraphPanics(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := must(dev.NewStream())
		v := must(launch.Upload(dev, []int32{1, 2, 3}))
		bad := kernel.New(func(v []int32, n int32) { v[int(n)+dsl.ThreadIdx().X] = 1 })
		g := must(launch.NewGraph(dev))
		n := must(g.Add(func(s *launch.Stream) error { return bad.Launch(s, one, v, int32(3)) }))
		x := must(g.Instantiate())
		_ = x.Launch(s) // on the simulator it waits
		err := s.Sync()
		var p *launch.KernelPanic
		if !errors.As(err, &p) || !strings.Contains(p.Value, "out of range") {
			t.Error(err)
		}
		ok(t, x.Set(n, func(s *launch.Stream) error { return bad.Launch(s, launch.Linear(1, 1), v, int32(2)) }))
		ok(t, x.Launch(s))
		ok(t, s.Sync())
		holds(t, v, 1, 2, 1)

		call := must(launch.NewGraph(dev))
		must(call.Add(func(s *launch.Stream) error { return s.Call(func() { panic("thrown") }) }))
		cx := must(call.Instantiate())
		for range 2 {
			ok(t, cx.Launch(s))
			var h *launch.HostPanic
			if err := s.Sync(); !errors.As(err, &h) || h.Value != "thrown" {
				t.Error(err)
			}
		}
		ok(t, s.Sync())
	})
}

// output keeps what kernels print.
type output struct{ text []byte }

func (o *output) Write(p []byte) (int, error) {
	o.text = append(o.text, p...)
	return len(p), nil
}

func TestGraphPrints(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := must(dev.NewStream())
		o := new(output)
		dev.SetOutput(o)
		g := must(s.Capture(func(s *launch.Stream) error {
			return speaks.Launch(s, launch.Config{Block: launch.Dim3{X: 1}}, int32(7))
		}))
		x := must(g.Instantiate())
		ok(t, s.Sync())
		if len(o.text) > 0 {
			t.Errorf("the capture printed %q", o.text)
		}
		for range 2 {
			ok(t, x.Launch(s))
		}
		ok(t, s.Sync())
		if want := "n is 7\nn is 7\n"; string(o.text) != want {
			t.Errorf("printed %q", o.text)
		}
		dev.SetOutput(io.Discard)
	})
}

var factor = dsl.NewConstant(int32(2))

func scale(v []int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		v[i] *= *factor.Ptr()
	}
}

// TestGraphConstants: a graph sees what a constant is when it is launched.
func TestGraphConstants(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := must(dev.NewStream())
		v := must(launch.Upload(dev, []int32{1, 2, 3}))
		g := must(s.Capture(func(s *launch.Stream) error { return kernel.New(scale).Launch(s, one, v) }))
		x := must(g.Instantiate())
		ok(t, x.Launch(s))
		holds(t, v, 2, 4, 6)
		three, five := int32(3), int32(5)
		ok(t, launch.CopyToSymbol(dev, factor, &three))
		ok(t, x.Launch(s))
		holds(t, v, 6, 12, 18)
		ok(t, launch.CopyToSymbolAsync(s, factor, &five))
		ok(t, x.Launch(s))
		holds(t, v, 30, 60, 90)
		ok(t, s.Sync())
		two := int32(2)
		ok(t, launch.CopyToSymbol(dev, factor, &two))
	})
}

func TestGraphClosures(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s := must(dev.NewStream())
		v := must(launch.Upload(dev, []int32{1, 2, 3}))
		n := int32(1)
		g := must(s.Capture(func(s *launch.Stream) error {
			return kernel.New(func(v []int32) { v[dsl.GlobalIdx().X] += n }).Launch(s, launch.Linear(3, 3), v)
		}))
		x := must(g.Instantiate())
		ok(t, x.Launch(s))
		holds(t, v, 2, 3, 4)
		n = 10
		if strings.HasPrefix(dev.Name(), "sim") {
			fails(t, x.Launch(s), "captured variable n")
			n = 1
		}
		ok(t, x.Launch(s))
		holds(t, v, 3, 4, 5)
	})
}

func TestCall(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s, other := must(dev.NewStream()), must(dev.NewStream(launch.StreamOptions{NonBlocking: true}))
		v := must(launch.Upload(dev, []int32{1, 2, 3}))
		back := make([]int32, 3)
		var sums [100]int32
		for i := range sums {
			ok(t, adds.Launch(s, one, v, int32(1)))
			ok(t, v.DownloadAsync(s, back))
			ok(t, s.Call(func() { sums[i] = back[0] }))
		}
		ok(t, s.Sync())
		for i, got := range sums {
			if got != int32(i)+2 {
				t.Fatal(sums)
			}
		}
		// A stream that waits in a call holds up itself alone.
		gate, through := make(chan bool), atomic.Bool{}
		ok(t, s.Call(func() { <-gate; through.Store(true) }))
		ok(t, adds.Launch(other, one, must(launch.Alloc[int32](dev, 3)), int32(1)))
		ok(t, other.Sync())
		if s.Done() || through.Load() {
			t.Error("the call has not been waited for")
		}
		close(gate)
		ok(t, s.Sync())
		if !s.Done() || !through.Load() {
			t.Error("the call has not been made")
		}
		fails(t, s.Call(nil), "the function is nil")
	})
}

// A call that uses buffers holds their memory, its error is the stream's, and on the host it may
// wait for another stream's call and is told to stop.
func TestCallUsing(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		s, other := must(dev.NewStream()), must(dev.NewStream(launch.StreamOptions{NonBlocking: true}))
		v := must(launch.Upload(dev, []int32{1, 2, 3}))
		wrong := errors.New("wrong")
		gate := make(chan bool)
		ok(t, s.CallUsing(func(context.Context) error { <-gate; return wrong }, v))
		host := dev.Name()[0] != 'c' && dev.Name()[0] != 'h' || dev.Name() == "cpu"
		if host {
			ok(t, other.CallUsing(func(context.Context) error { close(gate); return nil }))
		} else {
			close(gate)
		}
		fails(t, v.Download(make([]int32, 3)), "wrong") // waits for the call
		ok(t, other.Sync())
		if host {
			ctx, cancel := context.WithCancel(t.Context())
			ok(t, s.CallUsing(func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }, v))
			dropped := false
			ok(t, s.CallUsing(func(ctx context.Context) error { dropped = ctx.Err() != nil; return nil }, v))
			fails(t, s.SyncContext(ctx), "canceled")
			ok(t, s.Sync())
			if !dropped {
				t.Error("the second call was not told")
			}
		}
		fails(t, s.CallUsing(nil), "CallUsing: the function is nil")
		fails(t, s.CallUsing(func(context.Context) error { return nil }, 7), "CallUsing: what it uses: number 1 is int")
		ok(t, s.Sync())
	})
}

func TestPriorities(t *testing.T) {
	devices(t, func(t *testing.T, dev *launch.Device) {
		least, greatest, err := dev.Priorities()
		if err != nil || greatest > least {
			t.Error(least, greatest, err)
		}
		t.Log("priorities", least, "to", greatest)
		for _, p := range []int{least, greatest, -1000, 1000} {
			s := must(dev.NewStream(launch.StreamOptions{Priority: p, NonBlocking: true}))
			o := s.Options()
			if want := min(max(p, greatest), least); o.Priority != want || !o.NonBlocking {
				t.Errorf("priority %d: %+v", p, o)
			}
			v := must(launch.Upload(dev, []int32{1, 2, 3}))
			ok(t, adds.Launch(s, one, v, int32(1)))
			holds(t, v, 2, 3, 4)
			ok(t, s.Close())
		}
		ctx := launch.WithStream(t.Context(), dev.Stream())
		if launch.StreamOf(ctx) != dev.Stream() || launch.StreamOf(t.Context()) != nil {
			t.Error("the context's stream")
		}
	})
}

// nop is about the smallest kernel.
func nop(v []int32) {
	if dsl.GlobalIdx().X == 0 {
		v[0]++
	}
}

// BenchmarkGraph is a graph of 100 small kernels beside 100 launches: to the host until they
// are queued, and until they have ended.
func BenchmarkGraph(b *testing.B) {
	for _, name := range []string{"sim", "cpu", "cuda:0", "hip:0"} {
		dev, err := launch.Open(name)
		if err != nil {
			continue
		}
		s := must(dev.NewStream())
		v := must(launch.Alloc[int32](dev, 32))
		k := kernel.New(nop)
		cfg := launch.Linear(32, 32)
		all := func(s *launch.Stream) error {
			for range 100 {
				if err := k.Launch(s, cfg, v); err != nil {
					return err
				}
			}
			return nil
		}
		if err := errors.Join(all(s), s.Sync()); err != nil {
			b.Fatal(err)
		}
		g := must(s.Capture(all))
		x := must(g.Instantiate())
		for _, how := range []struct {
			name string
			do   func(s *launch.Stream) error
		}{{"launches", all}, {"graph", x.Launch}} {
			b.Run(name+"/"+how.name+"/queue", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					err := how.do(s)
					b.StopTimer()
					if err := errors.Join(err, s.Sync()); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
			})
			b.Run(name+"/"+how.name+"/whole", func(b *testing.B) {
				for b.Loop() {
					if err := errors.Join(how.do(s), s.Sync()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		_ = dev.Close()
	}
}
