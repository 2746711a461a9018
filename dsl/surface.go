package dsl

import "heddle/texture"

// Surface1D is a 1-D array whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's Surface1D makes.
type Surface1D[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surf1Dread).
func (s Surface1D[T]) Load(x int) T { return texture.Load[T](texture.Line, s.d, x, 0, 0, 0) }

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surf1Dwrite).
func (s Surface1D[T]) Store(x int, v T) { texture.Store(texture.Line, s.d, x, 0, 0, 0, v) }

// Surface2D is a 2-D array whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's Surface2D makes.
type Surface2D[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surf2Dread).
func (s Surface2D[T]) Load(x, y int) T { return texture.Load[T](texture.Plane, s.d, x, y, 0, 0) }

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surf2Dwrite).
func (s Surface2D[T]) Store(x, y int, v T) { texture.Store(texture.Plane, s.d, x, y, 0, 0, v) }

// Surface3D is a 3-D array whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's Surface3D makes.
type Surface3D[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surf3Dread).
func (s Surface3D[T]) Load(x, y, z int) T { return texture.Load[T](texture.Volume, s.d, x, y, z, 0) }

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surf3Dwrite).
func (s Surface3D[T]) Store(x, y, z int, v T) { texture.Store(texture.Volume, s.d, x, y, z, 0, v) }

// Surface1DLayered is layers of 1-D arrays whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's Surface1DLayered makes.
type Surface1DLayered[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surf1DLayeredread).
func (s Surface1DLayered[T]) Load(x, layer int) T {
	return texture.Load[T](texture.Lines, s.d, x, 0, 0, layer)
}

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surf1DLayeredwrite).
func (s Surface1DLayered[T]) Store(x, layer int, v T) {
	texture.Store(texture.Lines, s.d, x, 0, 0, layer, v)
}

// Surface2DLayered is layers of 2-D arrays whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's Surface2DLayered makes.
type Surface2DLayered[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surf2DLayeredread).
func (s Surface2DLayered[T]) Load(x, y, layer int) T {
	return texture.Load[T](texture.Planes, s.d, x, y, 0, layer)
}

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surf2DLayeredwrite).
func (s Surface2DLayered[T]) Store(x, y, layer int, v T) {
	texture.Store(texture.Planes, s.d, x, y, 0, layer, v)
}

// SurfaceCube is a array of a cube's six faces whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's SurfaceCube makes.
type SurfaceCube[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surfCubemapread).
func (s SurfaceCube[T]) Load(x, y, face int) T {
	return texture.Load[T](texture.Cube, s.d, x, y, 0, face)
}

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surfCubemapwrite).
func (s SurfaceCube[T]) Store(x, y, face int, v T) {
	texture.Store(texture.Cube, s.d, x, y, 0, face, v)
}

// SurfaceCubeLayered is layers of cubes whose texels kernels load and store (HIP hipSurfaceObject_t): what
// launch.Array's SurfaceCubeLayered makes.
type SurfaceCubeLayered[T texture.Texel] struct{ d *texture.Desc }

// Load is a texel, 0 outside; x counts texels, not bytes (HIP surfCubemapLayeredread).
func (s SurfaceCubeLayered[T]) Load(x, y, face, layer int) T {
	return texture.Load[T](texture.Cubes, s.d, x, y, 0, 6*layer+face)
}

// Store writes a texel; outside it does nothing. x counts texels, not bytes (HIP surfCubemapLayeredwrite).
func (s SurfaceCubeLayered[T]) Store(x, y, face, layer int, v T) {
	texture.Store(texture.Cubes, s.d, x, y, 0, 6*layer+face, v)
}
