package conformance

import (
	"fmt"
	"math"
	"strings"

	"heddle/dsl"
	"heddle/internal/simt"
	"heddle/kernel"
	"heddle/launch"
)

// rowsThread is a thread's number, which p and q have no part in.
func rowsThread() int {
	return (dsl.BlockIdx().Y*2+dsl.ThreadIdx().Y)*8 + dsl.ThreadIdx().X
}

// rowsKernel reads rows and planes. Where its numbers say so, once for all threads, it needs no check of an index: not where one
// goes too far, and not where a number, a product or a sum of these is more than 32 or 64 bits hold.
func rowsKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= p || y >= q {
		return
	}
	i := y*p + x
	sum := int64(a[i]) + int64(a[max(y-1, 0)*p+x])<<4 + int64(a[min(y+1, q-1)*p+x])<<8 + int64(wide[i])<<12
	for k := range 3 {
		sum += int64(a[i*r+k*r])<<16 + int64(wide[x+y+k])<<20
	}
	out[rowsThread()] = sum
}

// sumsKernel reads up to 4 elements behind the sum of two numbers that are at most p and q.
func sumsKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x > p || y > q {
		return
	}
	out[rowsThread()] = int64(a[x+y]) + int64(a[x+y+1])<<4 + int64(a[x+y+2])<<8 + int64(wide[x+y+3])<<12 + int64(a[x+y+4])<<16
}

// timesKernel reads rows of 4 elements.
func timesKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= p || y >= q {
		return
	}
	out[rowsThread()] = int64(a[4*x+y]) + int64(a[4*x])<<4 + int64(a[4*x+1])<<8 + int64(wide[4*x+2])<<12 + int64(a[x<<2+3])<<16
}

// lowKernel reads back from a number.
func lowKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= p || y >= q {
		return
	}
	out[rowsThread()] = int64(a[r-x]) + int64(a[r-x*y])<<4 + int64(a[r-y])<<8 + int64(wide[r-x-y])<<12 + int64(a[p-1-x])<<16
}

// stepsKernel loads from row to row in a loop of few iterations. Behind it, its checks have been passed.
func stepsKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= p || y >= q {
		return
	}
	sum := int64(0)
	for j := range 4 {
		sum = sum<<3 + int64(a[(y+j)*r+x]) + int64(wide[y+j])
	}
	out[rowsThread()] = sum ^ int64(wide[y+3])<<9
}

// backKernel goes back from row to row in loops of few iterations that store.
func backKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= p || y >= q {
		return
	}
	t := rowsThread()
	for j := 3; j >= 0; j-- {
		out[t] = out[t]<<3 + int64(a[(y+j)*r+x])
	}
	for j := range 4 {
		out[t] ^= int64(wide[j*p+y]) << (4 * j)
	}
}

// unsignedKernel has indices that begin anew at 0 behind the greatest uint.
func unsignedKernel(p, q, r int, a []int32, wide []float64, out []int64) {
	x, t := dsl.GlobalIdx().X, rowsThread()
	if x >= q {
		return
	}
	for j := range 4 {
		out[t] = out[t]<<3 + int64(a[uint(p)+uint(j)*uint(r)+uint(x)])
	}
	sum := int64(0)
	for j := range 4 {
		sum += int64(wide[uint(p)+uint(j)*uint(r)])
	}
	out[t] ^= sum
}

// A rowsRun is the arguments of a launch of 8 by 4 threads; a and b are the slices' lengths.
type rowsRun struct{ p, q, r, a, b int }

var rowsRuns = []rowsRun{
	{8, 4, 1, 34, 32}, {8, 4, 1, 33, 32}, {5, 3, 2, 33, 15}, {5, 3, 2, 32, 15}, {5, 3, 2, 33, 14}, {8, 4, 0, 32, 32}, {1, 1, 0, 1, 3}, {0, 4, 9, 0, 0}, {4, 0, 1, 0, 0},
	{-1, 4, 1, 0, 0}, {8, math.MinInt64, 1, 0, 0}, {1 << 32, 1, 1, 40, 40}, {1<<32 + 8, 4, 1, 40, 40}, {1 << 16, 1 << 16, 1, 40, 40}, {8, 1 << 29, 1, 40, 40}, {8, 4, 1 << 32, 40, 40},
	{8, 4, 1 << 27, 40, 40}, {8, 4, 1<<59 + 1, 40, 40}, {math.MaxInt64, math.MaxInt64, 1, 40, 40}, {1<<31 - 1, 1<<31 - 1, 0, 300, 300}, {8, 4, -1, 40, 40}, {1 << 31, 2, 1, 40, 40},
	{1<<31 - 1, 1<<31 - 1, 20, 9, 40}, {1<<31 - 1, 1<<31 - 2, 20, 9, 40}, {1<<31 - 3, 1<<31 - 1, 20, 9, 40}, {1 << 30, 1 << 31, 20, 9, 40}, {6, 3, 20, 14, 40}, {6, 3, 20, 13, 40}, {6, 3, 5, 20, 40}, {6, 3, 20, 20, 20},
	{1 << 30, 5, 1, 9, 40}, {1<<30 + 1, 5, 1, 9, 40}, {1 << 29, 5, 1, 9, 40}, {8, 4, 21, 22, 22}, {8, 4, 20, 22, 22}, {8, 4, 9, 22, 22},
	{8, 4, 3, 40, 40}, {8, 4, 3, 31, 40}, {8, 4, 3, 30, 40}, {8, 4, 3, 40, 8}, {8, 4, 3, 40, 7}, {8, 1, -6148914691236517205, 9, 40}, {8, 1, 1 << 62, 40, 40}, {1, 1, 1 << 26, 1, 40}, {8, 1, 6148914691236517206, 10, 40},
	{-10, 1, 5, 40, 40}, {0, 4, 5, 40, 40}, {-20, 1, 7, 40, 40},
}

