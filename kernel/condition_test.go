package kernel_test

import (
	"errors"
	"slices"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// onDevices runs a test on each of some devices, as a subtest. It skips a device that cannot be opened, with the error.
func onDevices(t *testing.T, test func(t *testing.T, dev *launch.Device)) {
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		t.Run(name, func(t *testing.T) {
			dev, err := launch.Open(name)
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { must(t, dev.Close()) })
			test(t, dev)
		})
	}
}

// asGo launches a kernel on some threads with arguments and a buffer of n behind them: a thread i below n writes to that what want(i) is, and the
// kernel panics if one of these does.
func asGo(t *testing.T, dev *launch.Device, k *kernel.Kernel, n int, want func(i int) int32, args ...any) {
	t.Helper()
	all, panics := make([]int32, n), false
	func() {
		defer func() { panics = recover() != nil }()
		for i := range all {
			all[i] = want(i)
		}
	}()
	out := uploaded(t, dev, make([]int32, n)...)
	err := errors.Join(k.Launch(dev.Stream(), launch.Linear(32, 32), append(args, out)...), dev.Stream().Sync())
	var p *launch.KernelPanic
	if panics != (err != nil) || panics && !errors.As(err, &p) {
		t.Fatalf("%v: %v, in Go it panics: %v", args, err, panics)
	}
	got := make([]int32, n)
	must(t, out.Download(got))
	if !panics && !slices.Equal(got, all) {
		t.Fatalf("%v: %v, want %v", args, got, all)
	}
}

// squares are n numbers for kernels to index.
func squares(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i*i + 1)
	}
	return all
}

func within(n, by int, in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) && i < n {
		out[i] = in[i%n] + in[min(i, 7)] + int32(n>>by)
	}
}

// TestCondition launches kernels with numbers for which their code is made, and with others: code is made anew for the first of these, and
// for all then.
func TestCondition(t *testing.T) {
	const size = 16
	launches := []struct {
		n, by, in int
		panics    bool
	}{
		{5, 0, size, false}, {1 << 40, 30, size, false}, {20, 0, size, false}, {-3, 1, size, false}, {1<<31 - 1, 0, size, false}, {1<<31 - 10_000, 0, size, false},
		{5, 1 << 40, size, false}, {5, 0, 8, false}, {9, 0, 8, true}, {5, 0, size, false}, {5, 0, 7, false}, {1 << 31, 0, 8, true}, {7, 3, 8, false},
	}
	want := func(n, by, in int) []int32 {
		out := make([]int32, size)
		for i := range min(size, max(n, 0)) {
			out[i] = int32(i%n + min(i, 7) + n>>by)
		}
		return out
	}
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		for _, way := range []string{"arguments", "typed", "captured"} {
			t.Run(way, func(t *testing.T) {
				s, cfg := dev.Stream(), launch.Linear(32, 32)
				k, typed := kernel.New(within), kernel.Typed(within)
				for _, l := range launches {
					numbers := make([]int32, l.in)
					for i := range numbers {
						numbers[i] = int32(i)
					}
					in, err := launch.Upload(dev, numbers)
					must(t, err)
					out, err := launch.Alloc[int32](dev, size)
					must(t, err)
					switch way {
					case "arguments":
						err = k.Launch(s, cfg, l.n, l.by, in, out)
					case "typed":
						typed.Go(s, cfg)(l.n, l.by, in.Device(), out.Device())
					case "captured":
						n, by := l.n, l.by
						err = kernel.New(func(in []int32) {
							out := out.Device()
							if i := dsl.GlobalIdx().X; i < len(out) && i < n {
								out[i] = in[i%n] + in[min(i, 7)] + int32(n>>by)
							}
						}).Launch(s, cfg, in)
					}
					var p *launch.KernelPanic
					switch err = errors.Join(err, s.Sync()); {
					case l.panics && !errors.As(err, &p):
						t.Errorf("%v: %v, want a panic", l, err)
					case !l.panics && err != nil:
						t.Errorf("%v: %v", l, err)
					case !l.panics:
						got := make([]int32, size)
						must(t, out.Download(got))
						if w := want(l.n, l.by, l.in); !slices.Equal(got, w) {
							t.Errorf("%v: %v, want %v", l, got, w)
						}
					}
				}
			})
		}
	})
}

func divided(by, rows int, out []int) {
	i := dsl.GlobalIdx().X
	if 8*i+7 >= len(out) {
		return
	}
	o := out[8*i:]
	j := i - 5
	o[0], o[1], o[2], o[3] = i/by, i%by, j/by, j%by
	o[4], o[5], o[6], o[7] = i/(by*rows), i%(by*rows), j/(by*rows), j%(by*rows)
}

// TestPassedDivisor divides by what is passed, and products of it: small, negative, and of more than 32 bits, also such whose lower half is 0.
func TestPassedDivisor(t *testing.T) {
	const threads = 64
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		out, err := launch.Alloc[int](dev, 8*threads)
		must(t, err)
		for _, l := range [][2]int{{7, 3}, {7, -3}, {1, 1}, {-1, 1}, {-1, -1}, {-3, 2}, {1 << 16, 1 << 16}, {1 << 20, 1 << 20}, {1 << 31, 1}, {-1 << 31, 1}, {1 << 32, 1}, {1<<32 + 3, 1}, {-1 << 32, 3}, {-1 << 63, 1}, {1<<31 - 1, 2}} {
			must(t, kernel.New(divided).Launch(dev.Stream(), launch.Linear(threads, 32), l[0], l[1], out))
			must(t, dev.Stream().Sync())
			got, want := make([]int, 8*threads), make([]int, 8*threads)
			must(t, out.Download(got))
			for i := range threads {
				by, both, j, w := l[0], l[0]*l[1], i-5, want[8*i:]
				w[0], w[1], w[2], w[3] = i/by, i%by, j/by, j%by
				w[4], w[5], w[6], w[7] = i/both, i%both, j/both, j%both
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: %v, want %v", l, got, want)
			}
		}
	})
}

