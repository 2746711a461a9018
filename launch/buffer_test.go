package launch

import (
	"bytes"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

func TestBuffer(t *testing.T) {
	d := openSim(t)
	b, err := Alloc[int32](d, 6)
	ok(t, err)
	if got := download(t, b); !slices.Equal(got, make([]int32, 6)) {
		t.Errorf("Alloc is not zero: %v", got)
	}
	ok(t, b.Upload([]int32{0, 1, 2, 3, 4, 5}))
	s := b.Slice(2, 4)
	if got := download(t, s); !slices.Equal(got, []int32{2, 3}) {
		t.Errorf("Slice(2, 4): %v", got)
	}
	// Within the capacity, as in Go.
	if got := download(t, s.Slice(1, 4)); !slices.Equal(got, []int32{3, 4, 5}) {
		t.Errorf("Slice(2, 4).Slice(1, 4): %v", got)
	}
	if v := s.Device(); len(v) != 2 || cap(v) != 4 {
		t.Errorf("Device: length %d, capacity %d", len(v), cap(v))
	}
	ok(t, s.Upload([]int32{20, 30}))
	ok(t, s.Close()) // the slice alone
	fails(t, s.Download(make([]int32, 2)), "closed")
	if got := download(t, b); !slices.Equal(got, []int32{0, 1, 20, 30, 4, 5}) {
		t.Errorf("after writing to a slice: %v", got)
	}
	for _, r := range [][2]int{{-1, 2}, {3, 2}, {0, 7}} {
		fails(t, b.Slice(r[0], r[1]).Download(nil), "out of range", "buffer of 6 int32 (allocated at buffer_test.go:")
	}
	fails(t, b.Download(make([]int32, 5)), "the buffer has 6 elements and dst has 5")
	fails(t, b.Upload(make([]int32, 7)), "the buffer has 6 elements and src has 7")
	whole := b.Slice(0, 6)
	ok(t, b.Close())
	ok(t, b.Close())
	for _, err := range []error{
		b.Download(make([]int32, 6)), b.Upload(make([]int32, 6)), whole.Download(make([]int32, 6)),
		b.Slice(0, 1).Clear(d.Stream()), b.Fill(d.Stream(), 1), b.CopyFrom(d.Stream(), b),
	} {
		fails(t, err, "buffer of 6 int32 (allocated at buffer_test.go:18) is closed")
	}
	if n := len(d.Allocations()); n != 0 {
		t.Errorf("%d live allocations", n)
	}
}

func TestNilAndZeroBuffers(t *testing.T) {
	d := openSim(t)
	var none *Buffer[int32]
	fails(t, none.Download(nil), "nil Buffer")
	fails(t, none.Slice(0, 0).Upload(nil), "nil Buffer")
	fails(t, none.Fill(d.Stream(), 1), "nil Buffer")
	fails(t, new(Buffer[int32]).Download(nil), "zero Buffer")
	if none.Len() != 0 || none.Device() != nil || none.Close() != nil || none.String() != "nil Buffer" {
		t.Error("a nil buffer is not empty")
	}
	for _, b := range []*Buffer[int32]{upload[int32](t, d), upload[int32](t, d, 1).Slice(1, 1)} {
		ok(t, b.Upload(nil))
		ok(t, b.Fill(d.Stream(), 3))
		ok(t, b.CopyFrom(d.Stream(), b))
		if got := download(t, b); len(got) != 0 || len(b.Device()) != 0 {
			t.Errorf("an empty buffer holds %v", got)
		}
		ok(t, b.Close())
		fails(t, b.Download(nil), "closed")
	}
	empty, err := Alloc[struct{}](d, 5)
	ok(t, err)
	ok(t, empty.Download(make([]struct{}, 5)))
	_, err = Alloc[int32](d, -1)
	fails(t, err, "-1 elements")
	_, err = Alloc[int64](d, math.MaxInt/4)
	fails(t, err, "more than there are addresses")
	_, err = Alloc[int64](d, math.MaxInt/16)
	fails(t, err, "allocating")
}

type badField struct {
	N    int
	Rest [2]struct{ Name string }
}

func TestElementTypes(t *testing.T) {
	d := openSim(t)
	_, err := Alloc[badField](d, 1)
	fails(t, err, "no Buffer of launch.badField", "launch.badField.Rest[i].Name has type string")
	_, err = Alloc[map[int]int](d, 1)
	fails(t, err, "no Buffer of map[int]int")
	_, err = Alloc[struct{ F func() }](d, 1)
	fails(t, err, "F has type func()")
	_, err = Alloc[any](d, 1)
	fails(t, err, "interface {}")
	_, err = Alloc[struct{ P unsafe.Pointer }](d, 1)
	fails(t, err, "P has type unsafe.Pointer")
	_, err = Alloc[struct {
		A [3]complex64
		B bool
	}](d, 1)
	ok(t, err)
	_, err = Upload(d, []*int32{new(int32)})
	fails(t, err, "element [0] is not memory of sim")
}

func TestQueuedCopies(t *testing.T) {
	d := openSim(t)
	s, err := d.NewStream()
	ok(t, err)
	const n = 5000 // more than one doubling of Fill
	x, err := Alloc[int32](d, n)
	ok(t, err)
	y, err := Alloc[int32](d, n)
	ok(t, err)
	ok(t, x.Fill(s, 7))
	ok(t, y.CopyFrom(s, x))
	ok(t, x.Clear(s))
	ok(t, y.Slice(0, 2).UploadAsync(s, []int32{1, 2}))
	got, zero := make([]int32, n), make([]int32, n)
	ok(t, y.DownloadAsync(s, got))
	ok(t, x.DownloadAsync(s, zero))
	ok(t, s.Sync())
	want := slices.Repeat([]int32{7}, n)
	want[0], want[1] = 1, 2
	if !slices.Equal(got, want) || !slices.Equal(zero, make([]int32, n)) {
		t.Errorf("got %v... and %v...", got[:4], zero[:4])
	}
	fails(t, x.CopyFrom(s, y.Slice(0, 9)), "the buffer has 5000 elements and the source has 9")
	fails(t, x.Slice(0, 10).CopyFrom(s, x.Slice(9, 19)), "overlap")
	ok(t, x.Slice(0, 10).CopyFrom(s, x.Slice(10, 20)))
	fails(t, x.UploadAsync(nil, nil), "nil Stream")
	fails(t, x.UploadAsync(s, []int32{1}), "5000 elements and src has 1")
	other := openSim(t)
	fails(t, x.Clear(other.Stream()), "is on sim, the stream on another opening of sim")
	fails(t, x.CopyFrom(s, upload[int32](t, other, 1)), "is on sim")
}

// Closing a buffer that a kernel is using frees it only afterwards.
func TestCloseInUse(t *testing.T) {
	d := openSim(t)
	s := d.Stream()
	gate := make(chan struct{})
	k := newTestKernel(t, d, func(x, y []int32) { <-gate; y[0] = x[0] })
	x, y := upload[int32](t, d, 42), upload[int32](t, d, 0)
	ok(t, k.launch(s, Config{}, x, y))
	ok(t, x.Close())
	if n := waiting(d); n != 1 {
		t.Errorf("%d blocks wait for the kernel, want 1", n)
	}
	close(gate)
	if got := download(t, y); got[0] != 42 {
		t.Errorf("the kernel read %d from a closed buffer, want 42", got[0])
	}
	_, err := Alloc[int32](d, 1)
	ok(t, err)
	if n := waiting(d); n != 0 {
		t.Errorf("%d blocks wait for nothing", n)
	}
}

func waiting(d *Device) int {
	d.mem.mu.Lock()
	defer d.mem.mu.Unlock()
	return len(d.mem.waiting)
}

// A forgotten buffer is freed in stream order, and said to be if one asks.
func TestForgotten(t *testing.T) {
	t.Setenv("HEDDLE_LOG", "compile,leaks")
	log := captureLog(t)
	d, err := Open("sim")
	ok(t, err)
	gate := make(chan struct{})
	k := newTestKernel(t, d, func(x, y []int32) { <-gate; y[0] = x[0] })
	y := upload[int32](t, d, 0)
	func() {
		ok(t, k.launch(d.Stream(), Config{}, upload[int32](t, d, 42), y))
	}()
	eventually(t, func() bool { runtime.GC(); return len(d.Allocations()) == 1 })
	close(gate)
	if got := download(t, y); got[0] != 42 {
		t.Errorf("the kernel read %d from a collected buffer, want 42", got[0])
	}
	ok(t, d.Close())
	for _, text := range []string{"buffer forgotten", "buffer not closed", "site=sim_test.go:"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("the log lacks %q:\n%s", text, log.String())
		}
	}
	runtime.KeepAlive(y)
}

