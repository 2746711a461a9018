package main

import (
	"bytes"
	"cmp"
	"crypto/des"
	"crypto/md5"
	"encoding/binary"
	"math"
	"math/cmplx"
	"slices"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// graphCases are kernels of graphs, sorts, scans, ciphers, hashes and transforms.
func graphCases(s scale) []*benchmark {
	return []*benchmark{
		frontierCase(s), colorGraphCase(s), unionFindCase(s), sortPairsCase(s), segmentedScanCase(s), desCase(s), md5Case(s), stockhamCase(s),
	}
}

func frontierCase(s scale) *benchmark {
	n := s.of(1<<19, 900)
	const depth = 3
	m := sparse{n, 32}
	distance := func(v int) int32 { // of some, which the search has come to
		if small32(v, 5, 2) == 0 {
			return depth - small32(v, 6, 2)
		}
		return kernels.Unreached
	}
	rows := m.rows()
	var frontier []int32
	for v := range n {
		if distance(v) == depth {
			frontier = append(frontier, int32(v))
		}
	}
	reached := sync.OnceValue(func() (found []int32) { // in ascending order
		own := make([]bool, n)
		for _, v := range frontier {
			for k := rows[v]; k < rows[v+1]; k++ {
				own[m.column(int(v), int(k))] = true
			}
		}
		for v, ok := range own {
			if ok && distance(v) == kernels.Unreached {
				found = append(found, int32(v))
			}
		}
		return found
	})
	return &benchmark{
		name: "frontier_expand", kernel: kernels.FrontierExpand, cfg: grid(s.of(1056, 3), 1, 256, 1), unit: "Gedge/s", work: float64(len(frontier)) * 32 / 1e9,
		setup: func(d *device) inputs {
			first, to, front := upload(d, rows), upload(d, m.columns(rows)), upload(d, frontier)
			far, next, tail := changed(d, filled(n, distance)), alloc[int32](d, n), alloc[uint32](d, 1)
			if d.err != nil {
				return inputs{}
			}
			queued := looked(len(reached()), func() (func(int) float64, error) {
				host := make([]int32, n)
				if err := next.Download(host); err != nil {
					return nil, err
				}
				slices.Sort(host[:len(reached())])
				return func(i int) float64 { return float64(host[i]) }, nil
			})
			return inputs{
				args: []any{
					kernels.Adjacency{First: first.Device(), To: to.Device()}, front, int32(depth), far,
					kernels.Queue{Vertices: next.Device(), Tail: &tail.Device()[0]},
				},
				twin:    []any{first, to, len(frontier), front, depth, far, next, tail},
				results: []result{sampled[int32](far), sampled[uint32](tail), queued},
			}
		},
		want: func(r, i int) float64 {
			switch r {
			case 0:
				if _, ok := slices.BinarySearch(reached(), int32(i)); ok {
					return depth + 1
				}
				return float64(distance(i))
			case 1:
				return float64(len(reached()))
			}
			return float64(reached()[i])
		},
	}
}

// A ring is a graph of n vertices, each of which may be joined with those at some distances.
type ring struct{ n, distances int }

// joined says whether v and the vertex at a distance behind it are.
func (g ring) joined(v, k int) (to int, ok bool) {
	to = (v + 1 + 7*k*k) % g.n
	return to, small32(v*64+k, 11, 3) == 0
}

// neighbors are those of v, on both sides.
func (g ring) neighbors(v int) (all []int32) {
	for k := range g.distances {
		if to, ok := g.joined(v, k); ok {
			all = append(all, int32(to))
		}
		from := (v - 1 - 7*k*k + g.n) % g.n
		if _, ok := g.joined(from, k); ok {
			all = append(all, int32(from))
		}
	}
	return all
}

// rows are the neighbors of all vertices in one, and where each vertex's begin.
func (g ring) rows() (first, to []int32) {
	each := filled(g.n, g.neighbors)
	first = make([]int32, 1, g.n+1)
	for _, own := range each {
		to = append(to, own...)
		first = append(first, int32(len(to)))
	}
	return first, to
}

func colorGraphCase(s scale) *benchmark {
	g := ring{s.of(400_000, 2500), 18}
	const round = 5
	color := func(v int) int32 {
		switch small32(v, 1, 8) {
		case 0, 1, 2:
			return -1
		case 3:
			return small32(v, 2, 128)
		}
		return small32(v, 2, 7)
	}
	return &benchmark{
		name: "color_graph", kernel: kernels.ColorGraph, cfg: launch.Linear(g.n, 256), unit: "Gvertex/s", work: float64(g.n) / 1e9,
		setup: func(d *device) inputs {
			rows, columns := g.rows()
			first, to, next := upload(d, rows), upload(d, columns), alloc[int32](d, g.n)
			colors := upload(d, filled(g.n, color))
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Adjacency{First: first.Device(), To: to.Device()}, uint32(round), colors, next},
				twin: []any{g.n, first, to, uint32(round), colors, next}, results: each(next),
			}
		},
		want: func(_, v int) float64 {
			if own := color(v); own >= 0 {
				return float64(own)
			}
			taken := map[int32]bool{}
			for _, u := range g.neighbors(v) {
				c := color(int(u))
				if c < 0 && cmp.Or(cmp.Compare(kernels.Hash(v, round), kernels.Hash(int(u), round)), cmp.Compare(v, int(u))) < 0 {
					return -1
				}
				taken[c] = true
			}
			for c := int32(0); ; c++ {
				if !taken[c] {
					return float64(c)
				}
			}
		},
	}
}

