package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// tupleCases are kernels of databases, logs and genomes.
func tupleCases(s scale) []*benchmark {
	return []*benchmark{
		groupByCase(s), kmerCountCase(s), parquetColumnCase(s), bloomProbeCase(s), mergeJoinCase(s), likeFilterCase(s), base64RowsCase(s), myersCase(s),
	}
}

// looked are the samples of n elements that are anywhere in what the kernel makes: open
// gives the function that looks one up.
func looked(n int, open func() (func(i int) float64, error)) result {
	return result{n, func() (out []float64, err error) {
		at, err := open()
		if err != nil {
			return nil, err
		}
		for i := 0; i < n; i += stride(n) {
			out = append(out, at(i))
		}
		return out, nil
	}}
}

// joined are rows in one, and where each begins; the last number is where they end.
func joined(rows [][]byte) (text []byte, offsets []int32) {
	for _, row := range rows {
		offsets = append(offsets, int32(len(text)))
		text = append(text, row...)
	}
	return text, append(offsets, int32(len(text)))
}

func groupByCase(s scale) *benchmark {
	n, groups, capacity, blocks := s.of(1<<23, 900), s.of(100000, 60), s.of(1<<18, 128), s.of(1056, 3)
	group := func(i int) int { // some have more rows than others
		u := uniform(i, 1, 0, 1)
		return min(int(u*u*float64(groups)), groups-1)
	}
	key := func(g int) uint32 { return uint32(g)*2654435761 + 12345 }
	value := func(i int) int32 { return small32(i, 2, 200000) - 50000 }
	truth := sync.OnceValue(func() [2][]float64 {
		sums, counts := make([]float64, groups), make([]float64, groups)
		for i := range n {
			g := group(i)
			sums[g] += float64(value(i))
			counts[g]++
		}
		return [2][]float64{sums, counts}
	})
	return &benchmark{
		name: "group_by", kernel: kernels.GroupBy, cfg: grid(blocks, 1, 256, 1), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			keys, values := filled(n, func(i int) uint32 { return key(group(i)) }), filled(n, value)
			table := changed(d, filled(capacity, func(int) kernels.Group { return kernels.Group{Key: kernels.EmptyKey} }))
			read := func(of func(kernels.Group) float64) result {
				return looked(groups, func() (func(int) float64, error) {
					host := make([]kernels.Group, capacity)
					if err := table.Download(host); err != nil {
						return nil, err
					}
					found := map[uint32]float64{}
					for _, g := range host {
						if _, again := found[g.Key]; again && g.Key != kernels.EmptyKey {
							return nil, fmt.Errorf("key %d has two groups", g.Key)
						}
						found[g.Key] = of(g)
					}
					return func(g int) float64 { return found[key(g)] }, nil
				})
			}
			return inputs{lens: []int{n, capacity}, args: []any{upload(d, keys), upload(d, values), table}, results: []result{
				read(func(g kernels.Group) float64 { return float64(g.Sum) }), read(func(g kernels.Group) float64 { return float64(g.Count) }),
			}}
		},
		want: func(r, g int) float64 { return truth()[r][g] },
	}
}

// genomeBase is a base of a genome that repeats pieces of 512, some as the reverse complement, and
// not exactly.
func genomeBase(i int) uint32 {
	if kernels.Hash(i, 9)>>8%100 == 0 { // a mutation
		return kernels.Hash(i, 10) >> 8 % 4
	}
	const size = 512
	piece := kernels.Hash(i/size, 11) >> 8
	k := i % size
	if piece&1 != 0 {
		k = size - 1 - k
	}
	base := kernels.Hash(int(piece>>1%1500)*size+k, 12) >> 8 % 4
	if piece&1 != 0 {
		return 3 - base
	}
	return base
}

// packedGenome has 16 bases of the genome a word.
func packedGenome(bases int) []uint32 {
	return filled((bases+15)/16, func(w int) (word uint32) {
		for k := range 16 {
			word |= genomeBase(16*w+k) << (2 * k)
		}
		return word
	})
}

