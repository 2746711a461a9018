//go:build unix

package cuda

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"heddle/internal/driver"
	"heddle/internal/driver/drivertest"
)

// library is libcuda, for questions that package gpu does not ask.
func library(t *testing.T) func(name string, args ...uintptr) int {
	h, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Skip(err)
	}
	return func(name string, args ...uintptr) int {
		f, err := purego.Dlsym(h, name)
		if err != nil {
			t.Fatal(err)
		}
		r, _, _ := purego.SyscallN(f, args...)
		return int(int32(r))
	}
}

// Our table has the names that the library has.
func TestErrorNames(t *testing.T) {
	call := library(t)
	known := 0
	for code := range 1000 {
		out := new(*[256]byte)
		name := ""
		if call("cuGetErrorName", uintptr(code), uintptr(unsafe.Pointer(out))) == 0 && *out != nil {
			name, _, _ = strings.Cut(string((*out)[:]), "\x00")
		}
		ours := driver.ErrorName("cuda", code)
		if name != "" {
			known++
		}
		if name != ours && name != "" { // an older library lacks some
			t.Errorf("%d is %q, our table has %q", code, name, ours)
		}
	}
	if known < 80 {
		t.Errorf("the library knows %d codes", known)
	}
}

// The blocks that fill a unit, and the block that the library suggests.
func TestOccupancy(t *testing.T) {
	d := device(t)
	f, err := d.Load(drivertest.Kernel("saxpy"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	call := library(t)
	grid, block := new(int32), new(int32)
	err = d.(driver.Current).Locked(func() error {
		if r := call("cuOccupancyMaxPotentialBlockSize", uintptr(unsafe.Pointer(grid)), uintptr(unsafe.Pointer(block)),
			f.(interface{ Native() uintptr }).Native(), 0, 0, 0); r != 0 {
			t.Fatalf("cuOccupancyMaxPotentialBlockSize: %d", r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	m := f.(driver.Measured)
	best, largest := 0, 0
	for n := d.Info().MaxThreads; n > 0; n -= d.Info().WarpSize {
		blocks, err := m.Occupancy(n, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n*blocks > best {
			best, largest = n*blocks, n
		}
	}
	theirs, err := m.Occupancy(int(*block), 0)
	if err != nil || theirs*int(*block) != best || theirs*d.Info().ComputeUnits != int(*grid) {
		t.Errorf("the library suggests %d blocks of %d, %d of them on a unit; the best fill is %d threads (%v)", *grid, *block, theirs, best, err)
	}
	t.Logf("blocks of %d, the library suggests %d x %d", largest, *grid, *block)
	p, err := d.(driver.Describer).Properties()
	if err != nil || p.Values[driver.MaxThreadsPerUnit] < best || p.UUID == [16]byte{} {
		t.Errorf("%+v, %v", p, err)
	}
}
