package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"heddle/internal/driver/emu"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// This file implements the comparison with clang for AMD's GPUs: by the code itself, and by
// what waves execute of it on emulated processors.

// A figure is what one build of a kernel comes to.
type figure struct {
	code
	waves        int    // at most, on a SIMD at once
	executed     counts // by all waves of the small launch
	transactions int
}

// compare prints, for each processor, what heddle's builds and clang's need and execute.
func compare(list []*benchmark, dir, archs string) error {
	temp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	stats := filepath.Join(temp, "stats")
	if err := os.Setenv(emu.Env, "races=off,uninit=off,budget=1099511627776,idle=1099511627776,stats="+stats); err != nil {
		return err
	}
	wrong := 0
	for arch := range strings.SplitSeq(archs, ",") {
		dev, err := launch.Open("emu:" + arch)
		if err != nil {
			return err
		}
		n, err := compareOn(dev, list, dir, arch, stats)
		if err := cmp.Or(err, dev.Close()); err != nil {
			return err
		}
		wrong += n
	}
	if wrong > 0 {
		return fmt.Errorf("%d results are wrong or missing", wrong)
	}
	return nil
}

// compareOn is compare on one processor. It returns how many builds failed.
func compareOn(dev *launch.Device, list []*benchmark, dir, arch, stats string) (wrong int, err error) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tby\tcode:\tvec\tsca\tmem\tLDS\tbra\tVGPR\tSGPR\tLDS B\tscratch\twaves\texecuted:\tvec\tsca\tmem\tLDS\tbra\ttransactions\tratio\t\n", arch)
	dynamic, static := make([]summary, 2), make([]summary, 2)
	var fewer []string
	for _, b := range list {
		all, errs := b.figures(dev, filepath.Join(dir, arch), arch, stats)
		for _, err := range errs {
			fmt.Fprintf(os.Stderr, "%s, %v\n", arch, err)
			wrong++
		}
		clang := all["clang"]
		for _, name := range []string{"clang", "checked", "nobounds"} {
			f := all[name]
			if f == nil {
				continue
			}
			ratio := "-"
			if i := map[string]int{"checked": 0, "nobounds": 1}[name]; clang != nil && name != "clang" {
				r := float64(f.executed.total()) / float64(clang.executed.total())
				ratio = fmt.Sprintf("%.2f", r)
				dynamic[i].add(b.name, r)
				static[i].add(b.name, float64(f.total())/float64(clang.total()))
				if f.waves < clang.waves {
					fewer = append(fewer, fmt.Sprintf("%s, %s: %d of %d", b.name, name, f.waves, clang.waves))
				}
			}
			s, e := f.counts, f.executed
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t\n", b.name, name,
				s.total(), s[arithmetic], s[scalar], s[memory], s[lds], s[branch], f.vgpr, f.sgpr, f.shared, f.scratch, f.waves,
				e.total(), e[arithmetic], e[scalar], e[memory], e[lds], e[branch], f.transactions, ratio)
		}
	}
	if err := w.Flush(); err != nil {
		return wrong, err
	}
	for i, v := range variants[:2] {
		fmt.Printf("%s, %s, executed instructions over clang's: %s\n", arch, v.name, &dynamic[i])
		fmt.Printf("%s, %s, instructions of the code over clang's: %s\n", arch, v.name, &static[i])
	}
	fmt.Printf("%s, fewer waves on a SIMD than clang's code: %s\n\n", arch, cmp.Or(strings.Join(fewer, "; "), "none"))
	return wrong, nil
}

// figures are those of clang's build and of heddle's, which are also checked.
func (b *benchmark) figures(dev *launch.Device, dir, arch, stats string) (all map[string]*figure, errs []error) {
	all = map[string]*figure{}
	d, in, err := b.open(dev)
	if err != nil {
		return all, []error{fmt.Errorf("%s: %w", b.name, err)}
	}
	defer d.close()
	execute := func(own build, f *figure) error {
		if err := os.Truncate(stats, 0); err != nil {
			return err
		}
		if err := b.prove(d, in, own); err != nil {
			return err
		}
		text, err := os.ReadFile(stats)
		f.count(string(text))
		return err
	}
	for _, v := range variants[:2] {
		c, err := b.static(arch, v)
		if err == nil {
			f := &figure{code: c, waves: b.occupancy(arch, &c)}
			all[v.name] = f
			err = execute(b.ours(d, in, v), f)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s, %s: %w", b.name, v.name, err))
		}
	}
	twin, err := b.theirs(d, in, dir)
	if err == nil && twin.launch != nil {
		var c code
		if c, err = b.twinCode(dir); err == nil {
			f := &figure{code: c, waves: b.occupancy(arch, &c)}
			all["clang"] = f
			err = execute(twin, f)
		}
	}
	if err != nil {
		errs = append(errs, fmt.Errorf("%s, clang: %w", b.name, err))
	}
	return all, errs
}

// twinCode is what clang's listing says of a kernel.
func (b *benchmark) twinCode(dir string) (c code, err error) {
	listing, err := os.ReadFile(filepath.Join(dir, b.class+".s"))
	if err != nil {
		return c, err
	}
	return c, c.read(string(listing), b.name)
}

// units are what limits the waves of a processor: vector registers of a SIMD and how many
// are given out together, waves of a SIMD, SIMDs and bytes of LDS of a compute unit.
var units = map[string]struct{ registers, together, waves, simds, lds int }{
	"gfx90a": {512, 8, 8, 4, 64 << 10}, "gfx942": {512, 8, 8, 4, 64 << 10},
	"gfx1030": {1024, 8, 16, 2, 64 << 10}, "gfx1100": {1536, 24, 16, 2, 64 << 10}, "gfx1201": {1536, 24, 16, 2, 64 << 10},
}

// occupancy is how many waves of a kernel a SIMD holds: as many as its registers and the
// compute unit's shared memory allow, 0 for a processor that is not in the table.
func (b *benchmark) occupancy(arch string, c *code) int {
	u, ok := units[arch]
	if !ok {
		return 0
	}
	n := u.waves
	if c.vgpr > 0 {
		n = min(n, u.registers/((c.vgpr+u.together-1)/u.together*u.together))
	}
	block := b.cfg.Block
	ofBlock := (max(block.X, 1)*max(block.Y, 1)*max(block.Z, 1) + c.wave - 1) / c.wave
	if c.shared > 0 {
		n = min(n, max(u.lds/c.shared*ofBlock/u.simds, 1))
	}
	return n
}

// emulated gives the class of what the emulator calls a class.
var emulated = map[string]int{
	"valu": arithmetic, "salu": scalar, "vmem": memory, "scratch": memory, "smem": memory, "lds": lds, "branch": branch, "other": other,
}

// count takes the numbers from the line that the emulator writes of a launch.
func (f *figure) count(line string) {
	for name, class := range emulated {
		f.executed[class] += countOf(line, `\b`+name+` (\d+)`)
	}
	f.transactions = countOf(line, `(\d+) memory transaction`)
}
