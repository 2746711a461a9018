package dsl

import (
	"heddle/texture"
	"heddle/vector"
)

// Texture1D is a 1-D texture that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTexture1D makes, as a parameter or captured.
type Texture1D[T texture.Sampled] struct{ d *texture.Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex1Dfetch).
func (t Texture1D[T]) Fetch(x int) T {
	return texture.Fetch[T](texture.Line, t.d, x, 0, 0, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex1D).
func (t Texture1D[T]) Sample(x float32) T {
	return texture.Sample[T](texture.Line, t.d, x, 0, 0, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex1DLod).
func (t Texture1D[T]) SampleLod(x float32, level float32) T {
	return texture.SampleLod[T](texture.Line, t.d, x, 0, 0, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP tex1DGrad).
func (t Texture1D[T]) SampleGrad(x float32, dx, dy float32) T {
	return texture.SampleGrad[T, texture.OnLine](t.d, x, 0, 0, 0, dx, 0, 0, dy, 0, 0)
}

// Texture2D is a 2-D texture that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTexture2D makes, as a parameter or captured.
type Texture2D[T texture.Sampled] struct{ d *texture.Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex2D).
func (t Texture2D[T]) Fetch(x, y int) T {
	return texture.Fetch[T](texture.Plane, t.d, x, y, 0, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex2D).
func (t Texture2D[T]) Sample(x, y float32) T {
	return texture.Sample[T](texture.Plane, t.d, x, y, 0, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex2DLod).
func (t Texture2D[T]) SampleLod(x, y float32, level float32) T {
	return texture.SampleLod[T](texture.Plane, t.d, x, y, 0, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP tex2DGrad).
func (t Texture2D[T]) SampleGrad(x, y float32, dx, dy vector.Float2) T {
	return texture.SampleGrad[T, texture.OnPlane](t.d, x, y, 0, 0, dx.X, dx.Y, 0, dy.X, dy.Y, 0)
}

// Gather is the four texels that the linear filter takes at a coordinate, those at (0, 1), (1, 1),
// (1, 0) and (0, 0) from the least (HIP tex2Dgather, of all channels).
func (t Texture2D[T]) Gather(x, y float32) [4]T {
	return texture.Gather[T](texture.Plane, t.d, x, y, 0, 0)
}

// Texture3D is a 3-D texture that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTexture3D makes, as a parameter or captured.
type Texture3D[T texture.Sampled] struct{ d *texture.Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex3D).
func (t Texture3D[T]) Fetch(x, y, z int) T {
	return texture.Fetch[T](texture.Volume, t.d, x, y, z, 0)
}

// Sample is the value at a coordinate, of level 0 (HIP tex3D).
func (t Texture3D[T]) Sample(x, y, z float32) T {
	return texture.Sample[T](texture.Volume, t.d, x, y, z, 0)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex3DLod).
func (t Texture3D[T]) SampleLod(x, y, z float32, level float32) T {
	return texture.SampleLod[T](texture.Volume, t.d, x, y, z, 0, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP tex3DGrad).
func (t Texture3D[T]) SampleGrad(x, y, z float32, dx, dy vector.Float4) T {
	return texture.SampleGrad[T, texture.OnVolume](t.d, x, y, z, 0, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}

// Texture1DLayered is layers of 1-D textures that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTexture1DLayered makes, as a parameter or captured.
type Texture1DLayered[T texture.Sampled] struct{ d *texture.Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex1DLayered).
func (t Texture1DLayered[T]) Fetch(x int, layer int) T {
	return texture.Fetch[T](texture.Lines, t.d, x, 0, 0, layer)
}

// Sample is the value at a coordinate, of level 0 (HIP tex1DLayered).
func (t Texture1DLayered[T]) Sample(x float32, layer int) T {
	return texture.Sample[T](texture.Lines, t.d, x, 0, 0, layer)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex1DLayeredLod).
func (t Texture1DLayered[T]) SampleLod(x float32, layer int, level float32) T {
	return texture.SampleLod[T](texture.Lines, t.d, x, 0, 0, layer, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP tex1DLayeredGrad).
func (t Texture1DLayered[T]) SampleGrad(x float32, layer int, dx, dy float32) T {
	return texture.SampleGrad[T, texture.OnLines](t.d, x, 0, 0, layer, dx, 0, 0, dy, 0, 0)
}

// Texture2DLayered is layers of 2-D textures that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTexture2DLayered makes, as a parameter or captured.
type Texture2DLayered[T texture.Sampled] struct{ d *texture.Desc }

// Fetch is the texel with integer coordinates, 0 outside (HIP tex2DLayered).
func (t Texture2DLayered[T]) Fetch(x, y int, layer int) T {
	return texture.Fetch[T](texture.Planes, t.d, x, y, 0, layer)
}

// Sample is the value at a coordinate, of level 0 (HIP tex2DLayered).
func (t Texture2DLayered[T]) Sample(x, y float32, layer int) T {
	return texture.Sample[T](texture.Planes, t.d, x, y, 0, layer)
}

// SampleLod is the value at a coordinate, of a mipmap level or between two (HIP tex2DLayeredLod).
func (t Texture2DLayered[T]) SampleLod(x, y float32, layer int, level float32) T {
	return texture.SampleLod[T](texture.Planes, t.d, x, y, 0, layer, level)
}

// SampleGrad is the value at a coordinate, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP tex2DLayeredGrad).
func (t Texture2DLayered[T]) SampleGrad(x, y float32, layer int, dx, dy vector.Float2) T {
	return texture.SampleGrad[T, texture.OnPlanes](t.d, x, y, 0, layer, dx.X, dx.Y, 0, dy.X, dy.Y, 0)
}

// TextureCube is a texture of a cube's six faces that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTextureCube makes, as a parameter or captured.
type TextureCube[T texture.Sampled] struct{ d *texture.Desc }

// Sample is the value in a direction, of level 0 (HIP texCubemap).
func (t TextureCube[T]) Sample(x, y, z float32) T {
	return texture.Sample[T](texture.Cube, t.d, x, y, z, 0)
}

// SampleLod is the value in a direction, of a mipmap level or between two (HIP texCubemapLod).
func (t TextureCube[T]) SampleLod(x, y, z float32, level float32) T {
	return texture.SampleLod[T](texture.Cube, t.d, x, y, z, 0, level)
}

// SampleGrad is the value in a direction, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP texCubemapGrad).
func (t TextureCube[T]) SampleGrad(x, y, z float32, dx, dy vector.Float4) T {
	return texture.SampleGrad[T, texture.OnCube](t.d, x, y, z, 0, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}

// TextureCubeLayered is layers of cubes that a kernel samples as values of T (HIP hipTextureObject_t): what
// launch.NewTextureCubeLayered makes, as a parameter or captured.
type TextureCubeLayered[T texture.Sampled] struct{ d *texture.Desc }

// Sample is the value in a direction, of level 0 (HIP texCubemapLayered).
func (t TextureCubeLayered[T]) Sample(x, y, z float32, layer int) T {
	return texture.Sample[T](texture.Cubes, t.d, x, y, z, layer)
}

// SampleLod is the value in a direction, of a mipmap level or between two (HIP texCubemapLayeredLod).
func (t TextureCubeLayered[T]) SampleLod(x, y, z float32, layer int, level float32) T {
	return texture.SampleLod[T](texture.Cubes, t.d, x, y, z, layer, level)
}

// SampleGrad is the value in a direction, of the level on which steps of dx and dy are at most a
// texel; see also texture.Options.Anisotropy (HIP texCubemapLayeredGrad).
func (t TextureCubeLayered[T]) SampleGrad(x, y, z float32, layer int, dx, dy vector.Float4) T {
	return texture.SampleGrad[T, texture.OnCubes](t.d, x, y, z, layer, dx.X, dx.Y, dx.Z, dy.X, dy.Y, dy.Z)
}
