package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Slices and pointers. Most are of local arrays; buffers are slices in every
// other case.

type sliceOut struct {
	Len, Cap [8]int
	Sum      [8]int
	Structs  vec3
	Nil, Not bool
	Array    [3]int
	Aliased  [4]int
}

type sliceOps struct{}

func (sliceOps) Do(n int, out *sliceOut) {
	var a [10]int
	for i := range a {
		a[i] = i * i
	}
	for i, s := range [...][]int{a[:], a[n:], a[:n], a[2:n], a[1:n:9], a[n:][:2], a[n : n : n+1], nil} {
		out.Len[i], out.Cap[i] = len(s), cap(s)
		for _, v := range s {
			out.Sum[i] += v
		}
	}
	vs := []vec3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	vs[n%3].X += float32(n)
	p := &vs[n%3]
	p.Y = 50
	out.Structs = vs[1:][n%2].add(vs[n%3])
	var none []int
	out.Nil, out.Not = none == nil, a[:0] != nil
	out.Array = [3]int(a[n-2:])
	q := (*[4]int)(a[3:])
	q[1] = -1
	out.Aliased = [4]int(a[3:7])
}

// A segment is a part of a buffer.
type segment struct{ From, To int }

// segments works on parts of one buffer through functions that take slices.
func segments(data []int32, parts []segment, sums []int32) {
	i := dsl.GlobalIdx().X
	if i >= len(parts) {
		return
	}
	part := data[parts[i].From:parts[i].To]
	reversed(part)
	if last, ok := tail(part, 3); ok {
		for _, v := range last {
			sums[i] += v
		}
	} else {
		sums[i] = -int32(len(part)) - int32(min(cap(part), 9))
	}
	for p := range parts[i : i+1] {
		part := &parts[i : i+1][p]
		part.From, part.To = part.To, part.From
	}
}

func reversed(s []int32) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func tail(s []int32, n int) ([]int32, bool) {
	if len(s) < n {
		return nil, false
	}
	return s[len(s)-n:], true
}

func sliceCases() []Case {
	k := kernel.New(segments)
	onBuffer := Case{"slice/buffer", "slices of device memory", []*kernel.Kernel{k}, func(t *T) {
		data := filled(100, func(i int) int32 { return int32(i*i - 50) })
		parts := []segment{{0, 5}, {5, 5}, {5, 7}, {7, 50}, {50, 51}, {52, 100}}
		d, p, sums := upload(t, data), upload(t, parts), alloc[int32](t, len(parts))
		t.run(k, launch.Linear(len(parts), 32), d, p, sums)
		wantSums := make([]int32, len(parts))
		for i, seg := range parts {
			part := data[seg.From:seg.To]
			reversed(part)
			if last, ok := tail(part, 3); ok {
				wantSums[i] = last[0] + last[1] + last[2]
			} else {
				wantSums[i] = -int32(len(part)) - 9
			}
			parts[i] = segment{seg.To, seg.From}
		}
		same(t, download(t, d), data)
		same(t, download(t, p), parts)
		same(t, download(t, sums), wantSums)
	}}
	return []Case{onEach("slice/ops", "slices", each[sliceOps], upTo(7)[2:]), onBuffer}
}

type pointerOut struct {
	A, B, C int
	Swapped [2]float64
	Nil     bool
	Same    bool
}

type pointerOps struct{}

func (pointerOps) Do(n int, out *pointerOut) {
	x, y := n, 2*n
	p := &x
	if n%2 == 0 {
		p = &y
	}
	*p += 100
	pp := &p
	**pp += 1000
	out.A, out.B = x, y
	swap(&out.Swapped[0], &out.Swapped[1])
	a, b := float64(n), -1.5
	swap(&a, &b)
	out.Swapped = [2]float64{a, b}
	z := new(int)
	*z = n
	q := choose(n > 3, z, &out.C)
	*q += 7
	out.C += *z
	var none *int
	out.Nil, out.Same = none == nil && p != nil, p == &x
}

func swap[T any](a, b *T) { *a, *b = *b, *a }

func choose[T any](first bool, a, b *T) *T {
	if first {
		return a
	}
	return b
}

func pointerCases() []Case {
	return []Case{onEach("pointer/ops", "pointers", each[pointerOps], upTo(8))}
}
