// Package closures holds random closures and compares each, as a kernel on the
// simulator and on the cpu device, with a plain call of it.
//
// Command gen writes them, always the same ones for a seed: literals in
// functions, methods and generic code, in package variables and init functions,
// nested, returned and passed on, in every kind of statement; method values and
// expressions; captured variables of every type that may cross, read, assigned
// and addressed in every way, changed between two launches. What a closure
// computes is plain: a sum over what it captures, with a number of its own, so
// that a wrong variable, a stale value or another function shows.
//
// The closures of zz_generated.go and lib/zz_generated.go are committed, and run
// in this package's test. Gen's FuzzClosures makes programs of others, builds
// them in many modes, and runs them:
//
//	go test ./internal/tests/fuzz/closures/gen -fuzz FuzzClosures
package closures

//go:generate go run ./gen -seed 1 -n 18 -o .
