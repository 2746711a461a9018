package conformance

//lint:file-ignore heddle the barriers diverge on purpose

import (
	"fmt"
	"regexp"
	"testing"

	"heddle/dsl"
	"heddle/internal/tests/attached"
	"heddle/kernel"
	"heddle/launch"
)

// linear is the thread's number in its block.
func linear() int {
	i, d := dsl.ThreadIdx(), dsl.BlockDim()
	return (i.Z*d.Y+i.Y)*d.X + i.X
}

func waitBelow(n int) {
	if linear() < n {
		dsl.SyncThreads()
	}
}

func waitFrom(n int) {
	if linear() < n {
		return
	}
	dsl.SyncThreads()
}

func waitBut(n int) {
	if linear() != n {
		dsl.SyncThreads()
	}
}

func waitOdd(n int) {
	dsl.SyncThreads()
	if linear()&1 == 1 && n > 0 {
		dsl.SyncThreads()
	}
}

func waitApart(n int) {
	if linear() < n {
		dsl.SyncThreads()
	} else {
		dsl.SyncThreadsCount(true)
	}
}

func waitOften(n int) {
	for range 1 + linear()/n {
		dsl.SyncThreads()
	}
}

func waitCount(n int) {
	if dsl.SyncThreadsCount(linear() < n) == n && linear()%n != 0 {
		dsl.SyncThreadsCount(true)
	}
}

// A barrier that not all threads reach is reported with how many wait there, and with the
// first of them, on all devices that look. Where threads wait at two barriers, either is.
func TestBarrierDivergence(t *testing.T) {
	x := func(n int) launch.Dim3 { return launch.Dim3{X: n} }
	below, from, but, odd, apart, often, count := kernel.New(waitBelow), kernel.New(waitFrom), kernel.New(waitBut), kernel.New(waitOdd),
		kernel.New(waitApart), kernel.New(waitOften), kernel.New(waitCount)
	for _, c := range []struct {
		k     *kernel.Kernel
		block launch.Dim3
		n     int
		wait  int
		first launch.Dim3
	}{
		{below, x(128), 64, 64, x(0)}, {below, x(128), 127, 127, x(0)}, {below, x(127), 64, 64, x(0)}, {below, x(100), 1, 1, x(0)},
		{from, x(100), 30, 70, x(30)}, {from, x(256), 64, 192, x(64)}, {from, x(128), 127, 1, x(127)},
		{but, x(128), 5, 127, x(0)}, {but, x(128), 0, 127, x(1)}, {but, x(40), 39, 39, x(0)}, {but, x(256), 77, 255, x(0)},
		{odd, x(128), 1, 64, x(1)}, {odd, x(37), 1, 18, x(1)},
		{apart, x(128), 64, 64, x(0)}, {apart, x(128), 70, 70, x(0)}, {apart, x(64), 5, 5, x(0)},
		{often, x(128), 32, 96, x(32)}, {often, x(100), 50, 50, x(50)}, {often, x(128), 40, 88, x(40)},
		{count, x(128), 16, 120, x(1)},
		{but, launch.Dim3{X: 16, Y: 8}, 5, 127, x(0)}, {from, launch.Dim3{X: 10, Y: 5, Z: 2}, 30, 70, launch.Dim3{Y: 3}},
	} {
		for _, name := range []string{"sim", "sim:64", "cpu", "cpu:64"} {
			if why := attached.Missing(name); why != "" {
				continue
			}
			dev, err := launch.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			err = c.k.Launch(dev.Stream(), launch.Config{Block: c.block}, c.n)
			if err == nil {
				err = dev.Sync()
			}
			dev.Close()
			b := ones(c.block)
			want := fmt.Sprintf(`\b%d of %d threads wait .*thread .%d,? %d,? %d\b`, c.wait, b.X*b.Y*b.Z, c.first.X, c.first.Y, c.first.Z)
			if c.k == apart { // or the others
				want += fmt.Sprintf(`|\b%d of %d threads wait .*thread .%d,? 0,? 0\b`, b.X-c.wait, b.X, c.wait)
			}
			if err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
				t.Errorf("%s: %s of %v with %d: got %v, want %s", name, c.k.Name(), c.block, c.n, err, want)
			}
		}
	}
}
