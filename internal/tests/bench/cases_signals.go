package main

import (
	"math"
	"math/cmplx"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
	"heddle/vector"
)

// signalCases are kernels of signals, quantum states, solvers and tomography.
func signalCases(s scale) []*benchmark {
	return []*benchmark{
		qubitGateCase(s), backprojectCase(s), hmmCase(s), batchedQRCase(s), decimateCase(s), griddingCase(s), levelSolveCase(s), beamformCase(s),
	}
}

// pick is the real part of a number, or the imaginary one.
func pick(part int, c complex128) float64 { return [2]float64{real(c), imag(c)}[part] }

// amplitude is a complex number among inputs.
func amplitude(i int, seed uint32) complex64 {
	return complex(kernels.Uniform(2*i, seed, -1, 1), kernels.Uniform(2*i+1, seed, -1, 1))
}

func qubitGateCase(s scale) *benchmark {
	n := 1 << s.of(26, 12)
	g := kernels.ControlledGate{Control: s.of(14, 5), Targets: [2]int{s.of(21, 9), s.of(3, 2)}}
	g.Sorted = [3]int{g.Targets[1], g.Control, g.Targets[0]}
	// Of two vectors this is a rotation between them, with phases: unitary.
	g.U = [4][4]complex64{{0.6, 0.8i, 0, 0}, {0.8i, 0.6, 0, 0}, {0, 0, 0.28 + 0.96i, 0}, {0, 0, 0, -1i}}
	for c := range 4 { // mixed by Hadamard's of both
		col := [4]complex64{g.U[0][c], g.U[1][c], g.U[2][c], g.U[3][c]}
		for r := range 4 {
			g.U[r][c] = 0
			for k, v := range col {
				sign := [4][4]complex64{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}}[r][k]
				g.U[r][c] += sign * v / 2
			}
		}
	}
	type twin struct {
		control int32
		targets [2]int32
		sorted  [3]int32
		u       [4][4]complex64
	}
	theirs := twin{int32(g.Control), [2]int32{int32(g.Targets[0]), int32(g.Targets[1])}, [3]int32{int32(g.Sorted[0]), int32(g.Sorted[1]), int32(g.Sorted[2])}, g.U}
	return &benchmark{
		name: "qubit_gate", kernel: kernels.QubitGate, cfg: launch.Linear(n/8, 256), unit: "GB/s", work: 8 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			state := changed(d, filled(n, func(i int) complex64 { return amplitude(i, 1) }))
			return inputs{args: []any{g, state}, twin: []any{theirs, n, state}, results: []result{sampled[float32](state)}}
		},
		want: func(_, e int) float64 {
			i := e / 2
			if i>>g.Control&1 == 0 {
				return pick(e%2, complex128(amplitude(i, 1)))
			}
			low, high := 1<<g.Targets[0], 1<<g.Targets[1]
			row := i>>g.Targets[0]&1 + i>>g.Targets[1]&1*2
			var sum complex128
			for k := range 4 {
				sum += complex128(g.U[row][k]) * complex128(amplitude(i&^low&^high|k&1*low|k>>1*high, 1))
			}
			return pick(e%2, sum)
		},
		tolerance: 1e-6,
	}
}

