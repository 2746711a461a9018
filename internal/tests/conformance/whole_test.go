package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// wholeProduct is c = a*b by tiles of 16 by 16, whose borders are cut off at n.
func wholeProduct(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[16][16]float32](), dsl.Shared[[16][16]float32]()
	t, row, col := dsl.ThreadIdx(), dsl.GlobalIdx().Y, dsl.GlobalIdx().X
	sum := float32(0)
	for k := 0; k < n; k += 16 {
		as[t.Y][t.X], bs[t.Y][t.X] = 0, 0
		if row < n && k+t.X < n {
			as[t.Y][t.X] = a[row*n+k+t.X]
		}
		if k+t.Y < n && col < n {
			bs[t.Y][t.X] = b[(k+t.Y)*n+col]
		}
		dsl.SyncThreads()
		for i := range 16 {
			sum += as[t.Y][i] * bs[i][t.X]
		}
		dsl.SyncThreads()
	}
	if row < n && col < n {
		c[row*n+col] = sum
	}
}

// wholeSquare is the same where n is a multiple of 16, with nothing but the checks at the borders.
func wholeSquare(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[16][16]float32](), dsl.Shared[[16][16]float32]()
	t, row, col := dsl.ThreadIdx(), dsl.GlobalIdx().Y, dsl.GlobalIdx().X
	sum := float32(0)
	for k := 0; k < n; k += 16 {
		as[t.Y][t.X] = a[row*n+k+t.X]
		bs[t.Y][t.X] = b[(k+t.Y)*n+col]
		dsl.SyncThreads()
		for i := range 16 {
			sum += as[t.Y][i] * bs[i][t.X]
		}
		dsl.SyncThreads()
	}
	c[row*n+col] = sum
}

// wholeSum adds up by shuffles and shared memory, and counts by barriers.
func wholeSum(in, out []int32) {
	v := int32(0)
	for i := dsl.GlobalIdx().X; i < len(in); i += dsl.GlobalSize().X {
		v += in[i]
	}
	positive := dsl.SyncThreadsCount(v > 0)
	for d := dsl.WarpSize() / 2; d > 0; d /= 2 {
		v += dsl.ShflDownSync(^uint64(0), v, d)
	}
	sums := dsl.Shared[[32]int32]()
	if dsl.LaneID() == 0 {
		sums[dsl.WarpID()] = v
	}
	dsl.SyncThreads()
	total := int32(0)
	for k := range dsl.BlockDim().X / dsl.WarpSize() {
		total += sums[k] * int32(k+1)
	}
	out[dsl.GlobalIdx().X] = total + int32(positive)<<8 + v&255
}

// wholeBarrier has a barrier that threads from first on do not come to.
func wholeBarrier(first int, in, out []int32) {
	s := dsl.Shared[[256]int32]()
	t := dsl.ThreadIdx().X
	s[t] = in[t]
	dsl.SyncThreads()
	v := s[255-t]
	if t < first {
		//lint:ignore heddle what is wrong with it is the test
		dsl.SyncThreads()
		v++
	}
	out[t] = v
}

func wholeRun(t *testing.T, d *launch.Device, k any, c launch.Config, out int, args ...any) ([]int32, error) {
	t.Helper()
	y, err := launch.Upload(d, make([]int32, out))
	if err != nil {
		t.Fatal(err)
	}
	defer y.Close()
	for n, x := range args {
		if host, ok := x.([]int32); ok {
			b, err := launch.Upload(d, host)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			args[n] = b
		}
	}
	host := make([]int32, out)
	if err := kernel.New(k).Launch(d.Stream(), c, append(args, y)...); err != nil {
		return nil, err
	}
	return host, y.Download(host)
}

func wholeInput(n int) []int32 {
	in := make([]int32, n)
	for i := range in {
		in[i] = int32(uint32(i)*2654435761>>20) - 2000
	}
	return in
}

// TestWholeSums holds sums by shuffles in blocks of one gang, and of other sizes, against the simulator.
func TestWholeSums(t *testing.T) {
	for _, d := range turnDevices(t) {
		sim, err := launch.Open(strings.Replace(d.Info().Name, "cpu", "sim", 1))
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		for _, shape := range [][3]int{{256, 3, 20_011}, {256, 1, 100}, {128, 2, 3000}, {512, 2, 5000}, {192, 1, 700}} {
			in, c := wholeInput(shape[2]), launch.Config{Grid: launch.Dim3{X: shape[1]}, Block: launch.Dim3{X: shape[0]}}
			want, err := wholeRun(t, sim, wholeSum, c, shape[0]*shape[1], in)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := wholeRun(t, d, wholeSum, c, shape[0]*shape[1], in); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %v: it differs from the simulator's, or %v", d.Info().Name, shape, err)
			}
		}
	}
}

// TestWholeBarriers holds a barrier that not all threads reach, in a block of one gang.
func TestWholeBarriers(t *testing.T) {
	for _, d := range turnDevices(t) {
		c := launch.Config{Grid: launch.Dim3{X: 1}, Block: launch.Dim3{X: 256}}
		if _, err := wholeRun(t, d, wholeBarrier, c, 256, 256, wholeInput(256)); err != nil {
			t.Error(err)
		}
		for _, first := range []int{1, 40, 200} {
			_, err := wholeRun(t, d, wholeBarrier, c, 256, first, wholeInput(256))
			if err == nil || !strings.Contains(err.Error(), "barrier") {
				t.Errorf("%s, %d threads at a barrier: %v", d.Info().Name, first, err)
			}
		}
	}
}

// TestWholeProducts holds products of matrices in blocks of 16 by 16 against the simulator, and
// the panic where a matrix is too short.
func TestWholeProducts(t *testing.T) {
	for _, d := range turnDevices(t) {
		for _, c := range []struct {
			k        any
			n, short int
		}{{wholeProduct, 50, 0}, {wholeSquare, 48, 0}, {wholeSquare, 48, 1}, {wholeSquare, 48, 700}} {
			blocks := (c.n + 15) / 16
			cfg := launch.Config{Grid: launch.Dim3{X: blocks, Y: blocks}, Block: launch.Dim3{X: 16, Y: 16}}
			host := make([]float32, c.n*c.n)
			for i := range host {
				host[i] = float32(i%7) - 3
			}
			var bufs [3]any
			for k, h := range [][]float32{host, host[:len(host)-c.short], host} {
				b, err := launch.Upload(d, slices.Clone(h))
				if err != nil {
					t.Fatal(err)
				}
				defer b.Close()
				bufs[k] = b
			}
			got := make([]float32, len(host))
			err := kernel.New(c.k).Launch(d.Stream(), cfg, c.n, bufs[0], bufs[1], bufs[2])
			if err == nil {
				err = bufs[2].(*launch.Buffer[float32]).Download(got)
			}
			var p *launch.KernelPanic
			if c.short > 0 {
				if !errors.As(err, &p) || !strings.HasSuffix(p.Value, "with length "+fmt.Sprint(len(host)-c.short)) {
					t.Errorf("%s, a matrix that lacks %d: %v", d.Info().Name, c.short, err)
				}
				continue
			}
			for i := range got {
				want := float32(0)
				for k := range c.n {
					want += host[i/c.n*c.n+k] * host[k*c.n+i%c.n]
				}
				if got[i] != want {
					t.Fatalf("%s, n = %d: number %d is %v, want %v, or %v", d.Info().Name, c.n, i, got[i], want, err)
				}
			}
		}
	}
}
