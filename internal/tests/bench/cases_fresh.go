package main

import (
	"math"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// freshCases are kernels of fields that the other classes leave out: plasma, video, textures,
// detection, lattice gauge theory, genomes, recurrent networks and grains.
func freshCases(s scale) []*benchmark {
	return []*benchmark{
		picCase(s), sadCase(s), bc1Case(s), roiCase(s), wilsonCase(s), fmCase(s), jacobiCase(s), nmsCase(s),
		embeddingCase(s), gruCase(s), demCase(s), im2colCase(s),
	}
}

func picCase(s scale) *benchmark {
	nx, ny, each1 := s.of(1024, 30), s.of(1024, 17), s.of(4, 3)
	n := nx * ny * each1
	particles := filled(n, func(i int) kernels.Charge { // they have moved since they were sorted
		cell := i / each1
		return kernels.Charge{
			X: min(float32(cell%nx)+kernels.Uniform(i, 1, 0, 3), float32(nx)-0.25),
			Y: min(float32(cell/nx)+kernels.Uniform(i, 2, 0, 3), float32(ny)-0.25),
			Q: kernels.Uniform(i, 3, 0.5, 1.5),
		}
	})
	rho := sync.OnceValue(func() []float64 {
		sums := make([]float64, nx*ny)
		for _, p := range particles {
			x, y := int(p.X), int(p.Y)
			fx, fy := float64(p.X)-float64(x), float64(p.Y)-float64(y)
			for k := range 4 {
				wx, wy := 1-fx, 1-fy
				if k&1 != 0 {
					wx = fx
				}
				if k&2 != 0 {
					wy = fy
				}
				sums[(y+k>>1)%ny*nx+(x+k&1)%nx] += float64(p.Q) * wx * wy
			}
		}
		return sums
	})
	return &benchmark{
		name: "pic_deposit", kernel: kernels.PicDeposit, cfg: launch.Linear(n, 256), unit: "Gparticle/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, nx*ny)
			return inputs{lens: []int{n}, args: []any{nx, ny, upload(d, particles), out}, results: each(out)}
		},
		want:      func(_, e int) float64 { return rho()[e] },
		tolerance: 1e-4,
	}
}

func sadCase(s scale) *benchmark {
	w, h := s.of(3840, 48), s.of(2160, 24)
	const offsets = kernels.SADSide * kernels.SADSide
	n := w / kernels.SADBlock * (h / kernels.SADBlock) * offsets
	cur, ref := bytesOf(w*h, 1), bytesOf(w*h, 2)
	return &benchmark{
		name: "sad", kernel: kernels.SAD, cfg: launch.Linear(n, 256), unit: "Gpixel/s", work: float64(n) * 64 / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n)
			return inputs{lens: []int{n}, args: []any{w, h, upload(d, cur), upload(d, ref), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			k, b := e%offsets, e/offsets
			for p := range 64 {
				x, y := b%(w/8)*8+p%8, b/(w/8)*8+p/8
				rx, ry := min(max(x+k%5-2, 0), w-1), min(max(y+k/5-2, 0), h-1)
				sum += math.Abs(float64(cur[y*w+x]) - float64(ref[ry*w+rx]))
			}
			return sum
		},
	}
}

func bc1Case(s scale) *benchmark {
	w, h := s.of(8192, 140), s.of(4096, 36)
	n := w * h / 16
	rgb := filled(3*w*h, func(i int) byte { // it rises to the right and downward, with noise
		x, y, c := i/3%w, i/3/w, i%3
		return byte((x*(c+1)+y*(3-c))/8%200 + int(kernels.Hash(i, 1)>>8%50))
	})
	return &benchmark{
		name: "bc1_encode", kernel: kernels.BC1, cfg: grid((w/4+31)/32, (h/4+7)/8, 32, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint64](d, n)
			return inputs{args: []any{w, h, upload(d, rgb), out}, results: []result{sampled[uint32](out)}}
		},
		want: func(_, e int) float64 {
			x0, y0 := e/2%(w/4)*4, e/2/(w/4)*4
			at := func(i, c int) int { return int(rgb[3*((y0+i/4)*w+x0+i%4)+c]) }
			var palette [4][3]int
			var ends [2]int
			for c, width := range [3]int{5, 6, 5} {
				lo, hi := 255, 0
				for i := range 16 {
					lo, hi = min(lo, at(i, c)), max(hi, at(i, c))
				}
				wide := func(v int) int { v >>= 8 - width; return v<<(8-width) | v>>(2*width-8) }
				a, b := wide(hi), wide(lo)
				palette[0][c], palette[1][c], palette[2][c], palette[3][c] = a, b, (2*a+b)/3, (2*b+a)/3
				ends[0], ends[1] = ends[0]<<width|hi>>(8-width), ends[1]<<width|lo>>(8-width)
			}
			if e%2 == 0 {
				return float64(ends[1]<<16 | ends[0])
			}
			code := 0
			for i := range 16 {
				best, least := 0, math.MaxInt
				for k, p := range palette {
					d := 0
					for c, v := range p {
						d += (at(i, c) - v) * (at(i, c) - v)
					}
					if d < least {
						best, least = k, d
					}
				}
				code |= best << (2 * i)
			}
			return float64(code)
		},
	}
}

