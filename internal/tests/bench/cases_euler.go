package main

import (
	"math"

	"heddle/internal/tests/bench/kernels"
	"heddle/launch"
)

// An euler is a fluid's cells, as the host has them.
type euler struct {
	n   int
	ff  kernels.FarField
	far eulerState
}

// An eulerState is what the host knows of a cell.
type eulerState struct {
	d, e, p, speed, sound float64
	m                     [3]float64
	flux                  [3][3]float64
	fe                    [3]float64
}

func newEuler(n int) *euler {
	vec := func(seed int) kernels.Vec3 {
		return kernels.Vec3{X: kernels.Uniform(seed, 9, 0, 1), Y: kernels.Uniform(seed+1, 9, 0, 1), Z: kernels.Uniform(seed+2, 9, 0, 1)}
	}
	u := &euler{n: n, ff: kernels.FarField{Momentum: vec(0), EnergyFlux: vec(3), FluxX: vec(6), FluxY: vec(9), FluxZ: vec(12)}}
	v3 := func(v kernels.Vec3) [3]float64 { return [3]float64{float64(v.X), float64(v.Y), float64(v.Z)} }
	u.far = eulerState{m: v3(u.ff.Momentum), fe: v3(u.ff.EnergyFlux), flux: [3][3]float64{v3(u.ff.FluxX), v3(u.ff.FluxY), v3(u.ff.FluxZ)}}
	return u
}

// variable is variable i/n of element i%n.
func (u *euler) variable(i int) float32 {
	switch i / u.n {
	case 0:
		return kernels.Uniform(i, 1, 1, 1.4)
	case 4:
		return kernels.Uniform(i, 1, 3, 4)
	}
	return kernels.Uniform(i, 1, -0.5, 0.5)
}

// around is neighbour e/n of element e%n.
func (u *euler) around(e int) int32 {
	if h := kernels.Hash(e, 2) >> 8; h%16 < 2 {
		return -1 - int32(h%16)
	}
	i, j := e%u.n, e/u.n
	step := [kernels.Neighbors]int{-1, 1, -1000, 1000}[j]
	return int32(((i+step)%u.n + u.n) % u.n)
}

func (u *euler) state(i int) (a eulerState) {
	at := func(k int) float64 { return float64(u.variable(i + k*u.n)) }
	a.d, a.m, a.e = at(0), [3]float64{at(1), at(2), at(3)}, at(4)
	square := 0.0
	for k := range 3 {
		square += a.m[k] / a.d * a.m[k] / a.d
	}
	a.p = 0.4 * (a.e - 0.5*a.d*square)
	a.speed, a.sound = math.Sqrt(square), math.Sqrt(1.4*a.p/a.d)
	for k := range 3 {
		for l := range 3 {
			a.flux[k][l] = a.m[k] / a.d * a.m[l]
		}
		a.flux[k][k] += a.p
		a.fe[k] = a.m[k] / a.d * (a.e + a.p)
	}
	return a
}

// want is flux e/n of element e%n.
func (u *euler) want(e int) float64 {
	const nbs = kernels.Neighbors
	i, a := e%u.n, u.state(e%u.n)
	var out [5]float64
	for j := range nbs {
		var normal [3]float64
		length := 0.0
		for k := range normal {
			normal[k] = uniform(i+(j+k*nbs)*u.n, 3, -1, 1)
			length += normal[k] * normal[k]
		}
		nb := int(u.around(i + j*u.n))
		b := u.far
		switch {
		case nb == -1:
			for k := range 3 {
				out[1+k] += normal[k] * a.p
			}
			continue
		case nb >= 0:
			b = u.state(nb)
			f := -math.Sqrt(length) * 0.1 * (a.speed + b.speed + a.sound + b.sound)
			out[0] += f * (a.d - b.d)
			out[4] += f * (a.e - b.e)
			for k := range 3 {
				out[1+k] += f * (a.m[k] - b.m[k])
			}
		}
		for k := range 3 {
			f := 0.5 * normal[k]
			out[0] += f * (a.m[k] + b.m[k])
			out[4] += f * (a.fe[k] + b.fe[k])
			for l := range 3 {
				out[1+l] += f * (a.flux[l][k] + b.flux[l][k])
			}
		}
	}
	return out[e/u.n]
}

func eulerFluxCase(s scale) *benchmark {
	n := s.of(2_000_000, 700)
	const nbs = kernels.Neighbors
	u := newEuler(n)
	return &benchmark{
		name: "euler_flux", kernel: kernels.EulerFlux, cfg: launch.Linear(n, 192), unit: "GB/s", work: 4 * (2*5 + 4*nbs) * float64(n) / 1e9,
		setup: func(d *device) inputs {
			out := alloc[float32](d, 5*n)
			return inputs{args: []any{n, u.ff, upload(d, filled(nbs*n, u.around)), upload(d, floats(3*nbs*n, 3, -1, 1)), upload(d, filled(5*n, u.variable)), out},
				results: each(out)}
		},
		want:      func(_, e int) float64 { return u.want(e) },
		tolerance: 2e-5,
	}
}
