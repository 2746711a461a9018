// Package fuzz runs random kernels: the same Go function compiled by gc, in the
// simulated threads of package simt, and on a device, compiled by heddle. What
// gc's code computes is the truth; integers, floats (NaNs apart) and the texts,
// lines and threads of panics must agree to the last bit.
//
// Command gen writes the kernels, always the same ones for a seed. None are committed:
// the test of command soak makes a batch of 40, of a seed that is another each day, and
// always the same in continuous integration. This package's own test has those that
// once went wrong. Command soak tries others, a batch for each seed, for as long as
// one likes (make fuzz):
//
//	go run ./internal/tests/fuzz/soak -time 10m
//
// It prints a line for each batch, and for each kernel that differs the command
// that runs it again; with -reduce that command makes the kernel small.
//
// # What a kernel may do
//
// A generated function may do what a kernel may: see the table of statements in
// gen/stmt.go. It avoids only what the Go specification leaves open: fused
// multiplication and addition, the bits of NaNs, and the order of operands with side
// effects. Floats that do not fit an integer are converted, by gc's rule for amd64:
// on another host the truth is another.
//
// Kernels come in three kinds. The threads of most do not know of each other: any
// of them may panic, and is compared alone. Those of rows and planes (feature planes) are like these,
// but the function is the launched one itself, with sizes as parameters, and runs with many of these: small
// ones, and such that a product or a sum of them wraps around. So are those of slices of structs (feature lists): they are
// parameters, fields of one, or captured; all threads read two of them, and each thread reads and writes elements of
// a third that are its own, which are compared too. The others run in step where they use
// shared memory, barriers and warp operations, which conditional statements do not
// contain, unless their condition is the same in all threads of a block; none of
// these kernels panics. Their truth depends on the warp size, so it is computed for
// each device.
//
// Threads of most kernels have an input each. With feature alike those of a block have one, by which what a kernel
// computes is the same for all lanes of a wavefront: GPUs have other instructions for that, and AMD's back end other faults.
//
// gen/feature.go has the list of what only some of the kernels do, each some of
// it: where all do everything, much hides much. With -features a batch does only
// what is named: extend alone finds more wrong divisions.
//
// # On a machine with a GPU and no Go
//
// A batch carries its sources, and can be built as a static program:
//
//	go run ./internal/tests/fuzz/soak -seed 7 -build fuzz.test
//	./fuzz.test -test.run TestDevices -fixed=false -devices cuda:0   # there
//
// It needs libLLVM there, as every program that compiles kernels does. Without
// command soak, an overlay puts a file in the place of batch.go:
//
//	go run ./internal/tests/fuzz/gen -seed 7 -n 500 -o /tmp/seed7.go
//	echo '{"Replace": {"'$PWD'/internal/tests/fuzz/batch.go": "/tmp/seed7.go"}}' >/tmp/overlay.json
//	CGO_ENABLED=0 go test -c -overlay /tmp/overlay.json ./internal/tests/fuzz
package fuzz

import (
	"embed"

	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

var _ = kernel.Source(sources)
