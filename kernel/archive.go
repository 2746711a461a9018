package kernel

import (
	"heddle/internal/inside"
	"heddle/internal/program"
)

// Archive makes the kernels known that heddle build compiled ahead of time:
//
//	//go:embed kernels.heddle
//	var kernels []byte
//	var _ = kernel.Archive(kernels)
//
// What is in an archive is neither compiled nor looked for on disk; a launch of
// anything else compiles it, if there is a compiler. The program still needs its
// kernels' sources (see Source), by which they are found in the archive. Archive
// returns true. An archive that is damaged, or of another version of heddle, is not
// used: where a kernel then cannot be compiled, the error says so.
func Archive(data []byte) bool {
	native, err := program.AddArchive(data)
	if err != nil {
		inside.Compiled(err)
	}
	if native {
		inside.Compiled(nil)
	}
	return true
}
