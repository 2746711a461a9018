package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"heddle/internal/tests/primcases"
	"heddle/launch"
	"heddle/prim"
)

// An algorithm is what its tuning may be.
type algorithm struct {
	items  []int // what package prim has kernels for; none: items make no difference
	blocks bool  // the grid does not depend on the length
	serial bool  // there is a form of one thread a tile
}

var algorithms = map[string]algorithm{
	"transform": {},
	"reduce":    {blocks: true},
	"scan":      {items: []int{3, 7, 11, 15, 19, 23}, serial: true},
	"select":    {items: []int{4, 8, 12, 16, 20}, serial: true},
	"runs":      {items: []int{4, 8, 12, 16, 20}, serial: true},
	"histogram": {blocks: true},
	"radix":     {items: []int{4, 8, 12, 16, 20}, serial: true},
	"pairs":     {items: []int{4, 8, 12, 16, 20}, serial: true},
	"merge":     {items: []int{3, 7, 11, 15, 17, 19}},
}

var (
	threads = []int{64, 128, 192, 256, 320, 384, 512, 640, 768, 1024}
	blocks  = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}
	serials = []int{512, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 65536}
)

// An entry is one of the table, with the cases that stand for it.
type entry struct {
	name      string
	algorithm algorithm
	present   prim.Tuning
	cases     []primcases.Case
}

// entries are those of the cases, in the order of these.
func entries(dev *launch.Device, only string) (all []entry) {
	for _, c := range slices.Concat(primcases.Cases, primcases.Others) {
		if c.Entry == "" || !strings.Contains(c.Entry, only) {
			continue
		}
		i := slices.IndexFunc(all, func(e entry) bool { return e.name == c.Entry })
		if i < 0 {
			name, bytes, _ := strings.Cut(c.Entry, "/")
			size, _ := strconv.Atoi(bytes) // 0: the entry of other sizes
			_, present := prim.TuningOf(dev, name, size)
			i, all = len(all), append(all, entry{name: c.Entry, algorithm: algorithms[name], present: present})
		}
		all[i].cases = append(all[i].cases, c)
	}
	return all
}

// search tunes the entries one after the other. What it has found it returns with an error, too.
func search(dev *launch.Device, o options, log io.Writer) (prim.Table, error) {
	table := prim.Table{o.family: {}}
	all := entries(dev, o.only)
	end := time.Now().Add(o.time)
	fmt.Fprintf(log, "%s: %s, family %q, 2^%d elements\n", dev.Name(), dev.Info().Product, o.family, o.size)
	for i, e := range all {
		s := &trial{dev: dev, entry: e, size: o.size, log: log, seen: map[prim.Tuning]float64{}}
		s.end = time.Now().Add(time.Until(end) / time.Duration(len(all)-i))
		best, gain, err := s.climb(o.gain)
		s.close()
		if err != nil {
			return table, fmt.Errorf("%s: %w", e.name, err)
		}
		table[o.family][e.name] = best
		note := ""
		if s.late {
			note = ", out of time"
		}
		fmt.Fprintf(log, "%-12s %s -> %s: %.1f%% faster (%d tried, %d refused%s)\n", e.name, shown(e.present), shown(best), 100*gain, len(s.seen), s.refused, note)
		if err := write(o.out, table); err != nil {
			return table, err
		}
	}
	return table, nil
}

// shown is a tuning in short.
func shown(t prim.Tuning) string {
	if t.Serial > 1 {
		return fmt.Sprint("1 thread x ", t.Serial)
	}
	s := fmt.Sprint(t.Threads, " threads")
	if t.Items != 0 {
		s += fmt.Sprint(" x ", t.Items)
	}
	if t.Blocks != 0 {
		s += fmt.Sprint(", ", t.Blocks, " blocks")
	}
	return s
}

// A trial looks for the best tuning of one entry.
type trial struct {
	dev     *launch.Device
	entry   entry
	size    int
	log     io.Writer
	end     time.Time
	late    bool // there were more to try
	refused int
	seen    map[prim.Tuning]float64 // times, or +Inf

	small, large []*primcases.Run // of each case: to be compared with plain Go, and to be timed
	plain        []uint64         // of each small one, what plain Go gives
	want         []uint64         // of each large one, what the first tuning has given
}

func (s *trial) close() {
	for _, r := range slices.Concat(s.small, s.large) {
		r.Close()
	}
}

// checked is the number of elements that are compared with plain Go: several tiles of most tunings, and no whole number of them.
const checked = 100_003

// climb returns the best tuning and by how much it is faster than the present one.
func (s *trial) climb(gain float64) (best prim.Tuning, gained float64, err error) {
	for _, c := range s.entry.cases {
		for _, n := range []int{min(checked, 1<<s.size-1), 1 << min(s.size, c.Most)} {
			r, err := c.Setup(s.dev, n)
			if err != nil {
				return best, 0, fmt.Errorf("%s: %w", c.Name, err)
			}
			if len(s.small) == len(s.large) {
				s.small, s.plain = append(s.small, r), append(s.plain, r.Want())
			} else {
				s.large = append(s.large, r)
			}
		}
	}
	first, usable := s.begin()
	if !usable {
		return best, 0, fmt.Errorf("none of the first candidates runs")
	}
	best = first
	for moved := true; moved && !s.late; {
		moved = false
		for _, t := range s.neighbours(best) {
			if time.Now().After(s.end) {
				s.late = true
				break
			}
			if s.time(t) < s.seen[best] {
				best, moved = t, true
				break
			}
		}
	}
	// the winner against the present one once more, in turns
	if best != s.entry.present && !math.IsInf(s.seen[s.entry.present], 1) && s.seen[s.entry.present] != 0 {
		old, now := math.Inf(1), math.Inf(1)
		for range 3 {
			old, now = min(old, s.measure(s.entry.present)), min(now, s.measure(best))
		}
		if gained = 1 - now/old; !(gained >= gain) {
			return s.entry.present, 0, nil
		}
	}
	return best, gained, nil
}

