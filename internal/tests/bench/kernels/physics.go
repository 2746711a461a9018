package kernels

import (
	"math"

	"heddle/dsl"
)

const SradThreads = 256 // of a block

// Srad is the first half of a step of speckle-reducing diffusion over columns of nr pixels:
// derivatives and the coefficient (Rodinia). The neighbours' rows and columns are in tables.
func Srad(nr, n int, q0 float32, north, south, east, west []int32, dN, dS, dE, dW, c, image []float32) {
	i := dsl.BlockIdx().X*SradThreads + dsl.ThreadIdx().X
	if i >= n {
		return
	}
	row, col := i%nr, i/nr
	jc := image[i]
	n1 := image[int(north[row])+nr*col] - jc
	s1 := image[int(south[row])+nr*col] - jc
	w1 := image[row+nr*int(west[col])] - jc
	e1 := image[row+nr*int(east[col])] - jc
	g2 := (n1*n1 + s1*s1 + w1*w1 + e1*e1) / (jc * jc)
	l := (n1 + s1 + w1 + e1) / jc
	num := 0.5*g2 - (1.0/16.0)*(l*l)
	den := 1 + 0.25*l
	q := num / (den * den)
	den = (q - q0) / (q0 * (1 + q0))
	cLoc := 1 / (1 + den)
	if cLoc < 0 {
		cLoc = 0
	} else if cLoc > 1 {
		cLoc = 1
	}
	dN[i] = n1
	dS[i] = s1
	dW[i] = w1
	dE[i] = e1
	c[i] = cLoc
}

type Vec3 struct{ X, Y, Z float32 }

// FarField is what is far from the wing.
type FarField struct {
	Momentum, EnergyFlux, FluxX, FluxY, FluxZ Vec3
}

const (
	gamma     = 1.4
	Neighbors = 4
	// The variables of an element.
	density, momentum, energy = 0, 1, 4
)

func velocity(d float32, m Vec3) Vec3 { return Vec3{m.X / d, m.Y / d, m.Z / d} }

func speedSquared(v Vec3) float32 { return v.X*v.X + v.Y*v.Y + v.Z*v.Z }

func pressure(d, e, speed2 float32) float32 { return float32(gamma-1) * (e - 0.5*d*speed2) }

func speedOfSound(d, p float32) float32 { return dsl.Sqrt(gamma * p / d) }

func fluxContribution(m Vec3, e, p float32, v Vec3) (fx, fy, fz, fe Vec3) {
	fx.X = v.X*m.X + p
	fx.Y = v.X * m.Y
	fx.Z = v.X * m.Z
	fy.X = fx.Y
	fy.Y = v.Y*m.Y + p
	fy.Z = v.Y * m.Z
	fz.X = fx.Z
	fz.Y = fy.Z
	fz.Z = v.Z*m.Z + p
	ep := e + p
	return fx, fy, fz, Vec3{v.X * ep, v.Y * ep, v.Z * ep}
}

