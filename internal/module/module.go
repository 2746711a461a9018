// Package module knows the import path of heddle's module: nothing else in the code
// does, except import declarations. make module MODULE=github.com/you/heddle changes
// it, with those.
package module

import "strings"

// Path is the module's path, as go.mod has it.
const Path = "heddle"

// The packages that users import.
const (
	DSL     = Path + "/dsl"
	CG      = Path + "/dsl/cg"
	Kernel  = Path + "/kernel"
	Sources = Path + "/kernel/sources"
	Launch  = Path + "/launch"
	Emu     = Path + "/launch/emu"
	Vector  = Path + "/vector"
	Texture = Path + "/texture"
)

// Has reports whether a package is one of the module's.
func Has(path string) bool { return path == Path || strings.HasPrefix(path, Path+"/") }

// Internal begins the paths of the packages that only heddle imports.
const Internal = Path + "/internal/"
