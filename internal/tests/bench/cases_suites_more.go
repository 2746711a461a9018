package main

import (
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

func vecs(n int, seed uint32, lo, hi float32) []kernels.Vec {
	return filled(n, func(i int) kernels.Vec {
		return kernels.Vec{X: kernels.Uniform(3*i, seed, lo, hi), Y: kernels.Uniform(3*i+1, seed, lo, hi), Z: kernels.Uniform(3*i+2, seed, lo, hi)}
	})
}

func knnCase(s scale) *benchmark {
	n, points := s.of(1<<16, 150), s.of(4096, 300)
	q, p := vecs(n, 1, 0, 1), vecs(points, 2, 0, 1)
	return &benchmark{
		name: "knn", kernel: kernels.KNN, cfg: launch.Linear(n, kernels.KNNTile), unit: "Gpair/s", work: float64(n) * float64(points) / 1e9,
		setup: func(d *device) inputs {
			distances, indices := alloc[float32](d, n*kernels.KNNBest), alloc[int32](d, n*kernels.KNNBest)
			return inputs{lens: []int{n, points}, args: []any{upload(d, q), upload(d, p), distances, indices},
				results: append(each(distances), each(indices)...)}
		},
		want: func(r, e int) float64 {
			type near struct {
				d float64
				i int
			}
			all := make([]near, points)
			a := q[e/kernels.KNNBest]
			for i, b := range p {
				x, y, z := float64(a.X)-float64(b.X), float64(a.Y)-float64(b.Y), float64(a.Z)-float64(b.Z)
				all[i] = near{x*x + y*y + z*z, i}
			}
			slices.SortFunc(all, func(a, b near) int {
				if a.d < b.d {
					return -1
				}
				return 1
			})
			if k := all[e%kernels.KNNBest]; r == 0 {
				return k.d
			} else {
				return float64(k.i)
			}
		},
		tolerance: 1e-6, stray: 0.005, // neighbours as far as others
	}
}

func raytraceCase(s scale) *benchmark {
	w, h, n := s.of(1920, 40), s.of(1080, 20), s.of(48, 12)
	camera := kernels.Camera{Eye: kernels.Vec{Z: -12}, Light: kernels.Vec{X: 10, Y: 20, Z: -10}, Width: int32(w), Height: int32(h), Zoom: 1.2 / float32(h)}
	centers, colors := vecs(n, 1, -6, 6), vecs(n, 2, 0, 1)
	balls := filled(n, func(i int) kernels.Ball {
		return kernels.Ball{Center: centers[i], Color: colors[i], Radius: kernels.Uniform(i, 3, 0.4, 1.5), Reflect: kernels.Uniform(i, 4, 0, 0.7)}
	})
	return &benchmark{
		name: "raytrace", kernel: kernels.Raytrace, cfg: grid((w+15)/16, (h+15)/16, 16, 16), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[kernels.Vec](d, w*h)
			return inputs{lens: []int{n}, args: []any{camera, upload(d, balls), out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) float64 {
			c := camera.Trace(balls, e/3%w, e/3/w)
			return float64([3]float32{c.X, c.Y, c.Z}[e%3])
		},
		tolerance: 1e-3, stray: 0.01, // at edges
	}
}

// aTree makes boxes around points, which it sorts.
func aTree(points [][3]float32) (boxes []kernels.TreeBox) {
	boxes = make([]kernels.TreeBox, 1)
	var fill func(at, first, n int)
	fill = func(at, first, n int) {
		own := points[first : first+n]
		b := kernels.TreeBox{Low: own[0], High: own[0]}
		axis := 0
		for k := range 3 {
			for _, p := range own {
				b.Low[k], b.High[k] = min(b.Low[k], p[k]), max(b.High[k], p[k])
			}
			if b.High[k]-b.Low[k] > b.High[axis]-b.Low[axis] {
				axis = k
			}
		}
		if n <= 4 {
			b.First, b.Count = int32(first), int32(n)
			boxes[at] = b
			return
		}
		slices.SortFunc(own, func(a, b [3]float32) int {
			if a[axis] < b[axis] {
				return -1
			}
			return 1
		})
		children := len(boxes)
		b.First = int32(children)
		boxes[at] = b
		boxes = append(boxes, kernels.TreeBox{}, kernels.TreeBox{})
		fill(children, first, n/2)
		fill(children+1, first+n/2, n-n/2)
	}
	fill(0, 0, len(points))
	return boxes
}

func bvhCase(s scale) *benchmark {
	n, count := s.of(1<<18, 150), s.of(1<<16, 500)
	all := floats(3*count, 1, 0, 1)
	points := filled(count, func(i int) [3]float32 { return [3]float32(all[3*i:]) })
	tree := sync.OnceValue(func() []kernels.TreeBox { return aTree(points) })
	sphere := func(i int) (v kernels.Sphere) {
		for k := range v.Center {
			v.Center[k] = kernels.Uniform(3*i+k, 2, 0, 1)
		}
		v.Radius = kernels.Uniform(i, 3, 0.01, 0.05)
		if s == small {
			v.Radius *= 5
		}
		return v
	}
	return &benchmark{
		name: "bvh", kernel: kernels.BVH, cfg: launch.Linear(n, 128), unit: "Gquery/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			counts := alloc[int32](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, tree()), upload(d, points), upload(d, filled(n, sphere)), counts}, results: each(counts)}
		},
		want: func(_, i int) (found float64) {
			q := sphere(i)
			for _, p := range points {
				sum := 0.0
				for k := range p {
					d := float64(p[k]) - float64(q.Center[k])
					sum += d * d
				}
				if sum <= float64(q.Radius)*float64(q.Radius) {
					found++
				}
			}
			return found
		},
		stray: 0.002, // points on a sphere
	}
}

func queensCase(s scale) *benchmark {
	n := s.of(14, 7)
	total := n * n * n * n
	var place func(row, cols, left, right int) float64
	place = func(row, cols, left, right int) (count float64) {
		if row == n {
			return 1
		}
		for c := range n {
			if bit := 1 << c; (cols|left|right)&bit == 0 {
				count += place(row+1, cols|bit, (left|bit)<<1, (right|bit)>>1)
			}
		}
		return count
	}
	return &benchmark{
		name: "queens", kernel: kernels.Queens, cfg: launch.Linear(total, 128), unit: "Gprefix/s", work: float64(total) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, total)
			return inputs{lens: []int{total}, args: []any{n, out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			cols, left, right := 0, 0, 0
			for range kernels.QueensPlaced {
				bit := 1 << (i % n)
				i /= n
				if (cols|left|right)&bit != 0 {
					return 0
				}
				cols, left, right = cols|bit, (left|bit)<<1, (right|bit)>>1
			}
			return place(kernels.QueensPlaced, cols, left, right)
		},
	}
}

func blakeCase(s scale) *benchmark {
	n := s.of(1<<21, 300)
	return &benchmark{
		name: "blake2s", kernel: kernels.Blake2s, cfg: launch.Linear(n, 128), unit: "Ghash/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, 8*n)
			return inputs{args: []any{n, upload(d, filled(16*n, func(i int) uint32 { return kernels.Hash(i, 1) })), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			var m [16]uint32
			for k := range m {
				m[k] = kernels.Hash(k*n+e%n, 1)
			}
			return float64(kernels.Blake2sSum(&m, 64)[e/n])
		},
	}
}

func thomasCase(s scale) *benchmark {
	n, length := s.of(1<<17, 150), s.of(64, 10)
	all := n * length
	return &benchmark{
		name: "thomas", kernel: kernels.Thomas, cfg: launch.Linear(n, 128), unit: "GB/s", work: 64 * float64(all) / 1e9,
		setup: func(d *device) inputs {
			work, x := alloc[float64](d, all), alloc[float64](d, all)
			return inputs{args: []any{n, length, upload(d, doubles(all, 1, -1, 1)), upload(d, doubles(all, 2, 3, 4)), upload(d, doubles(all, 3, -1, 1)), upload(d, doubles(all, 4, -1, 1)), work, x},
				results: each(x)}
		},
		want: func(_, e int) float64 {
			i, row := e%n, e/n
			c, x := make([]float64, length), make([]float64, length)
			last, lastX := 0.0, 0.0
			for k := range length {
				at := k*n + i
				a, b := uniform(at, 1, -1, 1), uniform(at, 2, 3, 4)
				m := b - a*last
				last, lastX = uniform(at, 3, -1, 1)/m, (uniform(at, 4, -1, 1)-a*lastX)/m
				c[k], x[k] = last, lastX
			}
			for k := length - 2; k >= row; k-- {
				x[k] -= c[k] * x[k+1]
			}
			return x[row]
		},
		tolerance: 1e-12,
	}
}

func choleskyCase(s scale) *benchmark {
	const order = kernels.CholeskyOrder
	n := s.of(1<<19, 150)
	matrix := func(i int) (m [order][order]float32) {
		for r := range m {
			for c := range r + 1 {
				m[r][c] = kernels.Uniform(i*order*order+r*order+c, 1, -0.5, 0.5)
				m[c][r] = m[r][c]
			}
			m[r][r] += 4
		}
		return m
	}
	right := func(i int) (v [order]float32) {
		for k := range v {
			v[k] = kernels.Uniform(i*order+k, 2, -1, 1)
		}
		return v
	}
	return &benchmark{
		name: "cholesky", kernel: kernels.Cholesky, cfg: launch.Linear(n, 128), unit: "Gsystem/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			x := alloc[[order]float32](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, filled(n, matrix)), upload(d, filled(n, right)), x}, results: []result{sampled[float32](x)}}
		},
		want: func(_, e int) float64 {
			var m [order][order]float64
			var b [order]float64
			for r, row := range matrix(e / order) {
				for c, v := range row {
					m[r][c] = float64(v)
				}
				b[r] = float64(right(e / order)[r])
			}
			for k := range order { // Gauss and Jordan
				for r := range order {
					if r == k {
						continue
					}
					f := m[r][k] / m[k][k]
					for c := range order {
						m[r][c] -= f * m[k][c]
					}
					b[r] -= f * b[k]
				}
			}
			return b[e%order] / m[e%order][e%order]
		},
		tolerance: 1e-5,
	}
}

func skinningCase(s scale) *benchmark {
	n, count := s.of(1<<21, 150), s.of(200, 20)
	bones := filled(count, func(i int) (b kernels.Bone) {
		sum := 0.0
		for k := range b.Rotation {
			b.Rotation[k] = kernels.Uniform(4*i+k, 1, -1, 1)
			sum += float64(b.Rotation[k]) * float64(b.Rotation[k])
		}
		for k := range b.Rotation {
			b.Rotation[k] /= float32(math.Sqrt(sum))
		}
		b.Translation = kernels.Vec{X: kernels.Uniform(i, 2, -1, 1), Y: kernels.Uniform(i, 3, -1, 1), Z: kernels.Uniform(i, 4, -1, 1)}
		return b
	})
	vertex := func(i int) (v kernels.Vertex) {
		v.Position = kernels.Vec{X: kernels.Uniform(i, 5, -1, 1), Y: kernels.Uniform(i, 6, -1, 1), Z: kernels.Uniform(i, 7, -1, 1)}
		v.Normal = kernels.Vec{X: kernels.Uniform(i, 8, 0.1, 1), Y: kernels.Uniform(i, 9, -1, 1), Z: kernels.Uniform(i, 10, -1, 1)}
		v.Weights = [4]float32{0.5, 0.25, 0.15, 0.1}
		for k := range v.Bones {
			v.Bones[k] = uint8(small32(4*i+k, 11, uint32(count)))
		}
		return v
	}
	return &benchmark{
		name: "skinning", kernel: kernels.Skinning, cfg: launch.Linear(n, 256), unit: "GB/s", work: 68 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[kernels.Placed](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, bones), upload(d, filled(n, vertex)), out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) float64 { // by matrices
			v := vertex(e / 6)
			var p, normal [3]float64
			for k, weight := range v.Weights {
				b := bones[v.Bones[k]]
				x, y, z, w := float64(b.Rotation[0]), float64(b.Rotation[1]), float64(b.Rotation[2]), float64(b.Rotation[3])
				m := [3][3]float64{{1 - 2*(y*y+z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)},
					{2 * (x*y + w*z), 1 - 2*(x*x+z*z), 2 * (y*z - w*x)}, {2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2*(x*x+y*y)}}
				t := [3]float32{b.Translation.X, b.Translation.Y, b.Translation.Z}
				for r := range m {
					turn := func(v kernels.Vec) float64 {
						return m[r][0]*float64(v.X) + m[r][1]*float64(v.Y) + m[r][2]*float64(v.Z)
					}
					p[r] += float64(weight) * (turn(v.Position) + float64(t[r]))
					normal[r] += float64(weight) * turn(v.Normal)
				}
			}
			if c := e % 6; c < 3 {
				return p[c]
			}
			return normal[e%6-3] / math.Sqrt(normal[0]*normal[0]+normal[1]*normal[1]+normal[2]*normal[2])
		},
		tolerance: 2e-5, stray: 0.001, // normals of almost no length
	}
}

