// Command soak runs fresh random kernels on every device of this machine for a
// while, and prints what to replay for each that differs from gc's code:
//
//	go run ./internal/tests/fuzz/soak -time 10m
//	go run ./internal/tests/fuzz/soak -seed 1764000000 -kernel 37 -devices cpu -llvm 19 -opt O3
//	go run ./internal/tests/fuzz/soak -seed 1764000000 -kernel 37 -devices cpu -reduce
//	go run ./internal/tests/fuzz/soak -seed 1764000000 -build fuzz.test
//
// The first is what "make fuzz" does. A batch is the kernels of one seed. The
// second runs one kernel again, the third makes it small, and the fourth builds a
// batch as a static program for a machine with a GPU and no Go.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"heddle/internal/codegen"
	"heddle/internal/llvm"
	"heddle/internal/module"
	"heddle/internal/tests/forms"
	"heddle/launch"
	_ "heddle/launch/emu"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("soak: ")
	s := &soak{}
	flag.DurationVar(&s.time, "time", 10*time.Minute, "how long to begin new batches; 0 for one batch")
	flag.Uint64Var(&s.seed, "seed", 0, "the first batch's `seed`, the next ones following; 0 takes one from the clock")
	flag.IntVar(&s.n, "n", 110, "kernels of a batch")
	flag.IntVar(&s.kernel, "kernel", 0, "run one batch of this kernel alone, and show all that differs")
	flag.StringVar(&s.devices, "devices", "all", "the devices, as launch.Open names them, or all of this machine's")
	flag.IntVar(&s.emus, "emus", 2, "with -devices all, how many emulated processors a batch runs on, in turn; 0 for all of them")
	flag.StringVar(&s.features, "features", "all", "what kernels may do; see gen -h")
	flag.StringVar(&s.llvm, "llvm", "", "the LLVM release, as HEDDLE_LLVM names it")
	flag.StringVar(&s.opt, "opt", "", "the optimisation of GPU code, as HEDDLE_OPT names it")
	flag.BoolVar(&s.checks, "checks", true, "compile with bounds checks; without, inputs for which a kernel panics are left out")
	flag.StringVar(&s.slow, "slow", "5m", "how long one kernel may compile")
	flag.StringVar(&s.build, "build", "", "build a batch as a static program into this `file`, and run nothing")
	flag.BoolVar(&s.reduce, "reduce", false, "make the kernel of -seed and -kernel small while it still differs")
	flag.Parse()
	s.form = *forms.Name // which the batches' programs set
	if flag.NArg() > 0 || s.reduce && (s.kernel == 0 || s.seed == 0) {
		flag.Usage()
		os.Exit(2)
	}
	differ, err := s.run()
	if err != nil {
		log.Fatal(err)
	}
	if differ {
		os.Exit(1)
	}
}

// A soak is one run of the command.
type soak struct {
	time                               time.Duration
	seed                               uint64
	n, kernel, emus                    int
	devices, features, form            string
	llvm, opt, slow, build             string
	checks                             bool
	reduce                             bool
	root, temp                         string // the repository's directory, and one for batches
	batches, kernels, launches, differ int
}

func (s *soak) run() (differ bool, err error) {
	if err := s.prepare(); err != nil {
		return false, err
	}
	defer os.RemoveAll(s.temp)
	switch {
	case s.build != "":
		out, err := filepath.Abs(s.build)
		if err != nil {
			return false, err
		}
		return false, s.compile(s.seed, out)
	case s.reduce:
		return true, s.makeSmall()
	}
	begin := time.Now()
	for seed := s.seed; s.batches == 0 || s.kernel == 0 && time.Since(begin) < s.time; seed++ {
		if err := s.batch(seed); err != nil {
			return false, err
		}
	}
	fmt.Printf("%d kernels on %d devices each or fewer: %d differ\n", s.kernels, s.launches, s.differ)
	return s.differ > 0, nil
}

