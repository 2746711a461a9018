//go:build unix

package cuda

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
)

func device(t testing.TB) driver.Device {
	d, err := New().Open("")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestDevice(t *testing.T) { drivertest.Run(t, device(t), true) }

func TestVendor(t *testing.T) { drivertest.Vendor(t, New()) }

// A kernel that writes where there is no memory loses the device's context for
// the whole process, so a process of its own does it.
func TestLost(t *testing.T) {
	const child = "HEDDLE_TEST_LOST"
	d := device(t)
	if os.Getenv(child) == "" {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestLost$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "lost as it should") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	s, err := d.NewStream(driver.StreamOptions{Default: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Load(drivertest.Kernel("stray"))
	if err != nil {
		t.Fatal(err)
	}
	one := driver.Dim{1, 1, 1}
	if err := s.Launch(f, &driver.Config{Grid: one, Block: one}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var e *driver.Error
		if err := s.Sync(); !errors.As(err, &e) || !e.Lost {
			t.Fatalf("Sync after a stray write: %v", err)
		}
		t.Logf("lost as it should: %v", e)
	}
	os.Stdout.WriteString("lost as it should\n")
	os.Exit(0) // closing the device can only fail
}

// launcher returns a function that launches the smallest kernel.
func launcher(t testing.TB, d driver.Device) (launch func(), sync func()) {
	s, err := d.NewStream(driver.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := d.Load(drivertest.Kernel("spin"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(f.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	args := drivertest.Args(&drivertest.Spin{})
	c := &driver.Config{Grid: driver.Dim{1, 1, 1}, Block: driver.Dim{1, 1, 1}}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return func() { check(s.Launch(f, c, args, nil)) }, func() { check(s.Sync()) }
}

func TestLaunchAllocs(t *testing.T) {
	launch, sync := launcher(t, device(t))
	launch()
	if n := testing.AllocsPerRun(100, launch); n != 0 {
		t.Errorf("a launch allocates %v times", n)
	}
	sync()
}

// batch is how many launches the benchmarks queue between two waits: a full
// queue would make the launch wait for the device.
const batch = 256

func BenchmarkLaunch(b *testing.B) {
	launch, sync := launcher(b, device(b))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		launch()
		if i%batch == batch-1 {
			b.StopTimer()
			sync()
			b.StartTimer()
		}
	}
	sync()
}

// BenchmarkRawLaunch is the driver's call alone, on a thread that has its
// context already: what BenchmarkLaunch is measured against.
func BenchmarkRawLaunch(b *testing.B) {
	device(b)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW)
	if err != nil {
		b.Fatal(err)
	}
	symbols := map[string]uintptr{}
	call := func(name string, args ...uintptr) {
		if symbols[name] == 0 {
			if symbols[name], err = purego.Dlsym(h, name); err != nil {
				b.Fatal(err)
			}
		}
		if r, _, _ := purego.SyscallN(symbols[name], args...); int32(r) != 0 {
			b.Fatalf("%s: %d", name, int32(r))
		}
	}
	c := new(struct{ context, module, function, stream uintptr })
	text, name := append(drivertest.Kernel("spin").Code, 0), []byte("spin\x00")
	var pin runtime.Pinner
	defer pin.Unpin()
	at := func(p *uintptr) uintptr { pin.Pin(p); return uintptr(unsafe.Pointer(p)) }
	bytes := func(p []byte) uintptr { pin.Pin(&p[0]); return uintptr(unsafe.Pointer(&p[0])) }
	call("cuDevicePrimaryCtxRetain", at(&c.context), 0)
	call("cuCtxSetCurrent", c.context)
	call("cuModuleLoadData", at(&c.module), bytes(text))
	call("cuModuleGetFunction", at(&c.function), c.module, bytes(name))
	call("cuStreamCreate", at(&c.stream), 0)
	arg := new(uintptr)
	params := []uintptr{at(arg)}
	list := at(&params[0])
	f, err := purego.Dlsym(h, "cuLaunchKernel")
	if err != nil {
		b.Fatal(err)
	}
	launch := []uintptr{c.function, 1, 1, 1, 1, 1, 1, 0, c.stream, list, 0}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r, _, _ := purego.SyscallN(f, launch...)
		if int32(r) != 0 {
			b.Fatalf("cuLaunchKernel: %d", int32(r))
		}
		if i%batch == batch-1 {
			b.StopTimer()
			call("cuStreamSynchronize", c.stream)
			b.StartTimer()
		}
	}
	call("cuStreamSynchronize", c.stream)
	call("cuStreamDestroy_v2", c.stream)
	call("cuModuleUnload", c.module)
	call("cuDevicePrimaryCtxRelease_v2", 0)
}
