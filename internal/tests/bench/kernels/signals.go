package kernels

import (
	"math"

	"heddle/dsl"
	"heddle/vector"
)

// The kernels here are of signals, quantum states, solvers and tomography, written as Go programs have them.

// A ControlledGate acts on two qubits where a third is one. Sorted are the three in ascending order.
type ControlledGate struct {
	Control int
	Targets [2]int
	Sorted  [3]int
	U       [4][4]complex64
}

// insertZero moves the bits of i from a place on up by one.
func insertZero(i, bit int) int {
	low := i & (1<<bit - 1)
	return (i-low)<<1 | low
}

// QubitGate applies a gate to a state vector; a thread has the four amplitudes that differ in
// the targets alone.
func QubitGate(g ControlledGate, state []complex64) {
	i := dsl.GlobalIdx().X
	if i >= len(state)/8 {
		return
	}
	for _, q := range g.Sorted {
		i = insertZero(i, q)
	}
	i |= 1 << g.Control
	a, b := 1<<g.Targets[0], 1<<g.Targets[1]
	at := [4]int{i, i | a, i | b, i | a | b}
	var old [4]complex64
	for k, j := range at {
		old[k] = state[j]
	}
	for r, j := range at {
		var sum complex64
		for k, v := range old {
			sum += g.U[r][k] * v
		}
		state[j] = sum
	}
}

// A Sinogram has a row of detectors for each angle.
type Sinogram struct {
	Detectors int
	Data      []float32
}

// At is the value between two detectors, and nothing beyond the row.
func (s Sinogram) At(angle int, at float32) float32 {
	d := int(dsl.Floor(at))
	if d < 0 || d+1 >= s.Detectors {
		return 0
	}
	f := at - float32(d)
	row := s.Data[angle*s.Detectors : (angle+1)*s.Detectors]
	return row[d]*(1-f) + row[d+1]*f
}

// Backproject makes a square image from filtered projections of parallel beams; turns are the
// cosines and sines of their angles.
//
//heddle:noalias
func Backproject(sino Sinogram, turns []vector.Float2, size int, spacing float32, image []float32) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= size || y >= size {
		return
	}
	middle := float32(size-1) / 2
	px, py := (float32(x)-middle)*spacing, (middle-float32(y))*spacing
	center := float32(sino.Detectors-1) / 2
	var sum float32
	for a, t := range turns {
		sum += sino.At(a, px*t.X+py*t.Y+center)
	}
	image[y*size+x] = sum * (math.Pi / float32(len(turns)))
}

const HMMStates = 64 // and threads of a block

// An HMM is a hidden Markov model in logarithms: Trans is by state and next state, Emit by
// symbol and state.
type HMM struct{ Start, Trans, Emit []float32 }

var impossible = float32(math.Inf(-1))

// logAdd is the logarithm of a sum, of logarithms.
func logAdd(a, b float32) float32 {
	if a < b {
		a, b = b, a
	}
	if b == impossible {
		return a
	}
	return a + dsl.Log1p(dsl.Exp(b-a))
}

// HMMForward finds how likely each sequence is; a block has a sequence, a thread a state.
func HMMForward(m HMM, starts []int32, symbols []uint8, out []float32) {
	alpha := dsl.Shared[[2][HMMStates]float32]()
	j := dsl.ThreadIdx().X
	seq := symbols[starts[dsl.BlockIdx().X]:starts[dsl.BlockIdx().X+1]]
	alpha[0][j] = m.Start[j] + m.Emit[int(seq[0])*HMMStates+j]
	now := 0
	for _, s := range seq[1:] {
		dsl.SyncThreads()
		most := impossible
		for i := range HMMStates {
			most = max(most, alpha[now][i]+m.Trans[i*HMMStates+j])
		}
		next := impossible
		if most > impossible {
			var sum float32
			for i := range HMMStates {
				sum += dsl.Exp(alpha[now][i] + m.Trans[i*HMMStates+j] - most)
			}
			next = most + dsl.Log(sum) + m.Emit[int(s)*HMMStates+j]
		}
		now = 1 - now
		alpha[now][j] = next
	}
	for d := HMMStates / 2; d > 0; d /= 2 {
		dsl.SyncThreads()
		if j < d {
			alpha[now][j] = logAdd(alpha[now][j], alpha[now][j+d])
		}
	}
	if j == 0 {
		out[dsl.BlockIdx().X] = alpha[now][0]
	}
}

