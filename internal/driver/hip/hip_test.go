//go:build unix

package hip

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/abi"
	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
)

// compile compiles testdata/kernels.c to a code object, or skips the test.
func compile(t *testing.T, arch string, codeObject int) []byte {
	t.Helper()
	clang := ""
	for _, name := range []string{"clang-19", "clang"} {
		if clang, _ = exec.LookPath(name); clang != "" {
			break
		}
	}
	if clang == "" {
		t.Skip("no clang-19 here to compile the kernels with")
	}
	out := filepath.Join(t.TempDir(), "kernels")
	text, err := exec.Command(clang, "--target=amdgcn-amd-amdhsa", "-mcpu="+arch, "-nogpulib", "-ffreestanding",
		fmt.Sprintf("-mcode-object-version=%d", codeObject), "-O2", "-o", out, "testdata/kernels.c").CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", clang, err, text)
	}
	code, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// object is one of drivertest's kernels, in code compiled from C.
func object(name string, code []byte) *abi.Object {
	o := drivertest.Kernel(name)
	o.Kind, o.Code = abi.HSACO, code
	return o
}

func open(t *testing.T) driver.Device {
	v := New()
	if p := v.Probe(); p.Devices == nil {
		t.Skip(p.Problem)
	}
	d, err := v.Open("")
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

func TestDevice(t *testing.T) {
	d := open(t)
	code := compile(t, d.Info().Arch, d.Info().CodeObject)
	drivertest.RunWith(t, d, func(name string) *abi.Object { return object(name, code) })
}

// What the run time refuses to load is an error that says what it was.
func TestRefused(t *testing.T) {
	d := open(t)
	other := "gfx90a"
	if d.Info().Arch == other {
		other = "gfx906"
	}
	f, err := d.Load(object("saxpy", compile(t, other, 4)))
	if err == nil {
		t.Fatal("code for another processor was loaded", f.Close())
	}
	if e := new(driver.Error); !errors.As(err, &e) || e.Lost || !strings.Contains(err.Error(), "code object v4") {
		t.Errorf("code for another processor: %v", err)
	}
	if _, err := d.Load(object("saxpy", nil)); err == nil {
		t.Error("an empty code object was loaded")
	}
	absent := object("saxpy", compile(t, d.Info().Arch, d.Info().CodeObject))
	absent.Kernel = "absent"
	if _, err := d.Load(absent); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a kernel that the module lacks: %v", err)
	}
}

func TestVendor(t *testing.T) {
	drivertest.Vendor(t, New())
	p := New().Probe()
	for _, d := range p.Devices {
		if !strings.HasPrefix(d.Arch, "gfx") || d.CodeObject < 4 {
			t.Errorf("%+v", d)
		}
	}
	if p.Library == "" {
		t.Skip("no libamdhip64 here")
	}
	if !strings.HasPrefix(p.Version, "HIP ") || strings.Contains(p.Problem, "lacks") {
		t.Errorf("%+v", p)
	}
}

// Where the library is and no device, that is an error as any other, and no
// thread of the library's goes on running.
func TestNoDevice(t *testing.T) {
	p := New().Probe()
	if p.Library == "" || len(p.Devices) != 0 {
		t.Skip("needs libamdhip64 and no device")
	}
	if !strings.Contains(p.Problem, spec.NoDevice) {
		t.Errorf("the problem is %q, want %q", p.Problem, spec.NoDevice)
	}
	for range 3 {
		_, err := New().Open("0")
		if e := new(driver.Error); !errors.As(err, &e) || !strings.Contains(err.Error(), spec.NoDeviceFix) {
			t.Errorf("Open: %v", err)
		}
	}
	threads, err := waiting("/lib")
	if err != nil {
		t.Skip(err)
	}
	for _, at := range threads {
		t.Error("a thread waits in ", at)
	}
}

// waiting finds the threads of this process that wait in a call of the system
// from a library under a path that contains in. Go's own call from Go's code.
func waiting(in string) ([]string, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	states, err := filepath.Glob("/proc/self/task/*/syscall")
	if err != nil || states == nil {
		return nil, errors.New("no /proc/self/task/*/syscall here")
	}
	var found []string
	for _, file := range states {
		state, err := os.ReadFile(file)
		if errors.Is(err, os.ErrPermission) {
			return nil, err
		} else if err != nil {
			continue // the thread has ended
		}
		fields := strings.Fields(string(state)) // number, six arguments, stack and program pointer; or "running"
		if len(fields) != 9 {
			continue
		}
		var pc uint64
		if _, err := fmt.Sscanf(fields[8], "0x%x", &pc); err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(maps)) {
			var low, high uint64
			if _, err := fmt.Sscanf(line, "%x-%x", &low, &high); err == nil && low <= pc && pc < high && strings.Contains(line, in) {
				found = append(found, strings.TrimSpace(line))
			}
		}
	}
	return found, nil
}

// TestNoDevice means something only if waiting finds what there is to find.
func TestWaiting(t *testing.T) {
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		t.Skip(err)
	}
	create, err := purego.Dlsym(libc, "pthread_create")
	if err != nil {
		t.Skip(err)
	}
	sleep, err := purego.Dlsym(libc, "usleep")
	if err != nil {
		t.Fatal(err)
	}
	const short = 20_000_000 // microseconds, of which a machine under load needs a few thousand
	id := new(uintptr)
	if r, _, _ := purego.SyscallN(create, uintptr(unsafe.Pointer(id)), 0, sleep, short); r != 0 {
		t.Fatalf("pthread_create: %d", r)
	}
	for start := time.Now(); time.Since(start) < short*time.Microsecond; time.Sleep(time.Millisecond) {
		if threads, err := waiting("libc"); err != nil {
			t.Skip(err)
		} else if threads != nil {
			return
		}
	}
	t.Error("a thread asleep in libc was not found")
}

func TestVersionText(t *testing.T) {
	if got := spec.VersionText(50221153); got != "HIP 5.2.21153" {
		t.Error(got)
	}
}
