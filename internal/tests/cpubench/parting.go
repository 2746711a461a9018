package main

import (
	"slices"

	"heddle/dsl"
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// This file has kernels whose threads part: each searches, sorts or interprets on its own, in loops that all
// leave at different times. Plain Go calls the same function for each thread. The last two are faster as gangs.
var parting = []*bench{
	{name: "queens", n: 1 << 10, small: 1 << 10, make: queens, input: "n starts on a board of 9 x 9"},
	{name: "subset", n: 1 << 13, small: 1 << 10, make: subset, input: "n sets of 16 weights"},
	{name: "quicksort", n: 1 << 15, small: 1 << 10, make: quicksort, input: "n runs of 32 int32"},
	{name: "interpreter", n: 1 << 13, small: 1 << 10, make: interpreter, input: "n runs of a program for Collatz's numbers"},
	{name: "counts", n: 1 << 16, small: 1 << 10, make: counts, input: "n runs of 64 bytes, 16 bins"},
	{name: "rows", n: 1 << 17, small: 1 << 10, make: rows, input: "n rows of 1 to 32 float32", tolerance: 1e-5},
	{name: "divisors", n: 1 << 15, small: 1 << 10, make: divisors, input: "n numbers below 2^20"},
	{name: "collatz", n: 1 << 15, small: 1 << 10, make: collatz, input: "n numbers"},
	{name: "greatest", n: 1 << 16, small: 1 << 10, make: greatest, input: "n pairs of uint32"},
}

func init() {
	for _, b := range parting {
		b.unit, b.ints = "Mthread/s", b.tolerance == 0
		b.bytes = times(0, 1)
	}
	benches = append(benches, parting...)
}

// perThread is a kernel's work, and plain Go's for the same n threads.
func perThread(n int, kernel any, plain func(i int), out array, args ...any) *work {
	return &work{
		kernel: kernel, cfg: launch.Linear(n, 256), args: append(args, out), results: []array{out},
		plain: func() {
			parallel(n, 256, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					plain(i)
				}
			})
		},
	}
}

// made are n values of f for fixed random numbers.
func made[T any](n int, stream uint32, f func(h uint32) T) *slice[T] {
	s := room[T](n)
	for i := range s.host {
		s.host[i] = f(kernels.Hash(i, stream))
	}
	return s
}

const board = 9 // rows and columns of queens

// fits reports whether no queen above threatens that of the row.
func fits(columns *[board]int32, row int) bool {
	for r := range row {
		if d := columns[row] - columns[r]; d == 0 || d == int32(row-r) || -d == int32(row-r) {
			return false
		}
	}
	return true
}

// queensFrom counts the solutions whose first three queens are i's digits.
func queensFrom(i int, out []int32) {
	columns := [board]int32{int32(i / (board * board) % board), int32(i / board % board), int32(i % board), -1}
	n, row := int32(0), 3
	if !fits(&columns, 1) || !fits(&columns, 2) {
		row = 0
	}
	for row >= 3 {
		if columns[row]++; columns[row] == board {
			row--
			continue
		}
		switch {
		case !fits(&columns, row):
		case row == board-1:
			n++
		default:
			row++
			columns[row] = -1
		}
	}
	out[i] = n
}

func queensKernel(out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		queensFrom(i, out)
	}
}

func queens(n int) *work {
	out := room[int32](n)
	return perThread(n, queensKernel, func(i int) { queensFrom(i, out.host) }, out)
}

const weightsOf = 16 // a set's weights

// subsetsOf counts the subsets of set i that weigh targets[i].
func subsetsOf(i int, weights, targets, out []int32) {
	set, target := weights[i*weightsOf:(i+1)*weightsOf], targets[i]
	var taken [weightsOf]int
	n, sum, depth, next := int32(0), int32(0), 0, 0
	for {
		if next < weightsOf && sum+set[next] <= target {
			taken[depth] = next
			depth++
			if sum += set[next]; sum == target {
				n++
			}
			next++
			continue
		}
		if depth == 0 {
			break
		}
		depth--
		next = taken[depth]
		sum -= set[next]
		next++
	}
	out[i] = n
}

func subsetKernel(weights, targets, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		subsetsOf(i, weights, targets, out)
	}
}

func subset(n int) *work {
	weights := made(n*weightsOf, 1, func(h uint32) int32 { return int32(h%90 + 10) })
	targets := made(n, 2, func(h uint32) int32 { return int32(h%160 + 80) })
	for i := range n {
		slices.Sort(weights.host[i*weightsOf:][:weightsOf])
	}
	out := room[int32](n)
	return perThread(n, subsetKernel, func(i int) { subsetsOf(i, weights.host, targets.host, out.host) }, out, weights, targets)
}

const run = 32 // numbers that a thread sorts

// sort sorts a thread's numbers, with a stack of its own.
func sort(i int, in, out []int32) {
	v := out[i*run : (i+1)*run]
	copy(v, in[i*run:])
	var from, to [run]int32
	from[0], to[0] = 0, run-1
	for top := 1; top > 0; {
		top--
		for lo, hi := int(from[top]), int(to[top]); lo < hi; {
			pivot, l, r := v[(lo+hi)/2], lo, hi
			for l <= r {
				for v[l] < pivot {
					l++
				}
				for v[r] > pivot {
					r--
				}
				if l <= r {
					v[l], v[r] = v[r], v[l]
					l++
					r--
				}
			}
			if l < hi {
				from[top], to[top] = int32(l), int32(hi)
				top++
			}
			hi = r
		}
	}
}

func sortKernel(in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out)/run {
		sort(i, in, out)
	}
}

func quicksort(n int) *work {
	in, out := made(n*run, 1, func(h uint32) int32 { return int32(h >> 2) }), room[int32](n*run)
	return perThread(n, sortKernel, func(i int) { sort(i, in.host, out.host) }, out, in)
}

