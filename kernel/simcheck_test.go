package kernel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

func openSim(t *testing.T) *launch.Device {
	t.Helper()
	dev, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

//lint:ignore heddle maps are refused
func mapKernel(out []int) {
	m := map[int]int{1: 2}
	out[dsl.GlobalIdx().X] = m[1]
}

// The simulator refuses what the compiler refuses, at the launch as other devices
// do, and runs it where the user says so.
func TestSimRefuses(t *testing.T) {
	dev := openSim(t)
	out, err := launch.Alloc[int](dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	cfg := launch.Linear(1, 1)
	want := "simcheck_test.go:30:18: map in kernel (use a slice"
	k := kernel.New(mapKernel)
	if err := k.Launch(dev.Stream(), cfg, out); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Launch says %v, want %s", err, want)
	}
	if err := k.Compile(dev); fmt.Sprint(err) != fmt.Sprint(k.Check()) {
		t.Errorf("Compile says %v, Check %v", err, k.Check())
	}
	t.Setenv("HEDDLE_SIM", "lax")
	if err := kernel.New(mapKernel).Launch(dev.Stream(), cfg, out); err != nil {
		t.Errorf("HEDDLE_SIM=lax: %v", err)
	}
	h := make([]int, 1)
	if err := out.Download(h); err != nil || h[0] != 2 {
		t.Errorf("HEDDLE_SIM=lax: %v, %v", h, err)
	}
}

// A check that takes long runs beside the first launch, and its error is the
// launch's; later launches are refused.
func TestSimRefusesLate(t *testing.T) {
	kernel.SetPatience(t, 0)
	dev := openSim(t)
	out, err := launch.Alloc[int](dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	kernel.Forget()
	k := kernel.New(mapKernel)
	first := k.Launch(dev.Stream(), launch.Linear(1, 1), out)
	if first == nil {
		first = dev.Sync()
	}
	if first == nil || !strings.Contains(first.Error(), "map in kernel") {
		t.Errorf("the first launch: %v", first)
	}
	if err := k.Launch(dev.Stream(), launch.Linear(1, 1), out); err == nil || !strings.Contains(err.Error(), "map in kernel") {
		if err == nil {
			err = dev.Sync()
		}
		t.Logf("the second launch: %v", err)
	}
	kernel.Forget()
	good := kernel.New(func(out []int) { out[0] = 7 })
	for range 2 {
		if err := good.Launch(dev.Stream(), launch.Linear(1, 1), out); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Millisecond)
	}
	if err := dev.Sync(); err != nil {
		t.Error(err)
	}
}

// Captured memory of the host is refused on the simulator too, at each launch, and
// arguments have their names.
//
//lint:ignore heddle host memory and missing arguments are refused
func TestSimArguments(t *testing.T) {
	dev := openSim(t)
	out, err := launch.Alloc[int](dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	host := []int{1, 2}
	box := struct{ S []int }{host}
	cfg := launch.Linear(1, 1)
	for want, err := range map[string]error{
		"captured variable host":                          kernel.New(func(out []int) { out[0] = host[1] }).Launch(dev.Stream(), cfg, out),
		"captured variable box":                           kernel.New(func(out []int) { out[0] = box.S[1] }).Launch(dev.Stream(), cfg, out),
		"argument 1 (out) is host memory ([]int32), want": kernel.New(func(out []int) { out[0] = 1 }).Launch(dev.Stream(), cfg, []int32{1}),
		"have 0 arguments, want 1: (out *launch":          kernel.New(func(out []int) { out[0] = 1 }).Launch(dev.Stream(), cfg),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	device := out.Device()
	k := kernel.New(func(out []int) { out[0] = len(device) })
	if err := k.Launch(dev.Stream(), cfg, out); err != nil {
		t.Error(err)
	}
	device = host
	if err := k.Launch(dev.Stream(), cfg, out); err == nil || !strings.Contains(err.Error(), "captured variable device") {
		t.Errorf("a captured slice that became the host's: %v", err)
	}
}

// An index into dynamic shared memory that the launch left empty says so.
func TestNoShared(t *testing.T) {
	k := kernel.New(func(out []int) {
		s := dsl.DynamicShared[int]()
		s[dsl.ThreadIdx().X] = 1
		out[0] = s[0]
	})
	for _, name := range []string{"sim", "cpu"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		out, err := launch.Alloc[int](dev, 1)
		if err != nil {
			t.Fatal(err)
		}
		err = k.Launch(dev.Stream(), launch.Config{Block: launch.Dim3{X: 2}}, out)
		if err == nil {
			err = dev.Sync()
		}
		if err == nil || !strings.Contains(err.Error(), "with length 0") || !strings.Contains(err.Error(), "Config.Shared is 0") {
			t.Errorf("%s: %v", name, err)
		}
		if err := k.Launch(dev.Stream(), launch.Config{Block: launch.Dim3{X: 2}, Shared: 16}, out); err != nil {
			t.Error(err)
		}
		if err := dev.Sync(); err != nil {
			t.Errorf("%s with Config.Shared: %v", name, err)
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}
