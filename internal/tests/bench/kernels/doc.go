// Package kernels holds the benchmarks' kernels, in a file for each class, and makes their
// inputs. Each class is in CUDA C++ and HIP in ../testdata, in a file of the same name (poles.go
// belongs to physics, noise.go to media). Programs, physics and media are kernels of Rodinia,
// HeCBench and other suites, written before anyone knew how fast they would be; so are fresh,
// ported, mesh, models, tuples, signals, numerics, vision, graphs, chemistry, records and worlds, of fields that the others leave out. Some
// kernels are also in OpenCL C in internal/tests/cpubench/pocl/kernels.cl.
package kernels

import (
	"embed"

	"heddle/kernel"
)

//go:embed streams.go dense.go stencils.go particles.go tables.go sparse.go ciphers.go transforms.go sorts.go finance.go programs.go physics.go poles.go media.go noise.go suites.go suites_more.go helpers.go helpers_more.go fresh.go ported.go mesh.go models.go tuples.go signals.go numerics.go numerics_more.go vision.go vision_more.go graphs.go graphs_more.go inputs.go chemistry.go chemistry_more.go worlds.go worlds_more.go records.go records_more.go
var source embed.FS
var _ = kernel.Source(source)
