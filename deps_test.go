package heddle

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heddle/internal/module"
)

// rooms is the import table of the module: for each package, the packages of
// this module and the other modules that its files may import, tests aside. The
// standard library is always allowed. A new package needs a row here; a row's
// packages may appear in the other rows' lists, so a line that grows is a
// change of the design and not only of the code.
var rooms = map[string]string{
	// only documentation
	".": "",
	// what the environment says
	"internal/env": "internal/lazy x/sys",
	// a setuid process, for tests
	"internal/env/envtest": "",
	// the module's path, and what gives it another
	"internal/module":        "",
	"internal/module/rename": "internal/module x/mod",
	// go vet's checks for other systems
	"internal/cross": "internal/module x/tools",
	// dynamic libraries
	"internal/dl": "purego x/sys",
	// what other compilers leave
	"internal/foreign": "internal/errs internal/lazy internal/link",
	// func values of any type
	"internal/typed": "internal/lazy",
	// errors in less code, and those about the user's code
	"internal/errs": "",
	"internal/diag": "",
	// what is made at its first use
	"internal/lazy": "",
	// the files that programs embed
	"internal/zips": "internal/errs",
	// the JSON of our own records, and the lines of our log
	"internal/json": "",
	// ELF files
	"internal/elf64": "internal/errs",
	"internal/logs":  "",
	// dominators, for the front and the back of codegen
	"internal/dom": "",
	// where packages put their sources, until source takes them
	"kernel/sources":  "internal/embeds",
	"internal/embeds": "",

	// what kernels are written in
	"vector":     "",
	"vector/gen": "",
	// what textures are, and their software form
	"texture": "vector",
	// Go's images as texels
	"texture/picture": "vector",
	// device variables, as the host knows them
	"internal/symbol": "",
	"internal/simt":   "internal/symbol",
	"dsl":             "internal/simt internal/symbol texture vector",
	"dsl/gen":         "internal/module",
	"dsl/cg":          "dsl",

	// the compiler, front to back
	"internal/abi":    "",
	"internal/flow":   "x/tools",
	"internal/exe":    "internal/diag internal/elf64 internal/errs internal/lazy",
	"internal/split":  "internal/errs internal/lazy",
	"internal/source": "internal/diag internal/embeds internal/env internal/errs internal/exe internal/flow internal/json internal/lazy internal/module internal/split internal/zips x/tools",
	// facts about operations, for all of these
	"internal/ops":    "internal/lazy",
	"internal/inline": "internal/dom internal/lazy x/tools",
	"internal/target": "internal/abi internal/lazy internal/ops llir",
	"intrinsics":      "internal/abi internal/lazy internal/module internal/ops internal/target llir",
	"ssa2ir":          "internal/abi internal/diag internal/dom internal/errs internal/inline internal/lazy internal/module internal/ops internal/symbol internal/target intrinsics x/tools llir",
	"internal/llvm":   "internal/dl internal/env internal/errs internal/lazy purego",
	"internal/link":   "internal/elf64 internal/errs internal/lazy",
	// a comparison with lld, for tests
	"internal/link/linktest": "",
	// executes AMDGPU code objects; the disassembler is a function that it is given
	"internal/amdemu": "internal/link texture vector",
	// loads relocatable objects of the host
	"internal/native": "internal/elf64 internal/errs internal/lazy purego",
	// codegen takes IR as text: it knows targets by the names in a Request, and has a file
	// for each kind of object
	"internal/codegen": "internal/abi internal/cpumath internal/dom internal/elf64 internal/env internal/errs internal/json internal/lazy internal/link internal/llvm internal/ops internal/spmd internal/zips",
	// the vectoriser reads and writes IR as text, too
	"internal/spmd":            "internal/dom internal/lazy internal/ops internal/spmd/divergence internal/spmd/ll",
	"internal/spmd/divergence": "internal/dom internal/lazy internal/ops internal/spmd/ll",
	"internal/spmd/ll":         "internal/lazy",
	// the cpu device's mathematics, as IR
	"internal/cpumath":     "internal/zips",
	"internal/cpumath/gen": "dsl internal/cpumath internal/source internal/target internal/zips intrinsics ssa2ir x/tools",

	// the devices
	"internal/driver": "internal/abi internal/symbol",
	// what CUDA and HIP have in common; the two differ in a table each
	"internal/driver/gpu":  "internal/abi internal/dl internal/driver internal/env internal/errs internal/lazy purego",
	"internal/driver/cuda": "internal/abi internal/driver internal/driver/gpu purego",
	"internal/driver/hip":  "internal/abi internal/driver internal/driver/gpu purego",
	// descriptors of images for AMD's GPUs
	"internal/amdimage": "texture",
	// what the devices have in common that run on the host
	"internal/driver/host":       "internal/abi internal/driver internal/errs",
	"internal/driver/sim":        "internal/abi internal/driver internal/driver/host internal/errs internal/lazy internal/simt",
	"internal/driver/cpu":        "internal/abi internal/driver internal/driver/host internal/env internal/errs internal/lazy internal/native purego",
	"internal/driver/emu":        "internal/abi internal/amdemu internal/driver internal/driver/host internal/env internal/llvm",
	"internal/driver/drivertest": "internal/abi internal/driver",
	// launch asks internal/llvm only whether there is a libLLVM: without one no
	// kernel can be compiled for the cpu
	"launch": "dsl internal/abi internal/amdimage internal/driver internal/driver/cpu internal/driver/cuda internal/driver/hip internal/driver/sim internal/env internal/errs internal/foreign internal/inside internal/llvm internal/logs internal/module internal/symbol internal/typed texture vector",
	// what launch does for kernel and ahead, and shows nobody else
	"internal/inside": "internal/abi internal/driver internal/typed",
	// a device that programs add by a blank import
	"launch/emu": "internal/driver internal/driver/emu",
	// records of log/slog, likewise
	"launch/slog": "internal/logs",

	// collectives of several devices, by NCCL, RCCL, and shared memory
	"ccl": "internal/dl internal/env internal/inside launch purego vector",
	// grids divided among ranks
	"ccl/halo": "ccl launch",

	// random numbers, as a user would write them
	"prim/rand":     "dsl kernel launch",
	"prim/rand/gen": "",

	// algorithms, written as a user would write them
	"prim":       "dsl kernel launch vector prim/block prim/warp",
	"prim/tune":  "internal/tests/primcases launch prim",
	"prim/block": "dsl kernel prim/warp",
	"prim/warp":  "dsl kernel",

	// images of package image as device memory; the other folders of interop are modules
	"interop/images": "launch",

	// the front door, and what stands before it
	"kernel": "internal/abi internal/diag internal/env internal/errs internal/exe internal/inside internal/lazy internal/program internal/source internal/target internal/typed launch ssa2ir",
	// a kernel's checked program and its objects
	"internal/program": "dsl dsl/cg texture internal/abi internal/codegen internal/diag internal/env internal/errs internal/exe internal/json internal/lazy internal/logs internal/source internal/target intrinsics ssa2ir vector x/tools",
	// kernels without their program, for the command
	"internal/ahead": "internal/abi internal/codegen internal/diag internal/errs internal/inside internal/lazy internal/module internal/program internal/source internal/symbol internal/target launch",
	// func values in all builds, as a test; the func values are a module of their own
	"internal/tests/matrix": "",
	// the compiler's check as an analyzer; it sees kernel, launch and dsl as names only
	"vet": "internal/diag internal/flow internal/module internal/ops internal/source intrinsics ssa2ir x/tools",
	// heddle doctor looks into the rooms it reports on
	"cmd/heddle": "dsl internal/abi internal/ahead internal/codegen internal/env internal/llvm internal/module internal/program internal/target kernel launch launch/emu vet x/tools",
	// the same kernels in Go and in CUDA C++, side by side: what other compilers have made is
	// loaded and launched as heddle's own
	"internal/tests/primbench":     "internal/tests/primcases kernel launch prim prim/rand",
	"internal/tests/bench":         "internal/abi internal/driver/emu internal/inside internal/tests/bench/kernels kernel launch launch/emu vector",
	"internal/tests/bench/kernels": "dsl kernel vector",
	// the calls of prim that are timed
	"internal/tests/primcases": "kernel launch prim",
	// generated func values, and what compares them with their kernels
	"internal/tests/fuzz/closures":     "internal/tests/fuzz/closures/lib internal/tests/fuzz/closures/run kernel",
	"internal/tests/fuzz/closures/lib": "internal/tests/fuzz/closures/run kernel",
	"internal/tests/fuzz/closures/run": "kernel launch",
	// random kernels for as long as one likes; the kernels are programs of their own
	"internal/tests/fuzz/soak": "internal/codegen internal/llvm internal/module internal/tests/forms launch launch/emu",
	// streams, graphs, modules
	"internal/tests/streams": "",
	// litmus tests of the memory model
	"internal/tests/litmus": "dsl kernel",
	// Errors of the mathematics, in units of the last place.
	"internal/tests/accuracy": "dsl kernel launch launch/emu",
	// and in Go, OpenCL C and C, on the host
	"internal/tests/cpubench": "dsl internal/tests/bench/kernels kernel launch vector",
	// wrong calls and their errors
	"internal/tests/badcalls": "",
	// which devices a test finds
	"internal/tests/attached": "launch",
	// times first launches
	"internal/tests/first": "dsl internal/env kernel launch",
}