func waterman(s scale) *benchmark {
	const query, letters, open, extend = kernels.QueryLen, kernels.Letters, 11, 1
	n, length := s.of(1<<16, 150), s.of(64, 20)
	letter := func(i int, seed uint32) uint8 { return uint8(small32(i, seed, letters)) }
	score := func(a, b int) int {
		if a == b {
			return 4 + int(small32(a, 3, 8))
		}
		return int(small32(min(a, b)*letters+max(a, b), 4, 7)) - 4
	}
	return &benchmark{
		name: "smith_waterman", kernel: kernels.SmithWaterman, cfg: launch.Linear(n, 128), unit: "Gcell/s", work: float64(n*length*query) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n)
			scores := filled(letters, func(a int) (row [letters]int8) {
				for b := range row {
					row[b] = int8(score(a, b))
				}
				return row
			})
			return inputs{lens: []int{n}, args: []any{length, int32(open), int32(extend), upload(d, scores),
				upload(d, filled(query, func(i int) uint8 { return letter(i, 1) })), upload(d, filled(n*length, func(i int) uint8 { return letter(i, 2) })), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			best := 0
			var h, e, f [65][query + 1]int // of a target, a query
			for r := 1; r <= length; r++ {
				for k := 1; k <= query; k++ {
					e[r][k] = max(e[r][k-1]-extend, h[r][k-1]-open)
					f[r][k] = max(f[r-1][k]-extend, h[r-1][k]-open)
					h[r][k] = max(0, h[r-1][k-1]+score(int(letter(i*length+r-1, 2)), int(letter(k-1, 1))), e[r][k], f[r][k])
					best = max(best, h[r][k])
				}
			}
			return float64(best)
		},
	}
}

func lifeCase(s scale) *benchmark {
	w, h := s.of(512, 5), s.of(32768, 21)
	word := func(i int) uint64 { return uint64(kernels.Hash(i, 1))<<32 | uint64(kernels.Hash(i, 2)) }
	alive := func(x, y int) int {
		x, y = (x+64*w)%(64*w), (y+h)%h
		return int(word(y*w+x/64) >> (x % 64) & 1)
	}
	return &benchmark{
		name: "life", kernel: kernels.Life, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "GB/s", work: 16 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint64](d, w*h)
			return inputs{args: []any{w, h, upload(d, filled(w*h, word)), out}, results: []result{sampled[uint32](out)}}
		},
		want: func(_, e int) float64 {
			y, x0 := e/2/w, e/2%w*64+e%2*32
			var out uint32
			for b := range 32 {
				x, around := x0+b, 0
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if dx != 0 || dy != 0 {
							around += alive(x+dx, y+dy)
						}
					}
				}
				if around == 3 || around == 2 && alive(x, y) == 1 {
					out |= 1 << b
				}
			}
			return float64(out)
		},
	}
}
