//go:build !matrixtag

package cases

// tagDeclared is the function of the same name in the other file.
func tagDeclared(out []int64) { out[0] = 93 }

var tagged = []Case{
	value("not tagged declared", func() func([]int64) { return tagDeclared }),
}
