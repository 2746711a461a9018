package kernel_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/internal/module"
	"heddle/kernel"
	"heddle/launch"
)

// Kernels that never end. Line 0 of each is the line of its func.

func spinUniform(v []int32) {
	for v[0] == 0 { // +1
		dsl.ThreadFence()
	}
}

func spinDivergent(v []int32) {
	i := dsl.GlobalIdx().X
	if i%3 == 1 {
		for dsl.AtomicAdd(&v[i%len(v)], 0) == 0 { // +3
		}
	}
}

func spinNested(v []int32) {
	for { // +1
		for j := range int32(3) { // bounded
			dsl.AtomicAdd(&v[0], j)
		}
	}
}

func spinHelper(v []int32) {
	if dsl.ThreadIdx().X == 5 {
		wait(&v[0])
	}
}

func wait(p *int32) {
	for dsl.AtomicCAS(p, 1, 2) != 1 { // +1 of wait
	}
}

func spinBarrier(v []int32) {
	for v[0] == 0 { // +1
		dsl.SyncThreads()
	}
}

// spinPlain calls no function of dsl in its loop.
func spinPlain(v []int32) {
	x := v[0]
	for x != 7 { // +2
		x = x*4 + 3
	}
	v[0] = x
}

// long ends some day, by itself.
func spinLong(v []int32, n int64) {
	sum := int32(0)
	for i := int64(0); i < n; i++ { // +2
		sum = sum*3 ^ int32(i)
	}
	v[0] = sum
}

func answer(v []int32) { v[0] = 42 }

// lineOf is the line of the func fn.
func lineOf(t *testing.T, fn any) int {
	t.Helper()
	pc := reflect.ValueOf(fn).Pointer()
	_, line := runtime.FuncForPC(pc).FileLine(pc)
	return line
}

var endless = []struct {
	name  string
	fn    any
	at    any // whose line counts
	line  int
	more  []any
	plain bool // no calls of dsl: sim cannot end it
}{
	{"uniform", spinUniform, spinUniform, 1, nil, false},
	{"divergent", spinDivergent, spinDivergent, 3, nil, false},
	{"nested", spinNested, spinNested, 1, nil, false},
	{"helper", spinHelper, wait, 1, nil, false},
	{"barrier", spinBarrier, spinBarrier, 1, nil, false},
	{"plain", spinPlain, spinPlain, 2, nil, true},
	{"long", spinLong, spinLong, 2, []any{int64(1) << 60}, true},
}

// TestContext ends kernels that do not end by themselves.
func TestContext(t *testing.T) {
	for _, name := range hostDevices {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			fine := kernel.New(answer)
			for _, k := range endless {
				if k.plain && name[:3] == "sim" {
					continue // it would go on to the end of the tests
				}
				t.Run(k.name, func(t *testing.T) {
					v, err := launch.Alloc[int32](dev, 8)
					must(t, err)
					s, err := dev.NewStream()
					must(t, err)
					kern := kernel.New(k.fn)
					must(t, kern.Compile(dev))
					// On a loaded machine the deadline may come before the kernel has begun:
					// then it is in no line, and gets more time.
					var stopped *launch.Stopped
					for patience := 30 * time.Millisecond; ; patience *= 4 {
						must(t, kern.Launch(s, launch.Linear(64, 64), append([]any{v}, k.more...)...))
						must(t, fine.Launch(s, launch.Linear(1, 1), v)) // behind it
						ctx, cancel := context.WithTimeout(t.Context(), patience)
						err = s.SyncContext(ctx)
						cancel()
						if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
							t.Fatalf("error %v, want a Stopped of the deadline", err)
						}
						t.Log(err)
						if stopped.Pos.Line != 0 || patience > time.Minute {
							break
						}
						must(t, s.Sync())
					}
					// The emulator stops anywhere in the loop; of loops in each other LLVM
					// may take one for the other.
					first := lineOf(t, k.at)
					last := first + k.line + 4
					if stopped.Running || !strings.HasSuffix(stopped.Kernel, strings.TrimPrefix(kern.Name(), module.Kernel)) || filepath.Base(stopped.Pos.Filename) != "context_test.go" ||
						stopped.Pos.Line < first || stopped.Pos.Line > last || name[:3] == "cpu" && k.name != "nested" && stopped.Pos.Line != first+k.line {
						t.Errorf("stopped: %+v, want one in line %d", stopped, first+k.line)
					}
					// Stream and device are as good as new.
					must(t, s.Sync())
					must(t, fine.Launch(s, launch.Linear(1, 1), v))
					got := make([]int32, 8)
					must(t, v.DownloadContext(t.Context(), got))
					if got[0] != 42 {
						t.Errorf("after that, a kernel stored %d", got[0])
					}
					must(t, s.Close())
				})
			}
		})
	}
}