func backprojectCase(s scale) *benchmark {
	size, angles, detectors := s.of(1000, 45), s.of(360, 31), s.of(1025, 50)
	const spacing = 0.9
	turns := filled(angles, func(a int) vector.Float2 {
		sin, cos := math.Sincos(math.Pi * float64(a) / float64(angles))
		return vector.Float2{X: float32(cos), Y: float32(sin)}
	})
	// What is seen of discs, with noise.
	sino := filled(angles*detectors, func(i int) float32 {
		t, at := turns[i/detectors], float64(i%detectors)-float64(detectors-1)/2
		sum := uniform(i, 1, -0.1, 0.1)
		for k := range 5 {
			extent := 0.3 * float64(detectors)
			x, y, r := uniform(k, 2, -1, 1)*extent, uniform(k, 3, -1, 1)*extent, uniform(k, 4, 0.1, 0.5)*extent
			if off := at - x*float64(t.X) - y*float64(t.Y); math.Abs(off) < r {
				sum += math.Sqrt(r*r-off*off) / extent
			}
		}
		return float32(sum)
	})
	return &benchmark{
		name: "backproject", kernel: kernels.Backproject, cfg: grid((size+15)/16, (size+15)/16, 16, 16), unit: "Gray/s", work: float64(size*size) * float64(angles) / 1e9,
		setup: func(d *device) inputs {
			image, data, around := alloc[float32](d, size*size), upload(d, sino), upload(d, turns)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args:    []any{kernels.Sinogram{Detectors: detectors, Data: data.Device()}, around, size, float32(spacing), image},
				twin:    []any{detectors, data, angles, around, size, float32(spacing), image},
				results: each(image),
			}
		},
		want: func(_, e int) (sum float64) {
			middle := float64(size-1) / 2
			x, y := (float64(e%size)-middle)*float64(float32(spacing)), (middle-float64(e/size))*float64(float32(spacing))
			for a, t := range turns {
				at := x*float64(t.X) + y*float64(t.Y) + float64(detectors-1)/2
				if d := int(math.Floor(at)); d >= 0 && d+1 < detectors {
					f := at - float64(d)
					sum += float64(sino[a*detectors+d])*(1-f) + float64(sino[a*detectors+d+1])*f
				}
			}
			return sum * math.Pi / float64(angles)
		},
		tolerance: 1e-4, stray: 0.01, // at the ends of a row
	}
}

func hmmCase(s scale) *benchmark {
	const states, letters, reach = kernels.HMMStates, 20, 24
	n := s.of(1000, 3)
	starts := make([]int32, n+1)
	for i := range n {
		starts[i+1] = starts[i] + int32(s.of(40, 10)) + small32(i, 1, uint32(s.of(40, 15)))
	}
	symbols := filled(int(starts[n]), func(i int) uint8 { return uint8(small32(i, 2, letters)) })
	chances := func(rows, columns int, seed uint32, can func(r, c int) bool) [][]float64 {
		return filled(rows, func(r int) []float64 {
			row, total := make([]float64, columns), 0.0
			for c := range row {
				if can(r, c) {
					row[c] = uniform(r*columns+c, seed, 0.01, 1)
					total += row[c]
				}
			}
			for c := range row {
				row[c] /= total
			}
			return row
		})
	}
	begin := chances(1, states, 3, func(_, c int) bool { return c < 8 })[0]
	trans := chances(states, states, 4, func(r, c int) bool { return (c-r+states)%states < reach }) // a state leads on to some
	emit := chances(states, letters, 5, func(_, _ int) bool { return true })
	logs := func(n int, f func(i int) float64) []float32 {
		return filled(n, func(i int) float32 { return float32(math.Log(f(i))) })
	}
	return &benchmark{
		name: "hmm_forward", kernel: kernels.HMMForward, cfg: grid(n, 1, states, 1), unit: "Gstep/s", work: float64(starts[n]) * states * states / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			a := upload(d, logs(states, func(i int) float64 { return begin[i] }))
			b := upload(d, logs(states*states, func(i int) float64 { return trans[i/states][i%states] }))
			c := upload(d, logs(letters*states, func(i int) float64 { return emit[i%states][i/states] }))
			first, seqs := upload(d, starts), upload(d, symbols)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.HMM{Start: a.Device(), Trans: b.Device(), Emit: c.Device()}, first, seqs, out},
				twin: []any{a, b, c, first, seqs, out}, results: each(out),
			}
		},
		want: func(_, i int) (likely float64) { // scaled at each step (Rabiner)
			alpha := begin
			for k, s := range symbols[starts[i]:starts[i+1]] {
				next, total := make([]float64, states), 0.0
				for to := range next {
					next[to] = alpha[to]
					if k > 0 {
						next[to] = 0
						for from, v := range alpha {
							next[to] += v * trans[from][to]
						}
					}
					next[to] *= emit[to][s]
					total += next[to]
				}
				for to := range next {
					next[to] /= total
				}
				alpha = next
				likely += math.Log(total)
			}
			return likely
		},
		tolerance: 1e-5,
	}
}