func roiCase(s scale) *benchmark {
	count, channels, h, w := s.of(512, 3), s.of(256, 5), s.of(100, 20), s.of(136, 31)
	const scale, bins = 0.25, kernels.RoIBins
	n := count * channels * bins * bins
	regions := filled(count, func(i int) kernels.Region {
		x, y := kernels.Uniform(i, 1, -8, float32(3*w)), kernels.Uniform(i, 2, -8, float32(3*h))
		return kernels.Region{Picture: int32(i % 2), X1: x, Y1: y, X2: x + kernels.Uniform(i, 3, 4, float32(2*w)), Y2: y + kernels.Uniform(i, 4, 4, float32(2*h))}
	})
	return &benchmark{
		name: "roi_align", kernel: kernels.RoIAlign, cfg: launch.Linear(n, 256), unit: "Gsample/s", work: 4 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{channels, h, w, float32(scale), upload(d, floats(2*channels*h*w, 5, -1, 1)), upload(d, regions), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			px, py, c, r := e%bins, e/bins%bins, e/bins/bins%channels, regions[e/bins/bins/channels]
			// along is where sample k of bin b lies between lo and hi, and whether that is in the picture.
			along := func(lo, hi float32, b, k, size int) (i, j int, a float64, in bool) {
				v := float64(lo)*scale - 0.5 + (float64(hi)-float64(lo))*scale/bins*(float64(b)+(float64(k)+0.5)/2)
				in = v >= -1 && v <= float64(size)
				v = min(max(v, 0), float64(size-1))
				i = int(v)
				return i, min(i+1, size-1), v - float64(i), in
			}
			for k := range 4 {
				x0, x1, ax, inX := along(r.X1, r.X2, px, k%2, w)
				y0, y1, ay, inY := along(r.Y1, r.Y2, py, k/2, h)
				if !inX || !inY {
					continue
				}
				at := func(y, x int) float64 { return uniform(((int(r.Picture)*channels+c)*h+y)*w+x, 5, -1, 1) }
				sum += (at(y0, x0)*(1-ax)+at(y0, x1)*ax)*(1-ay) + (at(y1, x0)*(1-ax)+at(y1, x1)*ax)*ay
			}
			return sum / 4
		},
		tolerance: 1e-4, stray: 0.002, // at the edges
	}
}

func wilsonCase(s scale) *benchmark {
	nx, ny, nz, nt := s.of(48, 6), s.of(48, 5), s.of(48, 4), s.of(24, 3)
	n := nx * ny * nz * nt
	number := func(i int, seed uint32) complex64 {
		return complex(kernels.Uniform(2*i, seed, -1, 1), kernels.Uniform(2*i+1, seed, -1, 1))
	}
	spinor := func(seed uint32) func(int) kernels.Spinor {
		return func(site int) (p kernels.Spinor) {
			for k := range 12 {
				p[k/3][k%3] = number(12*site+k, seed)
			}
			return p
		}
	}
	link := func(site int) (u kernels.ColorMatrix) {
		for k := range 9 {
			u[k/3][k%3] = number(9*site+k, 3)
		}
		return u
	}
	return &benchmark{
		name: "wilson_hop", kernel: kernels.WilsonHop, cfg: launch.Linear(n, 128), unit: "Gsite/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := changed(d, filled(n, spinor(2)))
			return inputs{lens: []int{n}, args: []any{nx, ny, nz, nt, upload(d, filled(n, link)), upload(d, filled(n, spinor(1))), out}, results: []result{sampled[float32](out)}}
		},
		// Launches after the first add to the field again; only the first is looked at.
		want: func(_, e int) float64 {
			site, spin, color := e/24, e/6%4, e/2%3
			next := site/nx*nx + (site%nx+1)%nx
			psi, u := spinor(1)(next), link(site)
			half, other := spin, 3-spin
			if spin >= 2 {
				half, other = 3-spin, spin
			}
			sum := complex128(spinor(2)(site)[spin][color])
			var hop complex128
			for c := range 3 {
				hop += complex128(u[color][c]) * (complex128(psi[half][c]) - 1i*complex128(psi[other][c]))
			}
			if spin >= 2 {
				hop *= 1i
			}
			if sum += hop; e%2 == 0 {
				return real(sum)
			}
			return imag(sum)
		},
		tolerance: 1e-5,
	}
}

