package kernels

import (
	"heddle/dsl"
)

// Stencil is one step of a 7-point stencil over nx by ny by nz; a thread goes along z.
func Stencil(nx, ny, nz int, c0, c1 float32, in, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x < 1 || y < 1 || x >= nx-1 || y >= ny-1 {
		return
	}
	plane := nx * ny
	i := plane + y*nx + x
	below, here := in[i-plane], in[i]
	for z := 1; z < nz-1; z++ {
		above := in[i+plane]
		out[i] = c0*here + c1*(in[i-1]+in[i+1]+in[i-nx]+in[i+nx]+below+above)
		below, here = here, above
		i += plane
	}
}

// Stencil64 is one step of a 7-point stencil in float64, a thread for each point.
func Stencil64(nx, ny, nz int, c0, c1 float64, in, out []float64) {
	g := dsl.GlobalIdx()
	if g.X < 1 || g.Y < 1 || g.Z < 1 || g.X >= nx-1 || g.Y >= ny-1 || g.Z >= nz-1 {
		return
	}
	i := (g.Z*ny+g.Y)*nx + g.X
	out[i] = c0*in[i] + c1*(in[i-1]+in[i+1]+in[i-nx]+in[i+nx]+in[i-nx*ny]+in[i+nx*ny])
}

// Stencil27 is one step of a 27-point stencil; w are the weights of the centre, the faces,
// the edges and the corners.
func Stencil27(nx, ny, nz int, w [4]float32, in, out []float32) {
	g := dsl.GlobalIdx()
	if g.X < 1 || g.Y < 1 || g.Z < 1 || g.X >= nx-1 || g.Y >= ny-1 || g.Z >= nz-1 {
		return
	}
	var sum float32
	for dz := -1; dz <= 1; dz++ {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				sum += w[dx*dx+dy*dy+dz*dz] * in[((g.Z+dz)*ny+g.Y+dy)*nx+g.X+dx]
			}
		}
	}
	out[(g.Z*ny+g.Y)*nx+g.X] = sum
}

const Edge = 16 // of a tile of Relax

// Relax replaces each point of a tile by the mean of its four neighbours, steps times and in
// place. A neighbour beyond the tile is the nearest point in it.
func Relax(n, steps int, in, out []float32) {
	tile := dsl.Shared[[Edge][Edge]float32]()
	t := dsl.ThreadIdx()
	i := dsl.GlobalIdx().Y*n + dsl.GlobalIdx().X
	tile[t.Y][t.X] = in[i]
	for range steps {
		dsl.SyncThreads()
		v := 0.25 * (tile[max(t.Y-1, 0)][t.X] + tile[min(t.Y+1, Edge-1)][t.X] +
			tile[t.Y][max(t.X-1, 0)] + tile[t.Y][min(t.X+1, Edge-1)])
		dsl.SyncThreads()
		tile[t.Y][t.X] = v
	}
	out[i] = tile[t.Y][t.X]
}

// Hotspot is one step of the temperatures of a w by h chip that power heats. Each point
// exchanges heat with its four neighbours, those at the edges with themselves, and with what
// is around the chip.
func Hotspot(w, h int, step, rx, ry, rz, ambient float32, temp, power, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	i := y*w + x
	t := temp[i]
	north, south := temp[max(y-1, 0)*w+x], temp[min(y+1, h-1)*w+x]
	west, east := temp[y*w+max(x-1, 0)], temp[y*w+min(x+1, w-1)]
	out[i] = t + step*(power[i]+(north+south-2*t)*ry+(east+west-2*t)*rx+(ambient-t)*rz)
}
