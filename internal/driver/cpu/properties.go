package cpu

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"heddle/internal/driver"
)

// Describe implements host.Describer.
func (e *engine) Describe(p *driver.Properties) {
	for _, c := range caches("/sys/devices/system/cpu/cpu0/cache") {
		switch {
		case c.level == 2:
			p.Set(driver.L2Cache, c.size)
		case c.level == 1 && c.kind == "Data":
			p.Yes(driver.GlobalL1, driver.LocalL1)
		}
	}
	p.Set(driver.SingleToDouble, 2) // a vector register holds twice as many
	p.Yes(driver.Preemption, driver.FunctionPointers)
}

// A cache is one of a processor's.
type cache struct {
	level, size int
	kind        string // "Data", "Instruction", "Unified"
}

// caches reads the caches of a processor from the files that Linux has in dir. It returns none
// if the files are not there.
func caches(dir string) (all []cache) {
	indices, _ := filepath.Glob(filepath.Join(dir, "index*"))
	for _, i := range indices {
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(i, name))
			return strings.TrimSpace(string(text))
		}
		c := cache{kind: read("type")}
		c.level, _ = strconv.Atoi(read("level"))
		kb, ok := strings.CutSuffix(read("size"), "K")
		if n, err := strconv.Atoi(kb); err == nil && ok {
			c.size = n << 10
			all = append(all, c)
		}
	}
	return all
}

// Attributes implements driver.Measured.
func (f *function) Attributes() (*driver.FunctionAttributes, error) {
	return &driver.FunctionAttributes{Res: f.object.Res, Carveout: -1}, nil
}

// Occupancy implements driver.Measured: a processor does one block at a time, whatever it is.
func (f *function) Occupancy(threads, shared int) (int, error) { return 1, nil }

// PreferShared implements driver.Measured: there is nothing to divide.
func (f *function) PreferShared(int) error { return nil }
