package main

import (
	"bytes"
	"math"
	"math/bits"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// helperCases are kernels whose indices are in methods, closures and other helpers, as Go programs have them.
func helperCases(s scale) []*benchmark {
	return []*benchmark{
		separableCase(s), rotateCase(s), shallowCase(s), fdtdCase(s), pagerankCase(s), luCase(s), spmmCase(s), rmsnormCase(s),
		int4Case(s), horspoolCase(s), rdfCase(s), marchingCase(s), forestCase(s), lzCase(s),
	}
}

func separableCase(s scale) *benchmark {
	w, h := s.of(8192, 70), s.of(8192, 29)
	var weights [2*kernels.BlurRadius + 1]float32
	for k := range weights {
		weights[k] = kernels.Uniform(k, 2, 0, 0.2)
	}
	return &benchmark{
		name: "separable", kernel: kernels.Separable, cfg: grid((w+kernels.BlurW-1)/kernels.BlurW, (h+kernels.BlurH-1)/kernels.BlurH, kernels.BlurW, kernels.BlurH),
		unit: "GB/s", work: 8 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, h, weights, upload(d, floats(w*h, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			x, y := e%w, e/w
			for j, wy := range weights {
				for i, wx := range weights {
					sx, sy := min(max(x+i-kernels.BlurRadius, 0), w-1), min(max(y+j-kernels.BlurRadius, 0), h-1)
					sum += float64(wx) * float64(wy) * uniform(sy*w+sx, 1, 0, 1)
				}
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func rotateCase(s scale) *benchmark {
	w, h := s.of(8192, 70), s.of(4096, 29)
	cos, sin := float32(math.Cos(0.3)), float32(math.Sin(0.3))
	at := func(x, y int) float64 {
		if x < 0 || x >= w || y < 0 || y >= h {
			return 0
		}
		return float64(x%64)/64 + float64(y%32)/64 // it rises, and begins again every 64 columns and 32 rows
	}
	return &benchmark{
		name: "rotate", kernel: kernels.Rotate, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, h, cos, sin, upload(d, filled(w*h, func(i int) float32 { return float32(at(i%w, i/w)) })), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			x, y := e%w, e/w
			cx, cy := float64(w-1)/2, float64(h-1)/2
			dx, dy := float64(x)-cx, float64(y)-cy
			fx, fy := float64(cos)*dx+float64(sin)*dy+cx, float64(cos)*dy-float64(sin)*dx+cy
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			ax, ay := fx-math.Floor(fx), fy-math.Floor(fy)
			row := func(y int) float64 { return at(x0, y)*(1-ax) + at(x0+1, y)*ax }
			return row(y0)*(1-ay) + row(y0+1)*ay
		},
		tolerance: 2e-3, stray: 0.002,
	}
}

func shallowCase(s scale) *benchmark {
	w, h := s.of(4096, 70), s.of(4096, 13)
	const g, ratio = float32(9.81), float32(0.05)
	cell := func(x, y int) kernels.Water {
		i := (y+h)%h*w + (x+w)%w
		return kernels.Water{H: kernels.Uniform(i, 1, 1, 2), HU: kernels.Uniform(i, 2, -1, 1), HV: kernels.Uniform(i, 3, -1, 1)}
	}
	return &benchmark{
		name: "shallow_water", kernel: kernels.ShallowWater, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "GB/s", work: 24 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			now, next := upload(d, filled(w*h, func(i int) kernels.Water { return cell(i%w, i/w) })), alloc[kernels.Water](d, w*h)
			if d.err != nil {
				return inputs{}
			}
			return inputs{args: []any{kernels.Sea{Cells: now.Device(), W: w, H: h}, kernels.Sea{Cells: next.Device(), W: w, H: h}, g, ratio},
				twin: []any{w, h, now, next, g, ratio}, results: []result{sampled[float32](next)}}
		},
		want: func(_, e int) float64 {
			x, y := e/3%w, e/3/w
			type vec [3]float64
			of := func(c kernels.Water) vec { return vec{float64(c.H), float64(c.HU), float64(c.HV)} }
			fx := func(c vec) vec { return vec{c[1], c[1]*c[1]/c[0] + 0.5*9.81*c[0]*c[0], c[1] * c[2] / c[0]} }
			fy := func(c vec) vec { return vec{c[2], c[1] * c[2] / c[0], c[2]*c[2]/c[0] + 0.5*9.81*c[0]*c[0]} }
			l, r, u, d := of(cell(x-1, y)), of(cell(x+1, y)), of(cell(x, y-1)), of(cell(x, y+1))
			k := e % 3
			return (l[k]+r[k]+u[k]+d[k])/4 - 0.025*(fx(r)[k]-fx(l)[k]+fy(d)[k]-fy(u)[k])
		},
		tolerance: 1e-5,
	}
}

func fdtdCase(s scale) *benchmark {
	nx, ny, nz := s.of(512, 40), s.of(512, 19), s.of(128, 6)
	n := nx * ny * nz
	return &benchmark{
		name: "fdtd", kernel: kernels.FDTD, cfg: grid((nx+31)/32, (ny+7)/8, 32, 8), unit: "GB/s", work: 36 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			e := [3]*launch.Buffer[float32]{changed(d, floats(n, 4, -1, 1)), changed(d, floats(n, 5, -1, 1)), changed(d, floats(n, 6, -1, 1))}
			return inputs{args: []any{nx, ny, nz, float32(0.5), upload(d, floats(n, 1, -1, 1)), upload(d, floats(n, 2, -1, 1)), upload(d, floats(n, 3, -1, 1)), e[0], e[1], e[2]},
				results: each(e[:]...)}
		},
		want: func(r, i int) float64 {
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			v := uniform(i, uint32(4+r), -1, 1)
			if x == 0 || y == 0 || z == 0 {
				return v
			}
			step := [3]int{1, nx, nx * ny}
			a, b := (r+1)%3, (r+2)%3 // d h_b / d a - d h_a / d b
			h := func(c, i int) float64 { return uniform(i, uint32(1+c), -1, 1) }
			return v + 0.5*((h(b, i)-h(b, i-step[a]))-(h(a, i)-h(a, i-step[b])))
		},
		tolerance: 1e-6,
	}
}

func pagerankCase(s scale) *benchmark {
	n := s.of(1<<20, 500)
	first := make([]int32, n+1)
	for v := range n {
		first[v+1] = first[v] + small32(v, 1, 25)
	}
	edges := int(first[n])
	from := smalls(edges, 2, uint32(n))
	degree := make([]int32, n)
	for _, u := range from {
		degree[u]++
	}
	return &benchmark{
		name: "pagerank", kernel: kernels.PageRank, cfg: launch.Linear(n, 256), unit: "Gedge/s", work: float64(edges) / 1e9,
		setup: func(d *device) inputs {
			next := alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{float32(0.85), upload(d, first), upload(d, from), upload(d, degree), upload(d, floats(n, 3, 0, 1)), next}, results: each(next)}
		},
		want: func(_, v int) float64 {
			sum := 0.0
			for _, u := range from[first[v]:first[v+1]] {
				sum += uniform(int(u), 3, 0, 1) / float64(degree[u])
			}
			return 0.15/float64(n) + 0.85*sum
		},
		tolerance: 1e-6,
	}
}

func luCase(s scale) *benchmark {
	n := s.of(8192, 3)
	const order, size = kernels.LUOrder, kernels.LUOrder * kernels.LUOrder
	var mu sync.Mutex
	type split struct {
		a [order][order]float64
		p [order]int
	}
	known := map[int]*split{}
	solve := func(b int) *split {
		mu.Lock()
		defer mu.Unlock()
		if known[b] != nil {
			return known[b]
		}
		m := &split{}
		for i := range size {
			m.a[i/order][i%order] = uniform(b*size+i, 1, -1, 1)
		}
		for k := range order {
			p := k
			for r := k + 1; r < order; r++ {
				if math.Abs(m.a[r][k]) > math.Abs(m.a[p][k]) {
					p = r
				}
			}
			m.p[k] = p
			m.a[k], m.a[p] = m.a[p], m.a[k]
			for r := k + 1; r < order; r++ {
				f := m.a[r][k] / m.a[k][k]
				m.a[r][k] = f
				for c := k + 1; c < order; c++ {
					m.a[r][c] -= f * m.a[k][c]
				}
			}
		}
		known[b] = m
		return m
	}
	return &benchmark{
		name: "batched_lu", kernel: kernels.LU, cfg: grid(n, 1, order, 1), unit: "GFLOP/s", work: 2. / 3 * order * size * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out, pivots := alloc[float32](d, n*size), alloc[int32](d, n*order)
			return inputs{args: []any{upload(d, floats(n*size, 1, -1, 1)), out, pivots}, results: append(each(out), each(pivots)...)}
		},
		want: func(r, e int) float64 {
			if r == 1 {
				return float64(solve(e / order).p[e%order])
			}
			return solve(e / size).a[e%size/order][e%order]
		},
		tolerance: 2e-3, stray: 0.01, // other pivots
	}
}

func spmmCase(s scale) *benchmark {
	n, cols := s.of(1<<17, 150), s.of(64, 40)
	first := make([]int32, n+1)
	for i := range n {
		first[i+1] = first[i] + small32(i, 1, 33)
	}
	total := int(first[n])
	index := smalls(total, 2, uint32(n))
	return &benchmark{
		name: "spmm", kernel: kernels.SpMM, cfg: grid((cols+31)/32, (n+7)/8, 32, 8), unit: "GFLOP/s", work: 2 * float64(total*cols) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n*cols)
			return inputs{args: []any{n, cols, upload(d, first), upload(d, index), upload(d, floats(total, 3, -1, 1)), upload(d, floats(n*cols, 4, -1, 1)), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			i, j := e/cols, e%cols
			for k := first[i]; k < first[i+1]; k++ {
				sum += uniform(int(k), 3, -1, 1) * uniform(int(index[k])*cols+j, 4, -1, 1)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func rmsnormCase(s scale) *benchmark {
	rows, width := s.of(16384, 3), s.of(4096, 300)
	const eps = 1e-5
	return &benchmark{
		name: "rmsnorm", kernel: kernels.RMSNorm, cfg: grid(rows, 1, kernels.NormThreads, 1), unit: "GB/s", work: 16 * float64(rows*width) / 1e9,
		setup: func(d *device) inputs {
			residual, out := changed(d, floats(rows*width, 2, -1, 1)), alloc[float32](d, rows*width)
			return inputs{args: []any{width, float32(eps), upload(d, floats(rows*width, 1, -1, 1)), upload(d, floats(width, 3, 0.5, 1.5)), residual, out}, results: each(out)}
		},
		// Launches after the first add to the residual again; only the first is looked at.
		want: func(_, e int) float64 {
			at := func(i int) float64 { return uniform(i, 1, -1, 1) + uniform(i, 2, -1, 1) }
			sum := 0.0
			for c := range width {
				v := at(e/width*width + c)
				sum += v * v
			}
			return at(e) / math.Sqrt(sum/float64(width)+eps) * uniform(e%width, 3, 0.5, 1.5)
		},
		tolerance: 1e-5,
	}
}

func int4Case(s scale) *benchmark {
	rows, cols := s.of(32768, 20), s.of(16384, 1024)
	words := cols / 8
	return &benchmark{
		name: "int4_gemv", kernel: kernels.Int4Gemv, cfg: launch.Linear(rows*64, 256), unit: "GB/s", work: 4 * float64(rows*words) / 1e9,
		setup: func(d *device) inputs {
			y := alloc[float32](d, rows)
			return inputs{lens: []int{rows}, args: []any{cols, upload(d, filled(rows*words, func(i int) uint32 { return kernels.Hash(i, 1) })),
				upload(d, floats(rows*cols/kernels.Int4Group, 2, 0.01, 0.02)), upload(d, floats(cols, 3, -1, 1)), y}, results: each(y)}
		},
		want: func(_, row int) (sum float64) {
			for c := range cols {
				v := int(kernels.Hash(row*words+c/8, 1)>>(c%8*4)&15) - 8
				sum += float64(v) * uniform((row*cols+c)/kernels.Int4Group, 2, 0.01, 0.02) * uniform(c, 3, -1, 1)
			}
			return sum
		},
		tolerance: 1e-4,
	}
}

func horspoolCase(s scale) *benchmark {
	n, chunk := s.of(1<<19, 200), s.of(128, 64)
	pattern := []byte("needlework")
	letter := func(i int) byte {
		if k := i % 16; k < len(pattern) && kernels.Hash(i/16, 1)>>8%4 == 0 {
			return pattern[k]
		}
		return "abcdeklnorw "[kernels.Hash(i, 2)>>8%12]
	}
	length := n*chunk - 17
	return &benchmark{
		name: "horspool", kernel: kernels.Horspool, cfg: launch.Linear(n, 256), unit: "GB/s", work: float64(length) / 1e9,
		setup: func(d *device) inputs {
			counts := alloc[int32](d, n)
			return inputs{lens: []int{length, len(pattern), n}, args: []any{chunk, upload(d, filled(length, letter)), upload(d, pattern), counts}, results: each(counts)}
		},
		want: func(_, i int) (found float64) {
			for at := i * chunk; at < min((i+1)*chunk, length-len(pattern)+1); at++ {
				window := make([]byte, len(pattern))
				for k := range window {
					window[k] = letter(at + k)
				}
				if bytes.Equal(window, pattern) {
					found++
				}
			}
			return found
		},
	}
}

func rdfCase(s scale) *benchmark {
	n := s.of(1<<14, 300)
	const box = 10
	points := vecs(n, 1, 0, box)
	const scale = float32(kernels.RDFBins / 5.)
	hist := sync.OnceValue(func() []float64 {
		const parts = 64
		all := filled(parts, func(part int) []float64 {
			bins := make([]float64, kernels.RDFBins)
			image := func(d float32) float32 {
				if d > box/2 {
					return d - box
				} else if d < -box/2 {
					return d + box
				}
				return d
			}
			for i := part; i < n; i += parts {
				for _, q := range points[i+1:] {
					x, y, z := float64(image(points[i].X-q.X)), float64(image(points[i].Y-q.Y)), float64(image(points[i].Z-q.Z))
					if b := int(math.Sqrt(x*x+y*y+z*z) * float64(scale)); b < kernels.RDFBins {
						bins[b]++
					}
				}
			}
			return bins
		})
		for _, bins := range all[1:] {
			for b, v := range bins {
				all[0][b] += v
			}
		}
		return all[0]
	})
	return &benchmark{
		name: "rdf", kernel: kernels.RDF, cfg: launch.Linear(n, kernels.RDFTile), unit: "Gpair/s", work: float64(n) * float64(n) / 2e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, kernels.RDFBins)
			return inputs{lens: []int{n}, args: []any{float32(box), scale, upload(d, points), out}, results: each(out)}
		},
		want:      func(_, b int) float64 { return hist()[b] },
		tolerance: 2e-3, stray: 0.02, // at the limits of bins
	}
}

func marchingCase(s scale) *benchmark {
	nx, ny, nz := s.of(512, 40), s.of(512, 19), s.of(256, 5)
	n, cells := nx*ny*nz, (nx-1)*(ny-1)*(nz-1)
	const level = 0.4
	var edges [256]uint16
	for c := range edges {
		e := 0
		for a := range 8 {
			for axis := range 3 {
				if b := a | 1<<axis; b != a {
					if c>>a&1 != c>>b&1 {
						edges[c] |= 1 << e
					}
					e++
				}
			}
		}
	}
	cube := func(e int) (c int) {
		x, y, z := e%(nx-1), e/(nx-1)%(ny-1), e/(nx-1)/(ny-1)
		for k := range 8 {
			if kernels.Uniform(((z+k>>2)*ny+y+k>>1&1)*nx+x+k&1, 1, 0, 1) < level {
				c |= 1 << k
			}
		}
		return c
	}
	return &benchmark{
		name: "marching", kernel: kernels.Marching,
		cfg:  launch.Config{Grid: launch.Dim3{X: (nx + 30) / 32, Y: (ny + 6) / 8, Z: nz - 1}, Block: launch.Dim3{X: 32, Y: 8}},
		unit: "Gcell/s", work: float64(cells) / 1e9,
		setup: func(d *device) inputs {
			volume, table := upload(d, floats(n, 1, 0, 1)), upload(d, edges[:])
			cases, counts := alloc[uint8](d, cells), alloc[uint8](d, cells)
			if d.err != nil {
				return inputs{}
			}
			cube := func(b *launch.Buffer[uint8]) kernels.Grid3[uint8] {
				return kernels.Grid3[uint8]{Data: b.Device(), NX: nx - 1, NY: ny - 1, NZ: nz - 1}
			}
			return inputs{args: []any{kernels.Grid3[float32]{Data: volume.Device(), NX: nx, NY: ny, NZ: nz}, float32(level), table, cube(cases), cube(counts)},
				twin: []any{nx, ny, nz, float32(level), volume, table, cases, counts}, results: each(cases, counts)}
		},
		want: func(r, e int) float64 {
			c := cube(e)
			if r == 1 {
				return float64(bits.OnesCount16(edges[c]))
			}
			return float64(c)
		},
	}
}

func forestCase(s scale) *benchmark {
	n, trees, depth := s.of(1<<17, 150), s.of(64, 9), s.of(8, 4)
	const features = 24
	each1 := 1<<(depth+1) - 1
	nodes := filled(trees*each1, func(i int) kernels.Split {
		tree, k := i/each1, i%each1
		if 2*k+2 >= each1 || k > 2 && small32(i, 1, 10) == 0 {
			return kernels.Split{Feature: -1, Left: small32(i, 2, kernels.ForestClasses)}
		}
		base := int32(tree * each1)
		return kernels.Split{Feature: small32(i, 3, features), Threshold: kernels.Uniform(i, 4, 0.2, 0.8), Left: base + int32(2*k+1), Right: base + int32(2*k+2)}
	})
	roots := filled(trees, func(i int) int32 { return int32(i * each1) })
	return &benchmark{
		name: "forest", kernel: kernels.Forest, cfg: launch.Linear(n, 128), unit: "Gtree/s", work: float64(n*trees) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n)
			return inputs{lens: []int{n, trees}, args: []any{features, upload(d, roots), upload(d, nodes), upload(d, floats(n*features, 5, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			votes := make([]int, kernels.ForestClasses)
			for _, at := range roots {
				for nodes[at].Feature >= 0 {
					if kernels.Uniform(i*features+int(nodes[at].Feature), 5, 0, 1) < nodes[at].Threshold {
						at = nodes[at].Left
					} else {
						at = nodes[at].Right
					}
				}
				votes[nodes[at].Left]++
			}
			best := 0
			for c, v := range votes {
				if v > votes[best] {
					best = c
				}
			}
			return float64(best)
		},
	}
}

func lzCase(s scale) *benchmark {
	n := s.of(1<<21, 700)
	in := filled(n, func(i int) byte { // words of a small book
		word := kernels.Hash(i/6, 1) >> 8 % 64
		return byte(kernels.Hash(int(word)*6+i%6, 2) >> 8 % 26)
	})
	return &benchmark{
		name: "lz_match", kernel: kernels.LZMatch, cfg: launch.Linear(n, kernels.LZThreads), unit: "GB/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[kernels.Longest](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, in), out}, results: []result{sampled[int32](out)}}
		},
		want: func(_, e int) float64 {
			at := e / 2
			most, best, where := min(kernels.LZMost, n-at), 0, 0
			for offset := 1; offset <= min(kernels.LZWindow, at); offset++ {
				k := 0
				for k < most && in[at+k] == in[at-offset+k] {
					k++
				}
				if k > best {
					best, where = k, offset
				}
			}
			return float64([2]int{where, best}[e%2])
		},
	}
}
