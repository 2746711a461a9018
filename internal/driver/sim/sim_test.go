package sim

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"heddle/dsl"
	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
	"heddle/internal/driver/host"
)

// TestMain checks that closed devices leave no goroutine behind.
func TestMain(m *testing.M) { drivertest.Main(m) }

// open opens a device that is closed with the test.
func open(t testing.TB, id string) driver.Device {
	t.Helper()
	d, err := New().Open(id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func newStream(t testing.TB, d driver.Device, o driver.StreamOptions) driver.Stream {
	t.Helper()
	return must(d.NewStream(o))
}

func load(t testing.TB, d driver.Device, fn any) driver.Function {
	t.Helper()
	return must(d.Load(&abi.Object{Kind: abi.GoFunc, Name: "test.Kernel", Go: fn}))
}

// linear is n threads in blocks of 64.
func linear(n int) *driver.Config {
	return &driver.Config{Grid: driver.Dim{(n + 63) / 64, 1, 1}, Block: driver.Dim{64, 1, 1}}
}

// array allocates n elements of device memory.
func array[T any](t testing.TB, d driver.Device, n int) (driver.Ptr, []T) {
	t.Helper()
	var zero T
	p := must(d.Alloc(n * int(unsafe.Sizeof(zero))))
	return p, unsafe.Slice((*T)(p), n)
}

func saxpy(a float32, x, y []float32) {
	if i := dsl.GlobalIdx().X; i < len(y) {
		y[i] += a * x[i]
	}
}

func TestSaxpy(t *testing.T) {
	d := open(t, "")
	s, k := newStream(t, d, driver.StreamOptions{}), load(t, d, saxpy)
	const n = 1000
	hx, hy := make([]float32, n), make([]float32, n)
	for i := range hx {
		hx[i], hy[i] = float32(i), 1
	}
	px, x := array[float32](t, d, n)
	py, y := array[float32](t, d, n)
	if y[0] == y[0] {
		t.Error("new memory is not poisoned")
	}
	for _, err := range []error{
		s.CopyIn(px, unsafe.Pointer(&hx[0]), 4*n), s.CopyIn(py, unsafe.Pointer(&hy[0]), 4*n),
		s.Launch(k, linear(n), nil, []any{float32(2), x, y}),
		s.CopyOut(unsafe.Pointer(&hy[0]), py, 4*n), s.Sync(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, v := range hy {
		if v != 2*float32(i)+1 {
			t.Fatalf("y[%d] = %v", i, v)
		}
	}
	if k.TakePanic() != nil || k.Object().Name != "test.Kernel" || k.Close() != nil {
		t.Error("function")
	}
	if err := errors.Join(d.Free(px), d.Free(py)); err != nil {
		t.Error(err)
	}
}

func TestVendor(t *testing.T) {
	p := New().Probe()
	if len(p.Devices) != 2 || p.Problem != "" || p.Devices[1].Name != "sim:64" {
		t.Errorf("%+v", p)
	}
	for id, warp := range map[string]int{"": 32, "32": 32, "64": 64} {
		d := open(t, id)
		if i := d.Info(); i.WarpSize != warp || i.Memory <= 0 || i.MaxThreads != 1024 {
			t.Errorf("%q: %+v", id, i)
		}
		lanes := 0
		s := newStream(t, d, driver.StreamOptions{})
		k := load(t, d, func() { lanes = dsl.WarpSize() })
		if err := errors.Join(s.Launch(k, linear(1), nil, nil), s.Sync()); err != nil || lanes != warp {
			t.Error(id, err, lanes)
		}
	}
	if _, err := New().Open("16"); err == nil || !strings.Contains(err.Error(), "sim, sim:32 or sim:64") {
		t.Error(err)
	}
}

func TestPanicIsTheStreamsError(t *testing.T) {
	d := open(t, "")
	s := newStream(t, d, driver.StreamOptions{})
	_, x := array[int32](t, d, 100)
	_, file, line, _ := runtime.Caller(0)
	bad := load(t, d, func(x []int32) { x[dsl.GlobalIdx().X] = 1 })
	if err := s.Launch(bad, linear(128), nil, []any{x}); err != nil {
		t.Fatal(err)
	}
	err := s.Sync()
	var p *driver.SimPanic
	if !errors.As(err, &p) {
		t.Fatalf("%T %v", err, err)
	}
	want := driver.SimPanic{Kernel: "test.Kernel", File: file, Line: line + 1, Block: driver.Dim{1}, Thread: driver.Dim{36}, Value: p.Value}
	if !reflect.DeepEqual(*p, want) || fmt.Sprint(p.Value) != "runtime error: index out of range [100] with length 100" {
		t.Errorf("%+v", p)
	}
	if !strings.Contains(err.Error(), fmt.Sprintf("%s:%d", filepath.Base(file), line+1)) {
		t.Error(err)
	}
	if err := s.Sync(); err != nil {
		t.Error("the error is told twice:", err)
	}
	// The device works on.
	if err := errors.Join(s.Launch(bad, linear(64), nil, []any{x}), s.Sync()); err != nil || x[63] != 1 {
		t.Error(err, x[63])
	}
	stuck := load(t, d, func() {
		if dsl.ThreadIdx().X > 0 {
			dsl.SyncThreads()
		}
	})
	if err := s.Launch(stuck, linear(64), nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(); err == nil || !strings.Contains(err.Error(), "kernel test.Kernel: ") || !strings.Contains(err.Error(), "barrier divergence") {
		t.Error(err)
	}
	if err := s.Sync(); err != nil {
		t.Error("the error is told twice:", err)
	}
}

func TestMisuse(t *testing.T) {
	d, other := open(t, ""), open(t, "")
	s := newStream(t, d, driver.StreamOptions{})
	k := load(t, d, saxpy)
	p, x := array[float32](t, d, 10)
	q := must(d.Alloc(40))
	host := make([]byte, 100)
	h := unsafe.Pointer(&host[0])
	closed := newStream(t, d, driver.StreamOptions{})
	if err := closed.Close(); err != nil {
		t.Error(err)
	}
	_, errNoFunc := d.Load(&abi.Object{Kind: abi.GoFunc, Name: "k", Go: 3})
	_, errPTX := d.Load(&abi.Object{Kind: abi.PTX, Name: "k"})
	_, errNil := d.Load(&abi.Object{Name: "k", Go: (func())(nil)})
	_, errResult := d.Load(&abi.Object{Name: "k", Go: func() int { return 1 }})
	_, errVariadic := d.Load(&abi.Object{Name: "k", Go: func(...int) {}})
	_, errAlloc := d.Alloc(0)
	_, errHuge := d.Alloc(1 << 60)
	newStream(t, d, driver.StreamOptions{Default: true})
	_, errSecond := d.NewStream(driver.StreamOptions{Default: true})
	never, once := must(d.NewEvent()), must(d.NewEvent())
	if err := errors.Join(s.Record(once), s.Sync()); err != nil {
		t.Fatal(err)
	}
	_, errSince := once.Since(never)
	_, errSince2 := never.Since(once)
	var foreign struct{ driver.Event }
	for _, c := range []struct {
		err  error
		want string
	}{
		{s.Launch(k, linear(1), nil, nil), "0 arguments for 3 parameters"},
		{s.Launch(k, linear(1), nil, []any{2.0, x, x}), "argument 0 is float64, want float32"},
		{s.Launch(k, linear(1), nil, []any{nil, x, 7}), "argument 2 is int, want []float32"},
		{s.Launch(load(t, other, saxpy), linear(1), nil, []any{float32(1), x, x}), "loaded on another device"},
		{s.Launch(k, &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{1, 1, 1}, Shared: 1 << 20}, nil, []any{float32(1), x, x}), "1048576 bytes of dynamic shared memory, the device has 65536"},
		{closed.Launch(k, linear(1), nil, []any{float32(1), x, x}), "stream is closed"},
		{s.CopyIn(p, h, 41), "41 bytes at offset 0 of device memory of 40 bytes"},
		{s.CopyOut(h, unsafe.Add(p, 30), 11), "11 bytes at offset 30 of device memory of 40 bytes"},
		{s.CopyIn(p, h, -1), "-1 bytes"},
		{s.Copy(p, h, 4), "is not in any device memory"},
		{s.Copy(h, p, 4), "is not in any device memory"},
		{s.Fill(unsafe.Add(p, 40), 0, 4), "is not in any device memory"},
		{s.Fill(nil, 0, 4), "is not in any device memory"},
		{d.Free(unsafe.Add(p, 4)), "no device memory was allocated there"},
		{d.Free(nil), "no device memory was allocated there"},
		{d.FreeHost(p), "no page-locked host memory"},
		{errNoFunc, "is go code (int)"},
		{errPTX, "is ptx code"},
		{errNil, "is go code"},
		{errResult, "has results"},
		{errVariadic, "variable number of parameters"},
		{errAlloc, "allocation of 0 bytes"},
		{errHuge, "out of memory"},
		{errSecond, "default stream already"},
		{errSince, "never recorded"},
		{errSince2, "never recorded"},
		{s.Record(&foreign), "another kind of device"},
		{s.Wait(&foreign), "another kind of device"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v\nlacks %q", c.err, c.want)
		}
	}
	if err := errors.Join(s.Sync(), s.CopyIn(nil, nil, 0), d.Free(q)); err != nil {
		t.Error(err)
	}
	if err := d.Free(q); err == nil || !strings.Contains(err.Error(), "freed before") {
		t.Error(err)
	}
}

func TestClosedDevice(t *testing.T) {
	d := must(New().Open(""))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	_, e1 := d.Alloc(1)
	_, e2 := d.AllocHost(1)
	_, e3 := d.NewStream(driver.StreamOptions{})
	_, e4 := d.NewEvent()
	_, e5 := d.Load(&abi.Object{Go: func() {}})
	for i, err := range []error{e1, e2, e3, e4, e5, d.Close()} {
		if !errors.Is(err, host.ErrClosed) {
			t.Error(i, err)
		}
	}
}

func TestMemory(t *testing.T) {
	d := open(t, "")
	s := newStream(t, d, driver.StreamOptions{})
	for _, n := range []int{1, 7, 255, 256, 1000, 1 << 20} {
		p := must(d.Alloc(n))
		if uintptr(p)%256 != 0 {
			t.Errorf("%d bytes at %p", n, p)
		}
		h := must(d.AllocHost(n))
		host := unsafe.Slice((*byte)(h), n)
		if err := errors.Join(s.Fill(p, 7, n), s.Copy(h, p, n), s.Sync()); err != nil {
			t.Error(err)
		}
		if want := bytes.Repeat([]byte{7}, n); !bytes.Equal(host, want) {
			t.Error("fill and copy of", n)
		}
		b := unsafe.Slice((*byte)(p), n)
		if err := errors.Join(d.Free(p), d.FreeHost(h)); err != nil {
			t.Error(err)
		}
		if b[0] == 7 || b[n-1] == 7 || host[0] == 7 {
			t.Error("freed memory is not poisoned")
		}
	}
}

// A blocked stream holds up those that wait for its event, and no other.
func TestEvents(t *testing.T) {
	d := open(t, "")
	o := driver.StreamOptions{NonBlocking: true}
	a, b, c := newStream(t, d, o), newStream(t, d, o), newStream(t, d, o)
	gate := make(chan bool)
	slow, quick := load(t, d, func(x *int32) { <-gate; *x = 1 }), load(t, d, func(x, y *int32) { *y = *x + 1 })
	_, x := array[int32](t, d, 2)
	start, end := must(d.NewEvent()), must(d.NewEvent())
	for _, err := range []error{
		a.Record(start), a.Launch(slow, linear(1), nil, []any{&x[0]}), a.Record(end),
		b.Wait(end), b.Launch(quick, &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{1, 1, 1}}, nil, []any{&x[0], &x[1]}),
		c.Sync(), start.Sync(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, done := range []func() (bool, error){a.Done, b.Done, end.Done} {
		if yes, err := done(); yes || err != nil {
			t.Error("done before the gate opened", err)
		}
	}
	if _, err := end.Since(start); err == nil || !strings.Contains(err.Error(), "not happened yet") {
		t.Error(err)
	}
	time.Sleep(2 * time.Millisecond)
	close(gate)
	if err := errors.Join(b.Sync(), end.Sync()); err != nil || x[1] != 2 {
		t.Error(err, x)
	}
	if took, err := end.Since(start); err != nil || took < 2*time.Millisecond {
		t.Error(took, err)
	}
	if yes, err := a.Done(); !yes || err != nil {
		t.Error("not done", err)
	}
	if err := errors.Join(start.Close(), end.Close()); err != nil {
		t.Error(err)
	}
}

// The default stream and blocking streams wait for each other; others do not.
func TestDefaultStream(t *testing.T) {
	d := open(t, "")
	null, blocking := newStream(t, d, driver.StreamOptions{Default: true}), newStream(t, d, driver.StreamOptions{})
	free := newStream(t, d, driver.StreamOptions{NonBlocking: true})
	p, b := array[byte](t, d, 4)
	gate := make(chan bool)
	wait := load(t, d, func() {
		if dsl.GlobalIdx().X == 0 {
			<-gate
		}
	})
	for _, err := range []error{
		blocking.Launch(wait, linear(1), nil, nil), blocking.Fill(p, 1, 1),
		null.Copy(unsafe.Add(p, 1), p, 1), blocking.Copy(unsafe.Add(p, 2), unsafe.Add(p, 1), 1),
		free.Fill(unsafe.Add(p, 3), 9, 1), free.Sync(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if b[3] != 9 {
		t.Error("the non-blocking stream did not run")
	}
	if yes, _ := null.Done(); yes {
		t.Error("the default stream did not wait")
	}
	close(gate)
	if err := blocking.Sync(); err != nil || !reflect.DeepEqual(b, []byte{1, 1, 1, 9}) {
		t.Error(err, b)
	}
}

// Many goroutines use several devices and streams at once.
func TestConcurrency(t *testing.T) {
	devices := []driver.Device{open(t, ""), open(t, "64")}
	var all sync.WaitGroup
	for g := range 16 {
		all.Go(func() {
			d := devices[g%2]
			s := must(d.NewStream(driver.StreamOptions{}))
			k := must(d.Load(&abi.Object{Name: "sum", Go: func(out []int32) {
				part := dsl.Shared[int32]()
				if dsl.ThreadIdx().X == 0 {
					*part = 0
				}
				dsl.SyncThreads()
				v := int32(g)
				for m := 1; m < dsl.WarpSize(); m *= 2 {
					v += dsl.ShflXor(v, m)
				}
				if dsl.LaneID() == 0 {
					dsl.AtomicAdd(part, v)
				}
				dsl.SyncThreads()
				if dsl.ThreadIdx().X == 0 {
					out[dsl.BlockIdx().X] = *part
				}
			}}))
			for range 5 {
				p := must(d.Alloc(16))
				out := unsafe.Slice((*int32)(p), 4)
				host := make([]int32, 4)
				err := errors.Join(s.Launch(k, linear(256), nil, []any{out}), s.CopyOut(unsafe.Pointer(&host[0]), p, 16), s.Sync(), d.Free(p))
				want := int32(64 * g)
				if err != nil || !reflect.DeepEqual(host, []int32{want, want, want, want}) {
					t.Error(err, host, want)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func BenchmarkLaunch(b *testing.B) {
	d := open(b, "")
	s, k := newStream(b, d, driver.StreamOptions{}), load(b, d, saxpy)
	const n = 1 << 16
	_, x := array[float32](b, d, n)
	args := []any{float32(2), x, x}
	for b.Loop() {
		if err := errors.Join(s.Launch(k, linear(n), nil, args), s.Sync()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/thread")
}
