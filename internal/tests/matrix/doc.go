// Package matrix is a test: func values of every form that a Go programmer may
// write, in programs built in every way that Go programs are built.
//
// The func values are a module of their own, in testdata: package cases has most
// of them, and makes a kernel of each; a command and tests run that. Where they
// are built and run is a table in this package's test. A func value counts if, in
// that mode,
//
//   - it is found from source and lowered, to the same LLVM IR as in every mode,
//   - launched on sim it does what a plain call does,
//   - launched on cpu it does so too, where there is libLLVM: there the captured
//     values come from the closure object, by way of this module's own reading,
//   - and all of that holds once more for the same binary in an empty directory
//     with an empty environment, from the sources that are inside it.
//
// Func values of which no kernel can be made must be refused in every mode, with
// their place and what to do.
//
//	go test ./internal/tests/matrix -v                          # modes that stand for others, and the table
//	go test ./internal/tests/matrix -v -full                    # all
//	go test ./internal/tests/matrix -run 'TestMatrix/pie' -v -full
//	go test ./internal/tests/matrix -markdown=matrix.md -full   # writes it
package matrix
