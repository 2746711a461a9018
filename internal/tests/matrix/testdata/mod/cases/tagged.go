//go:build matrixtag

package cases

// Func values of a file that a build tag selects.
var tagged = []Case{
	value("tagged", func() func([]int64) { a := Three; return func(out []int64) { out[0] = a + 91 } }),
	value("tagged declared", func() func([]int64) { return tagDeclared }),
}

func tagDeclared(out []int64) { out[0] = 92 }
