package main

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"sync"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

func csvCase(s scale) *benchmark {
	n := s.of(1_000_000, 900)
	group := func(i int) int { return int(small32(i, 1, 67)) } // three of them are none
	quantity := func(i int) int64 { return int64(small32(i, 2, 20_000)) - 10_000 }
	wrong := func(i int) bool { return group(i) >= kernels.CSVGroups || small32(i, 3, 200) == 0 }
	money := func(i int) (n int64, places int) {
		return int64(kernels.Hash(i, 4)>>4) - 1<<27, int(small32(i, 5, 5))
	}
	line := func(text []byte, i int) []byte {
		text = append(strconv.AppendInt(text, int64(i), 10), ',')
		text = append(strconv.AppendInt(text, int64(group(i)), 10), ',')
		text = append(strconv.AppendInt(text, quantity(i), 10), ',')
		text = append(appendWord(text, i%300), ',')
		if small32(i, 3, 200) == 0 {
			text = append(text, "n/a"...)
		} else {
			n, places := money(i)
			if n < 0 {
				text = append(text, '-')
			}
			scale := int64(math.Pow10(places))
			text = strconv.AppendInt(text, max(n, -n)/scale, 10)
			if places > 0 {
				text = append(text, '.')
				text = append(text, strconv.FormatInt(scale+max(n, -n)%scale, 10)[1:]...)
			}
		}
		return append(text, '\n')
	}
	truth := sync.OnceValues(func() (totals [kernels.CSVGroups][3]int64, bad int) {
		for i := range n {
			if wrong(i) {
				bad++
				continue
			}
			n, places := money(i)
			t := &totals[group(i)]
			t[0], t[1], t[2] = t[0]+1, t[1]+quantity(i), t[2]+n*int64(math.Pow10(4-places))
		}
		return totals, bad
	})
	return &benchmark{
		name: "csv_sum", kernel: kernels.CSVSum, cfg: grid(s.of(1056, 3), 1, 128, 1), unit: "Gline/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			text, starts := make([]byte, 0, 50*n), make([]int32, n+1)
			for i := range n {
				text = line(text, i)
				starts[i+1] = int32(len(text))
			}
			totals, bad := alloc[kernels.CSVTotal](d, kernels.CSVGroups), alloc[int32](d, 1)
			return inputs{
				lens: []int{n}, args: []any{upload(d, text), upload(d, starts), totals, bad},
				results: []result{sampled[uint32](totals), sampled[int32](bad)},
			}
		},
		want: func(r, e int) float64 {
			totals, bad := truth()
			if r == 1 {
				return float64(bad)
			}
			return float64(uint32(totals[e/6][e/2%3] >> (e % 2 * 32)))
		},
	}
}

// patternAutomaton is one that finds some words.
func patternAutomaton(words [][]byte) (next [][256]int32, first, patterns []int32, longest int) {
	next = make([][256]int32, 1)
	ends := [][]int32{nil}
	for p, w := range words {
		state := int32(0)
		for _, c := range w {
			if next[state][c] == 0 {
				next[state][c] = int32(len(next))
				next, ends = append(next, [256]int32{}), append(ends, nil)
			}
			state = next[state][c]
		}
		ends[state] = append(ends[state], int32(p))
		longest = max(longest, len(w))
	}
	fail := make([]int32, len(next))
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] { // the shortest ones first
		state := queue[0]
		for c, to := range next[state] {
			if to == 0 {
				next[state][c] = next[fail[state]][c]
				continue
			}
			if state != 0 {
				fail[to] = next[fail[state]][c]
			}
			ends[to] = append(ends[to], ends[fail[to]]...)
			queue = append(queue, to)
		}
	}
	first = []int32{0}
	for _, e := range ends {
		patterns = append(patterns, e...)
		first = append(first, int32(len(patterns)))
	}
	return next, first, patterns, longest
}

func ahoCorasickCase(s scale) *benchmark {
	length, period, count := s.of(24<<20, 9000), s.of(1<<18, 3100), s.of(250, 40)
	words := sync.OnceValue(func() (all [][]byte) {
		for k := range count {
			w := appendWord(nil, k)
			if k%5 == 0 {
				w = append(appendWord(append(w, ' '), k+1), ' ')
			}
			all = append(all, w)
		}
		slices.SortFunc(all, bytes.Compare)
		return slices.CompactFunc(all, bytes.Equal)
	})
	base := sync.OnceValue(func() []byte { return prose(1, period)[:period] }) // the text is this again and again
	occurrences := func(w []byte, n int) (count int) {                         // in the first n bytes
		text := slices.Repeat(base(), 2)[:n]
		for {
			i := bytes.Index(text, w)
			if i < 0 {
				return count
			}
			count, text = count+1, text[i+1:]
		}
	}
	return &benchmark{
		name: "aho_corasick", kernel: kernels.AhoCorasick, cfg: launch.Linear((length+kernels.TextChunk-1)/kernels.TextChunk, 128), unit: "GB/s", work: float64(length) / 1e9,
		setup: func(d *device) inputs {
			next, first, patterns, longest := patternAutomaton(words())
			n, f, p := upload(d, next), upload(d, first), upload(d, patterns)
			text := upload(d, slices.Repeat(base(), length/period+1)[:length])
			counts := alloc[int32](d, len(words()))
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Automaton{Next: n.Device(), First: f.Device(), Patterns: p.Device(), Longest: longest}, text, counts},
				twin: []any{n, f, p, longest, length, text, counts}, results: each(counts),
			}
		},
		want: func(_, i int) float64 {
			w := words()[i]
			once := occurrences(w, period)
			again := occurrences(w, 2*period) - once // what ends in another period
			whole := length / period
			rest := occurrences(w, period+length%period) - once
			return float64(once + (whole-1)*again + rest)
		},
	}
}

