package kernels

import (
	"heddle/dsl"
)

// Digits are how many direction numbers Sobol has for a dimension.
const Digits = 32

// Sobol makes the first n points of a quasi-random sequence, a dimension for each block of
// the grid's y axis.
func Sobol(n int, directions []uint32, out []float32) {
	i, dim := dsl.GlobalIdx().X, dsl.BlockIdx().Y
	if i >= n {
		return
	}
	var x uint32
	gray := uint32(i) ^ uint32(i)>>1
	for k := dim * Digits; gray != 0; k++ {
		if gray&1 != 0 {
			x ^= directions[k]
		}
		gray >>= 1
	}
	out[dim*n+i] = float32(x) * 0x1p-32
}

// A Point of a nuclide's grid holds its cross-sections at one energy.
type Point struct {
	Energy, Total, Elastic, Absorption, Fission, Nu float64
}

// CrossSections looks up energies: it adds up the cross-sections of all nuclides, each
// interpolated in the nuclide's own sorted grid of points and weighed by its density.
func CrossSections(points int, grid []Point, density, energies []float64, out []Point) {
	i := dsl.GlobalIdx().X
	if i >= len(energies) {
		return
	}
	e := energies[i]
	sum := Point{Energy: e}
	for n, d := range density {
		own := grid[n*points : (n+1)*points]
		low, high := 0, points-1
		for high-low > 1 {
			if mid := (low + high) / 2; own[mid].Energy > e {
				high = mid
			} else {
				low = mid
			}
		}
		a, b := &own[low], &own[low+1]
		f := (e - a.Energy) / (b.Energy - a.Energy)
		sum.Total += d * (a.Total + f*(b.Total-a.Total))
		sum.Elastic += d * (a.Elastic + f*(b.Elastic-a.Elastic))
		sum.Absorption += d * (a.Absorption + f*(b.Absorption-a.Absorption))
		sum.Fission += d * (a.Fission + f*(b.Fission-a.Fission))
		sum.Nu += d * (a.Nu + f*(b.Nu-a.Nu))
	}
	out[i] = sum
}
