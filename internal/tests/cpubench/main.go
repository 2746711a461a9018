// Command cpubench times heddle's kernels on the cpu device beside the same
// work in three other languages: plain Go over all cores, OpenCL C on PoCL, and
// C with OpenMP. scripts/bench-cpu.sh builds the last two and runs it.
//
// Each language is one process, which holds the inputs of one kernel at a time
// and runs it when asked; they take turns, so that what else the machine does
// meets them all. Before, the results of one run are compared with plain Go's.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"heddle/kernel"
)

// variants are the parts that heddle compiles, and how.
var variants = map[string]kernel.Options{
	"heddle":   {},
	"nobounds": {NoBounds: true},
	"fast":     {NoBounds: true, FastMath: true},
}

// options are the command's flags.
type options struct {
	only, parts, device, cpu, warp string
	programs                       map[string]*string
	ms, turns, reps                int
	small, lines                   bool
}

func main() {
	o := options{programs: map[string]*string{}}
	worker := flag.String("worker", "", "be the `part` heddle, nobounds, fast or go")
	flag.StringVar(&o.only, "only", "", "these `kernels` alone, separated by commas")
	flag.StringVar(&o.parts, "part", "heddle,go,pocl,c,c512", "the `parts` to time; also nobounds and fast, which are heddle without checks")
	flag.StringVar(&o.device, "device", "cpu", "heddle's `device`")
	flag.StringVar(&o.cpu, "cpu", "", "the `instruction set` of the cpu device, as HEDDLE_CPU has it")
	flag.StringVar(&o.warp, "warp", "", "the warp's `size`: 32 or 64")
	flag.IntVar(&o.ms, "ms", 100, "`milliseconds` of a turn")
	flag.IntVar(&o.turns, "turns", 3, "how `often` a part has its turn")
	flag.IntVar(&o.reps, "reps", 1000, "how `often` a kernel runs in a turn, at most")
	flag.BoolVar(&o.small, "small", false, "small inputs, such as the simulator can do")
	flag.BoolVar(&o.lines, "lines", false, "for programs: part, kernel, best and median nanoseconds, bytes, flops, error")
	for _, name := range []string{"pocl", "c", "c512"} {
		o.programs[name] = flag.String(name, "", "the `program` of this part")
	}
	flag.Parse()
	device := o.device
	if o.warp == "64" {
		device += ":64"
	}
	err := error(nil)
	if *worker != "" {
		err = serve(*worker, device, os.Stdin, os.Stdout)
	} else {
		err = compare(&o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cpubench:", err)
		os.Exit(1)
	}
}

// command is how a part is started, nil where its program was not built.
func (o *options) command(name string) *exec.Cmd {
	if program, other := o.programs[name]; other {
		if *program == "" {
			return nil
		}
		return exec.Command(*program)
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	cmd := exec.Command(self, "-worker", name, "-device", o.device, "-warp", o.warp)
	if o.cpu != "" {
		cmd.Env = append(os.Environ(), "HEDDLE_CPU="+o.cpu)
	}
	return cmd
}

// check finds mistakes in the flags.
func (o *options) check() error {
	for name := range strings.SplitSeq(o.only, ",") {
		if o.only != "" && !slices.ContainsFunc(benches, func(b *bench) bool { return b.name == name }) {
			return fmt.Errorf("-only: there is no kernel %q", name)
		}
	}
	for name := range strings.SplitSeq(o.parts, ",") {
		if _, ours := variants[name]; !ours && name != "go" && o.programs[name] == nil {
			return fmt.Errorf("-part: there is no part %q", name)
		}
	}
	if !slices.Contains([]string{"", "32", "64"}, o.warp) {
		return fmt.Errorf("-warp is 32 or 64, not %s", o.warp)
	}
	if o.ms < 0 || o.turns < 1 || o.reps < 1 {
		return fmt.Errorf("-ms is at least 0, -turns and -reps at least 1")
	}
	return nil
}