// spinMarked stores in v[7] that it has begun.
func spinMarked(v []int32) {
	dsl.AtomicAdd(&v[7], 1)
	for v[0] == 0 {
		dsl.ThreadFence()
	}
}

// spinning launches an endless kernel on a stream.
func spinning(t *testing.T, dev *launch.Device, s *launch.Stream, v *launch.Buffer[int32]) {
	t.Helper()
	must(t, kernel.New(spinMarked).Launch(s, launch.Linear(64, 64), v))
}

// waitingCalls are the calls that wait, each of which is made behind an endless kernel.
var waitingCalls = map[string]func(ctx context.Context, dev *launch.Device, s *launch.Stream, v *launch.Buffer[int32]) error{
	"Stream.SyncContext": func(ctx context.Context, _ *launch.Device, s *launch.Stream, _ *launch.Buffer[int32]) error {
		return s.SyncContext(ctx)
	},
	"Device.SyncContext": func(ctx context.Context, dev *launch.Device, _ *launch.Stream, _ *launch.Buffer[int32]) error {
		return dev.SyncContext(ctx)
	},
	"Buffer.DownloadContext": func(ctx context.Context, _ *launch.Device, _ *launch.Stream, v *launch.Buffer[int32]) error {
		return v.DownloadContext(ctx, make([]int32, 8))
	},
	"Buffer.UploadContext": func(ctx context.Context, _ *launch.Device, _ *launch.Stream, v *launch.Buffer[int32]) error {
		return v.UploadContext(ctx, make([]int32, 8))
	},
	"Event.SyncContext": func(ctx context.Context, _ *launch.Device, s *launch.Stream, _ *launch.Buffer[int32]) error {
		e, err := s.Record()
		if err != nil {
			return err
		}
		return e.SyncContext(ctx)
	},
	"Stream.CloseContext": func(ctx context.Context, _ *launch.Device, s *launch.Stream, _ *launch.Buffer[int32]) error {
		return s.CloseContext(ctx)
	},
	"Kernel.LaunchContext": func(ctx context.Context, dev *launch.Device, s *launch.Stream, v *launch.Buffer[int32]) error {
		n := int32(1)
		if err := kernel.New(func(v []int32) { v[1] = n }).LaunchContext(ctx, s, launch.Linear(1, 1), v); err != nil {
			return err
		}
		return s.SyncContext(ctx)
	},
	"other stream": func(ctx context.Context, dev *launch.Device, s *launch.Stream, v *launch.Buffer[int32]) error {
		e, err := s.Record()
		if err != nil {
			return err
		}
		other, err := dev.NewStream()
		if err != nil {
			return err
		}
		if err := other.Wait(e); err != nil {
			return err
		}
		if err := other.SyncContext(ctx); err == nil {
			return errors.New("waiting for another stream's endless kernel was no error")
		}
		if err := other.Sync(); err != nil {
			return err
		}
		return s.SyncContext(ctx)
	},
	"Device.CloseContext": func(ctx context.Context, dev *launch.Device, _ *launch.Stream, v *launch.Buffer[int32]) error {
		waits := make(chan error)
		go func() { waits <- dev.Sync() }() // for ever, or until the device is closed
		time.Sleep(10 * time.Millisecond)
		return errors.Join(dev.CloseContext(ctx), <-waits)
	},
}

