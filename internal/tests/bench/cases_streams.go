package main

import (
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

const million64 = 1 << 26

// streamCases are kernels that memory limits.
func streamCases(s scale) []*benchmark {
	return []*benchmark{
		saxpyCase(s), reduceCase(s), copyCase(s), triadCase(s), dotCase(s),
		gatherCase(s), scatterCase(s), moveStructsCase(s), moveSlicesCase(s),
	}
}

func saxpyCase(s scale) *benchmark {
	n := s.of(million64, 1000)
	return &benchmark{
		name: "saxpy", kernel: kernels.Saxpy, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			y := changed(d, floats(n, 2, 0, 1))
			return inputs{lens: []int{n}, args: []any{float32(2), upload(d, floats(n, 1, 0, 1)), y}, results: each(y)}
		},
		want:      func(_, i int) float64 { return 2*uniform(i, 1, 0, 1) + uniform(i, 2, 0, 1) },
		tolerance: 1e-6,
	}
}

func reduceCase(s scale) *benchmark {
	n, blocks := s.of(million64, 1<<13+100), s.of(2048, 2)
	return &benchmark{
		name: "reduce", kernel: kernels.Reduce, cfg: grid(blocks, 1, 256, 1), unit: "GB/s", work: 4 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, blocks)
			return inputs{lens: []int{n}, args: []any{upload(d, floats(n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, block int) float64 {
			return blockSum(n, block, blocks, func(i int) float64 { return uniform(i, 1, 0, 1) })
		},
		tolerance: 1e-5,
	}
}

// blockSum adds up what one of blocks of 256 threads does that go through n elements together.
func blockSum(n, block, blocks int, of func(i int) float64) (sum float64) {
	for first := block * 256; first < n; first += blocks * 256 {
		for i := first; i < min(first+256, n); i++ {
			sum += of(i)
		}
	}
	return sum
}

func copyCase(s scale) *benchmark {
	n := s.of(million64, 1000)
	return &benchmark{
		name: "copy", kernel: kernels.Copy, cfg: launch.Linear(n, 256), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, floats(n, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return uniform(i, 1, 0, 1) },
	}
}

func triadCase(s scale) *benchmark {
	n, blocks := s.of(million64/2, 1<<13+100), s.of(2048, 2)
	return &benchmark{
		name: "triad", kernel: kernels.Triad, cfg: grid(blocks, 1, 256, 1), unit: "GB/s", work: 24 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			a := alloc[float64](d, n)
			return inputs{lens: []int{n}, args: []any{3.0, a, upload(d, doubles(n, 1, 0, 1)), upload(d, doubles(n, 2, 0, 1))}, results: each(a)}
		},
		want:      func(_, i int) float64 { return uniform(i, 1, 0, 1) + 3*uniform(i, 2, 0, 1) },
		tolerance: 1e-14,
	}
}

func dotCase(s scale) *benchmark {
	n, blocks := s.of(million64/2, 1<<13+100), s.of(2048, 2)
	return &benchmark{
		name: "dot", kernel: kernels.Dot, cfg: grid(blocks, 1, kernels.DotThreads, 1), unit: "GB/s", work: 16 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float64](d, blocks)
			return inputs{lens: []int{n}, args: []any{upload(d, doubles(n, 1, 0, 1)), upload(d, doubles(n, 2, 0, 1)), out}, results: each(out)}
		},
		want: func(_, block int) float64 {
			return blockSum(n, block, blocks, func(i int) float64 { return uniform(i, 1, 0, 1) * uniform(i, 2, 0, 1) })
		},
		tolerance: 1e-11,
	}
}

// shuffled is where element i of n, a power of two, goes: within some thousands of elements.
func shuffled(i, n int) int {
	span := min(n, 1<<14)
	return i&^(span-1) | (i*4999+77)&(span-1)
}

