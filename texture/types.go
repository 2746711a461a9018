package texture

import "heddle/vector"

// Soft1D is a 1-D texture in the software form: a dsl.Texture1D in all but name, which package launch makes.
type Soft1D[T Sampled] struct{ d *Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex1Dfetch).
func (t Soft1D[T]) Fetch(x int) T {
	return softFetch[T](Line, t.d, x, 0, 0, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex1D).
func (t Soft1D[T]) Sample(x float32) T {
	return soft[T](Line, t.d, x, 0, 0, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex1DLod).
func (t Soft1D[T]) SampleLod(x float32, level float32) T {
	return softLod[T](Line, t.d, x, 0, 0, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP tex1DGrad).
func (t Soft1D[T]) SampleGrad(x float32, dx, dy float32) T {
	return SampleGrad[T, softly[OnLine]](t.d, x, 0, 0, 0, dx, 0, 0, dy, 0, 0)
}

// Soft2D is a 2-D texture in the software form: a dsl.Texture2D in all but name, which package launch makes.
type Soft2D[T Sampled] struct{ d *Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex2D).
func (t Soft2D[T]) Fetch(x, y int) T {
	return softFetch[T](Plane, t.d, x, y, 0, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex2D).
func (t Soft2D[T]) Sample(x, y float32) T {
	return soft[T](Plane, t.d, x, y, 0, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex2DLod).
func (t Soft2D[T]) SampleLod(x, y float32, level float32) T {
	return softLod[T](Plane, t.d, x, y, 0, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP tex2DGrad).
func (t Soft2D[T]) SampleGrad(x, y float32, dx, dy vector.Float2) T {
	return SampleGrad[T, softly[OnPlane]](t.d, x, y, 0, 0, dx.X, dx.Y, 0, dy.X, dy.Y, 0)
}

// Gather is the four texels that the linear filter takes at a coordinate, those at (0, 1), (1, 1),
// (1, 0) and (0, 0) from the least (HIP tex2Dgather, of all channels).
func (t Soft2D[T]) Gather(x, y float32) [4]T { return softGather[T](Plane, t.d, x, y, 0, 0) }

// Soft3D is a 3-D texture in the software form: a dsl.Texture3D in all but name, which package launch makes.
type Soft3D[T Sampled] struct{ d *Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex3D).
func (t Soft3D[T]) Fetch(x, y, z int) T {
	return softFetch[T](Volume, t.d, x, y, z, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex3D).
func (t Soft3D[T]) Sample(x, y, z float32) T {
	return soft[T](Volume, t.d, x, y, z, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex3DLod).
func (t Soft3D[T]) SampleLod(x, y, z float32, level float32) T {
	return softLod[T](Volume, t.d, x, y, z, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP tex3DGrad).
func (t Soft3D[T]) SampleGrad(x, y, z float32, dx, dy vector.Float4) T {
	return SampleGrad[T, softly[OnVolume]](t.d, x, y, z, 0, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}

// Soft1DLayered is layers of 1-D textures in the software form: a dsl.Texture1DLayered in all but name, which package launch makes.
type Soft1DLayered[T Sampled] struct{ d *Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex1DLayered).
func (t Soft1DLayered[T]) Fetch(x int, layer int) T {
	return softFetch[T](Lines, t.d, x, 0, 0, layer)
}

// Sample is the value at a coordinate, of level 0 (HIP tex1DLayered).
func (t Soft1DLayered[T]) Sample(x float32, layer int) T {
	return soft[T](Lines, t.d, x, 0, 0, layer)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex1DLayeredLod).
func (t Soft1DLayered[T]) SampleLod(x float32, layer int, level float32) T {
	return softLod[T](Lines, t.d, x, 0, 0, layer, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP tex1DLayeredGrad).
func (t Soft1DLayered[T]) SampleGrad(x float32, layer int, dx, dy float32) T {
	return SampleGrad[T, softly[OnLines]](t.d, x, 0, 0, layer, dx, 0, 0, dy, 0, 0)
}

// Soft2DLayered is layers of 2-D textures in the software form: a dsl.Texture2DLayered in all but name, which package launch makes.
type Soft2DLayered[T Sampled] struct{ d *Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex2DLayered).
func (t Soft2DLayered[T]) Fetch(x, y int, layer int) T {
	return softFetch[T](Planes, t.d, x, y, 0, layer)
}

// Sample is the value at a coordinate, of level 0 (HIP tex2DLayered).
func (t Soft2DLayered[T]) Sample(x, y float32, layer int) T {
	return soft[T](Planes, t.d, x, y, 0, layer)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex2DLayeredLod).
func (t Soft2DLayered[T]) SampleLod(x, y float32, layer int, level float32) T {
	return softLod[T](Planes, t.d, x, y, 0, layer, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP tex2DLayeredGrad).
func (t Soft2DLayered[T]) SampleGrad(x, y float32, layer int, dx, dy vector.Float2) T {
	return SampleGrad[T, softly[OnPlanes]](t.d, x, y, 0, layer, dx.X, dx.Y, 0, dy.X, dy.Y, 0)
}

// SoftCube is a texture of a cube's six faces in the software form: a dsl.TextureCube in all but name, which package launch makes.
type SoftCube[T Sampled] struct{ d *Desc }

// Sample is the value in a direction, of level 0 (HIP texCubemap).
func (t SoftCube[T]) Sample(x, y, z float32) T {
	return soft[T](Cube, t.d, x, y, z, 0)
}

// SampleLod is the value in a direction, of a mipmap level or between two (HIP texCubemapLod).
func (t SoftCube[T]) SampleLod(x, y, z float32, level float32) T {
	return softLod[T](Cube, t.d, x, y, z, 0, level)
}

// SampleGrad is the value in a direction, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP texCubemapGrad).
func (t SoftCube[T]) SampleGrad(x, y, z float32, dx, dy vector.Float4) T {
	return SampleGrad[T, softly[OnCube]](t.d, x, y, z, 0, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}

// SoftCubeLayered is layers of cubes in the software form: a dsl.TextureCubeLayered in all but name, which package launch makes.
type SoftCubeLayered[T Sampled] struct{ d *Desc }

// Sample is the value in a direction, of level 0 (HIP texCubemapLayered).
func (t SoftCubeLayered[T]) Sample(x, y, z float32, layer int) T {
	return soft[T](Cubes, t.d, x, y, z, layer)
}

// SampleLod is the value in a direction, of a mipmap level or between two (HIP texCubemapLayeredLod).
func (t SoftCubeLayered[T]) SampleLod(x, y, z float32, layer int, level float32) T {
	return softLod[T](Cubes, t.d, x, y, z, layer, level)
}

// SampleGrad is the value in a direction, of the level on which steps of dx and dy are at most a
// texel; see also [Options].Anisotropy (HIP texCubemapLayeredGrad).
func (t SoftCubeLayered[T]) SampleGrad(x, y, z float32, layer int, dx, dy vector.Float4) T {
	return SampleGrad[T, softly[OnCubes]](t.d, x, y, z, layer, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}
