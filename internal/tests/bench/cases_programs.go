package main

import (
	"math"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// programCases are dynamic programming, tables and graphs.
func programCases(s scale) []*benchmark {
	return []*benchmark{
		pathfinderCase(s), needleCase(s), ludPerimeterCase(s), floydCase(s), kmeansCase(s), treeFindCase(s), mergeCase(s),
	}
}

// small32 is a random number from 0 to limit-1.
func small32(i int, seed uint32, limit uint32) int32 {
	return int32(kernels.Hash(i, seed) >> 8 % limit)
}

func smalls(n int, seed uint32, limit uint32) []int32 {
	return filled(n, func(i int) int32 { return small32(i, seed, limit) })
}

func pathfinderCase(s scale) *benchmark {
	const rows = 20
	cols := s.of(3_000_000, 1000)
	small := kernels.PathThreads - 2*rows
	return &benchmark{
		name: "pathfinder", kernel: kernels.Pathfinder, cfg: grid((cols+small-1)/small, 1, kernels.PathThreads, 1), unit: "Gcell/s", work: rows * float64(cols) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, cols)
			return inputs{args: []any{rows, rows, cols, 1, upload(d, smalls(cols*(rows+1), 1, 10)), upload(d, smalls(cols, 2, 10)), out}, results: each(out)}
		},
		want: func(_, x int) float64 {
			var now [2*rows + 1]int32 // around x
			for k := range now {
				if at := x + k - rows; at >= 0 && at < cols {
					now[k] = small32(at, 2, 10)
				}
			}
			for r := range rows {
				last := now
				for k := r + 1; k < len(now)-r-1; k++ {
					at := x + k - rows
					if at < 0 || at >= cols {
						continue
					}
					best := last[k]
					if at > 0 {
						best = min(best, last[k-1])
					}
					if at < cols-1 {
						best = min(best, last[k+1])
					}
					now[k] = best + small32(cols*(1+r)+at, 1, 10)
				}
			}
			return float64(now[rows])
		},
	}
}

func needleCase(s scale) *benchmark {
	const tile, penalty = kernels.NeedleTile, 10
	tiles, batch := s.of(64, 3), s.of(64, 2)
	cols := tile*tiles + 1
	n := cols * cols * batch
	return &benchmark{
		name: "needle", kernel: kernels.Needle, cfg: grid(tiles, batch, tile, 1), unit: "Gcell/s", work: tile * tile * float64(tiles*batch) / 1e9,
		setup: func(d *device) inputs {
			items := changed(d, smalls(n, 1, 100))
			return inputs{args: []any{cols, tiles, int32(penalty), items, upload(d, smalls(n, 2, 30))}, results: each(items)}
		},
		want: func(_, i int) float64 {
			first, row, col := i/(cols*cols)*cols*cols, i%(cols*cols)/cols, i%cols
			if row == 0 || col == 0 || (row-1)/tile+(col-1)/tile != tiles-1 {
				return float64(small32(i, 1, 100))
			}
			y0, x0 := (row-1)/tile*tile, (col-1)/tile*tile
			var score [tile + 1][tile + 1]int32
			for y := range tile + 1 {
				for x := range tile + 1 {
					e := first + (y0+y)*cols + x0 + x
					if x == 0 || y == 0 {
						score[y][x] = small32(e, 1, 100)
						continue
					}
					score[y][x] = max(score[y-1][x-1]+small32(e, 2, 30), score[y-1][x]-penalty, score[y][x-1]-penalty)
				}
			}
			return float64(score[row-y0][col-x0])
		},
	}
}

func ludPerimeterCase(s scale) *benchmark {
	const tile = kernels.LudTile
	n, batch := s.of(512, 64), s.of(256, 2)
	const offset = 16
	at := func(i int) float32 {
		v := kernels.Uniform(i, 1, -0.25, 0.25)
		if i%(n*n)/n == i%n {
			v += 2
		}
		return v
	}
	return &benchmark{
		name: "lud_perimeter", kernel: kernels.LudPerimeter, cfg: grid((n-offset)/tile-1, batch, 2*tile, 1), unit: "Gtile/s",
		work: 2 * float64(((n-offset)/tile-1)*batch) / 1e9,
		setup: func(d *device) inputs {
			m := changed(d, filled(n*n*batch, at))
			return inputs{args: []any{n, offset, m}, results: each(m)}
		},
		want: func(_, i int) float64 {
			first, row, col := i/(n*n)*n*n, i%(n*n)/n, i%n
			get := func(r, c int) float64 { return float64(at(first + r*n + c)) }
			var v [tile]float64
			switch {
			case row >= offset && row < offset+tile && col >= offset+tile:
				for r := range tile {
					v[r] = get(offset+r, col)
					for j := range r {
						v[r] -= get(offset+r, offset+j) * v[j]
					}
				}
				return v[row-offset]
			case col >= offset && col < offset+tile && row >= offset+tile:
				for c := range tile {
					v[c] = get(row, offset+c)
					for j := range c {
						v[c] -= v[j] * get(offset+j, offset+c)
					}
					v[c] /= get(offset+c, offset+c)
				}
				return v[col-offset]
			}
			return get(row, col)
		},
		tolerance: 1e-5,
	}
}