func unionFindCase(s scale) *benchmark {
	n, count := s.of(1<<22, 1500), s.of(3_000_000, 1000)
	link := func(i int) kernels.Link {
		a := int(small32(i, 1, uint32(n)))
		return kernels.Link{A: int32(a), B: int32((a + 1 + int(small32(i, 2, 500))) % n)}
	}
	least := sync.OnceValue(func() []int32 { // of each vertex's component
		parent := filled(n, func(v int) int32 { return int32(v) })
		root := func(v int32) int32 {
			for ; parent[v] != v; v = parent[v] {
				parent[v] = parent[parent[v]]
			}
			return v
		}
		for i := range count {
			a, b := root(link(i).A), root(link(i).B)
			parent[max(a, b)] = min(a, b)
		}
		for v := range parent {
			parent[v] = parent[parent[v]] // a parent is lower, so it is done
		}
		return parent
	})
	return &benchmark{
		name: "union_find", kernel: kernels.UnionFind, cfg: launch.Linear(count, 256), unit: "Gedge/s", work: float64(count) / 1e9,
		setup: func(d *device) inputs {
			parent := changed(d, filled(n, func(v int) int32 { return int32(v) }))
			links := upload(d, filled(count, link))
			return inputs{args: []any{links, parent}, lens: []int{count}, results: []result{looked(n, func() (func(int) float64, error) {
				host := make([]int32, n)
				if err := parent.Download(host); err != nil {
					return nil, err
				}
				return func(v int) float64 {
					for int(host[v]) != v {
						v = int(host[v])
					}
					return float64(v)
				}, nil
			})}}
		},
		want: func(_, v int) float64 { return float64(least()[v]) },
	}
}

func sortPairsCase(s scale) *benchmark {
	const size = kernels.PairTile
	n := s.of(1<<23-77, 2*size+333)
	key := func(i int) uint32 { return kernels.Hash(i, 1) >> 8 % 2000 * 2147483 } // some are equal
	return &benchmark{
		name: "block_sort_pairs", kernel: kernels.BlockSortPairs, cfg: grid((n+size-1)/size, 1, kernels.PairThreads, 1), unit: "GB/s", work: 16 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			keys, values := alloc[uint32](d, n), alloc[uint32](d, n)
			return inputs{
				args: []any{upload(d, filled(n, key)), upload(d, filled(n, func(i int) uint32 { return uint32(i) })), keys, values},
				lens: []int{n}, results: each(keys, values),
			}
		},
		want: func(r, i int) float64 {
			run := make([]uint64, min(size, n-i/size*size)) // keys above values, which are in order
			for k := range run {
				at := i/size*size + k
				run[k] = uint64(key(at))<<32 | uint64(at)
			}
			slices.Sort(run)
			return float64(uint32(run[i%size] >> (32 - 32*r)))
		},
	}
}

