package main

import (
	"math/bits"
	"strconv"
	"sync"

	"heddle/internal/tests/bench/kernels"
)

// recordCases are kernels of compression, of text and of databases.
func recordCases(s scale) []*benchmark {
	return []*benchmark{
		lz4Case(s), bitUnpackCase(s), jsonCase(s), csvCase(s), ahoCorasickCase(s), editCase(s), windowCase(s), cuckooCase(s),
	}
}

// appendWord appends the k-th word of a language, of 2 to 11 letters.
func appendWord(text []byte, k int) []byte {
	for i := range 2 + small32(k, 40, 10) {
		text = append(text, "etaoinshrdlucmfw"[small32(k*16+int(i), 41, 16)])
	}
	return text
}

// prose is a text of n words; some lines are drawn, and some words are numbers.
func prose(seed uint32, n int) (text []byte) {
	for i := range n {
		switch kind := small32(i, seed, 100); {
		case kind == 0:
			for range 20 + small32(i, seed+1, 600) {
				text = append(text, '-')
			}
		case kind < 8:
			text = strconv.AppendUint(text, uint64(kernels.Hash(i, seed+2))*uint64(kernels.Hash(i, seed+3)), 36)
		default:
			text = appendWord(text, int(small32(i, seed+4, 300)))
		}
		text = append(text, ' ')
	}
	return text
}

// appendLZ4 appends a sequence of a packed block. The last one has no match.
func appendLZ4(packed, literals []byte, offset, match int) []byte {
	long := func(n int) {
		if n -= 15; n >= 0 {
			for ; n >= 255; n -= 255 {
				packed = append(packed, 255)
			}
			packed = append(packed, byte(n))
		}
	}
	match = max(match-4, 0)
	packed = append(packed, byte(min(len(literals), 15)<<4|min(match, 15)))
	long(len(literals))
	packed = append(packed, literals...)
	if offset > 0 {
		packed = append(packed, byte(offset), byte(offset>>8))
		long(match)
	}
	return packed
}

// packLZ4 packs a text, with the last place of each four bytes.
func packLZ4(text []byte) (packed []byte) {
	var last [4096]int // one more
	done := 0
	for i := 0; i+12 < len(text); {
		word := uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16 | uint32(text[i+3])<<24
		slot := &last[word*2654435761>>20]
		from := *slot - 1
		*slot = i + 1
		n := 0
		for from >= 0 && i+n < len(text)-5 && text[from+n] == text[i+n] {
			n++
		}
		if n < 4 {
			i++
			continue
		}
		packed = appendLZ4(packed, text[done:i], i-from, n)
		i += n
		done = i
	}
	return appendLZ4(packed, text[done:], 0, 0)
}

func lz4Case(s scale) *benchmark {
	count, size := s.of(10_000, 70), s.of(4096, 1200)
	texts := s.of(500, 70) // that the blocks take turns with
	block := func(i int) []byte {
		text := prose(uint32(i%texts*8+1), size)
		return text[:size-int(small32(i%texts, 9, 40))]
	}
	return &benchmark{
		name: "lz4_decode", kernel: kernels.LZ4Decode, cfg: grid((count+63)/64, 1, 64, 1), unit: "GB/s", work: float64(count*size) / 1e9,
		setup: func(d *device) inputs {
			blocks := filled(texts, func(i int) []byte { return packLZ4(block(i)) })
			starts, packed := make([]int32, count+1), []byte{}
			for i := range count {
				packed = append(packed, blocks[i%texts]...)
				starts[i+1] = int32(len(packed))
			}
			in, from, out, lengths := upload(d, packed), upload(d, starts), alloc[byte](d, count*size), alloc[int32](d, count)
			return inputs{
				args: []any{in, from, size, out, lengths}, twin: []any{in, from, size, count, out, lengths},
				results: []result{sampled[uint8](out), sampled[int32](lengths)},
			}
		},
		want: func(r, i int) float64 {
			if r == 1 {
				return float64(size) - float64(small32(i%texts, 9, 40))
			}
			if text := block(i / size); i%size < len(text) {
				return float64(text[i%size])
			}
			return 0
		},
	}
}

