package main

import (
	"math"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// portedCases are kernels as programs in CUDA and HIP have them, written in Go by someone who ports.
func portedCases(s scale) []*benchmark {
	return []*benchmark{
		sobelCase(s), integralCase(s), depthwiseCase(s), ropeCase(s), trilinearCase(s), heatCase(s),
		joinCase(s), boxCellsCase(s), topkCase(s), coolingCase(s), csrTrianglesCase(s), labCase(s),
	}
}

func sobelCase(s scale) *benchmark {
	w, h := s.of(8192, 70), s.of(8192, 29)
	at := func(x, y int) int {
		return int(byte(kernels.Hash(min(max(y, 0), h-1)*w+min(max(x, 0), w-1), 1) >> 8))
	}
	slopes := func(x, y int) (gx, gy int) {
		for k, f := range [3]int{1, 2, 1} {
			gx += f * (at(x+1, y+k-1) - at(x-1, y+k-1))
			gy += f * (at(x+k-1, y+1) - at(x+k-1, y-1))
		}
		return gx, gy
	}
	square := func(x, y int) int {
		gx, gy := slopes(x, y)
		return gx*gx + gy*gy
	}
	return &benchmark{
		name: "sobel_nms", kernel: kernels.SobelNMS, cfg: grid((w+kernels.NMSW-1)/kernels.NMSW, (h+kernels.NMSH-1)/kernels.NMSH, kernels.NMSW, kernels.NMSH),
		unit: "GB/s", work: 3 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			in, edges, directions := upload(d, bytesOf(w*h, 1)), alloc[uint8](d, w*h), alloc[uint8](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			grey := func(b *launch.Buffer[uint8]) kernels.Grey { return kernels.Grey{Pix: b.Device(), W: w, H: h} }
			return inputs{args: []any{grey(in), grey(edges), grey(directions)}, twin: []any{w, h, in, edges, directions}, results: each(edges, directions)}
		},
		want: func(r, e int) float64 {
			x, y := e%w, e/w
			gx, gy := slopes(x, y)
			ax, ay := max(gx, -gx), max(gy, -gy)
			d := 3
			switch {
			case 5*ay < 2*ax:
				d = 0
			case 2*ay > 5*ax:
				d = 2
			case gx*gy >= 0:
				d = 1
			}
			if r == 1 {
				return float64(d)
			}
			dx, dy := [4]int{1, 1, 0, -1}[d], [4]int{0, 1, 1, 1}[d]
			if own := square(x, y); own > square(x+dx, y+dy) && own >= square(x-dx, y-dy) {
				return math.Floor(min(math.Sqrt(float64(own)), 255))
			}
			return 0
		},
		stray: 0.01, // of fast roots
	}
}

func integralCase(s scale) *benchmark {
	w, h := s.of(8192, 700), s.of(8192, 5)
	return &benchmark{
		name: "integral_rows", kernel: kernels.IntegralRows, cfg: grid(h, 1, kernels.IntegralThreads, 1), unit: "GB/s", work: 5 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, w*h)
			return inputs{args: []any{w, upload(d, bytesOf(w*h, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			for i := e / w * w; i <= e; i++ {
				sum += float64(byte(kernels.Hash(i, 1) >> 8))
			}
			return sum
		},
	}
}

func depthwiseCase(s scale) *benchmark {
	n, h, w, c := s.of(32, 2), s.of(112, 9), s.of(112, 11), s.of(128, 5)
	const stride, pad = 2, 1
	oh, ow := (h+2*pad-3)/stride+1, (w+2*pad-3)/stride+1
	all := n * oh * ow * c
	return &benchmark{
		name: "depthwise_conv", kernel: kernels.DepthwiseConv, cfg: launch.Linear(all, 256), unit: "GB/s", work: 4 * float64(n*h*w*c+all) / 1e9,
		setup: func(d *device) inputs {
			in, out := upload(d, floats(n*h*w*c, 1, -1, 2)), alloc[float32](d, all)
			weights, bias := upload(d, floats(9*c, 2, -0.5, 1)), upload(d, floats(c, 3, 0, 1))
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Tensor{Data: in.Device(), H: h, W: w, C: c}, kernels.Tensor{Data: out.Device(), H: oh, W: ow, C: c}, stride, pad, weights, bias},
				twin: []any{n, h, w, c, oh, ow, stride, pad, in, weights, bias, out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			ch, x, y, b := e%c, e/c%ow, e/c/ow%oh, e/c/ow/oh
			sum := uniform(ch, 3, 0, 1)
			for k := range 9 {
				if iy, ix := y*stride+k/3-pad, x*stride+k%3-pad; iy >= 0 && iy < h && ix >= 0 && ix < w {
					sum += uniform(k*c+ch, 2, -0.5, 1) * uniform(((b*h+iy)*w+ix)*c+ch, 1, -1, 2)
				}
			}
			return min(max(sum, 0), 6)
		},
		tolerance: 1e-5,
	}
}

func ropeCase(s scale) *benchmark {
	tokens, heads, keyHeads, depth := s.of(8192, 7), s.of(32, 3), s.of(8, 2), s.of(128, 12)
	half := depth / 2
	positions := smalls(tokens, 3, 32)
	frequencies := filled(half, func(p int) float32 { return float32(math.Pow(10000, -float64(p)/float64(half))) })
	n := tokens * heads * half
	return &benchmark{
		name: "rope", kernel: kernels.Rope, cfg: launch.Linear(n, 256), unit: "GB/s", work: 8 * float64(tokens*(heads+keyHeads)*depth) / 1e9,
		setup: func(d *device) inputs {
			q, k := changed(d, floats(tokens*heads*depth, 1, -1, 1)), changed(d, floats(tokens*keyHeads*depth, 2, -1, 1))
			at, turns := upload(d, positions), upload(d, frequencies)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Heads{Data: q.Device(), Count: heads, Depth: depth}, kernels.Heads{Data: k.Device(), Count: keyHeads, Depth: depth}, at, turns},
				twin: []any{tokens, heads, keyHeads, depth, q, k, at, turns}, results: each(q, k)}
		},
		// Launches after the first turn them again; only the first is looked at.
		want: func(r, e int) float64 {
			count := [2]int{heads, keyHeads}[r]
			value := func(i int) float64 { return uniform(i, uint32(r+1), -1, 1) }
			token, first, pair := e/(count*depth), e/depth*depth, e%half
			angle := float64(float32(positions[token]) * frequencies[pair])
			sin, cos := math.Sincos(angle)
			a, b := value(first+pair), value(first+pair+half)
			if e%depth < half {
				return a*cos - b*sin
			}
			return a*sin + b*cos
		},
		tolerance: 1e-5, approximate: 1e-2,
	}
}

func trilinearCase(s scale) *benchmark {
	n, nx, ny, nz := s.of(1<<22, 700), s.of(256, 20), s.of(256, 14), s.of(128, 9)
	points := vecs(n, 2, -2, float32(nx+2))
	return &benchmark{
		name: "trilinear", kernel: kernels.Trilinear, cfg: launch.Linear(n, 256), unit: "Gpoint/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			volume, at, out := upload(d, floats(nx*ny*nz, 1, 0, 1)), upload(d, points), alloc[float32](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Grid3[float32]{Data: volume.Device(), NX: nx, NY: ny, NZ: nz}, at, out},
				twin: []any{n, nx, ny, nz, volume, at, out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			p := points[i]
			at := func(v float32, k, n int) (int, float64) {
				low := math.Floor(float64(v))
				weight := float64(v) - low
				if k == 0 {
					weight = 1 - weight
				}
				return min(max(int(low)+k, 0), n-1), weight
			}
			for k := range 8 {
				x, wx := at(p.X, k&1, nx)
				y, wy := at(p.Y, k>>1&1, ny)
				z, wz := at(p.Z, k>>2, nz)
				sum += wx * wy * wz * uniform((z*ny+y)*nx+x, 1, 0, 1)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func heatCase(s scale) *benchmark {
	nx, ny, nz := s.of(512, 37), s.of(256, 21), s.of(256, 5)
	n := nx * ny * nz
	const r = 0.75
	return &benchmark{
		name: "heat_adi", kernel: kernels.HeatADI, cfg: grid((nx+63)/64, (nz+3)/4, 64, 4), unit: "GB/s", work: 24 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			upper, out := alloc[float32](d, n), alloc[float32](d, n)
			return inputs{args: []any{nx, ny, nz, float32(r), upload(d, floats(n, 1, 0, 1)), upper, out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			x, at, z := e%nx, e/nx%ny, e/nx/ny
			c, d := make([]float64, ny), make([]float64, ny)
			for y := range ny {
				v, m := uniform((z*ny+y)*nx+x, 1, 0, 1), 1+2*r
				if y > 0 {
					v, m = v+r*d[y-1], m+r*c[y-1]
				}
				c[y], d[y] = -r/m, v/m
			}
			v := d[ny-1]
			for y := ny - 2; y >= at; y-- {
				v = d[y] - c[y]*v
			}
			return v
		},
		tolerance: 1e-5,
	}
}

func joinCase(s scale) *benchmark {
	n, capacity := s.of(1<<24, 600), s.of(1<<22, 1024)
	held := capacity * 5 / 8
	key := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	asked := func(i int) int { return int(small32(i, 1, uint32(2*held))) } // the first half are in the table
	return &benchmark{
		name: "string_hash_join", kernel: kernels.HashJoin, cfg: grid(s.of(1056*4, 3), 1, 128, 1), unit: "Gkey/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			table := filled(capacity, func(int) kernels.JoinSlot { return kernels.JoinSlot{Row: -1} })
			for row := range held {
				at := int(kernels.JoinHash(key(row))) & (capacity - 1)
				for table[at].Row >= 0 {
					at = (at + 1) & (capacity - 1)
				}
				table[at] = kernels.JoinSlot{Key: key(row), Row: int32(row)}
			}
			out := alloc[int32](d, n)
			return inputs{lens: []int{n, capacity}, args: []any{upload(d, filled(n, func(i int) uint64 { return key(asked(i)) })), upload(d, table), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			if row := asked(i); row < held {
				return float64(row)
			}
			return -1
		},
	}
}

func boxCellsCase(s scale) *benchmark {
	count, n := s.of(1<<23, 700), s.of(64, 5)
	const size = 10
	scale := float32(n) / size
	points := vecs(count, 1, -0.1, size+0.1)
	cell := func(i int) int {
		along := func(v float32) int { return min(max(int(v*scale), 0), n-1) }
		return (along(points[i].Z)*n+along(points[i].Y))*n + along(points[i].X)
	}
	counted := sync.OnceValue(func() []int32 {
		counts := make([]int32, n*n*n)
		for i := range count {
			counts[cell(i)]++
		}
		return counts
	})
	return &benchmark{
		name: "box_cells", kernel: kernels.BoxCells, cfg: launch.Linear(count, 256), unit: "Gpoint/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			counts, cells, ranks := alloc[int32](d, n*n*n), alloc[int32](d, count), alloc[int32](d, count)
			// Whether each sampled point's rank is one of its cell's, which no other point has.
			read := func() (out []float64, err error) {
				host := make([]int32, count)
				if err := ranks.Download(host); err != nil {
					return nil, err
				}
				type place struct{ cell, rank int32 }
				points := make(map[place]int, count)
				for i, rank := range host {
					points[place{int32(cell(i)), rank}]++
				}
				for i := 0; i < count; i += stride(count) {
					c, good := int32(cell(i)), 0.
					if rank := host[i]; rank >= 0 && rank < counted()[c] && points[place{c, rank}] == 1 {
						good = 1
					}
					out = append(out, good)
				}
				return out, nil
			}
			return inputs{lens: []int{count}, args: []any{n, scale, upload(d, points), counts, cells, ranks}, results: append(each(counts, cells), result{count, read})}
		},
		want: func(r, e int) float64 {
			return [3]func() float64{
				func() float64 { return float64(counted()[e]) },
				func() float64 { return float64(cell(e)) },
				func() float64 { return 1 },
			}[r]()
		},
	}
}

func topkCase(s scale) *benchmark {
	rows, cols, parts := s.of(4096, 11), s.of(4096, 120), s.of(32, 3)
	size := cols / parts
	const top = kernels.TopCount
	return &benchmark{
		name: "topk_rows", kernel: kernels.TopkRows, cfg: launch.Linear(rows*parts, 128), unit: "GB/s", work: 4 * float64(rows*cols) / 1e9,
		setup: func(d *device) inputs {
			values, where := alloc[float32](d, rows*parts*top), alloc[int32](d, rows*parts*top)
			return inputs{lens: []int{rows}, args: []any{cols, parts, upload(d, floats(rows*cols, 1, 0.1, 1)), values, where}, results: append(each(values), each(where)...)}
		},
		want: func(r, e int) float64 {
			i, first := e/top, e/top%parts*size
			taken := make([]bool, size)
			best := 0
			for range e%top + 1 {
				best = -1
				for c := range size {
					if at := i/parts*cols + first; !taken[c] && (best < 0 || kernels.Uniform(at+c, 1, 0.1, 1) > kernels.Uniform(at+best, 1, 0.1, 1)) {
						best = c
					}
				}
				taken[best] = true
			}
			if r == 1 {
				return float64(first + best)
			}
			return uniform(i/parts*cols+first+best, 1, 0.1, 1)
		},
	}
}

func coolingCase(s scale) *benchmark {
	n := s.of(256, 10)
	cells := n * n * n
	const colour = 1
	var chances [7]float32
	for k := range chances {
		chances[k] = float32(math.Exp(-0.5 * float64(k)))
	}
	spin := func(i int) uint8 { return uint8(small32(i, 1, kernels.PottsStates)) }
	state := func(i int) uint32 { return kernels.Hash(i, 2) | 1 }
	next := func(x uint32) uint32 {
		x ^= x << 13
		x ^= x >> 17
		return x ^ x<<5
	}
	return &benchmark{
		name: "cooling", kernel: kernels.Cooling,
		cfg:  launch.Config{Grid: launch.Dim3{X: (n + 31) / 32, Y: (n + 7) / 8, Z: n}, Block: launch.Dim3{X: 32, Y: 8}},
		unit: "Gcell/s", work: float64(cells) / 1e9,
		setup: func(d *device) inputs {
			spins, random := changed(d, filled(cells, spin)), changed(d, filled(cells, func(i int) kernels.XorShift { return kernels.XorShift(state(i)) }))
			change := alloc[int32](d, cells)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{n, colour, chances, kernels.Grid3[uint8]{Data: spins.Device(), NX: n, NY: n, NZ: n}, random, change},
				twin: []any{n, colour, chances, spins, random, change}, results: []result{sampled[uint8](spins), sampled[uint32](random), sampled[int32](change)}}
		},
		// Launches after the first start at other states; only the first is looked at.
		want: func(r, e int) float64 {
			x, y, z := e%n, e/n%n, e/n/n
			own, first := spin(e), state(e)
			if (x+y+z)%2 != colour {
				return [3]float64{float64(own), float64(first), 0}[r]
			}
			second := next(first)
			third := next(second)
			proposed := uint8(second % kernels.PottsStates)
			broken := 0
			for _, step := range [6][3]int{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}} {
				switch s := spin(((z+step[2]+n)%n*n+(y+step[1]+n)%n)*n + (x+step[0]+n)%n); {
				case own == proposed:
				case s == own:
					broken++
				case s == proposed:
					broken--
				}
			}
			if broken > 0 && float32(third>>8)*0x1p-24 >= chances[broken] {
				proposed, broken = own, 0
			}
			return [3]float64{float64(proposed), float64(third), float64(broken)}[r]
		},
	}
}

func csrTrianglesCase(s scale) *benchmark {
	n := s.of(1<<17, 100)
	const near = 48
	linked := func(u, v int) bool { return v > u && v <= u+near && v < n && kernels.Hash(u*64+v-u, 1)>>8%3 == 0 }
	rows := make([]int32, n+1)
	var to, from []int32
	for u := range n {
		for v := u + 1; v <= u+near; v++ {
			if linked(u, v) {
				to, from = append(to, int32(v)), append(from, int32(u))
			}
		}
		rows[u+1] = int32(len(to))
	}
	return &benchmark{
		name: "csr_triangles", kernel: kernels.CSRTriangles, cfg: launch.Linear(n, 128), unit: "Gedge/s", work: float64(len(to)) / 1e9,
		setup: func(d *device) inputs {
			first, cols, counts := upload(d, rows), upload(d, to), alloc[int32](d, len(to))
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Graph{First: first.Device(), From: cols.Device()}, counts}, twin: []any{n, first, cols, counts}, results: each(counts)}
		},
		want: func(_, e int) (c float64) {
			u, v := int(from[e]), int(to[e])
			for w := v + 1; w <= u+near; w++ {
				if linked(u, w) && linked(v, w) {
					c++
				}
			}
			return c
		},
	}
}

func labCase(s scale) *benchmark {
	n := s.of(8192*4000, 700)
	gamma := filled(256, func(i int) float32 {
		if v := float64(i) / 255; v > 0.04045 {
			return float32(math.Pow((v+0.055)/1.055, 2.4))
		}
		return float32(float64(i) / 255 / 12.92)
	})
	return &benchmark{
		name: "rgb_to_lab", kernel: kernels.RGBToLab, cfg: launch.Linear(n, 256), unit: "GB/s", work: 15 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[kernels.Lab](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, bytesOf(3*n, 1)), upload(d, gamma), out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) float64 {
			at := func(c int) float64 { return float64(gamma[byte(kernels.Hash(e/3*3+c, 1)>>8)]) }
			root := func(r, g, b, white float64) float64 {
				t := (r*at(0) + g*at(1) + b*at(2)) / white
				if t > 0.008856 {
					return math.Cbrt(t)
				}
				return 7.787*t + 16./116
			}
			x, y, z := root(0.4124564, 0.3575761, 0.1804375, 0.95047), root(0.2126729, 0.7151522, 0.0721750, 1), root(0.0193339, 0.1191920, 0.9503041, 1.08883)
			return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}[e%3]
		},
		tolerance: 2e-4, approximate: 1e-2,
	}
}
