package kernels

import (
	"math/cmplx"

	"heddle/dsl"
)

// The kernels here are of numerical programs: alloys, quantum chemistry, rates, time series,
// genetics, fatigue, curves and sparse products, written as Go programs have them.

// A PhaseField is a concentration in each cell of a box that repeats.
type PhaseField struct {
	NX, NY, NZ int
	C          []float64
}

func (f PhaseField) index(x, y, z int) int {
	return (wrap(z, f.NZ)*f.NY+wrap(y, f.NY))*f.NX + wrap(x, f.NX)
}

// At is the concentration in a cell.
func (f PhaseField) At(x, y, z int) float64 { return f.C[f.index(x, y, z)] }

// An Alloy has the height of the energy between its phases, the energy of their border, and
// how fast they mix; Grid is one over a cell's width squared, Step the time.
type Alloy struct{ Barrier, Border, Mobility, Grid, Step float64 }

// laplace sums up the second derivatives of a function on a grid.
func laplace(f func(x, y, z int) float64, x, y, z int, grid float64) float64 {
	around := f(x-1, y, z) + f(x+1, y, z) + f(x, y-1, z) + f(x, y+1, z) + f(x, y, z-1) + f(x, y, z+1)
	return (around - 6*f(x, y, z)) * grid
}

// CahnHilliard is a step of an alloy that falls apart into two phases.
//
//heddle:noalias
func CahnHilliard(a Alloy, now, next PhaseField) {
	i := dsl.GlobalIdx()
	if i.X >= now.NX || i.Y >= now.NY || i.Z >= now.NZ {
		return
	}
	potential := func(x, y, z int) float64 {
		c := now.At(x, y, z)
		return 2*a.Barrier*c*(1-c)*(1-2*c) - a.Border*laplace(now.At, x, y, z, a.Grid)
	}
	change := a.Mobility * laplace(potential, i.X, i.Y, i.Z, a.Grid)
	next.C[next.index(i.X, i.Y, i.Z)] = now.At(i.X, i.Y, i.Z) + a.Step*change
}

const (
	GPPThreads = 128 // of a block
	GPPOffsets = 2   // energies at which a band is looked at
)

// PlasmonPoles has a frequency and a strength for each pair of plane waves.
type PlasmonPoles struct {
	Waves               int
	Frequency, Strength []complex128
}

func scaled(z complex128, by float64) complex128 { return complex(real(z)*by, imag(z)*by) }

