// Package inline makes a function in SSA form of which others are part, and in which variables that are written
// once are gone, and what is computed twice. go/ssa does neither; what looks at one function alone then sees what its helpers do.
//
//	func (m Matrix) At(y, x int) float32 { return m.Data[y*m.Width+x] }
//
//	from := Matrix{in, w}
//	s += from.At(y, x)      ->      s += in[y*w+x]
//
// A function that is made is new: what was given stays as it is, and others may read it meanwhile.
//
//	inline.go     what is copied where
//	forward.go    variables that are written once
//	lift.go       numbers in variables that are structures
//	loop.go       which loops are unrolled
//	unroll.go     how
//	number.go     what is computed once
//	fork.go       a function that goes on in two ways
//	repeat.go     several iterations of a loop at a time
//	collapse.go   branches that choose nothing
//	dominate.go   the dominator tree
//	fields.go     what go/ssa does not export
package inline
