package kernel_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// launchable takes one parameter of each class.
func launchable(a float32, n int, v [2]int16, x []float32, p *int) {
	if i := dsl.GlobalIdx().X; i < len(x) {
		x[i] = a*float32(n) + float32(v[0])
		*p = n
	}
}

// shared takes dynamic shared memory.
func shared(x []float32) { x[0] = dsl.DynamicShared[float32]()[0] }

// A ground is what bad launches are made with.
type ground struct {
	dev     *launch.Device
	s       *launch.Stream
	k       *kernel.Kernel
	x       *launch.Buffer[float32]
	p       *launch.Buffer[int]
	v       [2]int16
	ok      launch.Config
	another *launch.Device
}

// launch launches launchable with an argument, or the shape, replaced.
func (g *ground) launch(cfg launch.Config, replace int, by any) error {
	args := []any{float32(1), 2, g.v, g.x, g.p}
	if replace >= 0 {
		args[replace] = by
	}
	return g.k.Launch(g.s, cfg, args...)
}

func (g *ground) arg(i int, by any) error { return g.launch(g.ok, i, by) }

func (g *ground) shape(cfg launch.Config) error { return g.launch(cfg, -1, nil) }

func dim(x, y, z int) launch.Dim3 { return launch.Dim3{X: x, Y: y, Z: z} }

// Bad launches: each is an error that names the kernel, says what is wrong
// and, where that is not plain, what to write.
var badLaunches = []struct {
	name string
	run  func(t *testing.T, g *ground) error
	want string
}{
	{"no arguments", func(_ *testing.T, g *ground) error { return g.k.Launch(g.s, g.ok) }, `have 0 arguments, want 5: \(`},
	{"few arguments", func(_ *testing.T, g *ground) error { return g.k.Launch(g.s, g.ok, float32(1), 2) }, `have 2 arguments, want 5: \(.*float32, .* int, .*\[2\]int16, .*\*launch\.Buffer\[float32\], .*\*launch\.Buffer\[int\]\)`},
	{"many arguments", func(_ *testing.T, g *ground) error {
		return g.k.Launch(g.s, g.ok, float32(1), 2, g.v, g.x, g.p, 1)
	}, `have 6 arguments, want 5`},
	{"untyped float constant", func(_ *testing.T, g *ground) error { return g.arg(0, 1.5) }, `argument 1 \(.*\): have float64, want float32; write float32\(1\.5\)`},
	{"untyped integer constant", func(_ *testing.T, g *ground) error { return g.arg(0, 3) }, `argument 1 .*have int, want float32; write float32\(3\)`},
	{"sized integer", func(_ *testing.T, g *ground) error { return g.arg(1, int32(-4)) }, `argument 2 .*have int32, want int; write int\(-4\)`},
	{"nil scalar", func(_ *testing.T, g *ground) error { return g.arg(0, nil) }, `argument 1 .*is nil, want float32`},
	{"string", func(_ *testing.T, g *ground) error { return g.arg(1, "2") }, `argument 2 .*have string, want int`},
	{"wrong array", func(_ *testing.T, g *ground) error { return g.arg(2, [3]int16{}) }, `argument 3 .*have \[3\]int16, want \[2\]int16`},
	{"buffer for scalar", func(_ *testing.T, g *ground) error { return g.arg(1, g.p) }, `argument 2 .*have \*launch\.Buffer\[int\], want int`},
	{"host slice", func(_ *testing.T, g *ground) error { return g.arg(3, make([]float32, 4)) }, `argument 4 .*is host memory \(\[\]float32\); upload it: launch\.Upload\(dev, `},
	{"host array", func(_ *testing.T, g *ground) error { return g.arg(3, [4]float32{}) }, `argument 4 .*is host memory \(\[4\]float32\); upload it: launch\.Upload\(dev, .*\[:\]\)`},
	{"host pointer", func(_ *testing.T, g *ground) error { return g.arg(4, new(int)) }, `argument 5 .*is host memory \(\*int\); upload it: launch\.Upload\(dev, \[\]int\{\*`},
	{"nil slice", func(_ *testing.T, g *ground) error { return g.arg(3, nil) }, `argument 4 .*is nil, want \*launch\.Buffer\[float32\]`},
	{"nil buffer", func(_ *testing.T, g *ground) error { return g.arg(3, (*launch.Buffer[float32])(nil)) }, `argument 4 .*nil Buffer`},
	{"zero buffer", func(_ *testing.T, g *ground) error { return g.arg(3, new(launch.Buffer[float32])) }, `argument 4 .*zero Buffer; make one with launch\.Alloc or launch\.Upload`},
	{"other element", func(t *testing.T, g *ground) error { return g.arg(3, buffer[float64](t, g.dev, 4)) }, `argument 4 .*have \*launch\.Buffer\[float64\], want \*launch\.Buffer\[float32\]`},
	{"closed buffer", func(t *testing.T, g *ground) error {
		b := buffer[float32](t, g.dev, 4)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		return g.arg(3, b)
	}, `argument 4 .*is closed`},
	{"slice of closed buffer", func(t *testing.T, g *ground) error {
		b := buffer[float32](t, g.dev, 4)
		part := b.Slice(1, 3)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		return g.arg(3, part)
	}, `argument 4 .*is closed`},
	{"slice out of range", func(_ *testing.T, g *ground) error { return g.arg(3, g.x.Slice(2, 999)) }, `argument 4 .*slice \[2:999\] of .* is out of range`},
	{"empty buffer for pointer", func(t *testing.T, g *ground) error { return g.arg(4, buffer[int](t, g.dev, 0)) }, `argument 5 .*the buffer is empty; a pointer needs an element`},
	{"buffer of another device", func(t *testing.T, g *ground) error { return g.arg(3, buffer[float32](t, g.another, 4)) }, `argument 4 .*is on sim:64, the launch on `},
	{"block of too many threads", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Block: dim(64, 32, 1)}) }, `a block of 2048 threads \[64 32 1\]; the limit of \S+ is 1024`},
	{"block axis", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Block: dim(1, 1, 2000)}) }, `block\.Z is 2000; the limit of \S+ is \d+`},
	{"negative block", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Block: dim(32, -1, 1)}) }, `block\.Y is -1; an axis is at least 1 \(0 means 1\)`},
	{"negative grid", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Grid: dim(-5, 1, 1)}) }, `grid\.X is -5; an axis is at least 1`},
	{"large grid", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Grid: dim(1, math.MaxInt32, 1)}) }, `grid\.Y is 2147483647; the limit of \S+ is \d+`},
	{"negative shared", func(_ *testing.T, g *ground) error { return g.shape(launch.Config{Shared: -16}) }, `Config\.Shared is -16 bytes; it is at least 0`},
	{"large shared", func(_ *testing.T, g *ground) error {
		return kernel.New(shared).Launch(g.s, launch.Config{Block: dim(1, 1, 1), Shared: 10 << 20}, g.x)
	}, `10485760 bytes of dynamic and \d+ of static shared memory; the limit of \S+ is \d+ a block`},
	{"Linear negative", func(_ *testing.T, g *ground) error { return g.shape(launch.Linear(-1, 64)) }, `Linear\(-1, 64\): want n >= 0 and block >= 1`},
	{"Linear block", func(_ *testing.T, g *ground) error { return g.shape(launch.Linear(10, 0)) }, `Linear\(10, 0\): want n >= 0 and block >= 1`},
	{"Grid2D", func(_ *testing.T, g *ground) error { return g.shape(launch.Grid2D(10, -1, 8, 8)) }, `Grid2D\(10, -1, 8, 8\): want w, h >= 0`},
	{"launch bounds", func(_ *testing.T, g *ground) error {
		return kernel.NewWith(shared, kernel.Options{MaxThreads: 128}).Launch(g.s, launch.Config{Block: dim(129, 1, 1), Shared: 64}, g.x)
	}, `a block of 129 threads \[129 1 1\]; the kernel's launch bound is 128 \(//heddle:launchbounds\)`},
	{"nil stream", func(_ *testing.T, g *ground) error {
		return g.k.Launch(nil, g.ok, float32(1), 2, g.v, g.x, g.p)
	}, `launch on a nil stream or device`},
	{"closed stream", func(t *testing.T, g *ground) error {
		s, err := g.dev.NewStream()
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return g.k.Launch(s, g.ok, float32(1), 2, g.v, g.x, g.p)
	}, `stream of \S+ is closed`},
	{"closed device", func(t *testing.T, g *ground) error {
		dev, err := launch.Open(g.dev.Name())
		if err != nil {
			t.Fatal(err)
		}
		s, x := dev.Stream(), buffer[float32](t, dev, 4)
		if err := dev.Close(); err != nil {
			t.Fatal(err)
		}
		return kernel.New(shared).Launch(s, launch.Config{Block: dim(1, 1, 1), Shared: 64}, x)
	}, `\S+ is closed`},
}