func batchedQRCase(s scale) *benchmark {
	const order, size = kernels.QROrder, kernels.QROrder * kernels.QROrder
	n := s.of(100_003, 37)
	// factors are a matrix after its reflections, and what these multiply by.
	factors := func(matrix int) (a [order][order]float64, tau [order]float64) {
		for i := range size {
			a[i/order][i%order] = uniform(matrix*size+i, 1, -1, 1)
		}
		for k := range order - 1 {
			var norm float64
			for r := k; r < order; r++ {
				norm = math.Hypot(norm, a[r][k])
			}
			var v [order]float64 // of length 1
			beta := -math.Copysign(norm, a[k][k])
			length := math.Sqrt(2 * norm * (norm + math.Abs(a[k][k])))
			for r := k; r < order; r++ {
				v[r] = a[r][k] / length
			}
			v[k] -= beta / length
			for c := k; c < order; c++ {
				var dot float64
				for r := k; r < order; r++ {
					dot += v[r] * a[r][c]
				}
				for r := k; r < order; r++ {
					a[r][c] -= 2 * dot * v[r]
				}
			}
			tau[k] = 2 * v[k] * v[k]
			for r := k + 1; r < order; r++ {
				a[r][k] = v[r] / v[k]
			}
		}
		return a, tau
	}
	return &benchmark{
		name: "batched_qr", kernel: kernels.BatchedQR, cfg: grid((n+kernels.QRBatch-1)/kernels.QRBatch, 1, order, kernels.QRBatch), unit: "Gmatrix/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			matrices, tau := changed(d, floats(n*size, 1, -1, 1)), alloc[float32](d, n*order)
			return inputs{twin: []any{n, matrices, tau}, args: []any{matrices, tau}, results: each(matrices, tau)}
		},
		want: func(r, e int) float64 {
			if r == 1 {
				_, tau := factors(e / order)
				return tau[e%order]
			}
			a, _ := factors(e / size)
			return a[e%size/order][e%order]
		},
		tolerance: 1e-4, stray: 0.01, // of matrices that are almost singular
	}
}