func floydCase(s scale) *benchmark {
	n := s.of(6144, 48)
	k := n / 3
	return &benchmark{
		name: "floyd_warshall", kernel: kernels.FloydWarshall, cfg: grid(n/16, n/16, 16, 16), unit: "Gpair/s", work: float64(n*n) / 1e9,
		setup: func(d *device) inputs {
			distance, path := changed(d, smalls(n*n, 1, 1000)), alloc[int32](d, n*n)
			return inputs{args: []any{n, k, distance, path}, results: each(distance, path)}
		},
		want: func(r, i int) float64 {
			old := small32(i, 1, 1000)
			through := small32(i/n*n+k, 1, 1000) + small32(k*n+i%n, 1, 1000)
			if r == 0 {
				return float64(min(old, through))
			}
			if through < old {
				return float64(k)
			}
			return 0
		},
	}
}

func kmeansCase(s scale) *benchmark {
	points, features, clusters := s.of(800_000, 500), s.of(34, 5), s.of(5, 4)
	return &benchmark{
		name: "kmeans", kernel: kernels.KMeans, cfg: launch.Linear(points, 256), unit: "GB/s", work: 4 * float64(points*features) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, points)
			return inputs{args: []any{points, features, clusters, upload(d, floats(points*features, 1, 0, 1)), upload(d, floats(clusters*features, 2, 0, 1)), out},
				results: each(out)}
		},
		want: func(_, p int) float64 {
			best, least := 0, math.Inf(1)
			for c := range clusters {
				sum := 0.0
				for f := range features {
					d := uniform(f*points+p, 1, 0, 1) - uniform(c*features+f, 2, 0, 1)
					sum += d * d
				}
				if sum < least {
					best, least = c, sum
				}
			}
			return float64(best)
		},
		stray: 0.002,
	}
}

func treeFindCase(s scale) *benchmark {
	fan, queries := s.of(100, 6), s.of(1<<16, 20)
	const height = 2                                   // of the nodes above the leaves
	records, count := fan*fan*fan, 1+fan+fan*fan       // records lie behind as many as there are nodes: no record is taken for one
	key := func(i int) int32 { return int32(3*i + 1) } // of record i
	return &benchmark{
		name: "tree_find", kernel: kernels.TreeFind, cfg: grid(queries, 1, kernels.TreeOrder, 1), unit: "Gquery/s", work: float64(queries) / 1e9,
		setup: func(d *device) inputs {
			// The root, the nodes below it and the leaves, each fan of those below.
			nodes := filled(count, func(i int) (node kernels.Node) {
				node.NumKeys = int32(fan)
				node.Location = int32(i)
				span, first, child := fan*fan, 0, 1
				switch {
				case i >= 1+fan:
					span, first, child = 1, (i-1-fan)*fan, count+(i-1-fan)*fan
					node.IsLeaf = true
				case i >= 1:
					span, first, child = fan, (i-1)*fan*fan, 1+fan+(i-1)*fan
				}
				for k := range node.Keys {
					node.Keys[k] = math.MaxInt32
					if k < fan {
						node.Keys[k] = key(first + k*span)
						node.Indices[k] = int32(child + k)
					}
				}
				return node
			})
			current, offset := changed(d, make([]int32, queries)), changed(d, make([]int32, queries))
			answers := changed(d, filled(queries, func(int) int32 { return -1 }))
			keys := filled(queries, func(i int) int32 { return key(int(kernels.Hash(i, 1)>>4) % records) })
			return inputs{lens: []int{len(nodes)}, args: []any{height, upload(d, nodes), upload(d, smalls(count+records, 2, 1<<20)), current, offset, upload(d, keys), answers},
				results: each(answers)}
		},
		want: func(_, i int) float64 {
			return float64(small32(count+int(kernels.Hash(i, 1)>>4)%records, 2, 1<<20))
		},
	}
}

func mergeCase(s scale) *benchmark {
	na, nb := s.of(9_000_000, 700), s.of(7_777_777, 801)
	list := func(n int, seed uint32) []int32 {
		return filled(n, func(i int) int32 { return int32(i)*16 + small32(i, seed, 16) })
	}
	merged := sync.OnceValue(func() []int32 {
		out := append(list(na, 1), list(nb, 2)...)
		slices.Sort(out)
		return out
	})
	return &benchmark{
		name: "merge", kernel: kernels.Merge, cfg: launch.Linear((na+nb+kernels.MergeItems-1)/kernels.MergeItems, 256), unit: "GB/s", work: 8 * float64(na+nb) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, na+nb)
			return inputs{lens: []int{na, nb, na + nb}, args: []any{upload(d, list(na, 1)), upload(d, list(nb, 2)), out}, results: each(out)}
		},
		want: func(_, i int) float64 { return float64(merged()[i]) },
	}
}
