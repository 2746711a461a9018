package main

import (
	"crypto/sha3"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// mediaCases are bytes, hashes and what networks are made of.
func mediaCases(s scale) []*benchmark {
	return []*benchmark{
		sha3Case(s), layerNormCase(s), attentionCase(s), q8GemvCase(s), yuvCase(s), hashInsertCase(s), dctCase(s),
		isingCase(s), matchCase(s), levenshteinCase(s), murmurCase(s), medianCase(s), perlinCase(s),
	}
}

func bytesOf(n int, seed uint32) []byte {
	return filled(n, func(i int) byte { return byte(kernels.Hash(i, seed) >> 8) })
}

func sha3Case(s scale) *benchmark {
	n := s.of(1<<21, 300)
	word := func(e int) uint64 { return uint64(kernels.Hash(e, 1))<<32 | uint64(kernels.Hash(e, 2)) }
	return &benchmark{
		name: "sha3", kernel: kernels.Sha3, cfg: launch.Linear(n, 128), unit: "Ghash/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint64](d, 4*n)
			return inputs{args: []any{n, upload(d, filled(8*n, word)), out}, results: []result{sampled[uint32](out)}}
		},
		want: func(_, e int) float64 {
			var message [64]byte
			for k := range 8 {
				binary.LittleEndian.PutUint64(message[8*k:], word(k*n+e/2%n))
			}
			sum := sha3.Sum256(message[:])
			return float64(binary.LittleEndian.Uint32(sum[e/2/n*8+e%2*4:]))
		},
	}
}

func layerNormCase(s scale) *benchmark {
	rows, width := s.of(40_000, 21), s.of(768, 200)
	stats := func(row int) (mean, rstd float64) {
		for i := range width {
			mean += uniform(row*width+i, 1, 0, 1)
		}
		mean /= float64(width)
		v := 0.0
		for i := range width {
			d := uniform(row*width+i, 1, 0, 1) - mean
			v += d * d
		}
		return mean, 1 / math.Sqrt(v/float64(width)+1e-5)
	}
	return &benchmark{
		name: "layer_norm", kernel: kernels.LayerNorm, cfg: grid(s.of(1056, 3), 1, 256, 1), unit: "GB/s", work: 8 * float64(rows*width) / 1e9,
		setup: func(d *device) inputs {
			mean, rstd, out := alloc[float32](d, rows), alloc[float32](d, rows), alloc[float32](d, rows*width)
			return inputs{args: []any{rows, width, upload(d, floats(rows*width, 1, 0, 1)), upload(d, floats(width, 2, 0, 1)), upload(d, floats(width, 3, 0, 1)),
				mean, rstd, out}, results: each(mean, rstd, out)}
		},
		want: func(r, i int) float64 {
			if r < 2 {
				mean, rstd := stats(i)
				return [2]float64{mean, rstd}[r]
			}
			mean, rstd := stats(i / width)
			return (uniform(i, 1, 0, 1)-mean)*rstd*uniform(i%width, 2, 0, 1) + uniform(i%width, 3, 0, 1)
		},
		tolerance: 2e-5,
	}
}

func attentionCase(s scale) *benchmark {
	const depth, tile, scale = kernels.AttentionDepth, kernels.AttentionTile, 0.125
	n, heads := s.of(256, 64), s.of(1056, 1)
	return &benchmark{
		name: "attention", kernel: kernels.Attention, cfg: grid(heads, 1, tile, 1), unit: "GFLOP/s", work: 4 * depth * float64(n) * float64(n*heads) / 1e9,
		setup: func(d *device) inputs {
			all := heads * n * depth
			l, out := alloc[float32](d, heads*n), alloc[float32](d, all)
			m := changed(d, filled(heads*n, func(int) float32 { return float32(math.Inf(-1)) }))
			return inputs{args: []any{n, float32(scale), upload(d, floats(all, 1, -1, 1)), upload(d, floats(all, 2, -1, 1)), upload(d, floats(all, 3, -1, 1)), l, m, out},
				results: each(out)}
		},
		want: func(_, e int) float64 {
			head, row, col := e/(n*depth), e/depth%n, e%depth
			sum, all := 0.0, 0.0
			for y := range n {
				dot := 0.0
				for x := range depth {
					dot += uniform((head*n+row)*depth+x, 1, -1, 1) * uniform((head*n+y)*depth+x, 2, -1, 1)
				}
				p := math.Exp(dot * scale)
				all += p
				sum += p * uniform((head*n+y)*depth+col, 3, -1, 1)
			}
			return sum / all
		},
		tolerance: 2e-5, approximate: 1e-4,
	}
}