func editCase(s scale) *benchmark {
	const most = kernels.EditMost
	n := s.of(150_000, 100)
	from := func(i int) []byte {
		w := appendWord(appendWord(nil, 2*i), 2*i+1)
		return w[:int(small32(i, 1, uint32(len(w)+1)))]
	}
	to := func(i int) []byte { // from, after some edits
		w := from(i)
		for k := range int(small32(i, 2, 6)) {
			at := int(small32(6*i+k, 3, uint32(len(w)+1)))
			switch small32(6*i+k, 4, 3) {
			case 0:
				w = slices.Insert(w, at, 'a'+byte(k))
			case 1:
				w = slices.Delete(w, at, min(at+1, len(w)))
			default:
				w = append(w[at:len(w):len(w)], w[:at]...)
			}
		}
		return w[:min(len(w), most)]
	}
	words := func(d *device, of func(i int) []byte) (*launch.Buffer[byte], *launch.Buffer[int32]) {
		text, starts := []byte{0}, make([]int32, n+1)
		starts[0] = 1
		for i := range n {
			text = append(text, of(i)...)
			starts[i+1] = int32(len(text))
		}
		return upload(d, text), upload(d, starts)
	}
	return &benchmark{
		name: "edit_scripts", kernel: kernels.EditScripts, cfg: launch.Linear(n, 128), unit: "Gpair/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			a, aStarts := words(d, from)
			b, bStarts := words(d, to)
			distances, scripts := alloc[int32](d, n), alloc[kernels.Edit](d, n*2*most)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{kernels.Words{Text: a.Device(), Starts: aStarts.Device()}, kernels.Words{Text: b.Device(), Starts: bStarts.Device()}, distances, scripts},
				twin: []any{n, a, aStarts, b, bStarts, distances, scripts}, results: []result{sampled[int32](distances), sampled[uint8](scripts)},
			}
		},
		want: func(r, e int) float64 {
			if r == 0 {
				cost, _ := edits(from(e), to(e))
				return float64(cost)
			}
			_, script := edits(from(e/(2*most)), to(e/(2*most)))
			if k := len(script) - 2*most + e%(2*most); k >= 0 {
				return float64(script[k])
			}
			return 0
		},
	}
}

// edits is the cheapest way from one word to another; where several are, the last edit is the first of the kinds that is possible.
func edits(a, b []byte) (cost int, script []kernels.Edit) {
	costs := make([][]int, len(a)+1) // of the beginnings
	for i := range costs {
		costs[i] = make([]int, len(b)+1)
		for j := range costs[i] {
			switch {
			case i == 0 || j == 0:
				costs[i][j] = i + j
			case a[i-1] == b[j-1]:
				costs[i][j] = costs[i-1][j-1]
			default:
				costs[i][j] = 1 + min(costs[i-1][j-1], costs[i-1][j], costs[i][j-1])
			}
		}
	}
	for i, j := len(a), len(b); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && a[i-1] == b[j-1]:
			script, i, j = append(script, kernels.EditKeep), i-1, j-1
		case i > 0 && j > 0 && costs[i][j] == costs[i-1][j-1]+1:
			script, i, j = append(script, kernels.EditReplace), i-1, j-1
		case i > 0 && costs[i][j] == costs[i-1][j]+1:
			script, i = append(script, kernels.EditDelete), i-1
		default:
			script, j = append(script, kernels.EditInsert), j-1
		}
	}
	slices.Reverse(script)
	return costs[len(a)][len(b)], script
}

