package kernel_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// hostDevices run on any machine that can compile for them.
var hostDevices = []string{"sim", "sim:64", "cpu", "cpu:64", "emu:gfx90a", "emu:gfx1100"}

// sumInto has device memory by its address, as parts of buffers.
func sumInto(v []int32, total *int32) {
	if i := dsl.GlobalIdx().X; i < len(v) {
		dsl.AtomicAdd(total, v[i])
	}
}

// TestAddressArguments launches with parts of buffers by their addresses.
func TestAddressArguments(t *testing.T) {
	for _, name := range hostDevices {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			v := make([]int32, 100)
			for i := range v {
				v[i] = int32(i)
			}
			x, err := launch.Upload(dev, v)
			must(t, err)
			totals, err := launch.Alloc[int32](dev, 3)
			must(t, err)
			k := kernel.New(sumInto)
			part := x.Device()[10:20]
			must(t, k.Launch(dev.Stream(), launch.Linear(100, 64), part, &totals.Device()[1]))
			must(t, k.Launch(dev.Stream(), launch.Linear(100, 64), x.Device()[90:], &totals.Device()[2]))
			got := make([]int32, 3)
			must(t, totals.Download(got))
			if want := [3]int32{0, 145, 945}; [3]int32(got) != want {
				t.Errorf("totals are %v, want %v", got, want)
			}
			again, err := launch.Upload(dev, part) // a copy on the device
			must(t, err)
			back := make([]int32, 10)
			must(t, again.Download(back))
			if back[0] != 10 || back[9] != 19 {
				t.Errorf("a copy of elements 10 to 20 is %v", back)
			}
			//lint:ignore heddle host memory is refused
			err = k.Launch(dev.Stream(), launch.Linear(1, 1), v, totals)
			if err == nil || !strings.Contains(err.Error(), "is host memory ([]int32); upload it") {
				t.Errorf("host memory: %v", err)
			}
		})
	}
}

// TestCloseWhileUsed has goroutines close buffers that others launch with, copy from
// and copy to. What they get is an error or what was asked for; with -race, the
// drivers' own accesses are all in order.
func TestCloseWhileUsed(t *testing.T) {
	for _, name := range hostDevices {
		t.Run(name, func(t *testing.T) {
			dev := openDevice(t, name)
			k := kernel.New(func(v []int32, by int32) {
				if i := dsl.GlobalIdx().X; i < len(v) {
					v[i] += by
				}
			})
			must(t, k.Compile(dev))
			const n, rounds = 64, 20
			fine := func(err error) {
				// A closed buffer's address is host memory to a launch, or not the device's
				// if the buffer was closed while the launch looked at its arguments.
				told := func(what string) bool { return strings.Contains(err.Error(), what) }
				if err != nil && !told("is closed") && !told("is host memory") && !told("is not memory of") {
					t.Error(err)
				}
			}
			var all sync.WaitGroup
			for worker := range 4 {
				all.Go(func() {
					s, err := dev.NewStream(launch.StreamOptions{NonBlocking: worker%2 == 0})
					if err != nil {
						t.Error(err)
						return
					}
					for range rounds {
						b, err := launch.Alloc[int32](dev, n)
						if err != nil {
							t.Error(err)
							return
						}
						fine(k.Launch(s, launch.Linear(n, 32), b, int32(1)))
						var closer sync.WaitGroup
						closer.Go(func() { fine(b.Close()) })
						got := make([]int32, n)
						if err := b.Download(got); err != nil {
							fine(err)
						} else if fmt.Sprint(got) != fmt.Sprint(ones(n)) {
							t.Errorf("downloaded %v", got)
						}
						fine(b.Upload(got))
						fine(k.Launch(s, launch.Linear(n, 32), b.Device(), int32(1)))
						fine(b.Clear(s))
						closer.Wait()
					}
					fine(s.Close())
				})
			}
			all.Wait()
		})
	}
}

func ones(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}