func kmerCountCase(s scale) *benchmark {
	const k = 21
	bases, capacity := s.of(2_000_000, 3011), s.of(1<<22, 1<<13)
	type counted struct {
		kmers  []uint64
		counts map[uint64]float64
	}
	truth := sync.OnceValue(func() counted {
		text := filled(bases, func(i int) byte { return byte(genomeBase(i)) })
		counts := map[uint64]float64{}
		for i := range bases - k + 1 {
			var one, other uint64
			for j := range k {
				one = one<<2 | uint64(text[i+j])
				other = other<<2 | uint64(3-text[i+k-1-j])
			}
			counts[min(one, other)]++
		}
		var kmers []uint64
		for kmer := range counts {
			kmers = append(kmers, kmer)
		}
		slices.Sort(kmers)
		return counted{kmers, counts}
	})
	threads := (bases - k + kernels.KmerRun) / kernels.KmerRun
	return &benchmark{
		name: "kmer_count", kernel: kernels.KmerCount, cfg: launch.Linear(threads, 128), unit: "Gbase/s", work: float64(bases) / 1e9,
		setup: func(d *device) inputs {
			keys := changed(d, filled(capacity, func(int) uint64 { return kernels.NoKmer }))
			counts := alloc[uint32](d, capacity)
			kmers := truth().kmers
			found := looked(len(kmers), func() (func(int) float64, error) {
				hostKeys, hostCounts := make([]uint64, capacity), make([]uint32, capacity)
				if err := keys.Download(hostKeys); err != nil {
					return nil, err
				}
				if err := counts.Download(hostCounts); err != nil {
					return nil, err
				}
				found := map[uint64]float64{}
				for at, kmer := range hostKeys {
					found[kmer] += float64(hostCounts[at])
				}
				return func(i int) float64 { return found[kmers[i]] }, nil
			})
			return inputs{lens: []int{capacity}, args: []any{k, bases, upload(d, packedGenome(bases)), keys, counts}, results: []result{found}}
		},
		want: func(_, i int) float64 { return truth().counts[truth().kmers[i]] },
	}
}

func parquetColumnCase(s scale) *benchmark {
	const width, entries = 11, 1900
	n := s.of(1<<24, 1000)
	valid := func(i int) bool { return kernels.Hash(i, 1)>>8%10 != 0 }
	index := func(i int) uint32 { return uint32(small32(i, 2, entries)) }
	price := func(index int) float64 { return float64(index)*0.25 + 1 }
	return &benchmark{
		name: "parquet_column", kernel: kernels.ParquetColumn, cfg: launch.Linear(n, 256), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			words := (n + 31) / 32
			mask, ranks := make([]uint32, words), make([]int32, words)
			packed := make([]uint32, (n*width+31)/32+1) // a value at the end may reach into one more
			count := 0
			for i := range n {
				if i%32 == 0 {
					ranks[i/32] = int32(count)
				}
				if !valid(i) {
					continue
				}
				mask[i/32] |= 1 << (i % 32)
				at, v := count*width, uint64(index(i))<<(count*width%32)
				packed[at/32] |= uint32(v)
				packed[at/32+1] |= uint32(v >> 32)
				count++
			}
			out := alloc[float64](d, n)
			return inputs{lens: []int{n}, results: each(out), args: []any{
				width, upload(d, packed), upload(d, mask), upload(d, ranks), upload(d, filled(entries, price)), out,
			}}
		},
		want: func(_, i int) float64 {
			if !valid(i) {
				return 0
			}
			return price(int(index(i)))
		},
	}
}