// families are folders all of whose packages have one row, themselves included.
var families = map[string]string{
	"examples":                   "texture ccl ccl/halo dsl dsl/cg kernel launch launch/emu prim prim/rand vector purego examples/internal/everywhere examples/internal/animation examples/internal/ranks",
	"internal/tests/conformance": "texture dsl dsl/cg internal/abi internal/amdimage internal/codegen internal/tests/conformance internal/inside internal/ops internal/simt kernel launch launch/emu vector",
	"internal/tests/printing":    "",
	"internal/tests/memory":      "",
	"internal/tests/forms":       "internal/codegen internal/spmd internal/target",
	"internal/tests/fuzz":        "dsl internal/module internal/simt kernel",
	"internal/source/corpus":     "dsl internal/source internal/source/corpus kernel launch vector x/tools",
}

// modules are the short names of other modules.
var modules = map[string]string{
	"x/tools": "golang.org/x/tools/",
	"x/mod":   "golang.org/x/mod/",
	"x/sys":   "golang.org/x/sys/",
	"llir":    "github.com/llir/llvm/",
	"purego":  "github.com/ebitengine/purego",
}

func TestImports(t *testing.T) {
	used := map[string]bool{}
	for pkg, imports := range readImports(t) {
		row, name, ok := rowOf(pkg)
		if !ok {
			t.Errorf("package %s has no row in the import table (rooms, in deps_test.go)", pkg)
			continue
		}
		used[name] = true
		for imp, file := range imports {
			if !slices.ContainsFunc(strings.Fields(row), func(allowed string) bool { return permits(allowed, imp) }) {
				t.Errorf("%s: package %s may not import %s; its row allows: %s", file, pkg, imp, row)
			}
		}
	}
	for name := range rooms {
		if !used[name] {
			t.Logf("no package %s yet", name)
		}
	}
}

