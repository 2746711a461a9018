// Package source finds the source code of a func value at run time: from the
// value alone to its go/ssa function, its type arguments and the addresses of
// its captured variables.
//
//	func value
//	   | Identify   code address -> file and line of the func keyword   (package exe)
//	   | locate     embedded registry, else go list                     (registry.go, golist.go, universe.go)
//	   | resolve    FuncDecl, FuncLit or method value                   (resolve.go, method.go)
//	   |            its type arguments                                  (typeargs.go, sites.go)
//	   | layout     captured variables: predicted from source, and
//	   |            recovered from machine code; both must agree        (order.go, mode.go, layout.go, package exe)
//	   | reach      the declarations it can call                        (reach.go)
//	   | build      go/ssa of those, and of nothing else                (build.go)
//	*Func
//
// # Type arguments
//
// What the func value's type mentions follows from that. The rest is in no
// stripped binary, but on some line of the source: code that uses an instance
// takes the address of its dictionary, and the function table has the lines of
// that code. Dictionaries of no length share one address; their instances' code
// is then followed to the lines that call it.
//
// # Captured variables
//
// A closure object is struct{F uintptr; X0 T0; X1 *T1; ...}. Which variables it
// holds, in which order and which of them by reference follows from rules of
// the compiler, which this package replicates; the struct's run-time type
// follows from the machine code that allocates the closure. If the two differ
// the kernel is refused, so a wrong value is never read. For this to work the
// closure has to be allocated on the heap, which it is when it reaches Find.
//
// # Sources
//
// Embedded sources (Register) come first: they cannot differ from the binary
// and need neither a Go toolchain nor a source tree. Standard packages that
// kernels name are known by their declarations then, and everything else a
// file imports is an empty package: errors count only inside code that a
// kernel reaches. If that names members of standard packages that are the same
// on every machine (bytes, sort), these are read from GOROOT, where that has the
// release of the binary; of others, go list is asked. Without embedded sources
// go list is asked, with the flags
// the binary was built with, and a kernel is refused if a file is newer than the
// binary that has a function, a constant, a type or a variable of it. (Not seen
// are those of packages whose functions it does not call: they are read from
// export data, which go list makes anew.)
//
// Packages of the standard library whose functions kernels call are read from
// GOROOT, in the form for an architecture without assembly, so that every
// function has a Go body.
//
// A bundle (bundle.go) lies beside embedded sources and provides what cannot
// embed itself: packages of other modules, in the versions that the binary was
// built from, those of the standard library, and declarations of the others.
//
// # Tools
//
// Where no program runs there are two other ways to a target: a name (FindNamed,
// decl.go), and Discover, which follows what comes to kernel.New through the SSA
// form of whole packages (discover.go, package internal/flow; cgo.go for packages
// that import "C"). From there on everything is as above, captured variables
// being known by their types alone, so the SSA form is the one that the running
// program will build. Needs (needs.go) says what such a
// program has to carry.
package source
