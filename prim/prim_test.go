package prim_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heddle/launch"
	_ "heddle/launch/emu"
	"heddle/prim"
)

var (
	fullTests = flag.Bool("full", false, "test all devices and more lengths")
	seed      = flag.Uint64("seed", 0, "of the random tests; 0 takes one")
)

// onEach runs a test on sim, cpu and an emulated GPU of either warp size, and on all GPUs.
func onEach(t *testing.T, f func(t *testing.T, dev *launch.Device)) {
	t.Helper()
	onDevices(t, "", f)
}

// onDevices runs a test on some devices by name, on "all", or for "" on those of onEach.
func onDevices(t *testing.T, names string, f func(t *testing.T, dev *launch.Device)) {
	t.Helper()
	ran := 0
	for _, d := range launch.Devices() {
		kind, _, _ := strings.Cut(d.Name, ":")
		usual := *fullTests || !(kind == "emu" && d.Name != "emu:gfx942" && d.Name != "emu:gfx1100" || d.Name == "cpu:64")
		named := slices.ContainsFunc(strings.Split(names, ","), func(name string) bool { return name == d.Name || name == kind || name == "all" })
		if names == "" && !usual || names != "" && !named {
			continue
		}
		ran++
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			dev, err := launch.Open(d.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			f(t, dev)
			if err := dev.Sync(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if ran == 0 {
		t.Fatalf("no device is named %s", names)
	}
}

// small has small tiles, so that few elements are several; tiled has them on cpu as well, where code for many threads takes long to compile.
var (
	small = prim.Options{Tuning: prim.Tuning{Threads: 64, Items: 3, Blocks: 1}}
	tiled = prim.Options{Tuning: prim.Tuning{Threads: 64, Items: 3, Blocks: 1, Serial: 1}}
)

// lengths are those of most tests: none, one, odd, around powers of two, and several tiles of small.
func lengths() []int {
	if *fullTests {
		return []int{0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 191, 192, 193, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 20001}
	}
	return []int{0, 1, 2, 33, 191, 192, 193, 1025, 3001}
}

func upload[T any](t *testing.T, dev *launch.Device, host []T) *launch.Buffer[T] {
	t.Helper()
	b, err := launch.Upload(dev, host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func alloc[T any](t *testing.T, dev *launch.Device, n int) *launch.Buffer[T] {
	t.Helper()
	b, err := launch.Alloc[T](dev, n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func download[T any](t *testing.T, b *launch.Buffer[T]) []T {
	t.Helper()
	host := make([]T, b.Len())
	if err := b.Download(host); err != nil {
		t.Fatal(err)
	}
	return host
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func expect[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: element %d of %d is %v, want %v", what, i, len(got), got[i], want[i])
		}
	}
}

func random(n int) []int32 {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(r.Uint32())
	}
	return v
}

// An affine map; composing them depends on the order.
type affine struct{ a, b int64 }

func compose(f, g affine) affine { return affine{f.a * g.a, f.b*g.a + g.b} }

func TestScan(t *testing.T) {
	onEach(t, func(t *testing.T, dev *launch.Device) {
		s := dev.Stream()
		for _, n := range lengths() {
			for _, o := range []prim.Options{{}, tiled, prim.Deterministic} {
				name := fmt.Sprint(n, o.Tuning, o.Deterministic)
				host := random(n)
				in, out := upload(t, dev, host), alloc[int32](t, dev, n)
				must(t, prim.InclusiveScan(s, out, in, prim.Add[int32], o))
				want := make([]int32, n)
				sum := int32(0)
				for i, v := range host {
					sum += v
					want[i] = sum
				}
				expect(t, "inclusive "+name, download(t, out), want)
				must(t, prim.ExclusiveScan(s, in, in, 5, prim.Add[int32], o))
				sum = 5
				for i, v := range host {
					want[i] = sum
					sum += v
				}
				expect(t, "exclusive "+name, download(t, in), want)
			}
			maps := make([]affine, n)
			want := make([]affine, n)
			for i, v := range random(n) {
				maps[i] = affine{int64(v), int64(v) * 3}
				want[i] = maps[i]
				if i > 0 {
					want[i] = compose(want[i-1], maps[i])
				}
			}
			in := upload(t, dev, maps)
			must(t, prim.InclusiveScan(s, in, in, compose, small))
			expect(t, fmt.Sprint("affine ", n), download(t, in), want)
		}
	})
}