// TestContextCalls has each of them given up.
func TestContextCalls(t *testing.T) {
	for _, name := range []string{"sim", "cpu", "emu:gfx90a"} {
		for call, run := range waitingCalls {
			t.Run(name+"/"+call, func(t *testing.T) {
				if underRace && name == "sim" {
					t.Skip("the race detector sees sim's atomics as stores, and the test's look at them")
				}
				dev := openDevice(t, name)
				s, err := dev.NewStream()
				must(t, err)
				v, err := launch.Alloc[int32](dev, 8)
				must(t, err)
				spinning(t, dev, s, v)
				ctx, cancel := context.WithCancelCause(t.Context())
				enough := errors.New("enough")
				go func() { // what has not begun is not stopped in a line
					for atomic.LoadInt32(&v.Device()[7]) == 0 && t.Context().Err() == nil {
						time.Sleep(time.Millisecond)
					}
					time.Sleep(20 * time.Millisecond) // for the call to wait; it need not
					cancel(enough)
				}()
				err = run(ctx, dev, s, v)
				var stopped *launch.Stopped
				if !errors.As(err, &stopped) || !errors.Is(err, enough) || stopped.Running || !strings.Contains(err.Error(), "context_test.go:") {
					t.Errorf("error %v, want one of a kernel that was stopped", err)
				}
				if !dev.Closed() {
					must(t, kernel.New(answer).Launch(dev.Stream(), launch.Linear(1, 1), v))
					got := make([]int32, 8)
					must(t, v.Download(got))
					if got[0] != 42 {
						t.Errorf("after that, a kernel stored %d", got[0])
					}
				}
			})
		}
	}
}

// spinSilent calls nothing of dsl.
func spinSilent(v []int32) {
	begun(&v[1])
	for silent(&v[0]) == 0 { // +2
	}
}

//lint:ignore heddle only sim runs it
func silent(p *int32) int32 { return atomic.LoadInt32(p) }

//lint:ignore heddle only sim runs it
func begun(p *int32) { atomic.StoreInt32(p, 1) }

// TestContextSilent cannot end a kernel of the simulator, but says where it is.
func TestContextSilent(t *testing.T) {
	t.Setenv("HEDDLE_SIM", "lax") // atomic.LoadInt32 is no device's
	dev, another := openDevice(t, "sim"), openDevice(t, "sim")
	v, err := launch.Alloc[int32](dev, 2)
	must(t, err)
	must(t, v.Clear(dev.Stream()))
	must(t, dev.Sync())
	must(t, kernel.New(spinSilent).Launch(dev.Stream(), launch.Linear(1, 1), v))
	for atomic.LoadInt32(&v.Device()[1]) == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err = dev.SyncContext(ctx)
	var stopped *launch.Stopped
	loop, call := lineOf(t, spinSilent)+2, lineOf(t, silent) // it may be in the function that the loop calls, inlined or not
	if !errors.As(err, &stopped) || !stopped.Running || stopped.Pos.Line != loop && stopped.Pos.Line != call {
		t.Errorf("error %v, want line %d or %d", err, loop, call)
	}
	// Another launch waits for it, and can be called off.
	w, err := launch.Alloc[int32](another, 1)
	must(t, err)
	must(t, kernel.New(answer).Launch(another.Stream(), launch.Linear(1, 1), w))
	if err := another.SyncContext(ctx); !errors.As(err, &stopped) || stopped.Running {
		t.Errorf("another device: %v", err)
	}
	atomic.StoreInt32(&v.Device()[0], 1)
	if err := dev.Sync(); !errors.As(err, &stopped) && err != nil {
		t.Errorf("once it has ended: %v", err)
	}
}

// TestPanicEndsLoops: on devices that can end a loop, where one thread panics, others that wait for it end.
func TestPanicEndsLoops(t *testing.T) {
	for _, name := range []string{"sim", "cpu"} {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			v, err := launch.Alloc[int32](dev, 8)
			must(t, err)
			must(t, kernel.New(func(v []int32) {
				if dsl.BlockIdx().X == 0 {
					time := 0
					for dsl.AtomicAdd(&v[1], 0) == 0 && time < 1000 { // until block 1 runs, or may not
						time++
					}
					v[len(v)]++
				}
				dsl.AtomicAdd(&v[1], 1)
				for dsl.AtomicAdd(&v[0], 0) == 0 {
				}
			}).Launch(dev.Stream(), launch.Linear(128, 64), v))
			var p *launch.KernelPanic
			if err := dev.Sync(); !errors.As(err, &p) {
				t.Errorf("error %v, want a panic", err)
			}
		})
	}
}
