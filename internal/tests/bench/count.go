package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"heddle/internal/driver/emu"
	"heddle/kernel"
	"heddle/launch"
	_ "heddle/launch/emu"
)

// counted is how many blocks of a grid are counted, by axis: a kernel's work differs little
// between them, and an emulator takes a thousand times as long as a GPU.
var counted = [3]int{4, 2, 1}

// count executes some blocks of every kernel on emulated processors, and prints how many
// instructions the waves took, by class, and the resources: with checks, without, and the
// first over the second.
func count(list []*benchmark, archs string) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "stats")
	if err := os.Setenv(emu.Env, "races=off,uninit=off,budget=1099511627776,idle=1099511627776,stats="+file); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	for arch := range strings.SplitSeq(archs, ",") {
		dev, err := launch.Open("emu:" + arch)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\tchecked\tvector\tscalar\tbranch\tVGPR\tnobounds\tvector\tscalar\tbranch\tVGPR\tratio\t\n", arch)
		logs := 0.0
		for _, b := range list {
			var totals [2]float64
			fmt.Fprintf(w, "%s\t", b.name)
			for i, v := range variants[:2] {
				line, k, err := b.execute(dev, v.opts, file)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", b.name, v.name, err)
				}
				o, err := k.Object(arch, 0)
				if err != nil {
					return err
				}
				totals[i] = float64(countOf(line, `(\d+) instruction`))
				fmt.Fprintf(w, "%.0f\t%d\t%d\t%d\t%d\t", totals[i], countOf(line, `valu (\d+)`), countOf(line, `salu (\d+)`), countOf(line, `branch\w* (\d+)`), o.VGPR)
			}
			fmt.Fprintf(w, "%.2f\t\n", totals[0]/totals[1])
			logs += math.Log(totals[0] / totals[1])
		}
		fmt.Fprintf(w, "geometric mean\t\t\t\t\t\t\t\t\t\t\t%.3f\t\n", math.Exp(logs/float64(len(list))))
		if err := cmp.Or(w.Flush(), dev.Close()); err != nil {
			return err
		}
	}
	return nil
}

// execute launches some blocks of a kernel, and returns the line that the emulator writes.
func (b *benchmark) execute(on *launch.Device, opts kernel.Options, file string) (line string, k *kernel.Kernel, err error) {
	d := &device{Device: on}
	defer d.close()
	args, _ := b.setup(d)
	if d.err != nil {
		return "", nil, d.err
	}
	cfg := b.cfg
	cfg.Grid.X, cfg.Grid.Y, cfg.Grid.Z = min(cfg.Grid.X, counted[0]), min(cfg.Grid.Y, counted[1]), min(cfg.Grid.Z, counted[2])
	k = kernel.NewWith(b.kernel, opts)
	if err := os.Truncate(file, 0); err != nil {
		return "", nil, err
	}
	if err := k.Launch(on.Stream(), cfg, args...); err != nil {
		return "", nil, err
	}
	if err := on.Sync(); err != nil {
		return "", nil, err
	}
	text, err := os.ReadFile(file)
	return string(text), k, err
}

// countOf is the first one in a line that an expression finds, 0 if there is none.
func countOf(line, expr string) int {
	m := regexp.MustCompile(expr).FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
