package kernel_test

import (
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// A descender is a function of its own for each type: its values wait on the stack
// until the calls in it are done.
type descender interface {
	down(x, y []int64, at int) int
}

type bottom struct{}

func (bottom) down(_, _ []int64, at int) int { return at }

type level[D descender] struct{}

// held are the values of a level, in each thread: 32 KB in a warp of 64.
const held = 64

//go:noinline
func (level[D]) down(x, y []int64, at int) int {
	var v [held]int64
	//heddle:unroll
	for k := range v {
		v[k] = x[at+k*64]
	}
	var d D
	end := d.down(x, y, at+held*64)
	//heddle:unroll
	for k := range v {
		y[at+k*64] = 3*v[k] + int64(end)
	}
	return end
}

type (
	levels3[D descender] struct{ level[level[level[D]]] }
	levels9[D descender] struct {
		levels3[levels3[levels3[D]]]
	}
	levels18[D descender] struct{ levels9[levels9[D]] }
)

// descend spills as much as 18 levels hold: 576 KB in a warp of 64 threads, which
// Any makes run together.
func descend(x, y []int64) {
	if dsl.Any(len(x) == len(y)) {
		levels18[bottom]{}.down(x, y, dsl.ThreadIdx().X)
	}
}

var descendKernel = kernel.NewWith(descend, kernel.Options{NoBounds: true})

// Kernels whose warps spill more than the stack that warps have in any case.
func TestStack(t *testing.T) {
	dev, err := launch.Open("cpu:64")
	if err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}()
	const n = 18 * held * 64
	host, got := make([]int64, n), make([]int64, n)
	for i := range host {
		host[i] = int64(i * i)
	}
	x, err := launch.Upload(dev, host)
	if err != nil {
		t.Fatal(err)
	}
	y, err := launch.Alloc[int64](dev, n)
	if err != nil {
		t.Fatal(err)
	}
	if err := descendKernel.Launch(dev.Stream(), launch.Linear(128, 64), x, y); err != nil {
		t.Fatal(err)
	}
	if err := y.Download(got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if want := 3*host[i] + int64(n+i%64); got[i] != want {
			t.Fatalf("value %d is %d, want %d", i, got[i], want)
		}
	}
}