// EulerFlux adds up the fluxes of n elements from their neighbours (Rodinia's cfd, euler3d).
func EulerFlux(n int, ff FarField, around []int32, normals, variables, fluxes []float32) {
	const smoothing = 0.2
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	d := variables[i+density*n]
	m := Vec3{variables[i+momentum*n], variables[i+(momentum+1)*n], variables[i+(momentum+2)*n]}
	e := variables[i+energy*n]
	v := velocity(d, m)
	speed2 := speedSquared(v)
	speed := dsl.Sqrt(speed2)
	p := pressure(d, e, speed2)
	sound := speedOfSound(d, p)
	fx, fy, fz, fe := fluxContribution(m, e, p, v)
	var fluxD, fluxE float32
	var fluxM Vec3
	for j := range Neighbors {
		nb := int(around[i+j*n])
		normal := Vec3{normals[i+j*n], normals[i+(j+Neighbors)*n], normals[i+(j+2*Neighbors)*n]}
		length := dsl.Sqrt(normal.X*normal.X + normal.Y*normal.Y + normal.Z*normal.Z)
		switch {
		case nb >= 0:
			dn := variables[nb+density*n]
			mn := Vec3{variables[nb+momentum*n], variables[nb+(momentum+1)*n], variables[nb+(momentum+2)*n]}
			en := variables[nb+energy*n]
			vn := velocity(dn, mn)
			speed2n := speedSquared(vn)
			pn := pressure(dn, en, speed2n)
			soundN := speedOfSound(dn, pn)
			fxn, fyn, fzn, fen := fluxContribution(mn, en, pn, vn)
			factor := -length * smoothing * 0.5 * (speed + dsl.Sqrt(speed2n) + sound + soundN)
			fluxD += factor * (d - dn)
			fluxE += factor * (e - en)
			fluxM.X += factor * (m.X - mn.X)
			fluxM.Y += factor * (m.Y - mn.Y)
			fluxM.Z += factor * (m.Z - mn.Z)

			factor = 0.5 * normal.X
			fluxD += factor * (mn.X + m.X)
			fluxE += factor * (fen.X + fe.X)
			fluxM.X += factor * (fxn.X + fx.X)
			fluxM.Y += factor * (fyn.X + fy.X)
			fluxM.Z += factor * (fzn.X + fz.X)

			factor = 0.5 * normal.Y
			fluxD += factor * (mn.Y + m.Y)
			fluxE += factor * (fen.Y + fe.Y)
			fluxM.X += factor * (fxn.Y + fx.Y)
			fluxM.Y += factor * (fyn.Y + fy.Y)
			fluxM.Z += factor * (fzn.Y + fz.Y)

			factor = 0.5 * normal.Z
			fluxD += factor * (mn.Z + m.Z)
			fluxE += factor * (fen.Z + fe.Z)
			fluxM.X += factor * (fxn.Z + fx.Z)
			fluxM.Y += factor * (fyn.Z + fy.Z)
			fluxM.Z += factor * (fzn.Z + fz.Z)
		case nb == -1: // the wing
			fluxM.X += normal.X * p
			fluxM.Y += normal.Y * p
			fluxM.Z += normal.Z * p
		case nb == -2: // far away
			factor := 0.5 * normal.X
			fluxD += factor * (ff.Momentum.X + m.X)
			fluxE += factor * (ff.EnergyFlux.X + fe.X)
			fluxM.X += factor * (ff.FluxX.X + fx.X)
			fluxM.Y += factor * (ff.FluxY.X + fy.X)
			fluxM.Z += factor * (ff.FluxZ.X + fz.X)

			factor = 0.5 * normal.Y
			fluxD += factor * (ff.Momentum.Y + m.Y)
			fluxE += factor * (ff.EnergyFlux.Y + fe.Y)
			fluxM.X += factor * (ff.FluxX.Y + fx.Y)
			fluxM.Y += factor * (ff.FluxY.Y + fy.Y)
			fluxM.Z += factor * (ff.FluxZ.Y + fz.Y)

			factor = 0.5 * normal.Z
			fluxD += factor * (ff.Momentum.Z + m.Z)
			fluxE += factor * (ff.EnergyFlux.Z + fe.Z)
			fluxM.X += factor * (ff.FluxX.Z + fx.Z)
			fluxM.Y += factor * (ff.FluxY.Z + fy.Z)
			fluxM.Z += factor * (ff.FluxZ.Z + fz.Z)
		}
	}
	fluxes[i+density*n] = fluxD
	fluxes[i+momentum*n] = fluxM.X
	fluxes[i+(momentum+1)*n] = fluxM.Y
	fluxes[i+(momentum+2)*n] = fluxM.Z
	fluxes[i+energy*n] = fluxE
}

type SU3 [3][3]complex128

// A Site of a lattice has a matrix for each direction.
type Site struct {
	Link       [4]SU3
	X, Y, Z, T int32
	Index      int32
	Parity     int8
	Pad        [2]int32
}