func bitUnpackCase(s scale) *benchmark {
	const block = kernels.PackedValues
	n, kinds := s.of(300_000, 70), s.of(20_000, 70) // the numbers are the same after some blocks
	width := func(b int) int { return 1 + int(small32(b%kinds, 1, 32)) }
	header := func(b int) (h kernels.PackedBlock) {
		h.First, h.Width = int32(kernels.Hash(b, 2)), uint8(width(b))
		if h.Deltas = b%3 != 0; h.Deltas {
			h.Least = small32(b, 3, 200) - 100
		}
		return h
	}
	number := func(i int) uint32 { return kernels.Hash(i%(kinds*block), 4) >> (32 - width(i/block)) }
	return &benchmark{
		name: "bit_unpack", kernel: kernels.BitUnpack, cfg: grid(s.of(1056, 3), 1, 256, 1), unit: "Gvalue/s", work: float64(n*block) / 1e9,
		setup: func(d *device) inputs {
			headers := filled(n, header)
			start := 0
			for b := range headers {
				headers[b].Start = uint32(start)
				start += block / 64 * width(b)
			}
			words := make([]uint64, start)
			parallel(kinds, func(b int) {
				own, bit := words[headers[b].Start:], 0
				for i := range block {
					v := uint64(number(b*block + i))
					own[bit/64] |= v << (bit % 64)
					if bit%64+width(b) > 64 {
						own[bit/64+1] |= v >> (64 - bit%64)
					}
					bit += width(b)
				}
			})
			for done := int(headers[kinds%n].Start); 0 < done && done < start; done *= 2 {
				copy(words[done:], words[:done])
			}
			h, w, out := upload(d, headers), upload(d, words), alloc[int32](d, n*block)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.PackedColumn{Blocks: h.Device(), Words: w.Device()}, out},
				twin: []any{n, h, w, out}, results: each(out),
			}
		},
		want: func(_, i int) float64 {
			h := header(i / block)
			if !h.Deltas {
				return float64(h.First + int32(number(i)))
			}
			v := h.First
			for k := i / block * block; k <= i; k++ {
				v += h.Least + int32(number(k))
			}
			return float64(v)
		},
	}
}

// jsonDocument is a document of about n bytes.
func jsonDocument(seed uint32, n int) (text []byte) {
	text = append(text, '[')
	for i := 0; len(text) < n; i++ {
		text = append(text, `{"id": `...)
		text = strconv.AppendInt(text, int64(small32(i, seed, 1e6)), 10)
		text = append(text, `, "text": "`...)
		for k := range 2 + int(small32(i, seed+1, 12)) {
			text = appendWord(text, int(small32(16*i+k, seed+2, 300)))
			if kind := small32(16*i+k, seed+3, 24); kind < 6 {
				text = append(text, []string{`\"`, `\\`, `{[`, `,:`, `\\\\\\\\\"`, `\\\\\\\\\\`}[kind]...)
			}
			text = append(text, ' ')
		}
		text = append(text, `", "at": [1.5, {}]}, `...)
	}
	return append(text, `"\\"]`...)
}

// jsonStructure reports which bytes of a document are structural, byte by byte.
func jsonStructure(text []byte) []bool {
	all := make([]bool, len(text))
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			inside = !inside
		case !inside:
			all[i] = c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ','
		}
	}
	return all
}

func jsonCase(s scale) *benchmark {
	const chunk = kernels.JSONChunk
	documents, kinds := s.of(4000, 5), s.of(60, 5)
	texts := sync.OnceValue(func() [][]byte {
		return filled(kinds, func(i int) []byte {
			return jsonDocument(uint32(8*i+1), 50+int(small32(i, 5, uint32(s.of(40_000, 12_000)))))
		})
	})
	chunks := func(i int) int { return (len(texts()[i%kinds]) + chunk - 1) / chunk }
	starts := sync.OnceValue(func() []int32 {
		all := make([]int32, documents+1)
		for i := range documents {
			all[i+1] = all[i] + int32(chunks(i))
		}
		return all
	})
	truth := sync.OnceValue(func() [][]uint64 {
		return filled(kinds, func(i int) []uint64 {
			masks := make([]uint64, chunks(i))
			for at, is := range jsonStructure(texts()[i]) {
				if is {
					masks[at/chunk] |= 1 << (at % chunk)
				}
			}
			return masks
		})
	})
	return &benchmark{
		name: "json_index", kernel: kernels.JSONIndex, cfg: grid(documents, 1, kernels.JSONThreads, 1), unit: "GB/s", work: float64(documents) * 20_000 / 1e9,
		setup: func(d *device) inputs {
			all := make([]byte, int(starts()[documents])*chunk)
			parallel(documents, func(i int) { copy(all[int(starts()[i])*chunk:], texts()[i%kinds]) })
			lengths := filled(documents, func(i int) int32 { return int32(len(texts()[i%kinds])) })
			out := alloc[kernels.JSONChunkIndex](d, len(all)/chunk)
			return inputs{args: []any{upload(d, all), upload(d, starts()), upload(d, lengths), out}, results: []result{sampled[uint32](out)}}
		},
		want: func(_, e int) float64 {
			c, i := int32(e/4), 0
			for n := documents; n-i > 1; {
				if mid := (i + n) / 2; starts()[mid] <= c {
					i = mid
				} else {
					n = mid
				}
			}
			mask := truth()[i%kinds][c-starts()[i]]
			return float64([4]uint32{uint32(mask), uint32(mask >> 32), uint32(bits.OnesCount64(mask)), 0}[e%4])
		},
	}
}