// captureLog has slog's default logger write to the result for the time of the test.
func captureLog(t *testing.T) *lockedBuffer {
	b := new(lockedBuffer)
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(b, nil)))
	t.Cleanup(func() { slog.SetDefault(old) })
	return b
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func eventually(t *testing.T, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come about")
		}
	}
}

func TestClosedDevice(t *testing.T) {
	d, err := Open("sim")
	ok(t, err)
	k := newTestKernel(t, d, store)
	b := upload[int32](t, d, 1)
	s, err := d.NewStream()
	ok(t, err)
	e, err := s.Record()
	ok(t, err)
	ok(t, k.launch(s, Config{}, b, 7, int32(1)))
	fails(t, d.Close(), "index out of range [7] with length 1") // the last to be able to tell
	ok(t, d.Close())
	_, alloc := Alloc[int32](d, 1)
	_, stream := d.NewStream()
	_, event := d.NewEvent()
	_, record := s.Record()
	_, load := d.load(k.f.obj)
	for i, err := range []error{
		alloc, stream, event, record, load, d.Sync(), s.Sync(), d.Stream().Sync(), s.Wait(e), e.Sync(),
		k.launch(s, Config{}, b, 0, int32(1)), b.Clear(s),
	} {
		if err == nil || !strings.Contains(err.Error(), "device sim is closed") {
			t.Errorf("call %d on a closed device: %v", i, err)
		}
	}
	fails(t, b.Download(make([]int32, 1)), "buffer of 1 int32", "closed")
	ok(t, b.Close())
	ok(t, s.Close())
	ok(t, e.Close())
	if !s.Done() || !e.Done() {
		t.Error("a closed device is still at work")
	}
}

func TestConcurrency(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, saxpy)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			s := d.Stream()
			if g%2 == 1 {
				s, _ = d.NewStream()
				defer s.Close()
			}
			for i := range 20 {
				x, err := Upload(d, []float32{1, 2, 3})
				if err != nil {
					t.Error(err)
					return
				}
				y, _ := Upload(d, []float32{0, 0, 0})
				if err := k.launch(s, Linear(3, 4), float32(i), x, y); err != nil {
					t.Error(err)
				}
				got := make([]float32, 3)
				if err := y.Download(got); err != nil || got[2] != float32(3*i) {
					t.Errorf("got %v, %v", got, err)
				}
				x.Close()
				if i%2 == 0 {
					y.Close()
				}
			}
		})
	}
	wg.Wait()
}