// begin tries the present tuning, and where that is refused, some that take little.
func (s *trial) begin() (t prim.Tuning, usable bool) {
	for _, t := range []prim.Tuning{s.entry.present, s.nearest(prim.Tuning{Threads: 256, Items: 7, Blocks: 4}), s.nearest(prim.Tuning{Threads: 128, Items: 3, Blocks: 2}), s.nearest(prim.Tuning{Threads: 64, Items: 3, Blocks: 1})} {
		if !math.IsInf(s.time(t), 1) {
			return t, true
		}
	}
	return t, false
}

// nearest is a tuning as the algorithm has it.
func (s *trial) nearest(t prim.Tuning) prim.Tuning {
	t.Resident, t.Serial = s.entry.present.Resident, min(s.entry.present.Serial, serials[0])
	if t.Items = 0; len(s.entry.algorithm.items) > 0 {
		t.Items = s.entry.algorithm.items[0]
	}
	if !s.entry.algorithm.blocks {
		t.Blocks = 0
	}
	return t
}

// neighbours differ from t in one number by one or two steps, or in threads and items by one each, for a block of about as many
// elements. Where one thread has a tile, only its length differs.
func (s *trial) neighbours(t prim.Tuning) (all []prim.Tuning) {
	untried := func() []prim.Tuning {
		return slices.DeleteFunc(all, func(t prim.Tuning) bool { return s.seen[t] != 0 })
	}
	if s.entry.algorithm.serial && t.Serial > 1 {
		for _, v := range near(serials, t.Serial, 2) {
			n := t
			n.Serial = v
			all = append(all, n)
		}
		return untried()
	}
	add := func(threads, items, blocks int) {
		all = append(all, prim.Tuning{Threads: threads, Items: items, Blocks: blocks, Resident: t.Resident, Serial: t.Serial})
	}
	for _, v := range near(threads, t.Threads, 2) {
		add(v, t.Items, t.Blocks)
	}
	if len(s.entry.algorithm.items) > 0 {
		for _, v := range near(s.entry.algorithm.items, t.Items, 2) {
			add(t.Threads, v, t.Blocks)
		}
		for _, v := range near(threads, t.Threads, 1) {
			for _, w := range near(s.entry.algorithm.items, t.Items, 1) {
				if (v > t.Threads) != (w > t.Items) {
					add(v, w, t.Blocks)
				}
			}
		}
	}
	if s.entry.algorithm.blocks {
		for _, v := range near(blocks, t.Blocks, 2) {
			add(t.Threads, t.Items, v)
		}
	}
	return untried()
}

// near are up to steps members of a list on either side of v, the nearest first.
func near(list []int, v, steps int) (all []int) {
	for k := 1; k <= steps; k++ {
		i, found := slices.BinarySearch(list, v)
		up := i + k - 1
		if found {
			up++
		}
		if up < len(list) {
			all = append(all, list[up])
		}
		if down := i - k; down >= 0 {
			all = append(all, list[down])
		}
	}
	return all
}

// time is the time of a tuning, +Inf if it is refused.
func (s *trial) time(t prim.Tuning) float64 {
	if took, known := s.seen[t]; known {
		return took
	}
	took := math.Inf(1)
	err := s.check(t)
	if err == nil {
		if took = s.measure(t); math.IsInf(took, 1) {
			err = fmt.Errorf("it could not be timed")
		}
	}
	if err != nil {
		s.refused++
		s.dev.Sync() // which takes the error of a kernel
		fmt.Fprintf(s.log, "%-12s %s: %v\n", s.entry.name, shown(t), err)
	}
	s.seen[t] = took
	return took
}

// check runs the cases of both sizes. The small ones give what plain Go gives, the large ones what the first tuning has given, which is
// one that is right with the small ones.
func (s *trial) check(t prim.Tuning) error {
	o := prim.Options{Tuning: t}
	for i, r := range s.small {
		got, err := r.Once(o)
		if err != nil {
			return err
		}
		if got != s.plain[i] {
			return fmt.Errorf("%s is wrong: %d elements give another result than plain Go", s.entry.cases[i].Name, min(checked, 1<<s.size-1))
		}
	}
	sums := make([]uint64, len(s.large))
	for i, r := range s.large {
		got, err := r.Once(o)
		if err != nil {
			return err
		}
		if sums[i] = got; s.want != nil && got != s.want[i] {
			return fmt.Errorf("%s is wrong: 2^%d elements give another result than with the first tuning", s.entry.cases[i].Name, s.size)
		}
		if r.Check != nil {
			if err := r.Check(); err != nil {
				return fmt.Errorf("%s: %w", s.entry.cases[i].Name, err)
			}
		}
	}
	if s.want == nil {
		s.want = sums
	}
	return nil
}

// measure is the geometric mean of the times of the large cases, in seconds, +Inf if one fails.
func (s *trial) measure(t prim.Tuning) float64 {
	logs := 0.0
	for _, r := range s.large {
		took, err := r.Time(primcases.Repetitions(s.size), prim.Options{Tuning: t})
		if err != nil {
			return math.Inf(1)
		}
		logs += math.Log(cmp.Or(took, time.Nanosecond).Seconds())
	}
	return math.Exp(logs / float64(len(s.large)))
}
