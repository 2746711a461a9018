// Package vector holds the small value types that kernels and hosts share:
// extents ([Dim3]) and HIP's short vectors, Char1 to Double4.
//
//	p := vector.MakeFloat4(x, y, z, 1)
//	v := p.Mul(q).Add(vector.Float4{W: 0.5})
//
// A short vector is a struct of one to four components X, Y, Z and W of one
// type; arithmetic works component by component. The names are HIP's, so that
// Int is 32 bits wide and Long is 64:
//
//	Char   int8    Uchar   uint8
//	Short  int16   Ushort  uint16
//	Int    int32   Uint    uint32
//	Long   int64   Ulong   uint64    Longlong, Ulonglong are the same types
//	Float  float32 Double  float64
//
// # Layout
//
// The types have Go's layout on host and device: components in order without
// gaps, as in HIP, at the alignment of one component. HIP aligns its vectors
// of two and four components to their size, 16 bytes for float4. Here that is
// no property of the type but of a load, which takes the full width where the
// compiler knows the address to be aligned.
package vector

//go:generate go run ./gen