func norm(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// treeSum adds up what each thread of a block has put into v.
func treeSum[T dsl.Float | complex128](v []T) T {
	t := dsl.ThreadIdx().X
	for d := len(v) / 2; d > 0; d /= 2 {
		dsl.SyncThreads()
		if t < d {
			v[t] += v[t+d]
		}
	}
	dsl.SyncThreads()
	return v[0]
}

// SelfEnergy adds up the part of each plane wave in an electron's self-energy (the mini-app
// GPP of BerkeleyGW). A block has a wave, and goes over the others and over all bands.
//
//heddle:noalias
func SelfEnergy(p PlasmonPoles, offsets [GPPOffsets]float64, bands []float64, elements []complex128, coulomb []float64, out []complex128) {
	shared := dsl.Shared[[GPPOffsets][GPPThreads]complex128]()
	t, wave := dsl.ThreadIdx().X, dsl.BlockIdx().X
	var sums [GPPOffsets]complex128
	for other := t; other < p.Waves; other += GPPThreads {
		w, strength := p.Frequency[wave*p.Waves+other], p.Strength[wave*p.Waves+other]
		for band, energy := range bands {
			row := elements[band*p.Waves : (band+1)*p.Waves]
			weight := cmplx.Conj(row[wave]) * row[other] * strength
			for k, offset := range offsets {
				apart := complex(energy+offset, 0) - w
				sums[k] += weight * scaled(w*cmplx.Conj(apart), 1/norm(apart))
			}
		}
	}
	for k, sum := range sums {
		shared[k][t] = sum
		if total := treeSum(shared[k][:]); t == 0 {
			out[wave*GPPOffsets+k] = scaled(total, 0.5*coulomb[wave])
		}
	}
}

const (
	LiborRates = 80 // forward rates, one behind the other
	LiborSteps = 40 // until the swaptions are looked at
)

// A Swaption is a right to swap payments at a rate, over a number of periods.
type Swaption struct {
	Periods int32
	Rate    float32
}

// A LiborMarket has rates for periods of the length Delta, and how they vary by how far ahead
// they are.
type LiborMarket struct {
	Delta           float32
	Rates, Variance []float32
}

// evolve moves the rates to the last step.
func (m LiborMarket) evolve(rates *[LiborRates]float32, normal func(step int) float32) {
	for step := range LiborSteps {
		shock := dsl.Sqrt(m.Delta) * normal(step)
		var drift float32
		for i := step + 1; i < LiborRates; i++ {
			lambda := m.Variance[i-step-1]
			c := m.Delta * lambda
			drift += c * rates[i] / (1 + m.Delta*rates[i])
			rates[i] *= dsl.Exp(c*drift + lambda*(shock-0.5*c))
		}
	}
}

// value is what the swaptions are worth today.
func (m LiborMarket) value(rates *[LiborRates]float32, swaptions []Swaption) float32 {
	var bonds, annuities [LiborRates - LiborSteps]float32
	bond, annuity := float32(1), float32(0)
	for k, rate := range rates[LiborSteps:] {
		bond /= 1 + m.Delta*rate
		annuity += m.Delta * bond
		bonds[k], annuities[k] = bond, annuity
	}
	var sum float32
	for _, s := range swaptions {
		last := s.Periods - 1
		if swap := bonds[last] + s.Rate*annuities[last] - 1; swap < 0 {
			sum -= 100 * swap
		}
	}
	for _, rate := range rates[:LiborSteps] {
		sum /= 1 + m.Delta*rate
	}
	return sum
}

// LiborPaths values a portfolio on random paths of a market, a thread a path (Giles).
//
//heddle:noalias
func LiborPaths(m LiborMarket, swaptions []Swaption, normals, values []float32) {
	path, paths := dsl.GlobalIdx().X, len(values)
	if path >= paths {
		return
	}
	var rates [LiborRates]float32
	copy(rates[:], m.Rates)
	m.evolve(&rates, func(step int) float32 { return normals[step*paths+path] })
	values[path] = m.value(&rates, swaptions)
}

const KalmanOrder = 4

// A StateVector is what a filter knows of a system.
type StateVector [KalmanOrder]float64

func (a StateVector) Dot(b StateVector) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// A StateMatrix is how such states depend on each other.
type StateMatrix [KalmanOrder]StateVector

// Apply is m*v.
func (m StateMatrix) Apply(v StateVector) (out StateVector) {
	for i, row := range m {
		out[i] = row.Dot(v)
	}
	return out
}

func (m StateMatrix) Add(b StateMatrix) StateMatrix {
	for i, row := range b {
		for j, x := range row {
			m[i][j] += x
		}
	}
	return m
}

// Times is m*b.
func (m StateMatrix) Times(b StateMatrix) (out StateMatrix) {
	for i := range m {
		for j := range b {
			for k, x := range m[i] {
				out[i][j] += x * b[k][j]
			}
		}
	}
	return out
}

// TimesTransposed is m*bᵀ.
func (m StateMatrix) TimesTransposed(b StateMatrix) (out StateMatrix) {
	for i, row := range m {
		out[i] = b.Apply(row)
	}
	return out
}

// A StateSpace is a model of a time series: how its state moves on, the noise of that, and
// how a state is seen.
type StateSpace struct {
	Move, Noise StateMatrix
	See         StateVector
}

// KalmanFilter filters time series, a thread each: what each observation adds to what was
// expected, and the logarithm of the likelihood. An observation that is missing is a NaN.
func KalmanFilter(models []StateSpace, states []StateVector, spreads []StateMatrix, observations []float64, news, likelihood []float64) {
	series := dsl.GlobalIdx().X
	if series >= len(models) {
		return
	}
	model, state, spread := models[series], states[series], spreads[series]
	n := len(observations) / len(models)
	out := news[series*n : (series+1)*n]
	var sum float64
	for k, seen := range observations[series*n : (series+1)*n] {
		if !dsl.IsNaN(seen) {
			column := spread.Apply(model.See)
			variance := model.See.Dot(column)
			residual := seen - model.See.Dot(state)
			for i, x := range column {
				gain := x / variance
				state[i] += gain * residual
				for j, y := range column {
					spread[i][j] -= gain * y
				}
			}
			out[k] = residual
			sum += dsl.Log(variance) + residual*residual/variance
		}
		state = model.Move.Apply(state)
		spread = model.Move.Times(spread).TimesTransposed(model.Move).Add(model.Noise)
	}
	likelihood[series] = -0.5 * sum
}
