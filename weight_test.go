package heddle

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/module"
)

// heaviest are packages that a program without a reason of its own shall not link:
// what they weigh, or what they make each start of a program do.
var heaviest = []string{
	module.Internal + "amdemu",             // 1.1 MB, and 2,700 allocations at each start
	"golang.org/x/tools/go/packages",       // through ssautil: 100 allocations
	"golang.org/x/tools/go/loader",         // likewise
	"golang.org/x/tools/go/ssa/ssautil",    // brings the two
	"net/http", "text/template", "os/user", // nothing needs these
}

// What heddle adds to a program: it links none of the heaviest packages, a stripped
// binary stays below a size, and little is done before main. A ceiling that has to
// rise says so here.
func TestWeight(t *testing.T) {
	const program = "./examples/saxpy"
	list, err := exec.Command("go", "list", "-deps", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range heaviest {
		if strings.Contains("\n"+string(list), "\n"+p+"\n") {
			t.Errorf("%s links %s", program, p)
		}
	}
	exe := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", exe, program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if deps, err := exec.Command("go", "build", "-o", os.DevNull, "-ldflags=-dumpdep", program).CombinedOutput(); err != nil {
		t.Fatal(err)
	} else if m := regexp.MustCompile(`(?m)^(` + regexp.QuoteMeta(module.Path) + `/\S+|golang.org/\S+) <ReflectMethod>`).FindSubmatch(deps); m != nil {
		t.Errorf("%s calls reflect's Method or MethodByName: the linker then keeps the exported methods of all types of the program", m[1])
	}
	st, err := os.Stat(exe)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("stripped: %.1f MB", float64(st.Size())/1e6)
	if limit := int64(maxSize + perByte*(len(module.Path)-6)); st.Size() > limit && runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		t.Errorf("a stripped program has %d bytes, more than %d", st.Size(), limit)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "HEDDLE_DEVICE=sim")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, trace)
	}
	allocs, ms := 0, 0.0
	for _, m := range initLine.FindAllStringSubmatch(string(trace), -1) {
		if !ours(m[1]) {
			continue
		}
		n, _ := strconv.Atoi(m[3])
		allocs += n
		d, _ := strconv.ParseFloat(m[2], 64)
		ms += d
	}
	t.Logf("init of heddle and its dependencies: %d allocations, %.2f ms", allocs, ms)
	if allocs == 0 || allocs > maxInitAllocs {
		t.Errorf("%d allocations before main, want 1 to %d:\n%s", allocs, maxInitAllocs, trace)
	}
}

const (
	maxSize       = 12.4e6 // 9.0 before types by the machine and vector.Half, 9.1 before dsl.Printf, 9.2 before cooperative launches, 9.3 before functions on fields of words (45 KB), 9.4 before all methods of short vectors (8 KB), 9.5 before records of what a binary has compiled (45 KB), 9.55 before the prover of checks (110 KB) and jumps to panics (20 KB), 9.8 before two versions of loops (70 KB) and the fast copies and turns of the vectoriser (60 KB), 9.9 before versions on AMD, sums and coordinates of 32 bits, and the bank of constants (50 KB), 10.1 before kernel.Go (30 KB), what a stream that is captured or a block that is not a buffer needs, properties and error names (100 KB), 10.4 before launches that overlap and work of other libraries on several streams (15 KB), 10.45 before funcs in fields and chosen at run time (80 KB), 10.55 before calls of C that go together and loops that ask for panics (15 KB), 10.6 before sections in two versions, polynomials and searches (95 KB), 10.75 before what loops add up and LLVM 22 (20 KB), 10.85 before choices of short branches and two versions on NVIDIA (50 KB), 10.95 before arrays of ints in 32 bits and ends of panics (75 KB), 11.1 before helpers in SSA form (60 KB), 11.2 before conditions of launches and what they make known (30 KB), 11.3 before quotients by the host and values that need 32 bits after LLVM (30 KB), 11.4 before masks, windows and ints on the way to indices (30 KB), 11.5 before parts of structs, loads ahead, sums of words and reflected coordinates (30 KB), 11.6 before numbers of what helpers compute, loops in SSA form and floats that are compared (25 KB), 11.7 before tables, structs in SSA form, two ways behind floats, loops whose threads wait together and variables that are overwritten (140 KB), 11.9 before shared memory in conditions, branches on constants of types, places that go on by themselves and ints of floats in two parts (30 KB), 11.95 before gangs of a whole block, groups of loops with two tests, sums over windows, bits as ends and addresses computed again (145 KB), 12.15 before slices apart, arguments in place, checks on several ways, loops that run once and returns that outweigh panics (100 KB), 12.3 before checks ahead in PTX, sums of the launch and closures that call others (35 KB)
	maxInitAllocs = 200
	perByte       = 4500 // of a path longer than the 6 of "heddle": it is in the name of each function and file
)

// initLine is a line of GODEBUG=inittrace=1.
var initLine = regexp.MustCompile(`(?m)^init (\S+) @.*, (\S+) ms clock, \d+ bytes, (\d+) allocs$`)

// ours says whether a package is here for heddle: its own, and other modules'.
func ours(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return pkg == module.Path || strings.HasPrefix(pkg, module.Path+"/") || strings.Contains(first, ".")
}

// A test that opens an emulated GPU has to import the emulator: without it the
// device is missing, and some tests skip what is missing.
func TestEmulatorImported(t *testing.T) {
	const path = `"` + module.Emu + `"`
	uses, imports := map[string]string{}, map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && file != "." && (strings.HasPrefix(name, ".") || name == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		dir := filepath.Dir(file)
		if strings.Contains(string(src), "_ "+path) {
			imports[dir] = true
		}
		if strings.HasSuffix(file, "_test.go") && regexp.MustCompile(`"emu(:gfx\w+)?(:\d+)?"`).Match(src) {
			uses[dir] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(uses, ".")      // this file
	delete(uses, "launch") // tests what is said without it
	if len(uses) == 0 {
		t.Error("no test uses the emulator")
	}
	for dir, file := range uses {
		if !imports[dir] {
			t.Errorf("%s names emulated devices; its package has to import _ %s", file, path)
		}
	}
}
