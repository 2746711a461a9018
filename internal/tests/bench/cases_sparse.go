package main

import (
	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// sparseCases are kernels of sparse matrices and graphs.
func sparseCases(s scale) []*benchmark {
	n := s.of(1<<20, 500)
	vector := grid(s.of(2048, 2), 1, 256, 1)
	return []*benchmark{
		spmvCase("spmv_scalar", kernels.SpmvScalar, n, 16, launch.Linear(n, 256)),
		spmvCase("spmv_vector", kernels.SpmvVector, s.of(1<<19, 40), 160, vector),
		spmvEllCase(s), bfsLevelCase(s), findRootsCase(s),
	}
}

// A sparse matrix has n rows of from 1 to twice mean less 1 values.
type sparse struct{ n, mean int }

func (m sparse) length(row int) int { return 1 + int(kernels.Hash(row, 1))%(2*m.mean-1) }

// column is that of value k, somewhere near its row's number.
func (m sparse) column(row, k int) int {
	return ((row+int(kernels.Hash(k, 2)%4096)-2048)%m.n + m.n) % m.n
}

// rows are where the rows begin.
func (m sparse) rows() []int32 {
	first := make([]int32, m.n+1)
	for i := range m.n {
		first[i+1] = first[i] + int32(m.length(i))
	}
	return first
}

// columns are those of all values.
func (m sparse) columns(first []int32) []int32 {
	cols := make([]int32, first[m.n])
	parallel(m.n, func(i int) {
		for k := first[i]; k < first[i+1]; k++ {
			cols[k] = int32(m.column(i, int(k)))
		}
	})
	return cols
}

func spmvCase(name string, kernel any, n, mean int, cfg launch.Config) *benchmark {
	m := sparse{n, mean}
	var first []int32
	return &benchmark{
		name: name, kernel: kernel, cfg: cfg, unit: "GB/s", work: 8 * float64(n*mean) / 1e9,
		setup: func(d *device) inputs {
			first = m.rows()
			y := alloc[float32](d, n)
			return inputs{lens: []int{n}, args: []any{upload(d, first), upload(d, m.columns(first)),
				upload(d, floats(int(first[n]), 3, 0, 1)), upload(d, floats(n, 4, 0, 1)), y}, results: each(y)}
		},
		want: func(_, i int) (sum float64) {
			for k := int(first[i]); k < int(first[i+1]); k++ {
				sum += uniform(k, 3, 0, 1) * uniform(m.column(i, k), 4, 0, 1)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func spmvEllCase(s scale) *benchmark {
	const width = 16
	n := s.of(1<<20, 500)
	m := sparse{n, 12}
	column := func(k int) int { // of a value, -1 if there is none
		if i := k % n; k/n < m.length(i) {
			return m.column(i, k)
		}
		return -1
	}
	return &benchmark{
		name: "spmv_ell", kernel: kernels.SpmvEll, cfg: launch.Linear(n, 256), unit: "GB/s", work: 12 * width * float64(n) / 1e9,
		setup: func(d *device) inputs {
			y := alloc[float64](d, n)
			cols := filled(width*n, func(k int) int32 { return int32(column(k)) })
			return inputs{lens: []int{n}, args: []any{width, upload(d, cols), upload(d, doubles(width*n, 3, 0, 1)),
				upload(d, doubles(n, 4, 0, 1)), y}, results: each(y)}
		},
		want: func(_, i int) (sum float64) {
			for k := i; k < width*n; k += n {
				if c := column(k); c >= 0 {
					sum += uniform(k, 3, 0, 1) * uniform(c, 4, 0, 1)
				}
			}
			return sum
		},
		tolerance: 1e-13,
	}
}

func bfsLevelCase(s scale) *benchmark {
	const level = 3
	n := s.of(1<<22, 1000)
	m := sparse{n, 8}
	levelOf := func(v int) int32 { // every second node has been reached, every fourth just now
		return []int32{-1, level, -1, int32(kernels.Hash(v, 5) % level)}[kernels.Hash(v, 6)%4]
	}
	reached := make(map[int]bool)
	return &benchmark{
		name: "bfs_level", kernel: kernels.BfsLevel, cfg: launch.Linear(n, 256), unit: "Gedge/s", work: float64(n/4*m.mean) / 1e9,
		setup: func(d *device) inputs {
			first := m.rows()
			edges, next := m.columns(first), alloc[int32](d, n)
			for v := range n {
				for _, to := range edges[first[v]:first[v+1]] {
					if to := int(to); to%stride(n) == 0 && levelOf(v) == level && levelOf(to) < 0 {
						reached[to] = true
					}
				}
			}
			levels := filled(n, func(v int) int32 { return levelOf(v) })
			return inputs{lens: []int{n}, args: []any{int32(level), upload(d, first), upload(d, edges), upload(d, levels), next}, results: each(next)}
		},
		want: func(_, v int) float64 {
			if reached[v] {
				return level + 1
			}
			return 0
		},
	}
}

func findRootsCase(s scale) *benchmark {
	n, roots := s.of(1<<22, 1000), s.of(1024, 16)
	parent := func(v int) int {
		if v < roots {
			return v
		}
		return int(kernels.Hash(v, 1)) % v
	}
	return &benchmark{
		name: "find_roots", kernel: kernels.FindRoots, cfg: launch.Linear(n, 256), unit: "Gnode/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			root := alloc[int32](d, n)
			up := filled(n, func(v int) int32 { return int32(parent(v)) })
			return inputs{lens: []int{n}, args: []any{upload(d, up), root}, results: each(root)}
		},
		want: func(_, v int) float64 {
			for parent(v) != v {
				v = parent(v)
			}
			return float64(v)
		},
	}
}