func q8GemvCase(s scale) *benchmark {
	rows, cols := s.of(16384, 12), s.of(16384, 512)
	weight := func(e int) int8 { return int8(kernels.Hash(e, 1) >> 8) }
	return &benchmark{
		name: "q8_gemv", kernel: kernels.Q8Gemv, cfg: grid(rows, 1, kernels.GemvThreads, 1), unit: "GB/s", work: 1.125 * float64(rows) * float64(cols) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, rows)
			return inputs{args: []any{cols, upload(d, filled(rows*cols, weight)), upload(d, floats(rows*cols/32, 2, 0, 0.01)), upload(d, floats(cols, 3, 0, 1)), out},
				results: each(out)}
		},
		want: func(_, row int) (sum float64) {
			for c := range cols {
				e := row*cols + c
				sum += float64(weight(e)) * uniform(e/32, 2, 0, 0.01) * uniform(c, 3, 0, 1)
			}
			return sum
		},
		tolerance: 1e-3,
	}
}

func yuvCase(s scale) *benchmark {
	n := s.of(8192*4000, 1000)
	return &benchmark{
		name: "yuv", kernel: kernels.YUV, cfg: launch.Linear(n, 256), unit: "GB/s", work: 6 * float64(n) / 1e9,
		setup: func(d *device) inputs {
			y, u, v := alloc[uint8](d, n), alloc[uint8](d, n), alloc[uint8](d, n)
			return inputs{args: []any{n, upload(d, bytesOf(3*n, 1)), y, u, v}, results: each(y, u, v)}
		},
		want: func(k, i int) float64 {
			at := func(c int) int { return int(byte(kernels.Hash(3*i+c, 1) >> 8)) }
			r, g, b := at(0), at(1), at(2)
			return float64([3]int{(66*r+129*g+25*b+128)>>8 + 16, (-38*r-74*g+112*b+128)>>8 + 128, (112*r-94*g-18*b+128)>>8 + 128}[k])
		},
	}
}

func hashInsertCase(s scale) *benchmark {
	capacity, n := s.of(1<<25, 1024), s.of(1<<24, 600)
	pair := func(i int) kernels.Slot {
		return kernels.Slot{Key: uint32(i) * 2654435761, Value: kernels.Hash(i, 1) >> 8}
	}
	return &benchmark{
		name: "hash_insert", kernel: kernels.HashInsert, cfg: launch.Linear(n, 1024), unit: "Gkey/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			table := changed(d, filled(capacity, func(int) kernels.Slot { return kernels.Slot{Key: kernels.EmptyKey} }))
			read := func() (out []float64, err error) {
				host := make([]kernels.Slot, capacity)
				if err := table.Download(host); err != nil {
					return nil, err
				}
				for i := 0; i < n; i += stride(n) {
					key := pair(i).Key
					slot := kernels.HashSlot(key, capacity)
					for host[slot].Key != key && host[slot].Key != kernels.EmptyKey {
						slot = (slot + 1) & uint32(capacity-1)
					}
					if host[slot].Key != key {
						return nil, fmt.Errorf("key %d is missing", i)
					}
					out = append(out, float64(host[slot].Value))
				}
				return out, nil
			}
			pairs := upload(d, filled(n, pair))
			return inputs{lens: []int{n, capacity}, args: []any{pairs, table}, results: []result{{n, read}}}
		},
		want: func(_, i int) float64 { return float64(pair(i).Value) },
	}
}