func gatherCase(s scale) *benchmark {
	n := s.of(million64/2, 1024)
	return &benchmark{
		name: "gather", kernel: kernels.Gather, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			index := filled(n, func(i int) int32 { return int32(shuffled(i, n)) })
			return inputs{lens: []int{n}, args: []any{upload(d, floats(n, 1, 0, 1)), upload(d, index), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return uniform(shuffled(i, n), 1, 0, 1) },
	}
}

func scatterCase(s scale) *benchmark {
	n := s.of(million64/2, 1024)
	var from []int32
	return &benchmark{
		name: "scatter", kernel: kernels.Scatter, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			index := filled(n, func(i int) int32 { return int32(shuffled(i, n)) })
			from = make([]int32, n)
			for i, to := range index {
				from[to] = int32(i)
			}
			return inputs{lens: []int{n}, args: []any{upload(d, floats(n, 1, 0, 1)), upload(d, index), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return uniform(int(from[i]), 1, 0, 1) },
	}
}

// Of the bodies that move.
const (
	step  = 0.25
	speed = 0.5
)

// moved is field f of body i after a step: places, velocities, age, hits.
func moved(i, f int) float64 {
	if f == 6 {
		return 1
	}
	hits := 0.0
	for axis := range 3 {
		x, v := uniform(i, uint32(axis), 0, 1), uniform(i, uint32(axis+3), -speed, speed)
		x += v * step
		switch {
		case x < 0:
			x, v, hits = -x, -v, hits+1
		case x > 1:
			x, v, hits = 2-x, -v, hits+1
		}
		if f == axis {
			return x
		}
		if f == axis+3 {
			return v
		}
	}
	return hits
}

func moveStructsCase(s scale) *benchmark {
	n := s.of(million64/8, 1000)
	return &benchmark{
		name: "move_structs", kernel: kernels.MoveStructs, cfg: launch.Linear(n, 256), unit: "GB/s", work: 64 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			b := changed(d, filled(n, func(i int) kernels.Body {
				at := func(axis uint32) float32 { return kernels.Uniform(i, axis, 0, 1) }
				v := func(axis uint32) float32 { return kernels.Uniform(i, axis+3, -speed, speed) }
				return kernels.Body{X: at(0), Y: at(1), Z: at(2), VX: v(0), VY: v(1), VZ: v(2)}
			}))
			r := sampled[float32](b)
			ints := sampled[int32](b)
			return inputs{lens: []int{n}, args: []any{float32(step), b}, results: []result{{r.len, func() ([]float64, error) {
				all, err := r.read()
				whole, err2 := ints.read()
				for k := range all {
					if k*stride(r.len)%8 >= 6 {
						all[k] = whole[k]
					}
				}
				if err == nil {
					err = err2
				}
				return all, err
			}}}}
		},
		want:      func(_, e int) float64 { return moved(e/8, e%8) },
		tolerance: 1e-6, stray: 0.001,
	}
}

func moveSlicesCase(s scale) *benchmark {
	n := s.of(million64/8, 1000)
	return &benchmark{
		name: "move_slices", kernel: kernels.MoveSlices, cfg: launch.Linear(n, 256), unit: "GB/s", work: 64 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			var f [6]*launch.Buffer[float32]
			for axis := range 3 {
				f[axis] = changed(d, floats(n, uint32(axis), 0, 1))
				f[axis+3] = changed(d, floats(n, uint32(axis+3), -speed, speed))
			}
			age, hits := alloc[int32](d, n), alloc[int32](d, n)
			if d.err != nil {
				return inputs{}
			}
			bodies := kernels.Bodies3{
				X: f[0].Device(), Y: f[1].Device(), Z: f[2].Device(), VX: f[3].Device(), VY: f[4].Device(), VZ: f[5].Device(),
				Age: age.Device(), Hits: hits.Device(),
			}
			return inputs{
				args:    []any{float32(step), bodies},
				twin:    []any{int32(n), float32(step), f[0], f[1], f[2], f[3], f[4], f[5], age, hits},
				results: append(each(f[:]...), each(age, hits)...),
			}
		},
		want:      func(r, i int) float64 { return moved(i, r) },
		tolerance: 1e-6, stray: 0.001,
	}
}