const (
	QROrder = 12
	QRBatch = 16 // matrices of a block; a thread has a column
)

// BatchedQR factors matrices in place as LAPACK does: R on and above the diagonal, below it the
// vectors of Householder's reflections, whose factors are in tau.
func BatchedQR(matrices []float32, tau []float32) {
	tile := dsl.Shared[[QRBatch][QROrder][QROrder + 1]float32]()
	taus := dsl.Shared[[QRBatch]float32]()
	col, ty := dsl.ThreadIdx().X, dsl.ThreadIdx().Y
	matrix := dsl.BlockIdx().X*QRBatch + ty
	there := matrix < len(tau)/QROrder
	a := &tile[ty]
	if there {
		for r := range QROrder {
			a[r][col] = matrices[(matrix*QROrder+r)*QROrder+col]
		}
	}
	for k := range QROrder {
		dsl.SyncThreads()
		if there && col == k {
			var norm float32
			for r := k + 1; r < QROrder; r++ {
				norm += a[r][k] * a[r][k]
			}
			taus[ty] = 0
			if alpha := a[k][k]; norm > 0 {
				beta := -dsl.Copysign(dsl.Sqrt(alpha*alpha+norm), alpha)
				taus[ty] = (beta - alpha) / beta
				scale := 1 / (alpha - beta)
				for r := k + 1; r < QROrder; r++ {
					a[r][k] *= scale
				}
				a[k][k] = beta
			}
			tau[matrix*QROrder+k] = taus[ty]
		}
		dsl.SyncThreads()
		if there && col > k {
			dot := a[k][col]
			for r := k + 1; r < QROrder; r++ {
				dot += a[r][k] * a[r][col]
			}
			dot *= taus[ty]
			a[k][col] -= dot
			for r := k + 1; r < QROrder; r++ {
				a[r][col] -= dot * a[r][k]
			}
		}
	}
	if there {
		for r := range QROrder {
			matrices[(matrix*QROrder+r)*QROrder+col] = a[r][col]
		}
	}
}

const (
	Decimation = 8   // samples for one
	PhaseTaps  = 16  // of each of the phases
	FIRThreads = 256 // of a block, and its samples out
)

// Decimate filters a signal and takes every eighth sample. A block holds the taps and its
// samples, these by phase.
//
//heddle:noalias
func Decimate(taps []float32, in, out []complex64) {
	h := dsl.Shared[[Decimation * PhaseTaps]float32]()
	tile := dsl.Shared[[Decimation][FIRThreads + PhaseTaps - 1]complex64]()
	t := dsl.ThreadIdx().X
	if t < len(h) {
		h[t] = taps[t]
	}
	first := dsl.BlockIdx().X * FIRThreads * Decimation
	for k := t; k < Decimation*(FIRThreads+PhaseTaps-1); k += FIRThreads {
		var v complex64
		if first+k < len(in) {
			v = in[first+k]
		}
		tile[k%Decimation][k/Decimation] = v
	}
	dsl.SyncThreads()
	i := dsl.GlobalIdx().X
	if i >= len(out) {
		return
	}
	var re, im float32
	for p := range Decimation {
		for q := range PhaseTaps {
			w, v := h[q*Decimation+p], tile[p][t+q]
			re += w * real(v)
			im += w * imag(v)
		}
	}
	out[i] = complex(re, im)
}

const (
	GridReach = 6  // points that a sample reaches in each direction
	GridSteps = 64 // of the table between two points
)

// A Visibility is a sample at a place of the frequencies.
type Visibility struct{ U, V, Re, Im float32 }