func decimateCase(s scale) *benchmark {
	const length = kernels.Decimation * kernels.PhaseTaps
	n := s.of(4_000_007, 700)
	samples := n*kernels.Decimation - 5
	taps := filled(length, func(k int) float32 { // a low pass, by Hamming's window
		x := float64(k) - float64(length-1)/2
		sinc := math.Sin(math.Pi*x/kernels.Decimation) / (math.Pi * x)
		return float32(sinc * (0.54 - 0.46*math.Cos(2*math.Pi*float64(k)/(length-1))))
	})
	return &benchmark{
		name: "decimate", kernel: kernels.Decimate, cfg: launch.Linear(n, kernels.FIRThreads), unit: "GB/s", work: 8 * float64(samples+n) / 1e9,
		setup: func(d *device) inputs {
			in, out := upload(d, filled(samples, func(i int) complex64 { return amplitude(i, 1) })), alloc[complex64](d, n)
			return inputs{lens: []int{samples, n}, args: []any{upload(d, taps), in, out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) (sum float64) {
			for k, w := range taps {
				if i := e/2*kernels.Decimation + k; i < samples {
					sum += float64(w) * pick(e%2, complex128(amplitude(i, 1)))
				}
			}
			return sum
		},
		tolerance: 1e-6,
	}
}

// kaiserBessel is a window that ends at GridReach/2, scaled to 1 at zero.
func kaiserBessel(x float64) float64 {
	const beta = 13.9 // for a grid twice as fine
	i0 := func(x float64) float64 {
		sum, term := 1.0, 1.0
		for k := 1.0; term > 1e-12*sum; k++ {
			term *= x * x / (4 * k * k)
			sum += term
		}
		return sum
	}
	u := 2 * x / kernels.GridReach
	return i0(beta*math.Sqrt(max(1-u*u, 0))) / i0(beta)
}

func griddingCase(s scale) *benchmark {
	const reach, steps = kernels.GridReach, kernels.GridSteps
	n, spokes, points := s.of(768, 40), s.of(512, 13), s.of(512, 21)
	table := filled(reach/2*steps+2, func(k int) float32 { return float32(kaiserBessel(float64(k) / steps)) })
	samples := filled(spokes*points, func(i int) kernels.Visibility { // radial, by the golden angle
		sin, cos := math.Sincos(float64(i/points) * math.Pi * (math.Sqrt(5) - 1) / 2)
		r := (float64(i%points)/float64(points) - 0.5) * (float64(n) - 1)
		v := amplitude(i, 1)
		return kernels.Visibility{U: float32(float64(n)/2 + r*cos), V: float32(float64(n)/2 + r*sin), Re: real(v), Im: imag(v)}
	})
	weights := func(at float32) (first int, w [reach]float64) {
		first = int(math.Ceil(float64(at) - reach/2))
		for k := range w {
			d := math.Abs(float64(first+k)-float64(at)) * steps
			f := d - math.Floor(d)
			w[k] = float64(table[int(d)])*(1-f) + float64(table[int(d)+1])*f
		}
		return first, w
	}
	sums := sync.OnceValue(func() []complex128 {
		sums := make([]complex128, n*n)
		for _, v := range samples {
			x, wx := weights(v.U)
			y, wy := weights(v.V)
			for k := range reach * reach {
				w := wx[k%reach] * wy[k/reach]
				sums[(y+k/reach+n)%n*n+(x+k%reach+n)%n] += complex(w*float64(v.Re), w*float64(v.Im))
			}
		}
		return sums
	})
	return &benchmark{
		name: "gridding", kernel: kernels.Gridding, cfg: launch.Linear(len(samples), 256), unit: "Gsample/s", work: float64(len(samples)) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[vector.Float2](d, n*n)
			return inputs{lens: []int{len(samples)}, args: []any{n, upload(d, table), upload(d, samples), out}, results: []result{sampled[float32](out)}}
		},
		want:      func(_, e int) float64 { return pick(e%2, sums()[e/2]) },
		tolerance: 1e-4,
	}
}

func levelSolveCase(s scale) *benchmark {
	nx, ny, nz, count := 16, s.of(8, 4), s.of(8, 3), s.of(1000, 4)
	size := nx * ny * nz // rows of a part
	n := count * size
	// A row has what is before it in a box, and sometimes one more that was filled in.
	before := filled(n, func(row int) (columns []int32) {
		k := row % size
		for axis, step := range []int{1, nx, nx * ny} {
			if k/step%[]int{nx, ny, nz}[axis] > 0 {
				columns = append(columns, int32(row-step))
			}
		}
		if more := int(small32(row, 1, uint32(nx*ny))) + 2; small32(row, 2, 4) == 0 && more <= k {
			columns = append(columns, int32(row-more))
		}
		slices.Sort(columns)
		return slices.Compact(columns)
	})
	first, parts, levels := make([]int32, n+1), make([]int32, count+1), []int32{0}
	var index, rows []int32
	level := make([]int, n)
	for part := range count {
		var groups [][]int32
		for row := part * size; row < (part+1)*size; row++ {
			for _, c := range before[row] {
				level[row] = max(level[row], level[c]+1)
			}
			for len(groups) <= level[row] {
				groups = append(groups, nil)
			}
			groups[level[row]] = append(groups[level[row]], int32(row))
			index = append(index, before[row]...)
			first[row+1] = int32(len(index))
		}
		for _, group := range groups {
			rows = append(rows, group...)
			levels = append(levels, int32(len(rows)))
		}
		parts[part+1] = parts[part] + int32(len(groups))
	}
	values, inverse, right := doubles(len(index), 3, -1, 0.1), doubles(n, 4, 0.15, 0.3), doubles(n, 5, -1, 1)
	return &benchmark{
		name: "level_solve", kernel: kernels.SolveLevels, cfg: grid(count, 1, 64, 1), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			x, f, i, v, inv := alloc[float64](d, n), upload(d, first), upload(d, index), upload(d, values), upload(d, inverse)
			shared := []any{upload(d, parts), upload(d, levels), upload(d, rows), upload(d, right), x}
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: append([]any{kernels.Triangle{First: f.Device(), Index: i.Device(), Values: v.Device(), Inverse: inv.Device()}}, shared...),
				twin: append([]any{f, i, v, inv}, shared...), results: each(x),
			}
		},
		want: func(_, row int) float64 {
			start := row / size * size
			x := make([]float64, row-start+1)
			for r := range x {
				x[r] = right[start+r]
				for k, c := range before[start+r] {
					x[r] -= values[int(first[start+r])+k] * x[int(c)-start]
				}
				x[r] *= inverse[start+r]
			}
			return x[row-start]
		},
		tolerance: 1e-12,
	}
}

