// Package vector holds the small value types that kernels and hosts share:
// extents ([Dim3]) and HIP's short vectors, Char1 to Double4.
//
//	p := vector.MakeFloat4(x, y, z, 1)
//	v := p.Mul(q).Add(vector.Float4{W: 0.5})
//
// A short vector is a struct of one to four components X, Y, Z and W of one
// type. The names are HIP's, so that Int is 32 bits wide and Long is 64:
//
//	Char   int8    Uchar   uint8
//	Short  int16   Ushort  uint16
//	Int    int32   Uint    uint32
//	Long   int64   Ulong   uint64    Longlong, Ulonglong are the same types
//	Float  float32 Double  float64
//
// Vectors are made by MakeFloat4 of components, by SplatFloat4 of one number for
// all, by Float4From of an array, and by methods that convert each component as Go
// does: v.Int4() of a Float4 v. Array gives the components back, to be indexed by a
// variable.
//
// Methods work component by component as Go's operators do: integers wrap, a
// division by zero panics, and so does a shift by a negative number. All types have
// Add, Sub, Mul, Div, Min, Max and Dot; integers Rem, And, Or, Xor, AndNot, Not, Shl
// and Shr as well; what has a sign, Neg. Eq, Ne, Lt, Le, Gt and Ge compare
// components and give an array of bools; a == b compares whole vectors.
//
// # Layout
//
// The types have Go's layout on host and device: components in order without
// gaps, as in HIP, at the alignment of one component. HIP aligns its vectors
// of two and four components to their size, 16 bytes for float4. Here that is
// no property of the type but of memory: device memory is aligned for every
// vector, and so is each element of a buffer or of shared memory whose size is a
// multiple of 16 bytes. A load or a store of a Float4 there, or of any 16 bytes, is
// one instruction of 128 bits. A struct that C++ code shares, with a float4 after
// other fields, needs HIP's padding spelled out.
package vector

//go:generate go run ./gen