// SU3Multiply multiplies the links of each site by b, a thread for each element (su3_bench).
//
//heddle:noalias
func SU3Multiply(a []Site, b []SU3, c []Site) {
	id := dsl.GlobalIdx().X
	i := id / 36
	if i >= len(a) {
		return
	}
	j, k, l := id%36/9, id%9/3, id%3
	var sum complex128
	for m := range 3 {
		sum += a[i].Link[j][k][m] * b[j][m][l]
	}
	c[i].Link[j][k][l] = sum
}

const (
	BoxParticles = 100
	BoxThreads   = 128
)

type Particle struct{ V, X, Y, Z float32 }

type Neighbor struct {
	X, Y, Z, Number int32
	Offset          int
}

type Box struct {
	X, Y, Z, Number int32
	Offset          int
	Count           int32
	Around          [26]Neighbor
}

func product(a, b Particle) float32 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// LavaMD adds up the forces on the particles of a box, those of its own and of the boxes
// around it (Rodinia).
func LavaMD(alpha float32, boxes []Box, particles []Particle, charges []float32, forces []Particle) {
	own := dsl.Shared[[BoxParticles]Particle]()
	other := dsl.Shared[[BoxParticles]Particle]()
	charge := dsl.Shared[[BoxParticles]float32]()
	bx, tx := dsl.BlockIdx().X, dsl.ThreadIdx().X
	if bx >= len(boxes) {
		return
	}
	a2 := 2 * alpha * alpha
	first := boxes[bx].Offset
	for t := tx; t < BoxParticles; t += BoxThreads {
		own[t] = particles[first+t]
	}
	dsl.SyncThreads()
	for k := range 1 + int(boxes[bx].Count) {
		at := bx
		if k > 0 {
			at = int(boxes[bx].Around[k-1].Number)
		}
		start := boxes[at].Offset
		for t := tx; t < BoxParticles; t += BoxThreads {
			other[t] = particles[start+t]
			charge[t] = charges[start+t]
		}
		dsl.SyncThreads()
		for t := tx; t < BoxParticles; t += BoxThreads {
			for j := range BoxParticles {
				r2 := own[t].V + other[j].V - product(own[t], other[j])
				u2 := a2 * r2
				v := dsl.Exp(-u2)
				fs := 2 * v
				dx, dy, dz := own[t].X-other[j].X, own[t].Y-other[j].Y, own[t].Z-other[j].Z
				forces[first+t].V += charge[j] * v
				forces[first+t].X += charge[j] * (fs * dx)
				forces[first+t].Y += charge[j] * (fs * dy)
				forces[first+t].Z += charge[j] * (fs * dz)
			}
		}
		dsl.SyncThreads()
	}
}

const BilateralRadius = 4

// Bilateral smooths a picture and keeps its edges (HeCBench).
//
//heddle:noalias
func Bilateral(w, h int, scale, intensity, spatial float32, in, out []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= w || y >= h {
		return
	}
	id := y*w + x
	here := in[id]
	var sum, norm float32
	for i := -BilateralRadius; i <= BilateralRadius; i++ {
		for j := -BilateralRadius; j <= BilateralRadius; j++ {
			k, l := x+i, y+j
			if k < 0 {
				k = -k
			}
			if l < 0 {
				l = -l
			}
			if k > w-1 {
				k = w - 1 - i
			}
			if l > h-1 {
				l = h - 1 - j
			}
			v := in[l*w+k]
			closeness := -(here - v) * (here - v) / (2 * intensity)
			distance := -float32((k-x)*(k-x)+(l-y)*(l-y)) / (2 * spatial)
			weight := scale * dsl.Exp(distance+closeness)
			norm += weight
			sum += v * weight
		}
	}
	out[id] = sum / norm
}

const (
	CorrelationBins    = 21
	CorrelationThreads = 256
)

