//go:build cgo && matrixcgo

package cases

// static int ninety(void) { return 90; }
import "C"

// Func values of a file that cgo rewrites.
var compiled = []Case{
	value("cgo literal", func() func([]int64) { a := int64(C.ninety()); return func(out []int64) { out[0] = a + 4 } }),
	value("cgo declared", func() func([]int64) { return cgoDeclared }),
	value("cgo global", func() func([]int64) { return cgoGlobal }),
}

func cgoDeclared(out []int64) { out[0] = 95 }

var cgoGlobal = func(out []int64) { out[0] = 96 }
