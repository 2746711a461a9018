// Package conformance is the one suite that every device passes: the same
// kernels, the same inputs, the same answers, on the simulator, on GPUs and on
// whatever else package launch opens.
//
// A [Case] is a row of the kernel language and a test of it. The truth is
// gc's: a case's expectation is computed by plain Go on the host, most often by
// the very function that the kernel calls. Integers must agree bitwise, floats
// within the bounds of the table in ulp.go, panics in their text and position.
//
// The package carries its own sources, so that its test binary runs on a
// machine with neither a Go toolchain nor the source tree; the standard library's, which a few cases
// call, it carries once heddle generate has written them (which is not committed):
//
//	go run ./cmd/heddle generate ./internal/tests/conformance
//	go test -c ./internal/tests/conformance
//	./conformance.test -require=cuda
package conformance

import (
	"embed"

	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

var _ = kernel.Source(sources)