func rowsCase(name string, f func(p, q, r int, a []int32, wide []float64, out []int64)) Case {
	k := kernel.New(f)
	return Case{name, "panics", []*kernel.Kernel{k}, func(t *T) {
		for _, c := range rowsRuns {
			a, b := filled(c.a, func(i int) int32 { return int32(i%7 + 1) }), filled(c.b, func(i int) float64 { return float64(i%5 + 1) })
			want, panics := make([]int64, 32), map[string]string{}
			t.must(simt.Run(simt.Config{Grid: simt.Dim{X: 1, Y: 2, Z: 1}, Block: simt.Dim{X: 8, Y: 2, Z: 1}, WarpSize: 32}, func() {
				if p := hostPanic(func() { f(c.p, c.q, c.r, a, b, want) }); p != nil {
					panics[fmt.Sprint(dsl.BlockIdx(), dsl.ThreadIdx())] = p.text
				}
			}))
			out := upload(t, make([]int64, 32))
			args := []any{c.p, c.q, c.r, upload(t, a), upload(t, b), out}
			cfg := launch.Config{Grid: launch.Dim3{Y: 2}, Block: launch.Dim3{X: 8, Y: 2}}
			if len(panics) == 0 {
				t.run(k, cfg, args...)
				same(t, download(t, out), want)
				continue
			}
			got := t.fails(k, cfg, args...)
			if text := panics[fmt.Sprint(dsl.Dim3(got.Block), dsl.Dim3(got.Thread))]; strings.TrimPrefix(text, "runtime error: ") != got.Value {
				t.Errorf("%+v: block %v, thread %v: panic is %q, want %q", c, got.Block, got.Thread, got.Value, text)
			}
		}
	}}
}

// A rowsShape is large: a kernel that captures it has it in memory.
type rowsShape struct {
	table [64]int32
	p, q  int
}

// capturedCase is rows of which the sizes are fields of what is captured: of a large struct, and of a small one.
func capturedCase() Case {
	large := rowsShape{p: 7, q: 3}
	for i := range large.table {
		large.table[i] = int32(i * i)
	}
	small := struct{ p, q int }{7, 3}
	ks := []*kernel.Kernel{
		kernel.New(func(a []int32, out []int64) {
			if x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; x < large.p && y < large.q {
				i := y*large.p + x
				out[i] = int64(a[i]) + int64(a[max(y-1, 0)*large.p+x])<<8 + int64(a[y*large.p+min(x+1, large.p-1)])<<16 + int64(large.table[x+y])<<24
			}
		}),
		kernel.New(func(a []int32, out []int64) {
			if x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y; x < small.p && y < small.q {
				i := y*small.p + x
				out[i] = int64(a[i]) + int64(a[max(y-1, 0)*small.p+x])<<8 + int64(a[y*small.p+min(x+1, small.p-1)])<<16 + int64((x+y)*(x+y))<<24
			}
		}),
	}
	return Case{"panic/captured", "panics", ks, func(t *T) {
		a := filled(21, func(i int) int32 { return int32(i%7 + 1) })
		want := filled(21, func(i int) int64 {
			x, y := i%7, i/7
			return int64(a[i]) + int64(a[max(y-1, 0)*7+x])<<8 + int64(a[y*7+min(x+1, 6)])<<16 + int64((x+y)*(x+y))<<24
		})
		for _, k := range ks {
			out := upload(t, make([]int64, 21))
			t.run(k, launch.Config{Grid: launch.Dim3{Y: 2}, Block: launch.Dim3{X: 8, Y: 2}}, upload(t, a), out)
			same(t, download(t, out), want)
		}
	}}
}

func rowsCases() []Case {
	return []Case{capturedCase(), rowsCase("panic/rows", rowsKernel), rowsCase("panic/sums", sumsKernel), rowsCase("panic/times", timesKernel), rowsCase("panic/low", lowKernel), rowsCase("panic/steps", stepsKernel), rowsCase("panic/back", backKernel), rowsCase("panic/unsigned", unsignedKernel)}
}
