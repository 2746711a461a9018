package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"heddle/internal/driver/emu"
	"heddle/internal/link"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// This file implements the comparison with clang for AMD's GPUs: by the code itself, and by
// what waves execute of it on emulated processors.

// A figure is what one build of a kernel comes to.
type figure struct {
	static             counts
	vgpr, sgpr, shared int
	scratch            int
	waves              int    // at most, on a SIMD at once
	executed           counts // by all waves of the small launch
	transactions       int
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
				static[i].add(b.name, float64(f.static.total())/float64(clang.static.total()))
				if f.waves < clang.waves {
					fewer = append(fewer, fmt.Sprintf("%s, %s: %d of %d", b.name, name, f.waves, clang.waves))
				}
			}
			s, e := f.static, f.executed
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
		f.read(string(text))
		return err
	}
	for _, v := range variants[:2] {
		o, n, err := b.static(arch, v)
		if err == nil {
			f := &figure{static: n, vgpr: o.VGPR, sgpr: o.SGPR, shared: o.SharedMemory, scratch: o.Scratch}
			f.waves = b.occupancy(arch, o.WarpSize, f)
			all[v.name] = f
			err = execute(b.ours(d, in, v), f)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s, %s: %w", b.name, v.name, err))
		}
	}
	twin, err := b.theirs(d, in, dir)
	if err == nil && twin.launch != nil {
		f := new(figure)
		if err = b.inspect(f, dir, arch); err == nil {
			err = execute(twin, f)
			all["clang"] = f
		}
	}
	if err != nil {
		errs = append(errs, fmt.Errorf("%s, clang: %w", b.name, err))
	}
	return all, errs
}

// inspect reads what clang's code object and listing say of a kernel.
func (b *benchmark) inspect(f *figure, dir, arch string) error {
	code, err := os.ReadFile(filepath.Join(dir, b.class+".hsaco"))
	if err != nil {
		return err
	}
	asm, err := os.ReadFile(filepath.Join(dir, b.class+".s"))
	if err != nil {
		return err
	}
	info, err := link.Inspect(code)
	if err != nil {
		return err
	}
	k := info.Kernel(b.name)
	if k == nil {
		return fmt.Errorf("no kernel %s in %s.hsaco", b.name, b.class)
	}
	*f = figure{static: listed(string(asm), b.name), vgpr: k.VGPR, sgpr: k.SGPR, shared: k.LDS, scratch: k.Scratch}
	f.waves = b.occupancy(arch, k.WarpSize, f)
	return nil
}

// units are what limits the waves of a processor: vector registers of a SIMD and how many
// are given out together, waves of a SIMD, SIMDs and bytes of LDS of a compute unit.
var units = map[string]struct{ registers, together, waves, simds, lds int }{
	"gfx90a": {512, 8, 8, 4, 64 << 10}, "gfx942": {512, 8, 8, 4, 64 << 10},
	"gfx1030": {1024, 8, 16, 2, 64 << 10}, "gfx1100": {1536, 24, 16, 2, 64 << 10}, "gfx1201": {1536, 24, 16, 2, 64 << 10},
}

// occupancy is how many waves of a kernel a SIMD holds: as many as its registers and the
// compute unit's shared memory allow, 0 for a processor that is not in the table.
func (b *benchmark) occupancy(arch string, wave int, f *figure) int {
	u, ok := units[arch]
	if !ok {
		return 0
	}
	n := u.waves
	if f.vgpr > 0 {
		n = min(n, u.registers/((f.vgpr+u.together-1)/u.together*u.together))
	}
	block := b.cfg.Block
	ofBlock := (max(block.X, 1)*max(block.Y, 1)*max(block.Z, 1) + wave - 1) / wave
	if f.shared > 0 {
		n = min(n, max(u.lds/f.shared*ofBlock/u.simds, 1))
	}
	return n
}

// emulated gives the class of what the emulator calls a class.
var emulated = map[string]int{
	"valu": arithmetic, "salu": scalar, "vmem": memory, "scratch": memory, "smem": memory, "lds": lds, "branch": branch, "other": other,
}

// read takes the numbers from the line that the emulator writes of a launch.
func (f *figure) read(line string) {
	for name, class := range emulated {
		f.executed[class] += countOf(line, `\b`+name+` (\d+)`)
	}
	f.transactions = countOf(line, `(\d+) memory transaction`)
}

// countOf is the first number in a line that an expression finds, 0 if there is none.
func countOf(line, expr string) int {
	m := regexp.MustCompile(expr).FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