// instructions of the interpreter's programs
const (
	halt   = iota
	load   // r[a] = c
	move   // r[a] = r[b]
	plus   // r[a] += r[b]
	times3 // r[a] *= 3
	half   // r[a] /= 2
	odd    // to c if r[a] is odd
	less   // to c if r[a] < r[b]
	jump   // to c
)

type instruction struct{ op, a, b, c int32 }

// interpret runs a program on in[i].
func interpret(i int, program []instruction, in, out []int32) {
	r := [4]int32{in[i]}
	at := int32(0)
run:
	for range 4096 {
		c := program[at]
		at++
		switch c.op {
		case halt:
			break run
		case load:
			r[c.a] = c.c
		case move:
			r[c.a] = r[c.b]
		case plus:
			r[c.a] += r[c.b]
		case times3:
			r[c.a] *= 3
		case half:
			r[c.a] /= 2
		case odd:
			if r[c.a]&1 != 0 {
				at = c.c
			}
		case less:
			if r[c.a] < r[c.b] {
				at = c.c
			}
		case jump:
			at = c.c
		}
	}
	out[i] = r[3]
}

func interpretKernel(program []instruction, in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		interpret(i, program, in, out)
	}
}

func interpreter(n int) *work {
	program := of([]instruction{
		{load, 1, 0, 1}, {load, 2, 0, 2},
		/* 2 */ {less, 0, 2, 10}, {plus, 3, 1, 0}, {odd, 0, 0, 7},
		/* 5 even */ {half, 0, 0, 0}, {jump, 0, 0, 2},
		/* 7 odd */ {times3, 0, 0, 0}, {plus, 0, 1, 0}, {jump, 0, 0, 2},
		/* 10 */ {halt, 0, 0, 0},
	})
	in, out := made(n, 1, func(h uint32) int32 { return int32(h%1000) + 1 }), room[int32](n)
	return perThread(n, interpretKernel, func(i int) { interpret(i, program.host, in.host, out.host) }, out, program, in)
}

// mostOften is how often the most frequent value of 16 comes in 64 bytes.
func mostOften(i int, data []uint8, out []int32) {
	var bins [16]int32
	for _, b := range data[i*64 : i*64+64] {
		bins[b&15]++
	}
	most := int32(0)
	for _, n := range bins {
		most = max(most, n)
	}
	out[i] = most
}

func countsKernel(data []uint8, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		mostOften(i, data, out)
	}
}

func counts(n int) *work {
	data, out := made(n*64, 1, func(h uint32) uint8 { return uint8(h) }), room[int32](n)
	return perThread(n, countsKernel, func(i int) { mostOften(i, data.host, out.host) }, out, data)
}

// sumOf is a row of a sparse matrix times a vector.
func sumOf(i int, starts, columns []int32, values, x, out []float32) {
	sum := float32(0)
	for k := starts[i]; k < starts[i+1]; k++ {
		sum += values[k] * x[columns[k]]
	}
	out[i] = sum
}

func rowsKernel(starts, columns []int32, values, x, out []float32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		sumOf(i, starts, columns, values, x, out)
	}
}

func rows(n int) *work {
	starts := made(n+1, 1, func(h uint32) int32 { return int32(h%32) + 1 })
	end := int32(0)
	for i, length := range starts.host {
		starts.host[i] = end
		end += length
	}
	columns := made(int(end), 2, func(h uint32) int32 { return int32(int(h) % n) })
	values, x, out := of(kernels.Floats(int(end), 3, 0, 1)), of(kernels.Floats(n, 4, 0, 1)), room[float32](n)
	return perThread(n, rowsKernel, func(i int) { sumOf(i, starts.host, columns.host, values.host, x.host, out.host) }, out, starts, columns, values, x)
}

// smallest is the smallest divisor of an odd number.
func smallest(i int, in []uint32, out []int32) {
	n := in[i]
	for d := uint32(3); d*d <= n; d += 2 {
		if n%d == 0 {
			out[i] = int32(d)
			return
		}
	}
	out[i] = int32(n)
}

func divisorsKernel(in []uint32, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		smallest(i, in, out)
	}
}

func divisors(n int) *work {
	in, out := made(n, 1, func(h uint32) uint32 { return h>>12 | 1 }), room[int32](n)
	return perThread(n, divisorsKernel, func(i int) { smallest(i, in.host, out.host) }, out, in)
}

// steps is how many of Collatz's steps lead from a number to 1.
func steps(i int, in []uint32, out []int32) {
	n := int32(0)
	for v := in[i]; v > 1; n++ {
		if v&1 == 0 {
			v /= 2
		} else {
			v = 3*v + 1
		}
	}
	out[i] = n
}

func stepsKernel(in []uint32, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		steps(i, in, out)
	}
}

func collatz(n int) *work {
	in, out := made(n, 1, func(h uint32) uint32 { return h >> 16 }), room[int32](n)
	return perThread(n, stepsKernel, func(i int) { steps(i, in.host, out.host) }, out, in)
}

// divisor is the greatest common divisor of two numbers.
func divisor(i int, a, b []uint32, out []int32) {
	x, y := a[i], b[i]
	for y != 0 {
		x, y = y, x%y
	}
	out[i] = int32(x)
}

func divisorKernel(a, b []uint32, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		divisor(i, a, b, out)
	}
}

func greatest(n int) *work {
	positive := func(h uint32) uint32 { return h>>1 + 1 }
	a, b, out := made(n, 1, positive), made(n, 2, positive), room[int32](n)
	return perThread(n, divisorKernel, func(i int) { divisor(i, a.host, b.host, out.host) }, out, a, b)
}
