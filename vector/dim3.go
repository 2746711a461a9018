package vector

// Dim3 is three extents or three coordinates along the x, y and z axes of a
// grid or a block (HIP dim3). As an extent every field counts from one; as a
// coordinate every field counts from zero.
type Dim3 struct{ X, Y, Z int }

// Count returns X*Y*Z: how many positions an extent holds.
func (d Dim3) Count() int { return d.X * d.Y * d.Z }