// Bounds are those of Correlation's bins, from the highest.
var Bounds = [CorrelationBins + 1]float32{
	1, 0.999986292, 0.999978582, 0.999966534, 0.999947709, 0.999918296, 0.999872339, 0.999800532, 0.999688337, 0.999513041, 0.999239162,
	0.998811275, 0.998142824, 0.997098668, 0.995467902, 0.992921608, 0.988947361, 0.982748178, 0.973087748, 0.958056168, 0.934722247, 0.898634447,
}

var bounds = dsl.NewConstant(Bounds)

// Correlation counts the angles between points of the sky, a tile of pairs a block
// (Parboil's tpacf).
func Correlation(x, y, z []float32, histogram []uint32) {
	tile := dsl.Shared[[CorrelationThreads]Vec3]()
	local := dsl.Shared[[CorrelationBins]uint32]()
	t := dsl.ThreadIdx().X
	i := dsl.BlockIdx().X*CorrelationThreads + t
	j := dsl.BlockIdx().Y*CorrelationThreads + t
	if t < CorrelationBins {
		local[t] = 0
	}
	tile[t] = Vec3{x[j], y[j], z[j]}
	own := Vec3{x[i], y[i], z[i]}
	dsl.SyncThreads()
	binb := bounds.Ptr()
	for k := range CorrelationThreads {
		other := tile[k]
		dot := own.X*other.X + own.Y*other.Y + own.Z*other.Z
		low, high := 0, CorrelationBins
		for high > low+1 {
			mid := (low + high) / 2
			if dot >= binb[mid] {
				high = mid
			} else {
				low = mid
			}
		}
		dsl.AtomicAdd(&local[low], 1)
	}
	dsl.SyncThreads()
	if t < CorrelationBins {
		dsl.AtomicAdd(&histogram[t], local[t])
	}
}

type Sample struct{ X, Y, Z, Phi float32 }

// MRIQ is the matrix Q of a reconstruction from samples in k-space (Parboil).
//
//heddle:noalias
func MRIQ(samples []Sample, x, y, z, qr, qi []float32) {
	i := dsl.GlobalIdx().X
	if i >= len(x) {
		return
	}
	sx, sy, sz := x[i], y[i], z[i]
	re, im := qr[i], qi[i]
	for _, k := range samples {
		arg := 2 * math.Pi * (k.X*sx + k.Y*sy + k.Z*sz)
		re += k.Phi * dsl.Cos(arg)
		im += k.Phi * dsl.Sin(arg)
	}
	qr[i], qi[i] = re, im
}

// Lattice is one step of a fluid on a torus of nx by ny cells with nine speeds, and obstacles
// (HeCBench's d2q9-bgk).
//
//heddle:noalias
func Lattice(nx, ny int, omega float32, obstacles []int32, from, to [9][]float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= nx || y >= ny {
		return
	}
	n, e := (y+1)%ny, (x+1)%nx
	s, w := y-1, x-1
	if y == 0 {
		s = ny - 1
	}
	if x == 0 {
		w = nx - 1
	}
	f := [9]float32{
		from[0][y*nx+x], from[1][y*nx+w], from[2][s*nx+x], from[3][y*nx+e], from[4][n*nx+x],
		from[5][s*nx+w], from[6][s*nx+e], from[7][n*nx+e], from[8][n*nx+w],
	}
	i := y*nx + x
	if obstacles[i] != 0 {
		back := [9]int{0, 3, 4, 1, 2, 7, 8, 5, 6}
		for k := range f {
			to[k][i] = f[back[k]]
		}
		return
	}
	var rho float32
	for _, v := range f {
		rho += v
	}
	ux := (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
	uy := (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
	square := 1.5 * (ux*ux + uy*uy)
	u := [9]float32{0, ux, uy, -ux, -uy, ux + uy, -ux + uy, -ux - uy, ux - uy}
	weight := [9]float32{4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36}
	for k := range f {
		equilibrium := weight[k] * rho * (1 + 3*u[k] + 4.5*u[k]*u[k] - square)
		to[k][i] = f[k] + omega*(equilibrium-f[k])
	}
}
