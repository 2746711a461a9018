package prim

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"heddle/launch"
)

//go:embed tuning.json
var tuningFile embed.FS

// A Tuning is how an algorithm is cut into blocks.
type Tuning struct {
	Threads int `json:"threads,omitempty"` // of a block, a multiple of 64
	// Items are the elements of a thread, of which the nearest number at hand is taken; transformations have
	// one number, and look at none. Of a reduction they are the loads of each of 1024 threads up to which one block does it alone; from
	// 16 on a histogram of a buffer's elements reads 16 bytes at a time, which a processor takes up to four times as long for.
	Items  int `json:"items,omitempty"`
	Blocks int `json:"blocks,omitempty"` // of a grid that does not depend on the length, for each compute unit
	// Resident are the threads that a compute unit has at least: more of them leave each fewer registers.
	Resident int `json:"resident,omitempty"`
	// Serial are the elements of a tile that one thread goes through by itself, in a block of its own: what suits a processor.
	// Threads and Items then make no difference. 0 and 1 have many threads share a tile, as suits a GPU; in Options.Tuning 0
	// leaves what the table says. Scans and selections, what is built on them (by key, run lengths, sets), and radix sorts have
	// both forms; others look at no Serial. A selection's tile is at most what a block's shared memory holds.
	Serial int `json:"serial,omitempty"`
}

// or is t with what u sets.
func (t Tuning) or(u Tuning) Tuning {
	if u.Threads != 0 {
		t.Threads = u.Threads
	}
	if u.Items != 0 {
		t.Items = u.Items
	}
	if u.Blocks != 0 {
		t.Blocks = u.Blocks
	}
	if u.Resident != 0 {
		t.Resident = u.Resident
	}
	if u.Serial != 0 {
		t.Serial = u.Serial
	}
	return t
}

// A Table is the tuning by family of architectures ("sm_9", "gfx9", "cpu"), by algorithm and the bytes of an element: "scan/4". An
// algorithm alone, "scan", is for sizes that the family says nothing else of. All families count that a device's name or
// architecture begins with: of several that say a number, the longest does ("sm_90", "sm_9", "sm_", and "" for all devices).
type Table map[string]map[string]Tuning

// A tableInUse has what was looked up in it.
type tableInUse struct {
	Table
	found sync.Map // a foundTuning by its tuningKey
	// latest has some of these in places that take no hash of two strings to find.
	latest [16]atomic.Pointer[latestTuning]
}

type latestTuning struct {
	tuningKey
	*foundTuning
}

// place is where latest has what a key leads to.
func (k *tuningKey) place() int {
	n := 5*len(k.algorithm) + k.size
	if k.algorithm != "" {
		n += int(k.algorithm[0])
	}
	return n % 16
}

type tuningKey struct {
	device, algorithm string
	size              int
}

type foundTuning struct {
	family string
	t      Tuning
}

var table atomic.Pointer[tableInUse]

// LoadTuning reads a table in the form of prim/tuning.json, such as prim/tune writes, and uses its entries from now on in place
// of those of the same family and algorithm. Calls of other goroutines see it at some time.
func LoadTuning(r io.Reader) error {
	var t Table
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return fmt.Errorf("prim: tuning table: %w", err)
	}
	for family, rows := range t {
		for name, row := range rows {
			if err := row.check("tuning table, " + family + ", " + name); err != nil {
				return err
			}
		}
	}
	all := Table{}
	for _, from := range []Table{tunings().Table, t} {
		for family, rows := range from {
			if all[family] == nil {
				all[family] = map[string]Tuning{}
			}
			for name, row := range rows {
				all[family][name] = row
			}
		}
	}
	table.Store(&tableInUse{Table: all})
	return nil
}

// minBlocks is kernel.Options.MinBlocks for a kernel of blocks of t.Threads that is fastest with as many registers as it likes: that is what
// NVIDIA's assembler makes of 1. Scans and merges are faster with as many as it takes without being told.
func (t Tuning) minBlocks() int { return max(1, t.Resident/max(1, t.Threads)) }

func (t Tuning) check(where string) error {
	if t.Threads < 0 || t.Threads > 1024 || t.Threads%64 != 0 || t.Items < 0 || t.Blocks < 0 || t.Resident < 0 || t.Serial < 0 {
		return fmt.Errorf("prim: %s: threads are a multiple of 64 up to 1024, items, blocks, resident and serial not negative: got %+v", where, t)
	}
	return nil
}

// tunings is the table in use.
func tunings() *tableInUse {
	if t := table.Load(); t != nil {
		return t
	}
	text, err := tuningFile.ReadFile("tuning.json")
	var t Table
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		panic("prim: its own tuning.json: " + err.Error()) // a test reads it
	}
	table.CompareAndSwap(nil, &tableInUse{Table: t})
	return table.Load()
}

// tuned is the tuning of an algorithm for elements of so many bytes on a device, with what the call asks for.
func tuned(s *launch.Stream, algorithm string, size int, o Options) (Tuning, error) {
	if err := o.Tuning.check("Options.Tuning"); err != nil {
		return Tuning{}, err
	}
	_, t := TuningOf(s.Device(), algorithm, size)
	return t.or(o.Tuning), nil
}

// TuningOf returns what the table in use says of an algorithm for elements of so many bytes on a device, and the longest family of
// the table that the device belongs to.
func TuningOf(dev *launch.Device, algorithm string, size int) (family string, t Tuning) {
	in := tunings()
	key := tuningKey{dev.Name(), algorithm, size}
	latest := &in.latest[key.place()]
	if f := latest.Load(); f != nil && f.tuningKey == key {
		return f.family, f.t
	}
	if f, ok := in.found.Load(key); ok {
		f := f.(*foundTuning)
		latest.Store(&latestTuning{key, f})
		return f.family, f.t
	}
	family, t = in.look(dev.Info(), algorithm, size)
	in.found.Store(key, &foundTuning{family, t})
	return family, t
}

func (all Table) look(info launch.DeviceInfo, algorithm string, size int) (family string, t Tuning) {
	var families []string
	for name := range all {
		if strings.HasPrefix(info.Name, name) || strings.HasPrefix(info.Arch, name) {
			families = append(families, name)
		}
	}
	slices.SortFunc(families, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	key := fmt.Sprint(algorithm, "/", size)
	for _, family = range families {
		t = t.or(all[family][algorithm]).or(all[family][key])
	}
	return family, t
}