func fmCase(s scale) *benchmark {
	n, m, count := s.of(1<<24, 2000), s.of(12, 5), s.of(1<<20, 300)
	symbol := func(i int) int { return int(kernels.Hash(i, 1) >> 8 % 4) }
	blocks := filled(n/64+1, func(b int) (r kernels.RankBlock) {
		for k := range 64 {
			if at := b*64 + k; at < n {
				r.Lo |= uint64(symbol(at)&1) << k
				r.Hi |= uint64(symbol(at)>>1) << k
			}
		}
		return r
	})
	var before [4]uint32
	for b := range blocks {
		blocks[b].Before = before
		for k := b * 64; k < min(b*64+64, n); k++ {
			before[symbol(k)]++
		}
	}
	var first [4]int32
	for c := range 3 {
		first[c+1] = first[c] + int32(before[c])
	}
	patterns := filled(count*m, func(i int) uint8 { return uint8(kernels.Hash(i, 2) >> 8 % 4) })
	rank := func(c, at int) int {
		r := int(blocks[at/64].Before[c])
		for k := at / 64 * 64; k < at; k++ {
			if symbol(k) == c {
				r++
			}
		}
		return r
	}
	return &benchmark{
		name: "fm_search", kernel: kernels.FMSearch, cfg: launch.Linear(count, 256), unit: "Gpattern/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			counts := alloc[int32](d, count)
			return inputs{lens: []int{count}, args: []any{n, m, first, upload(d, blocks), upload(d, patterns), counts}, results: each(counts)}
		},
		want: func(_, i int) float64 {
			lo, hi := 0, n
			for k := m - 1; k >= 0 && lo < hi; k-- {
				c := int(patterns[i*m+k])
				lo, hi = int(first[c])+rank(c, lo), int(first[c])+rank(c, hi)
			}
			return float64(hi - lo)
		},
	}
}

func jacobiCase(s scale) *benchmark {
	n := s.of(1<<20, 500)
	first := make([]int32, n+1)
	for i := range n {
		first[i+1] = first[i] + 1 + small32(i, 1, 25)
	}
	total := int(first[n])
	index := make([]int32, total)
	parallel(n, func(i int) {
		for k := first[i]; k < first[i+1]; k++ {
			index[k] = int32((i + 1 + int(small32(int(k), 2, 400))) % n)
		}
		index[first[i]+small32(i, 3, uint32(first[i+1]-first[i]))] = int32(i)
	})
	value := func(i, k int) float64 {
		if int(index[k]) == i {
			return uniform(i, 4, 20, 30)
		}
		return uniform(k, 5, -1, 1)
	}
	values := make([]float64, total)
	parallel(n, func(i int) {
		for k := int(first[i]); k < int(first[i+1]); k++ {
			values[k] = value(i, k)
		}
	})
	return &benchmark{
		name: "jacobi_rows", kernel: kernels.JacobiRows, cfg: launch.Linear(n, 256), unit: "GFLOP/s", work: 2 * float64(total) / 1e9,
		setup: func(d *device) inputs {
			next := alloc[float64](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, first), upload(d, index), upload(d, values), upload(d, doubles(n, 6, -1, 1)), upload(d, doubles(n, 7, -1, 1)), next}, results: each(next)}
		},
		want: func(_, i int) float64 {
			sum := uniform(i, 6, -1, 1)
			for k := int(first[i]); k < int(first[i+1]); k++ {
				if j := int(index[k]); j != i {
					sum -= value(i, k) * uniform(j, 7, -1, 1)
				}
			}
			return sum / uniform(i, 4, 20, 30)
		},
		tolerance: 1e-12,
	}
}

