package ssa2ir

// This file knows packages that belong to the host.

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"heddle/internal/lazy"
	"heddle/internal/module"
)

// hostHint advises about well-known functions that cannot run on a device.
func hostHint(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o // an instance has no package
	}
	if fn.Pkg == nil || fn.Pkg.Pkg == nil {
		return ""
	}
	return hostHints.Get()[fn.Pkg.Pkg.Path()]
}

var hostHints = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"fmt":          "use dsl.Printf",
		"log":          "use dsl.Printf",
		"os":           "a kernel has no operating system",
		"time":         "use dsl.Clock64 or dsl.WallClock64",
		"math/rand":    "use the generators of " + module.Path + "/prim/rand",
		"sync":         "use dsl.SyncThreads and the dsl.Atomic functions",
		"sync/atomic":  "use dsl.AtomicAdd and its kin",
		"errors":       "errors do not exist on the device; panic, or write a status to a slice",
		"strings":      "strings are constants on the device",
		"sort":         "slices.Sort, slices.SortFunc and slices.SortStableFunc run on a device",
		"slices":       "write it with a loop",
		"reflect":      "types are known while compiling: use type parameters",
		"runtime":      "there is no Go run time on a device",
		"math/rand/v2": "use the generators of " + module.Path + "/prim/rand",
	}
}}

// CannotRun reports whether a function is known, by its name or its signature alone,
// to be none that can run on a device: whatever its body is, calls of it are refused.
func CannotRun(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	if path := f.Pkg().Path(); neverRun.Has(path) || neverRun.Has(path+"."+f.Name()) {
		return true
	}
	sig := f.Signature()
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false // that depends on the type arguments
	}
	first, _, _ := strings.Cut(f.Pkg().Path(), "/")
	own := !standard.Has(first) && !strings.HasPrefix(f.Pkg().Path()+"/", module.Launch+"/")
	return cannotPass(sig.Params(), own) || cannotPass(sig.Results(), own) || sig.Recv() != nil && cannotPass(types.NewTuple(sig.Recv()), own)
}

// cannotPass reports whether parameters or results are of types that no kernel has. Some
// calls know what is in an interface; few functions of the standard library that take one
// would gain by that.
func cannotPass(vars *types.Tuple, own bool) bool {
	for v := range vars.Variables() {
		if impossible(v.Type()) && !(own && isInterface(v.Type()) && !isError(v.Type())) {
			return true
		}
	}
	return false
}

// standard are the folders of the standard library whose functions are refused if they take or
// return an interface. Folder container is not among them: kernels may use container/heap.
var standard = lazy.Words{Text: `archive bufio bytes compress context crypto database debug embed encoding errors
	expvar flag fmt go hash html image index internal io log math mime net os path plugin reflect regexp
	runtime sort strconv strings sync syscall testing text time unicode unique`}

// hostOnly is CannotRun for a function in SSA form.
func hostOnly(fn *ssa.Function) bool {
	f, ok := fn.Object().(*types.Func)
	return ok && CannotRun(f.Origin())
}

// neverRun are packages, and functions of others, that need the operating
// system or the run time of Go.
var neverRun = lazy.Words{Text: `fmt log os sync sync/atomic time.Now time.Since time.Until time.Sleep
	runtime.GC runtime.Gosched runtime.NumGoroutine`}