func dctCase(s scale) *benchmark {
	w, h := s.of(8192, 64), s.of(8000, 32)
	return &benchmark{
		name: "dct", kernel: kernels.DCT, cfg: grid(w/kernels.DCTWidth, h/kernels.DCTHeight, kernels.DCTWidth, kernels.DCTHeight/8), unit: "GB/s", work: 8 * float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, upload(d, floats(w*h, 1, 0, 1)), out}, results: each(out)}
		},
		want: func(_, i int) (sum float64) {
			x, y := i%w, i/w
			u, v := x%8, y%8
			for r := range 8 {
				for c := range 8 {
					sum += uniform((y/8*8+r)*w+x/8*8+c, 1, 0, 1) * math.Cos(float64((2*c+1)*u)*math.Pi/16) * math.Cos(float64((2*r+1)*v)*math.Pi/16)
				}
			}
			sum /= 4
			if u == 0 {
				sum /= math.Sqrt2
			}
			if v == 0 {
				sum /= math.Sqrt2
			}
			return sum
		},
		tolerance: 1e-5,
	}
}

func isingCase(s scale) *benchmark {
	const beta = 0.4
	nx, ny := s.of(8192, 30), s.of(4096, 50)
	n := nx * ny
	spin := func(seed uint32) func(i int) int8 {
		return func(i int) int8 { return int8(kernels.Hash(i, seed)>>8%2)*2 - 1 }
	}
	return &benchmark{
		name: "ising", kernel: kernels.Ising, cfg: launch.Linear(n, 128), unit: "Gspin/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			lattice := changed(d, filled(n, spin(1)))
			return inputs{args: []any{nx, ny, float32(beta), lattice, upload(d, filled(n, spin(2))), upload(d, floats(n, 3, 0, 1))}, results: each(lattice)}
		},
		want: func(_, e int) float64 {
			i, j := e/ny, e%ny
			other := func(i, j int) float64 { return float64(spin(2)((i+nx)%nx*ny + (j+ny)%ny)) }
			own := float64(spin(1)(e))
			sum := other(i-1, j) + other(i, j) + other(i+1, j) + other(i, j+2*(i%2)-1)
			if uniform(e, 3, 0, 1) < math.Exp(-2*beta*sum*own) {
				own = -own
			}
			return own
		},
		stray: 0.001,
	}
}

