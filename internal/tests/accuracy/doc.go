// Package accuracy measures the errors of package dsl's mathematics on every device, and writes the
// table of docs/math.md:
//
//	go test ./internal/tests/accuracy -update
//
// The truth of float64 is testdata/reference.deflate, which testdata/make.py writes with 50 digits.
// The truth of float32 is float64's on the simulator, which the same run holds to the reference: so
// it may be dense. What an NVIDIA GPU gives is testdata/nvidia.txt, which the test prints there:
//
//	CGO_ENABLED=0 go test -c ./internal/tests/accuracy     # here
//	./accuracy.test -test.v -print                         # there
package accuracy

import (
	"embed"

	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

var _ = kernel.Source(sources)