func nmsCase(s scale) *benchmark {
	n := s.of(16384, 200)
	words := (n + kernels.NMSBoxes - 1) / kernels.NMSBoxes
	const limit = 0.3
	size := float32(s.of(1000, 100))
	boxes := filled(n, func(i int) kernels.Found {
		x, y := kernels.Uniform(i, 1, 0, size), kernels.Uniform(i, 2, 0, size)
		return kernels.Found{X1: x, Y1: y, X2: x + kernels.Uniform(i, 3, 10, 80), Y2: y + kernels.Uniform(i, 4, 10, 80)}
	})
	return &benchmark{
		name: "nms", kernel: kernels.NMS, cfg: grid(words, words, kernels.NMSBoxes, 1), unit: "Gpair/s", work: float64(n) * float64(n) / 2e9,
		setup: func(d *device) inputs {
			mask := alloc[uint64](d, n*words)
			return inputs{lens: []int{n}, args: []any{float32(limit), upload(d, boxes), mask}, results: []result{sampled[uint32](mask)}}
		},
		want: func(_, e int) float64 {
			i, j0 := e/2/words, e/2%words*64+e%2*32
			area := func(b kernels.Found) float64 { return float64(b.X2-b.X1) * float64(b.Y2-b.Y1) }
			var word uint32
			for j := max(j0, i+1); j < min(j0+32, n); j++ {
				a, b := boxes[i], boxes[j]
				w, h := max(min(a.X2, b.X2)-max(a.X1, b.X1), 0), max(min(a.Y2, b.Y2)-max(a.Y1, b.Y1), 0)
				common := float64(w) * float64(h)
				if common > limit*(area(a)+area(b)-common) {
					word |= 1 << (j - j0)
				}
			}
			return float64(word)
		},
		stray: 0.002, // at the limit
	}
}

func embeddingCase(s scale) *benchmark {
	bags, rows := s.of(1<<15, 60), s.of(100000, 90)
	const dim = kernels.EmbeddingDim
	offsets := make([]int32, bags)
	for b := range bags - 1 {
		offsets[b+1] = offsets[b] + small32(b, 1, 40)
	}
	count := int(offsets[bags-1]) + 7
	ids := smalls(count, 2, uint32(rows))
	return &benchmark{
		name: "embedding_bag", kernel: kernels.EmbeddingBag, cfg: grid(bags, 1, dim, 1), unit: "GB/s", work: 4 * dim * float64(count) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, bags*dim)
			return inputs{lens: []int{count, bags}, args: []any{upload(d, floats(rows*dim, 3, -1, 1)), upload(d, ids), upload(d, offsets), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			bag, t := e/dim, e%dim
			own := ids[offsets[bag]:]
			if bag+1 < bags {
				own = ids[offsets[bag]:offsets[bag+1]]
			}
			for _, id := range own {
				sum += uniform(int(id)*dim+t, 3, -1, 1)
			}
			return sum / float64(max(len(own), 1))
		},
		tolerance: 1e-6,
	}
}

