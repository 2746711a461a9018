// Package lib has tables, of which some are written: by itself, or by who imports it.
package lib

var (
	Table   = [...]int{10, 20, 30}
	Slice   = []int32{1, 2, 3}
	Text    = "weft"
	Written = [...]int{1, 2, 3}
	Own     = [...]int{1, 2, 3}
)

// Set writes a table.
func Set() { Own[1] = 3 }
