package kernel_test

import (
	"errors"
	"slices"
	"testing"

	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

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
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		for _, way := range []string{"arguments", "typed", "captured"} {
			t.Run(name+"/"+way, func(t *testing.T) {
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
		must(t, dev.Close())
	}
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
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
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
		must(t, dev.Close())
	}
}

func strided(w, h int, in, out []int32) {
	if x := dsl.GlobalIdx().X; x < 8 {
		for k := range 2 {
			out[x] += in[40+x*w+k] + 100*in[(x*h+k)/4] + int32(x*w)
		}
	}
}

// TestWidth indexes by products of what is passed: none, one, negative and great ones, and by parts of them.
func TestWidth(t *testing.T) {
	numbers := make([]int32, 64)
	for i := range numbers {
		numbers[i] = int32(i * i)
	}
	want := func(w, h int) (out []int32, ok bool) {
		defer func() { ok = recover() == nil }()
		out = make([]int32, 8)
		for x := range out {
			for k := range 2 {
				out[x] += numbers[40+x*w+k] + 100*numbers[(x*h+k)/4] + int32(x*w)
			}
		}
		return out, true
	}
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			k, in := kernel.New(strided), uploaded(t, dev, numbers...)
			for _, sizes := range [][2]int{{3, 36}, {0, 36}, {3, 0}, {-5, 36}, {-6, 36}, {3, 37}, {4, 0}, {1, 1}, {1 << 31, 1}, {3, -1}, {3, 36}, {1 << 62, 0}, {0, 1 << 61}, {-1, 5}} {
				out := uploaded(t, dev, make([]int32, 8)...)
				err := errors.Join(k.Launch(dev.Stream(), launch.Linear(32, 32), sizes[0], sizes[1], in, out), dev.Stream().Sync())
				all, ok := want(sizes[0], sizes[1])
				var p *launch.KernelPanic
				if !ok {
					if !errors.As(err, &p) {
						t.Errorf("%v: %v, want a panic", sizes, err)
					}
					continue
				}
				must(t, err)
				got := make([]int32, 8)
				must(t, out.Download(got))
				if !slices.Equal(got, all) {
					t.Errorf("%v: %v, want %v", sizes, got, all)
				}
			}
		})
		must(t, dev.Close())
	}
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

// TestGathered indexes by rows that are loaded: within, negative, beyond, and such whose elements' numbers are within but for what 32 bits have no room for.
func TestGathered(t *testing.T) {
	const size = 8
	dense := make([]int32, 48)
	for i := range dense {
		dense[i] = int32(i*i + 1)
	}
	want := func(cols int, first, rows []int32) (out []int32, ok bool) {
		defer func() { ok = recover() == nil }()
		out = make([]int32, size)
		for i := range out {
			out[i] = gather(i, cols, first, rows, dense)
		}
		return out, true
	}
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			k, in := kernel.New(gathered), uploaded(t, dev, dense...)
			for _, cols := range []int{4, 1, 5, 3, 0, -4, 1 << 31} {
				for _, odd := range []int32{3, -1, -2, 100, 1 << 30, 1<<30 + 1, -1 << 30, -1 << 31, 1<<31 - 1, 858993460} { // times 5 that is 1<<32 + 4
					for _, place := range []int{0, 1, 5, 9, 14} {
						rows := []int32{1, 5, 2, 8, 0, 3, 7, 1, 2, 4, 5, 6, 7, 8, 3, 2}
						rows[place] = odd
						for _, first := range [][]int32{{0, 15}, {1, 6}, {3, 3}} {
							out := uploaded(t, dev, make([]int32, size)...)
							err := errors.Join(k.Launch(dev.Stream(), launch.Linear(32, 32), cols, uploaded(t, dev, first...), uploaded(t, dev, rows...), in, out), dev.Stream().Sync())
							all, ok := want(cols, first, rows)
							var p *launch.KernelPanic
							if ok != (err == nil) || !ok && !errors.As(err, &p) {
								t.Fatalf("%d columns, row %d at %d of %v: %v, in Go it panics: %v", cols, odd, place, first, err, !ok)
							}
							got := make([]int32, size)
							must(t, out.Download(got))
							if ok && !slices.Equal(got, all) {
								t.Fatalf("%d columns, row %d at %d of %v: %v, want %v", cols, odd, place, first, got, all)
							}
						}
					}
				}
			}
		})
		must(t, dev.Close())
	}
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

// TestUnfolded divides by numbers that are computed of what is passed: small ones, 0, negative ones and such as have more than 32 bits.
func TestUnfolded(t *testing.T) {
	const size = 24
	in := make([]int32, 40)
	for i := range in {
		in[i] = int32(i*i + 1)
	}
	want := func(w, pad, step int) (out []int32, ok bool) {
		defer func() { ok = recover() == nil }()
		out = make([]int32, size)
		for i := range out {
			out[i] = unfold(i, w, pad, step, in)
		}
		return out, true
	}
	for _, name := range []string{"sim", "cpu", "emu:gfx942", "emu:gfx1100", "cuda"} {
		dev, err := launch.Open(name)
		if err != nil {
			t.Log(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			k, from := kernel.New(unfolded), uploaded(t, dev, in...)
			for _, w := range []int{5, 4, 1, 0, -3, 7, 1 << 31, 1 << 40, -1 << 62} {
				for _, pad := range []int{1, 0, -2, 1 << 30, -3, 1 << 33, 1 << 61} {
					for _, step := range []int{1, 2, 0, -1, 3, 1 << 32} {
						out := uploaded(t, dev, make([]int32, size)...)
						err := errors.Join(k.Launch(dev.Stream(), launch.Linear(32, 32), w, pad, step, from, out), dev.Stream().Sync())
						all, ok := want(w, pad, step)
						var p *launch.KernelPanic
						if ok != (err == nil) || !ok && !errors.As(err, &p) {
							t.Fatalf("%d, %d, %d: %v, in Go it panics: %v", w, pad, step, err, !ok)
						}
						got := make([]int32, size)
						must(t, out.Download(got))
						if ok && !slices.Equal(got, all) {
							t.Fatalf("%d, %d, %d: %v, want %v", w, pad, step, got, all)
						}
					}
				}
			}
		})
		must(t, dev.Close())
	}
}
