// Package fuzz runs random kernels: the same Go function on the host, compiled
// by gc, and on a device, compiled by heddle. What gc's code computes is the
// truth; integers, floats (NaNs apart) and the texts and lines of panics must
// agree to the last bit.
//
// Command gen writes the kernels, always the same ones for a seed. Those in
// zz_generated.go are committed and run in every test; to try others without
// touching them, put another file in their place:
//
//	go run ./internal/fuzz/gen -seed 7 -n 500 -o /tmp/seed7.go
//	echo '{"Replace": {"'$PWD'/internal/fuzz/zz_generated.go": "/tmp/seed7.go"}}' >/tmp/overlay.json
//	go test -overlay /tmp/overlay.json ./internal/fuzz
//
// What a generated function may do is what a kernel may: see the table of
// statements in gen/stmt.go. It avoids only what the Go specification leaves
// open: fused multiplication and addition, conversions of floats out of range,
// the bits of NaNs, and the order of operands with side effects.
package fuzz

import (
	"embed"

	"heddle/kernel"
)

//go:generate go run ./gen -seed 1 -n 120 -features none -o zz_generated.go

//go:embed *.go
var sources embed.FS

var _ = kernel.Source(sources)