// automaton is that of Aho and Corasick for words.
func automaton(words []string) (next [][256]int16, ends []uint8) {
	next, ends = make([][256]int16, 1), make([]uint8, 1)
	for _, w := range words {
		at := int16(0)
		for _, c := range []byte(w) {
			if next[at][c] == 0 {
				next[at][c] = int16(len(next))
				next, ends = append(next, [256]int16{}), append(ends, 0)
			}
			at = next[at][c]
		}
		ends[at]++
	}
	fail := make([]int16, len(next))
	queue := []int16{}
	for c := range 256 {
		if next[0][c] != 0 {
			queue = append(queue, next[0][c])
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		ends[at] += ends[fail[at]]
		for c := range 256 {
			if to := next[at][c]; to != 0 {
				fail[to] = next[fail[at]][c]
				queue = append(queue, to)
			} else {
				next[at][c] = next[fail[at]][c]
			}
		}
	}
	return next, ends
}

func matchCase(s scale) *benchmark {
	words := []string{"abc", "bca", "cab", "aab", "abba", "cacb", "bb", "dada", "badc", "dcba"}
	const span, overlap = 128, 3
	n := s.of(1<<26, 20_000)
	text := func(i int) byte { return "abcd"[kernels.Hash(i, 1)>>8%4] }
	next, ends := automaton(words)
	return &benchmark{
		name: "match", kernel: kernels.Match, cfg: launch.Linear((n+span-1)/span, 256), unit: "GB/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, (n+span-1)/span)
			return inputs{lens: []int{n}, args: []any{span, overlap, upload(d, next), upload(d, ends), upload(d, filled(n, text)), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			first := max(i*span-overlap, 0)
			part := make([]byte, min(n, (i+1)*span)-first)
			for k := range part {
				part[k] = text(first + k)
			}
			count := 0
			for k := min(i*span, overlap); k < len(part); k++ {
				for _, w := range words {
					if k+1 >= len(w) && string(part[k+1-len(w):k+1]) == w {
						count++
					}
				}
			}
			return float64(count)
		},
	}
}

func levenshteinCase(s scale) *benchmark {
	const length = kernels.WordLen
	n := s.of(1<<20, 300)
	word := []byte("intentionallyexecutions")
	letter := func(i int) byte { return word[kernels.Hash(i, 1)>>8%uint32(len(word))] }
	return &benchmark{
		name: "levenshtein", kernel: kernels.Levenshtein, cfg: launch.Linear(n, 128), unit: "Gcell/s", work: length * float64(len(word)) * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[int32](d, n)
			return inputs{lens: []int{len(word), n}, args: []any{upload(d, filled(n*length, letter)), upload(d, word), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			var table [64][64]int
			for r := range len(word) + 1 {
				for c := range length + 1 {
					switch {
					case r == 0 || c == 0:
						table[r][c] = r + c
					case word[r-1] == letter(i*length+c-1):
						table[r][c] = table[r-1][c-1]
					default:
						table[r][c] = 1 + min(table[r-1][c-1], table[r-1][c], table[r][c-1])
					}
				}
			}
			return float64(table[len(word)][length])
		},
	}
}

func murmurCase(s scale) *benchmark {
	n := s.of(1<<21, 300)
	offsets := make([]int32, n+1)
	for i := range n {
		offsets[i+1] = offsets[i] + 8 + small32(i, 2, 33)
	}
	return &benchmark{
		name: "murmur", kernel: kernels.Murmur, cfg: launch.Linear(n, 256), unit: "GB/s", work: float64(offsets[n]) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint32](d, n)
			return inputs{lens: []int{n}, args: []any{uint32(12345), upload(d, bytesOf(int(offsets[n]), 1)), upload(d, offsets), out}, results: each(out)}
		},
		want: func(_, i int) float64 {
			key := filled(int(offsets[i+1]-offsets[i]), func(k int) byte { return byte(kernels.Hash(int(offsets[i])+k, 1) >> 8) })
			return float64(kernels.Murmur3(12345, key))
		},
	}
}

func medianCase(s scale) *benchmark {
	w, h := s.of(8000, 50), s.of(6000, 13)
	return &benchmark{
		name: "median", kernel: kernels.Median, cfg: grid((w+31)/32, (h+7)/8, 32, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[uint8](d, w*h)
			return inputs{args: []any{w, h, upload(d, bytesOf(w*h, 1)), out}, results: each(out)}
		},
		want: func(_, e int) float64 {
			x, y := e%w, e/w
			p := filled(9, func(k int) byte {
				row, col := min(max(y+k/3-1, 0), h-1), min(max(x+k%3-1, 0), w-1)
				return byte(kernels.Hash(row*w+col, 1) >> 8)
			})
			slices.Sort(p)
			return float64(p[4])
		},
	}
}

func perlinCase(s scale) *benchmark {
	const octaves, z = 6, 0.5
	w, h := s.of(4096, 64), s.of(4096, 16)
	step := float32(1.0 / 64)
	return &benchmark{
		name: "perlin", kernel: kernels.Perlin, cfg: grid(w/32, h/8, 32, 8), unit: "Gpixel/s", work: float64(w*h) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, w*h)
			return inputs{args: []any{w, h, octaves, step, float32(z), out}, results: each(out)}
		},
		want: func(_, e int) (sum float64) {
			x, y := float32(e%w)*step, float32(e/w)*step
			for o := range octaves {
				f := float32(int(1) << o)
				sum += float64(kernels.Noise(x*f, y*f, z*f)) / float64(f)
			}
			return sum
		},
		tolerance: 1e-5,
	}
}