func beamformCase(s scale) *benchmark {
	field := kernels.Field{W: s.of(384, 37), H: s.of(1000, 21), X: -19e-3, Z: 5e-3}
	field.DX, field.DZ = 38e-3/float32(field.W), 40e-3/float32(field.H)
	channels, samples := s.of(128, 16), s.of(1152, 1100)
	probe := kernels.Probe{Rate: 20e6, Start: 4e-6, Frequency: 5e6, Sound: 1540, FNumber: 1.2, Gain: 1. / 8192}
	elements := filled(channels, func(c int) float32 { return (float32(c) - float32(channels-1)/2) * 38e-3 / float32(channels) })
	echoes := filled(channels*samples, func(i int) kernels.IQ {
		return kernels.IQ{I: int16(small32(i, 1, 4001) - 2000), Q: int16(small32(i, 2, 4001) - 2000)}
	})
	type twin struct {
		w, h         int32
		x, z, dx, dz float32
	}
	theirs := twin{int32(field.W), int32(field.H), field.X, field.Z, field.DX, field.DZ}
	return &benchmark{
		name: "beamform", kernel: kernels.Beamform, cfg: grid((field.W+31)/32, (field.H+7)/8, 32, 8), unit: "Gsample/s", work: float64(field.W*field.H) * float64(channels) / 1e9,
		setup: func(d *device) inputs {
			image, at, heard := alloc[complex64](d, field.W*field.H), upload(d, elements), upload(d, echoes)
			return inputs{
				args:    []any{probe, field, samples, at, heard, image},
				twin:    []any{probe, theirs, samples, channels, at, heard, image},
				results: []result{sampled[float32](image)},
			}
		},
		want: func(_, e int) float64 {
			x := float64(field.X) + float64(e/2%field.W)*float64(field.DX)
			z := float64(field.Z) + float64(e/2/field.W)*float64(field.DZ)
			var sum complex128
			for c, place := range elements {
				dx := x - float64(place)
				delay := (z + math.Hypot(dx, z)) / float64(probe.Sound)
				at := (delay - float64(probe.Start)) * float64(probe.Rate)
				if k := int(at); z >= 2*float64(probe.FNumber)*math.Abs(dx) && at >= 0 && k+1 < samples {
					a, b, f := echoes[c*samples+k], echoes[c*samples+k+1], complex(at-float64(k), 0)
					v := complex(float64(a.I), float64(a.Q))*(1-f) + complex(float64(b.I), float64(b.Q))*f
					sum += v * cmplx.Exp(complex(0, 2*math.Pi*float64(probe.Frequency)*delay))
				}
			}
			return pick(e%2, sum) * float64(probe.Gain)
		},
		tolerance: 1e-3, stray: 0.01, // at the end of an aperture
	}
}