// buffer is a buffer of n zeros.
func buffer[E any](t *testing.T, dev *launch.Device, n int) *launch.Buffer[E] {
	t.Helper()
	b, err := launch.Alloc[E](dev, n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every bad launch is refused on every device, and the device goes on.
func TestBadLaunches(t *testing.T) {
	another := open(t, "sim:64")
	for _, name := range []string{"sim", "cpu", "cuda:0", "hip:0"} {
		t.Run(name, func(t *testing.T) {
			kind, _, _ := strings.Cut(name, ":")
			why := "package launch has no such kind"
			for _, p := range launch.Probes() {
				if p.Kind == kind {
					why = p.Problem
					if why == "" && len(p.Devices) == 0 {
						why = "no device"
					}
				}
			}
			if why != "" {
				t.Skip(why)
			}
			dev := open(t, name)
			g := &ground{dev: dev, s: dev.Stream(), k: kernel.New(launchable), x: buffer[float32](t, dev, 8), p: buffer[int](t, dev, 1), ok: launch.Linear(8, 8), another: another}
			for _, b := range badLaunches {
				t.Run(b.name, func(t *testing.T) {
					err := b.run(t, g)
					if err == nil {
						t.Fatal("no error")
					}
					if !regexp.MustCompile(b.want).MatchString(err.Error()) {
						t.Errorf("error %q\nwant  %q", err, b.want)
					}
				})
			}
			if err := g.launch(g.ok, -1, nil); err != nil {
				t.Fatal(err)
			}
			host := make([]float32, 8)
			if err := g.x.Download(host); err != nil || host[7] != 2 {
				t.Errorf("after all this: %v, %v", host, err)
			}
		})
	}
}

func open(t *testing.T, name string) *launch.Device {
	t.Helper()
	dev, err := launch.Open(name)
	must(t, err)
	closeAfter(t, dev)
	return dev
}