// prepare sets the environment, and builds the generator.
func (s *soak) prepare() error {
	for name, value := range map[string]string{llvm.EnvLLVM: s.llvm, codegen.EnvOpt: s.opt, codegen.EnvCache: "off"} {
		if value == "" {
			continue
		}
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	if s.llvm = os.Getenv(llvm.EnvLLVM); s.llvm == "" {
		if _, major, err := llvm.Find(); err == nil {
			s.llvm = strconv.Itoa(major)
		}
	}
	if s.opt = os.Getenv(codegen.EnvOpt); s.opt == "" {
		s.opt = "O3"
	}
	if s.seed == 0 {
		s.seed = uint64(time.Now().Unix())
	}
	dir, err := exec.Command("go", "list", "-f", "{{.Module.Dir}}", module.Internal+"tests/fuzz").Output()
	if err != nil {
		return fmt.Errorf("run it in the repository: %w", err)
	}
	s.root = strings.TrimSpace(string(dir))
	if s.temp, err = os.MkdirTemp("", "heddle-fuzz-"); err != nil {
		return err
	}
	return s.goTool("build", "-o", filepath.Join(s.temp, "gen"), "./internal/tests/fuzz/gen")
}

// goTool runs the go command in the repository.
func (s *soak) goTool(args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// compile builds the test program of a seed.
func (s *soak) compile(seed uint64, out string) error {
	src, err := s.generate(seed, s.kernel)
	if err != nil {
		return err
	}
	return s.compileFile(src, out)
}

// generate writes the kernels of a seed, or one of them, to a file.
func (s *soak) generate(seed uint64, kernel int) (src string, err error) {
	src = filepath.Join(s.temp, "batch.go")
	gen := exec.Command(filepath.Join(s.temp, "gen"), "-seed", strconv.FormatUint(seed, 10), "-n", strconv.Itoa(max(s.n, s.kernel)),
		"-k", strconv.Itoa(kernel), "-features", s.features, "-o", src)
	if text, err := gen.CombinedOutput(); err != nil {
		return "", fmt.Errorf("gen: %w\n%s", err, text)
	}
	return src, nil
}

// compileFile builds the test program of a file of kernels.
func (s *soak) compileFile(src, out string, flags ...string) error {
	overlay := filepath.Join(s.temp, "overlay.json")
	text := fmt.Sprintf(`{"Replace": {%q: %q}}`, filepath.Join(s.root, "internal", "tests", "fuzz", "batch.go"), src)
	if err := os.WriteFile(overlay, []byte(text), 0o666); err != nil {
		return err
	}
	return s.goTool(slices.Concat([]string{"test", "-c", "-vet=off", "-overlay", overlay, "-o", out}, flags, []string{"./internal/tests/fuzz"})...)
}

// where are the devices of the batch of that number.
func (s *soak) where(batch int) []string {
	if s.devices != "all" {
		return strings.Split(s.devices, ",")
	}
	var some, emus []string
	for _, d := range launch.Devices() {
		if strings.HasPrefix(d.Name, "emu:") {
			emus = append(emus, d.Name)
		} else {
			some = append(some, d.Name)
		}
	}
	if s.emus == 0 || len(emus) <= s.emus {
		return append(some, emus...)
	}
	for i := range s.emus {
		some = append(some, emus[(batch*s.emus+i)%len(emus)])
	}
	return some
}

// batch runs the kernels of a seed, and prints a line and what differs.
func (s *soak) batch(seed uint64) error {
	begin := time.Now()
	program := filepath.Join(s.temp, "batch.test")
	if err := s.compile(seed, program); err != nil {
		return err
	}
	built := time.Since(begin)
	var rates []string
	var found []difference
	ran := 0
	names := s.where(s.batches)
	for _, name := range names {
		at := time.Now()
		n, differ, err := s.device(program, name)
		if err != nil {
			return err
		}
		if n == 0 {
			rates = append(rates, name+" is not here")
			continue
		}
		ran = max(ran, n)
		found = append(found, differ...)
		rates = append(rates, fmt.Sprintf("%s %.1f/s", name, float64(n)/time.Since(at).Seconds()))
	}
	took := time.Since(begin)
	differ, err := s.judge(seed, found)
	if err != nil {
		return err
	}
	s.batches++
	s.kernels += ran
	s.launches = max(s.launches, len(names))
	s.differ += differ
	fmt.Printf("seed %d: %d kernels built in %.0fs, %.2f kernels/s, %d differ (%s)\n",
		seed, ran, built.Seconds(), float64(ran)/took.Seconds(), differ, strings.Join(rates, ", "))
	for _, d := range found {
		if d.optimised {
			fmt.Printf("  %s on %s: right, the optimised code of %s is wrong\n", d.kernel, d.device, runtime.Version())
			continue
		}
		fmt.Printf("  %s on %s: %s\n", d.kernel, d.device, d.text)
		fmt.Printf("    replay: %s\n", s.replay(seed, d))
		if s.kernel != 0 {
			fmt.Println(d.all)
		}
	}
	return nil
}

// judge marks the differences that are none from code that Go has not optimised, and
// counts the others.
func (s *soak) judge(seed uint64, found []difference) (differ int, err error) {
	program, built := filepath.Join(s.temp, "plain.test"), ""
	for i := range found {
		d := &found[i]
		number, err := strconv.Atoi(strings.TrimPrefix(d.kernel, "k"))
		if err == nil && d.wrong {
			if built != d.kernel {
				src, err := s.generate(seed, number)
				if err != nil {
					return 0, err
				}
				if err := s.compileFile(src, program, "-gcflags=-N -l"); err != nil {
					return 0, err
				}
				built = d.kernel
			}
			out, failed, _ := s.execute(program, d.device)
			n, _, _ := results(out, d.device)
			d.optimised = n == 1 && !failed
		}
		if !d.optimised {
			differ++
		}
	}
	return differ, nil
}

// replay is the command line that shows a difference again.
func (s *soak) replay(seed uint64, d difference) string {
	line := fmt.Sprintf("go run ./internal/tests/fuzz/soak -seed %d -kernel %s -devices %s -llvm %s -opt %s",
		seed, strings.TrimLeft(d.kernel, "k0"), d.device, s.llvm, s.opt)
	if s.features != "all" {
		line += " -features " + s.features
	}
	if s.form != "" {
		line += " -form " + s.form
	}
	if !s.checks {
		line += " -checks=false"
	}
	return line
}
