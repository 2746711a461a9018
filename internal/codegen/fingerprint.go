package codegen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"heddle/internal/abi"
)

// Fingerprint identifies the compiler and the math libraries that a compile
// would use here and now: path, size and time of each file. It opens none.
func Fingerprint() string {
	var files []string
	for _, kind := range []abi.Kind{abi.HSACO, abi.PTX} {
		if _, path, err := Backend(kind); err == nil {
			files = append(files, path)
		}
	}
	if dir, ok := HasMathLib(abi.HSACO); ok {
		files = append(files, filepath.Join(dir, "ocml.bc"), filepath.Join(dir, "ockl.bc"))
	}
	if file, ok := HasMathLib(abi.PTX); ok {
		files = append(files, file)
	}
	var b strings.Builder
	for _, file := range files {
		if st, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", file, st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}
