package prim

import (
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"heddle/launch"
)

//go:embed tuning.json
var tuningFile embed.FS

// A Tuning is how an algorithm is cut into blocks.
type Tuning struct {
	Threads int `json:"threads,omitempty"` // of a block, a multiple of 64
	Items   int `json:"items,omitempty"`   // of a thread; the nearest at hand is taken
	Blocks  int `json:"blocks,omitempty"`  // of a grid that does not depend on the length, for each compute unit
	// Resident are the threads that a compute unit has at least: more of them leave each fewer registers.
	Resident int `json:"resident,omitempty"`
	// Serial are the elements that one thread goes through by itself, in a block of its own, in place of Threads and Items: what suits a
	// processor. 1 has many threads share a tile, as suits a GPU. Scans, selections, run lengths and radix sorts have both forms.
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

// A Table is the tuning by family of architectures ("sm_9", "gfx9", "cpu"; the longest that a device's name or architecture begins with
// counts, and "" is all others), by algorithm and the bytes of an element: "scan/4". An algorithm alone, "scan", is for other sizes.
type Table map[string]map[string]Tuning

var table atomic.Pointer[Table]

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
	for _, from := range []Table{*tunings(), t} {
		for family, rows := range from {
			if all[family] == nil {
				all[family] = map[string]Tuning{}
			}
			for name, row := range rows {
				all[family][name] = row
			}
		}
	}
	table.Store(&all)
	return nil
}

// minBlocks is kernel.Options.MinBlocks for a kernel of blocks of t.Threads.
func (t Tuning) minBlocks() int { return max(1, t.Resident/max(1, t.Threads)) }

func (t Tuning) check(where string) error {
	if t.Threads < 0 || t.Threads > 1024 || t.Threads%64 != 0 || t.Items < 0 || t.Blocks < 0 || t.Resident < 0 || t.Serial < 0 {
		return fmt.Errorf("prim: %s: threads are a multiple of 64 up to 1024, items, blocks, resident and serial not negative: got %+v", where, t)
	}
	return nil
}

// tunings is the table in use.
func tunings() *Table {
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
	table.CompareAndSwap(nil, &t)
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

// TuningOf returns what the table in use says of an algorithm for elements of so many bytes on a device, and the family whose
// entries count for that device.
func TuningOf(dev *launch.Device, algorithm string, size int) (family string, t Tuning) {
	info := dev.Info()
	all := *tunings()
	for name := range all {
		if len(name) > len(family) && (strings.HasPrefix(info.Name, name) || strings.HasPrefix(info.Arch, name)) {
			family = name
		}
	}
	key := fmt.Sprint(algorithm, "/", size)
	for _, rows := range []map[string]Tuning{all[""], all[family]} {
		t = t.or(rows[algorithm]).or(rows[key])
	}
	return family, t
}
