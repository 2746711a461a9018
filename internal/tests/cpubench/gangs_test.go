package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/internal/tests/bench/kernels"
	"heddle/kernel"
	"heddle/launch"
	"heddle/vector"
)

// This file runs kernels whose code for the cpu device depends on the block's
// shape: wide gangs, tiles, patterns of addresses and records. Their results are
// the simulator's.

// gangPatterns moves numbers between neighbours by way of shared memory.
func gangPatterns(in, out []int32) {
	s := dsl.Shared[[512]int32]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	s[t], s[t+256] = in[i], int32(t)
	dsl.SyncThreads()
	v := s[t^1] + 3*s[t^8|1] - s[t&^3] + s[t&15] + s[2*(t&63)+1] + s[(t|5)&255] - s[511-t]
	dsl.SyncThreads()
	s[t^6] = v
	s[256+t/2+t%2*128] = v ^ 3
	dsl.SyncThreads()
	v += s[t] + s[256+t]
	dsl.SyncThreads()
	for d := 1; d < 128; d *= 2 { // compare and swap, as sorting networks do
		a := 2*t - t&(d-1)
		s[t], s[t+256] = v, -v
		dsl.SyncThreads()
		if a+d < 512 {
			if x, y := s[a], s[a+d]; x < y == (t&4 == 0) {
				s[a], s[a+d] = y, x
			}
		}
		dsl.SyncThreads()
		v += s[t^d]
		dsl.SyncThreads()
	}
	out[i] = v
}

type triple struct{ A, B, C int32 }

// gangRecords reads and writes records whose fields lie side by side.
func gangRecords(n int, in []vector.Int4, out []vector.Int4, threes []triple, wide [][2]int64) {
	i := dsl.GlobalIdx().X
	v := in[i]
	out[i] = vector.Int4{X: v.W - v.X, Y: v.X + 1, Z: v.Y * v.Z, W: v.Y}
	if i >= n {
		return
	}
	w := in[n-1-i]
	threes[i] = triple{w.X, w.Z, v.Y}
	wide[i] = [2]int64{int64(v.X), wide[i][0] + int64(w.W)}
	wide[i][0]++
}

// gangTile looks around in a plane of w by h, of which the blocks cover more or less.
func gangTile(w, h int, in, out []int32) {
	s := dsl.Shared[[32][33]int32]()
	t, x, y := dsl.ThreadIdx(), dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	s[t.Y][t.X] = 7
	if x < w && y < h {
		s[t.Y][t.X] = in[y*w+x]
	}
	dsl.SyncThreads()
	var sum int32
	for k := range 4 {
		sum = 3*sum + s[t.Y][k] - s[k][t.X]
	}
	if x < w && y < h && t.Z == 0 {
		if x > 0 && y+1 < h {
			sum += in[y*w+x-1] + in[(y+1)*w+x]
		}
		out[y*w+x] = sum + in[x] - in[y] + s[t.X&3][t.Y&3]
	}
}

// gangCount counts in shared memory, for some lanes or all.
func gangCount(n int, in, out []int32) {
	s := dsl.Shared[[9]int32]()
	t, i := dsl.ThreadIdx().X, dsl.GlobalIdx().X
	if t < 9 {
		s[t] = 0
	}
	dsl.SyncThreads()
	for k := i; k < n; k += dsl.GlobalSize().X {
		before := dsl.AtomicAdd(&s[in[k]&7], 1)
		dsl.AtomicAdd(&s[8], before+in[k]>>4&1)
	}
	c := dsl.SyncThreadsCount(i%3 == 0)
	if t < 9 {
		dsl.AtomicAdd(&out[t], s[t]+int32(c))
	}
}

// gangFails panics in one thread.
func gangFails(at int, in, out []int32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	i := y*64 + x
	if i == at {
		i = -5
	}
	out[i&4095] = in[i]
}

// A gangCase is a kernel, and the sizes and blocks to run it with.
type gangCase struct {
	kernel any
	sizes  []launch.Dim3
	blocks []launch.Dim3
	args   func(size launch.Dim3, n int) []any // n: threads of the grid
}

func dims(d ...int) launch.Dim3 { return launch.Dim3{X: d[0], Y: d[1], Z: d[2]} }

func numbers(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(kernels.Hash(i, 3))
	}
	return out
}