func gruCase(s scale) *benchmark {
	rows, width := s.of(8192, 5), s.of(1024, 100)
	n := rows * width
	return &benchmark{
		name: "gru_cell", kernel: kernels.GRUCell, cfg: launch.Linear(n, 256), unit: "GB/s", work: 32 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{width, upload(d, floats(3*n, 1, -3, 3)), upload(d, floats(3*n, 2, -3, 3)), upload(d, floats(n, 3, -1, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			gate := func(k int, seed uint32) float64 { return uniform((e/width*3+k)*width+e%width, seed, -3, 3) }
			sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
			reset, update := sigmoid(gate(0, 1)+gate(0, 2)), sigmoid(gate(1, 1)+gate(1, 2))
			return (1-update)*math.Tanh(gate(2, 1)+reset*gate(2, 2)) + update*uniform(e, 3, -1, 1)
		},
		tolerance: 1e-5, approximate: 1e-4,
	}
}

func demCase(s scale) *benchmark {
	edge := s.of(64, 5)
	const size, stiff, damp = float32(1.0), float32(100), float32(0.5)
	cells := edge * edge * edge
	first := make([]int32, cells+1)
	for c := range cells {
		first[c+1] = first[c] + small32(c, 1, 5)
	}
	grains := make([]kernels.Grain, first[cells])
	parallel(cells, func(c int) {
		x, y, z := float32(c%edge), float32(c/edge%edge), float32(c/edge/edge)
		for i := int(first[c]); i < int(first[c+1]); i++ {
			grains[i] = kernels.Grain{
				Pos:    kernels.Vec{X: x + kernels.Uniform(3*i, 2, 0.01, 0.99), Y: y + kernels.Uniform(3*i+1, 2, 0.01, 0.99), Z: z + kernels.Uniform(3*i+2, 2, 0.01, 0.99)},
				Vel:    kernels.Vec{X: kernels.Uniform(3*i, 3, -1, 1), Y: kernels.Uniform(3*i+1, 3, -1, 1), Z: kernels.Uniform(3*i+2, 3, -1, 1)},
				Radius: kernels.Uniform(i, 4, 0.2, 0.5),
			}
		}
	})
	n := len(grains)
	return &benchmark{
		name: "dem_contact", kernel: kernels.DEMContact, cfg: launch.Linear(n, 128), unit: "Ggrain/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			lists, all, force := upload(d, first), upload(d, grains), alloc[kernels.Vec](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.CellList{First: lists.Device(), N: edge, Size: size}, stiff, damp, all, force},
				twin: []any{n, edge, size, stiff, damp, lists, all, force}, results: []result{sampled[float32](force)}}
		},
		want: func(_, e int) (sum float64) {
			i := e / 3
			type vec [3]float64
			of := func(v kernels.Vec) vec { return vec{float64(v.X), float64(v.Y), float64(v.Z)} }
			a, va := of(grains[i].Pos), of(grains[i].Vel)
			for z := max(int(a[2])-1, 0); z <= min(int(a[2])+1, edge-1); z++ {
				for y := max(int(a[1])-1, 0); y <= min(int(a[1])+1, edge-1); y++ {
					for x := max(int(a[0])-1, 0); x <= min(int(a[0])+1, edge-1); x++ {
						c := (z*edge+y)*edge + x
						for j := int(first[c]); j < int(first[c+1]); j++ {
							b, vb := of(grains[j].Pos), of(grains[j].Vel)
							reach := float64(grains[i].Radius) + float64(grains[j].Radius)
							var square, speed float64
							for k := range 3 {
								square += (b[k] - a[k]) * (b[k] - a[k])
								speed += (vb[k] - va[k]) * (b[k] - a[k])
							}
							if dist := math.Sqrt(square); j != i && dist < reach {
								sum += (float64(damp)*speed/dist - float64(stiff)*(reach-dist)) * (b[e%3] - a[e%3]) / dist
							}
						}
					}
				}
			}
			return sum
		},
		tolerance: 1e-3, stray: 0.002, // grains that nearly touch or lie nearly in one place
	}
}

func im2colCase(s scale) *benchmark {
	u := kernels.Unfold{N: s.of(16, 2), C: s.of(64, 3), H: s.of(112, 11), W: s.of(112, 17), Kernel: 3, Stride: 2, Pad: 2, Dilation: 2}
	oh, ow := (u.H-1)/2+1, (u.W-1)/2+1 // the kernel covers 5 pixels, of which 4 may be padding
	n := u.N * u.C * 9 * oh * ow
	return &benchmark{
		name: "im2col", kernel: kernels.Im2col, cfg: launch.Linear(n, 256), unit: "GB/s", work: 4 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			in, out := upload(d, floats(u.N*u.C*u.H*u.W, 1, -1, 1)), alloc[float32](d, n)
			type unfold struct{ N, C, H, W, Kernel, Stride, Pad, Dilation int32 }
			small := unfold{int32(u.N), int32(u.C), int32(u.H), int32(u.W), int32(u.Kernel), int32(u.Stride), int32(u.Pad), int32(u.Dilation)}
			return inputs{args: []any{u, in, out}, twin: []any{n, small, in, out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			x, y, k, plane := e%ow, e/ow%oh, e/ow/oh%9, e/ow/oh/9
			sx, sy := 2*x-2+2*(k%3), 2*y-2+2*(k/3)
			if sx < 0 || sx >= u.W || sy < 0 || sy >= u.H {
				return 0
			}
			return uniform((plane*u.H+sy)*u.W+sx, 1, -1, 1)
		},
	}
}