// kernelAt is the weight at a distance, between two numbers of the table.
func kernelAt(table []float32, distance float32) float32 {
	at := dsl.Abs(distance) * GridSteps
	k := int(at)
	f := at - float32(k)
	return table[k] + f*(table[k+1]-table[k])
}

// Gridding spreads samples onto a periodic grid of n by n, weighted by a table of half a
// Kaiser-Bessel window.
//
//heddle:noalias
func Gridding(n int, table []float32, samples []Visibility, grid []vector.Float2) {
	i := dsl.GlobalIdx().X
	if i >= len(samples) {
		return
	}
	s := samples[i]
	x0, y0 := int(dsl.Ceil(s.U-GridReach/2)), int(dsl.Ceil(s.V-GridReach/2))
	var wx, wy [GridReach]float32
	for k := range GridReach {
		wx[k] = kernelAt(table, float32(x0+k)-s.U)
		wy[k] = kernelAt(table, float32(y0+k)-s.V)
	}
	for j, b := range wy {
		y := wrap(y0+j, n)
		for k, a := range wx {
			p := &grid[y*n+wrap(x0+k, n)]
			dsl.AtomicAdd(&p.X, a*b*s.Re)
			dsl.AtomicAdd(&p.Y, a*b*s.Im)
		}
	}
}

// A Triangle is the lower part of a sparse matrix without its diagonal, of which it has the
// inverses.
type Triangle struct {
	First, Index    []int32
	Values, Inverse []float64
}

// SolveLevels solves for x in each part of a matrix that is apart from the others; a block has
// a part. Its rows are in levels, each of which needs the earlier ones alone.
//
//heddle:noalias
func SolveLevels(m Triangle, parts, levels, rows []int32, b, x []float64) {
	part := dsl.BlockIdx().X
	for l := parts[part]; l < parts[part+1]; l++ {
		end := int(levels[l+1])
		for k := int(levels[l]) + dsl.ThreadIdx().X; k < end; k += dsl.BlockDim().X {
			row := rows[k]
			sum := b[row]
			for j := m.First[row]; j < m.First[row+1]; j++ {
				sum -= m.Values[j] * x[m.Index[j]]
			}
			x[row] = sum * m.Inverse[row]
		}
		dsl.SyncThreads()
	}
}

// IQ is a sample of an echo, without its carrier.
type IQ struct{ I, Q int16 }

// A Probe says how echoes were recorded: samples a second from a start, of a carrier that has a
// frequency. An element hears what is in front of it, by the F-number.
type Probe struct{ Rate, Start, Frequency, Sound, FNumber, Gain float32 }

// A Field is a picture, and where it is.
type Field struct {
	W, H         int
	X, Z, DX, DZ float32
}

// Beamform sums up, for each pixel, what the elements heard of a plane wave when it would have
// come back from there. A channel is the samples of an element.
//
//heddle:noalias
func Beamform(p Probe, field Field, samples int, elements []float32, echoes []IQ, image []complex64) {
	x, y := dsl.GlobalIdx().X, dsl.GlobalIdx().Y
	if x >= field.W || y >= field.H {
		return
	}
	px, pz := field.X+float32(x)*field.DX, field.Z+float32(y)*field.DZ
	var sum complex64
	for c, e := range elements {
		dx := px - e
		if 2*p.FNumber*dsl.Abs(dx) > pz {
			continue
		}
		delay := (pz + dsl.Sqrt(dx*dx+pz*pz)) / p.Sound
		at := (delay - p.Start) * p.Rate
		k := int(at)
		if at < 0 || k+1 >= samples {
			continue
		}
		f := at - float32(k)
		a, b := echoes[c*samples+k], echoes[c*samples+k+1]
		i := float32(a.I)*(1-f) + float32(b.I)*f
		q := float32(a.Q)*(1-f) + float32(b.Q)*f
		sin, cos := dsl.Sincos(2 * math.Pi * p.Frequency * delay)
		sum += complex(i, q) * complex(cos, sin)
	}
	image[y*field.W+x] = complex(real(sum)*p.Gain, imag(sum)*p.Gain)
}