func rowOf(pkg string) (row, name string, ok bool) {
	if row, ok := rooms[pkg]; ok {
		return row, pkg, true
	}
	for family, row := range families {
		if pkg == family || strings.HasPrefix(pkg, family+"/") {
			return row, family, true
		}
	}
	return "", "", false
}

// permits reports whether a word of a row allows an import.
func permits(allowed, imp string) bool {
	if prefix := modules[allowed]; prefix != "" {
		return strings.HasPrefix(imp, prefix)
	}
	own, ok := strings.CutPrefix(imp, module.Path+"/")
	_, family := families[allowed]
	return ok && (own == allowed || family && strings.HasPrefix(own, allowed+"/"))
}

// readImports reads, for each package, what its files import besides the
// standard library, and the file that does. All files count, whatever their
// build constraints, except those that only go run sees (//go:build ignore).
func readImports(t *testing.T) map[string]map[string]string {
	all := map[string]map[string]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(file)
		if d.IsDir() && file != "." {
			if strings.HasPrefix(base, ".") || base == "testdata" || base == "out" || base == "bin" {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(file, "go.mod")); err == nil {
				return fs.SkipDir
			}
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(file)
		if err != nil || strings.HasPrefix(string(src), "//go:build ignore") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(file))
		if all[pkg] == nil {
			all[pkg] = map[string]string{}
		}
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			first, _, _ := strings.Cut(imp, "/")
			if strings.HasPrefix(imp, module.Path+"/") || strings.Contains(first, ".") {
				all[pkg][imp] = file
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("found only %d packages", len(all))
	}
	return all
}
