// Package forms compiles all kernels of a test in a form that only some targets get, or only some kernels.
package forms

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"heddle/internal/codegen"
	"heddle/internal/spmd"
	"heddle/internal/target"
)

// forms are what the flag may say.
var forms = map[string]func(){
	"loops":   target.LoopsAsNVIDIA,
	"bounded": target.BoundsEverywhere,
	"general": target.ForAnyLaunch,
	"one":     func() { spmd.Always(true) },
	"gangs":   func() { spmd.Always(false) },
	"blocks":  func() { spmd.Blocks(128) },
}

// Name is what -form says.
var Name = flag.String("form", "", "compile all kernels in a form that else only some get: loops, as on NVIDIA's: twice, the first time with checks ahead; "+
	"bounded: two versions of what has bounded indices; general: for any launch; one: on the cpu, gangs of one lane; gangs: none of those; blocks: on the cpu, blocks of 128 threads are one gang")

// Set parses the flags and sets the form that they ask for. Call it before any kernel is compiled. The
// keys of objects do not tell forms apart: there is no cache.
func Set() {
	flag.Parse()
	if *Name == "" {
		return
	}
	set, ok := forms[*Name]
	if !ok {
		fmt.Fprintf(os.Stderr, "-form %q: want one of %s\n", *Name, strings.Join(slices.Sorted(maps.Keys(forms)), ", "))
		os.Exit(2)
	}
	os.Setenv(codegen.EnvCache, "off")
	set()
}
