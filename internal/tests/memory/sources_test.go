package memory

import (
	"embed"

	"heddle/kernel"
)

//go:embed *.go
var sources embed.FS

// The kernels' sources, for machines that have only the test's executable.
var _ = kernel.Source(sources)