var gangCases = map[string]gangCase{
	"patterns": {gangPatterns, []launch.Dim3{dims(3, 1, 1)}, []launch.Dim3{dims(256, 1, 1)}, func(_ launch.Dim3, n int) []any {
		return []any{numbers(n), make([]int32, n)}
	}},
	"records": {gangRecords, []launch.Dim3{dims(5, 1, 1)}, []launch.Dim3{dims(64, 1, 1), dims(128, 1, 1), dims(40, 1, 1)}, func(_ launch.Dim3, n int) []any {
		in := make([]vector.Int4, n)
		for i, v := range numbers(4 * n) {
			*[]*int32{&in[i/4].X, &in[i/4].Y, &in[i/4].Z, &in[i/4].W}[i%4] = v
		}
		return []any{n - 21, in, make([]vector.Int4, n), make([]triple, n), make([][2]int64, n)}
	}},
	"tile": {gangTile, []launch.Dim3{dims(2, 3, 1)}, []launch.Dim3{dims(16, 16, 1), dims(16, 4, 1), dims(16, 6, 1), dims(32, 8, 1), dims(8, 8, 1), dims(16, 8, 2)},
		func(_ launch.Dim3, n int) []any { return []any{31, 29, numbers(31 * 29), make([]int32, 31*29)} }},
	"all of a tile": {gangTile, []launch.Dim3{dims(2, 2, 1)}, []launch.Dim3{dims(16, 16, 1), dims(16, 32, 1)},
		func(_ launch.Dim3, n int) []any { return []any{32, n / 32, numbers(n), make([]int32, n)} }},
	"count": {gangCount, []launch.Dim3{dims(2, 1, 1)}, []launch.Dim3{dims(64, 1, 1), dims(192, 1, 1), dims(50, 1, 1)},
		func(_ launch.Dim3, n int) []any { return []any{5*n - 7, numbers(5 * n), make([]int32, 9)} }},
	"fails": {gangFails, []launch.Dim3{dims(4, 2, 1)}, []launch.Dim3{dims(16, 16, 1), dims(16, 4, 1), dims(16, 3, 1)},
		func(_ launch.Dim3, n int) []any { return []any{64*3 + 21, numbers(4096), make([]int32, 4096)} }},
}

// run runs the kernel once and returns what it has written, or its error.
func (c gangCase) run(t *testing.T, dev *launch.Device, size, block launch.Dim3) string {
	t.Helper()
	n := size.X * size.Y * size.Z * block.X * block.Y * block.Z
	args := c.args(size, n)
	var out []func() (any, error)
	for i, a := range args {
		switch host := a.(type) {
		case []int32:
			args[i] = onDevice(t, dev, host, &out)
		case []vector.Int4:
			args[i] = onDevice(t, dev, host, &out)
		case []triple:
			args[i] = onDevice(t, dev, host, &out)
		case [][2]int64:
			args[i] = onDevice(t, dev, host, &out)
		}
	}
	err := kernel.New(c.kernel).Launch(dev.Stream(), launch.Config{Grid: size, Block: block}, args...)
	if err == nil {
		err = dev.Stream().Sync()
	}
	if err != nil {
		_, what, found := strings.Cut(err.Error(), " panicked: ") // names and columns differ
		if !found {
			t.Fatal(err)
		}
		return what
	}
	text := ""
	for _, download := range out {
		host, err := download()
		if err != nil {
			t.Fatal(err)
		}
		text += fmt.Sprintln(host)
	}
	return text
}

func onDevice[T any](t *testing.T, dev *launch.Device, host []T, out *[]func() (any, error)) *launch.Buffer[T] {
	b, err := launch.Upload(dev, host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	*out = append(*out, func() (any, error) { return host, b.Download(host) })
	return b
}

func TestGangs(t *testing.T) {
	sim, err := launch.Open("sim")
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	for _, name := range []string{"cpu", "cpu:64"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Skip(err)
		}
		defer dev.Close()
		for _, what := range slices.Sorted(maps.Keys(gangCases)) {
			c := gangCases[what]
			for _, size := range c.sizes {
				for _, block := range c.blocks {
					t.Run(fmt.Sprint(name, " ", what, " ", block), func(t *testing.T) {
						if got, want := c.run(t, dev, size, block), c.run(t, sim, size, block); got != want {
							t.Errorf("got\n%.2000s\nwant\n%.2000s", got, want)
						}
					})
				}
			}
		}
	}
}