func windowCase(s scale) *benchmark {
	n, rows, period := s.of(2_000_000, 900), s.of(9, 6), int64(s.of(6000, 700))
	value := func(i int) float32 { return kernels.Uniform(i, 1, -50, 100) }
	starts := sync.OnceValue(func() (all []int32) {
		for at := 0; at < n; at += 1 + int(small32(len(all), 2, uint32(s.of(4000, 200)))) {
			all = append(all, int32(at))
		}
		return all
	})
	times := sync.OnceValue(func() []int64 {
		all, p := make([]int64, n), 0
		for i := range all {
			switch {
			case p < len(starts()) && int(starts()[p]) == i:
				all[i] = 1.7e12 + int64(small32(i, 3, 1e6))
				p++
			default:
				all[i] = all[i-1] + int64(small32(i, 4, 4)*small32(i, 5, 60)) // some are the same
			}
		}
		return all
	})
	extremes := func() (least, most []float32) { // each row from the one before
		least = filled(n, value)
		most = slices.Clone(least)
		for k := 1; k < rows; k++ {
			for i := range n {
				a, b := (k-1)*n+i, (k-1)*n+min(i+1<<(k-1), n-1)
				least, most = append(least, min(least[a], least[b])), append(most, max(most[a], most[b]))
			}
		}
		return least, most
	}
	return &benchmark{
		name: "window_agg", kernel: kernels.WindowAggregate, cfg: launch.Linear(n, 256), unit: "Grow/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			sums := make([]float64, n+1)
			for i := range n {
				sums[i+1] = sums[i] + float64(value(i))
			}
			p, t, total, out := upload(d, starts()), upload(d, times()), upload(d, sums), alloc[kernels.WindowRow](d, n)
			low, high := extremes()
			least, most := upload(d, low), upload(d, high)
			if d.err != nil {
				return inputs{}
			}
			return inputs{
				args: []any{p, t, period, kernels.Extremes{N: n, Least: least.Device(), Most: most.Device()}, total, out},
				twin: []any{len(starts()), p, n, t, period, n, least, most, total, out}, results: []result{sampled[float32](out)},
			}
		},
		want: func(_, e int) float64 {
			row := e / 3
			p, found := slices.BinarySearch(starts(), int32(row))
			if !found {
				p--
			}
			least, most, sum, count := value(row), value(row), 0.0, 0.0
			for i := row; i >= int(starts()[p]) && times()[i] >= times()[row]-period; i-- {
				least, most, sum, count = min(least, value(i)), max(most, value(i)), sum+float64(value(i)), count+1
			}
			return [3]float64{float64(least), float64(most), sum / count}[e%3]
		},
		tolerance: 1e-5,
	}
}

func cuckooCase(s scale) *benchmark {
	n, buckets := s.of(3_600_000, 900), s.of(1<<20, 256)
	key := func(i int) uint64 { return uint64(i)*0x9e3779b97f4a7c15 + 12345 }
	isOld := func(i int) bool { return i%6 == 0 }
	// older has those keys at their first place, as far as there is room.
	older := sync.OnceValue(func() kernels.CuckooFilter {
		f := make(kernels.CuckooFilter, buckets)
		for i := range n {
			if print, bucket := cuckooPlace(key(i), buckets); isOld(i) && f[bucket]>>48 == 0 {
				f[bucket] = f[bucket]<<16 | print
			}
		}
		return f
	})
	holds := func(f []uint64, i int) bool {
		print, bucket := cuckooPlace(key(i), buckets)
		both := [2]uint64{f[bucket], f[(uint64(bucket)^print*0x5bd1e995)%uint64(buckets)]}
		for k := range 8 {
			if both[k/4]>>(k%4*16)&0xffff == print {
				return true
			}
		}
		return false
	}
	return &benchmark{
		name: "cuckoo_filter", kernel: kernels.CuckooInsert, cfg: launch.Linear(n, 256), unit: "Gkey/s", work: float64(n) / 1e9,
		setup: func(d *device) inputs {
			old, filter, keys, status := upload(d, older()), alloc[uint64](d, buckets), upload(d, filled(n, key)), alloc[kernels.Status](d, n)
			held := result{n, func() (all []float64, err error) { // whether the filter has each key afterwards
				host := make([]uint64, buckets)
				err = filter.Download(host)
				for i := 0; i < n; i += stride(n) {
					in := 0.0
					if holds(host, i) || holds(older(), i) {
						in = 1
					}
					all = append(all, in)
				}
				return all, err
			}}
			return inputs{
				args: []any{old, filter, keys, status}, twin: []any{buckets, old, buckets, filter, n, keys, status},
				results: []result{sampled[uint8](status), held},
			}
		},
		want: func(r, i int) float64 {
			if r == 0 && holds(older(), i) {
				return float64(kernels.StatusOld)
			}
			return 1
		},
	}
}

// cuckooPlace is a key's fingerprint, and its first bucket.
func cuckooPlace(x uint64, buckets int) (print uint64, bucket int) {
	for k, factor := range []uint64{0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 1} {
		x = (x ^ x>>[3]int{30, 27, 31}[k]) * factor
	}
	return max(x>>48, 1), int(x % uint64(buckets))
}