func strided(w, h int, in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = stride(i, w, h, in)
	}
}

func stride(i, w, h int, in []int32) (sum int32) {
	for k := range 2 {
		sum += in[40+i*w+k] + 100*in[(i*h+k)/4] + int32(i*w)
	}
	return sum
}

// TestWidth indexes by products of what is passed, and by parts of them: 0, 1, negative numbers and large ones.
func TestWidth(t *testing.T) {
	in := squares(64)
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		k, there := kernel.New(strided), uploaded(t, dev, in...)
		for _, size := range [][2]int{{3, 36}, {0, 36}, {3, 0}, {-5, 36}, {-6, 36}, {3, 37}, {4, 0}, {1, 1}, {1 << 31, 1}, {3, -1}, {3, 36}, {1 << 62, 0}, {0, 1 << 61}, {-1, 5}} {
			asGo(t, dev, k, 8, func(i int) int32 { return stride(i, size[0], size[1], in) }, size[0], size[1], there)
		}
	})
}

func windows(w, h int, in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = window(i, w, h, in)
	}
}

func window(i, w, h int, in []int32) (sum int32) {
	x, y := i%8, i/8
	for v := max(y-1, 0); v < min(y+2, h); v++ {
		for u := max(x-2, 0); u < min(x+3, w); u++ {
			sum = 3*sum + in[v*w+u]
		}
	}
	return sum
}

// TestWindow sums up windows that the borders of a picture cut off: of one that is smaller than a window, empty, or too large for the slice.
func TestWindow(t *testing.T) {
	in := squares(64)
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		k, there := kernel.New(windows), uploaded(t, dev, in...)
		for _, size := range [][2]int{{8, 4}, {3, 3}, {1, 1}, {2, 4}, {0, 4}, {8, 0}, {-1, 4}, {8, -2}, {1 << 62, 2}, {12, 9}, {8, 4}} {
			asGo(t, dev, k, 32, func(i int) int32 { return window(i, size[0], size[1], in) }, size[0], size[1], there)
		}
	})
}

func gathered(cols int, first, rows, dense, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = gather(i, cols, first, rows, dense)
	}
}

func gather(i, cols int, first, rows, dense []int32) int32 {
	at, j := i/cols*cols, i%cols
	sum := dense[at+j]
	for e := first[0]; e < first[1]; e++ {
		sum += dense[int(rows[e])*cols+j]
	}
	return sum + 1000*dense[int(rows[0])+at]
}

// TestGathered indexes rows whose numbers are in memory: rows that are there, negative ones, rows behind the last, and rows whose first element has a
// number of more than 32 bits.
func TestGathered(t *testing.T) {
	dense := squares(48)
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		k, there := kernel.New(gathered), uploaded(t, dev, dense...)
		for _, cols := range []int{4, 1, 5, 3, 0, -4, 1 << 31} {
			for _, odd := range []int32{3, -1, -2, 100, 1 << 30, 1<<30 + 1, -1 << 30, -1 << 31, 1<<31 - 1, 858993460} { // times 5 that is 1<<32 + 4
				for _, place := range []int{0, 1, 5, 9, 14} {
					rows := []int32{1, 5, 2, 8, 0, 3, 7, 1, 2, 4, 5, 6, 7, 8, 3, 2}
					rows[place] = odd
					for _, first := range [][]int32{{0, 15}, {1, 6}, {3, 3}} {
						want := func(i int) int32 { return gather(i, cols, first, rows, dense) }
						asGo(t, dev, k, 8, want, cols, uploaded(t, dev, first...), uploaded(t, dev, rows...), there)
					}
				}
			}
		}
	})
}

func unfolded(w, pad, step int, in, out []int32) {
	if i := dsl.GlobalIdx().X; i < len(out) {
		out[i] = unfold(i, w, pad, step, in)
	}
}

func unfold(i, w, pad, step int, in []int32) int32 {
	n := (w+2*pad-1)/step + 1
	x, y := i%n, i/n%w
	return in[y*n+x] + 100*in[i/n/w] + 10000*in[i/(n*w)]
}

// TestUnfolded divides by numbers that are computed of what is passed: small ones, 0, negative ones, and those of more than 32 bits.
func TestUnfolded(t *testing.T) {
	in := squares(40)
	onDevices(t, func(t *testing.T, dev *launch.Device) {
		k, there := kernel.New(unfolded), uploaded(t, dev, in...)
		for _, w := range []int{5, 4, 1, 0, -3, 7, 1 << 31, 1 << 40, -1 << 62} {
			for _, pad := range []int{1, 0, -2, 1 << 30, -3, 1 << 33, 1 << 61} {
				for _, step := range []int{1, 2, 0, -1, 3, 1 << 32} {
					asGo(t, dev, k, 24, func(i int) int32 { return unfold(i, w, pad, step, in) }, w, pad, step, there)
				}
			}
		}
	})
}