func bloomProbeCase(s scale) *benchmark {
	const hashes = 7
	n, members, words := s.of(1<<22, 900), s.of(3_000_000, 500), s.of(1_000_000, 170)
	member := func(m int) uint64 { return uint64(kernels.Hash(m, 1))<<32 | uint64(m) }
	key := func(i int) uint64 { // a third are members
		h := int(kernels.Hash(i, 2) >> 2)
		if h%3 == 0 {
			return member(h / 3 % members)
		}
		return member(members + h)
	}
	bit := func(key uint64, k int) int {
		h := kernels.BloomHash(key)
		at := uint32(h) + uint32(k)*(uint32(h>>32)|1)
		return int(uint64(at) * uint64(words*32) >> 32)
	}
	filter := sync.OnceValue(func() []uint32 {
		filter := make([]uint32, words)
		for m := range members {
			for k := range hashes {
				at := bit(member(m), k)
				filter[at/32] |= 1 << (at % 32)
			}
		}
		return filter
	})
	return &benchmark{
		name: "bloom_probe", kernel: kernels.BloomProbe, cfg: launch.Linear(n, 256), unit: "Gkey/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			found := alloc[bool](d, n)
			return inputs{lens: []int{n, words}, args: []any{hashes, upload(d, filled(n, key)), upload(d, filter()), found}, results: []result{sampled[uint8](found)}}
		},
		want: func(_, i int) float64 {
			for k := range hashes {
				if at := bit(key(i), k); filter()[at/32]>>(at%32)&1 == 0 {
					return 0
				}
			}
			return 1
		},
	}
}

func mergeJoinCase(s scale) *benchmark {
	n, m := s.of(1<<21, 500), s.of(1<<23, 2100)
	span := uint32(s.of(1<<21, 520))
	keys := func(n int, seed uint32) []int64 { // a third of the left's have none on the right
		v := filled(n, func(i int) int64 { return 1_000_000_000_000 + 7*int64(small32(i, seed, span)) })
		slices.Sort(v)
		return v
	}
	left := sync.OnceValue(func() []int64 {
		v := keys(n, 1)
		for i := range v {
			v[i] += int64(i%3) / 2
		}
		return v
	})
	right := sync.OnceValue(func() []int64 { return keys(m, 1<<20) })
	truth := sync.OnceValue(func() (all map[int64][2]float64) {
		all = map[int64][2]float64{}
		for k, key := range right() {
			v := all[key]
			all[key] = [2]float64{v[0] + 1, v[1] + uniform(k, 3, 0, 100)}
		}
		return all
	})
	return &benchmark{
		name: "merge_join", kernel: kernels.MergeJoin, cfg: launch.Linear(n, 256), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			matches, sums := alloc[int32](d, n), alloc[float64](d, n)
			return inputs{lens: []int{n, m}, args: []any{upload(d, left()), upload(d, right()), upload(d, doubles(m, 3, 0, 100)), matches, sums},
				results: append(each(matches), each(sums)...)}
		},
		want:      func(r, i int) float64 { return truth()[left()[i]][r] },
		tolerance: 1e-12,
	}
}

func likeFilterCase(s scale) *benchmark {
	n := s.of(1<<20, 600)
	words := strings.Fields("carefully final special deposits requests quickly regular accounts sleep furiously above the express packages specify bold requesting ideas")
	rows := sync.OnceValue(func() [][]byte {
		return filled(n, func(i int) (row []byte) {
			for k := range 3 + int(small32(i, 1, 8)) {
				if k > 0 {
					row = append(row, ' ')
				}
				row = append(row, words[small32(16*i+k, 2, uint32(len(words)))]...)
			}
			return row
		})
	})
	first, second := []byte("special"), []byte("requests")
	return &benchmark{
		name: "like_filter", kernel: kernels.LikeFilter, cfg: launch.Linear(n, 256), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			text, offsets := joined(rows())
			found := alloc[bool](d, n)
			return inputs{lens: []int{n, len(first), len(second)}, args: []any{upload(d, offsets), upload(d, text), upload(d, first), upload(d, second), found},
				results: []result{sampled[uint8](found)}}
		},
		want: func(_, i int) float64 {
			if _, rest, ok := bytes.Cut(rows()[i], first); ok && bytes.Contains(rest, second) {
				return 1
			}
			return 0
		},
	}
}

