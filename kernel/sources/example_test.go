package sources_test

import (
	"embed"
	"fmt"

	"heddle/kernel/sources"
)

//go:embed *.go
var src embed.FS

// A package whose functions kernels call embeds its own sources. Programs that use it
// then need no source tree to compile those kernels.
func Example() {
	fmt.Println(sources.Embed(src))
	// Output: true
}
