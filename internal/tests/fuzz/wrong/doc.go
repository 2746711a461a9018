// Package wrong fuzzes the compiler's refusals: kernels that are mostly wrong. Each
// is Go that gc compiles, put together from tables of ill-formed and exotic
// constructs (table_test.go) and of whatever the standard library exports. The
// compiler must take it, and LLVM's verifier the code made of it, or refuse it at a
// place in the program, with what to do. An internal error, a panic, a message of
// LLVM's and an error without a place are faults.
//
// A program of its own holds the kernels, as a user's would. The seed is fresh in
// every test, and printed where there is a fault:
//
//	go test ./internal/tests/fuzz/wrong -seed 7 -kernels 400
//	go test ./internal/tests/fuzz/wrong -for 10m
package wrong