func segmentedScanCase(s scale) *benchmark {
	const size = kernels.SegmentThreads * kernels.SegmentItems
	n := s.of(1<<24-123, 2*size+333)
	head := func(i int) bool { return small32(i, 2, 40) == 0 && small32(i/700, 3, 4) != 0 } // some segments are long
	return &benchmark{
		name: "segmented_scan", kernel: kernels.SegmentedScan, cfg: grid((n+size-1)/size, 1, kernels.SegmentThreads, 1), unit: "GB/s", work: 9 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, n)
			return inputs{args: []any{upload(d, floats(n, 1, 0, 1)), upload(d, filled(n, head)), out}, lens: []int{n}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			for k := i; ; k-- {
				sum += uniform(k, 1, 0, 1)
				if head(k) || k%size == 0 {
					return sum
				}
			}
		},
		tolerance: 1e-5,
	}
}

func desCase(s scale) *benchmark {
	n := s.of(48<<20+5, 8*150+5)
	const start = 0xfffffffffffffff0 // and on at 0
	secret := []byte("k\x13\xf0eY\x99\x02\xc8")
	text := func(i int) byte { return byte(kernels.Hash(i, 1) >> 8) }
	cipher, err := des.NewCipher(secret)
	boxes, keys := desTables(binary.BigEndian.Uint64(secret))
	return &benchmark{
		name: "des_ctr", kernel: kernels.DESCounter, cfg: launch.Linear((n+7)/8, 256), unit: "GB/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			d.note(err)
			table := upload(d, [][8][64]uint32{boxes})
			src, dst := upload(d, bytesOf(n, 1)), alloc[uint8](d, n)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.DES{Boxes: &table.Device()[0], Keys: keys}, uint64(start), src, dst},
				twin: []any{n, table, keys, uint64(start), src, dst}, results: each(dst),
			}
		},
		want: func(_, i int) float64 {
			var stream [8]byte
			binary.BigEndian.PutUint64(stream[:], start+uint64(i/8))
			cipher.Encrypt(stream[:], stream[:])
			return float64(text(i) ^ stream[i%8])
		},
	}
}

func md5Case(s scale) *benchmark {
	n := s.of(400_000, 130)
	offsets := make([]int32, n+1)
	for i := range n {
		offsets[i+1] = offsets[i] + small32(i, 1, 400)
	}
	length := int(offsets[n])
	return &benchmark{
		name: "md5_blocks", kernel: kernels.MD5Blocks, cfg: launch.Linear(n, 128), unit: "GB/s", work: float64(length) / 1e9,
		setup: func(d *device) inputs {
			sums := alloc[[16]byte](d, n)
			return inputs{args: []any{upload(d, bytesOf(length, 2)), upload(d, offsets), sums}, lens: []int{n}, results: []result{sampled[uint8](sums)}}
		},
		want: func(_, e int) float64 {
			var message bytes.Buffer
			for i := offsets[e/16]; i < offsets[e/16+1]; i++ {
				message.WriteByte(byte(kernels.Hash(int(i), 2) >> 8))
			}
			return float64(md5.Sum(message.Bytes())[e%16])
		},
	}
}

func stockhamCase(s scale) *benchmark {
	const size = kernels.FFTSize
	rows := s.of(16384, 3)
	roots := filled(size, func(k int) complex64 { return complex64(cmplx.Rect(1, -2*math.Pi*float64(k)/size)) })
	return &benchmark{
		name: "fft_stockham", kernel: kernels.FFTStockham, cfg: grid(rows, 1, kernels.FFTThreads, 1), unit: "GB/s", work: 16 * size * float64(rows) / 1e9,
		setup: func(d *device) inputs {
			in := upload(d, filled(rows*size, func(i int) complex64 { return amplitude(i, 1) }))
			out := alloc[complex64](d, rows*size)
			return inputs{args: []any{upload(d, roots), in, out}, results: []result{sampled[float32](out)}}
		},
		want: func(_, e int) float64 {
			row, k := e/2/size, e/2%size
			var sum complex128
			for j := range size {
				sum += complex128(amplitude(row*size+j, 1)) * complex128(roots[j*k%size])
			}
			return pick(e%2, sum)
		},
		tolerance: 1e-4,
	}
}
