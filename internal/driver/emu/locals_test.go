package emu_test

import (
	"slices"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// The length of what localsOf is given.
const localsIn = 12

// localsOf copies from and to local arrays and fills them: the first n of in, as many as out has room for.
func localsOf(out, in []int32, n int) {
	var a, b [8]int32
	for i := range a {
		a[i], b[i] = int32(i+100), int32(i+200)
	}
	got := copy(a[:], in[:n])    // to all, of which there may be less
	got += copy(a[2:6], a[n&3:]) // within
	got += copy(b[:3], a[5:])    // both are known
	got += copy(out[:n], a[:])   // from all, for which there may be less room
	got += copy(out[12:], b[1:]) // a part
	got += copy(a[1:], a[:])     // up
	got += copy(out[20:20+n], a[:])
	got += copy(a[:1], in[n:])
	out[32] = int32(got) + a[0]
	var big [80]int32
	for i := range big {
		big[i] = in[i%localsIn] + int32(i)
	}
	out[33] = big[n*6]
	var table [6][7]uint8
	for round := range 3 {
		clear(table[:])
		table[n%6][round]++
		out[34+round] = int32(table[n%6][0]) + int32(table[(n+round)%6][round])
	}
	var left [40]uint8
	for i := range left {
		if in[i%localsIn] > 90 {
			break
		}
		left[i] = uint8(n) + 1
	}
	out[37] = int32(left[39]) + int32(left[n])
	clear(out[38 : 38+n])
}

const localsOut = 52

func locals(out, in []int32) {
	if i := dsl.GlobalIdx().X; i <= localsIn {
		localsOf(out[i*localsOut:(i+1)*localsOut], in[i*localsIn:(i+1)*localsIn], i)
	}
}

// Local arrays hold on a GPU what they hold in Go.
func TestLocals(t *testing.T) {
	in := make([]int32, (localsIn+1)*localsIn)
	for i := range in {
		in[i] = int32(i * i % 97)
	}
	want := slices.Repeat([]int32{-1}, (localsIn+1)*localsOut)
	for i := range localsIn + 1 {
		localsOf(want[i*localsOut:(i+1)*localsOut], in[i*localsIn:(i+1)*localsIn], i)
	}
	for _, name := range []string{"emu:gfx942", "emu:gfx1030", "emu:gfx1100"} {
		d := open(t, name)
		for _, opts := range []kernel.Options{{}, {NoBounds: true}} {
			got := afterLaunch(t, d, kernel.NewWith(locals, opts), slices.Repeat([]int32{-1}, len(want)), in)
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: thread %d, element %d: %d, want %d", name, i/localsOut, i%localsOut, got[i], want[i])
				}
			}
		}
	}
}

// afterLaunch is out after a launch of a kernel of a block of 64 threads, which it and in are passed to ahead of what else there is.
func afterLaunch[T, F any](t *testing.T, d *launch.Device, k *kernel.Kernel, out []T, in []F, more ...any) []T {
	t.Helper()
	from, err := launch.Upload(d, in)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := launch.Upload(d, out)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	if err := k.Launch(d.Stream(), launch.Config{Grid: launch.Dim3{X: 1}, Block: launch.Dim3{X: 64}}, append([]any{to, from}, more...)...); err != nil {
		t.Fatal(err)
	}
	if err := to.Download(out); err != nil {
		t.Fatal(err)
	}
	return out
}