func base64RowsCase(s scale) *benchmark {
	n := s.of(1<<19, 500)
	wrong := func(i int) bool { return i%50 == 7 }
	rows := sync.OnceValue(func() [][]byte {
		return filled(n, func(i int) []byte {
			raw := filled(12+int(small32(i, 1, 60)), func(k int) byte { return byte(kernels.Hash(100*i+k, 2) >> 8) })
			row := base64.RawURLEncoding.AppendEncode(nil, raw)
			if wrong(i) { // a letter that is none
				row[int(kernels.Hash(i, 3)>>8)%len(row)] = '%'
			}
			return row
		})
	})
	var values [256]int8
	for c := range values {
		values[c] = int8(strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", byte(c)))
	}
	starts := sync.OnceValue(func() []int32 {
		starts := make([]int32, n+1)
		for i, row := range rows() {
			starts[i+1] = starts[i] + int32(base64.RawURLEncoding.DecodedLen(len(row)))
		}
		return starts
	})
	rowOf := func(at int) int { // where the decoded byte is
		next, _ := slices.BinarySearch(starts(), int32(at+1))
		return next - 1
	}
	decoded := func(i int) ([]byte, bool) {
		row := rows()[i]
		out := make([]byte, base64.RawURLEncoding.DecodedLen(len(row)))
		_, err := base64.RawURLEncoding.Decode(out, row)
		return out, err == nil
	}
	return &benchmark{
		name: "base64_rows", kernel: kernels.Base64Rows, cfg: launch.Linear(n, 128), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			text, offsets := joined(rows())
			out, lengths := alloc[uint8](d, int(starts()[n])), alloc[int32](d, n)
			// What is in rows that are wrong does not matter.
			text8 := looked(int(starts()[n]), func() (func(int) float64, error) {
				host := make([]uint8, starts()[n])
				err := out.Download(host)
				return func(at int) float64 {
					if wrong(rowOf(at)) {
						return -1
					}
					return float64(host[at])
				}, err
			})
			return inputs{lens: []int{n}, args: []any{upload(d, offsets), upload(d, text), upload(d, values[:]), upload(d, starts()), out, lengths},
				results: append(each(lengths), text8)}
		},
		want: func(r, e int) float64 {
			row := e
			if r == 1 {
				row = rowOf(e)
			}
			out, ok := decoded(row)
			switch {
			case !ok:
				return -1
			case r == 1:
				return float64(out[e-int(starts()[row])])
			}
			return float64(len(out))
		},
	}
}

func myersCase(s scale) *benchmark {
	const most, none = 15, kernels.Letters4
	n, bases := s.of(1<<18, 300), s.of(2_000_000, 4000)
	position := func(i int) int { return int(kernels.Hash(i, 1)>>2) % (bases - 200) }
	// A read is of the genome, with substitutions, bases that are missing or too many, and Ns; some are of elsewhere.
	rows := sync.OnceValue(func() [][]byte {
		return filled(n, func(i int) (read []byte) {
			length := 100 + int(small32(i, 2, 51))
			rate := uint32(small32(i, 3, 10)) // of errors, in percent
			at := position(i)
			if i%20 == 3 {
				at = position(i + n)
			}
			for k := 0; len(read) < length; k++ {
				base, chance := byte(genomeBase(at+k)), kernels.Hash(400*i+k, 4)>>8
				switch kind := chance / 128 % 8; {
				case chance%128 >= rate:
					read = append(read, base)
				case kind == 0: // one is missing
				case kind == 1:
					read = append(read, base, byte(kernels.Hash(k, 5)>>8%4))
				case kind == 2:
					read = append(read, none)
				default:
					read = append(read, (base+1)%4)
				}
			}
			return read[:length]
		})
	})
	return &benchmark{
		name: "myers", kernel: kernels.Myers, cfg: launch.Linear(n, 128), unit: "Gread/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			reads, offsets := joined(rows())
			distances := alloc[int32](d, n)
			return inputs{lens: []int{n}, results: each(distances), args: []any{
				most, upload(d, offsets), upload(d, reads), upload(d, filled(n, func(i int) int32 { return int32(position(i)) })), upload(d, packedGenome(bases)), distances,
			}}
		},
		want: func(_, i int) float64 {
			read := rows()[i]
			row := make([]int, len(read)+1)
			for k := range row {
				row[k] = k
			}
			for k := range read {
				base, corner := byte(genomeBase(position(i)+k)), row[0]
				row[0] = k + 1
				for j, c := range read {
					cost := 1
					if c == base {
						cost = 0
					}
					corner, row[j+1] = row[j+1], min(corner+cost, row[j]+1, row[j+1]+1)
				}
			}
			return float64(min(row[len(read)], most+1))
		},
	}
}
